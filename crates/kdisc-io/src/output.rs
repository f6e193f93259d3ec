//! Writing a file whole or not at all.
//!
//! The new content goes to a temporary file beside the target, is forced to disk, and takes the
//! target's name in one step. Whatever happens on the way (an error, a full disk, a kill), the
//! target is the old file or absent, never a part. Dropping a [`Sink`] removes the temporary file.
//!
//! A target that is not a regular file (`/dev/null`, a named pipe) cannot be replaced: it is
//! written to directly. A symbolic link is followed, so that the file it names is replaced and
//! not the link.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::{OutputError, sha256};

/// A place to write to, checked.
#[derive(Debug, Clone)]
pub struct Target {
    path: PathBuf,
    /// The file itself, symbolic links resolved.
    real: PathBuf,
    replaceable: bool,
}

impl Target {
    /// Checks that `path` can be written, without changing it.
    ///
    /// # Errors
    /// When it is a directory, its directory does not exist, or the system refuses.
    pub fn check(path: &Path) -> Result<Self, OutputError> {
        let refused = |source| OutputError::Write {
            path: path.to_owned(),
            source,
        };
        let (real, replaceable) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(OutputError::Directory(path.to_owned())),
            Ok(found) if found.is_file() => {
                // A file that may not be changed is not to be replaced either.
                OpenOptions::new().write(true).open(path).map_err(refused)?;
                (fs::canonicalize(path).map_err(refused)?, true)
            }
            Ok(_) => (path.to_owned(), false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Perhaps a link to a file that is yet to be.
                let named = fs::read_link(path).map(|named| directory_of(path).join(named));
                (named.unwrap_or_else(|_| path.to_owned()), true)
            }
            Err(error) => return Err(refused(error)),
        };
        let directory = directory_of(&real);
        if !directory.is_dir() {
            return Err(OutputError::NoDirectory {
                path: path.to_owned(),
                directory: directory.to_owned(),
            });
        }
        let target = Self {
            path: path.to_owned(),
            real,
            replaceable,
        };
        if replaceable {
            drop(target.temporary().map_err(refused)?);
        }
        Ok(target)
    }

    /// The path as given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether writing replaces a file, as it does unless the target is a device or a pipe.
    #[must_use]
    pub fn replaces(&self) -> bool {
        self.replaceable
    }

    /// Begins to write.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(&self) -> Result<Sink, OutputError> {
        let stage = if self.replaceable {
            self.temporary().map(Stage::Temporary)
        } else {
            OpenOptions::new()
                .write(true)
                .open(&self.real)
                .map(Stage::Direct)
        };
        match stage {
            Ok(stage) => Ok(Sink {
                target: self.clone(),
                stage,
            }),
            Err(source) => Err(OutputError::Write {
                path: self.path.clone(),
                source,
            }),
        }
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let old = fs::metadata(&self.real).map(|found| found.permissions());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Ok(old) = &old {
            use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
            // From the start: who may not read the old file must not open the new one either.
            options.mode(old.mode());
        }
        let mut builder = Builder::new();
        builder.prefix(".kdisc-").suffix(".tmp");
        // Opened here, because an error of tempfile's own would name the temporary file.
        let file = builder.make_in(directory_of(&self.real), |path| options.open(path))?;
        if let Ok(old) = old {
            // The umask may have taken more away; a file system without permissions need not care.
            let _ = file.as_file().set_permissions(old);
        }
        Ok(file)
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A file being written; it counts only once it is [committed](Sink::commit).
#[derive(Debug)]
pub struct Sink {
    target: Target,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    Temporary(NamedTempFile),
    Direct(File),
    Memory(Vec<u8>),
}

impl Sink {
    // Not through `NamedTempFile`, whose errors name the temporary file.
    fn stage(&mut self) -> &mut dyn Write {
        match &mut self.stage {
            Stage::Temporary(file) => file.as_file_mut(),
            Stage::Direct(file) => file,
            Stage::Memory(bytes) => bytes,
        }
    }

    /// A file that never reaches a disk: for programs that take its [bytes](Sink::into_bytes).
    #[must_use]
    pub fn memory() -> Self {
        Self {
            target: Target {
                path: PathBuf::new(),
                real: PathBuf::new(),
                replaceable: false,
            },
            stage: Stage::Memory(Vec::new()),
        }
    }

    /// What was written, if it is [in memory](Sink::memory).
    #[must_use]
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self.stage {
            Stage::Memory(bytes) => Some(bytes),
            Stage::Temporary(_) | Stage::Direct(_) => None,
        }
    }

    /// A file that is nobody's: it disappears when it is dropped.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn scratch() -> io::Result<Self> {
        let directory = std::env::temp_dir();
        let target = Target {
            path: directory.clone(),
            real: directory.join("kdisc-scratch"),
            replaceable: true,
        };
        Ok(Self {
            stage: Stage::Temporary(target.temporary()?),
            target,
        })
    }

    /// The SHA-256 of what was written.
    ///
    /// # Errors
    /// When it cannot be read again, as from a pipe.
    pub fn sha256(&self) -> io::Result<String> {
        if let Stage::Memory(bytes) = &self.stage {
            return sha256::of(bytes.as_slice());
        }
        let path = self.path().ok_or(io::ErrorKind::Unsupported)?;
        sha256::of(File::open(path)?)
    }

    /// Where the content is until it is committed: for libraries that write files by name.
    /// A device, a pipe or memory has no such place.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.stage {
            Stage::Temporary(file) => Some(file.path()),
            Stage::Direct(_) | Stage::Memory(_) => None,
        }
    }

    /// The path of the target, as given.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target.path
    }

    /// Writes over what is at a place, for formats that begin with what is known at the end.
    /// False if the target is a device or a pipe, whose start is gone.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn overwrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let Stage::Temporary(file) = &mut self.stage else {
            return Ok(false);
        };
        let file = file.as_file_mut();
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(true)
    }

    /// Makes what was written the content of the target.
    ///
    /// # Errors
    /// When the system refuses; the target is as before.
    pub fn commit(self) -> Result<(), OutputError> {
        let Target { path, real, .. } = self.target;
        let done = match self.stage {
            Stage::Direct(mut file) => file.flush(),
            Stage::Memory(_) => Ok(()),
            Stage::Temporary(file) => file
                .as_file()
                .sync_all()
                .and_then(|()| file.persist(&real).map_err(|error| error.error))
                .map(|_| sync_directory(&real)),
        };
        done.map_err(|source| OutputError::Write { path, source })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stage().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stage().flush()
    }
}

/// Makes the new name survive a power cut. Not every file system can; the content is safe anyway.
fn sync_directory(path: &Path) {
    if let Ok(directory) = File::open(directory_of(path)) {
        let _ = directory.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_dropped_sink_leaves_the_old_file_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut sink = Target::check(&path).unwrap().open().unwrap();
        sink.write_all(b"new").unwrap();
        drop(sink);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(directory.path()), ["out.csv"]);
    }

    #[test]
    fn a_committed_sink_replaces_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut sink = Target::check(&path).unwrap().open().unwrap();
        sink.write_all(b"new").unwrap();
        sink.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(directory.path()), ["out.csv"]);
    }

    #[test]
    fn checking_creates_nothing() {
        let directory = tempfile::tempdir().unwrap();
        Target::check(&directory.path().join("out.csv")).unwrap();
        assert!(names(directory.path()).is_empty());
        let missing = directory.path().join("no/out.csv");
        assert!(matches!(
            Target::check(&missing),
            Err(OutputError::NoDirectory { .. })
        ));
        assert!(matches!(
            Target::check(directory.path()),
            Err(OutputError::Directory(_))
        ));
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("real.csv");
        let link = directory.path().join("link.csv");
        fs::write(&path, "old").unwrap();
        // More than the usual umask leaves to a new file.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o662)).unwrap();
        symlink(&path, &link).unwrap();
        let mut sink = Target::check(&link).unwrap().open().unwrap();
        sink.write_all(b"new").unwrap();
        sink.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o662);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_no_file_yet_is_followed() {
        let directory = tempfile::tempdir().unwrap();
        let link = directory.path().join("link.csv");
        std::os::unix::fs::symlink("new.csv", &link).unwrap();
        let mut sink = Target::check(&link).unwrap().open().unwrap();
        sink.write_all(b"new").unwrap();
        sink.commit().unwrap();
        let new = fs::read_to_string(directory.path().join("new.csv"));
        assert_eq!(new.unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_not_replaced() {
        let target = Target::check(Path::new("/dev/null")).unwrap();
        let mut sink = target.open().unwrap();
        sink.write_all(b"gone").unwrap();
        sink.commit().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

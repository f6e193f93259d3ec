//! The content of a file, in memory.
//!
//! Copying a file out of the system's cache takes as long as reading numbers out of it does, so
//! that too is done by all threads, where the system can read at a position.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::Progress;
use crate::InputError;
use crate::unpack::{Limit, Packing, Unpacked};

/// How much is read between two looks at the progress.
const CHUNK: usize = 1 << 20;
/// The first bytes of a file, by which a packed one is known.
const HEAD: u64 = 4;

/// What was read.
#[derive(Debug)]
pub(super) struct Loaded {
    pub bytes: Vec<u8>,
    /// The SHA-256 of the file, if its content was packed.
    pub sha256: Option<String>,
}

/// Loads a file called `name`.
pub(super) fn load(path: &Path, name: &str, progress: Progress) -> Result<Loaded, InputError> {
    let failed = InputError::read(name);
    let file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    // A pipe has no size.
    let size = found.is_file().then_some(found.len() as usize);
    #[cfg(unix)]
    if let Some(size) = size {
        return together(&file, name, size, progress);
    }
    from(file, name, size, progress)
}

/// Takes bytes for the content of a file.
pub(super) fn from_bytes(bytes: Vec<u8>, name: &str) -> Result<Loaded, InputError> {
    match Packing::of(&bytes) {
        None => Ok(Loaded {
            bytes,
            sha256: None,
        }),
        Some(packing) => {
            let unpacked = packing.unpack(name, &bytes[..], Limit::default(), &|_| {})?;
            Ok(unpacked.into())
        }
    }
}

impl From<Unpacked> for Loaded {
    fn from(unpacked: Unpacked) -> Self {
        Self {
            bytes: unpacked.bytes,
            sha256: Some(unpacked.sha256),
        }
    }
}

/// Reads to the end, from the start.
fn from(
    mut source: impl Read,
    name: &str,
    size: Option<usize>,
    progress: Progress,
) -> Result<Loaded, InputError> {
    let failed = InputError::read(name);
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(size.unwrap_or(0))
        .map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
    let mut head = source.by_ref().take(HEAD);
    head.read_to_end(&mut bytes).map_err(failed)?;
    if let Some(packing) = Packing::of(&bytes) {
        let packed = bytes.chain(source);
        let told = |done| progress(done, size);
        let unpacked = packing.unpack(name, packed, Limit::default(), &told)?;
        return Ok(unpacked.into());
    }
    loop {
        let mut part = source.by_ref().take(CHUNK as u64);
        if part.read_to_end(&mut bytes).map_err(failed)? == 0 {
            break;
        }
        progress(bytes.len(), size);
    }
    Ok(Loaded {
        bytes,
        sha256: None,
    })
}

/// Reads a file of `size` bytes with all threads.
#[cfg(unix)]
fn together(
    file: &File,
    name: &str,
    size: usize,
    progress: Progress,
) -> Result<Loaded, InputError> {
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use rayon::prelude::*;

    let mut head = [0; HEAD as usize];
    if size < 2 * CHUNK || file.read_exact_at(&mut head, 0).is_err() || Packing::of(&head).is_some()
    {
        return from(file, name, Some(size), progress);
    }
    // Zeroed memory costs nothing until it is used, but cannot be asked for with an answer of no.
    let room = Vec::<u8>::new().try_reserve_exact(size);
    room.map_err(|_| InputError::read(name)(io::ErrorKind::OutOfMemory.into()))?;
    let mut bytes = vec![0; size];
    let done = AtomicUsize::new(0);
    let parts = bytes.par_chunks_mut(CHUNK).enumerate();
    let read = parts.try_for_each(|(index, part)| {
        file.read_exact_at(part, (index * CHUNK) as u64)?;
        let before = done.fetch_add(part.len(), Ordering::Relaxed);
        progress(before + part.len(), Some(size));
        Ok::<_, io::Error>(())
    });
    let same = file.metadata().is_ok_and(|now| now.len() == size as u64);
    if read.is_ok() && same {
        return Ok(Loaded {
            bytes,
            sha256: None,
        });
    }
    // It is being written to, or cannot be read: reading from the start tells what there is.
    drop(bytes);
    from(file, name, Some(size), progress)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_large_file_is_read_to_the_byte() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.csv");
        let content: Vec<u8> = (0..3 * CHUNK + 17).map(|i| (i * 31 % 251) as u8).collect();
        fs::write(&path, &content).unwrap();
        let told = AtomicUsize::new(0);
        let loaded = load(&path, "large.csv", &|done, total| {
            assert_eq!(total, Some(3 * CHUNK + 17));
            told.fetch_max(done, Ordering::Relaxed);
        });
        assert!(loaded.unwrap().bytes == content);
        assert_eq!(told.into_inner(), content.len());
    }

    #[test]
    fn a_size_beyond_all_memory_is_an_error() {
        let error = from(io::empty(), "large.csv", Some(usize::MAX), &|_, _| {}).unwrap_err();
        assert!(
            matches!(&error, InputError::Read { source, .. } if source.kind() == io::ErrorKind::OutOfMemory),
            "{error}"
        );
    }
}

//! The files of a Shapefile: beside each other, or together in a zip file.
//!
//! What is in a zip file is unpacked into memory, never to disk: the content is confidential. A
//! zip file can be a bomb, so no more is unpacked than a Shapefile of honest size takes.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::FORMAT;
use crate::InputError;
use crate::content::Content;
use crate::nearest::{nearest, plain};

/// What a Shapefile in a zip file may take, unpacked.
const LARGEST: u64 = 1 << 30;
/// What it may take however well it is packed.
const SMALL: u64 = 1 << 26;
/// Zeros are packed a thousandfold; what is worth reading, not nearly.
const DENSEST: u64 = 200;

/// The parts of one Shapefile.
pub(super) struct Parts {
    pub name: String,
    pub shp: Content,
    pub dbf: Content,
    pub shx: Option<Content>,
    pub prj: Option<Content>,
    pub cpg: Option<Content>,
}

/// The names of the layers: one for a `.shp`, each Shapefile's for a zip file.
///
/// # Errors
/// When it cannot be read or holds none.
pub fn layers(path: &Path) -> Result<Vec<String>, InputError> {
    let file = path.display().to_string();
    match archive(path, &file)? {
        Some(archive) => Ok(shapefiles(&archive)
            .into_iter()
            .map(|(name, _)| name)
            .collect()),
        None => Ok(vec![stem(path)]),
    }
}

/// Finds the parts of the layer asked for, or of the only one.
pub(super) fn find(path: &Path, file: &str, layer: Option<&str>) -> Result<Parts, InputError> {
    let Some(mut archive) = archive(path, file)? else {
        let name = stem(path);
        choose(vec![(name, String::new())], file, layer)?;
        return beside(path, file);
    };
    let (name, entry) = choose(shapefiles(&archive), file, layer)?;
    let mut left = LARGEST;
    let mut part = |extension: &str| {
        let wanted = with_extension(&entry, extension);
        let names = names(&archive);
        // Another spelling only if there is not the same one.
        let same = names.iter().position(|found| *found == wanted);
        let like = |found: &String| found.eq_ignore_ascii_case(&wanted);
        match same.or_else(|| names.iter().position(like)) {
            None => Ok(None),
            Some(at) => unpack(&mut archive, file, &names[at], &mut left).map(Some),
        }
    };
    let needed = |found: Option<Content>, extension| {
        found.ok_or_else(|| InputError::MissingPart {
            file: file.to_owned(),
            part: with_extension(&entry, extension),
        })
    };
    Ok(Parts {
        name,
        dbf: needed(part("dbf")?, "dbf")?,
        shp: needed(part("shp")?, "shp")?,
        shx: part("shx")?,
        prj: part("prj")?,
        cpg: part("cpg")?,
    })
}

fn archive(path: &Path, file: &str) -> Result<Option<ZipArchive<BufReader<File>>>, InputError> {
    let read = InputError::read(file);
    let mut opened = File::open(path).map_err(read)?;
    let mut magic = Vec::new();
    let taken = opened.by_ref().take(2).read_to_end(&mut magic);
    taken.and_then(|_| opened.rewind()).map_err(read)?;
    if magic != b"PK" {
        return Ok(None);
    }
    let archive = ZipArchive::new(BufReader::new(opened));
    archive.map(Some).map_err(|error| of_zip(file, "it", error))
}

/// What is in a zip file, except what has no readable name.
fn names<R: Read + Seek>(archive: &ZipArchive<R>) -> Vec<String> {
    let names = archive.file_names().flatten();
    names.map(Cow::into_owned).collect()
}

/// Shapefiles in a zip file: what they are called, and where they are.
fn shapefiles<R: Read + Seek>(archive: &ZipArchive<R>) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for entry in names(archive) {
        let (folders, name) = entry.rsplit_once('/').unwrap_or(("", &entry));
        // macOS adds files of its own.
        if folders.starts_with("__MACOSX") || name.starts_with("._") {
            continue;
        }
        if let Some((stem, extension)) = name.rsplit_once('.')
            && extension.eq_ignore_ascii_case("shp")
        {
            let same = found.iter().any(|(other, _)| other == stem);
            let name = if same {
                &entry[..entry.len() - 4]
            } else {
                stem
            };
            found.push((name.to_owned(), entry));
        }
    }
    found.sort();
    found
}

fn choose(
    mut found: Vec<(String, String)>,
    file: &str,
    asked: Option<&str>,
) -> Result<(String, String), InputError> {
    let layers: Vec<_> = found.iter().map(|(name, _)| name.clone()).collect();
    let file = file.to_owned();
    match asked {
        _ if found.is_empty() => Err(InputError::NotThat {
            file,
            expected: FORMAT,
            found: "it is a zip file without any .shp".to_owned(),
        }),
        Some(asked) => match found.iter().position(|(name, _)| name == asked) {
            Some(at) => Ok(found.swap_remove(at)),
            None => Err(InputError::MissingLayer {
                file,
                layer: asked.to_owned(),
                nearest: nearest(asked, &layers, plain),
                layers,
            }),
        },
        None if found.len() > 1 => Err(InputError::SeveralLayers { file, layers }),
        None => Ok(found.swap_remove(0)),
    }
}

fn unpack<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    file: &str,
    name: &str,
    left: &mut u64,
) -> Result<Content, InputError> {
    let entry = archive
        .by_name(name)
        .map_err(|error| of_zip(file, name, error))?;
    let bomb = |size: &str| {
        InputError::unsupported(
            file,
            format!(
                "{name} in it takes {size} bytes unpacked, more than kdisc unpacks into memory"
            ),
        )
    };
    let packed = entry.compressed_size();
    let most = SMALL.max(packed.saturating_mul(DENSEST)).min(*left);
    if entry.size() > most {
        return Err(bomb(&entry.size().to_string()));
    }
    // What it says of its size need not be true.
    let mut bytes = Vec::new();
    let mut entry = entry.take(most + 1);
    let taken = entry.read_to_end(&mut bytes);
    taken.map_err(|error| InputError::broken(file, "a zip file", format!("{name}: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(bomb(&format!("more than {most}")));
    }
    *left -= bytes.len() as u64;
    Ok(Content::Memory(bytes.into()))
}

fn of_zip(file: &str, name: &str, error: ZipError) -> InputError {
    let file = file.to_owned();
    match error {
        ZipError::Io(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
            InputError::Read { file, source }
        }
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => InputError::Unsupported {
            file,
            what: format!("{name} is encrypted"),
        },
        ZipError::UnsupportedArchive(why) => InputError::Unsupported {
            file,
            what: format!("{name}: {why}"),
        },
        other => InputError::Broken {
            file,
            format: "a zip file",
            problem: other.to_string(),
        },
    }
}

fn beside(path: &Path, file: &str) -> Result<Parts, InputError> {
    let part = |extension: &str| sibling(path, extension).map(Content::File);
    let dbf = part("dbf").ok_or_else(|| InputError::MissingPart {
        file: file.to_owned(),
        part: path.with_extension("dbf").display().to_string(),
    })?;
    Ok(Parts {
        name: stem(path),
        shp: Content::File(path.to_owned()),
        dbf,
        shx: part("shx"),
        prj: part("prj"),
        cpg: part("cpg"),
    })
}

/// The file beside it with this extension, in whatever case.
fn sibling(path: &Path, extension: &str) -> Option<PathBuf> {
    let upper = extension.to_ascii_uppercase();
    let usual = [extension, &upper].map(|extension| path.with_extension(extension));
    if let Some(found) = usual.into_iter().find(|path| path.is_file()) {
        return Some(found);
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path());
    let mut alike: Vec<_> = entries
        .filter(|found| found.file_stem() == path.file_stem() && found.is_file())
        .filter(|found| {
            found
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case(extension))
        })
        .collect();
    alike.sort();
    alike.into_iter().next()
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The same path within a zip file, with another extension.
fn with_extension(entry: &str, extension: &str) -> String {
    let (stem, _) = entry.rsplit_once('.').unwrap_or((entry, ""));
    format!("{stem}.{extension}")
}

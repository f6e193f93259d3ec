//! The bytes of an input: a file, or what came in on standard input.
//!
//! Readers pass over their input more than once: first for its shape, then for its rows. A stream
//! cannot be read again, so it is taken into memory first; a file stays where it is.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

/// How much is read from a file at a time.
const BUFFER: usize = 1 << 17;

/// Something to read from, at any place.
pub trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// Bytes that can be read from the start as often as one likes.
#[derive(Debug, Clone)]
pub enum Content {
    /// A file.
    File(PathBuf),
    /// What is in memory.
    Memory(Arc<[u8]>),
}

impl Content {
    /// Begins to read, buffered.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn reader(&self) -> io::Result<Box<dyn ReadSeek>> {
        Ok(match self {
            Self::File(path) => Box::new(BufReader::with_capacity(BUFFER, File::open(path)?)),
            Self::Memory(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }

    /// The number of bytes.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn len(&self) -> io::Result<u64> {
        match self {
            Self::File(path) => fs::metadata(path).map(|found| found.len()),
            Self::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// Whether there is nothing in it.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn is_empty(&self) -> io::Result<bool> {
        self.len().map(|bytes| bytes == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_memory_read_alike_and_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("in");
        fs::write(&path, "twice").unwrap();
        for content in [
            Content::File(path),
            Content::Memory(b"twice".as_slice().into()),
        ] {
            assert_eq!(content.len().unwrap(), 5);
            assert!(!content.is_empty().unwrap());
            for _ in 0..2 {
                let mut text = String::new();
                content.reader().unwrap().read_to_string(&mut text).unwrap();
                assert_eq!(text, "twice");
            }
        }
    }
}

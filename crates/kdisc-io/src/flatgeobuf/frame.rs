//! The pieces of a file: its beginning, the header, the index, and one feature after another.

use std::io::{self, Read};

use super::header::Header;
use super::table::Wrong;
use super::{FORMAT, MAGIC};
use crate::InputError;
use crate::content::Content;

/// Bytes of a header and of a feature, at most; a column holds no more in one batch.
const LONGEST_HEADER: usize = 1 << 24;
const LONGEST: usize = 1 << 30;

/// A file that is read feature by feature.
pub(super) struct Frames {
    reader: Box<dyn Read + Send>,
    file: String,
    pub header: Header,
    /// The feature that was read last.
    pub feature: Vec<u8>,
    /// Features that were read.
    pub read: u64,
}

impl Frames {
    /// Reads up to the first feature.
    pub fn open(content: &Content, file: &str) -> Result<Self, InputError> {
        let read = InputError::read(file);
        let broken = |problem: &str| broken(file, problem);
        let length = content.len().map_err(read)?;
        if length == 0 {
            return Err(InputError::Empty {
                file: file.to_owned(),
            });
        }
        let mut reader = content.reader().map_err(read)?;
        let mut start = Vec::new();
        (&mut reader)
            .take(8)
            .read_to_end(&mut start)
            .map_err(read)?;
        let version = start.get(3).copied();
        if start.len() < 8 || start[..3] != MAGIC[..3] || start[4..7] != MAGIC[4..7] {
            return Err(InputError::NotThat {
                file: file.to_owned(),
                expected: FORMAT,
                found: "it does not begin with \"fgb\"".to_owned(),
            });
        }
        if version > Some(MAGIC[3]) {
            return Err(InputError::unsupported(
                file,
                format!("FlatGeobuf of version {}", version.unwrap_or_default()),
            ));
        }
        let mut header = Vec::new();
        if !piece(&mut reader, &mut header, LONGEST_HEADER).map_err(|error| match error {
            Piece::Io(source) => read(source),
            Piece::Wrong(wrong) => broken(&format!("the header: {wrong}")),
        })? {
            return Err(broken("it ends before the header"));
        }
        let left = length.saturating_sub(12 + header.len() as u64);
        let header =
            Header::read(&header).map_err(|wrong| broken(&format!("the header: {wrong}")))?;
        let index = header.index(left).map_err(broken)?;
        let skipped = io::copy(&mut (&mut reader).take(index), &mut io::sink()).map_err(read)?;
        if skipped < index {
            return Err(broken("it ends within the index"));
        }
        Ok(Self {
            reader,
            file: file.to_owned(),
            header,
            feature: Vec::new(),
            read: 0,
        })
    }

    /// Reads the next feature; false at the end.
    pub fn advance(&mut self) -> Result<bool, InputError> {
        if self.header.features == Some(self.read) {
            return Ok(false);
        }
        match piece(&mut self.reader, &mut self.feature, LONGEST) {
            Ok(true) => {
                self.read += 1;
                Ok(true)
            }
            Ok(false) => match self.header.features {
                None => Ok(false),
                Some(count) => Err(broken(
                    &self.file,
                    &format!("it ends after {} of {count} features", self.read),
                )),
            },
            Err(Piece::Io(source)) => Err(InputError::read(&self.file)(source)),
            Err(Piece::Wrong(wrong)) => {
                let row = self.read + 1;
                Err(broken(&self.file, &format!("feature {row}: {wrong}")))
            }
        }
    }

    /// What is wrong with the feature that was read last.
    pub fn wrong(&self, problem: &str) -> InputError {
        broken(&self.file, &format!("feature {}: {problem}", self.read))
    }
}

pub(super) fn broken(file: &str, problem: &str) -> InputError {
    InputError::broken(file, FORMAT, problem.to_owned())
}

enum Piece {
    Io(io::Error),
    Wrong(Wrong),
}

/// Reads a size, and that many bytes; false if the file ends before the size.
fn piece(reader: &mut impl Read, bytes: &mut Vec<u8>, longest: usize) -> Result<bool, Piece> {
    const SHORT: Wrong = "it ends too early";
    bytes.clear();
    let mut part = reader.take(4);
    match part.read_to_end(bytes).map_err(Piece::Io)? {
        0 => return Ok(false),
        4 => {}
        _ => return Err(Piece::Wrong(SHORT)),
    }
    let size = bytes
        .first_chunk()
        .map_or(0, |size| u32::from_le_bytes(*size) as usize);
    if size > longest {
        return Err(Piece::Wrong("it is said to be longer than any can be"));
    }
    // The size is not believed: memory grows with what is there.
    bytes.clear();
    let read = reader
        .take(size as u64)
        .read_to_end(bytes)
        .map_err(Piece::Io)?;
    if read < size {
        return Err(Piece::Wrong(SHORT));
    }
    Ok(true)
}

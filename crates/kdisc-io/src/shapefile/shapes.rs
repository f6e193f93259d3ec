//! The records of a `.shp`: which bytes belong to which row.
//!
//! The index (`.shx`) says where each shape is: programs that edit a Shapefile put a shape that
//! has grown at the end, out of order. Without it the shapes are as they lie.

use std::io::{self, Read, Seek, SeekFrom};

use crate::content::{Content, ReadSeek};

/// The header of `.shp` and `.shx`.
pub(super) const HEAD: u64 = 100;
/// No shape is larger than this.
const LARGEST: u64 = 1 << 28;

/// The shapes, one after another.
pub(super) struct Shapes {
    from: Box<dyn ReadSeek>,
    size: u64,
    at: u64,
    index: Option<Box<dyn ReadSeek>>,
    content: Vec<u8>,
}

impl Shapes {
    /// The shapes of a `.shp`, by the index if there is one.
    pub fn new(shp: &Content, shx: Option<&Content>) -> io::Result<Self> {
        let (from, size) = (shp.reader()?, shp.len()?);
        let index = match shx {
            None => None,
            Some(part) => {
                let mut index = part.reader()?;
                index.seek(SeekFrom::Start(HEAD))?;
                Some(index)
            }
        };
        let mut shapes = Self {
            from,
            size,
            at: 0,
            index,
            content: Vec::new(),
        };
        shapes.go(HEAD)?;
        Ok(shapes)
    }

    /// That of the shape last read.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    fn go(&mut self, to: u64) -> io::Result<()> {
        if self.at != to {
            self.from.seek(SeekFrom::Start(to))?;
            self.at = to;
        }
        Ok(())
    }

    /// Whether all were read, as far as that can be told.
    pub fn is_over(&self) -> bool {
        self.index.is_some() || self.at >= self.size
    }

    /// Reads the content of the next shape.
    pub fn advance(&mut self) -> io::Result<Result<(), String>> {
        if let Some(index) = &mut self.index {
            let mut place = [0; 8];
            index.read_exact(&mut place)?;
            let [a, b, c, d, ..] = place;
            self.go(2 * u64::from(u32::from_be_bytes([a, b, c, d])))?;
        }
        let left = self.size.saturating_sub(self.at);
        if left < 8 {
            return Ok(Err("the .shp ends before it".to_owned()));
        }
        let mut head = [0; 8];
        self.from.read_exact(&mut head)?;
        let [_, _, _, _, a, b, c, d] = head;
        let length = 2 * u64::from(u32::from_be_bytes([a, b, c, d]));
        self.at += 8;
        if length > left - 8 {
            return Ok(Err(format!(
                "it has {length} bytes, where the .shp has {} left",
                left - 8
            )));
        }
        if length > LARGEST {
            return Ok(Err(format!(
                "it has {length} bytes; kdisc reads at most {LARGEST}"
            )));
        }
        self.content.resize(length as usize, 0);
        self.from.read_exact(&mut self.content)?;
        self.at += length;
        Ok(Ok(()))
    }
}

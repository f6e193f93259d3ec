//! The head of a TIFF: its header, its one directory, and what does not fit into that.

use std::collections::BTreeMap;

/// Where the strips are, and how long.
const STRIP_OFFSETS: u16 = 273;
const STRIP_SIZES: u16 = 279;

/// The value of a tag.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// Text; a zero ends it.
    Ascii(String),
    Short(Vec<u16>),
    Long(Vec<u32>),
    /// Only in `BigTIFF`.
    Long8(Vec<u64>),
    Double(Vec<f64>),
}

impl Value {
    fn type_code(&self) -> u16 {
        match self {
            Self::Ascii(_) => 2,
            Self::Short(_) => 3,
            Self::Long(_) => 4,
            Self::Double(_) => 12,
            Self::Long8(_) => 16,
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Ascii(text) => text.len() + 1,
            Self::Short(numbers) => numbers.len(),
            Self::Long(numbers) => numbers.len(),
            Self::Long8(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Ascii(text) => text.bytes().chain([0]).collect(),
            Self::Short(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Long(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Long8(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Double(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }
}

/// Tags in their order.
#[derive(Debug, Default)]
pub(super) struct Directory(BTreeMap<u16, Value>);

impl Directory {
    pub fn set(&mut self, tag: u16, value: Value) {
        self.0.insert(tag, value);
    }

    /// All bytes before the strips, which follow each other and are so long. None if no file can be
    /// as long as that.
    pub fn bytes(mut self, sizes: &[u64]) -> Option<Vec<u8>> {
        let strips = sizes
            .iter()
            .try_fold(0u64, |sum, &size| sum.checked_add(size))?;
        // Their places depend on how long the head is, but its length does not depend on them.
        let length = self.head(sizes, 0, false)?.len() as u64;
        let last = length.checked_add(strips)?;
        if u32::try_from(last).is_ok() {
            return self.head(sizes, length, false);
        }
        let length = self.head(sizes, 0, true)?.len() as u64;
        self.head(sizes, length, true)
    }

    fn head(&mut self, sizes: &[u64], mut at: u64, big: bool) -> Option<Vec<u8>> {
        let mut offsets = Vec::with_capacity(sizes.len());
        for size in sizes {
            offsets.push(at);
            at = at.checked_add(*size)?;
        }
        for (tag, numbers) in [(STRIP_OFFSETS, offsets), (STRIP_SIZES, sizes.to_vec())] {
            let value = if big {
                Value::Long8(numbers)
            } else {
                // Where this cuts, the file is too long for it, and the result is not used.
                Value::Long(numbers.into_iter().map(|number| number as u32).collect())
            };
            self.set(tag, value);
        }
        Some(self.layout(big))
    }

    fn layout(&self, big: bool) -> Vec<u8> {
        let (field, start) = if big { (8, 16) } else { (4, 8) };
        let (count, entry) = if big { (8, 20) } else { (2, 12) };
        let end = start + count + self.0.len() * entry + field;
        let mut head = Vec::with_capacity(end);
        let put = |to: &mut Vec<u8>, number: usize, width: usize| {
            to.extend_from_slice(&(number as u64).to_le_bytes()[..width]);
        };
        head.extend_from_slice(b"II");
        put(&mut head, if big { 43 } else { 42 }, 2);
        if big {
            // Offsets have eight bytes.
            put(&mut head, 8, 2);
            put(&mut head, 0, 2);
        }
        put(&mut head, start, field);
        put(&mut head, self.0.len(), count);
        let mut beyond = Vec::new();
        for (&tag, value) in &self.0 {
            put(&mut head, tag.into(), 2);
            put(&mut head, value.type_code().into(), 2);
            put(&mut head, value.count(), field);
            let mut bytes = value.bytes();
            if bytes.len() <= field {
                bytes.resize(field, 0);
                head.extend_from_slice(&bytes);
            } else {
                put(&mut head, end + beyond.len(), field);
                beyond.extend_from_slice(&bytes);
                // Values begin at even places.
                beyond.resize(beyond.len().next_multiple_of(8), 0);
            }
        }
        // There is no other directory.
        put(&mut head, 0, field);
        head.extend_from_slice(&beyond);
        head
    }
}

//! `FlatBuffers`, written front to back: a table, then what its fields point to.

/// A field of a table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    /// Not there.
    None,
    Byte(u8),
    Short(u16),
    Int(i32),
    Long(u64),
    /// Text, a vector or a table that is yet to be written.
    Elsewhere,
}

impl Slot {
    fn size(self) -> usize {
        match self {
            Self::None => 0,
            Self::Byte(_) => 1,
            Self::Short(_) => 2,
            Self::Int(_) | Self::Elsewhere => 4,
            Self::Long(_) => 8,
        }
    }
}

/// Bytes being put together, with room for their size at the front.
#[derive(Debug, Default)]
pub(super) struct Build {
    bytes: Vec<u8>,
}

/// The size, and where the outermost table is.
const FRONT: usize = 8;

impl Build {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.resize(FRONT, 0);
    }

    /// Adds a table; gives its place and those of its fields.
    pub fn table(&mut self, slots: &[Slot]) -> (usize, Vec<usize>) {
        let places = self.bytes.len();
        self.bytes.resize(places + 4 + 2 * slots.len(), 0);
        self.align(8, 0);
        let table = self.bytes.len();
        self.bytes
            .extend_from_slice(&((table - places) as u32).to_le_bytes());
        let mut fields = vec![0; slots.len()];
        for size in [8, 4, 2, 1] {
            for (i, slot) in slots.iter().enumerate() {
                if slot.size() != size {
                    continue;
                }
                self.align(size, 0);
                let at = self.bytes.len();
                match *slot {
                    Slot::None => {}
                    Slot::Byte(value) => self.bytes.push(value),
                    Slot::Short(value) => self.bytes.extend_from_slice(&value.to_le_bytes()),
                    Slot::Int(value) => self.bytes.extend_from_slice(&value.to_le_bytes()),
                    Slot::Long(value) => self.bytes.extend_from_slice(&value.to_le_bytes()),
                    Slot::Elsewhere => self.bytes.extend_from_slice(&[0; 4]),
                }
                fields[i] = at;
                let place = places + 4 + 2 * i;
                self.put(place, &((at - table) as u16).to_le_bytes());
            }
        }
        let size = (self.bytes.len() - table) as u16;
        self.put(places, &((4 + 2 * slots.len()) as u16).to_le_bytes());
        self.put(places + 2, &size.to_le_bytes());
        (table, fields)
    }

    /// Makes the field at `from` point to `place`.
    pub fn link(&mut self, from: usize, place: usize) {
        self.put(from, &((place - from) as u32).to_le_bytes());
    }

    /// Adds a text for the field at `from`.
    pub fn text(&mut self, from: usize, text: &str) {
        self.octets(from, text.as_bytes());
        self.bytes.push(0);
    }

    /// Adds bytes for the field at `from`.
    pub fn octets(&mut self, from: usize, bytes: &[u8]) {
        self.begin(from, bytes.len(), 4);
        self.bytes.extend_from_slice(bytes);
    }

    pub fn doubles(&mut self, from: usize, numbers: impl Iterator<Item = f64>) {
        let length = self.begin(from, 0, 8);
        let mut count = 0_u32;
        for number in numbers {
            self.bytes.extend_from_slice(&number.to_le_bytes());
            count += 1;
        }
        self.put(length, &count.to_le_bytes());
    }

    /// Adds a vector without elements and room for four doubles; gives the place of its length.
    pub fn room(&mut self, from: usize) -> usize {
        let place = self.begin(from, 0, 8);
        self.bytes.resize(place + 4 + 32, 0);
        place
    }

    pub fn wholes(&mut self, from: usize, numbers: impl Iterator<Item = u32>) {
        let length = self.begin(from, 0, 4);
        let mut count = 0_u32;
        for number in numbers {
            self.bytes.extend_from_slice(&number.to_le_bytes());
            count += 1;
        }
        self.put(length, &count.to_le_bytes());
    }

    /// Adds a vector of fields that are yet to point to something; gives the place of the first.
    pub fn offsets(&mut self, from: usize, count: usize) -> usize {
        self.begin(from, count, 4);
        let first = self.bytes.len();
        self.bytes.resize(first + 4 * count, 0);
        first
    }

    /// Begins a vector, whose elements are aligned; gives the place of its length.
    fn begin(&mut self, from: usize, length: usize, size: usize) -> usize {
        self.align(size, 4);
        let place = self.bytes.len();
        self.link(from, place);
        self.bytes.extend_from_slice(&(length as u32).to_le_bytes());
        place
    }

    /// Makes the place `ahead` bytes from here a multiple of `size`.
    fn align(&mut self, size: usize, ahead: usize) {
        let end = (self.bytes.len() + ahead).next_multiple_of(size) - ahead;
        self.bytes.resize(end, 0);
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// All bytes, with `table` as the outermost one.
    pub fn finish(&mut self, table: usize) -> &[u8] {
        self.align(8, 0);
        self.link(4, table);
        let size = (self.bytes.len() - 4) as u32;
        self.put(0, &size.to_le_bytes());
        &self.bytes
    }
}

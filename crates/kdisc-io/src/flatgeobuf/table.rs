//! `FlatBuffers`, read from bytes of which any may be wrong.
//!
//! A table is a list of fields. Before it, or after, is another list that says where in the table
//! each field is, if it is there at all. Text, vectors and other tables are elsewhere, and their
//! field tells how far on. Everything is little-endian.

/// What is wrong with the bytes.
pub(super) type Wrong = &'static str;

const OUTSIDE: Wrong = "something is said to be outside of the table it belongs to";

/// The bytes of a number, wherever they are.
pub(super) fn fixed<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Wrong> {
    let rest = bytes.get(at..).ok_or(OUTSIDE)?;
    rest.first_chunk().copied().ok_or(OUTSIDE)
}

fn whole(bytes: &[u8], at: usize) -> Result<usize, Wrong> {
    fixed(bytes, at).map(|found| u32::from_le_bytes(found) as usize)
}

/// A table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Where the fields are.
    places: &'a [u8],
}

/// Elements of one size, one after another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vector<'a> {
    pub bytes: &'a [u8],
}

impl<'a> Table<'a> {
    /// The outermost table.
    pub fn root(bytes: &'a [u8]) -> Result<Self, Wrong> {
        Self::new(bytes, whole(bytes, 0)?)
    }

    fn new(bytes: &'a [u8], at: usize) -> Result<Self, Wrong> {
        let back = i32::from_le_bytes(fixed(bytes, at)?);
        let distance = back.unsigned_abs() as usize;
        let places = if back < 0 {
            at.checked_add(distance)
        } else {
            at.checked_sub(distance)
        };
        let places = places.ok_or(OUTSIDE)?;
        let size = usize::from(u16::from_le_bytes(fixed(bytes, places)?));
        let end = places.checked_add(size).ok_or(OUTSIDE)?;
        let places = bytes.get(places..end).ok_or(OUTSIDE)?;
        Ok(Self { bytes, at, places })
    }

    fn place(&self, field: usize) -> Option<usize> {
        // After its own size and that of the table.
        let place = fixed(self.places, 4 + 2 * field).ok()?;
        match u16::from_le_bytes(place) {
            0 => None,
            place => Some(self.at + usize::from(place)),
        }
    }

    /// The bytes of a field, if it is there.
    pub fn fixed<const N: usize>(&self, field: usize) -> Result<Option<[u8; N]>, Wrong> {
        let place = self.place(field);
        place.map(|place| fixed(self.bytes, place)).transpose()
    }

    pub fn byte(&self, field: usize) -> Result<u8, Wrong> {
        Ok(self.fixed::<1>(field)?.map_or(0, |[byte]| byte))
    }

    fn elsewhere(&self, field: usize) -> Result<Option<usize>, Wrong> {
        let Some(place) = self.place(field) else {
            return Ok(None);
        };
        let target = place.checked_add(whole(self.bytes, place)?);
        target.map(Some).ok_or(OUTSIDE)
    }

    pub fn table(&self, field: usize) -> Result<Option<Self>, Wrong> {
        let place = self.elsewhere(field)?;
        place.map(|place| Self::new(self.bytes, place)).transpose()
    }

    /// A vector of elements of `size` bytes.
    pub fn vector(&self, field: usize, size: usize) -> Result<Option<Vector<'a>>, Wrong> {
        let Some(place) = self.elsewhere(field)? else {
            return Ok(None);
        };
        let length = whole(self.bytes, place)?.checked_mul(size).ok_or(OUTSIDE)?;
        let start = place.checked_add(4).ok_or(OUTSIDE)?;
        let end = start.checked_add(length).ok_or(OUTSIDE)?;
        let bytes = self.bytes.get(start..end).ok_or(OUTSIDE)?;
        Ok(Some(Vector { bytes }))
    }

    pub fn text(&self, field: usize) -> Result<Option<&'a str>, Wrong> {
        let bytes = self.vector(field, 1)?;
        let text = bytes.map(|found| std::str::from_utf8(found.bytes));
        text.transpose().map_err(|_| "a text is not UTF-8")
    }

    /// The tables of a vector.
    pub fn tables(
        &self,
        field: usize,
    ) -> Result<impl ExactSizeIterator<Item = Result<Self, Wrong>> + use<'a>, Wrong> {
        let vector = self.vector(field, 4)?.map_or(&[][..], |found| found.bytes);
        let start = self.elsewhere(field)?.map_or(0, |place| place + 4);
        let bytes = self.bytes;
        let offsets = vector.chunks_exact(4).enumerate();
        Ok(offsets.map(move |(i, _)| {
            let place = start + 4 * i;
            let target = place.checked_add(whole(bytes, place)?).ok_or(OUTSIDE)?;
            Self::new(bytes, target)
        }))
    }
}

impl<'a> Vector<'a> {
    pub fn doubles(self) -> impl ExactSizeIterator<Item = f64> + use<'a> {
        let chunks = self.bytes.chunks_exact(8);
        chunks.map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap_or_default()))
    }

    pub fn wholes(self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let chunks = self.bytes.chunks_exact(4);
        chunks.map(|chunk| u32::from_le_bytes(chunk.try_into().unwrap_or_default()))
    }
}

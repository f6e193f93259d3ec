//! The bytes before the WKB of a geometry: magic, version, flags, coordinate system, envelope.

use thiserror::Error;

const MAGIC: &[u8] = b"GP";
const LITTLE_ENDIAN: u8 = 1;
const EMPTY: u8 = 1 << 4;
const EXTENDED: u8 = 1 << 5;

/// Why bytes are no geometry of a `GeoPackage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BlobError {
    /// It begins otherwise.
    #[error("the geometry does not begin with GP")]
    Magic,
    /// It ends too early.
    #[error("the geometry ends within its header")]
    Short,
    /// It has this other version.
    #[error("the geometry has version {0} of the header, where only 0 is known")]
    Version(u8),
    /// These flags make no sense.
    #[error("the geometry's flags {0:#010b} name an unknown envelope")]
    Envelope(u8),
    /// It is none of the standard's types.
    #[error("the geometry is of a type of some extension's own")]
    Extended,
}

/// The WKB of a geometry; `None` if it is empty.
///
/// # Errors
/// When the bytes are no geometry of a `GeoPackage`.
pub fn wkb(blob: &[u8]) -> Result<Option<&[u8]>, BlobError> {
    let rest = blob.strip_prefix(MAGIC).ok_or(BlobError::Magic)?;
    let &[version, flags, _, _, _, _, ref rest @ ..] = rest else {
        return Err(BlobError::Short);
    };
    if version != 0 {
        return Err(BlobError::Version(version));
    }
    if flags & EXTENDED != 0 {
        return Err(BlobError::Extended);
    }
    let envelope = match (flags >> 1) & 7 {
        0 => 0,
        1 => 32,
        2 | 3 => 48,
        4 => 64,
        _ => return Err(BlobError::Envelope(flags)),
    };
    let wkb = rest.get(envelope..).ok_or(BlobError::Short)?;
    if wkb.is_empty() {
        return Err(BlobError::Short);
    }
    Ok((flags & EMPTY == 0).then_some(wkb))
}

/// Puts a geometry in the place of what is in `blob`. The smallest box round it is told unless it
/// is a point, which needs none; without a box it is empty.
pub fn fill(blob: &mut Vec<u8>, wkb: &[u8], system: i32, bounds: Option<[f64; 4]>) {
    let told = bounds.filter(|[left, right, low, high]| left != right || low != high);
    let empty = if bounds.is_none() { EMPTY } else { 0 };
    let envelope = u8::from(told.is_some()) << 1;
    blob.clear();
    blob.extend_from_slice(MAGIC);
    blob.extend_from_slice(&[0, LITTLE_ENDIAN | envelope | empty]);
    blob.extend_from_slice(&system.to_le_bytes());
    for side in told.iter().flatten() {
        blob.extend_from_slice(&side.to_le_bytes());
    }
    blob.extend_from_slice(wkb);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out() {
        let mut blob = b"old".to_vec();
        for bounds in [[1.0, 1.0, 2.0, 2.0], [1.0, 3.0, 2.0, 4.0]] {
            fill(&mut blob, b"geometry", 28992, Some(bounds));
            assert_eq!(wkb(&blob), Ok(Some(&b"geometry"[..])));
        }
        fill(&mut blob, b"geometry", 28992, None);
        assert_eq!(wkb(&blob), Ok(None));
    }

    #[test]
    fn every_envelope_is_passed_over() {
        for (kind, size) in [(0, 0), (1, 32), (2, 48), (3, 48), (4, 64)] {
            let mut blob = vec![b'G', b'P', 0, 1 | kind << 1, 0, 0, 0, 0];
            blob.resize(8 + size, 7);
            assert_eq!(wkb(&blob), Err(BlobError::Short));
            blob.push(9);
            assert_eq!(wkb(&blob), Ok(Some(&[9][..])));
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let cases: [(&[u8], BlobError); 6] = [
            (b"", BlobError::Magic),
            (b"GQ\0\x01\0\0\0\0w", BlobError::Magic),
            (b"GP\0\x01\0\0\0", BlobError::Short),
            (b"GP\x01\x01\0\0\0\0w", BlobError::Version(1)),
            (b"GP\0\x0b\0\0\0\0w", BlobError::Envelope(0x0b)),
            (b"GP\0\x21\0\0\0\0w", BlobError::Extended),
        ];
        for (blob, error) in cases {
            assert_eq!(wkb(blob), Err(error), "{blob:?}");
        }
    }
}

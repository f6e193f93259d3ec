//! Reading WKB, of which any byte may be wrong.
//!
//! Both byte orders; Z and M in the ISO way (1001, 2001, 3001) and in the extended way of `PostGIS`
//! (flags in the type, perhaps with a system's code). Lengths are believed only as far as there
//! are bytes: nothing is allocated.

use kdisc::Point;
use thiserror::Error;

/// Geometries may be nested in collections this deeply.
pub(crate) const DEEPEST: usize = 16;

/// What kind of geometry it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are what they are called")]
pub enum Kind {
    Point,
    Line,
    Polygon,
    MultiPoint,
    MultiLine,
    MultiPolygon,
    Collection,
}

impl Kind {
    /// In words, as in a message.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Line => "line",
            Self::Polygon => "polygon",
            Self::MultiPoint => "multipoint of several points",
            Self::MultiLine => "multi-part line",
            Self::MultiPolygon => "multi-part polygon",
            Self::Collection => "collection of geometries",
        }
    }

    /// Its number in WKB, without the dimensions.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Polygon => 3,
            Self::MultiPoint => 4,
            Self::MultiLine => 5,
            Self::MultiPolygon => 6,
            Self::Collection => 7,
        }
    }

    /// The kind of such a number.
    pub(crate) fn of(code: u32) -> Option<Self> {
        Some(match code {
            1 => Self::Point,
            2 => Self::Line,
            3 => Self::Polygon,
            4 => Self::MultiPoint,
            5 => Self::MultiLine,
            6 => Self::MultiPolygon,
            7 => Self::Collection,
            _ => return None,
        })
    }
}

/// Why bytes are no geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WkbError {
    /// They end too early.
    #[error("the geometry ends too early")]
    Short,
    /// The first byte is neither 0 nor 1.
    #[error("the geometry begins with {0}, where its byte order (0 or 1) should be")]
    ByteOrder(u8),
    /// There is no such type, or none that is known here.
    #[error("the geometry is of an unknown type, {0}")]
    Type(u32),
    /// Geometries within geometries within geometries.
    #[error("the geometry is nested too deeply")]
    Deep,
    /// A multi-part geometry with a part of another kind.
    #[error("the geometry has a {} among its parts", .0.name())]
    Part(Kind),
}

/// The place of a point, or of a multipoint with one point; `None` if it is empty.
///
/// # Errors
/// The bytes are no geometry, or it is of another kind.
pub fn place(wkb: &[u8]) -> Result<Option<Point>, NoPlace> {
    Ok(coordinates(wkb)?.map(|[x, y, _]| Point::new(x, y)))
}

/// The same, with a height that is NaN if it has none.
///
/// # Errors
/// The bytes are no geometry, or it is of another kind.
pub fn coordinates(wkb: &[u8]) -> Result<Option<[f64; 3]>, NoPlace> {
    let mut bytes = Bytes::new(wkb);
    let mut head = bytes.head()?;
    if head.kind == Kind::MultiPoint {
        match bytes.count(head)? {
            0 => return Ok(None),
            1 => head = bytes.head()?,
            _ => return Err(NoPlace::Other(head.kind)),
        }
    }
    if head.kind != Kind::Point {
        return Err(NoPlace::Other(head.kind));
    }
    let [x, y, z, _] = bytes.position(head)?;
    let height = if head.z { z } else { f64::NAN };
    // An empty point is written as one that is not a number.
    Ok((!x.is_nan() || !y.is_nan()).then_some([x, y, height]))
}

/// Of which kind a geometry is, whether it has heights, and whether it has measures.
///
/// # Errors
/// The bytes are no geometry.
pub fn head(wkb: &[u8]) -> Result<(Kind, bool, bool), WkbError> {
    let head = Bytes::new(wkb).head()?;
    Ok((head.kind, head.z, head.m))
}

/// Why a geometry has no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPlace {
    /// It is none.
    Wrong(WkbError),
    /// It is something other than a point.
    Other(Kind),
}

impl From<WkbError> for NoPlace {
    fn from(error: WkbError) -> Self {
        Self::Wrong(error)
    }
}

/// What comes before the coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub kind: Kind,
    little: bool,
    pub z: bool,
    pub m: bool,
}

/// Bytes that are taken from the front.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], WkbError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(WkbError::Short)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn whole(&mut self, little: bool) -> Result<u32, WkbError> {
        let bytes = self.take()?;
        Ok(if little {
            u32::from_le_bytes(bytes)
        } else {
            u32::from_be_bytes(bytes)
        })
    }

    fn number(&mut self, little: bool) -> Result<f64, WkbError> {
        let bytes = self.take()?;
        Ok(if little {
            f64::from_le_bytes(bytes)
        } else {
            f64::from_be_bytes(bytes)
        })
    }

    pub fn head(&mut self) -> Result<Head, WkbError> {
        const Z: u32 = 0x8000_0000;
        const M: u32 = 0x4000_0000;
        const CODE: u32 = 0x2000_0000;
        let [order] = self.take()?;
        if order > 1 {
            return Err(WkbError::ByteOrder(order));
        }
        let little = order == 1;
        let found = self.whole(little)?;
        if found & CODE != 0 {
            self.whole(little)?;
        }
        let plain = found & !(Z | M | CODE);
        let (z, m) = match plain / 1000 {
            0 => (found & Z != 0, found & M != 0),
            1 => (true, false),
            2 => (false, true),
            3 => (true, true),
            _ => return Err(WkbError::Type(found)),
        };
        let kind = Kind::of(plain % 1000).ok_or(WkbError::Type(found))?;
        Ok(Head { kind, little, z, m })
    }

    /// The head of a geometry within so many others.
    pub fn nested(&mut self, depth: usize) -> Result<Head, WkbError> {
        if depth > DEEPEST {
            return Err(WkbError::Deep);
        }
        self.head()
    }

    pub fn count(&mut self, head: Head) -> Result<u32, WkbError> {
        self.whole(head.little)
    }

    pub fn coordinates(&mut self, head: Head) -> Result<Point, WkbError> {
        let [x, y, ..] = self.position(head)?;
        Ok(Point::new(x, y))
    }

    /// x, y, z and m; what is not there is 0.
    pub fn position(&mut self, head: Head) -> Result<[f64; 4], WkbError> {
        let mut at = [0.0; 4];
        for (number, there) in at.iter_mut().zip([true, true, head.z, head.m]) {
            if there {
                *number = self.number(head.little)?;
            }
        }
        Ok(at)
    }
}

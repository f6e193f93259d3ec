//! A geometry taken apart: its positions, and where its lines and polygons end.
//!
//! `GeoJSON` and `FlatGeobuf` each nest positions in their own way; both are read into this and
//! written from it. The same value is filled again and again, so that rows need no memory of
//! their own.

use super::read::{Bytes, Head, Kind, WkbError};

/// A geometry in pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parts {
    pub kind: Kind,
    /// Whether positions have a height.
    pub z: bool,
    /// Whether positions have a measure.
    pub m: bool,
    /// x, y, z and m; what is not there is 0.
    pub positions: Vec<[f64; 4]>,
    /// Where each line or ring ends among the positions. Points and single lines have none.
    pub lines: Vec<usize>,
    /// Where each polygon ends among the rings. Only for several polygons.
    pub polygons: Vec<usize>,
    /// What a collection holds.
    pub members: Vec<Parts>,
}

impl Default for Parts {
    fn default() -> Self {
        Self {
            kind: Kind::Point,
            z: false,
            m: false,
            positions: Vec::new(),
            lines: Vec::new(),
            polygons: Vec::new(),
            members: Vec::new(),
        }
    }
}

impl Parts {
    /// Begins anew.
    pub fn clear(&mut self, kind: Kind) {
        self.kind = kind;
        self.z = false;
        self.m = false;
        self.positions.clear();
        self.lines.clear();
        self.polygons.clear();
        self.members.clear();
    }

    /// Ends a line or ring after the last position.
    pub fn end_line(&mut self) {
        self.lines.push(self.positions.len());
    }

    /// Ends a polygon after the last ring.
    pub fn end_polygon(&mut self) {
        self.polygons.push(self.lines.len());
    }

    /// The ranges between such ends.
    pub fn ranges(ends: &[usize]) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| start..end)
    }

    /// Takes WKB apart.
    pub fn read(&mut self, wkb: &[u8]) -> Result<(), WkbError> {
        self.take(&mut Bytes::new(wkb), 0)
    }

    fn take(&mut self, bytes: &mut Bytes, depth: usize) -> Result<(), WkbError> {
        let head = bytes.nested(depth)?;
        self.clear(head.kind);
        (self.z, self.m) = (head.z, head.m);
        match head.kind {
            Kind::Point => {
                let at = bytes.position(head)?;
                // An empty point is written as one that is not a number.
                if !(at[0].is_nan() && at[1].is_nan()) {
                    self.positions.push(at);
                }
            }
            Kind::Line => self.take_line(bytes, head)?,
            Kind::Polygon => self.take_polygon(bytes, head)?,
            Kind::MultiPoint | Kind::MultiLine | Kind::MultiPolygon => {
                for _ in 0..bytes.count(head)? {
                    let inner = bytes.head()?;
                    self.z |= inner.z;
                    self.m |= inner.m;
                    match (head.kind, inner.kind) {
                        (Kind::MultiPoint, Kind::Point) => {
                            self.positions.push(bytes.position(inner)?);
                        }
                        (Kind::MultiLine, Kind::Line) => {
                            self.take_line(bytes, inner)?;
                            self.end_line();
                        }
                        (Kind::MultiPolygon, Kind::Polygon) => {
                            self.take_polygon(bytes, inner)?;
                            self.end_polygon();
                        }
                        _ => return Err(WkbError::Part(inner.kind)),
                    }
                }
            }
            Kind::Collection => {
                for _ in 0..bytes.count(head)? {
                    let mut member = Self::default();
                    member.take(bytes, depth + 1)?;
                    self.z |= member.z;
                    self.m |= member.m;
                    self.members.push(member);
                }
            }
        }
        Ok(())
    }

    fn take_line(&mut self, bytes: &mut Bytes, head: Head) -> Result<(), WkbError> {
        for _ in 0..bytes.count(head)? {
            self.positions.push(bytes.position(head)?);
        }
        Ok(())
    }

    fn take_polygon(&mut self, bytes: &mut Bytes, head: Head) -> Result<(), WkbError> {
        for _ in 0..bytes.count(head)? {
            self.take_line(bytes, head)?;
            self.end_line();
        }
        Ok(())
    }

    /// Puts it together as ISO WKB, at the end of `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.head(self.kind, out);
        match self.kind {
            Kind::Point => match self.positions.first() {
                Some(at) => self.position(*at, out),
                None => self.position([f64::NAN; 4], out),
            },
            Kind::Line => self.line(0..self.positions.len(), out),
            Kind::Polygon => self.rings(0..self.lines.len(), out),
            Kind::MultiPoint => {
                count(self.positions.len(), out);
                for at in &self.positions {
                    self.head(Kind::Point, out);
                    self.position(*at, out);
                }
            }
            Kind::MultiLine => {
                count(self.lines.len(), out);
                for range in Self::ranges(&self.lines) {
                    self.head(Kind::Line, out);
                    self.line(range, out);
                }
            }
            Kind::MultiPolygon => {
                count(self.polygons.len(), out);
                for range in Self::ranges(&self.polygons) {
                    self.head(Kind::Polygon, out);
                    self.rings(range, out);
                }
            }
            Kind::Collection => {
                count(self.members.len(), out);
                for member in &self.members {
                    member.write(out);
                }
            }
        }
    }

    fn head(&self, kind: Kind, out: &mut Vec<u8>) {
        let code = kind.code() + u32::from(self.z) * 1000 + u32::from(self.m) * 2000;
        out.push(1);
        out.extend_from_slice(&code.to_le_bytes());
    }

    fn position(&self, at: [f64; 4], out: &mut Vec<u8>) {
        for (number, there) in at.into_iter().zip([true, true, self.z, self.m]) {
            if there {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
    }

    fn line(&self, range: std::ops::Range<usize>, out: &mut Vec<u8>) {
        count(range.len(), out);
        for at in &self.positions[range] {
            self.position(*at, out);
        }
    }

    fn rings(&self, range: std::ops::Range<usize>, out: &mut Vec<u8>) {
        count(range.len(), out);
        for ring in range {
            let start = ring.checked_sub(1).map_or(0, |before| self.lines[before]);
            self.line(start..self.lines[ring], out);
        }
    }
}

fn count(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number as u32).to_le_bytes());
}

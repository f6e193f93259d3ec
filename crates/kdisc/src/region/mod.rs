//! Regions of the plane: polygons with holes, in one or more parts.

use crate::Point;

/// One or more parts that do not overlap.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    parts: Vec<Part>,
}

/// A polygon: an outer ring and its holes. A ring does not repeat its first corner at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The outer ring.
    pub outer: Vec<Point>,
    /// The rings of the holes.
    pub holes: Vec<Vec<Point>>,
}

impl Region {
    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }
}

impl Part {
    /// The outer ring, then those of the holes.
    pub fn rings(&self) -> impl Iterator<Item = &[Point]> {
        std::iter::once(&self.outer)
            .chain(&self.holes)
            .map(Vec::as_slice)
    }
}

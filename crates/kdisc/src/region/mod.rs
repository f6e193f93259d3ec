//! Regions of the plane: polygons with holes, in one or more parts.
//!
//! A [`Region`] is checked when it is made. Its border may touch itself in single points, as real
//! borders do, but neither cross itself nor run along itself; holes lie in their part, and parts
//! outside one another (one may lie in a hole of another). So every point that is not on the
//! border is inside or outside, and that can be told by counting the edges between it and
//! infinity.
//!
//! [`Regions`] tells in which of many regions points lie.

mod border;
mod boxes;
mod error;
mod locate;
mod nesting;
mod raster;

pub use error::{Overlap, RegionError, TooManyCorners};
pub use locate::Regions;
pub(crate) use raster::Raster;

use crate::Point;
use crate::population::check_coordinate;
use border::Border;

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
    /// Checks the parts. Rings may go either way round; corners that repeat the one before are
    /// dropped, and so is a last one that repeats the first.
    ///
    /// Takes O(n log n) for n corners of an ordinary border.
    ///
    /// # Errors
    /// See [`RegionError`].
    pub fn new(mut parts: Vec<Part>) -> Result<Self, RegionError> {
        if parts.is_empty() {
            return Err(RegionError::NoParts);
        }
        for part in &mut parts {
            for ring in std::iter::once(&mut part.outer).chain(&mut part.holes) {
                tidy(ring)?;
            }
        }
        let region = Self { parts };
        let border = Border::new(&region);
        border.check_crossings()?;
        border.check_nesting()?;
        Ok(region)
    }

    /// The parts.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All rings of all parts.
    pub fn rings(&self) -> impl Iterator<Item = &[Point]> {
        self.parts.iter().flat_map(Part::rings)
    }

    /// Least and greatest x, then y.
    #[must_use]
    pub fn bounds(&self) -> [f64; 4] {
        let mut bounds = [f64::MAX, f64::MIN, f64::MAX, f64::MIN];
        for corner in self.parts.iter().flat_map(|part| &part.outer) {
            bounds[0] = bounds[0].min(corner.x);
            bounds[1] = bounds[1].max(corner.x);
            bounds[2] = bounds[2].min(corner.y);
            bounds[3] = bounds[3].max(corner.y);
        }
        bounds
    }

    /// The area, without the holes.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.moments().area
    }

    /// The centre of gravity. It need not lie inside.
    #[must_use]
    pub fn centroid(&self) -> Point {
        let first = self.first();
        let Moments { area, x, y } = self.moments();
        Point::new(first.x + x / area, first.y + y / area)
    }

    /// The corner to which moments are relative, lest national coordinates swallow small shapes.
    fn first(&self) -> Point {
        self.parts[0].outer[0]
    }

    fn moments(&self) -> Moments {
        let mut sum = Moments::default();
        for part in &self.parts {
            for (i, ring) in part.rings().enumerate() {
                let found = Moments::of(ring, self.first());
                // A hole takes away, whichever way round it is written.
                let sign = if (found.area < 0.0) == (i == 0) {
                    -1.0
                } else {
                    1.0
                };
                sum.area += sign * found.area;
                sum.x += sign * found.x;
                sum.y += sign * found.y;
            }
        }
        sum
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

/// The edges of a ring: from each corner to the next, and from the last to the first.
pub fn edges(ring: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(&from, &to)| [from, to])
}

/// The area of a ring and its integrals of x and y, negative if it goes clockwise.
#[derive(Default)]
struct Moments {
    area: f64,
    x: f64,
    y: f64,
}

impl Moments {
    fn of(ring: &[Point], origin: Point) -> Self {
        let mut sum = Self::default();
        for [a, b] in edges(ring) {
            let (ax, ay) = (a.x - origin.x, a.y - origin.y);
            let (bx, by) = (b.x - origin.x, b.y - origin.y);
            let triangle = (ax * by - ay * bx) / 2.0;
            sum.area += triangle;
            sum.x += triangle * ((ax + bx) / 3.0);
            sum.y += triangle * ((ay + by) / 3.0);
        }
        sum
    }
}

fn tidy(ring: &mut Vec<Point>) -> Result<(), RegionError> {
    for corner in ring.iter_mut() {
        for value in [&mut corner.x, &mut corner.y] {
            check_coordinate(0, *value).map_err(|_| RegionError::Coordinate(*value))?;
            // −0 becomes 0, as they are one number but sort apart.
            *value += 0.0;
        }
    }
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    match (ring.len(), ring.first()) {
        (3.., _) => Ok(()),
        (corners, at) => Err(RegionError::FewCorners {
            corners,
            at: at.copied(),
        }),
    }
}

#[cfg(test)]
mod tests;

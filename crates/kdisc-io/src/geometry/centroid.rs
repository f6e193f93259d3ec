//! The centroid of any geometry: that of its parts of the highest dimension, as usual.
//!
//! Polygons count by their area (holes against it), lines by their length, points each as one.
//! Coordinates are taken relative to the first one met, so that national coordinates do not
//! swallow small shapes.

use kdisc::Point;

use super::read::{Bytes, Head, Kind, WkbError};

/// The centroid of a geometry; `None` if it is empty.
///
/// # Errors
/// The bytes are no geometry.
pub fn centroid(wkb: &[u8]) -> Result<Option<Point>, WkbError> {
    let mut sums = Sums::default();
    sums.geometry(&mut Bytes::new(wkb), 0)?;
    Ok(sums.centroid())
}

/// Sums over parts of each dimension, relative to the first coordinate.
#[derive(Default)]
struct Sums {
    first: Option<Point>,
    area: Moment,
    length: Moment,
    count: Moment,
}

#[derive(Default, Clone, Copy)]
struct Moment {
    weight: f64,
    x: f64,
    y: f64,
}

impl Moment {
    fn add(&mut self, weight: f64, x: f64, y: f64) {
        self.weight += weight;
        self.x += weight * x;
        self.y += weight * y;
    }

    fn merge(&mut self, other: Self) {
        self.weight += other.weight;
        self.x += other.x;
        self.y += other.y;
    }
}

impl Sums {
    fn geometry(&mut self, bytes: &mut Bytes, depth: usize) -> Result<(), WkbError> {
        let head = bytes.nested(depth)?;
        match head.kind {
            Kind::Point => {
                let point = bytes.coordinates(head)?;
                if !point.x.is_nan() && !point.y.is_nan() {
                    let at = self.relative(point);
                    self.count.add(1.0, at.x, at.y);
                }
            }
            Kind::Line => {
                self.line(bytes, head)?;
            }
            Kind::Polygon => {
                for ring in 0..bytes.count(head)? {
                    let mut found = self.line(bytes, head)?;
                    // The hole of a polygon takes away, whichever way round it is written.
                    if (found.weight < 0.0) == (ring == 0) {
                        found = Moment {
                            weight: -found.weight,
                            x: -found.x,
                            y: -found.y,
                        };
                    }
                    self.area.merge(found);
                }
            }
            _ => {
                for _ in 0..bytes.count(head)? {
                    self.geometry(bytes, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the corners and sides, and gives the moment of the area within, by the sign of its turn.
    fn line(&mut self, bytes: &mut Bytes, head: Head) -> Result<Moment, WkbError> {
        let mut inside = Moment::default();
        let mut before: Option<Point> = None;
        for _ in 0..bytes.count(head)? {
            let point = bytes.coordinates(head)?;
            let at = self.relative(point);
            self.count.add(1.0, at.x, at.y);
            if let Some(from) = before {
                let (x, y) = (f64::midpoint(from.x, at.x), f64::midpoint(from.y, at.y));
                self.length.add((at.x - from.x).hypot(at.y - from.y), x, y);
                let cross = from.x * at.y - from.y * at.x;
                inside.add(cross / 2.0, (from.x + at.x) / 3.0, (from.y + at.y) / 3.0);
            }
            before = Some(at);
        }
        Ok(inside)
    }

    fn relative(&mut self, point: Point) -> Point {
        let first = *self.first.get_or_insert(point);
        Point::new(point.x - first.x, point.y - first.y)
    }

    fn centroid(&self) -> Option<Point> {
        let first = self.first?;
        let moments = [self.area, self.length, self.count];
        let found = moments.into_iter().find(|moment| moment.weight > 0.0)?;
        Some(Point::new(
            first.x + found.x / found.weight,
            first.y + found.y / found.weight,
        ))
    }
}

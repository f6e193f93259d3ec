//! Circles in floating point, with what rounding may have done to them.

use crate::Point;
use crate::predicates::{Support, turn};

/// Room for double precision, relatively.
pub(crate) const SLACK: f64 = 1e-9;
/// With no more relative error than this, three locations are not on a line.
const BENT: f64 = 1.0;

/// A circle, relative to a location on it.
pub(crate) struct Circle {
    first: Point,
    x: f64,
    y: f64,
    pub squared: f64,
    /// Squared distances that differ less from the squared radius may be equal to it.
    pub tolerance: f64,
}

impl Circle {
    /// None for three locations on a line.
    pub fn of(support: &Support) -> Option<Self> {
        let (first, x, y, error) = match *support {
            Support::Two(p, q) => (p, (q.x - p.x) / 2.0, (q.y - p.y) / 2.0, 0.0),
            Support::Three(p, q, r) => {
                let circle = through(p, q, r)?;
                // So thin a triangle may have made doubles bend a line.
                if circle.3 > BENT && turn(p, q, r).is_eq() {
                    return None;
                }
                circle
            }
        };
        let squared = x * x + y * y;
        Some(Self {
            first,
            x,
            y,
            squared,
            tolerance: squared * (SLACK + error),
        })
    }

    /// No less than the radius.
    pub fn most(&self) -> f64 {
        (self.squared + self.tolerance).sqrt()
    }

    pub fn center(&self) -> Point {
        Point::new(self.first.x + self.x, self.first.y + self.y)
    }

    /// The centre as seen from a place.
    pub fn center_from(&self, place: Point) -> Point {
        Point::new(
            (self.first.x - place.x) + self.x,
            (self.first.y - place.y) + self.y,
        )
    }

    /// How far the squared distance of a place from the centre exceeds the squared radius.
    pub fn beyond(&self, place: Point) -> f64 {
        let (x, y) = (place.x - self.first.x, place.y - self.first.y);
        x * (x - 2.0 * self.x) + y * (y - 2.0 * self.y)
    }

    /// Whether the locations hold the circle in place: it shrinks from an obtuse corner.
    pub fn held(&self, support: &Support) -> bool {
        let Support::Three(p, q, r) = *support else {
            return true;
        };
        [(p, q, r), (q, r, p), (r, p, q)].iter().all(|&(p, q, r)| {
            let dot = (q.x - p.x) * (r.x - p.x) + (q.y - p.y) * (r.y - p.y);
            dot >= -self.tolerance
        })
    }
}

/// One of the three, the centre relative to it, and the relative error of squared distances; none
/// for three on a line or two in one place.
pub(crate) fn through(p: Point, q: Point, r: Point) -> Option<(Point, f64, f64, f64)> {
    // From the corner opposite to the longest side: its sides are short, and their cross product
    // is not lost in rounding.
    let (pq, qr, rp) = (squared(p, q), squared(q, r), squared(r, p));
    let (p, q, r) = if qr >= pq && qr >= rp {
        (p, q, r)
    } else if rp >= pq {
        (q, r, p)
    } else {
        (r, p, q)
    };
    let (ux, uy) = (q.x - p.x, q.y - p.y);
    let (vx, vy) = (r.x - p.x, r.y - p.y);
    let (u, v) = ((ux * ux + uy * uy).sqrt(), (vx * vx + vy * vy).sqrt());
    // Directions, so that nothing overflows.
    let (ux, uy, vx, vy) = (ux / u, uy / u, vx / v, vy / v);
    let cross = 2.0 * (ux * vy - uy * vx);
    // Not a number if two of them coincide, as they may in a list.
    if cross == 0.0 || cross.is_nan() {
        return None;
    }
    let x = (vy * u - uy * v) / cross;
    let y = (ux * v - vx * u) / cross;
    Some((p, x, y, 1e-14 / (cross * cross)))
}

pub(crate) fn squared(a: Point, b: Point) -> f64 {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    dx * dx + dy * dy
}

//! The smallest disc round a few places, nearly: for upper bounds, not for answers.

use super::circle::{squared, through};
use crate::Point;

/// A disc in floating point.
#[derive(Debug, Clone, Copy)]
struct Rough {
    center: Point,
    squared: f64,
}

impl Rough {
    fn holds(&self, p: Point) -> bool {
        squared(self.center, p) <= self.squared * (1.0 + 1e-10)
    }

    fn across(p: Point, q: Point) -> Self {
        let center = Point::new(p.x + (q.x - p.x) / 2.0, p.y + (q.y - p.y) / 2.0);
        Self {
            center,
            squared: squared(center, p),
        }
    }

    fn through(p: Point, q: Point, r: Point) -> Self {
        let (ux, uy) = (q.x - p.x, q.y - p.y);
        let (vx, vy) = (r.x - p.x, r.y - p.y);
        let (uu, vv) = (ux * ux + uy * uy, vx * vx + vy * vy);
        let shrink = 0.5 / (ux * vy - uy * vx);
        let (x, y) = ((vy * uu - uy * vv) * shrink, (ux * vv - vx * uu) * shrink);
        let squared = x * x + y * y;
        if squared > 0.0 && squared.is_finite() {
            let center = Point::new(p.x + x, p.y + y);
            return Self { center, squared };
        }
        // On a line, or their products are too large or too small.
        let Some((first, x, y, _)) = through(p, q, r) else {
            return Self::across(p, q);
        };
        Self {
            center: Point::new(first.x + x, first.y + y),
            squared: x * x + y * y,
        }
    }
}

/// The middle of the smallest disc round the places, and how far the farthest of them is from it. By
/// adding one after another (Welzl 1991); quickest when the farthest come first.
pub(crate) fn enclosing(places: &[Point]) -> (Point, f64) {
    let first = places[0];
    let mut disc = Rough {
        center: first,
        squared: 0.0,
    };
    for (i, &p) in places.iter().enumerate().skip(1) {
        if disc.holds(p) {
            continue;
        }
        disc = Rough::across(first, p);
        for (j, &q) in places[..i].iter().enumerate() {
            if disc.holds(q) {
                continue;
            }
            disc = Rough::across(p, q);
            for &r in &places[..j] {
                if !disc.holds(r) {
                    disc = Rough::through(p, q, r);
                }
            }
        }
    }
    let distances = places.iter().map(|&p| squared(disc.center, p));
    (disc.center, distances.fold(0.0, f64::max).sqrt())
}

//! The smallest disc round a few places, nearly: an upper bound, not an answer.

use crate::Point;

/// A disc in floating point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rough {
    pub center: Point,
    pub squared: f64,
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
        let cross = 2.0 * (ux * vy - uy * vx);
        let (cx, cy) = ((vy * uu - uy * vv) / cross, (ux * vv - vx * uu) / cross);
        Self {
            center: Point::new(p.x + cx, p.y + cy),
            squared: cx * cx + cy * cy,
        }
    }
}

fn squared(a: Point, b: Point) -> f64 {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    dx * dx + dy * dy
}

/// The smallest disc round the places (Welzl's incremental construction, the farthest first).
pub(crate) fn enclosing(places: &[Point]) -> Rough {
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
    disc
}

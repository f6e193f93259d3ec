//! Circles that may bound a smallest enclosed disc: through two locations, and held by these
//! alone, by a third, or by the border.

use super::frame::{Frame, Side, cross, dot, length};
use crate::Point;
use crate::predicates::{Support, turn};

/// A location that is beyond a line by this part of the other's distance is on it: a corner of the
/// rounding, as a location is inside its disc up to ten times that.
const ON_LINE: f64 = 1e-13;

/// A location within reach.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub place: Point,
    pub local: Point,
    pub units: u64,
}

/// A circle, and what holds it in place.
#[derive(Clone, Copy)]
pub(super) struct Circle {
    pub center: Point,
    pub radius: f64,
    /// Absent where it touches an edge.
    pub support: Option<Support>,
}

/// Calls `visit` with all circles that these locations and sides can hold in place.
pub(super) fn each(
    frame: &Frame,
    spots: &[Spot],
    sides: &[Side],
    corners: &[Point],
    mut visit: impl FnMut(Circle),
) {
    for (i, p) in spots.iter().enumerate() {
        for (j, q) in spots.iter().enumerate().skip(i + 1) {
            let step = frame.step(p.place, q.place);
            visit(Circle {
                center: Point::new(p.local.x + step.x / 2.0, p.local.y + step.y / 2.0),
                radius: length(step) / 2.0,
                support: Some(Support::Two(p.place, q.place)),
            });
            let thirds = spots[j + 1..].iter().map(|r| r.place);
            for third in thirds.chain(corners.iter().copied()) {
                if let Some(circle) = through(frame, p, q, third) {
                    visit(circle);
                }
            }
            for side in sides {
                for circle in touching(frame, p, q, side).into_iter().flatten() {
                    visit(circle);
                }
            }
        }
    }
}

fn through(frame: &Frame, p: &Spot, q: &Spot, third: Point) -> Option<Circle> {
    let (u, v) = (frame.step(p.place, q.place), frame.step(p.place, third));
    let d = 2.0 * cross(u, v);
    let (uu, vv) = (dot(u, u), dot(v, v));
    let center = Point::new((v.y * uu - u.y * vv) / d, (u.x * vv - v.x * uu) / d);
    let radius = length(center);
    // Nothing holds three locations on a line.
    let is_bent = radius.is_finite() && turn(p.place, q.place, third).is_ne();
    is_bent.then_some(Circle {
        center: Point::new(p.local.x + center.x, p.local.y + center.y),
        radius,
        support: Some(Support::Three(p.place, q.place, third)),
    })
}

/// The circles through two locations that touch the line of a side.
///
/// In coordinates along the line and away from it, with p at (0, a) and q at (w, b), a circle that
/// touches the line at t has its centre at (t, r): t² + a² = 2ar and (w − t)² + b² = 2br. Without
/// r, that is (b − a)t² + 2awt − a(w² + b(b − a)) = 0, with discriminant 4ab(w² + (b − a)²): no
/// cancellation, so that even a location on the line loses no digits.
fn touching(frame: &Frame, p: &Spot, q: &Spot, side: &Side) -> [Option<Circle>; 2] {
    let offset = |spot: &Spot| side.offset_of(frame, spot.place, spot.local);
    let (mut p, mut q) = (p, q);
    let (mut a, mut b) = (offset(p), offset(q));
    if a.abs() > b.abs() {
        (p, q, a, b) = (q, p, b, a);
    }
    // The line has the same two locations to its right when turned round.
    let sign = b.signum();
    (a, b) = (a * sign, b * sign);
    if a < 0.0 && a > -ON_LINE * b {
        a = 0.0;
    }
    if !(a >= 0.0 && b > 0.0 && b.is_finite()) {
        return [None; 2];
    }
    let along = Point::new(side.along.x * sign, side.along.y * sign);
    let w = dot(along, frame.step(p.place, q.place));
    let rise = b - a;
    let root = (a * b).sqrt() * (w * w + rise * rise).sqrt();
    // The root whose terms add up, then the other from their product.
    let sum = -(a * w + root.copysign(w));
    let product = -a * (w * w + b * rise);
    let roots = if sum == 0.0 {
        // p is on the line, where the circle touches it, or the two are one above the other.
        [0.0, 0.0]
    } else {
        [sum / rise, product / sum]
    };
    let normal = Point::new(-along.y, along.x);
    roots.map(|t| {
        let radius = ((w - t) * (w - t) + b * b) / (2.0 * b);
        let up = radius - a;
        let center = Point::new(
            p.local.x + t * along.x + up * normal.x,
            p.local.y + t * along.y + up * normal.y,
        );
        radius.is_finite().then_some(Circle {
            center,
            radius,
            support: None,
        })
    })
}

//! On which side of a line is a point?
//!
//! The determinant in doubles decides when it is beyond its own rounding error (the bound is that
//! of J. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
//! predicates", 1997); whole numbers decide otherwise.

use std::cmp::Ordering;

use super::grain::Grain;
use crate::Point;

/// Coordinates below this many grains have exact differences, whose products fit in 128 bits.
const SHORT: u32 = 52;

/// `Greater` when a, b, c turn left (c is left of the line from a to b), `Less` when they turn
/// right, `Equal` when they are on one line.
#[inline]
pub(crate) fn turn(a: Point, b: Point, c: Point) -> Ordering {
    // (3 + 16ε) ε with ε = 2⁻⁵³, rounded up; what vanishes in the products is below the least
    // normal double.
    const ERROR: f64 = 3.330_669_073_875_472e-16;
    let left = (a.x - c.x) * (b.y - c.y);
    let right = (a.y - c.y) * (b.x - c.x);
    let twice_area = left - right;
    if twice_area.abs() > ERROR * (left.abs() + right.abs()) + f64::MIN_POSITIVE {
        twice_area.total_cmp(&0.0)
    } else {
        exact(a, b, c)
    }
}

#[cold]
fn exact(a: Point, b: Point, c: Point) -> Ordering {
    let grain = Grain::of(&[a, b, c]);
    if let (Some(to_b), Some(to_c)) = (grain.short(b, a, SHORT), grain.short(c, a, SHORT)) {
        return (to_b[0] * to_c[1]).cmp(&(to_b[1] * to_c[0]));
    }
    let (to_b, to_c) = (grain.long(b, a), grain.long(c, a));
    (&to_b[0] * &to_c[1]).cmp(&(&to_b[1] * &to_c[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: (f64, f64), b: (f64, f64), c: (f64, f64), expected: Ordering) {
        let [a, b, c] = [a, b, c].map(|(x, y)| Point::new(x, y));
        for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
            assert_eq!(turn(p, q, r), expected);
            assert_eq!(turn(q, p, r), expected.reverse());
        }
    }

    #[test]
    fn one_unit_in_the_last_place_off_a_line_is_off_it() {
        let up = 0.5_f64.next_up();
        check((12.0, 12.0), (24.0, 24.0), (0.5, 0.5), Ordering::Equal);
        check((12.0, 12.0), (24.0, 24.0), (0.5, up), Ordering::Greater);
        check((12.0, 12.0), (24.0, 24.0), (up, 0.5), Ordering::Less);
    }

    #[test]
    fn sizes_may_be_mixed() {
        let (huge, tiny) = (1e150, 1e-130);
        check((0.0, 0.0), (huge, huge), (1.0, 1.0), Ordering::Equal);
        check((0.0, 0.0), (huge, huge), (tiny, 0.0), Ordering::Less);
        check((tiny, tiny), (huge, huge), (1.0, 1.0), Ordering::Equal);
        check((tiny, 0.0), (huge, huge), (1.0, 1.0), Ordering::Greater);
        let next = tiny.next_up();
        check((tiny, tiny), (next, next), (tiny, next), Ordering::Greater);
    }
}

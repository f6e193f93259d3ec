//! On which side of a line of a grid is a coordinate?
//!
//! Lines of square grids are at multiples of a length; those of hexagons have √3 and a fourth root
//! in them. Both comparisons become one of whole numbers, after squaring.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

use super::grain::Grain;
use super::whole::decompose;
use crate::Point;

/// Compares parts · (value − origin) with n · size.
pub(crate) fn compare_multiple(value: f64, origin: f64, size: f64, parts: u32, n: i64) -> Ordering {
    if let Some([value, origin, size]) = short([value, origin, size]) {
        // Neither side exceeds 2¹²⁴: n is below 2⁵⁰, parts are fewer than 2³².
        return (i128::from(parts) * (value - origin)).cmp(&(i128::from(n) * size));
    }
    let grain = Grain::of(&[Point::new(value, origin), Point::new(size, 0.0)]);
    let distance = grain.grains(value) - grain.grains(origin);
    (distance * parts).cmp(&(grain.grains(size) * n))
}

/// The numbers in common grains, if these are below 2⁷⁰.
fn short(values: [f64; 3]) -> Option<[i128; 3]> {
    let found = values.map(decompose);
    let grain = found.iter().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min();
    let grain = grain.unwrap_or(0);
    let mut short = [0; 3];
    for (short, (mantissa, exponent)) in short.iter_mut().zip(found) {
        let shift = (exponent - grain).max(0);
        let bits = 64 - mantissa.unsigned_abs().leading_zeros();
        if bits.cast_signed() + shift > 70 {
            return None;
        }
        *short = i128::from(mantissa) << shift;
    }
    Some(short)
}

/// Compares parts · (across · √3 · x + up · y) with n · size · √(2/√3), where x and y are relative
/// to the origin: with 1 and ±1 for the slanted sides of hexagons of area size² that stand flat,
/// with 0 and 2 for the level ones.
pub(crate) fn compare_slanted(
    at: Point,
    origin: Point,
    [across, up]: [i32; 2],
    size: f64,
    parts: u32,
    n: i64,
) -> Ordering {
    let grain = Grain::of(&[at, origin, Point::new(size, 0.0)]);
    let [x, y] = grain.long(at, origin);
    let (a, b) = (y * parts * up, x * parts * across);
    // The sign of a + b√3, which is 0 only if both are.
    let sign = root_sign(&a, &b);
    if n == 0 || sign != n.cmp(&0) {
        return sign.cmp(&n.cmp(&0));
    }
    // Both sides are of one sign, so their squares tell: three times their difference is p + q√3.
    let bound = grain.grains(size) * n;
    let p: BigInt = 3 * (&a * &a + 3 * (&b * &b));
    let q: BigInt = 6 * (a * b) - 2 * (&bound * &bound);
    let larger = root_sign(&p, &q);
    if n > 0 { larger } else { larger.reverse() }
}

/// The sign of p + q√3.
fn root_sign(p: &BigInt, q: &BigInt) -> Ordering {
    let sign = |number: &BigInt| match number.sign() {
        Sign::Minus => Ordering::Less,
        Sign::NoSign => Ordering::Equal,
        Sign::Plus => Ordering::Greater,
    };
    match (sign(p), sign(q)) {
        (first, second) if first == second => first,
        (first, Ordering::Equal) => first,
        (Ordering::Equal, second) => second,
        (first, second) => match (p * p).cmp(&(3 * (q * q))) {
            Ordering::Less => second,
            _ => first,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_are_told_from_their_neighbours() {
        // 3 · 0.1 is less than the double 0.3, and 0.1 itself is no tenth.
        assert_eq!(compare_multiple(0.3, 0.0, 0.1, 1, 3), Ordering::Less);
        assert_eq!(compare_multiple(0.1, 0.0, 0.1, 1, 1), Ordering::Equal);
        assert_eq!(compare_multiple(0.7, 0.1, 0.1, 1, 6), Ordering::Less);
        // The largest beside the smallest, in whole numbers without limit.
        let huge = 2f64.powi(490);
        assert_eq!(compare_multiple(huge, 1e-130, huge, 1, 1), Ordering::Less);
        assert_eq!(compare_multiple(huge, 0.0, huge, 1, 1), Ordering::Equal);
        for up in [1.0_f64, 200.0, 2f64.powi(-400), 2f64.powi(400)] {
            assert_eq!(compare_multiple(7.0 * up, 0.0, up, 1, 7), Ordering::Equal);
            let above = (7.0 * up).next_up();
            assert_eq!(compare_multiple(above, 0.0, up, 1, 7), Ordering::Greater);
            assert_eq!(compare_multiple(-above, 0.0, up, 1, -7), Ordering::Less);
            assert_eq!(compare_multiple(up, 0.0, 4.0 * up, 16, 4), Ordering::Equal);
        }
    }

    /// The right sides in doubles, where they are far from a tie.
    #[test]
    fn slanted_lines_lie_where_doubles_put_them() {
        let origin = Point::new(3.0, -2.0);
        for size in [0.01, 1.0, 250.0] {
            let unit = size * (2.0 / 3f64.sqrt()).sqrt();
            for direction in [[1, 1], [1, -1], [0, 2]] {
                let [across, up] = direction.map(f64::from);
                for n in -5..=5 {
                    for (dx, dy) in [
                        (0.0, 0.1),
                        (1.3, -0.4),
                        (-2.7, 0.9),
                        (-0.3, -3.1),
                        (5.0, 2.0),
                    ] {
                        let at = Point::new(origin.x + dx * size, origin.y + dy * size);
                        let (x, y) = (at.x - origin.x, at.y - origin.y);
                        let left = 4.0 * (across * 3f64.sqrt() * x + up * y);
                        let right = n as f64 * unit;
                        let found = compare_slanted(at, origin, direction, size, 4, n);
                        assert_eq!(found, left.total_cmp(&right), "{n} {dx} {dy}");
                    }
                }
            }
        }
        let level = compare_slanted(Point::new(7.0, -2.0), origin, [0, 2], 1.0, 1, 0);
        assert_eq!(level, Ordering::Equal);
    }
}

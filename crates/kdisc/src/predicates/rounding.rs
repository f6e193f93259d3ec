//! The centre and radius of a disc as the doubles nearest to their exact values.
//!
//! First with twofold numbers and an error bound; where the bound leaves two doubles possible,
//! with whole numbers.

use num_bigint::{BigInt, BigUint};

use super::circle::{Circle, Support};
use super::grain::{Grain, power_of_two};
use super::twofold::{TWOFOLD_ERROR, Twofold};
use super::whole::Whole;
use crate::Point;

/// The correctly rounded centre and radius.
pub(crate) fn rounded(grain: Grain, support: &Support) -> (Point, f64) {
    estimated(support).unwrap_or_else(|| exact(grain, support))
}

/// The correctly rounded distance between two places.
pub(crate) fn distance(grain: Grain, a: Point, b: Point) -> f64 {
    2.0 * rounded(grain, &Support::Two(a, b)).1
}

fn estimated(support: &Support) -> Option<(Point, f64)> {
    match *support {
        Support::Two(p, q) => {
            let (u, scale) = scaled([vector(p, q), vector(p, q)]);
            let radius = u[0].length().scaled(0.5 * scale);
            let center = Point::new(f64::midpoint(p.x, q.x), f64::midpoint(p.y, q.y));
            Some((center, radius.rounded(8.0 * TWOFOLD_ERROR * radius.high)?))
        }
        Support::Three(p, q, r) => {
            let ([u, v], scale) = scaled([vector(p, q), vector(p, r)]);
            let (uu, vv) = (u.square(), v.square());
            let cross = u.x.times(v.y).minus(u.y.times(v.x)).scaled(2.0);
            let sizes = uu.high.sqrt() * vv.high.sqrt();
            let bend = sizes / cross.high.abs();
            let center = Vector {
                x: v.y.times(uu).minus(u.y.times(vv)).over(cross),
                y: u.x.times(vv).minus(v.x.times(uu)).over(cross),
            };
            let radius = center.length();
            // Errors of the numerators and of the cross product, both magnified by a thin triangle.
            let error =
                16.0 * TWOFOLD_ERROR * bend * (uu.high.sqrt() + vv.high.sqrt() + radius.high);
            let place = |start: f64, step: Twofold| {
                let sum = Twofold::of(start).plus(step.scaled(scale));
                sum.rounded(error * scale + 4.0 * TWOFOLD_ERROR * sum.high.abs())
            };
            if !error.is_finite() {
                return None;
            }
            let center = Point::new(place(p.x, center.x)?, place(p.y, center.y)?);
            Some((center, radius.scaled(scale).rounded(2.0 * error * scale)?))
        }
    }
}

#[derive(Clone, Copy)]
struct Vector {
    x: Twofold,
    y: Twofold,
}

impl Vector {
    fn square(self) -> Twofold {
        self.x.times(self.x).plus(self.y.times(self.y))
    }

    fn length(self) -> Twofold {
        self.square().square_root()
    }
}

fn vector(from: Point, to: Point) -> Vector {
    Vector {
        x: Twofold::difference(to.x, from.x),
        y: Twofold::difference(to.y, from.y),
    }
}

/// The vectors divided by a power of two near their size, and that power.
fn scaled(vectors: [Vector; 2]) -> ([Vector; 2], f64) {
    let size = vectors
        .iter()
        .fold(0.0f64, |m, v| m.max(v.x.high.abs()).max(v.y.high.abs()));
    if size == 0.0 {
        return (vectors, 1.0);
    }
    let exponent = ((size.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let shrink = power_of_two(-exponent);
    let vectors = vectors.map(|v| Vector {
        x: v.x.scaled(shrink),
        y: v.y.scaled(shrink),
    });
    (vectors, power_of_two(exponent))
}

fn exact(grain: Grain, support: &Support) -> (Point, f64) {
    let circle = Circle::long(grain, support);
    let first = support.first();
    let place = |start: f64, step: &BigInt| {
        let numerator = grain.grains(start) * &circle.d + step;
        quotient(&numerator, &circle.d, grain.exponent())
    };
    let center = Point::new(place(first.x, &circle.x), place(first.y, &circle.y));
    (center, root(&circle, grain.exponent()))
}

/// More bits than a double and its rounding need.
const BITS: i64 = 70;

/// numerator / denominator · 2^exponent, rounded.
fn quotient(numerator: &BigInt, denominator: &BigInt, exponent: i32) -> f64 {
    let (n, d) = (numerator.magnitude(), denominator.magnitude());
    let shift = BITS - n.bits().cast_signed() + d.bits().cast_signed();
    let (n, d) = (shifted(n, shift), shifted(d, -shift));
    let floor = &n / &d;
    let inexact = &floor * &d != n;
    let value = to_double(&floor, inexact, exponent - shift as i32);
    if *numerator < BigInt::ZERO {
        -value
    } else {
        value
    }
}

/// The radius of a circle in grains of 2^exponent, rounded.
fn root(circle: &Circle<BigInt>, exponent: i32) -> f64 {
    let squared = circle.squared();
    let (n, d) = (squared.magnitude(), circle.d.times(&circle.d));
    let d = d.magnitude();
    let shift = BITS - (n.bits().cast_signed() - d.bits().cast_signed()) / 2;
    let (n, d) = (shifted(n, 2 * shift), shifted(d, -2 * shift));
    let floor = (&n / &d).sqrt();
    let inexact = &floor * &floor * &d != n;
    to_double(&floor, inexact, exponent - shift as i32)
}

fn shifted(value: &BigUint, shift: i64) -> BigUint {
    value << shift.max(0)
}

/// The nearest double (ties to even) to value · 2^exponent, where `inexact` says that the true
/// value is a little larger.
fn to_double(value: &BigUint, inexact: bool, exponent: i32) -> f64 {
    let bits = value.bits();
    if bits == 0 {
        return 0.0;
    }
    let drop = bits.saturating_sub(53);
    let kept = value >> drop;
    let rest = value - (&kept << drop);
    let half = if drop == 0 {
        BigUint::ZERO
    } else {
        BigUint::from(1u8) << (drop - 1)
    };
    let mut kept = u64::try_from(kept).unwrap_or(u64::MAX);
    let above = rest > half || (rest == half && inexact);
    let tie = rest == half && !inexact;
    if drop > 0 && (above || (tie && kept % 2 == 1)) {
        kept += 1;
    }
    let exponent = exponent + drop as i32;
    let part = exponent / 2;
    kept as f64 * power_of_two(part) * power_of_two(exponent - part)
}

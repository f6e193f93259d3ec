//! Doubles as exact numbers, and exact numbers as doubles.

use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

/// Whole numbers: `i128` when coordinates are small, `BigInt` otherwise. Overflow panics.
pub trait Number:
    Clone
    + Ord
    + From<i32>
    + Into<BigInt>
    + for<'a> Add<&'a Self, Output = Self>
    + for<'a> Sub<&'a Self, Output = Self>
    + for<'a> Mul<&'a Self, Output = Self>
{
    /// Half of an even number.
    fn half(self) -> Self;
}

impl Number for i128 {
    fn half(self) -> Self {
        assert!(self % 2 == 0);
        self / 2
    }
}

impl Number for BigInt {
    fn half(self) -> Self {
        assert!(!self.bit(0));
        self / 2
    }
}

/// The double as the rational that it is.
pub fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// 2^`exponent`.
pub fn power_of_two(exponent: i32) -> BigRational {
    let power = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 {
        BigRational::new(BigInt::from(1), power)
    } else {
        BigRational::from_integer(power)
    }
}

/// Whole numbers X and one exponent e with x = X·2^e for every x.
pub fn scaled(values: &[f64]) -> (Vec<BigInt>, i32) {
    let parts: Vec<(i64, i32)> = values.iter().map(|&x| decode(x)).collect();
    let least = parts
        .iter()
        .filter(|part| part.0 != 0)
        .map(|part| part.1)
        .min()
        .unwrap_or(0);
    let whole = parts
        .iter()
        .map(|&(mantissa, exponent)| {
            // Zero has no exponent of its own.
            let shift = if mantissa == 0 { 0 } else { exponent - least };
            BigInt::from(mantissa) << shift
        })
        .collect();
    (whole, least)
}

/// x = m·2^e with m odd, or 0.
fn decode(x: f64) -> (i64, i32) {
    assert!(x.is_finite());
    let bits = x.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, biased - 1075)
    };
    if mantissa == 0 {
        return (0, 0);
    }
    let zeros = mantissa.trailing_zeros() as i32;
    let odd = mantissa >> zeros;
    (if x < 0.0 { -odd } else { odd }, exponent + zeros)
}

/// Whether `f` is the double nearest to `x`, the even one in a tie.
pub fn is_nearest(f: f64, x: &BigRational) -> bool {
    let half = rational(0.5);
    let low = (rational(f.next_down()) + rational(f)) * &half;
    let high = (rational(f) + rational(f.next_up())) * &half;
    between(f, &low, x, &high)
}

/// Whether `f` is the double nearest to √`square`, the even one in a tie.
pub fn is_nearest_sqrt(f: f64, square: &BigRational) -> bool {
    if f <= 0.0 || square.is_zero() {
        return f == 0.0 && square.is_zero();
    }
    let half = rational(0.5);
    let low = (rational(f.next_down()) + rational(f)) * &half;
    let high = (rational(f) + rational(f.next_up())) * &half;
    between(f, &(&low * &low), square, &(&high * &high))
}

fn between(f: f64, low: &BigRational, x: &BigRational, high: &BigRational) -> bool {
    let even = f.to_bits() & 1 == 0;
    (low < x && x < high) || (even && (low == x || x == high))
}

/// The double nearest to `x`; zero is positive.
pub fn nearest(x: &BigRational) -> f64 {
    let guess = x.to_f64().expect("a guess");
    near(guess)
        .find(|&f| is_nearest(f, x))
        .expect("the guess is within a few doubles")
        + 0.0
}

/// The double nearest to √`square`.
pub fn nearest_sqrt(square: &BigRational) -> f64 {
    let guess = square.to_f64().expect("a guess").sqrt();
    near(guess)
        .find(|&f| is_nearest_sqrt(f, square))
        .expect("the guess is within a few doubles")
}

/// `f` and the doubles around it.
fn near(f: f64) -> impl Iterator<Item = f64> {
    let down = std::iter::successors(Some(f), |f| Some(f.next_down())).take(5);
    let up = std::iter::successors(Some(f), |f| Some(f.next_up())).take(5);
    down.chain(up)
}

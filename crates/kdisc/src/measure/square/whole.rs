//! Whole numbers: what makes squares exact.
//!
//! Every double is a whole multiple of a power of two. In units of the smallest power of two that
//! a few coordinates need, all their sums and differences are whole numbers, so no comparison is
//! ever in doubt and ties need no care. Coordinates of one neighbourhood nearly always fit in 64
//! bits; mixed sizes (some next to 0) in 128; [`Wide`](super::wide::Wide) takes all the rest.

use std::ops::{Add, Neg, Sub};

use crate::predicates::{decompose, power_of_two};

/// A whole number with room for the sums of a neighbourhood.
pub(super) trait Whole:
    Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    /// `x / 2^exponent`, without its fraction.
    fn toward_zero(x: f64, exponent: i32) -> Self;
    /// Half of it, rounded down.
    fn half(self) -> Self;
    /// `self · 2^exponent`, correctly rounded.
    fn round(self, exponent: i32) -> f64;

    fn twice(self) -> Self {
        self + self
    }
}

macro_rules! whole {
    ($int:ty) => {
        impl Whole for $int {
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline]
            fn toward_zero(x: f64, exponent: i32) -> Self {
                (x * power_of_two(-exponent)) as Self
            }

            #[inline]
            fn half(self) -> Self {
                self >> 1
            }

            #[inline]
            fn round(self, exponent: i32) -> f64 {
                self as f64 * power_of_two(exponent)
            }
        }
    };
}

whole!(i64);
whole!(i128);

/// Which whole numbers hold some coordinates, and in units of which power of two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    Small(i32),
    Large(i32),
    Wide(i32),
}

/// The range of some coordinates: the power of two they are all multiples of, and their size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    lowest: i32,
    size: f64,
}

impl Span {
    pub const NONE: Self = Self {
        lowest: i32::MAX,
        size: 0.0,
    };

    #[inline]
    pub fn with(self, x: f64) -> Self {
        Self {
            lowest: self.lowest.min(lowest_bit(x)),
            size: self.size.max(x.abs()),
        }
    }

    /// No coordinate is larger.
    pub fn size(self) -> f64 {
        self.size
    }

    /// Coordinates c < 2^b make u, v < 2^(b+1), differences < 2^(b+2), squares with sides below
    /// 2^(b+3), and eighths of centres below 2^(b+7): 7 bits and the sign must stay free.
    pub fn fit(self) -> Fit {
        if self.size == 0.0 {
            return Fit::Small(0);
        }
        let bits = highest_bit(self.size) + 1 - self.lowest;
        if self.lowest < -900 || bits > 120 {
            Fit::Wide(self.lowest)
        } else if bits > 56 {
            Fit::Large(self.lowest)
        } else {
            Fit::Small(self.lowest)
        }
    }
}

/// The exponent of the lowest bit that is 1; 0 has none.
fn lowest_bit(x: f64) -> i32 {
    if x == 0.0 { i32::MAX } else { decompose(x).1 }
}

/// The exponent of the highest bit that is 1.
fn highest_bit(x: f64) -> i32 {
    let (mantissa, exponent) = decompose(x);
    exponent + mantissa.unsigned_abs().ilog2().cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_doubles() {
        assert_eq!(lowest_bit(12.0), 2);
        assert_eq!(highest_bit(12.0), 3);
        assert_eq!(lowest_bit(0.1), -55);
        assert_eq!(lowest_bit(f64::from_bits(1)), -1074);
        assert_eq!(lowest_bit(-0.0), i32::MAX);
    }

    #[test]
    fn fits() {
        let fit = |values: &[f64]| values.iter().fold(Span::NONE, |s, &x| s.with(x)).fit();
        assert_eq!(fit(&[0.0]), Fit::Small(0));
        assert_eq!(fit(&[155_000.0, 6_000_000.0]), Fit::Small(3));
        assert_eq!(fit(&[155_000.1, 463_000.3]), Fit::Small(-35));
        assert_eq!(fit(&[0.1, 463_000.3]), Fit::Large(-55));
        assert_eq!(fit(&[1e-130, 1e150]), Fit::Wide(lowest_bit(1e-130)));
    }

    #[test]
    fn rounding() {
        assert_eq!(i64::toward_zero(-2.5, 0), -2);
        assert_eq!(i64::toward_zero(0.75, -2), 3);
        assert_eq!(((1i64 << 60) + 1).round(-60), 1.0);
        assert_eq!((-3i128).round(-1), -1.5);
        assert_eq!((-3i64).half(), -2);
    }
}

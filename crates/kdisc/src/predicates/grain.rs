//! The grain of a set of coordinates: the largest power of two of which all are whole multiples.

use num_bigint::BigInt;

use super::whole::decompose;
use crate::Point;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Grain {
    exponent: i32,
}

impl Grain {
    pub fn of(points: &[Point]) -> Self {
        let exponent = points
            .iter()
            .flat_map(|p| [p.x, p.y])
            .filter(|&value| value != 0.0)
            .map(|value| decompose(value).1)
            .min();
        Self {
            exponent: exponent.unwrap_or(0),
        }
    }

    /// As a length.
    pub fn size(self) -> f64 {
        power_of_two(self.exponent)
    }

    pub fn exponent(self) -> i32 {
        self.exponent
    }

    /// Whether a squared length up to this one is a whole number of square grains that a double
    /// holds, and so is computed from coordinates without rounding.
    pub fn squares_are_exact(self, squared: f64) -> bool {
        squared < power_of_two(52) * power_of_two(self.exponent) * power_of_two(self.exponent)
    }

    /// `to` − `from` in grains, if both parts are below 2^`bits`.
    pub fn short(self, to: Point, from: Point, bits: u32) -> Option<[i128; 2]> {
        Some([
            self.short_difference(to.x, from.x, bits)?,
            self.short_difference(to.y, from.y, bits)?,
        ])
    }

    fn short_difference(self, to: f64, from: f64, bits: u32) -> Option<i128> {
        let difference = to - from;
        // A difference of fewer bits than a double holds has not been rounded.
        let scaled = difference * power_of_two(-self.exponent);
        (scaled.abs() < (1u64 << bits) as f64).then_some(scaled as i128)
    }

    /// `to` − `from` in grains.
    pub fn long(self, to: Point, from: Point) -> [BigInt; 2] {
        [
            self.grains(to.x) - self.grains(from.x),
            self.grains(to.y) - self.grains(from.y),
        ]
    }

    /// A coordinate in grains.
    pub fn grains(self, value: f64) -> BigInt {
        let (mantissa, exponent) = decompose(value);
        BigInt::from(mantissa) << (exponent - self.exponent).max(0)
    }
}

/// 2^exponent, for exponents of normal doubles.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent.clamp(-1022, 1023)) as u64) << 52)
}

//! Whole numbers wide enough for any mixture of coordinates and δ.
//!
//! Coordinates reach from 1e-130 to 1e150 and δ down to the smallest double, 2⁻¹⁰⁷⁴, so the
//! widest sums take 1074 + 500 bits and a few more. Slow, and met only where a neighbourhood
//! mixes sizes more than 2⁶⁰ apart.

use std::cmp::Ordering;
use std::ops::{Add, Neg, Sub};

use super::whole::Whole;
use crate::predicates::decompose;

const LIMBS: usize = 26;

/// A number in two's complement, lowest limb first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wide([u64; LIMBS]);

impl Wide {
    fn is_negative(self) -> bool {
        self.0[LIMBS - 1] >> 63 == 1
    }

    /// mantissa · 2^shift; the shift must leave room.
    fn shifted(mantissa: u64, shift: u32) -> Self {
        let mut limbs = [0; LIMBS];
        let (limb, bit) = ((shift / 64) as usize, shift % 64);
        let value = u128::from(mantissa) << bit;
        limbs[limb] = value as u64;
        limbs[limb + 1] = (value >> 64) as u64;
        Self(limbs)
    }

    /// Bits `from` and up of a number that is not negative.
    fn bits(self, from: u32) -> u64 {
        let (limb, bit) = ((from / 64) as usize, from % 64);
        let low = self.0.get(limb).copied().unwrap_or(0);
        let high = self.0.get(limb + 1).copied().unwrap_or(0);
        ((u128::from(high) << 64 | u128::from(low)) >> bit) as u64
    }

    /// The number of bits of a number that is not negative.
    fn width(self) -> u32 {
        let top = self.0.iter().rposition(|&limb| limb != 0);
        top.map_or(0, |i| i as u32 * 64 + self.0[i].ilog2() + 1)
    }
}

impl Whole for Wide {
    const ZERO: Self = Self([0; LIMBS]);
    const ONE: Self = {
        let mut limbs = [0; LIMBS];
        limbs[0] = 1;
        Self(limbs)
    };

    fn toward_zero(x: f64, exponent: i32) -> Self {
        let (mantissa, own) = decompose(x);
        let mantissa = mantissa.unsigned_abs();
        let shift = own - exponent;
        let size = if shift >= 0 {
            Self::shifted(mantissa, shift.cast_unsigned())
        } else {
            Self::shifted(mantissa.checked_shr(shift.unsigned_abs()).unwrap_or(0), 0)
        };
        if x < 0.0 { -size } else { size }
    }

    fn half(self) -> Self {
        let mut limbs = self.0;
        let mut above = limbs[LIMBS - 1] & 1 << 63;
        for limb in limbs.iter_mut().rev() {
            (*limb, above) = (*limb >> 1 | above, *limb << 63);
        }
        Self(limbs)
    }

    fn round(self, exponent: i32) -> f64 {
        if self.is_negative() {
            // Not a negation: what rounds to 0 is never −0.
            return 0.0 - (-self).round(exponent);
        }
        let width = self.width();
        // Below the normal doubles fewer than 53 bits can be kept.
        let dropped = (width.cast_signed() - 53).max(-1074 - exponent).max(0) as u32;
        let mut kept = self.bits(dropped);
        if dropped > 0 {
            let half = self.bits(dropped - 1) & 1 == 1;
            let rest = (0..dropped - 1).step_by(64).any(|from| {
                let bits = (dropped - 1 - from).min(64);
                self.bits(from) << (64 - bits) != 0
            });
            if half && (rest || kept & 1 == 1) {
                kept += 1;
            }
        }
        // Two factors, as 2^exponent alone may be no double; each product is exact.
        let exponent = exponent + dropped.cast_signed();
        let first = exponent.clamp(-900, 900);
        kept as f64 * 2f64.powi(first) * 2f64.powi(exponent - first)
    }
}

impl Add for Wide {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let mut limbs = [0; LIMBS];
        let mut carry = false;
        for (sum, (a, b)) in limbs.iter_mut().zip(self.0.iter().zip(other.0)) {
            let (partial, first) = a.overflowing_add(b);
            let (total, second) = partial.overflowing_add(u64::from(carry));
            *sum = total;
            carry = first || second;
        }
        Self(limbs)
    }
}

impl Neg for Wide {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.map(|limb| !limb)) + Self::ONE
    }
}

impl Sub for Wide {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = other.is_negative().cmp(&self.is_negative());
        sign.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    fn big(x: Wide) -> BigInt {
        let size = if x.is_negative() { -x } else { x };
        let value = size
            .0
            .iter()
            .rev()
            .fold(BigInt::ZERO, |sum, &limb| (sum << 64) + limb);
        if x.is_negative() { -value } else { value }
    }

    #[test]
    fn arithmetic_is_that_of_big_integers() {
        let values = [
            0.0, 1.0, -1.0, 3.0, -7.0, 0.1, -0.1, 1e-130, -1e150, 1e150, 12345.678, -6e6,
        ];
        let wides = values.map(|x| Wide::toward_zero(x, -500));
        for a in wides {
            assert_eq!(big(a.half()), big(a) >> 1);
            for b in wides {
                assert_eq!(big(a + b), big(a) + big(b));
                assert_eq!(big(a - b), big(a) - big(b));
                assert_eq!(a.cmp(&b), big(a).cmp(&big(b)));
            }
        }
    }

    #[test]
    fn there_and_back() {
        for x in [0.0, 1.0, -0.1, 1e-130, -1e150, f64::from_bits(1), 1e-310] {
            assert_eq!(Wide::toward_zero(x, -1074).round(-1074), x);
        }
        assert_eq!(Wide::toward_zero(-1.5, 0).round(0), -1.0);
        assert_eq!(Wide::toward_zero(2.7, 0).round(0), 2.0);
    }

    #[test]
    fn rounds_half_to_even() {
        let one = Wide::toward_zero(1.0, -900);
        let half_ulp = Wide::toward_zero(2f64.powi(-53), -900);
        assert_eq!((one + half_ulp).round(-900), 1.0);
        assert_eq!((one + half_ulp + Wide::ONE).round(-900), 1.0 + f64::EPSILON);
        let next = one + half_ulp.twice();
        assert_eq!((next + half_ulp).round(-900), 1.0 + 2.0 * f64::EPSILON);
        assert_eq!(
            (next + half_ulp - Wide::ONE).round(-900),
            1.0 + f64::EPSILON
        );
        // Halves of the smallest double, rounded to even: 1/2 to 0, 3/2 to 2.
        assert_eq!(Wide::ONE.round(-1075), 0.0);
        assert!((-Wide::ONE).round(-1075).is_sign_positive());
        assert_eq!(
            (Wide::ONE.twice() + Wide::ONE).round(-1075),
            f64::from_bits(2)
        );
    }
}

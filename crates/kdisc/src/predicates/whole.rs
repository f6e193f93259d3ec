//! Exact whole numbers in two sizes: 128 bits where they suffice, unlimited where they do not.
//!
//! Coordinates are doubles, and so whole multiples of a power of two, the *grain*. On that scale
//! all predicates are polynomials in whole numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;

/// A ring of exact whole numbers with an order.
pub(crate) trait Whole: Clone + Ord + Sized {
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn zero() -> Self;
    fn two() -> Self;

    fn doubled(&self) -> Self {
        self.plus(self)
    }

    /// Compares a·b with c·d, all ≥ 0, where the products may be twice as long as the type.
    fn compare_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering;
}

impl Whole for i128 {
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn zero() -> Self {
        0
    }
    fn two() -> Self {
        2
    }
    fn compare_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering {
        wide(a.unsigned_abs(), b.unsigned_abs()).cmp(&wide(c.unsigned_abs(), d.unsigned_abs()))
    }
}

impl Whole for BigInt {
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn zero() -> Self {
        Self::ZERO
    }
    fn two() -> Self {
        2.into()
    }
    fn compare_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Ordering {
        (a * b).cmp(&(c * d))
    }
}

/// a · b in 256 bits: (high, low).
fn wide(a: u128, b: u128) -> (u128, u128) {
    const HALF: u128 = (1 << 64) - 1;
    let (a1, a0) = (a >> 64, a & HALF);
    let (b1, b0) = (b >> 64, b & HALF);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let carry = a0 * b1 + (middle & HALF);
    (
        a1 * b1 + (middle >> 64) + (carry >> 64),
        (carry << 64) | (low & HALF),
    )
}

/// A double as a mantissa and an exponent: value = mantissa · 2^exponent, the mantissa odd or 0.
pub(crate) fn decompose(value: f64) -> (i64, i32) {
    if value == 0.0 {
        return (0, 0);
    }
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)).cast_signed();
    let (mantissa, exponent) = if exponent == 0 {
        (fraction, -1074)
    } else {
        (fraction | (1 << 52), exponent - 1075)
    };
    let zeros = mantissa.trailing_zeros();
    let sign = if value < 0.0 { -1 } else { 1 };
    (sign * (mantissa >> zeros), exponent + zeros.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_products_carry() {
        let a = u128::MAX;
        assert_eq!(wide(a, a), (a - 1, 1));
        assert_eq!(wide(1 << 127, 2), (1, 0));
        assert_eq!(wide(a, 1), (0, a));
    }

    #[test]
    fn doubles_decompose() {
        for value in [1.0, -0.1, 6e6, 1e-130, 12.5, f64::MIN_POSITIVE / 8.0] {
            let (mantissa, exponent) = decompose(value);
            let back =
                mantissa as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            assert_eq!(back, value);
            assert!(mantissa % 2 != 0);
        }
    }
}

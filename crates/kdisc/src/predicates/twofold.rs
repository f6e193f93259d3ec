//! Twofold numbers: the unevaluated sum of two doubles, about 106 bits.
//!
//! Sums, differences and products of two doubles are exact (Dekker 1971, Knuth 1969); operations
//! on twofold numbers have a relative error of a few 2⁻¹⁰⁴, quotients of less than 2⁻¹⁰² (Joldes,
//! Muller and Popescu 2017). Nothing here guards against overflow:
//! callers scale first.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Twofold {
    pub high: f64,
    pub low: f64,
}

/// The relative error of any one operation below, generously.
pub(crate) const TWOFOLD_ERROR: f64 = 1.0 / (1u128 << 100) as f64;

impl Twofold {
    pub const ZERO: Self = Self {
        high: 0.0,
        low: 0.0,
    };

    pub fn of(value: f64) -> Self {
        Self {
            high: value,
            low: 0.0,
        }
    }

    /// a + b, exactly.
    pub fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let b_part = high - a;
        let low = (a - (high - b_part)) + (b - b_part);
        Self { high, low }
    }

    /// a − b, exactly.
    pub fn difference(a: f64, b: f64) -> Self {
        Self::sum(a, -b)
    }

    /// a · b, exactly.
    pub fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let (a1, a2) = halves(a);
        let (b1, b2) = halves(b);
        let low = a2 * b2 - (((high - a1 * b1) - a2 * b1) - a1 * b2);
        Self { high, low }
    }

    /// For |high| ≥ |low|.
    fn renormalized(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self {
            high: sum,
            low: low - (sum - high),
        }
    }

    pub fn plus(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let first = Self::renormalized(high.high, high.low + low.high);
        Self::renormalized(first.high, first.low + low.low)
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(other.negated())
    }

    pub fn negated(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }

    pub fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Self::renormalized(product.high, product.low + cross)
    }

    pub fn over(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self.minus(other.times(Self::of(first)));
        Self::renormalized(first, rest.high / other.high)
    }

    pub fn square_root(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        let root = self.high.sqrt();
        let rest = self.minus(Self::product(root, root));
        Self::renormalized(root, rest.high / (2.0 * root))
    }

    /// Multiplied by a power of two.
    pub fn scaled(self, power: f64) -> Self {
        Self {
            high: self.high * power,
            low: self.low * power,
        }
    }

    /// The nearest double, if everything within `error` of this number has the same.
    pub fn rounded(self, error: f64) -> Option<f64> {
        let down = self.high + (self.low - error);
        let up = self.high + (self.low + error);
        (down == up).then_some(up)
    }
}

/// Splits a double into two of 26 bits.
fn halves(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a;
    let high = c - (c - a);
    (high, a - high)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;
    use num_traits::{FromPrimitive, Signed};
    use proptest::prelude::*;

    use super::{TWOFOLD_ERROR, Twofold};

    fn exact(number: Twofold) -> BigRational {
        let [high, low] = [number.high, number.low].map(BigRational::from_f64);
        high.unwrap() + low.unwrap()
    }

    fn numbers() -> impl Strategy<Value = Twofold> {
        let part = || (1.0..2.0f64, -60..60i32).prop_map(|(m, e)| m * 2f64.powi(e));
        (part(), -1.0..1.0f64)
            .prop_map(|(high, rest)| Twofold::sum(high, rest * high * f64::EPSILON / 2.0))
    }

    /// Whether `a` is `b` up to a relative error.
    fn is_near(a: &BigRational, b: &BigRational, error: f64) -> bool {
        (a - b).abs() <= b.abs() * BigRational::from_f64(error).unwrap()
    }

    proptest! {
        #[test]
        fn operations_are_as_good_as_promised(a in numbers(), b in numbers()) {
            let (x, y) = (exact(a), exact(b));
            prop_assert!(is_near(&exact(a.plus(b)), &(&x + &y), TWOFOLD_ERROR));
            prop_assert!(is_near(&exact(a.minus(b)), &(&x - &y), TWOFOLD_ERROR));
            prop_assert!(is_near(&exact(a.times(b)), &(&x * &y), TWOFOLD_ERROR));
            prop_assert!(is_near(&exact(a.over(b)), &(&x / &y), TWOFOLD_ERROR));
            // The square of a root is off by twice as much.
            let root = exact(a.square_root());
            prop_assert!(is_near(&(&root * &root), &x, 2.0 * TWOFOLD_ERROR));
        }
    }
}

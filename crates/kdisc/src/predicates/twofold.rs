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

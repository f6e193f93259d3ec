//! The contributions in one set: their sum, and the largest of them.

use crate::predicates::Twofold;

/// What the values in a set come down to.
#[derive(Debug, Clone, Default)]
pub struct Contributions {
    /// All units in the set.
    pub units: u64,
    /// Those of them with a value, and each owner once.
    pub contributors: u64,
    /// Units with a category.
    pub categorised: u64,
    /// The category of most of these (the first of several), and their number.
    pub commonest: Option<(u32, u64)>,
    /// Units of the category that is asked about; of the commonest if none is.
    pub asked: u64,
    total: Sum,
    /// The largest contributions, in falling order; as many as were asked for.
    largest: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sum(Twofold);

impl Default for Sum {
    fn default() -> Self {
        Self(Twofold::ZERO)
    }
}

impl Sum {
    pub fn add(&mut self, value: f64) {
        self.0 = self.0.plus(Twofold::of(value));
    }

    pub fn join(&mut self, other: Self) {
        self.0 = self.0.plus(other.0);
    }

    fn less(self, value: f64) -> Self {
        Self(self.0.minus(Twofold::of(value)))
    }

    pub fn value(self) -> f64 {
        self.0.high
    }
}

impl Contributions {
    /// Forgets everything, and will keep so many of the largest.
    pub(super) fn clear(&mut self, needed: usize) {
        let mut largest = std::mem::take(&mut self.largest);
        largest.clear();
        largest.resize(needed.max(2), 0.0);
        *self = Self {
            largest,
            ..Self::default()
        };
    }

    pub(super) fn add_total(&mut self, sum: Sum) {
        self.total.join(sum);
    }

    /// Takes a contribution for one of the largest; false if it and all smaller ones are not.
    pub(super) fn offer(&mut self, value: f64) -> bool {
        let last = self.largest.len() - 1;
        if value <= self.largest[last] {
            return false;
        }
        let at = self.largest.partition_point(|&other| other >= value);
        self.largest[at..].rotate_right(1);
        self.largest[at] = value;
        true
    }

    /// The sum of all contributions.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.total.value()
    }

    /// The largest contribution; 0 if there is none.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.largest.first().copied().unwrap_or(0.0)
    }

    /// The second largest; 0 if there is none.
    #[must_use]
    pub fn second(&self) -> f64 {
        self.largest.get(1).copied().unwrap_or(0.0)
    }

    /// What remains without the `n` largest.
    pub(super) fn rest(&self, n: usize) -> f64 {
        let largest = self.largest.iter().take(n);
        let rest = largest.fold(self.total, |rest, &value| rest.less(value));
        rest.value().max(0.0)
    }

    /// The `n` largest together.
    pub(super) fn top(&self, n: usize) -> f64 {
        let mut sum = Sum::default();
        for &value in self.largest.iter().take(n) {
            sum.add(value);
        }
        sum.value()
    }

    pub(super) fn without_second(&self) -> f64 {
        self.total.less(self.second()).value()
    }

    /// 100 (X − x₁ − x₂) / x₁: unsafe by the p%-rule when below p. None where it does not apply.
    #[must_use]
    pub fn p_margin(&self) -> Option<f64> {
        let largest = self.largest();
        (largest > 0.0).then(|| 100.0 * (self.rest(2) / largest))
    }
}

//! A percentile of radii that are known by their bounds.
//!
//! Let L and U be the value at some rank among all lower and among all upper bounds. The value at
//! that rank among the radii lies between them. Locations whose bounds do not meet \[L, U\] are
//! certainly below or above, and can be left out. Once the others are known, the rank counts out
//! right.
//!
//! To measure them all would take long. But when all are told from one radius between L and U, the
//! pivot, either L or U moves there. The pivot is the value at the rank among the middles of the
//! bounds, which is about the percentile, so half of the locations are out after each round. It ends
//! when few are left, or so many with one and the same radius, as on lattices, that no pivot tells
//! them apart. These are measured, unless the lattice itself says that they must be equal.

use super::knowledge::Knowledge;

/// So few locations are measured without further ado.
const FEW: usize = 500;
/// When L and U are this close, relatively, and a pivot tells hardly any apart, it is given up.
const NARROW: f64 = 0.003;

/// What must be found out next.
pub(super) enum Need {
    /// On which side of this radius these locations are.
    Sides(Vec<u32>, f64),
    /// The discs of these; none when all is known.
    Discs(Vec<u32>),
}

pub(super) struct Percentile<'a> {
    weights: &'a [u64],
    /// Locations that are not certainly below or above.
    candidates: Vec<u32>,
    /// The ranks among the candidates, in units, between which the percentile lies.
    ranks: [u128; 2],
    /// How far it is from the first of these.
    part: f64,
    /// How many were not told apart by the last pivot.
    unsure: usize,
}

impl<'a> Percentile<'a> {
    /// As in [`crate::statistics`]: linear between the nearest, where each location counts for its
    /// units, given in `weights`.
    pub fn new(percent: u128, weights: &'a [u64]) -> Self {
        let units: u64 = weights.iter().sum();
        let last = u128::from(units.saturating_sub(1));
        let all = 0..weights.len() as u32;
        Self {
            weights,
            candidates: all.filter(|&l| weights[l as usize] > 0).collect(),
            ranks: [last * percent / 100, (last * percent).div_ceil(100)],
            part: (last * percent % 100) as f64 / 100.0,
            unsure: usize::MAX,
        }
    }

    /// Leaves out what is certainly below or above, and says what to find out of the rest.
    pub fn need(&mut self, knowledge: &Knowledge) -> Need {
        let low = self.at_rank(self.ranks[0], |l| knowledge.low(l));
        let high = self.at_rank(self.ranks[1], |l| knowledge.high(l));
        if low == high {
            return Need::Discs(Vec::new());
        }
        self.narrow(knowledge, low, high);
        let all = self.candidates.iter().copied();
        let open: Vec<u32> = all.filter(|&l| knowledge.is_open(l)).collect();
        if high - low < knowledge.resolution(high)
            && let Some(one) = self.one_of_equals(knowledge, low, high)
        {
            return Need::Discs(one);
        }
        if open.len() <= FEW {
            return Need::Discs(open);
        }
        let pivot = self.at_rank(self.ranks[0], |l| knowledge.middle(l));
        let across = open.iter().copied();
        let across: Vec<u32> = across.filter(|&l| knowledge.straddles(l, pivot)).collect();
        let unsure = across.iter().copied();
        let unsure: Vec<u32> = unsure.filter(|&l| knowledge.is_unsure(l, pivot)).collect();
        let is_tied = unsure.len() > self.unsure / 10 * 9
            && unsure.len() > open.len() / 2
            && high - low < NARROW * high;
        self.unsure = unsure.len();
        if is_tied || across.is_empty() || !pivot.is_finite() {
            Need::Discs(open)
        } else if unsure.is_empty() {
            Need::Discs(across)
        } else {
            Need::Sides(unsure, pivot)
        }
    }

    /// Its value, when nothing is needed.
    pub fn value(&self, knowledge: &Knowledge) -> f64 {
        let low = self.at_rank(self.ranks[0], |l| knowledge.low(l));
        let high = self.at_rank(self.ranks[1], |l| knowledge.high(l));
        if let Some(equal) = self.equal(knowledge, low, high) {
            return equal;
        }
        let last = self.at_rank(self.ranks[1], |l| knowledge.low(l));
        low + (last - low) * self.part
    }

    fn at_rank(&self, rank: u128, value: impl Fn(u32) -> f64) -> f64 {
        let candidates = self.candidates.iter();
        let values = candidates.map(|&l| (value(l), self.weights[l as usize]));
        at_rank(values, rank)
    }

    /// Leaves out what is certainly below `low` or above `high`.
    fn narrow(&mut self, knowledge: &Knowledge, low: f64, high: f64) {
        let mut below = 0;
        self.candidates.retain(|&l| {
            let is_below = knowledge.high(l) < low;
            if is_below {
                below += u128::from(self.weights[l as usize]);
            }
            !is_below && knowledge.low(l) <= high
        });
        self.ranks = self.ranks.map(|rank| rank - below);
    }

    /// The radius of all that are between `low` and `high`, if they must be equal and one is known.
    fn equal(&self, knowledge: &Knowledge, low: f64, high: f64) -> Option<f64> {
        let within = |&&l: &&u32| low <= knowledge.low(l) && knowledge.high(l) <= high;
        let mut known = self.candidates.iter().filter(|&&l| !knowledge.is_open(l));
        let one = known.find(within).map(|&l| knowledge.low(l));
        one.filter(|_| high - low < knowledge.resolution(high))
    }

    /// What to measure of those that are between `low` and `high`, which must be equal: one, or none
    /// if one is known. `None` if there is no such location.
    fn one_of_equals(&self, knowledge: &Knowledge, low: f64, high: f64) -> Option<Vec<u32>> {
        if self.equal(knowledge, low, high).is_some() {
            return Some(Vec::new());
        }
        let within = |&&l: &&u32| low <= knowledge.low(l) && knowledge.high(l) <= high;
        Some(vec![*self.candidates.iter().find(within)?])
    }
}

/// The value at a rank among values from 0 on, each as often as it weighs. Doubles from 0 on are
/// ordered as their bits are, so that a count by the first bits leaves few to be sorted.
fn at_rank(values: impl Iterator<Item = (f64, u64)> + Clone, rank: u128) -> f64 {
    const BITS: u32 = 18;
    let bucket = |value: f64| ((value + 0.0).to_bits() >> (64 - BITS)) as usize;
    let mut counts = vec![0u64; 1 << BITS];
    for (value, weight) in values.clone() {
        counts[bucket(value)] += weight;
    }
    let mut before = 0u128;
    let found = counts.iter().position(|&count| {
        before += u128::from(count);
        before > rank
    });
    let Some(found) = found else {
        return f64::INFINITY;
    };
    before -= u128::from(counts[found]);
    let inside = values.filter(|(value, _)| bucket(*value) == found);
    let mut inside: Vec<_> = inside.collect();
    inside.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let at = inside.iter().find(|(_, weight)| {
        before += u128::from(*weight);
        before > rank
    });
    at.map_or(f64::INFINITY, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::statistics::{figures, sorted};

    proptest! {
        #[test]
        fn percentiles_are_those_of_the_sorted_values(
            values in prop::collection::vec((prop_oneof![0.0..1e3, Just(7.5)], 1u64..4), 1..200)
        ) {
            let expected = figures(&sorted(values.clone()), |weight| weight).unwrap();
            let weights: Vec<u64> = values.iter().map(|(_, weight)| *weight).collect();
            for (percent, expected) in [(50, expected.median), (99, expected.p99)] {
                let percentile = Percentile::new(percent, &weights);
                let at = |rank| percentile.at_rank(rank, |l| values[l as usize].0);
                let [first, last] = percentile.ranks.map(at);
                prop_assert_eq!(first + (last - first) * percentile.part, expected);
            }
        }
    }
}

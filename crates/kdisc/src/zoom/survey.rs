//! A few figures of a measure, without measuring every location.
//!
//! A table of zoom levels wants the median, the 99th percentile and the largest radius of every
//! level, the highest risk, and how many units exceed a limit. Most of that is known from bounds
//! (see [`super::knowledge`]): a location whose bounds lie wholly on one side of a figure need not be
//! measured.
//!
//! *Order.* Let L and U be the value at some rank among all lower and among all upper bounds. The
//! value at that rank among the radii lies between them. Once every location whose bounds meet
//! \[L, U\] is measured, the others are certainly below or above, and the rank counts out right.
//!
//! *Largest.* Locations are measured by falling upper bound until none of the others can be among
//! the largest. The risk is at most the radius divided by k, so it ends in the same way.
//!
//! Cost: O(n log n), and the measure of those locations. With loose bounds that is all of them.

use super::knowledge::{Knowledge, Known, after_infinity, after_zero, begin};
use rayon::prelude::*;

use crate::{Anonymity, Delta, Disc, Measure, MeasureError, Point};
use Knowledge::{AfterZero, Beyond, Bounds};

/// What units should not exceed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// A largest radius.
    pub radius: Option<f64>,
    /// A highest risk.
    pub risk: Option<f64>,
}

/// Figures of a measure; each location counts once for every unit there.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// The median radius.
    pub radius_median: f64,
    /// The 99th percentile of the radii.
    pub radius_p99: f64,
    /// The largest radius.
    pub radius_max: f64,
    /// The highest risk.
    pub risk_max: f64,
    /// The locations with the largest radii, largest first: [`LARGEST`] of them, if there are.
    pub largest: Vec<(u32, Disc)>,
    /// The locations that exceed a limit.
    pub above: Vec<u32>,
    /// How many locations had to be measured for this.
    pub measured: usize,
}

/// How many locations with the largest radii are named.
pub const LARGEST: usize = 5;

/// With so few locations it is not worth while to leave some out.
const FEW: usize = 1_000;
/// Locations that are measured at once while the largest are looked for.
const BATCH: usize = 1_000;
/// Bounds are worked out in doubles: some room for that.
const ROOM: f64 = 1e-9;
/// A radius at δ = 0 of so many δ tells more than that at δ = ∞, which takes longer.
const FAR: f64 = 4.0;

/// The figures of a measure, when this much is known of every location of its population. `None`
/// when there are fewer than *k* units, so that there are no discs and every location exceeds every
/// limit.
///
/// # Errors
/// Those of the measure.
///
/// # Panics
/// When what is known is not of as many locations.
pub fn survey(
    measure: Measure<'_>,
    known: Known<'_>,
    limits: Limits,
) -> Result<Option<Survey>, MeasureError> {
    let Measure {
        population,
        anonymity,
        ..
    } = measure;
    if population.units() < anonymity.k() {
        return Ok(None);
    }
    let mut state = State {
        locations: population.locations(),
        weights: population.multiplicities(),
        anonymity,
        states: begin(known, anonymity, population.locations()),
        limits,
        measured: 0,
    };
    assert_eq!(state.states.len(), population.locations().len());
    loop {
        let wanted = state.needed();
        if wanted.is_empty() {
            return Ok(Some(state.figures()));
        }
        state.climb(measure, &wanted)?;
    }
}

struct State<'a> {
    locations: &'a [Point],
    weights: &'a [u64],
    anonymity: Anonymity,
    states: Vec<Knowledge>,
    limits: Limits,
    measured: usize,
}

impl State<'_> {
    /// Tells more of these locations: first at δ = 0, then at δ = ∞, at last at δ itself.
    fn climb(&mut self, measure: Measure<'_>, wanted: &[u32]) -> Result<(), MeasureError> {
        let delta = self.anonymity.delta();
        let between = delta > Delta::ZERO && delta < Delta::INFINITE;
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let (mut beyond, mut plain) = (Vec::new(), Vec::new());
        for &location in wanted {
            let group = match self.states[location as usize] {
                Bounds(..) if between => &mut first,
                // The radius at δ = ∞ is at least half of that at δ = 0.
                AfterZero(_, high) if high > FAR * delta.distance() => &mut beyond,
                AfterZero(..) => &mut second,
                Beyond(..) => &mut beyond,
                _ => &mut plain,
            };
            group.push(location);
        }
        self.learn(&first, measure.at(Delta::ZERO), |bounds, disc, _| {
            let (low, high) = after_zero(bounds, disc.radius, delta);
            AfterZero(low, high)
        })?;
        let asked = self.anonymity;
        self.learn(
            &second,
            measure.at(Delta::INFINITE),
            |bounds, disc, place| after_infinity(bounds, disc, place, asked),
        )?;
        // While others may still be settled by less, the last step can wait.
        if first.is_empty() && second.is_empty() {
            self.measured += beyond.len() + plain.len();
            let found = |_: (f64, f64), disc: &Disc, _: Point| Knowledge::Disc(*disc);
            self.learn(&beyond, measure.beyond(), found)?;
            self.learn(&plain, measure, found)?;
        }
        Ok(())
    }

    fn learn(
        &mut self,
        locations: &[u32],
        measure: Measure<'_>,
        lesson: impl Fn((f64, f64), &Disc, Point) -> Knowledge,
    ) -> Result<(), MeasureError> {
        if locations.is_empty() {
            return Ok(());
        }
        for (&location, disc) in locations.iter().zip(measure.locations(locations)?) {
            let place = self.locations[location as usize];
            let state = &mut self.states[location as usize];
            // There are k units, so there is a disc.
            if let (Some(bounds), Some(disc)) = (state.bounds(), disc) {
                *state = lesson(bounds, &disc, place);
            }
        }
        Ok(())
    }

    /// Locations without units count for nothing.
    fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(|&l| self.weights[l] > 0)
    }

    fn low(&self, location: usize) -> f64 {
        match self.states[location] {
            Knowledge::Disc(disc) => disc.radius,
            open => open.bounds().map_or(0.0, |(low, _)| low - ROOM * low.abs()),
        }
    }

    fn high(&self, location: usize) -> f64 {
        match self.states[location] {
            Knowledge::Disc(disc) => disc.radius,
            open => open
                .bounds()
                .map_or(f64::INFINITY, |(_, high)| high + ROOM * high.abs()),
        }
    }

    fn is_open(&self, location: usize) -> bool {
        self.states[location].bounds().is_some()
    }

    /// Locations without which the figures are not known.
    fn needed(&self) -> Vec<u32> {
        let open = self.counted().filter(|&l| self.is_open(l));
        let open: Vec<u32> = open.map(|l| l as u32).collect();
        if self.states.len() <= FEW || open.is_empty() {
            return open;
        }
        let lows = self.at_ranks(&|l| self.low(l));
        let highs = self.at_ranks(&|l| self.high(l));
        let ranges: Vec<_> = lows.into_iter().zip(highs).collect();
        let mut needed = self.perhaps_largest(&open);
        needed.extend(open.iter().filter(|&&l| {
            let (low, high) = (self.low(l as usize), self.high(l as usize));
            let meets = |&(from, to): &(f64, f64)| low <= to && high >= from;
            ranges.iter().any(meets) || self.is_doubtful(low, high)
        }));
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// Whether it is not known if a limit is exceeded.
    fn is_doubtful(&self, low: f64, high: f64) -> bool {
        let Limits { radius, risk } = self.limits;
        let by_radius = |limit: f64| low <= limit && high > limit;
        let surely = radius.is_some_and(|limit| low > limit);
        radius.is_some_and(by_radius)
            || (!surely && risk.is_some_and(|limit| high / self.k() > limit))
    }

    /// Those that could be among the largest, or have the highest risk; not too many at once.
    fn perhaps_largest(&self, open: &[u32]) -> Vec<u32> {
        let mut radii = vec![f64::NEG_INFINITY; LARGEST];
        let mut risk = f64::NEG_INFINITY;
        for location in self.counted() {
            if let Knowledge::Disc(disc) = self.states[location] {
                let at = radii.partition_point(|&r| r >= disc.radius);
                if at < LARGEST {
                    radii.insert(at, disc.radius);
                    radii.truncate(LARGEST);
                }
                risk = risk.max(disc.risk());
            }
        }
        let least = radii[LARGEST - 1];
        let perhaps = open.iter().copied().filter(|&l| {
            let high = self.high(l as usize);
            high >= least || high / self.k() > risk
        });
        let mut perhaps: Vec<u32> = perhaps.collect();
        if perhaps.len() > BATCH {
            let high = |l: u32| self.high(l as usize);
            perhaps.select_nth_unstable_by(BATCH, |&a, &b| {
                high(b).total_cmp(&high(a)).then(a.cmp(&b))
            });
            perhaps.truncate(BATCH);
        }
        perhaps
    }

    fn k(&self) -> f64 {
        self.anonymity.k() as f64
    }

    /// The values of a bound between which the percentiles lie, when each counts for its units.
    fn at_ranks(&self, bound: &(dyn Fn(usize) -> f64 + Sync)) -> [f64; 4] {
        let units: u64 = self.weights.iter().sum();
        let values: Vec<_> = (0..self.states.len())
            .into_par_iter()
            .filter(|&l| self.weights[l] > 0)
            .map(|l| (bound(l).max(0.0), self.weights[l]))
            .collect();
        positions(units).map(|(rank, _)| at_rank(&values, rank))
    }

    fn figures(&self) -> Survey {
        let units: u64 = self.weights.iter().sum();
        let [median, after_median, p99, after_p99] = self.at_ranks(&|l| self.high(l));
        let [(_, in_median), _, (_, in_p99), _] = positions(units);
        let radius_max = self.counted().map(|l| self.high(l)).fold(0.0, f64::max);
        let mut discs: Vec<(u32, Disc)> = Vec::new();
        let mut risk_max = 0.0f64;
        let mut above = Vec::new();
        for location in self.counted() {
            let exceeds = |radius: f64, risk: f64| {
                self.limits.radius.is_some_and(|limit| radius > limit)
                    || self.limits.risk.is_some_and(|limit| risk > limit)
            };
            let is_above = if let Knowledge::Disc(disc) = self.states[location] {
                risk_max = risk_max.max(disc.risk());
                discs.push((location as u32, disc));
                exceeds(disc.radius, disc.risk())
            } else {
                exceeds(self.low(location), 0.0)
            };
            if is_above {
                above.push(location as u32);
            }
        }
        discs.sort_by(|(_, a), (_, b)| b.radius.total_cmp(&a.radius));
        discs.truncate(LARGEST);
        Survey {
            radius_median: median + (after_median - median) * in_median,
            radius_p99: p99 + (after_p99 - p99) * in_p99,
            radius_max,
            risk_max,
            largest: discs,
            above,
            measured: self.measured,
        }
    }
}

/// The ranks between which the median and the 99th percentile lie, and how far from the first of
/// each two: as in [`crate::statistics`], linear between the nearest.
fn positions(units: u64) -> [(u128, f64); 4] {
    let last = u128::from(units - 1);
    let around = |percent: u128| {
        let part = (last * percent % 100) as f64 / 100.0;
        let first = last * percent / 100;
        [(first, part), ((last * percent).div_ceil(100), part)]
    };
    let [[a, b], [c, d]] = [around(50), around(99)];
    [a, b, c, d]
}

/// The value at a rank among values from 0 on, each as often as it weighs. Doubles from 0 on are
/// ordered as their bits are, so that a count by the first bits leaves few to be sorted.
fn at_rank(values: &[(f64, u64)], rank: u128) -> f64 {
    const SHIFT: u32 = 64 - 20;
    let bucket = |value: f64| ((value + 0.0).to_bits() >> SHIFT) as usize;
    let mut counts = vec![0u64; 1 << (64 - SHIFT)];
    for &(value, weight) in values {
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
    let inside = values.iter().filter(|(value, _)| bucket(*value) == found);
    let mut inside: Vec<_> = inside.copied().collect();
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
            let units = values.iter().map(|(_, weight)| weight).sum();
            let expected = figures(&sorted(values.clone()), |weight| weight).unwrap();
            let [median, after, p99, last] = positions(units).map(|(rank, _)| at_rank(&values, rank));
            let [(_, in_median), _, (_, in_p99), _] = positions(units);
            prop_assert_eq!(median + (after - median) * in_median, expected.median);
            prop_assert_eq!(p99 + (last - p99) * in_p99, expected.p99);
        }
    }
}

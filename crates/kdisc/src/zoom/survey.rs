//! A few figures of a measure, without measuring every location.
//!
//! A table of zoom levels wants the median, the 99th percentile and the largest radius of every
//! level, the highest risk, and how many units exceed a limit. Most of that is known from bounds:
//! the radius at one δ bounds that at another, and the radius of a location that of its pixel. A
//! location whose bounds lie wholly on one side of a figure need not be measured.
//!
//! *Order.* Let L and U be the value at some rank among all lower and among all upper bounds. The
//! value at that rank among the radii lies between them. Once every location whose bounds meet
//! \[L, U\] is measured, the others are certainly below or above, and the rank counts out right.
//!
//! *Largest.* Locations are measured by falling upper bound until none of the others can be among
//! the largest. The risk is at most the radius divided by k, so it ends in the same way.
//!
//! Cost: O(n log n), and the measure of those locations. With loose bounds that is all of them.

use crate::statistics::{figures, sorted};
use crate::{Disc, Measure, MeasureError};

/// What is known of the disc of a location before it is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Known {
    /// Its radius is at least `low` and at most `high`.
    Between {
        /// At least this.
        low: f64,
        /// At most this.
        high: f64,
    },
    /// The disc itself.
    Disc(Disc),
}

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

/// The figures of a measure, when this much is known of every location of its population. `None`
/// when there are fewer than *k* units, so that there are no discs and every location exceeds every
/// limit.
///
/// # Errors
/// Those of the measure.
///
/// # Panics
/// When there are not as many bounds as locations.
pub fn survey(
    measure: Measure<'_>,
    known: Vec<Known>,
    limits: Limits,
) -> Result<Option<Survey>, MeasureError> {
    let Measure {
        population,
        anonymity,
        ..
    } = measure;
    assert_eq!(known.len(), population.locations().len());
    if population.units() < anonymity.k() {
        return Ok(None);
    }
    let mut state = State {
        weights: population.multiplicities(),
        k: anonymity.k() as f64,
        known,
        limits,
        measured: 0,
    };
    let mut wanted = state.needed_for_order();
    while !wanted.is_empty() {
        state.measured += wanted.len();
        for (&location, disc) in wanted.iter().zip(measure.locations(&wanted)?) {
            // There are k units, so there is a disc.
            if let Some(disc) = disc {
                state.known[location as usize] = Known::Disc(disc);
            }
        }
        wanted = state.needed_for_largest();
    }
    Ok(state.figures())
}

struct State<'a> {
    weights: &'a [u64],
    k: f64,
    known: Vec<Known>,
    limits: Limits,
    measured: usize,
}

impl State<'_> {
    /// Locations without units count for nothing.
    fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.known.len()).filter(|&l| self.weights[l] > 0)
    }

    fn low(&self, location: usize) -> f64 {
        match self.known[location] {
            Known::Between { low, .. } => low - ROOM * low.abs(),
            Known::Disc(disc) => disc.radius,
        }
    }

    fn high(&self, location: usize) -> f64 {
        match self.known[location] {
            Known::Between { high, .. } => high + ROOM * high.abs(),
            Known::Disc(disc) => disc.radius,
        }
    }

    fn is_open(&self, location: usize) -> bool {
        matches!(self.known[location], Known::Between { .. })
    }

    /// Locations without which the percentiles and the number above the limits are not known, and
    /// the most promising for the largest.
    fn needed_for_order(&self) -> Vec<u32> {
        let open = self.counted().filter(|&l| self.is_open(l));
        let open: Vec<u32> = open.map(|l| l as u32).collect();
        if self.known.len() <= FEW {
            return open;
        }
        let lows = self.at_ranks(&|l| self.low(l));
        let highs = self.at_ranks(&|l| self.high(l));
        let ranges: Vec<_> = lows.into_iter().zip(highs).collect();
        let mut needed = self.by_falling_bound(&open);
        needed.truncate(BATCH);
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
            || (!surely && risk.is_some_and(|limit| high / self.k > limit))
    }

    /// Locations that could be among the largest, or have the highest risk; not too many at once.
    fn needed_for_largest(&self) -> Vec<u32> {
        let mut radii = vec![f64::NEG_INFINITY; LARGEST];
        let mut risk = f64::NEG_INFINITY;
        let mut open = Vec::new();
        for location in self.counted() {
            match self.known[location] {
                Known::Between { .. } => open.push(location as u32),
                Known::Disc(disc) => {
                    let at = radii.partition_point(|&r| r >= disc.radius);
                    if at < LARGEST {
                        radii.insert(at, disc.radius);
                        radii.truncate(LARGEST);
                    }
                    risk = risk.max(disc.risk());
                }
            }
        }
        let least = radii[LARGEST - 1];
        open.retain(|&l| {
            let high = self.high(l as usize);
            high >= least || high / self.k > risk
        });
        let mut needed = self.by_falling_bound(&open);
        needed.truncate(BATCH);
        needed
    }

    fn by_falling_bound(&self, locations: &[u32]) -> Vec<u32> {
        let mut falling = locations.to_vec();
        falling.sort_unstable_by(|&a, &b| {
            let (high_a, high_b) = (self.high(a as usize), self.high(b as usize));
            high_b.total_cmp(&high_a).then(a.cmp(&b))
        });
        falling
    }

    /// The values of a bound between which the percentiles lie, when each counts for its units.
    fn at_ranks(&self, bound: &dyn Fn(usize) -> f64) -> Vec<f64> {
        let values = self.counted().map(|l| (bound(l), self.weights[l]));
        let values = sorted(values.collect());
        let units: u64 = self.weights.iter().sum();
        let last = u128::from(units - 1);
        let ranks = [last * 50 / 100, (last * 50).div_ceil(100)];
        let ranks = ranks
            .into_iter()
            .chain([last * 99 / 100, (last * 99).div_ceil(100)]);
        let mut ranks = ranks.peekable();
        let mut found = Vec::with_capacity(4);
        let mut seen = 0u128;
        for (value, weight) in values {
            seen += u128::from(weight);
            while ranks.next_if(|&rank| rank < seen).is_some() {
                found.push(value);
            }
        }
        found
    }

    fn figures(&self) -> Option<Survey> {
        let radii = self.counted().map(|l| (self.high(l), self.weights[l]));
        let figures = figures(&sorted(radii.collect()), |weight| weight)?;
        let mut discs: Vec<(u32, Disc)> = Vec::new();
        let mut risk_max = 0.0f64;
        let mut above = Vec::new();
        for location in self.counted() {
            let exceeds = |radius: f64, risk: f64| {
                self.limits.radius.is_some_and(|limit| radius > limit)
                    || self.limits.risk.is_some_and(|limit| risk > limit)
            };
            let is_above = match self.known[location] {
                Known::Between { .. } => exceeds(self.low(location), 0.0),
                Known::Disc(disc) => {
                    risk_max = risk_max.max(disc.risk());
                    discs.push((location as u32, disc));
                    exceeds(disc.radius, disc.risk())
                }
            };
            if is_above {
                above.push(location as u32);
            }
        }
        discs.sort_by(|(_, a), (_, b)| b.radius.total_cmp(&a.radius));
        discs.truncate(LARGEST);
        Some(Survey {
            radius_median: figures.median,
            radius_p99: figures.p99,
            radius_max: figures.max,
            risk_max,
            largest: discs,
            above,
            measured: self.measured,
        })
    }
}

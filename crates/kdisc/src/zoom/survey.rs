//! A few figures of a measure, without measuring every location.
//!
//! A table of zoom levels wants the median, the 99th percentile and the largest radius of every
//! level, the highest risk, and how many units exceed a limit. For each of these a location need only
//! be known to be on one side of some radius. Bounds tell that of most (see [`super::knowledge`]).
//! Of others it is asked (see `measure::side`), which takes less than a twentieth of the time of their
//! disc at 0 < δ < ∞. Those that remain are measured: hundreds, and as many as tie with a percentile.
//!
//! Bounds, sides and discs are facts, each on its own. In which order they are learnt decides what
//! it costs, but not what comes out.
//!
//! Cost: O(n), some sides of each location, and few discs.

use super::knowledge::{Knowledge, Known, ROOM};
use super::largest::Largest;
use super::percentile::{Need, Percentile};
use crate::{Delta, Disc, Measure, MeasureError};

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
    /// The locations with the largest radii, largest first: [`LARGEST`](super::LARGEST) of them, if
    /// there are.
    pub largest: Vec<(u32, Disc)>,
    /// The locations that exceed a limit.
    pub above: Vec<u32>,
    /// How many locations had to be measured for this.
    pub measured: usize,
}

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
    let weights = population.multiplicities();
    let mut largest = Largest::new(weights, anonymity.k());
    let mut above = Vec::new();
    let knowledge = Knowledge::new(known, measure, |location, disc| {
        if weights[location as usize] > 0 {
            largest.offer(location, disc);
            above.extend(limits.exceeded(&disc).then_some(location));
        }
    });
    let mut surveyor = Surveyor {
        measure,
        weights,
        limits,
        knowledge,
        percentiles: [50, 99].map(|percent| Percentile::new(percent, weights)),
        largest,
        above,
        measured: 0,
    };
    while surveyor.learn()? {}
    Ok(Some(surveyor.figures()))
}

impl Limits {
    fn exceeded(&self, disc: &Disc) -> bool {
        self.radius.is_some_and(|limit| disc.radius > limit)
            || self.risk.is_some_and(|limit| disc.risk() > limit)
    }
}

struct Surveyor<'a> {
    measure: Measure<'a>,
    weights: &'a [u64],
    limits: Limits,
    knowledge: Knowledge,
    percentiles: [Percentile<'a>; 2],
    largest: Largest,
    /// Locations whose disc exceeds a limit.
    above: Vec<u32>,
    measured: usize,
}

impl Surveyor<'_> {
    /// Finds out what the figures need next; false when that is nothing.
    fn learn(&mut self) -> Result<bool, MeasureError> {
        let knowledge = &self.knowledge;
        let [median, p99] = &mut self.percentiles;
        let needs = [
            median.need(knowledge),
            p99.need(knowledge),
            self.largest.need(knowledge),
        ];
        let (mut sides, mut discs) = self.doubtful();
        for need in needs {
            match need {
                Need::Sides(locations, radius) => {
                    sides.extend(locations.into_iter().map(|l| (l, radius)));
                }
                Need::Discs(locations) => discs.extend(locations),
            }
        }
        // As long as some can be settled by less, discs can wait.
        if sides.is_empty() {
            discs.sort_unstable();
            discs.dedup();
            self.measure(&discs)?;
            return Ok(!discs.is_empty());
        }
        // Neighbours share what is in the cache.
        sides.sort_unstable_by_key(|(location, _)| *location);
        let answers = self.measure.sides(&sides)?;
        for ((location, radius), side) in sides.into_iter().zip(answers) {
            self.knowledge.told(location, radius, side);
        }
        Ok(true)
    }

    /// Locations of which it is not known whether they exceed a limit: to be told from a radius, or
    /// measured.
    fn doubtful(&self) -> (Vec<(u32, f64)>, Vec<u32>) {
        let (mut sides, mut discs) = (Vec::new(), Vec::new());
        let Limits { radius, risk } = self.limits;
        if radius.is_none() && risk.is_none() {
            return (sides, discs);
        }
        let k = self.measure.anonymity.k() as f64;
        // A little below and above the limits: just there it takes a disc to tell.
        let (less, more) = (1.0 - 8.0 * ROOM, 1.0 + 8.0 * ROOM);
        let pivots = [
            radius.map(|limit| limit * less),
            radius.map(|limit| limit * more),
            risk.map(|limit| limit * k * less),
        ];
        for location in self.counted().filter(|&l| !self.knowledge.has_disc(l)) {
            let (low, high) = (self.knowledge.low(location), self.knowledge.high(location));
            let is_above = radius.is_some_and(|limit| low > limit);
            let is_below = radius.is_none_or(|limit| high <= limit)
                && risk.is_none_or(|limit| high / k <= limit);
            if is_above || is_below {
                continue;
            }
            let mut pivots = pivots.iter().flatten();
            match pivots.find(|&&pivot| self.knowledge.is_unsure(location, pivot)) {
                Some(&pivot) => sides.push((location, pivot)),
                None => discs.push(location),
            }
        }
        (sides, discs)
    }

    /// Measures these locations.
    fn measure(&mut self, locations: &[u32]) -> Result<(), MeasureError> {
        self.measured += locations.len();
        let delta = self.measure.anonymity.delta().distance();
        let (mut free, mut beyond, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for &location in locations {
            let group = if self.knowledge.high(location) < delta {
                &mut free
            } else if self.knowledge.low(location) > delta {
                &mut beyond
            } else {
                &mut rest
            };
            group.push(location);
        }
        let measure = self.measure;
        for (locations, measure) in [
            // Where the radius is below δ, the centre may be anywhere.
            (free, measure.at(Delta::INFINITE)),
            (beyond, measure.beyond()),
            (rest, measure),
        ] {
            if locations.is_empty() {
                continue;
            }
            for (&location, disc) in locations.iter().zip(measure.locations(&locations)?) {
                // There are k units, so there is a disc.
                if let Some(disc) = disc {
                    self.knowledge.measured(location, disc.radius);
                    self.largest.offer(location, disc);
                    self.above
                        .extend(self.limits.exceeded(&disc).then_some(location));
                }
            }
        }
        Ok(())
    }

    /// Locations without units count for nothing.
    fn counted(&self) -> impl Iterator<Item = u32> {
        (0..self.weights.len() as u32).filter(|&l| self.weights[l as usize] > 0)
    }

    fn figures(self) -> Survey {
        let knowledge = &self.knowledge;
        let [radius_median, radius_p99] = [0, 1].map(|i| self.percentiles[i].value(knowledge));
        let mut above = self.above.clone();
        if let Some(limit) = self.limits.radius {
            let others = self.counted().filter(|&l| !knowledge.has_disc(l));
            above.extend(others.filter(|&l| knowledge.low(l) > limit));
        }
        above.sort_unstable();
        Survey {
            radius_median,
            radius_p99,
            radius_max: self.largest.discs.first().map_or(0.0, |(_, d)| d.radius),
            risk_max: self.largest.risk,
            largest: self.largest.discs,
            above,
            measured: self.measured,
        }
    }
}

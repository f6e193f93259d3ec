//! The measure: for each location, the smallest disc that holds it and at least *k* units.

mod disc;
mod job;
mod point;
mod square;

use std::sync::atomic::{AtomicBool, AtomicUsize};

use job::Job;
use thiserror::Error;

use crate::{Anonymity, Delta, Disc, Metric, Point, Population, PopulationError};

/// How much is done: called with (steps done, steps in all), from any thread. A step is one
/// location in one pass over them; how many passes there are depends on the question.
pub type Progress<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// A measurement of a population, ready to run.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    pub(crate) population: &'a Population,
    pub(crate) anonymity: Anonymity,
    threads: usize,
    progress: Option<&'a Progress<'a>>,
    cancel: Option<&'a AtomicBool>,
    /// Whether the radii at δ = ∞ of all that are asked for are known to exceed δ.
    beyond: bool,
}

impl<'a> Measure<'a> {
    /// Asks `anonymity` of `population`.
    #[must_use]
    pub fn new(population: &'a Population, anonymity: Anonymity) -> Self {
        Self {
            population,
            anonymity,
            threads: 0,
            progress: None,
            cancel: None,
            beyond: false,
        }
    }

    /// The same measurement at another δ.
    pub(crate) fn at(self, delta: Delta) -> Self {
        Self {
            anonymity: self.anonymity.with_delta(delta),
            ..self
        }
    }

    /// The same, of locations whose radii at δ = ∞ are known to exceed δ.
    pub(crate) fn beyond(self) -> Self {
        Self {
            beyond: true,
            ..self
        }
    }

    /// Uses at most this many threads; 0, the default, means all cores.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Calls `progress` now and then while it runs.
    #[must_use]
    pub fn progress(self, progress: &'a Progress<'a>) -> Self {
        Self {
            progress: Some(progress),
            ..self
        }
    }

    /// Stops early, with [`MeasureError::Cancelled`], once `flag` is true.
    #[must_use]
    pub fn cancel(self, flag: &'a AtomicBool) -> Self {
        Self {
            cancel: Some(flag),
            ..self
        }
    }

    /// The disc of every location, in the order of [`Population::locations`]; `None` where the
    /// population has fewer than *k* units.
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be started.
    pub fn all(self) -> Result<Vec<Option<Disc>>, MeasureError> {
        self.solve(self.population, None)
    }

    /// The discs of these locations alone (indices into [`Population::locations`]).
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be started.
    ///
    /// # Panics
    /// When an index is out of range.
    pub fn locations(self, locations: &[u32]) -> Result<Vec<Option<Disc>>, MeasureError> {
        let mut wanted = vec![false; self.population.locations().len()];
        for &location in locations {
            wanted[location as usize] = true;
        }
        let discs = self.solve(self.population, Some(&wanted))?;
        Ok(locations.iter().map(|&l| discs[l as usize]).collect())
    }

    /// The discs of these places, which need not be locations of the population. A place that is
    /// none counts for no unit, but must lie in its disc.
    ///
    /// # Errors
    /// When a coordinate is not usable, or when cancelled.
    pub fn places(self, places: &[Point]) -> Result<Vec<Option<Disc>>, MeasureError> {
        let old = self.population.locations().len();
        let mut points = places.to_vec();
        points.extend_from_slice(self.population.locations());
        let mut weights = vec![0; places.len()];
        weights.extend_from_slice(self.population.multiplicities());
        let merged = Population::with_weights(&points, &weights)?;
        let rows = &merged.location_of_row()[..points.len() - old];
        Measure {
            population: &merged,
            ..self
        }
        .locations(rows)
    }

    fn solve(
        self,
        population: &Population,
        wanted: Option<&[bool]>,
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        let tree = population.tree();
        let Anonymity { k, delta, metric } = self.anonymity;
        let passes = match metric {
            Metric::L2 if delta == Delta::INFINITE => disc::CLUSTER_PASSES,
            Metric::L2 if delta > Delta::ZERO => disc::BOUNDED_PASSES,
            _ => 1,
        };
        let job = Job {
            wanted,
            cancel: self.cancel,
            progress: self.progress,
            beyond: self.beyond,
            done: AtomicUsize::new(0),
            total: passes * tree.points().len(),
        };
        job.advance(0)?;
        if tree.units() < k {
            return Ok(vec![None; tree.points().len()]);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        pool.install(|| match metric {
            Metric::L1 | Metric::Linf => square::solve(tree, self.anonymity, &job),
            Metric::L2 if delta == Delta::ZERO => point::solve(tree, k, &job),
            Metric::L2 if delta == Delta::INFINITE => disc::cluster(tree, k, &job),
            Metric::L2 => disc::within(tree, k, delta.distance(), &job),
        })
    }
}

/// Why a measurement has no result.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MeasureError {
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// The threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// A place cannot be measured.
    #[error(transparent)]
    Place(#[from] PopulationError),
}

impl From<rayon::ThreadPoolBuildError> for MeasureError {
    fn from(error: rayon::ThreadPoolBuildError) -> Self {
        Self::Threads(error.to_string())
    }
}

//! The measure: for each location, the smallest disc that holds it and at least *k* units.

mod disc;
mod job;
mod members;
mod point;
mod side;
mod square;

use std::sync::atomic::AtomicBool;

pub(crate) use job::{Job, Run};
pub use members::Members;
pub(crate) use side::Side;
use thiserror::Error;

use crate::index::Tree;
use crate::within::EnclosedError;

use crate::{Anonymity, Delta, Disc, Metric, Point, Population, PopulationError};

/// How much is done: called with (steps done, steps in all), from any thread. A step is one
/// location in one pass over them; how many passes there are depends on the question.
pub type Progress<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// A measurement of a population, ready to run.
#[derive(Clone, Copy)]
pub struct Measure<'a> {
    pub(crate) population: &'a Population,
    pub(crate) anonymity: Anonymity,
    run: Run<'a>,
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
            run: Run::default(),
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
    pub fn threads(mut self, threads: usize) -> Self {
        self.run.threads = threads;
        self
    }

    /// Calls `progress` now and then while it runs.
    #[must_use]
    pub fn progress(mut self, progress: &'a Progress<'a>) -> Self {
        self.run.progress = Some(progress);
        self
    }

    /// Stops early, with [`MeasureError::Cancelled`], once `flag` is true.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.run.cancel = Some(flag);
        self
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
        let (rows, names) = merged.location_of_row().split_at(points.len() - old);
        if self.anonymity.metric == Metric::L2 && self.anonymity.delta == Delta::INFINITE {
            return self.one_by_one(&merged, rows, names);
        }
        Measure {
            population: &merged,
            ..self
        }
        .locations(rows)
    }

    /// The discs of places, δ = ∞, given as locations of units and places put together, and what
    /// the locations of the units are called there.
    fn one_by_one(
        self,
        merged: &Population,
        places: &[u32],
        names: &[u32],
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        let (units, k) = (self.population.tree(), self.anonymity.k);
        let weights = merged.multiplicities();
        let mut wanted = vec![false; weights.len()];
        for &place in places {
            wanted[place as usize] = true;
        }
        let inhabited: Vec<bool> = names.iter().map(|&n| wanted[n as usize]).collect();
        for &name in names {
            wanted[name as usize] = false;
        }
        let total = disc::CLUSTER_PASSES * names.len() + weights.len();
        self.run.of(total, |job| {
            let enough = units.units() >= k;
            let mut discs = vec![None; weights.len()];
            if enough && wanted.contains(&true) {
                let both = disc::lone::Both {
                    units,
                    merged: merged.tree(),
                    names,
                };
                discs = disc::lone::solve(&both, k, &job.wanting(Some(&wanted)))?;
            }
            if enough && inhabited.contains(&true) {
                let settled = disc::cluster(units, k, &job.wanting(Some(&inhabited)))?;
                for (&name, disc) in names.iter().zip(settled) {
                    if disc.is_some() {
                        discs[name as usize] = disc;
                    }
                }
            }
            Ok(places.iter().map(|&place| discs[place as usize]).collect())
        })
    }

    /// On which side of a radius above 0 each of these locations is.
    pub(crate) fn sides(self, asked: &[(u32, f64)]) -> Result<Vec<Side>, MeasureError> {
        let tree = self.population.tree();
        self.run.of(asked.len(), |job| {
            side::solve(tree, self.anonymity, asked, job)
        })
    }

    fn solve(
        self,
        population: &Population,
        wanted: Option<&[bool]>,
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        let tree = population.tree();
        let total = passes(self.anonymity) * tree.points().len();
        self.run.of(total, |job| {
            let job = Job {
                wanted,
                beyond: self.beyond,
                ..*job
            };
            solve(tree, self.anonymity, &job)
        })
    }
}

/// Passes over the locations that [`solve`] makes: one step for each location and pass.
pub(crate) fn passes(anonymity: Anonymity) -> usize {
    match anonymity.metric {
        Metric::L2 if anonymity.delta == Delta::INFINITE => disc::CLUSTER_PASSES,
        Metric::L2 if anonymity.delta > Delta::ZERO => disc::BOUNDED_PASSES,
        _ => 1,
    }
}

/// The discs of the locations that `job` wants, on the caller's threads.
pub(crate) fn solve(
    tree: &Tree,
    anonymity: Anonymity,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let Anonymity { k, delta, metric } = anonymity;
    if tree.units() < k {
        let locations = tree.points().len();
        job.advance(passes(anonymity) * locations)?;
        return Ok(vec![None; locations]);
    }
    match metric {
        Metric::L1 | Metric::Linf => square::solve(tree, anonymity, job),
        Metric::L2 if delta == Delta::ZERO => point::solve(tree, k, job),
        Metric::L2 if delta == Delta::INFINITE => disc::cluster(tree, k, job),
        Metric::L2 => disc::within(tree, k, delta.distance(), job),
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
    /// Discs cannot be asked to lie in these regions.
    #[error(transparent)]
    Enclosed(#[from] EnclosedError),
    /// A place cannot be measured.
    #[error(transparent)]
    Place(#[from] PopulationError),
}

impl From<rayon::ThreadPoolBuildError> for MeasureError {
    fn from(error: rayon::ThreadPoolBuildError) -> Self {
        Self::Threads(error.to_string())
    }
}

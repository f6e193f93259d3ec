//! Within regions: only units of one's own group count, and the disc may have to lie inside.
//!
//! Tables and maps are often made by region. Then two stricter questions are asked of a location s
//! in a group of the units:
//!
//! - *within*: the smallest disc that holds s and at least k units of its own group. This is the
//!   measure on the population of that group, for any δ and metric; there is no disc where the
//!   group has fewer than k units.
//! - *enclosed* ([`enclosed`]): the disc itself must lie in the polygon of the group, too.
//!
//! All groups share one set of threads: small groups are done side by side, and a large one by
//! all threads together. What is found does not depend on which.

mod enclosed;
mod groups;

use std::sync::atomic::AtomicBool;

use rayon::prelude::*;
use thiserror::Error;

use crate::measure::{self, Job, Run};
use crate::region::Region;
use crate::{Anonymity, Delta, Disc, MeasureError, Metric, Point, Progress};
use groups::Group;
pub use groups::Groups;

/// A measurement of units among those of their own group, ready to run.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    groups: &'a Groups,
    anonymity: Anonymity,
    /// The polygons that discs must lie in, by the numbers of the groups.
    enclosing: Option<&'a [Region]>,
    run: Run<'a>,
}

impl<'a> Within<'a> {
    /// Asks `anonymity` of each group.
    #[must_use]
    pub fn new(groups: &'a Groups, anonymity: Anonymity) -> Self {
        Self {
            groups,
            anonymity,
            enclosing: None,
            run: Run::default(),
        }
    }

    /// Discs must lie inside: those of group i in one part of `regions[i]`, its border included.
    ///
    /// # Errors
    /// For any metric but L2, for 0 < δ < ∞, and when a group has no region.
    pub fn enclosed(self, regions: &'a [Region]) -> Result<Self, EnclosedError> {
        can_be_enclosed(self.anonymity)?;
        let mut numbers = self.groups.groups().iter().map(|group| group.number);
        if let Some(group) = numbers.find(|&number| number as usize >= regions.len()) {
            return Err(EnclosedError::NoRegion {
                group,
                regions: regions.len(),
            });
        }
        Ok(Self {
            enclosing: Some(regions),
            ..self
        })
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

    /// The disc of every location, in the order of [`Groups::locations`]; `None` where the group
    /// has fewer than *k* units, or no disc lies inside.
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be started.
    pub fn all(self) -> Result<Vec<Option<Disc>>, MeasureError> {
        self.solve(None)
    }

    /// The discs of these locations alone (indices into [`Groups::locations`]).
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be started.
    ///
    /// # Panics
    /// When an index is out of range.
    pub fn locations(self, locations: &[u32]) -> Result<Vec<Option<Disc>>, MeasureError> {
        let mut wanted = vec![false; self.groups.len()];
        for &location in locations {
            wanted[location as usize] = true;
        }
        let discs = self.solve(Some(&wanted))?;
        Ok(locations.iter().map(|&l| discs[l as usize]).collect())
    }

    /// The discs of these places, each among the units of the group beside it; `None` for a place
    /// in no group.
    ///
    /// # Errors
    /// When a coordinate is not usable, or when cancelled.
    pub fn places(
        self,
        places: &[Point],
        group_of_place: &[Option<u32>],
    ) -> Result<Vec<Option<Disc>>, MeasureError> {
        let mut points = places.to_vec();
        let mut weights = vec![0; places.len()];
        let mut group_of_row = group_of_place.to_vec();
        for (point, units, group) in self.groups.locations() {
            points.push(point);
            weights.push(units);
            group_of_row.push(Some(group));
        }
        let merged = Groups::new(&points, Some(&weights), &group_of_row)?;
        let asked: Vec<u32> = (0..places.len())
            .filter_map(|row| Some(merged.location_of_row(row)? as u32))
            .collect();
        let measure = Within {
            groups: &merged,
            ..self
        };
        let mut discs = measure.locations(&asked)?.into_iter();
        let answers = (0..places.len()).map(|row| {
            merged.location_of_row(row)?;
            discs.next().flatten()
        });
        Ok(answers.collect())
    }

    fn solve(self, wanted: Option<&[bool]>) -> Result<Vec<Option<Disc>>, MeasureError> {
        let passes = measure::passes(self.anonymity) + usize::from(self.enclosing.is_some());
        self.run.of(passes * self.groups.len(), |job| {
            let groups = self.groups.groups().par_iter();
            let discs: Vec<Vec<Option<Disc>>> = groups
                .map(|group| {
                    let own = group.first..group.first + group.tree.points().len();
                    self.group(group, &job.wanting(wanted.map(|wanted| &wanted[own])))
                })
                .collect::<Result<_, _>>()?;
            Ok(discs.concat())
        })
    }

    fn group(self, group: &Group, job: &Job<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
        let mut discs = measure::solve(&group.tree, self.anonymity, job)?;
        if let Some(regions) = self.enclosing {
            let region = &regions[group.number as usize];
            enclosed::refine(&group.tree, region, self.anonymity, &mut discs, job)?;
        }
        Ok(discs)
    }
}

/// Whether discs can be asked to lie inside a region.
///
/// # Errors
/// For any metric but L2, and for 0 < δ < ∞.
pub fn can_be_enclosed(anonymity: Anonymity) -> Result<(), EnclosedError> {
    let delta = anonymity.delta();
    if anonymity.metric() != Metric::L2 {
        Err(EnclosedError::Metric(anonymity.metric()))
    } else if delta != Delta::ZERO && delta != Delta::INFINITE {
        Err(EnclosedError::Delta(delta))
    } else {
        Ok(())
    }
}

/// Why discs cannot be asked to lie inside regions.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EnclosedError {
    /// Only discs of L2 can.
    #[error("metric {0}: only discs (l2) can be enclosed in a region")]
    Metric(Metric),
    /// Only centres on the unit or anywhere.
    #[error("delta {0}: discs can be enclosed in a region for delta 0 and inf only")]
    Delta(Delta),
    /// A group is not among the regions.
    #[error("there is no region for group {group}: there are {regions}")]
    NoRegion {
        /// The number of the group.
        group: u32,
        /// How many regions there are.
        regions: usize,
    },
}

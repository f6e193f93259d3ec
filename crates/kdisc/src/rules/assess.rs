//! Rules put to discs, or to places one by one.

use rayon::prelude::*;

use super::contributions::Contributions;
use super::holdings::{Desk, Holdings};
use super::rule::{Broken, Rules};
use crate::measure::Run;
use crate::{Anonymity, Disc, MeasureError, Members, Population, Progress};

/// Locations done between two reports of progress. Neighbours share discs, so that a task finds
/// most of those that are equal.
const TASK: usize = 2048;

/// What the rules say of one set.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Finding {
    /// Units with a value, and each owner once.
    pub contributors: u64,
    /// The sum of all contributions.
    pub total: f64,
    /// The largest contribution.
    pub largest: f64,
    /// The second largest.
    pub second: f64,
    /// 100 (X − x₁ − x₂) / x₁.
    pub p_margin: Option<f64>,
    /// The first of the risks of rasters that are among the rules.
    pub risk: Option<f64>,
    /// Units with a category.
    pub categorised: u64,
    /// The category of most of these, and their number.
    pub commonest: Option<(u32, u64)>,
    /// The rules that are broken.
    pub broken: Broken,
}

/// What the rules say of many sets.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assessment {
    /// One for each set.
    pub findings: Vec<Finding>,
    /// For each set, one after another, the units of each category.
    pub counts: Vec<u64>,
}

/// Rules about to be applied to holdings.
#[derive(Clone, Copy)]
pub struct Assess<'a> {
    holdings: &'a Holdings,
    rules: &'a Rules,
    /// How many categories are counted one by one.
    categories: usize,
    run: Run<'a>,
}

impl<'a> Assess<'a> {
    /// Applies `rules` to what `holdings` have.
    #[must_use]
    pub fn new(holdings: &'a Holdings, rules: &'a Rules) -> Self {
        Self {
            holdings,
            rules,
            categories: 0,
            run: Run::default(),
        }
    }

    /// Counts the units of the first so many categories, too.
    #[must_use]
    pub fn categories(mut self, categories: usize) -> Self {
        self.categories = categories;
        self
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
    pub fn cancel(mut self, flag: &'a std::sync::atomic::AtomicBool) -> Self {
        self.run.cancel = Some(flag);
        self
    }

    /// The discs of `locations`, which are the answers to `anonymity` among the population whose
    /// locations are the places of the holdings.
    ///
    /// # Errors
    /// When cancelled, or when threads cannot be started.
    ///
    /// # Panics
    /// When there is no such location, or not one disc for each.
    pub fn discs(
        self,
        population: &Population,
        anonymity: Anonymity,
        locations: &[u32],
        discs: &[Option<Disc>],
    ) -> Result<Assessment, MeasureError> {
        assert_eq!(locations.len(), discs.len(), "one disc for each location");
        let tasks: Vec<_> = locations.chunks(TASK).zip(discs.chunks(TASK)).collect();
        let found = self.run.of(locations.len(), |job| {
            let tasks = tasks.par_iter().map(|(locations, discs)| {
                let mut task = Task::new(self);
                let mut members = Members::new(population, anonymity);
                task.discs(&mut members, locations, discs);
                job.advance(locations.len())?;
                Ok(task.found)
            });
            tasks.collect::<Result<Vec<_>, MeasureError>>()
        })?;
        Ok(Assessment::joined(found))
    }

    /// Each place by itself.
    #[must_use]
    pub fn places(self) -> Assessment {
        let mut task = Task::new(self);
        for place in 0..self.holdings.places() {
            let finding = task.set(&[place as u32]);
            task.push(finding);
        }
        task.found
    }
}

impl Assessment {
    /// What there is to say of one set, and the units of each category in it.
    ///
    /// # Panics
    /// When there is no such set.
    #[must_use]
    pub fn set(&self, set: usize) -> (&Finding, &[u64]) {
        let categories = self.counts.len() / self.findings.len();
        let counts = &self.counts[set * categories..(set + 1) * categories];
        (&self.findings[set], counts)
    }

    fn joined(parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        for mut part in parts {
            all.findings.append(&mut part.findings);
            all.counts.append(&mut part.counts);
        }
        all
    }
}

/// Sets assessed one after another.
struct Task<'a> {
    assess: Assess<'a>,
    desk: Desk,
    set: Contributions,
    /// The units of each category in the last set.
    counts: Vec<u64>,
    found: Assessment,
}

impl<'a> Task<'a> {
    fn new(assess: Assess<'a>) -> Self {
        Self {
            assess,
            desk: Desk::default(),
            set: Contributions::default(),
            counts: vec![0; assess.categories],
            found: Assessment::default(),
        }
    }

    fn push(&mut self, finding: Finding) {
        self.found.findings.push(finding);
        self.found.counts.extend_from_slice(&self.counts);
    }

    fn discs(&mut self, members: &mut Members<'_>, locations: &[u32], discs: &[Option<Disc>]) {
        let key = |disc: &Disc| {
            let Disc {
                center,
                radius,
                units,
            } = *disc;
            (
                center.x.to_bits(),
                center.y.to_bits(),
                radius.to_bits(),
                units,
            )
        };
        let mut order: Vec<usize> = (0..discs.len()).collect();
        order.sort_unstable_by_key(|&i| (discs[i].as_ref().map(key), i));
        let categories = self.assess.categories;
        self.found.findings = vec![Finding::default(); discs.len()];
        self.found.counts = vec![0; discs.len() * categories];
        for same in
            order.chunk_by(|&a, &b| discs[a].as_ref().map(key) == discs[b].as_ref().map(key))
        {
            let mut shared = None;
            for &i in same {
                let finding = match (&discs[i], shared) {
                    (None, _) => {
                        self.counts.fill(0);
                        Finding {
                            broken: Rules::without_disc(),
                            ..Finding::default()
                        }
                    }
                    (Some(_), Some(finding)) => finding,
                    (Some(disc), None) => match members.of_all(disc) {
                        Some(set) => *shared.insert(self.set(set)),
                        // Equal as doubles, but perhaps not in truth.
                        None => self.set(members.of(locations[i] as usize, disc)),
                    },
                };
                self.found.findings[i] = finding;
                self.found.counts[i * categories..(i + 1) * categories]
                    .copy_from_slice(&self.counts);
            }
        }
    }

    fn set(&mut self, places: &[u32]) -> Finding {
        let Assess {
            holdings, rules, ..
        } = self.assess;
        let set = &mut self.set;
        holdings.collect(
            places,
            rules.needed(),
            &mut self.desk,
            set,
            &mut self.counts,
        );
        Finding {
            contributors: set.contributors,
            total: set.total(),
            largest: set.largest(),
            second: set.second(),
            p_margin: set.p_margin(),
            risk: rules.all().iter().find_map(|rule| rule.risk(set)),
            categorised: set.categorised,
            commonest: set.commonest,
            broken: rules.broken(set),
        }
    }
}

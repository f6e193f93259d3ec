//! The best disc so far of every location, shared by all threads.
//!
//! Discs are offered in any order; each location keeps the first in the order of exact radius,
//! units, and exact centre. So the outcome does not depend on the order of the offers.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Disc;
use crate::index::Tree;
use crate::predicates::{Support, compare_centers, compare_radii};

/// Locations that share a lock.
const SHARD: usize = 1024;

/// A disc and the locations that hold it in place, as indices; the last two are equal when
/// there are only two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found {
    pub disc: Disc,
    pub support: [u32; 3],
}

impl Found {
    pub fn support(&self, tree: &Tree) -> Support {
        let [p, q, r] = self.support.map(|location| tree.points()[location as usize]);
        if q == r {
            Support::Two(p, q)
        } else {
            Support::Three(p, q, r)
        }
    }

    fn compare(&self, other: &Self, tree: &Tree) -> Ordering {
        let (a, b) = (&self.disc, &other.disc);
        let supports = || (self.support(tree), other.support(tree));
        a.radius
            .total_cmp(&b.radius)
            .then_with(|| {
                if self.support == other.support {
                    return Ordering::Equal;
                }
                let (a, b) = supports();
                compare_radii(tree.grain(), &a, &b)
            })
            .then(a.units.cmp(&b.units))
            .then(a.center.x.total_cmp(&b.center.x))
            .then_with(|| {
                let (a, b) = supports();
                compare_centers(tree.grain(), &a, &b)
            })
    }
}

pub(crate) struct Answers<'a> {
    tree: &'a Tree,
    /// Upper bounds of the radii, as bits: positive doubles are ordered as their bits are.
    bounds: Vec<AtomicU64>,
    shards: Vec<Mutex<Vec<Option<Found>>>>,
}

impl<'a> Answers<'a> {
    /// No answers yet; a bound of 0 means that nothing is asked.
    pub fn new(tree: &'a Tree) -> Self {
        let locations = tree.points().len();
        let mut shards = Vec::with_capacity(locations.div_ceil(SHARD));
        let mut left = locations;
        while left > 0 {
            let size = left.min(SHARD);
            shards.push(Mutex::new(vec![None; size]));
            left -= size;
        }
        Self {
            tree,
            bounds: (0..locations).map(|_| AtomicU64::new(0)).collect(),
            shards,
        }
    }

    /// No disc larger than this is of use to the location.
    pub fn bound(&self, location: usize) -> f64 {
        f64::from_bits(self.bounds[location].load(Relaxed))
    }

    pub fn set_bound(&self, location: usize, radius: f64) {
        self.bounds[location].store(radius.to_bits(), Relaxed);
    }

    pub fn lower_bound(&self, location: usize, radius: f64) {
        self.bounds[location].fetch_min(radius.to_bits(), Relaxed);
    }

    /// Offers a disc to locations inside it.
    pub fn offer(&self, found: &Found, members: impl Iterator<Item = u32>) {
        let mut held: Option<(usize, MutexGuard<'_, Vec<Option<Found>>>)> = None;
        for member in members {
            let member = member as usize;
            if self.bound(member) < found.disc.radius {
                continue;
            }
            let shard = member / SHARD;
            if held.as_ref().is_none_or(|(index, _)| *index != shard) {
                // One lock at a time: two threads cannot wait for each other.
                drop(held.take());
                let guard = self.shards[shard].lock();
                held = Some((shard, guard.unwrap_or_else(PoisonError::into_inner)));
            }
            let Some((_, answers)) = &mut held else {
                continue;
            };
            let answer = &mut answers[member % SHARD];
            if answer.is_none_or(|old| found.compare(&old, self.tree) == Ordering::Less) {
                *answer = Some(*found);
                self.lower_bound(member, found.disc.radius);
            }
        }
    }

    /// The answers, in the order of the locations.
    pub fn into_discs(self) -> Vec<Option<Disc>> {
        let mut discs = Vec::with_capacity(self.tree.points().len());
        for shard in self.shards {
            let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            discs.extend(shard.into_iter().map(|found| found.map(|f| f.disc)));
        }
        discs
    }
}

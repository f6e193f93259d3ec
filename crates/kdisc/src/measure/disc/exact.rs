//! δ = ∞: circles that the lists suggest, decided exactly.
//!
//! Discs are offered in any order; each location keeps the first in the order of exact radius,
//! units, and exact centre. So the outcome does not depend on the order of the offers.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::bounds::UpperBounds;
use super::circle::{Circle, SLACK};
use super::list::List;
use super::search::{Circles, Part};
use crate::Disc;
use crate::index::Tree;
use crate::predicates::{Support, compare_centers, compare_radii, rounded, side};

/// Locations that share a lock.
const SHARD: usize = 1024;

/// A disc and the locations that hold it in place, as indices; the last two are equal when there
/// are only two.
#[derive(Debug, Clone, Copy)]
struct Found {
    disc: Disc,
    support: [u32; 3],
}

impl Found {
    fn compare(&self, other: &Self, tree: &Tree) -> Ordering {
        if self.support == other.support {
            return Ordering::Equal;
        }
        let (a, b) = (&self.disc, &other.disc);
        let supports = || (support(self.support, tree), support(other.support, tree));
        a.radius
            .total_cmp(&b.radius)
            .then_with(|| {
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

fn support(locations: [u32; 3], tree: &Tree) -> Support {
    let [p, q, r] = locations.map(|location| tree.points()[location as usize]);
    if locations[1] == locations[2] {
        Support::Two(p, q)
    } else {
        Support::Three(p, q, r)
    }
}

/// The best disc so far of every location.
pub(crate) struct Answers<'a> {
    tree: &'a Tree,
    bounds: &'a UpperBounds,
    shards: Vec<Mutex<Vec<Option<Found>>>>,
}

impl<'a> Answers<'a> {
    pub fn new(tree: &'a Tree, bounds: &'a UpperBounds) -> Self {
        let locations = tree.points().len();
        let shard = |start: usize| Mutex::new(vec![None; SHARD.min(locations - start)]);
        Self {
            tree,
            bounds,
            shards: (0..locations).step_by(SHARD).map(shard).collect(),
        }
    }

    /// The location alone holds *k* units.
    pub fn alone(&self, location: usize) {
        let disc = Disc {
            center: self.tree.points()[location],
            radius: 0.0,
            units: self.tree.weights()[location],
        };
        let support = [location as u32; 3];
        self.offer(&Found { disc, support }, &[location as u32]);
    }

    fn offer(&self, found: &Found, members: &[u32]) {
        let mut held: Option<(usize, MutexGuard<'_, Vec<Option<Found>>>)> = None;
        for &member in members {
            let member = member as usize;
            if self.bounds.of(member) < found.disc.radius {
                continue;
            }
            let shard = member / SHARD;
            if held.as_ref().is_none_or(|(index, _)| *index != shard) {
                // One lock at a time: two threads cannot wait for each other.
                drop(held.take());
                let guard = self.shards[shard].lock();
                held = Some((shard, guard.unwrap_or_else(PoisonError::into_inner)));
            }
            if let Some((_, answers)) = &mut held {
                let answer = &mut answers[member % SHARD];
                if answer.is_none_or(|old| found.compare(&old, self.tree) == Ordering::Less) {
                    *answer = Some(*found);
                    self.bounds.lower(member, found.disc.radius);
                }
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

/// Looks at suggested circles, one thread's worth.
pub(crate) struct Exact<'a> {
    answers: &'a Answers<'a>,
    k: u64,
    /// Locations on circles that were looked at in this cell: no other three of them need to be.
    done: Vec<Vec<u32>>,
    rim: Vec<u32>,
    members: Vec<u32>,
}

impl<'a> Exact<'a> {
    pub fn new(answers: &'a Answers<'a>, k: u64) -> Self {
        Self {
            answers,
            k,
            done: Vec::new(),
            rim: Vec::new(),
            members: Vec::new(),
        }
    }
}

impl Circles for Exact<'_> {
    fn start(&mut self, _list: &List, _part: &Part) {
        self.done.clear();
    }

    fn check(&mut self, list: &List, part: &Part, places: [u32; 3]) {
        let Answers { tree, bounds, .. } = *self.answers;
        let names = places.map(|place| list.location(place));
        let two = names[1] == names[2];
        if !two
            && self
                .done
                .iter()
                .any(|on| names.iter().all(|n| on.contains(n)))
        {
            return;
        }
        let exact = support(names, tree);
        let Some(circle) = Circle::of(&exact) else {
            return;
        };
        if !part.bounds.hold(circle.center()) || !(two || circle.held(&exact, names, bounds)) {
            return;
        }
        self.rim.clear();
        self.members.clear();
        let mut units = 0;
        let mut useful = 0.0f64;
        for location in list.locations() {
            let beyond = circle.beyond(tree.points()[location as usize]);
            if beyond <= circle.tolerance {
                units += tree.weights()[location as usize];
                useful = useful.max(bounds.of(location as usize));
                self.members.push(location);
                if beyond >= -circle.tolerance {
                    self.rim.push(location);
                }
            }
        }
        if units < self.k || circle.squared - circle.tolerance > useful * useful * (1.0 + SLACK) {
            return;
        }
        if self.rim.len() > if two { 2 } else { 3 } {
            let mut on = Vec::new();
            for &location in &self.rim {
                match side(tree.grain(), &exact, tree.points()[location as usize]) {
                    Ordering::Greater => {
                        units -= tree.weights()[location as usize];
                        self.members.retain(|&m| m != location);
                    }
                    Ordering::Equal => on.push(location),
                    Ordering::Less => {}
                }
            }
            self.done.push(on);
            if units < self.k {
                return;
            }
        }
        let (center, radius) = rounded(tree.grain(), &exact);
        let disc = Disc {
            center,
            radius,
            units,
        };
        let support = names;
        self.answers.offer(&Found { disc, support }, &self.members);
    }
}

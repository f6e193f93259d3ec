//! δ = ∞: circles that the lists suggest, decided exactly.
//!
//! Discs are offered in any order; each location keeps the first in the order of exact radius,
//! units, and exact centre. So the outcome does not depend on the order of the offers.

use std::cmp::Ordering;
use std::collections::VecDeque;

use pulp::Simd;

use super::bounds::UpperBounds;
use super::circle::{Circle, SLACK};
use super::content::{Content, support};
use super::list::List;
use super::quick::MOST;
use super::search::{Circles, Part};
use super::shards::{SHARD, Shards};
use crate::Disc;
use crate::index::Tree;
use crate::predicates::{Sides, Support, compare_centers, compare_radii, exceeds, rounded};

/// Circles with more locations than hold them that are remembered. On lattices every circle has
/// many, and is met in all the cells at whose corner its centre lies.
const RECENT: usize = 8;

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

/// The best disc so far of every location. The discs are what is asked for, and stay where they are.
pub(crate) struct Best {
    pub discs: Vec<Option<Disc>>,
    supports: Vec<[u32; 3]>,
}

impl Best {
    pub fn new(locations: usize) -> Self {
        Self {
            discs: vec![None; locations],
            supports: vec![[0; 3]; locations],
        }
    }

    /// Whose radius exceeds δ.
    pub fn beyond(&self, tree: &Tree, delta: f64) -> Vec<bool> {
        let exceeds = |(disc, &names): (&Option<Disc>, _)| {
            disc.is_some_and(|Disc { radius, .. }| {
                radius > delta
                    || radius == delta
                        && radius > 0.0
                        && exceeds(tree.grain(), &support(names, tree), delta)
            })
        };
        self.discs.iter().zip(&self.supports).map(exceeds).collect()
    }
}

/// The part of [`Best`] that some locations share.
struct Share<'a> {
    discs: &'a mut [Option<Disc>],
    supports: &'a mut [[u32; 3]],
}

impl Share<'_> {
    fn of(&self, place: usize) -> Option<Found> {
        self.discs[place].map(|disc| Found {
            disc,
            support: self.supports[place],
        })
    }

    fn set(&mut self, place: usize, found: &Found) {
        self.discs[place] = Some(found.disc);
        self.supports[place] = found.support;
    }
}

/// [`Best`], to be changed by all threads.
pub(crate) struct Answers<'a> {
    tree: &'a Tree,
    bounds: &'a UpperBounds,
    best: Shards<Share<'a>>,
}

impl<'a> Answers<'a> {
    pub fn new(tree: &'a Tree, bounds: &'a UpperBounds, best: &'a mut Best) -> Self {
        let discs = best.discs.chunks_mut(SHARD);
        let shares = discs.zip(best.supports.chunks_mut(SHARD));
        Self {
            tree,
            bounds,
            best: Shards::new(shares.map(|(discs, supports)| Share { discs, supports })),
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
        let radius = found.disc.radius;
        let members = members.iter().map(|&member| member as usize);
        let members = members.filter(|&member| self.bounds.of(member) >= radius);
        // Neighbours often have the same answer.
        let mut last = (found.support, Ordering::Equal);
        self.best.change(members, |member, share, place| {
            let best = share.of(place);
            if let Some(best) = best.filter(|best| best.support != last.0) {
                last = (best.support, found.compare(&best, self.tree));
            }
            if best.is_none() || last.1 == Ordering::Less {
                share.set(place, found);
                self.bounds.lower(member, radius);
            }
        });
    }

    /// Whether the bounds leave room for a circle, as far as doubles can tell.
    fn may_use(&self, circle: &Circle, members: &[u32]) -> bool {
        let bound = self.bounds.largest(members.iter().copied());
        circle.squared - circle.tolerance <= bound * bound * (1.0 + SLACK)
    }

    /// Whether a disc of this radius and support is not larger than the best so far of some member.
    fn of_use(&self, radius: f64, names: [u32; 3], members: &[u32]) -> bool {
        let ours = support(names, self.tree);
        let members = members.iter().map(|&member| member as usize);
        let members = members.filter(|&member| self.bounds.of(member) >= radius);
        let (mut of_use, mut last) = (false, None);
        self.best.change(members, |_, share, place| {
            let best = share.of(place);
            let names = best.map(|best| best.support);
            if !of_use && (best.is_none() || names != last) {
                last = names;
                of_use = best.is_none_or(|best| {
                    let theirs = support(best.support, self.tree);
                    radius < best.disc.radius
                        || compare_radii(self.tree.grain(), &ours, &theirs).is_le()
                });
            }
        });
        of_use
    }

    /// The best disc so far of a location.
    pub fn of(&self, location: usize) -> Option<Disc> {
        let mut disc = None;
        self.best
            .change([location], |_, share, place| disc = share.discs[place]);
        disc
    }
}

/// Looks at suggested circles, one thread's worth.
pub(crate) struct Exact<'a, 'b> {
    answers: &'a Answers<'b>,
    k: u64,
    content: Content,
    /// Discs whose members are certain and whose radius is not yet rounded, and where their
    /// members end.
    waiting: Vec<(Candidate, usize)>,
    members: Vec<u32>,
    /// Locations on circles that were looked at lately, the last one last: no others of them need to
    /// be.
    done: VecDeque<Vec<u32>>,
}

impl<'a, 'b> Exact<'a, 'b> {
    pub fn new(answers: &'a Answers<'b>, k: u64) -> Self {
        Self {
            answers,
            k,
            content: Content::default(),
            waiting: Vec::new(),
            members: Vec::new(),
            done: VecDeque::with_capacity(RECENT),
        }
    }
}

/// A disc that may be of use.
struct Candidate {
    names: [u32; 3],
    circle: Circle,
    units: u64,
}

impl Candidate {
    fn found(&self, tree: &Tree) -> Found {
        let (center, radius) = rounded(tree.grain(), &support(self.names, tree));
        let disc = Disc {
            center,
            radius,
            units: self.units,
        };
        Found {
            disc,
            support: self.names,
        }
    }
}

impl Exact<'_, '_> {
    /// Decides a disc that may have others on its rim than those that hold it.
    fn decide(&mut self, disc: &Candidate, support: &Support) {
        let Answers { tree, .. } = *self.answers;
        let found = disc.found(tree);
        // The radius before the content, which takes long if many are near the circle.
        let radius = found.disc.radius;
        if !self
            .answers
            .of_use(radius, disc.names, &self.content.members)
        {
            return;
        }
        if let Some(on) = self.content.decide(tree, support, self.k) {
            if self.done.len() == RECENT {
                self.done.pop_front();
            }
            self.done.push_back(on);
        }
        if self.content.units >= self.k {
            let disc = Disc {
                units: self.content.units,
                ..found.disc
            };
            self.answers
                .offer(&Found { disc, ..found }, &self.content.members);
        }
    }

    /// Whether this circle was looked at lately.
    fn is_done(&self, names: [u32; 3], support: &Support) -> bool {
        let tree = self.answers.tree;
        self.done.iter().rev().any(|on| {
            // Two of them are of this circle, but may lie across another: a third one tells.
            let third = || on.iter().find(|n| !names.contains(n));
            names.iter().all(|name| on.contains(name))
                && (matches!(support, Support::Three(..))
                    || third().is_some_and(|&third| {
                        let sides = Sides::new(tree.grain(), support);
                        sides.of(tree.points()[third as usize]).is_eq()
                    }))
        })
    }

    /// Lets a disc wait, as some turn out to be of no use: others bound its members better.
    fn wait(&mut self, disc: Candidate) {
        let radius = disc.circle.most();
        for &member in &self.content.members {
            self.answers.bounds.lower(member as usize, radius);
        }
        self.members.extend_from_slice(&self.content.members);
        self.waiting.push((disc, self.members.len()));
    }
}

impl Circles for Exact<'_, '_> {
    const FEW: usize = MOST;

    #[inline(always)]
    fn check<S: Simd>(&mut self, simd: S, list: &List, part: &Part, places: [u32; 3]) {
        let Answers { tree, .. } = *self.answers;
        let names = places.map(|place| list.location(place));
        let support = support(names, tree);
        if self.is_done(names, &support) {
            return;
        }
        let Some(circle) = Circle::of(&support) else {
            return;
        };
        if !part.bounds.hold(circle.center()) || !circle.held(&support) {
            return;
        }
        self.content.collect(simd, tree, list, &circle, places[0]);
        if self.content.units < self.k || !self.answers.may_use(&circle, &self.content.members) {
            return;
        }
        let disc = Candidate {
            names,
            circle,
            units: self.content.units,
        };
        if self.content.is_open(&support) {
            self.decide(&disc, &support);
        } else {
            self.wait(disc);
        }
    }

    fn finish(&mut self) {
        let mut first = 0;
        for (disc, end) in &self.waiting {
            let members = &self.members[first..*end];
            if self.answers.may_use(&disc.circle, members) {
                self.answers.offer(&disc.found(self.answers.tree), members);
            }
            first = *end;
        }
        self.waiting.clear();
        self.members.clear();
        self.done.clear();
    }
}

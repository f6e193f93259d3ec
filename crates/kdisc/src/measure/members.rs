//! Which locations a disc holds, found again from the disc alone.
//!
//! An answer tells centre, radius and the number of units, rounded once, but not who they are: that
//! would be many times larger. Doubles tell for nearly all locations on which side of the circle they
//! are, with room for the rounding of centre and radius. Those within that room are on the circle,
//! and if all units together make up the number that the disc has, they are all inside. So it is
//! always, but for locations that lie outside by less than rounding shows. Then the measure is asked
//! again, with its own decisions:
//!
//! - δ = 0: the order of exact distances, as far as the units go;
//! - δ = ∞: the disc is held by two or three of the locations on its circle. Of all circles through
//!   them that round to this disc, hold the anchor and enough units, the first in the order of the
//!   measure is the answer; which side the others are on is decided exactly;
//! - 0 < δ < ∞, where no disc of radius δ or less will do: centres are irrational and a location is
//!   inside up to 10⁻⁹ of the radius. The units nearest to the centre, as many as the disc has;
//! - squares: solved again for this anchor, in whole numbers.
//!
//! With more than [`MOST_ON_RIM`] locations in doubt the nearest are taken for δ = ∞, too.
//!
//! Cost: O(log n + members) for a disc.

use std::cmp::Ordering;

use super::square::Again;
use crate::index::{Bounds, Surroundings, Tree};
use crate::predicates::{Sides, Support, compare_centers, compare_radii, rounded, turn};
use crate::{Anonymity, Delta, Disc, Metric, Point, Population};

/// Room for the rounding of a distance, of the radius and of the centre, in units of the last place.
const ROUNDING: f64 = 8.0 * f64::EPSILON;
/// A location is inside up to this part of the radius where centres are irrational.
const SLACK: f64 = super::disc::SLACK;
/// Triples of so many locations are looked at.
const MOST_ON_RIM: usize = 64;

/// Tells which locations discs hold, one after another.
pub struct Members<'a> {
    tree: &'a Tree,
    anonymity: Anonymity,
    around: Surroundings,
    /// What may be inside, as far as doubles tell.
    found: Vec<u32>,
    /// Those of them that may be on the circle, or outside.
    rim: Vec<(f64, u32)>,
    again: Option<Again<'a>>,
}

impl<'a> Members<'a> {
    /// For the answers to `anonymity` among this population.
    #[must_use]
    pub fn new(population: &'a Population, anonymity: Anonymity) -> Self {
        Self {
            tree: population.tree(),
            anonymity,
            around: Surroundings::default(),
            found: Vec::new(),
            rim: Vec::new(),
            again: None,
        }
    }

    /// The locations with units in the disc of `location`, in rising order: those whose units
    /// [`Disc::units`] counts.
    ///
    /// # Panics
    /// When there is no such location.
    pub fn of(&mut self, location: usize, disc: &Disc) -> &[u32] {
        if !self.is_told(disc) {
            self.settle(location, disc);
        }
        self.found.sort_unstable();
        &self.found
    }

    /// The same for everybody whose disc equals this one, if doubles tell.
    pub(crate) fn of_all(&mut self, disc: &Disc) -> Option<&[u32]> {
        if !self.is_told(disc) {
            return None;
        }
        self.found.sort_unstable();
        Some(&self.found)
    }

    /// Whether doubles tell what is inside.
    fn is_told(&mut self, disc: &Disc) -> bool {
        let delta = self.anonymity.delta();
        if self.anonymity.metric() != Metric::L2 || delta == Delta::ZERO || delta == Delta::INFINITE
        {
            return self.take(disc, disc.radius);
        }
        // Which way a disc about as large as δ was counted does not show.
        let mut limits = [disc.radius, disc.radius * (1.0 + SLACK)];
        if disc.radius > delta.distance() {
            limits.reverse();
        }
        limits.into_iter().any(|limit| self.take(disc, limit))
    }

    /// Takes what may be within `limit` of the centre, and tells whether it is what the disc holds.
    fn take(&mut self, disc: &Disc, limit: f64) -> bool {
        let Disc { center, radius, .. } = *disc;
        let room = ROUNDING * (center.x.abs().max(center.y.abs()) + radius);
        let (least, most) = (limit - room, limit + room);
        // The corners of a square are farther away than its sides.
        let reach = match self.anonymity.metric() {
            Metric::Linf => 1.5 * most,
            Metric::L1 | Metric::L2 => most,
        };
        self.around.collect(self.tree, &Bounds::at(center), reach);
        self.found.clear();
        self.rim.clear();
        let mut units = 0;
        for (i, &location) in self.around.location.iter().enumerate() {
            let (dx, dy) = (self.around.x[i] - center.x, self.around.y[i] - center.y);
            let distance = match self.anonymity.metric() {
                Metric::L2 => (dx * dx + dy * dy).sqrt(),
                Metric::Linf => dx.abs().max(dy.abs()),
                Metric::L1 => dx.abs() + dy.abs(),
            };
            let weight = self.tree.weights()[location as usize];
            if distance <= most && weight > 0 {
                units += weight;
                self.found.push(location);
                if distance >= least {
                    self.rim.push((distance, location));
                }
            }
        }
        units == disc.units
    }

    /// Decides for those on the rim.
    fn settle(&mut self, location: usize, disc: &Disc) {
        let Anonymity { delta, metric, .. } = self.anonymity;
        if metric != Metric::L2 {
            let (tree, anonymity) = (self.tree, self.anonymity);
            let again = self
                .again
                .get_or_insert_with(|| Again::new(tree, anonymity));
            again.members(location, &mut self.found);
            return;
        }
        if delta == Delta::ZERO {
            let tree = self.tree;
            let at = tree.points()[location];
            let from = |l: u32| Support::Two(at, tree.points()[l as usize]);
            let order = |a: u32, b: u32| compare_radii(tree.grain(), &from(a), &from(b));
            self.rim.sort_by(|a, b| order(a.1, b.1));
            return self.keep(&self.nearest(disc));
        }
        self.take(disc, disc.radius);
        if disc.radius <= delta.distance()
            && let Some(inside) = self.held(location, disc)
        {
            return self.keep(&inside);
        }
        if delta != Delta::INFINITE {
            self.take(disc, disc.radius * (1.0 + SLACK));
        }
        self.rim
            .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        self.keep(&self.nearest(disc));
    }

    /// Keeps these of the rim.
    fn keep(&mut self, kept: &[u32]) {
        let rim = &self.rim;
        let is_out = |l: u32| rim.iter().any(|&(_, r)| r == l) && !kept.contains(&l);
        self.found.retain(|&l| !is_out(l));
    }

    /// Those on the rim that come first, until the units are as many as the disc has.
    fn nearest(&self, disc: &Disc) -> Vec<u32> {
        let weight = |l: u32| self.tree.weights()[l as usize];
        let all: u64 = self.found.iter().map(|&l| weight(l)).sum();
        let rim: u64 = self.rim.iter().map(|&(_, l)| weight(l)).sum();
        let mut units = all - rim;
        let first = self.rim.iter().take_while(|&&(_, l)| {
            let is_wanted = units < disc.units;
            units += weight(l);
            is_wanted
        });
        first.map(|&(_, l)| l).collect()
    }

    /// Those on the rim that are in the first circle, by the order of the measure, that two or three
    /// of them hold in place and that rounds to the disc.
    fn held(&self, location: usize, disc: &Disc) -> Option<Vec<u32>> {
        let (tree, grain) = (self.tree, self.tree.grain());
        let weight = |l: u32| tree.weights()[l as usize];
        let all: u64 = self.found.iter().map(|&l| weight(l)).sum();
        let mut on: Vec<u32> = self.rim.iter().map(|&(_, l)| l).collect();
        let certain = all - on.iter().map(|&l| weight(l)).sum::<u64>();
        // An anchor without units is on the circle or inside, but was not found.
        let anchor = location as u32;
        if weight(anchor) == 0 {
            on.push(anchor);
        }
        if on.len() > MOST_ON_RIM {
            return None;
        }
        let mut best: Option<(Support, Vec<u32>, u64)> = None;
        for support in supports(tree, &on) {
            if rounded(grain, &support) != (disc.center, disc.radius) {
                continue;
            }
            let sides = Sides::new(grain, &support);
            let is_in = |l: u32| sides.of(tree.points()[l as usize]) != Ordering::Greater;
            let inside: Vec<u32> = on.iter().copied().filter(|&l| is_in(l)).collect();
            let units = certain + inside.iter().map(|&l| weight(l)).sum::<u64>();
            if units < self.anonymity.k() || !is_in(anchor) {
                continue;
            }
            let is_first = best.as_ref().is_none_or(|(other, _, most)| {
                compare_radii(grain, &support, other)
                    .then(units.cmp(most))
                    .then_with(|| compare_centers(grain, &support, other))
                    .is_lt()
            });
            if is_first {
                best = Some((support, inside, units));
            }
        }
        best.map(|(_, inside, _)| inside)
    }
}

/// All circles that two or three of these locations can hold in place.
fn supports(tree: &Tree, locations: &[u32]) -> Vec<Support> {
    let points: Vec<Point> = locations
        .iter()
        .map(|&l| tree.points()[l as usize])
        .collect();
    let mut found = Vec::new();
    for (i, &p) in points.iter().enumerate() {
        for (j, &q) in points[..i].iter().enumerate() {
            found.push(Support::Two(p, q));
            let others = points[..j].iter();
            let others = others.filter(|&&r| turn(p, q, r) != Ordering::Equal);
            found.extend(others.map(|&r| Support::Three(p, q, r)));
        }
    }
    found
}

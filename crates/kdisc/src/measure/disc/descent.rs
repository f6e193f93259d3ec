//! First upper bounds: from each location, slide downhill to a small disc with *k* units.
//!
//! Take the nearest locations with k units, shrink a disc round them, look again from its centre,
//! and so on while it gets smaller. The disc is an upper bound for every location in it.

use super::bounds::UpperBounds;
use super::circle::squared;
use super::enclosing::enclosing;
use super::square::SAFE;
use crate::Point;
use crate::index::{Nearest, Tree};
use crate::measure::point::Walk;

/// Steps downhill at most; more find little.
const STEPS: usize = 3;
/// A step must shrink the squared radius by this factor to be worth another.
const WORTH: f64 = 0.97;
/// A location whose bound is already below this part of its distance to the k-th unit does not
/// start: it lies in a disc that somebody else found.
const LOW: f64 = 0.65;

pub(crate) struct Descent<'a> {
    tree: &'a Tree,
    k: u64,
    walk: Walk,
    nearest: Nearest,
    members: Vec<u32>,
    places: Vec<Point>,
}

impl<'a> Descent<'a> {
    pub fn new(tree: &'a Tree, k: u64) -> Self {
        Self {
            tree,
            k,
            walk: Walk::default(),
            nearest: Nearest::default(),
            members: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Bounds the location by the disc centred on it.
    pub fn stay(&mut self, location: usize, bounds: &UpperBounds) -> f64 {
        let near = self.walk.next(self.tree, location, self.k);
        self.members.clear();
        self.members.extend(near.iter().map(|n| n.location));
        let radius = near
            .last()
            .map_or(f64::INFINITY, |last| last.squared.sqrt() * SAFE);
        bounds.lower(location, radius);
        radius
    }

    /// Bounds the location, and those round it, by smaller discs beside it.
    pub fn slide(&mut self, location: usize, bounds: &UpperBounds) {
        let radius = self.stay(location, bounds);
        if bounds.of(location) < LOW * radius {
            return;
        }
        let mut best = f64::INFINITY;
        for _ in 0..STEPS {
            self.places.clear();
            self.places.push(self.tree.points()[location]);
            let members = self.members.iter().rev();
            self.places
                .extend(members.map(|&m| self.tree.points()[m as usize]));
            let center = enclosing(&self.places);
            let farthest = self
                .places
                .iter()
                .map(|&p| squared(center, p))
                .fold(0.0, f64::max);
            if farthest >= WORTH * best {
                break;
            }
            best = farthest;
            let radius = farthest.sqrt() * SAFE;
            bounds.lower(location, radius);
            for &member in &self.members {
                bounds.lower(member as usize, radius);
            }
            let near = self
                .nearest
                .find(self.tree, center, self.k, farthest * SAFE);
            self.members.clear();
            self.members.extend(near.iter().map(|n| n.location));
        }
    }
}

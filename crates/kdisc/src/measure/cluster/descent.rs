//! Upper bounds: from each location, slide downhill to a small disc with *k* units.
//!
//! Take the nearest locations with k units, shrink a disc round them, look again from its centre,
//! and so on while it gets smaller. The disc is an upper bound for every location in it.

use super::answers::Answers;
use super::enclosing::enclosing;
use crate::Point;
use crate::index::{Nearest, Tree};
use crate::measure::point::Walk;

/// Room for the rounding of bounds, relatively.
const SAFETY: f64 = 1.0 + 1e-9;

pub(crate) struct Descent<'a> {
    tree: &'a Tree,
    k: u64,
    walk: Walk,
    nearest: Nearest,
    places: Vec<Point>,
}

impl<'a> Descent<'a> {
    pub fn new(tree: &'a Tree, k: u64) -> Self {
        Self {
            tree,
            k,
            walk: Walk::default(),
            nearest: Nearest::default(),
            places: Vec::new(),
        }
    }

    /// Bounds the answer of a location, and of its neighbours.
    pub fn start(&mut self, location: usize, answers: &Answers<'_>) {
        let near = self.walk.next(self.tree, location, self.k);
        let Some(last) = near.last() else { return };
        let radius = last.squared.sqrt() * SAFETY;
        answers.lower_bound(location, radius);
        let bound = answers.bound(location);
        if bound < ENOUGH * radius {
            return;
        }
        let mut members: Vec<u32> = near.iter().map(|n| n.location).collect();
        let mut best = f64::INFINITY;
        for _ in 0..STEPS {
            self.places.clear();
            self.places.push(self.tree.points()[location]);
            self.places
                .extend(members.iter().rev().map(|&m| self.tree.points()[m as usize]));
            let disc = enclosing(&self.places);
            if disc.squared >= best * 0.97 {
                break;
            }
            best = disc.squared;
            let radius = disc.squared.sqrt() * SAFETY;
            for &member in &members {
                answers.lower_bound(member as usize, radius);
            }
            answers.lower_bound(location, radius);
            let near = self.nearest.find(self.tree, disc.center, self.k, disc.squared * SAFETY, u64::MAX);
            members.clear();
            members.extend(near.iter().map(|n| n.location));
        }
    }
}

const STEPS: usize = 3;
const ENOUGH: f64 = 0.75;

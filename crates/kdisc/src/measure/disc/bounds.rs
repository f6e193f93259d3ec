//! Upper bounds of the radii, shared by all threads.
//!
//! They only ever fall, and only to radii of discs that exist. So a search may leave out what is
//! larger than a bound, at any moment and in any order.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::square::SAFE;
use crate::index::Tree;

pub(crate) struct UpperBounds(Vec<AtomicU64>);

impl UpperBounds {
    /// Infinite where an answer is asked; else 0: no disc is of use.
    pub fn new(locations: usize, asked: impl Fn(usize) -> bool) -> Self {
        let start = |location| if asked(location) { f64::INFINITY } else { 0.0 };
        // Doubles from 0 on are ordered as their bits are.
        Self(
            (0..locations)
                .map(|l| AtomicU64::new(start(l).to_bits()))
                .collect(),
        )
    }

    #[inline(always)]
    pub fn of(&self, location: usize) -> f64 {
        f64::from_bits(self.0[location].load(Relaxed))
    }

    /// The largest bound of some locations.
    #[inline(always)]
    pub fn largest(&self, locations: impl Iterator<Item = u32>) -> f64 {
        let bits = locations.map(|l| self.0[l as usize].load(Relaxed));
        f64::from_bits(bits.fold(0, u64::max))
    }

    #[inline(always)]
    pub fn lower(&self, location: usize, radius: f64) {
        self.0[location].fetch_min(radius.to_bits(), Relaxed);
    }

    /// Lowers the bounds, δ = ∞, by discs round boxes of the tree: for each location the smallest
    /// that holds it and `k` units.
    pub fn lower_by_boxes(&self, tree: &Tree, k: u64) {
        let mut radii = vec![f64::INFINITY; 2 * tree.leaves()];
        for node in 1..radii.len() {
            let bounds = tree.bounds(node);
            radii[node] = if tree.sum(node) >= k {
                bounds.squared_span(bounds).sqrt() / 2.0 * SAFE
            } else {
                radii[node / 2]
            };
            if tree.is_leaf(node) {
                for location in tree.run(node) {
                    self.lower(location, radii[node]);
                }
            }
        }
    }

    /// The largest bound under each node of the tree, as of now.
    pub fn maxima(&self, tree: &Tree) -> Vec<f64> {
        let mut maxima = vec![0.0f64; 2 * tree.leaves()];
        for node in (1..maxima.len()).rev() {
            maxima[node] = if tree.is_leaf(node) {
                tree.run(node).map(|l| self.of(l)).fold(0.0, f64::max)
            } else {
                maxima[2 * node].max(maxima[2 * node + 1])
            };
        }
        maxima
    }
}

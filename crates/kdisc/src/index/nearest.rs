//! The nearest locations that together hold at least *k* units.
//!
//! A depth-first walk, nearer child first, with a sorted list of what was found. Distances are
//! squared and rounded; whatever could tie with the k-th unit within that rounding is kept too,
//! so that the caller can decide exactly. Cost: O(log n + k) typically; the list is memory that
//! the caller keeps between questions. Long lists are put in order now and then, not at every step.
//!
//! Who knows that the k-th unit is not within some distance need not be told what is: boxes there are
//! counted whole, and only what lies beyond is found.

use super::Tree;
use super::tree::Bounds;
use crate::Point;

/// Squared distances that differ by less than this, relatively, may be equal.
pub(crate) const SLACK: f64 = 1e-14;

/// A location at a squared distance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub squared: f64,
    pub location: u32,
    /// Its units, at most `u32::MAX`.
    weight: u32,
}

/// Longer lists are not kept in order at every step.
const SHORT: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Nearest {
    found: Vec<Near>,
    /// So many of them are in order, the first ones.
    sorted: usize,
    /// The units that were counted without being found.
    inside: u64,
    /// All units.
    weight: u64,
    stack: Vec<(u32, f64)>,
}

/// What is asked of a walk.
#[derive(Clone, Copy)]
struct Quest {
    at: Point,
    k: u64,
    inner: f64,
}

impl Nearest {
    /// Finds locations in order of their distance from `at` until they hold `k` units, among
    /// those within `bound` (a squared distance), and all that may tie with the last of them.
    pub fn find(&mut self, tree: &Tree, at: Point, k: u64, bound: f64) -> &[Near] {
        self.find_beyond(tree, at, k, 0.0, bound).1
    }

    /// The same, given that fewer than `k` units are nearer than `inner` (a squared distance): their
    /// number, and the locations that are as far or farther.
    pub fn find_beyond(
        &mut self,
        tree: &Tree,
        at: Point,
        k: u64,
        inner: f64,
        bound: f64,
    ) -> (u64, &[Near]) {
        self.found.clear();
        (self.sorted, self.inside, self.weight) = (0, 0, 0);
        self.stack.clear();
        let here = Bounds::at(at);
        let quest = Quest { at, k, inner };
        let mut bound = bound * (1.0 + SLACK);
        self.stack.push((1, 0.0));
        while let Some((node, gap)) = self.stack.pop() {
            if gap > bound {
                continue;
            }
            let mut node = node as usize;
            bound = loop {
                if inner > 0.0 && tree.bounds(node).squared_span(&here) < inner {
                    break self.count(tree.sum(node), k, bound);
                }
                if tree.is_leaf(node) {
                    break self.visit(tree, node, quest, bound);
                }
                let left = tree.bounds(2 * node).squared_gap(&here);
                let right = tree.bounds(2 * node + 1).squared_gap(&here);
                let (near, far, far_gap) = if left <= right {
                    (2 * node, 2 * node + 1, right)
                } else {
                    (2 * node + 1, 2 * node, left)
                };
                if far_gap <= bound && tree.sum(far) > 0 {
                    self.stack.push((far as u32, far_gap));
                }
                node = near;
            };
        }
        self.sort();
        self.trim(k, bound);
        (self.inside, &self.found)
    }

    fn visit(&mut self, tree: &Tree, leaf: usize, quest: Quest, mut bound: f64) -> f64 {
        let Quest { at, k, inner } = quest;
        for location in tree.run(leaf) {
            let p = tree.points()[location];
            let (dx, dy) = (p.x - at.x, p.y - at.y);
            let squared = dx * dx + dy * dy;
            let weight = tree.weights()[location];
            if squared > bound || weight == 0 {
                continue;
            }
            bound = if squared < inner {
                self.count(weight, k, bound)
            } else {
                let near = Near {
                    squared,
                    location: location as u32,
                    weight: u32::try_from(weight).unwrap_or(u32::MAX),
                };
                self.insert(near, k, bound)
            };
        }
        bound
    }

    /// Counts units that are surely nearer than the k-th.
    fn count(&mut self, units: u64, k: u64, bound: f64) -> f64 {
        self.inside += units;
        self.weight += units;
        self.trim(k, bound)
    }

    fn insert(&mut self, near: Near, k: u64, bound: f64) -> f64 {
        self.weight += u64::from(near.weight);
        let mut place = self.found.len();
        self.found.push(near);
        if self.sorted == place && place < SHORT {
            while place > 0 && self.found[place - 1].squared > near.squared {
                self.found[place] = self.found[place - 1];
                place -= 1;
            }
            self.found[place] = near;
            self.sorted += 1;
        } else if place >= 2 * self.sorted {
            self.sort();
        }
        self.trim(k, bound)
    }

    fn sort(&mut self) {
        if self.sorted < self.found.len() {
            self.found.sort_by(|a, b| a.squared.total_cmp(&b.squared));
            self.sorted = self.found.len();
        }
    }

    /// Forgets what is beyond the k-th unit, once all are in order; the squared distance up to which
    /// there may be more of use.
    fn trim(&mut self, k: u64, bound: f64) -> f64 {
        if self.weight < k || self.sorted < self.found.len() {
            return bound;
        }
        while let [.., before, last] = self.found[..]
            && self.weight - u64::from(last.weight) >= k
            && last.squared > before.squared * (1.0 + SLACK)
        {
            self.weight -= u64::from(last.weight);
            self.found.pop();
        }
        self.sorted = self.found.len();
        let last = self.found.last();
        last.map_or(bound, |last| bound.min(last.squared * (1.0 + SLACK)))
    }
}

//! The nearest locations that together hold at least *k* units.
//!
//! A depth-first walk, nearer child first, with a sorted list of what was found. Distances are
//! squared and rounded; whatever could tie with the k-th unit within that rounding is kept too,
//! so that the caller can decide exactly. Cost: O(log n + k) typically; the list is memory that
//! the caller keeps between questions.

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

#[derive(Debug, Default)]
pub(crate) struct Nearest {
    found: Vec<Near>,
    weight: u64,
    stack: Vec<(u32, f64)>,
}

impl Nearest {
    /// Finds locations in order of their distance from `at` until they hold `k` units, among
    /// those within `bound` (a squared distance), and all that may tie with the last of them.
    pub fn find(&mut self, tree: &Tree, at: Point, k: u64, bound: f64) -> &[Near] {
        self.found.clear();
        self.weight = 0;
        self.stack.clear();
        let here = Bounds { low: at, high: at };
        let mut bound = bound * (1.0 + SLACK);
        self.stack.push((1, 0.0));
        while let Some((node, gap)) = self.stack.pop() {
            if gap > bound {
                continue;
            }
            let mut node = node as usize;
            while !tree.is_leaf(node) {
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
            }
            bound = self.visit(tree, node, at, k, bound);
        }
        &self.found
    }

    fn visit(&mut self, tree: &Tree, leaf: usize, at: Point, k: u64, mut bound: f64) -> f64 {
        let run = tree.run(leaf);
        for location in run {
            let p = tree.points()[location];
            let (dx, dy) = (p.x - at.x, p.y - at.y);
            let squared = dx * dx + dy * dy;
            let weight = tree.weights()[location];
            if squared <= bound && weight > 0 {
                bound = self.insert(squared, location as u32, weight, k, bound);
            }
        }
        bound
    }

    fn insert(&mut self, squared: f64, location: u32, weight: u64, k: u64, bound: f64) -> f64 {
        let weight = u32::try_from(weight).unwrap_or(u32::MAX);
        let mut place = self.found.len();
        self.found.push(Near {
            squared,
            location,
            weight,
        });
        while place > 0 && self.found[place - 1].squared > squared {
            self.found[place] = self.found[place - 1];
            place -= 1;
        }
        self.found[place] = Near {
            squared,
            location,
            weight,
        };
        self.weight += u64::from(weight);
        if self.weight < k {
            return bound;
        }
        while let [.., before, last] = self.found[..]
            && self.weight - u64::from(last.weight) >= k
            && last.squared > before.squared * (1.0 + SLACK)
        {
            self.weight -= u64::from(last.weight);
            self.found.pop();
        }
        bound.min(self.found[self.found.len() - 1].squared * (1.0 + SLACK))
    }
}

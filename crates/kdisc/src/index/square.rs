//! Finding locations within a distance in L∞ or L1.
//!
//! Distances here are doubles with a relative error of at most 2⁻⁵¹. Callers give an upper bound
//! that is that much too large and decide the rest exactly; nothing within the true bound is
//! missed.
//!
//! Cost: O(log n) nodes and the leaves that the square touches; `nearest` narrows its square as
//! it goes, so a poor first bound costs little.

use super::Tree;
use super::tree::Bounds;
use crate::Point;

/// More than any relative error of a distance made of a few operations.
pub(crate) const SLACK: f64 = 1.0 + 1.0 / (1u64 << 48) as f64;

/// Work space of the searches.
#[derive(Debug, Default)]
pub(crate) struct Search {
    stack: Vec<(f64, u32)>,
    near: Vec<(f64, u32)>,
}

/// The length of (dx, dy): in L1 when `DIAMOND`, else in L∞.
#[inline]
fn length<const DIAMOND: bool>(dx: f64, dy: f64) -> f64 {
    if DIAMOND {
        dx.abs() + dy.abs()
    } else {
        dx.abs().max(dy.abs())
    }
}

#[inline]
fn gap<const DIAMOND: bool>(b: &Bounds, p: Point) -> f64 {
    let dx = (b.low.x - p.x).max(p.x - b.high.x).max(0.0);
    let dy = (b.low.y - p.y).max(p.y - b.high.y).max(0.0);
    length::<DIAMOND>(dx, dy)
}

impl Tree {
    /// All locations with units within `reach` of `center`, put in `found`; false, and only some
    /// of them, when there are more than `most`.
    pub fn within<const DIAMOND: bool>(
        &self,
        center: Point,
        reach: f64,
        most: usize,
        search: &mut Search,
        found: &mut Vec<u32>,
    ) -> bool {
        let reach = reach * SLACK;
        found.clear();
        search.stack.clear();
        search.stack.push((0.0, 1));
        while let Some((_, node)) = search.stack.pop() {
            let node = node as usize;
            if !self.is_leaf(node) {
                for child in [2 * node + 1, 2 * node] {
                    if gap::<DIAMOND>(self.bounds(child), center) <= reach {
                        search.stack.push((0.0, child as u32));
                    }
                }
                continue;
            }
            let run = self.run(node);
            let points = &self.points()[run.clone()];
            let weights = &self.weights()[run.clone()];
            for ((p, &w), i) in points.iter().zip(weights).zip(run.start as u32..) {
                if w > 0 && length::<DIAMOND>(p.x - center.x, p.y - center.y) <= reach {
                    found.push(i);
                }
            }
            if found.len() > most {
                return false;
            }
        }
        true
    }

    /// A distance within which `center` has `k` units, hardly more than the smallest, and all
    /// locations with units within it, put in `found`. There must be `k` units within `bound`.
    pub fn nearest<const DIAMOND: bool>(
        &self,
        center: Point,
        k: u64,
        bound: f64,
        search: &mut Search,
        found: &mut Vec<u32>,
    ) -> f64 {
        let mut reach = bound * SLACK;
        let mut full = 2 * k.min(1 << 20) as usize + 16;
        search.near.clear();
        search.stack.clear();
        search.stack.push((0.0, 1));
        while let Some((distance, node)) = search.stack.pop() {
            if distance > reach {
                continue;
            }
            let node = node as usize;
            if !self.is_leaf(node) {
                let left = gap::<DIAMOND>(self.bounds(2 * node), center);
                let right = gap::<DIAMOND>(self.bounds(2 * node + 1), center);
                let (left, right) = ((left, 2 * node as u32), (right, 2 * node as u32 + 1));
                // The nearer child is looked at first.
                let (last, first) = if left.0 <= right.0 {
                    (right, left)
                } else {
                    (left, right)
                };
                if last.0 <= reach {
                    search.stack.push(last);
                }
                if first.0 <= reach {
                    search.stack.push(first);
                }
                continue;
            }
            let run = self.run(node);
            let points = &self.points()[run.clone()];
            let weights = &self.weights()[run.clone()];
            for ((p, &w), i) in points.iter().zip(weights).zip(run.start as u32..) {
                let distance = length::<DIAMOND>(p.x - center.x, p.y - center.y);
                if w > 0 && distance <= reach {
                    search.near.push((distance, i));
                }
            }
            if search.near.len() >= full {
                reach = reach.min(self.narrow(k, &mut search.near));
                // Ties may keep the list long; sort it again only after it has doubled.
                full = full.max(2 * search.near.len());
            }
        }
        reach = reach.min(self.narrow(k, &mut search.near));
        found.clear();
        found.extend(search.near.iter().map(|n| n.1));
        reach
    }

    /// Keeps what is about as near as the `k` nearest units; the distance is infinite when there
    /// are fewer.
    fn narrow(&self, k: u64, near: &mut Vec<(f64, u32)>) -> f64 {
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut units = 0;
        let Some(last) = near.iter().position(|n| {
            units += self.weights()[n.1 as usize];
            units >= k
        }) else {
            return f64::INFINITY;
        };
        let reach = near[last].0 * SLACK;
        let kept = near[last..].iter().take_while(|n| n.0 <= reach).count();
        near.truncate(last + kept);
        reach
    }
}

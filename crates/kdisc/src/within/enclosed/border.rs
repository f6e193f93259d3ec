//! The border of one part of a region, as edges in a packed tree of boxes.
//!
//! The tree is a complete binary heap over edges that are halved at the median of their middles,
//! as in the tree of locations. Distances are plain doubles, with an error of a few 2⁻⁵³ of the
//! coordinates' differences; what is in doubt is decided elsewhere, with more digits.
//!
//! Cost: O(e log e) for e edges to build; O(log e) typically for the nearest edge; the side of a
//! place takes the edges that a ray to the right may meet.

use std::ops::Range;

use crate::Point;
use crate::index::Bounds;
use crate::predicates::{Twofold, turn};
use crate::region::{Part, edges};

/// Most edges in a leaf.
const LEAF: usize = 8;

pub(super) type Edge = [Point; 2];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Inside,
    Border,
    Outside,
}

pub(super) struct Border {
    edges: Vec<Edge>,
    bounds: Vec<Bounds>,
}

impl Border {
    pub fn new(part: &Part) -> Self {
        let mut all: Vec<Edge> = part.rings().flat_map(edges).collect();
        let leaves = all.len().div_ceil(LEAF).next_power_of_two();
        let total = all.len();
        arrange(&mut all, 1, leaves, total);
        let mut border = Self {
            bounds: vec![Bounds::of(&[]); 2 * leaves],
            edges: all,
        };
        for node in (1..2 * leaves).rev() {
            border.bounds[node] = if node >= leaves {
                Bounds::of(border.edges[border.run(node)].as_flattened())
            } else {
                let (a, b) = (border.bounds[2 * node], border.bounds[2 * node + 1]);
                Bounds::of(&[a.low, a.high, b.low, b.high])
            };
        }
        border
    }

    fn leaves(&self) -> usize {
        self.bounds.len() / 2
    }

    fn run(&self, node: usize) -> Range<usize> {
        run(self.edges.len(), self.leaves(), node)
    }

    /// The box round it.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds[1]
    }

    /// Calls `visit` with the edges of all leaves whose boxes are `wanted`.
    fn each(&self, mut wanted: impl FnMut(&Bounds) -> bool, mut visit: impl FnMut(&Edge)) {
        let mut stack = vec![1];
        while let Some(node) = stack.pop() {
            if !wanted(&self.bounds[node]) {
                continue;
            }
            if node >= self.leaves() {
                self.edges[self.run(node)].iter().for_each(&mut visit);
            } else {
                stack.extend([2 * node + 1, 2 * node]);
            }
        }
    }

    /// The distance from a place to the nearest edge.
    pub fn distance(&self, place: Point) -> f64 {
        let here = Bounds::at(place);
        let mut nearest = f64::INFINITY;
        let mut stack = vec![1];
        while let Some(mut node) = stack.pop() {
            if self.bounds[node].squared_gap(&here) >= nearest {
                continue;
            }
            while node < self.leaves() {
                let [left, right] =
                    [2 * node, 2 * node + 1].map(|n| self.bounds[n].squared_gap(&here));
                let (near, far) = (2 * node, 2 * node + 1);
                let (near, far) = if left <= right {
                    (near, far)
                } else {
                    (far, near)
                };
                stack.push(far);
                node = near;
            }
            for edge in &self.edges[self.run(node)] {
                nearest = nearest.min(squared_distance(edge, place));
            }
        }
        nearest.sqrt()
    }

    /// More than the error of a distance to a place inside.
    pub fn slack(&self) -> f64 {
        let Bounds { low, high } = self.bounds();
        1e-15 * ((high.x - low.x) + (high.y - low.y))
    }

    /// The edges within `reach` of a place, and some beyond.
    pub fn near(&self, place: Point, reach: f64) -> Vec<Edge> {
        let here = Bounds::at(place);
        let reach = reach + self.slack();
        let limit = reach * reach * (1.0 + 1e-9);
        let mut found = Vec::new();
        self.each(
            |bounds| bounds.squared_gap(&here) <= limit,
            |edge| {
                if squared_distance(edge, place) <= limit {
                    found.push(*edge);
                }
            },
        );
        found
    }

    /// On which side of the border a place is.
    pub fn standing(&self, place: Point) -> Standing {
        let mut on = false;
        self.each(
            |bounds| bounds.hold(place),
            |edge| on |= Bounds::of(edge).hold(place) && turn(edge[0], edge[1], place).is_eq(),
        );
        if on {
            Standing::Border
        } else if self.holds(place) {
            Standing::Inside
        } else {
            Standing::Outside
        }
    }

    /// Whether a place that is not on the border is inside: whether a ray to the right crosses an
    /// odd number of edges.
    pub fn holds(&self, place: Point) -> bool {
        let mut odd = false;
        self.each(
            |b| b.low.y <= place.y && place.y <= b.high.y && b.high.x >= place.x,
            |&[a, b]| {
                if (a.y <= place.y) != (b.y <= place.y) {
                    odd ^= turn(a, b, place).is_gt() == (b.y > a.y);
                }
            },
        );
        odd
    }
}

/// The edges under `node`: an equal share for each leaf.
fn run(edges: usize, leaves: usize, node: usize) -> Range<usize> {
    let below = leaves.ilog2() - node.ilog2();
    let first = (node << below) - leaves;
    let last = ((node + 1) << below) - leaves;
    first * edges / leaves..last * edges / leaves
}

fn arrange(edges: &mut [Edge], node: usize, leaves: usize, total: usize) {
    if node >= leaves {
        return;
    }
    let bounds = Bounds::of(edges.as_flattened());
    let half = run(total, leaves, 2 * node).len();
    let wide = bounds.high.x - bounds.low.x >= bounds.high.y - bounds.low.y;
    let middle = |[a, b]: &Edge| {
        if wide {
            a.x / 2.0 + b.x / 2.0
        } else {
            a.y / 2.0 + b.y / 2.0
        }
    };
    if half < edges.len() {
        edges.select_nth_unstable_by(half, |a, b| middle(a).total_cmp(&middle(b)));
    }
    let (left, right) = edges.split_at_mut(half);
    arrange(left, 2 * node, leaves, total);
    arrange(right, 2 * node + 1, leaves, total);
}

/// The squared distance from a place to an edge.
pub(super) fn squared_distance([a, b]: &Edge, place: Point) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let (wx, wy) = (place.x - a.x, place.y - a.y);
    let squared = dx * dx + dy * dy;
    let t = if squared > 0.0 {
        ((wx * dx + wy * dy) / squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (x, y) = (wx - t * dx, wy - t * dy);
    x * x + y * y
}

/// (b − a) × (place − a), to nearly all digits: positive where the place is to the left of the
/// edge, and 0 where it is on its line.
pub(super) fn left_of([a, b]: &Edge, place: Point) -> f64 {
    if turn(*a, *b, place).is_eq() {
        return 0.0;
    }
    let part = |to: f64, from: f64| Twofold::difference(to, from);
    let first = part(b.x, a.x).times(part(place.y, a.y));
    let second = part(b.y, a.y).times(part(place.x, a.x));
    first.minus(second).high
}

//! A packed k-d tree: points in the order of the leaves, with a box and a sum of weights per node.
//!
//! The nodes form a complete binary heap: node `i` has children `2i` and `2i + 1`, the root is 1,
//! and the last half are the leaves. The points of a leaf, and so of every node, are a run of
//! consecutive indices that follows from the node's number alone, so nothing but boxes and sums
//! is stored. Every node is halved at its median along the longer side of its box, by (x, y) or
//! (y, x), so the order depends on the set of points alone.

use std::cmp::Ordering;
use std::ops::Range;

use crate::Point;
use crate::predicates::Grain;

/// Most points in a leaf.
pub(super) const LEAF: usize = 16;
/// Enough points for a task, few enough for smooth progress.
const LEAVES_IN_TASK: usize = 64;
/// Runs shorter than this are not worth a second thread.
const WORTH_A_TASK: usize = 1 << 14;

/// An axis-parallel box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub low: Point,
    pub high: Point,
}

impl Bounds {
    const EMPTY: Self = Self {
        low: Point::new(f64::INFINITY, f64::INFINITY),
        high: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    pub fn at(point: Point) -> Self {
        Self {
            low: point,
            high: point,
        }
    }

    pub fn of(points: &[Point]) -> Self {
        points.iter().fold(Self::EMPTY, |b, &p| b.with(p))
    }

    fn with(self, p: Point) -> Self {
        Self {
            low: Point::new(self.low.x.min(p.x), self.low.y.min(p.y)),
            high: Point::new(self.high.x.max(p.x), self.high.y.max(p.y)),
        }
    }

    pub fn hold(&self, p: Point) -> bool {
        self.low.x <= p.x && p.x <= self.high.x && self.low.y <= p.y && p.y <= self.high.y
    }

    /// Squared distance between the farthest points of two boxes, up to rounding.
    pub fn squared_span(&self, other: &Self) -> f64 {
        let dx = (self.high.x - other.low.x).max(other.high.x - self.low.x);
        let dy = (self.high.y - other.low.y).max(other.high.y - self.low.y);
        dx * dx + dy * dy
    }

    /// Squared distance between the nearest points of two boxes, up to rounding.
    #[inline]
    pub fn squared_gap(&self, other: &Self) -> f64 {
        let dx = (self.low.x - other.high.x)
            .max(other.low.x - self.high.x)
            .max(0.0);
        let dy = (self.low.y - other.high.y)
            .max(other.low.y - self.high.y)
            .max(0.0);
        dx * dx + dy * dy
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Tree {
    points: Vec<Point>,
    weights: Vec<u64>,
    bounds: Vec<Bounds>,
    sums: Vec<u64>,
    grain: Grain,
}

impl Tree {
    /// Merges equal points, and says which point of the tree each row became.
    pub fn coalesced(rows: &[Point], weight: impl Fn(usize) -> u64) -> (Self, Vec<u32>) {
        let mut order: Vec<(Point, u32)> = rows
            .iter()
            .enumerate()
            .map(|(row, p)| (Point::new(p.x + 0.0, p.y + 0.0), row as u32))
            .collect();
        order.sort_unstable_by(|a, b| by_x(&a.0, &b.0).then(a.1.cmp(&b.1)));

        let mut distinct: Vec<(Point, u32)> = Vec::new();
        let mut sums: Vec<u64> = Vec::new();
        let mut of_row = vec![0u32; rows.len()];
        for (point, row) in order {
            if distinct.last().is_none_or(|last| last.0 != point) {
                distinct.push((point, distinct.len() as u32));
                sums.push(0);
            }
            let last = sums.len() - 1;
            sums[last] += weight(row as usize);
            of_row[row as usize] = last as u32;
        }

        let leaves = distinct.len().div_ceil(LEAF).next_power_of_two();
        let total = distinct.len();
        arrange(&mut distinct, 1, leaves, total);
        let mut place = vec![0u32; distinct.len()];
        for (new, &(_, old)) in distinct.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        for location in &mut of_row {
            *location = place[*location as usize];
        }
        let weights = distinct
            .iter()
            .map(|&(_, old)| sums[old as usize])
            .collect();
        let points = distinct.into_iter().map(|(p, _)| p).collect();
        (Self::over(points, weights, leaves), of_row)
    }

    fn over(points: Vec<Point>, weights: Vec<u64>, leaves: usize) -> Self {
        let mut tree = Self {
            bounds: vec![Bounds::EMPTY; 2 * leaves],
            sums: vec![0; 2 * leaves],
            grain: Grain::of(&points),
            points,
            weights,
        };
        for node in (1..2 * leaves).rev() {
            if tree.is_leaf(node) {
                let run = tree.run(node);
                tree.bounds[node] = Bounds::of(&tree.points[run.clone()]);
                tree.sums[node] = tree.weights[run].iter().sum();
            } else {
                let (a, b) = (tree.bounds[2 * node], tree.bounds[2 * node + 1]);
                tree.bounds[node] = Bounds::of(&[a.low, a.high, b.low, b.high]);
                tree.sums[node] = tree.sums[2 * node] + tree.sums[2 * node + 1];
            }
        }
        tree
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    pub fn units(&self) -> u64 {
        self.sums[1]
    }

    pub fn grain(&self) -> Grain {
        self.grain
    }

    /// Whether squared distances between locations up to this one are computed without rounding.
    pub fn squares_are_exact(&self, squared: f64) -> bool {
        self.grain.squares_are_exact(squared)
    }

    pub fn leaves(&self) -> usize {
        self.bounds.len() / 2
    }

    pub fn is_leaf(&self, node: usize) -> bool {
        node >= self.leaves()
    }

    pub fn bounds(&self, node: usize) -> &Bounds {
        &self.bounds[node]
    }

    /// How many points a box holds.
    pub fn count(&self, region: &Bounds) -> usize {
        let mut count = 0;
        let mut stack = vec![1];
        while let Some(node) = stack.pop() {
            let bounds = &self.bounds[node];
            if bounds.squared_gap(region) > 0.0 {
                continue;
            }
            if region.hold(bounds.low) && region.hold(bounds.high) {
                count += self.run(node).len();
            } else if self.is_leaf(node) {
                count += self
                    .run(node)
                    .filter(|&i| region.hold(self.points[i]))
                    .count();
            } else {
                stack.extend([2 * node, 2 * node + 1]);
            }
        }
        count
    }

    /// The units under a node.
    pub fn sum(&self, node: usize) -> u64 {
        self.sums[node]
    }

    /// The nodes, in order, that each have the points of a task under them.
    pub fn tasks(&self) -> Range<usize> {
        let first = (self.leaves() / LEAVES_IN_TASK).max(1);
        first..2 * first
    }

    /// The leaves under a node.
    pub fn leaves_under(&self, node: usize) -> Range<usize> {
        let below = self.leaves().ilog2() - node.ilog2();
        node << below..(node + 1) << below
    }

    /// The points under a node.
    pub fn run(&self, node: usize) -> Range<usize> {
        run(self.points.len(), self.leaves(), node)
    }
}

/// The points under `node`: an equal share of the points for each leaf.
fn run(points: usize, leaves: usize, node: usize) -> Range<usize> {
    let below = leaves.ilog2() - node.ilog2();
    let first = (node << below) - leaves;
    let last = ((node + 1) << below) - leaves;
    (first * points) / leaves..(last * points) / leaves
}

/// Puts the run of `node`, given as `points`, in the order of the leaves below it.
fn arrange(points: &mut [(Point, u32)], node: usize, leaves: usize, total: usize) {
    if node >= leaves {
        points.sort_unstable_by(|a, b| by_x(&a.0, &b.0));
        return;
    }
    let bounds = points.iter().fold(Bounds::EMPTY, |b, (p, _)| b.with(*p));
    let half = run(total, leaves, 2 * node).len();
    if half < points.len() {
        if bounds.high.x - bounds.low.x >= bounds.high.y - bounds.low.y {
            points.select_nth_unstable_by(half, |a, b| by_x(&a.0, &b.0));
        } else {
            points.select_nth_unstable_by(half, |a, b| by_y(&a.0, &b.0));
        }
    }
    let (left, right) = points.split_at_mut(half);
    if left.len() < WORTH_A_TASK {
        arrange(left, 2 * node, leaves, total);
        arrange(right, 2 * node + 1, leaves, total);
    } else {
        rayon::join(
            || arrange(left, 2 * node, leaves, total),
            || arrange(right, 2 * node + 1, leaves, total),
        );
    }
}

fn by_x(a: &Point, b: &Point) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}

fn by_y(a: &Point, b: &Point) -> Ordering {
    a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
}

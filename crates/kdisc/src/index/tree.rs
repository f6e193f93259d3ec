//! A packed k-d tree: points in the order of the leaves, with a box and a sum of weights per node.
//!
//! The nodes form a complete binary heap: node `i` has children `2i` and `2i + 1`, the root is 1,
//! and the last half are the leaves. The points of a leaf, and so of every node, are a run of
//! consecutive indices that follows from the node's number alone, so nothing but boxes and sums
//! is stored. Every node is halved at its median along the longer side of its box, by (x, y) or
//! (y, x), so the order depends on the set of points alone.

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
        let mut order: Vec<Item> = rows
            .iter()
            .enumerate()
            .map(|(row, p)| Item::new(Point::new(p.x + 0.0, p.y + 0.0), row as u32))
            .collect();
        order.sort_unstable_by_key(Item::by_x);

        let mut distinct: Vec<Item> = Vec::new();
        let mut sums: Vec<u64> = Vec::new();
        let mut of_row = vec![0u32; rows.len()];
        for item in order {
            if distinct
                .last()
                .is_none_or(|last| last.by_x() != item.by_x())
            {
                let name = distinct.len() as u32;
                distinct.push(Item { name, ..item });
                sums.push(0);
            }
            let last = sums.len() - 1;
            sums[last] += weight(item.name as usize);
            of_row[item.name as usize] = last as u32;
        }

        let leaves = distinct.len().div_ceil(LEAF).next_power_of_two();
        let total = distinct.len();
        arrange(&mut distinct, 1, leaves, total);
        let mut place = vec![0u32; distinct.len()];
        for (new, item) in distinct.iter().enumerate() {
            place[item.name as usize] = new as u32;
        }
        for location in &mut of_row {
            *location = place[*location as usize];
        }
        let weights = distinct
            .iter()
            .map(|item| sums[item.name as usize])
            .collect();
        let points = distinct.iter().map(Item::point).collect();
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

/// A point that is put in order: its coordinates as whole numbers in the same order.
#[derive(Clone, Copy)]
struct Item {
    x: u64,
    y: u64,
    name: u32,
}

impl Item {
    fn new(point: Point, name: u32) -> Self {
        let [x, y] = [point.x, point.y].map(ranked);
        Self { x, y, name }
    }

    fn point(&self) -> Point {
        Point::new(value(self.x), value(self.y))
    }

    /// By x, then y.
    fn by_x(&self) -> u128 {
        u128::from(self.x) << 64 | u128::from(self.y)
    }

    /// By y, then x.
    fn by_y(&self) -> u128 {
        u128::from(self.y) << 64 | u128::from(self.x)
    }
}

const SIGN: u64 = 1 << 63;

/// Doubles as whole numbers in the same order (that of [`f64::total_cmp`]).
fn ranked(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn value(ranked: u64) -> f64 {
    let is_positive = ranked & SIGN != 0;
    f64::from_bits(if is_positive { ranked & !SIGN } else { !ranked })
}

/// Puts the run of `node`, given as `items`, in the order of the leaves below it.
fn arrange(items: &mut [Item], node: usize, leaves: usize, total: usize) {
    if node >= leaves {
        items.sort_unstable_by_key(Item::by_x);
        return;
    }
    let half = run(total, leaves, 2 * node).len();
    if half < items.len() {
        let [width, height] = [|item: &Item| item.x, |item: &Item| item.y].map(|along| {
            let all = items.iter().map(along);
            let (low, high) = all.fold((u64::MAX, 0), |(low, high), a| (low.min(a), high.max(a)));
            value(high) - value(low)
        });
        if width >= height {
            items.select_nth_unstable_by_key(half, Item::by_x);
        } else {
            items.select_nth_unstable_by_key(half, Item::by_y);
        }
    }
    let (left, right) = items.split_at_mut(half);
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

//! On which side of a given radius a location lies: far less work than its disc.
//!
//! Let f(x) be the distance of the k-th unit from the place x. A disc of radius t will do for the
//! location s when its centre is within d = min(δ, t) of s and f there is at most t. So the question
//! is whether some place within d of s has k units within t of it, and only units in the ring
//! between t − d and t + d from s need be counted: those nearer are in all such discs.
//!
//! Squares that cover the places are quartered. One whose middle (or the place next to it that is
//! within d) has k units within t answers yes. One with fewer than k units within t of any of its
//! points is left out. When none is left the answer is no. A radius very near to t takes ever
//! smaller squares, so these have an end: then the radius is about t, as f changes no faster than
//! one walks.
//!
//! In L1, ring and squares are turned by 45°, where it is L∞. Doubles decide: an answer is right up to
//! 1e-9 of t. Cost: O(log n + k), and some dozens of squares with O(k) units each.

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use super::square::turn;
use crate::index::{Bounds, Tree};
use crate::{Anonymity, Metric, Point};

/// Enough locations for a task.
const TASK: usize = 512;
/// Squares that are looked at before the question is given up.
const MOST: usize = 1 << 10;
/// Squares smaller than this part of t are not divided.
const SMALL: f64 = 1e-7;

/// Where the radius of a location is, seen from a given one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Side {
    /// At most that.
    Within,
    /// More than that.
    Beyond,
    /// No farther from it than this.
    Near(f64),
}

/// The sides of some locations, each with a radius above 0 to compare with.
pub(crate) fn solve(
    tree: &Tree,
    anonymity: Anonymity,
    asked: &[(u32, f64)],
    job: &Job<'_>,
) -> Result<Vec<Side>, MeasureError> {
    let tasks = asked.par_chunks(TASK).map(|task| {
        job.advance(0)?;
        let mut ring = Ring::default();
        let side = |&(location, radius): &(u32, f64)| {
            ring.side(tree, anonymity, tree.points()[location as usize], radius)
        };
        // Loops over the ring are compiled for the vectors of the processor.
        Ok(pulp::Arch::new().dispatch(|| task.iter().map(side).collect::<Vec<_>>()))
    });
    let sides: Vec<_> = tasks.collect::<Result<_, MeasureError>>()?;
    Ok(sides.concat())
}

/// A square, by its middle as seen from the location, and half its side.
#[derive(Debug, Clone, Copy)]
struct Cell {
    x: f64,
    y: f64,
    half: f64,
}

/// The units that are in some discs but not in all, as seen from the location.
#[derive(Default)]
struct Ring {
    x: Vec<f64>,
    y: Vec<f64>,
    weight: Vec<u64>,
    nodes: Vec<u32>,
    cells: Vec<Cell>,
}

impl Ring {
    #[inline(always)]
    fn side(&mut self, tree: &Tree, anonymity: Anonymity, at: Point, radius: f64) -> Side {
        let Anonymity { k, delta, metric } = anonymity;
        let room = delta.distance().min(radius);
        match metric {
            Metric::L2 => {
                let inside = self.collect::<true>(tree, at, radius, room, |step| step);
                self.search::<true>(k.saturating_sub(inside), radius, room)
            }
            Metric::L1 => {
                let inside = self.collect::<false>(tree, at, radius, room, turn::<true>);
                self.search::<false>(k.saturating_sub(inside), radius, room)
            }
            Metric::Linf => {
                let inside = self.collect::<false>(tree, at, radius, room, turn::<false>);
                self.search::<false>(k.saturating_sub(inside), radius, room)
            }
        }
    }

    /// Collects the ring, and counts the units that are in all discs.
    #[inline(always)]
    fn collect<const ROUND: bool>(
        &mut self,
        tree: &Tree,
        at: Point,
        radius: f64,
        room: f64,
        turned: impl Fn([f64; 2]) -> [f64; 2],
    ) -> u64 {
        self.x.clear();
        self.y.clear();
        self.weight.clear();
        let least = square(radius - room);
        let most = square(radius + room);
        // Balls of all metrics lie within this of their middle, in straight lines.
        let reach = if ROUND { most } else { 2.0 * most };
        let here = Bounds::at(at);
        let mut inside = 0;
        self.nodes.push(1);
        while let Some(node) = self.nodes.pop() {
            let node = node as usize;
            if !tree.is_leaf(node) {
                for child in [2 * node, 2 * node + 1] {
                    if tree.bounds(child).squared_gap(&here) <= reach {
                        self.nodes.push(child as u32);
                    }
                }
                continue;
            }
            for location in tree.run(node) {
                let (p, weight) = (tree.points()[location], tree.weights()[location]);
                let [x, y] = turned([p.x - at.x, p.y - at.y]);
                let squared = length::<ROUND>(x, y);
                if squared <= least {
                    inside += weight;
                } else if squared <= most && weight > 0 {
                    self.x.push(x);
                    self.y.push(y);
                    self.weight.push(weight);
                }
            }
        }
        inside
    }

    /// Whether some place within `room` has `k` units of the ring within `radius`.
    #[inline(always)]
    fn search<const ROUND: bool>(&mut self, k: u64, radius: f64, room: f64) -> Side {
        if k == 0 {
            return Side::Within;
        }
        if self.weight.iter().sum::<u64>() < k {
            return Side::Beyond;
        }
        let mut open = 0.0f64;
        let mut seen = 0;
        self.cells.clear();
        self.cells.push(Cell {
            x: 0.0,
            y: 0.0,
            half: room,
        });
        while let Some(cell) = self.cells.pop() {
            let half = cell.half / 2.0;
            let mut next = [(0, cell); 4];
            let mut count = 0;
            for (x, y) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                let quarter = Cell {
                    x: cell.x + x,
                    y: cell.y + y,
                    half,
                };
                let Some((x, y)) = quarter.nearest::<ROUND>(room) else {
                    continue;
                };
                let [sure, perhaps] = self.count::<ROUND>(&quarter, x, y, radius);
                if sure >= k {
                    return Side::Within;
                }
                if perhaps >= k {
                    next[count] = (sure, quarter);
                    count += 1;
                }
            }
            seen += 4;
            if half <= SMALL * radius || seen > MOST {
                if count > 0 {
                    open = open.max(half);
                }
                continue;
            }
            // The fullest is looked at first.
            next[..count].sort_unstable_by_key(|(sure, _)| *sure);
            self.cells
                .extend(next[..count].iter().map(|(_, cell)| cell));
        }
        if open == 0.0 {
            return Side::Beyond;
        }
        // Twice the way from the middle to a corner.
        Side::Near(open * 3.0)
    }

    /// The units within `radius` of a place in the cell, and of any place in it.
    #[inline(always)]
    fn count<const ROUND: bool>(&self, cell: &Cell, x: f64, y: f64, radius: f64) -> [u64; 2] {
        let limit = square(radius);
        let ring = self.x.iter().zip(&self.y).zip(&self.weight);
        let (mut sure, mut perhaps) = (0, 0);
        for ((&px, &py), &weight) in ring {
            let here = length::<ROUND>(px - x, py - y);
            let dx = ((px - cell.x).abs() - cell.half).max(0.0);
            let dy = ((py - cell.y).abs() - cell.half).max(0.0);
            let gap = length::<ROUND>(dx, dy);
            sure += if here <= limit { weight } else { 0 };
            perhaps += if gap <= limit { weight } else { 0 };
        }
        [sure, perhaps]
    }
}

impl Cell {
    /// The place within `room` of the location that is nearest to the middle; none when no place
    /// of the cell is.
    #[inline(always)]
    fn nearest<const ROUND: bool>(&self, room: f64) -> Option<(f64, f64)> {
        if !ROUND {
            return Some((self.x, self.y));
        }
        let gap = |middle: f64| (middle.abs() - self.half).max(0.0);
        if length::<true>(gap(self.x), gap(self.y)) > square(room) {
            return None;
        }
        let far = length::<true>(self.x, self.y).sqrt();
        let shrink = if far > room { room / far } else { 1.0 };
        Some((self.x * shrink, self.y * shrink))
    }
}

/// The square of the distance: straight, or along the longer axis.
#[inline(always)]
fn length<const ROUND: bool>(x: f64, y: f64) -> f64 {
    if ROUND {
        x * x + y * y
    } else {
        square(x.abs().max(y.abs()))
    }
}

#[inline(always)]
fn square(value: f64) -> f64 {
    value * value
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Delta, Measure, Population};

    /// What a side says of a radius must be so, up to 1e-9.
    fn is_right(side: Side, asked: f64, radius: f64) -> bool {
        let room = 1e-9 * asked;
        match side {
            Side::Within => radius <= asked + room,
            Side::Beyond => radius >= asked - room,
            Side::Near(near) => (radius - asked).abs() <= near + room,
        }
    }

    fn places() -> impl Strategy<Value = Vec<(Point, u64)>> {
        let lattice = (0..7i32, 0..7i32).prop_map(|(x, y)| Point::new(x.into(), y.into()));
        let line = (0..40i32).prop_map(|i| Point::new(f64::from(i), 2.0 * f64::from(i)));
        let circle = (0.0..std::f64::consts::TAU)
            .prop_map(|turn| Point::new(1e5 + turn.cos(), 4e5 + turn.sin()));
        let any = (-10.0..10.0, -10.0..10.0).prop_map(|(x, y)| Point::new(x, y));
        let of = |place: BoxedStrategy<Point>| prop::collection::vec((place, 0..3u64), 12..60);
        prop_oneof![
            of(lattice.boxed()),
            of(line.boxed()),
            of(circle.boxed()),
            of(any.boxed())
        ]
    }

    proptest! {
        #[test]
        fn sides_are_those_of_the_measured_radii(
            places in places(),
            k in 1..8u64,
            delta in prop_oneof![Just(0.0), Just(0.5), Just(1.0), 0.0..3.0, Just(f64::INFINITY)],
            metric in prop_oneof![Just(Metric::L2), Just(Metric::L1), Just(Metric::Linf)],
        ) {
            let (points, weights): (Vec<_>, Vec<_>) = places.into_iter().unzip();
            prop_assume!(weights.iter().sum::<u64>() >= k);
            let population = Population::with_weights(&points, &weights).unwrap();
            let anonymity = Anonymity { k, delta: Delta::new(delta).unwrap(), metric };
            let measure = Measure::new(&population, anonymity).threads(1);
            for (location, disc) in (0..).zip(measure.all().unwrap()) {
                let radius = disc.unwrap().radius;
                // The radius itself, those just beside it, others, and that of a lattice.
                let others = [1.0, 1.0 - 1e-6, 1.0 + 1e-6, 0.7, 1.4].map(|part| part * radius);
                let asked = others.into_iter().chain([0.5, 1.0, delta]);
                let asked = asked.filter(|asked| *asked > 0.0 && asked.is_finite());
                let asked: Vec<_> = asked.map(|asked| (location, asked)).collect();
                for (&(_, asked), side) in asked.iter().zip(measure.sides(&asked).unwrap()) {
                    prop_assert!(is_right(side, asked, radius), "{side:?} {asked} {radius}");
                }
            }
        }
    }
}

//! The measure in L∞ and L1, where discs are squares.
//!
//! A ball of L∞ is a square along the axes; a ball of L1 is one along u = x + y and v = x − y. So
//! both are one problem: the smallest square, along the axes of (u, v), that holds the anchor and
//! at least k units, with its centre within δ. For each anchor by itself:
//!
//! 1. An upper bound on the side: from the squares of the anchors just done (a square that holds
//!    them both, or can be widened to do so), else twice the distance to the k-th nearest unit.
//! 2. The locations in reach of such a square, from the tree, in doubles, generously.
//! 3. Their coordinates relative to the anchor as whole numbers ([`whole`]). From here on
//!    everything is exact.
//! 4. The smallest side ([`smallest`]), then the square of that side with the fewest units
//!    ([`slide`]); its radius and centre are rounded once, at the end.
//!
//! The bounds only save work. The answer for an anchor depends on the set of locations alone, so
//! it is the same for any order and any number of threads.
//!
//! Cost: with m locations in reach (about 3k to 6k), O(log n + m²) per location in the worst
//! case; δ = 0 is a search for the k nearest.

mod known;
mod slide;
mod smallest;
mod whole;
mod wide;

#[cfg(test)]
mod tests;

use rayon::prelude::*;

use self::known::{Known, Open};
use self::slide::Slide;
use self::smallest::{Smallest, Spot, Wanted};
use self::whole::{Fit, Span, Whole};
use self::wide::Wide;
use super::{Job, MeasureError};
use crate::index::Tree;
use crate::index::square::{SLACK, Search};
use crate::{Anonymity, Disc, Metric, Point};

/// Locations done between two reports of progress.
const CHUNK: usize = 256;
/// Earlier squares that are tried as bounds.
const RECENT: usize = 16;

/// The square of every wanted location, in the order of the tree; `None` where the population has
/// fewer than k units.
pub(crate) fn solve(
    tree: &Tree,
    anonymity: Anonymity,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    match anonymity.metric() {
        Metric::L1 => solve_in::<true>(tree, anonymity, job),
        Metric::L2 | Metric::Linf => solve_in::<false>(tree, anonymity, job),
    }
}

fn solve_in<const DIAMOND: bool>(
    tree: &Tree,
    anonymity: Anonymity,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let mut discs = vec![None; tree.points().len()];
    if tree.units() < anonymity.k() {
        return Ok(discs);
    }
    let solver = Solver::<DIAMOND>::new(tree, anonymity);
    discs.par_chunks_mut(CHUNK).enumerate().try_for_each_init(
        Scratch::default,
        |scratch, (chunk, discs)| {
            for (i, disc) in (chunk * CHUNK..).zip(discs.iter_mut()) {
                if job.wants(i) {
                    *disc = Some(solver.disc(i, scratch));
                }
            }
            job.advance(discs.len())
        },
    )?;
    Ok(discs)
}

struct Solver<'a, const DIAMOND: bool> {
    tree: &'a Tree,
    k: u64,
    delta: f64,
    /// The span of all coordinates together, when small numbers hold them.
    small: Option<Span>,
    known: Known,
}

/// An earlier square: its anchor, and its sides relative to it, in (u, v).
#[derive(Debug, Clone, Copy)]
struct Square {
    anchor: Point,
    low: [f64; 2],
    high: [f64; 2],
}

/// Per-thread work space.
#[derive(Default)]
struct Scratch {
    search: Search,
    near: Vec<u32>,
    recent: Vec<Square>,
    /// The place of the next recent square, round and round.
    next: usize,
    small: Work<i64>,
    large: Work<i128>,
    wide: Work<Wide>,
}

#[derive(Default)]
struct Work<T> {
    spots: Vec<Spot<T>>,
    open: Open<T>,
    distances: Vec<(T, u64)>,
    smallest: Smallest<T>,
    slide: Slide<T>,
}

/// An anchor with what it needs to be solved in whole numbers.
struct Anchor<'a> {
    location: usize,
    at: Point,
    units: u64,
    near: &'a [u32],
    /// An upper bound on the side.
    bound: f64,
    /// Where about the lower corner of a square with that side is.
    low: [f64; 2],
}

impl<'a, const DIAMOND: bool> Solver<'a, DIAMOND> {
    fn new(tree: &'a Tree, anonymity: Anonymity) -> Self {
        let mut delta = anonymity.delta().distance();
        let mut span = span(tree.points().iter().copied());
        if delta < 2.0 * span.size() {
            span = span.with(delta);
        } else {
            // No square of the population is so large that it could matter.
            delta = f64::INFINITY;
        }
        Self {
            tree,
            k: anonymity.k(),
            delta,
            small: Some(span).filter(|span| matches!(span.fit(), Fit::Small(_))),
            known: Known::new(if delta == 0.0 { 0 } else { tree.points().len() }),
        }
    }

    fn disc(&self, i: usize, scratch: &mut Scratch) -> Disc {
        let at = self.tree.points()[i];
        let units = self.tree.weights()[i];
        if units >= self.k {
            return Disc {
                center: at,
                radius: 0.0,
                units,
            };
        }
        let (mut bound, mut low) = self.bound(at, &scratch.recent);
        let Scratch { search, near, .. } = scratch;
        if self.delta == 0.0 {
            self.tree
                .nearest::<DIAMOND>(at, self.k, bound / 2.0, search, near);
        } else {
            let most = 8 * self.k.min(1 << 20) as usize + 32;
            let known = bound.is_finite()
                && self
                    .tree
                    .within::<DIAMOND>(at, self.reach(bound), most, search, near);
            if !known {
                // A square that holds k units and the anchor reaches no further than its side.
                let radius = self
                    .tree
                    .nearest::<DIAMOND>(at, self.k, bound, search, near);
                if 2.0 * radius * SLACK < bound {
                    bound = 2.0 * radius * SLACK;
                    low = [-radius; 2];
                }
                self.tree
                    .within::<DIAMOND>(at, self.reach(bound), usize::MAX, search, near);
            }
        }
        let span = self.small.unwrap_or_else(|| self.span(at, near, bound));
        let anchor = Anchor {
            location: i,
            at,
            low,
            units,
            near,
            // The anchor is also in the middle of a square that holds all that is near. A bound
            // from far away would not fit in small numbers.
            bound: bound.min(8.0 * span.size()),
        };
        let (disc, offset) = match span.fit() {
            Fit::Small(exponent) => self.exact(&anchor, exponent, &mut scratch.small),
            Fit::Large(exponent) => self.exact(&anchor, exponent, &mut scratch.large),
            Fit::Wide(exponent) => self.exact(&anchor, exponent, &mut scratch.wide),
        };
        let center = turn::<DIAMOND>(offset);
        scratch.keep(Square {
            anchor: at,
            low: center.map(|c| c - disc.radius),
            high: center.map(|c| c + disc.radius),
        });
        disc
    }

    /// Whether δ can keep a square of this side from its place.
    fn limits(&self, side: f64) -> bool {
        2.0 * self.delta < side
    }

    /// How far from its anchor an allowed square reaches.
    fn reach(&self, side: f64) -> f64 {
        side.min((side / 2.0 + self.delta) * SLACK)
    }

    /// An upper bound on the side, and about the lower corner, from earlier squares, widened to
    /// hold this anchor too.
    fn bound(&self, at: Point, recent: &[Square]) -> (f64, [f64; 2]) {
        let mut best = (f64::INFINITY, [0.0; 2]);
        for square in recent {
            let offset = turn::<DIAMOND>([at.x - square.anchor.x, at.y - square.anchor.y]);
            let mut side = 0.0f64;
            let mut corner = [0.0; 2];
            for axis in 0..2 {
                let low = square.low[axis] - offset[axis];
                let high = square.high[axis] - offset[axis];
                side = side
                    .max(high.max(0.0) - low.min(0.0))
                    .max(2.0 * (high - self.delta))
                    .max(2.0 * (-low - self.delta));
                corner[axis] = low;
            }
            let rounding = (side + offset[0].abs() + offset[1].abs()) * (SLACK - 1.0);
            if side + rounding < best.0 {
                best = (side + rounding, corner.map(|low| low - rounding));
            }
        }
        best
    }

    fn span(&self, at: Point, near: &[u32], bound: f64) -> Span {
        let points = self.tree.points();
        let span = span(near.iter().map(|&i| points[i as usize]))
            .with(at.x)
            .with(at.y);
        if self.limits(bound) {
            span.with(self.delta)
        } else {
            span
        }
    }

    /// The square in whole numbers of 2^exponent, and its centre relative to the anchor.
    fn exact<T: Whole>(
        &self,
        anchor: &Anchor,
        exponent: i32,
        work: &mut Work<T>,
    ) -> (Disc, [f64; 2]) {
        let (x, y) = (
            T::floor(anchor.at.x, exponent),
            T::floor(anchor.at.y, exponent),
        );
        let (points, weights) = (self.tree.points(), self.tree.weights());
        let spots = &mut work.spots;
        spots.clear();
        spots.extend(anchor.near.iter().map(|&i| {
            let p = points[i as usize];
            let dx = T::floor(p.x, exponent) - x;
            let dy = T::floor(p.y, exponent) - y;
            let units = weights[i as usize];
            let (u, v) = if DIAMOND {
                (dx + dy, dx - dy)
            } else {
                (dx, dy)
            };
            Spot {
                u,
                v,
                units,
                known: T::ZERO,
            }
        }));
        if self.delta == 0.0 {
            let (radius, units) = kth_nearest(spots, self.k, &mut work.distances);
            let disc = Disc {
                center: anchor.at,
                radius: radius.round(exponent),
                units,
            };
            return (disc, [0.0; 2]);
        }
        let above = T::floor(anchor.bound, exponent) + T::ONE;
        let wanted = Wanted {
            k: self.k,
            twice_delta: if self.limits(anchor.bound) {
                T::floor(self.delta, exponent).twice()
            } else {
                above
            },
        };
        let low = anchor.low.map(|low| T::floor(low, exponent));
        let first = work.smallest.first(low, spots, &wanted, above);
        for (spot, &i) in spots.iter_mut().zip(anchor.near) {
            spot.known = T::floor(self.known.get(i as usize), exponent);
        }
        if anchor.units == 0 {
            spots.push(Spot {
                u: T::ZERO,
                v: T::ZERO,
                units: 0,
                known: T::ZERO,
            });
        }
        let open = work.open.select(spots, first, wanted.reach(first));
        let side = work.smallest.side(open, &wanted, first);
        self.remember(anchor.location, side, exponent);
        // Squares of the same size must be seen too.
        let open = work.open.select(spots, side + T::ONE, wanted.reach(side));
        let found = work.slide.best(open, &wanted, side, DIAMOND);
        let eight = |n: T| n.twice().twice().twice();
        let disc = Disc {
            center: Point::new(
                (eight(x) + found.x).round(exponent - 3),
                (eight(y) + found.y).round(exponent - 3),
            ),
            radius: side.round(exponent - 1),
            units: found.units,
        };
        (disc, [found.x, found.y].map(|c| c.round(exponent - 3)))
    }

    /// What the answer at δ says at δ = ∞: the same side if δ did not matter, else more than 2δ.
    fn remember<T: Whole>(&self, location: usize, side: T, exponent: i32) {
        let rounded = side.round(exponent);
        let down = if T::floor(rounded, exponent) > side {
            rounded.next_down()
        } else {
            rounded
        };
        self.known.set(location, down.min(2.0 * self.delta));
    }
}

impl Scratch {
    fn keep(&mut self, square: Square) {
        if self.recent.len() < RECENT {
            self.recent.push(square);
        } else {
            self.recent[self.next] = square;
            self.next = (self.next + 1) % RECENT;
        }
    }
}

/// From (x, y) to (u, v).
fn turn<const DIAMOND: bool>([x, y]: [f64; 2]) -> [f64; 2] {
    if DIAMOND { [x + y, x - y] } else { [x, y] }
}

fn span(points: impl Iterator<Item = Point>) -> Span {
    points.fold(Span::NONE, |span, p| span.with(p.x).with(p.y))
}

/// The distance to the k-th nearest unit, and all units within it.
fn kth_nearest<T: Whole>(spots: &[Spot<T>], k: u64, distances: &mut Vec<(T, u64)>) -> (T, u64) {
    distances.clear();
    distances.extend(spots.iter().map(|s| (s.distance(), s.units)));
    distances.sort_unstable_by_key(|&(distance, _)| distance);
    let mut units = 0;
    let mut radius = T::ZERO;
    for &(distance, more) in &*distances {
        if units >= k && distance > radius {
            break;
        }
        units += more;
        radius = distance;
    }
    (radius, units)
}

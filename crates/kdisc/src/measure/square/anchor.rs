//! One anchor at a time: from doubles to whole numbers and back.

use super::gather::{Recent, turn};
use super::known::{Known, Open};
use super::slide::Slide;
use super::smallest::{Smallest, Spot, Wanted};
use super::whole::{Fit, Span, Whole};
use super::wide::Wide;
use crate::index::Tree;
use crate::index::square::Search;
use crate::{Anonymity, Disc, Point};

pub(super) struct Solver<'a, const DIAMOND: bool> {
    pub tree: &'a Tree,
    pub k: u64,
    pub delta: f64,
    /// The span of all coordinates together, when small numbers hold them.
    small: Option<Span>,
    known: Known,
}

/// Per-thread work space.
#[derive(Default)]
pub(super) struct Scratch {
    search: Search,
    near: Vec<u32>,
    recent: Recent,
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
    /// Where to look first for the lower corner of a good square.
    low: [f64; 2],
}

impl<'a, const DIAMOND: bool> Solver<'a, DIAMOND> {
    pub fn new(tree: &'a Tree, anonymity: Anonymity) -> Self {
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

    pub fn disc(&self, i: usize, scratch: &mut Scratch) -> Disc {
        self.solve(i, scratch, None)
    }

    /// The locations with units in the square of a location, put in `members`.
    pub fn members(&self, i: usize, scratch: &mut Scratch, members: &mut Vec<u32>) {
        members.clear();
        self.solve(i, scratch, Some(members));
    }

    fn solve(&self, i: usize, scratch: &mut Scratch, members: Option<&mut Vec<u32>>) -> Disc {
        let at = self.tree.points()[i];
        let units = self.tree.weights()[i];
        if units >= self.k {
            if let Some(members) = members {
                members.push(i as u32);
            }
            return Disc {
                center: at,
                radius: 0.0,
                units,
            };
        }
        let (bound, low) = scratch.recent.bound::<DIAMOND>(at, self.delta);
        let Scratch { search, near, .. } = scratch;
        let bound = self.gather(at, bound, search, near);
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
            Fit::Small(exponent) => self.exact(&anchor, exponent, &mut scratch.small, members),
            Fit::Large(exponent) => self.exact(&anchor, exponent, &mut scratch.large, members),
            Fit::Wide(exponent) => self.exact(&anchor, exponent, &mut scratch.wide, members),
        };
        let center = turn::<DIAMOND>(offset);
        scratch.recent.keep(at, center, disc.radius);
        disc
    }

    /// Whether δ can keep a square of this side from its place.
    pub fn limits(&self, side: f64) -> bool {
        2.0 * self.delta < side
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
        members: Option<&mut Vec<u32>>,
    ) -> (Disc, [f64; 2]) {
        let (x, y) = (
            T::toward_zero(anchor.at.x, exponent),
            T::toward_zero(anchor.at.y, exponent),
        );
        let (points, weights) = (self.tree.points(), self.tree.weights());
        let spots = &mut work.spots;
        spots.clear();
        spots.extend(anchor.near.iter().map(|&i| {
            let p = points[i as usize];
            let dx = T::toward_zero(p.x, exponent) - x;
            let dy = T::toward_zero(p.y, exponent) - y;
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
            if let Some(members) = members {
                let near = spots.iter().zip(anchor.near);
                let inside = near.filter(|(spot, _)| spot.distance() <= radius);
                members.extend(inside.map(|(_, &i)| i));
            }
            let disc = Disc {
                center: anchor.at,
                radius: radius.round(exponent),
                units,
            };
            return (disc, [0.0; 2]);
        }
        let above = T::toward_zero(anchor.bound, exponent) + T::ONE;
        let wanted = Wanted {
            k: self.k,
            twice_delta: if self.limits(anchor.bound) {
                T::toward_zero(self.delta, exponent).twice()
            } else {
                above
            },
        };
        let low = anchor.low.map(|low| T::toward_zero(low, exponent));
        let first = work.smallest.first(low, spots, &wanted, above);
        for (spot, &i) in spots.iter_mut().zip(anchor.near) {
            spot.known = T::toward_zero(self.known.get(i as usize), exponent);
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
        if let Some(members) = members {
            let (u, v) = if DIAMOND {
                (found.x + found.y, found.x - found.y)
            } else {
                (found.x, found.y)
            };
            let half = side.twice().twice();
            let is_near = |c: T, center: T| (eight(c) - center).max(center - eight(c)) <= half;
            let near = spots.iter().zip(anchor.near);
            let inside = near.filter(|(spot, _)| is_near(spot.u, u) && is_near(spot.v, v));
            members.extend(inside.map(|(_, &i)| i));
        }
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
        let down = if T::toward_zero(rounded, exponent) > side {
            rounded.next_down()
        } else {
            rounded
        };
        self.known.set(location, down.min(2.0 * self.delta));
    }
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

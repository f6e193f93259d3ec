//! Branch and bound over the centres of the discs of one location.
//!
//! With the location as origin, f(x) = max(|x|, distance of the k-th unit from x) is the least
//! radius of a disc at x, and d(x), the distance from x to the border, is the largest. Both change
//! no faster than one walks, so a square of half-diagonal h round m is left out when f(m) − h
//! exceeds what is known to be possible, or d(m) + h. What remains is quartered, the most promising
//! first, together with the locations that may lie on a circle there and the edges that it may
//! meet. When these are few, all circles that they can hold in place are tried. On lattices they
//! never become few; then a square that is tiny beside its discs will do.
//!
//! Plain doubles leave squares out, with room for their errors. Circles are tried in the digits of
//! [`Frame`](super::frame::Frame).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::border::{Border, Edge, squared_distance};
use super::choice::{Choice, TIED};
use super::circles::{self, Circle, Spot};
use super::frame::{Frame, Side, difference, length};
use crate::Point;

/// A place this much outside, relative to the radius, counts as inside.
const INSIDE: f64 = 1e-12;
/// Few enough to try all circles.
const FEW_SPOTS: usize = 8;
const FEW_SIDES: usize = 6;
/// A square this small, relative to its discs, is not quartered any more.
const TINY: f64 = 1e-7;
/// Room for the rounding of distances, relative to them.
const ROOM: f64 = 1e-11;

pub(super) struct Search<'a> {
    pub frame: Frame,
    pub border: &'a Border,
    /// Whether the location is inside, and not on the border.
    pub interior: bool,
    pub k: u64,
    /// No disc is smaller.
    pub least: f64,
    /// Larger discs are not looked for.
    pub limit: f64,
    pub spots: Vec<Spot>,
    /// Edges of the map, and the pieces of them that are within reach.
    pub edges: Vec<(Edge, Edge)>,
    /// More than the error of a distance to an edge.
    pub slack: f64,
}

/// A square of centres.
struct Square {
    middle: Point,
    half: f64,
    /// No disc with its centre here is smaller.
    low: f64,
    /// … and none that is of use is larger.
    high: f64,
    /// Units that are in all these discs.
    inside: u64,
    /// Locations that may lie on their circles.
    spots: Vec<u32>,
    /// Edges that they may meet.
    edges: Vec<u32>,
}

impl Search<'_> {
    /// The circles of the smallest enclosed discs.
    pub fn run(mut self, choice: &mut Choice) {
        let mut queue = BinaryHeap::new();
        let all = Square {
            middle: Point::default(),
            half: self.limit,
            low: self.least,
            high: self.limit,
            inside: 0,
            spots: (0..self.spots.len() as u32).collect(),
            edges: (0..self.edges.len() as u32).collect(),
        };
        let mut distances = Vec::new();
        queue.extend(self.narrowed(&all, all.middle, all.half, &mut distances));
        while let Some(square) = queue.pop() {
            if square.low > self.limit {
                return;
            }
            let few = square.spots.len() <= FEW_SPOTS && square.edges.len() <= FEW_SIDES;
            if few || square.half < (TINY * square.low).max(self.slack) {
                self.try_circles(&square, choice);
                self.limit = self.limit.min(choice.limit());
                continue;
            }
            let half = square.half / 2.0;
            for (x, y) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
                let middle = Point::new(square.middle.x + x, square.middle.y + y);
                queue.extend(self.narrowed(&square, middle, half, &mut distances));
            }
        }
    }

    /// A part of a square with what matters there, unless no disc is of use there.
    fn narrowed(
        &mut self,
        from: &Square,
        middle: Point,
        half: f64,
        distances: &mut Vec<(f64, u64)>,
    ) -> Option<Square> {
        let reach = half * std::f64::consts::SQRT_2 * (1.0 + ROOM);
        let away = |spot: u32| length(difference(self.spots[spot as usize].local, middle));
        let border = |edge: u32| squared_distance(&self.edges[edge as usize].1, middle).sqrt();
        distances.clear();
        distances.extend(
            from.spots
                .iter()
                .map(|&spot| (away(spot), self.spots[spot as usize].units)),
        );
        let least = kth(distances, self.k.saturating_sub(from.inside))?.max(length(middle));
        let nearest = from.edges.iter().map(|&edge| border(edge));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        let low = (least * (1.0 - ROOM) - reach).max(self.least);
        if low > self.limit || low > (nearest + self.slack) * (1.0 + ROOM) + reach {
            return None;
        }
        // Edges that are not listed are farther than any disc of `from` reaches.
        if least <= from.high
            && least < nearest - self.slack
            && self.is_inside(middle, nearest.min(from.high))
        {
            self.limit = self.limit.min(least * (1.0 + ROOM));
        }
        let high = (least * (1.0 + ROOM) + reach).min(self.limit);
        let near = reach + ROOM * high;
        let mut inside = from.inside;
        let mut spots = Vec::new();
        for &spot in &from.spots {
            let distance = away(spot);
            if distance + near < low {
                inside += self.spots[spot as usize].units;
            } else if distance - near <= high {
                spots.push(spot);
            }
        }
        let meets = |edge: &&u32| border(**edge) <= high + near + self.slack;
        let edges = from.edges.iter().filter(meets).copied().collect();
        // A smallest disc has two locations on its circle.
        (spots.len() > 1).then_some(Square {
            middle,
            half,
            low,
            high,
            inside,
            spots,
            edges,
        })
    }

    /// Whether a centre is inside the region, if a disc round it that holds the origin and reaches
    /// to `clear` does not cross the border.
    fn is_inside(&self, center: Point, clear: f64) -> bool {
        (self.interior && length(center) < clear * (1.0 - ROOM))
            || self.border.holds(self.frame.place(center))
    }

    fn try_circles(&self, square: &Square, choice: &mut Choice) {
        let spots: Vec<Spot> = square
            .spots
            .iter()
            .map(|&s| self.spots[s as usize])
            .collect();
        let edges = square.edges.iter().map(|&e| self.edges[e as usize].0);
        let sides: Vec<Side> = edges.clone().map(|e| Side::new(&self.frame, e)).collect();
        let mut corners: Vec<Point> = edges.flatten().collect();
        corners.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        corners.dedup();
        circles::each(&self.frame, &spots, &sides, &corners, |circle| {
            if circle.radius <= self.limit.min(choice.limit())
                && let Some(units) = self.content(square, &spots, &circle)
                && self.fits(&sides, &circle)
            {
                choice.offer(circle, units);
            }
        });
    }

    /// The units in a circle that is of this square and holds the origin and enough of them.
    fn content(&self, square: &Square, spots: &[Spot], circle: &Circle) -> Option<u64> {
        let Circle { center, radius, .. } = *circle;
        let away = difference(center, square.middle);
        let allowed = square.half * (1.0 + ROOM) + INSIDE * radius;
        let limit = radius * (1.0 + INSIDE);
        if away.x.abs().max(away.y.abs()) > allowed || length(center) > limit {
            return None;
        }
        let inside = spots
            .iter()
            .filter(|spot| length(difference(spot.local, center)) <= limit);
        let units = square.inside + inside.map(|spot| spot.units).sum::<u64>();
        (units >= self.k).then_some(units)
    }

    fn fits(&self, sides: &[Side], circle: &Circle) -> bool {
        let clear = circle.radius * (1.0 - TIED);
        sides
            .iter()
            .all(|side| side.distance(circle.center) >= clear)
            && self.is_inside(circle.center, clear)
    }
}

/// The distance within which there are `k` units, if there are; the order of the list is lost.
fn kth(list: &mut [(f64, u64)], k: u64) -> Option<f64> {
    if k == 0 {
        return Some(0.0);
    }
    let (mut rest, mut k) = (list, k);
    while rest.len() > 1 {
        let half = rest.len() / 2;
        let (nearer, _, _) = rest.select_nth_unstable_by(half, |a, b| a.0.total_cmp(&b.0));
        let units: u64 = nearer.iter().map(|(_, units)| *units).sum();
        if units >= k {
            rest = &mut rest[..half];
        } else {
            k -= units;
            rest = &mut rest[half..];
        }
    }
    rest.first().filter(|last| last.1 >= k).map(|last| last.0)
}

impl Ord for Square {
    /// The most promising first, then in an order of their own.
    fn cmp(&self, other: &Self) -> Ordering {
        let by = |a: f64, b: f64| b.total_cmp(&a);
        by(self.low, other.low)
            .then_with(|| by(self.half, other.half).reverse())
            .then_with(|| by(self.middle.x, other.middle.x))
            .then_with(|| by(self.middle.y, other.middle.y))
    }
}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Square {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Square {}

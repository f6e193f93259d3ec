//! How large a disc of one location can be at most, whatever its units.
//!
//! Near a corner, or where a part is narrow, no large disc that holds the location lies inside.
//! This is told by the border alone, and much sooner than by a search among units.
//!
//! A disc at x that holds the location s and lies inside has |x − s| ≤ r ≤ d(x), with d(x) the
//! distance to the border. Over a square of half-diagonal h round m, d is at most d(m) + h; so that
//! bounds r, and there is no such disc if |m − s| − h exceeds it. Squares are quartered, the one
//! with the largest bound first, until that one is small beside its bound.
//!
//! Cost: some dozens of distances to the border.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::border::Border;
use super::frame::{difference, length};
use crate::Point;

/// A square of this size, relative to its bound, is small: the bound is at most this much too
/// large.
const SMALL: f64 = 0.25;

struct Square {
    bound: f64,
    middle: Point,
    half: f64,
}

/// No disc that holds `at` and lies inside the border is larger, up to rounding; 0 if that is
/// below `least`. None is larger than `most` anyway.
pub(super) fn room(border: &Border, at: Point, least: f64, most: f64) -> f64 {
    let square = |middle: Point, half: f64| {
        let reach = half * std::f64::consts::SQRT_2 + border.slack();
        let bound = (border.distance(middle) + reach) * (1.0 + 1e-12);
        let away = length(difference(middle, at)) - reach;
        (bound >= least && away <= bound).then_some(Square {
            bound,
            middle,
            half,
        })
    };
    let mut queue = BinaryHeap::from_iter(square(at, most));
    while let Some(Square {
        bound,
        middle,
        half,
    }) = queue.pop()
    {
        if half <= SMALL * bound.min(most) {
            return bound.min(most);
        }
        let half = half / 2.0;
        for (x, y) in [(-half, -half), (half, -half), (-half, half), (half, half)] {
            queue.extend(square(Point::new(middle.x + x, middle.y + y), half));
        }
    }
    0.0
}

impl Ord for Square {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
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

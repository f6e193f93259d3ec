//! What an anchor's smallest square can hold: an upper bound on its side, and all within reach.
//!
//! A bound usually comes from the squares of the anchors just done, widened to hold this one too.
//! Where that is poor (the first anchor of a thread, or a village after a lonely farm) it comes
//! from the tree. Among the 4k nearest units, k are in one quadrant of the anchor, so a square
//! with the anchor in its corner holds them, with a side of the distance of the 4k-th. Its reach
//! is that side, so it reaches no more than those 4k units and their ties. When δ forbids this
//! square, take the distance r of the k-th nearest unit from the nearest of the four centres
//! (±δ, ±δ): the squares of that radius round all four cover everything within r + δ, and none of
//! them has k units inside. Again no more than 4k units are in reach, however dense the
//! surroundings of a lonely anchor.

use super::anchor::Solver;
use crate::Point;
use crate::index::square::{SLACK, Search};

/// Earlier squares that are tried as bounds.
const RECENT: usize = 16;

/// An earlier square: its anchor, and its sides relative to it, in (u, v).
#[derive(Debug, Clone, Copy)]
struct Square {
    anchor: Point,
    low: [f64; 2],
    high: [f64; 2],
}

/// The last few squares.
#[derive(Debug, Default)]
pub(super) struct Recent {
    squares: Vec<Square>,
    /// The place of the next one, round and round.
    next: usize,
}

impl Recent {
    /// The centre is relative to the anchor.
    pub fn keep(&mut self, anchor: Point, center: [f64; 2], radius: f64) {
        let square = Square {
            anchor,
            low: center.map(|c| c - radius),
            high: center.map(|c| c + radius),
        };
        if self.squares.len() < RECENT {
            self.squares.push(square);
        } else {
            self.squares[self.next] = square;
            self.next = (self.next + 1) % RECENT;
        }
    }

    /// An upper bound on the side, and where about the lower corner of such a square is.
    pub fn bound<const DIAMOND: bool>(&self, at: Point, delta: f64) -> (f64, [f64; 2]) {
        let mut best = (f64::INFINITY, [0.0; 2]);
        for square in &self.squares {
            let offset = turn::<DIAMOND>([at.x - square.anchor.x, at.y - square.anchor.y]);
            let mut side = 0.0f64;
            let mut corner = [0.0; 2];
            for axis in 0..2 {
                let low = square.low[axis] - offset[axis];
                let high = square.high[axis] - offset[axis];
                side = side
                    .max(high.max(0.0) - low.min(0.0))
                    .max(2.0 * (high - delta))
                    .max(2.0 * (-low - delta));
                corner[axis] = low;
            }
            let rounding = (side + offset[0].abs() + offset[1].abs()) * (SLACK - 1.0);
            if side + rounding < best.0 {
                best = (side + rounding, corner.map(|low| low - rounding));
            }
        }
        best
    }
}

impl<const DIAMOND: bool> Solver<'_, DIAMOND> {
    /// Puts in `near` all locations with units in reach of the smallest square, given an upper
    /// bound on its side, and returns a better bound if that was too poor.
    pub fn gather(&self, at: Point, bound: f64, search: &mut Search, near: &mut Vec<u32>) -> f64 {
        let (tree, k) = (self.tree, self.k);
        if self.delta == 0.0 {
            return 2.0 * tree.nearest::<DIAMOND>(at, k, bound / 2.0, search, near);
        }
        let most = 8 * k.min(1 << 20) as usize + 32;
        let reach = self.reach(bound);
        if reach.is_finite() && tree.within::<DIAMOND>(at, reach, most, search, near) {
            return bound;
        }
        // So many are within reach of the bound that 4k units are, or nothing is known.
        let corner = tree.nearest::<DIAMOND>(at, 4 * k, bound, search, near);
        if corner.is_infinite() || !self.limits(corner) {
            return bound.min(corner);
        }
        let farthest = corner + self.delta;
        // The centres are rounded.
        let rounding = f64::EPSILON * (at.x.abs() + at.y.abs() + farthest);
        let corners = if DIAMOND {
            [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        } else {
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
        };
        let nearest = corners.map(|(x, y)| {
            let center = Point::new(at.x + x * self.delta, at.y + y * self.delta);
            tree.nearest::<DIAMOND>(center, k, farthest + rounding, search, near)
        });
        let radius = nearest
            .into_iter()
            .fold(f64::INFINITY, f64::min)
            .max(self.delta);
        let bound = bound.min(2.0 * (radius + 4.0 * rounding) * SLACK);
        tree.within::<DIAMOND>(at, self.reach(bound), usize::MAX, search, near);
        bound
    }

    /// How far from its anchor an allowed square reaches.
    fn reach(&self, side: f64) -> f64 {
        side.min((side / 2.0 + self.delta) * SLACK)
    }
}

/// From (x, y) to (u, v).
pub(in crate::measure) fn turn<const DIAMOND: bool>([x, y]: [f64; 2]) -> [f64; 2] {
    if DIAMOND { [x + y, x - y] } else { [x, y] }
}

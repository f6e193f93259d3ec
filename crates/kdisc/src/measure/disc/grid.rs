//! The distance of the k-th unit, f, at many places of a cell at once.
//!
//! Squared distances from every place to every point of the grid are worked out once; then each
//! lane of a vector is a point. Single precision has twice the lanes: lengths are in units of the
//! largest that matters, and what comes out is rounded up by more than they are off.

use pulp::Simd;

use super::cell::Cell;
use super::lanes;
use super::list::{LANES, List};
use crate::Point;

/// Columns and rows.
const SIDE: usize = 8;
/// Points of the grid.
const POINTS: usize = SIDE * SIDE;
/// Vectors that are looked at together: enough to keep a processor busy, few enough for registers.
const TOGETHER: usize = 4;
/// Halvings in the search for f: to about a hundredth.
const STEPS: usize = 6;
/// How far squared distances may be off, in units of the largest that matters.
const ROOM: f32 = 2e-6;
/// Whole numbers up to here are exact in single precision, and what is more stays more.
const WHOLE: f64 = (1 << f32::MANTISSA_DIGITS) as f64;
/// A row with room beside it, for the widest vectors.
const STRIDE: usize = 2 * LANES;

/// A number for each point of the grid, row by row.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Table([f32; POINTS]);

/// A place as seen from the grid.
#[derive(Clone, Copy)]
struct Seen {
    squared: Table,
    weight: f32,
}

const NONE: Table = Table([0.0; POINTS]);

const UNSEEN: Seen = Seen {
    squared: NONE,
    weight: 0.0,
};

/// A disc round a point of the grid.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    point: usize,
    /// The square of its radius, or a little more.
    pub squared: f64,
}

pub(crate) struct Grid {
    cell: Cell,
    /// The largest length that matters, by which all are divided.
    size: f64,
    across: Table,
    up: Table,
    places: Vec<Seen>,
    len: usize,
    /// Squares of radii of discs that hold k units.
    radii: Table,
}

impl Default for Grid {
    fn default() -> Self {
        let mut grid = Self {
            cell: Cell {
                x: 0.0,
                y: 0.0,
                half: 0.0,
                most: 0.0,
            },
            size: 1.0,
            across: NONE,
            up: NONE,
            places: Vec::new(),
            len: 0,
            radii: NONE,
        };
        // In sides of the cell.
        let step = |i: usize| (2 * i + 1) as f32 / SIDE as f32 - 1.0;
        for point in 0..POINTS {
            grid.across.0[point] = step(point % SIDE);
            grid.up.0[point] = step(point / SIDE);
        }
        grid
    }
}

impl Grid {
    /// Lays the grid over a cell, looks at the places of a list, and finds discs round the points
    /// that hold k units, nearly the smallest: by halving from what is known from the middle of the
    /// cell.
    #[inline(always)]
    pub fn lay<S: Simd>(&mut self, simd: S, cell: &Cell, list: &List, k: f64) {
        self.cell = *cell;
        self.size = cell.most + 2.0 * cell.radius();
        let shrink = 1.0 / self.size;
        let half = (cell.half * shrink) as f32;
        let (mut x, mut y) = (self.across, self.up);
        for point in 0..POINTS {
            x.0[point] *= half;
            y.0[point] *= half;
        }
        self.len = list.len();
        if self.places.len() < self.len {
            self.places.resize(self.len, UNSEEN);
        }
        // Whole numbers that add up to as many as are wanted only if the weights do.
        let (wanted, share) = if k <= WHOLE {
            (k, 1.0)
        } else {
            (WHOLE, WHOLE / k * (1.0 - 4.0 * f64::EPSILON))
        };
        for (i, seen) in self.places[..self.len].iter_mut().enumerate() {
            let at = list.at(i as u32);
            let (px, py) = (
                ((at.x - cell.x) * shrink) as f32,
                ((at.y - cell.y) * shrink) as f32,
            );
            seen.weight = (list.weight(i as u32).min(k) * share).floor() as f32;
            for point in 0..POINTS {
                let (dx, dy) = (px - x.0[point], py - y.0[point]);
                seen.squared.0[point] = dx * dx + dy * dy;
            }
        }
        let most = (cell.most * shrink) as f32 + ROOM;
        for point in 0..POINTS {
            let away = (x.0[point] * x.0[point] + y.0[point] * y.0[point]).sqrt();
            self.radii.0[point] = (most + away) * (most + away) + ROOM;
        }
        self.halve(simd, wanted as f32);
    }

    /// Halves what the radii may be, with weights of which `k` are wanted.
    #[inline(always)]
    fn halve<S: Simd>(&mut self, simd: S, k: f32) {
        let (zero, half, k) = (
            simd.splat_f32s(0.0),
            simd.splat_f32s(0.5),
            simd.splat_f32s(k),
        );
        let radii = S::as_mut_simd_f32s(&mut self.radii.0).0;
        for first in (0..radii.len()).step_by(TOGETHER) {
            let (mut low, mut high) = ([zero; TOGETHER], [zero; TOGETHER]);
            high.copy_from_slice(&radii[first..first + TOGETHER]);
            for _ in 0..STEPS {
                let (mut limit, mut units) = (high, [zero; TOGETHER]);
                for v in 0..TOGETHER {
                    limit[v] = simd.mul_f32s(half, simd.add_f32s(low[v], high[v]));
                }
                for place in &self.places[..self.len] {
                    let weight = simd.splat_f32s(place.weight);
                    let squared = &S::as_simd_f32s(&place.squared.0).0[first..first + TOGETHER];
                    for v in 0..TOGETHER {
                        let inside = simd.less_than_or_equal_f32s(squared[v], limit[v]);
                        units[v] = simd.add_f32s(units[v], simd.select_f32s(inside, weight, zero));
                    }
                }
                for v in 0..TOGETHER {
                    let enough = simd.greater_than_or_equal_f32s(units[v], k);
                    high[v] = simd.select_f32s(enough, limit[v], high[v]);
                    low[v] = simd.select_f32s(enough, low[v], limit[v]);
                }
            }
            radii[first..first + TOGETHER].copy_from_slice(&high);
        }
    }

    /// No disc round a point is smaller.
    pub fn smallest(&self) -> f64 {
        let least = self.radii.0.iter().copied().fold(f32::INFINITY, f32::min);
        f64::from(least).sqrt() * self.size
    }

    fn around(&self, point: usize, squared: f32) -> Around {
        Around {
            point,
            squared: f64::from(squared + ROOM) * (self.size * self.size),
        }
    }

    /// The disc round a point.
    pub fn disc(&self, point: usize) -> Around {
        self.around(point, self.radii.0[point])
    }

    /// The disc round the same point.
    pub fn disc_of(&self, around: &Around) -> Around {
        self.disc(around.point)
    }

    pub fn center(&self, around: &Around) -> Point {
        let half = self.cell.half;
        Point::new(
            self.cell.x + f64::from(self.across.0[around.point]) * half,
            self.cell.y + f64::from(self.up.0[around.point]) * half,
        )
    }

    /// The points whose disc is no larger than those of their neighbours: a bit for each.
    #[inline(always)]
    pub fn hollows<S: Simd>(&self, simd: S) -> u64 {
        // The lowest of each three in a column, with room at the sides.
        let mut lowest = [[f32::INFINITY; STRIDE]; SIDE];
        let radii = &self.radii.0;
        for row in 0..SIDE {
            let (above, below) = (row.saturating_sub(1), (SIDE - 1).min(row + 1));
            for column in 0..SIDE {
                let ends = radii[above * SIDE + column].min(radii[below * SIDE + column]);
                lowest[row][column + 1] = radii[row * SIDE + column].min(ends);
            }
        }
        let mut hollows = 0;
        for row in 0..SIDE {
            let mut here = [f32::INFINITY; LANES];
            here[..SIDE].copy_from_slice(&radii[row * SIDE..][..SIDE]);
            let here = S::as_simd_f32s(&here).0;
            let left = S::as_simd_f32s(&lowest[row]).0;
            let middle = S::as_simd_f32s(&lowest[row][1..]).0;
            let right = S::as_simd_f32s(&lowest[row][2..]).0;
            let mut bits = 0;
            for v in 0..SIDE.div_ceil(S::F32_LANES) {
                let lowest = simd.min_f32s(middle[v], simd.min_f32s(left[v], right[v]));
                bits |= lanes::singles(simd, v, simd.less_than_or_equal_f32s(here[v], lowest));
            }
            hollows |= u64::from(bits & 0xff) << (row * SIDE);
        }
        hollows
    }

    /// The best for a place among discs round the points, or round both such a disc and the place;
    /// with the square of the radius that will do.
    #[inline(always)]
    pub fn offer<S: Simd>(&self, simd: S, place: usize) -> Around {
        let half = simd.splat_f32s(0.5);
        let squared = S::as_simd_f32s(&self.places[place].squared.0).0;
        let radii = S::as_simd_f32s(&self.radii.0).0;
        let (mut best, mut from) = (simd.splat_f32s(f32::INFINITY), simd.splat_f32s(0.0));
        for v in 0..radii.len() {
            // ((a + b)/2)² ≤ (a² + b²)/2
            let both = simd.mul_f32s(half, simd.add_f32s(squared[v], radii[v]));
            let offer = simd.max_f32s(radii[v], both);
            let better = simd.less_than_f32s(offer, best);
            best = simd.select_f32s(better, offer, best);
            from = simd.select_f32s(better, simd.splat_f32s(v as f32), from);
        }
        let least = simd.reduce_min_f32s(best);
        let is_least = simd.equal_f32s(best, simd.splat_f32s(least));
        let lane = lanes::singles(simd, 0, is_least).trailing_zeros() as usize;
        let mut vectors = [0.0; LANES];
        S::as_mut_simd_f32s(&mut vectors).0[0] = from;
        self.around(vectors[lane] as usize * S::F32_LANES + lane, least)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    #[cfg(target_arch = "x86_64")]
    use pulp::x86::{V3, V4};
    use pulp::{Scalar, Scalar128b, Scalar256b, Scalar512b};

    use super::super::circle::squared;
    use super::super::list::Entry;
    use super::*;

    /// The distance of the k-th unit.
    fn kth(places: &[(Point, u64)], center: Point, k: u64) -> f64 {
        let mut near: Vec<_> = places
            .iter()
            .map(|&(p, weight)| (squared(p, center).sqrt(), weight))
            .collect();
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut units = 0;
        let enough = near.iter().find(|(_, weight)| {
            units += weight;
            units >= k
        });
        enough.expect("there are k units").0
    }

    fn check<S: Simd>(
        simd: S,
        places: &[(Point, u64)],
        cell: &Cell,
        k: u64,
    ) -> Result<(), TestCaseError> {
        let mut list = List::default();
        list.clear(1.0);
        for (i, &(p, weight)) in places.iter().enumerate() {
            let place = Entry {
                x: p.x,
                y: p.y,
                bound: 1.0,
                weight: weight as f64,
                location: i as u32,
            };
            list.push(&place, true);
        }
        list.vacate();
        let mut grid = Grid::default();
        grid.lay(simd, cell, &list, k as f64);
        let hollows = grid.hollows(simd);
        for point in 0..POINTS {
            let disc = grid.disc(point);
            let f = kth(places, grid.center(&disc), k);
            prop_assert!(disc.squared >= f * f, "{} < {}", disc.squared, f * f);
            let (row, column) = (point / SIDE, point % SIDE);
            let beside = |at: usize| at.saturating_sub(1)..(at + 2).min(SIDE);
            let is_lowest = beside(row).all(|row| {
                beside(column).all(|c| grid.radii.0[point] <= grid.radii.0[row * SIDE + c])
            });
            prop_assert_eq!(hollows >> point & 1 == 1, is_lowest);
        }
        for (i, &(place, _)) in places.iter().enumerate() {
            let offer = grid.offer(simd, i);
            let center = grid.center(&offer);
            let f = kth(places, center, k);
            let needed = f.max(f64::midpoint(f, squared(place, center).sqrt()));
            prop_assert!(offer.squared >= needed * needed);
        }
        Ok(())
    }

    proptest! {
        /// Discs that are too small would be bounds below the truth.
        #[test]
        fn discs_have_k_units(
            places in prop::collection::vec((-1.0..1.0, -1.0..1.0, 1..4u64), 5..40),
            (x, y, half) in (-0.3..0.3, -0.3..0.3, 0.05..0.5),
            k in 1..6u64,
            (factor, short) in prop_oneof![Just((1, 0)), Just((33_333_333, 1)), Just((1 << 40, 1))],
        ) {
            let places: Vec<_> = places
                .into_iter()
                .map(|(x, y, weight)| (Point::new(x, y), weight * factor))
                .collect();
            // One more than whole locations make up, if there are so many.
            let all: u64 = places.iter().map(|p| p.1).sum();
            let (center, k) = (Point::new(x, y), (k * factor + short).min(all));
            let cell = Cell { x, y, half, most: kth(&places, center, k) + 1e-9 };
            check(Scalar, &places, &cell, k)?;
            check(Scalar128b, &places, &cell, k)?;
            check(Scalar256b, &places, &cell, k)?;
            check(Scalar512b, &places, &cell, k)?;
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V3::try_new() {
                check(simd, &places, &cell, k)?;
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = V4::try_new() {
                check(simd, &places, &cell, k)?;
            }
        }
    }
}

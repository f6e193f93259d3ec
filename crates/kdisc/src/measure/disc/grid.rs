//! The distance of the k-th unit, f, at many places of a block at once.
//!
//! The places form a grid, so that squared distances are sums of a part along x, the same for a
//! column, and a part along y, the same for a row. Each lane of a vector is a column.

use pulp::Simd;

use super::cell::Cell;
use super::list::{LANES, List, of};
use crate::Point;

/// Columns and rows.
pub(crate) const SIDE: usize = 8;
/// Rows that are looked at together: enough to keep a processor busy, few enough for registers.
const TOGETHER: usize = 4;
/// Halvings in the search for f: to about a hundredth.
const STEPS: usize = 6;

type Row = [f64; SIDE];
/// A number for each point of the grid: rows, by column.
pub(crate) type Table = [Row; SIDE];

/// A place as seen from the grid: squared distances along x and y.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Seen {
    across: Row,
    up: Row,
    weight: f64,
}

const UNSEEN: Seen = Seen {
    across: [0.0; SIDE],
    up: [0.0; SIDE],
    weight: 0.0,
};

#[derive(Default)]
pub(crate) struct Grid {
    x: Row,
    y: Row,
    places: Vec<Seen>,
    len: usize,
}

impl Grid {
    /// Lays the grid over a cell and looks at the places of a list.
    #[inline(always)]
    pub fn lay<S: Simd>(&mut self, simd: S, cell: &Cell, list: &List) {
        for i in 0..SIDE {
            let step = ((2 * i + 1) as f64 / SIDE as f64 - 1.0) * cell.half;
            self.x[i] = cell.x + step;
            self.y[i] = cell.y + step;
        }
        self.len = list.len();
        let lanes = list.chunks().len() * LANES;
        if self.places.len() < lanes {
            self.places.resize(lanes, UNSEEN);
        }
        for (chunk, seen) in list
            .chunks()
            .iter()
            .zip(self.places.chunks_exact_mut(LANES))
        {
            for lane in 0..LANES {
                let seen = &mut seen[lane];
                seen.weight = chunk.weight[lane];
                squares(simd, chunk.x[lane], &self.x, &mut seen.across);
                squares(simd, chunk.y[lane], &self.y, &mut seen.up);
            }
        }
    }

    /// Squares of radii of discs round the points that hold k units, by halving from what is known
    /// from the middle of the cell; nearly the smallest.
    #[inline(always)]
    pub fn radii<S: Simd>(&self, simd: S, cell: &Cell, k: f64) -> Table {
        let mut radii = [[0.0; SIDE]; SIDE];
        for r in 0..SIDE {
            for c in 0..SIDE {
                let (dx, dy) = (self.x[c] - cell.x, self.y[r] - cell.y);
                let most = cell.most + (dx * dx + dy * dy).sqrt();
                radii[r][c] = most * most;
            }
        }
        let (zero, half, k) = (
            simd.splat_f64s(0.0),
            simd.splat_f64s(0.5),
            simd.splat_f64s(k),
        );
        for first in (0..SIDE).step_by(TOGETHER) {
            for v in 0..SIDE / S::F64_LANES {
                let (mut low, mut high) = ([zero; TOGETHER], [zero; TOGETHER]);
                for r in 0..TOGETHER {
                    high[r] = of::<S>(&radii[first + r])[v];
                }
                for _ in 0..STEPS {
                    let mut limit = high;
                    for r in 0..TOGETHER {
                        limit[r] = simd.mul_f64s(half, simd.add_f64s(low[r], high[r]));
                    }
                    let units = self.units(simd, first, v, &limit);
                    for r in 0..TOGETHER {
                        let enough = simd.greater_than_or_equal_f64s(units[r], k);
                        high[r] = simd.select_f64s(enough, limit[r], high[r]);
                        low[r] = simd.select_f64s(enough, low[r], limit[r]);
                    }
                }
                for r in 0..TOGETHER {
                    S::as_mut_simd_f64s(&mut radii[first + r]).0[v] = high[r];
                }
            }
        }
        radii
    }

    /// The units within the squared distances, for some rows and a vector of columns.
    #[inline(always)]
    fn units<S: Simd>(
        &self,
        simd: S,
        first: usize,
        v: usize,
        limit: &[S::f64s; TOGETHER],
    ) -> [S::f64s; TOGETHER] {
        let mut units = [simd.splat_f64s(0.0); TOGETHER];
        for place in &self.places[..self.len] {
            let across = of::<S>(&place.across)[v];
            let weight = simd.splat_f64s(place.weight);
            for r in 0..TOGETHER {
                let squared = simd.add_f64s(across, simd.splat_f64s(place.up[first + r]));
                let inside = simd.less_than_or_equal_f64s(squared, limit[r]);
                units[r] = simd.select_f64s(inside, simd.add_f64s(units[r], weight), units[r]);
            }
        }
        units
    }

    pub fn point(&self, row: usize, column: usize) -> Point {
        Point::new(self.x[column], self.y[row])
    }

    /// The best for a place among discs round the points with the given squared radii, or round
    /// both such a disc and the place.
    #[inline(always)]
    pub fn offer<S: Simd>(&self, simd: S, place: usize, radii: &Table) -> Offer {
        let place = &self.places[place];
        let half = simd.splat_f64s(0.5);
        let (mut offers, mut rows) = ([f64::INFINITY; SIDE], [0.0; SIDE]);
        for v in 0..SIDE / S::F64_LANES {
            let across = of::<S>(&place.across)[v];
            let (mut best, mut from) = (simd.splat_f64s(f64::INFINITY), simd.splat_f64s(0.0));
            for row in 0..SIDE {
                let radius = of::<S>(&radii[row])[v];
                let distance = simd.add_f64s(across, simd.splat_f64s(place.up[row]));
                // ((a + b)/2)² ≤ (a² + b²)/2
                let both = simd.mul_f64s(half, simd.add_f64s(distance, radius));
                let offer = simd.max_f64s(radius, both);
                let better = simd.less_than_f64s(offer, best);
                best = simd.select_f64s(better, offer, best);
                from = simd.select_f64s(better, simd.splat_f64s(row as f64), from);
            }
            S::as_mut_simd_f64s(&mut offers).0[v] = best;
            S::as_mut_simd_f64s(&mut rows).0[v] = from;
        }
        let mut column = 0;
        for c in 1..SIDE {
            if offers[c] < offers[column] {
                column = c;
            }
        }
        Offer {
            squared: offers[column],
            row: rows[column] as usize,
            column,
        }
    }
}

/// A disc round a point of the grid that is good for a place.
pub(crate) struct Offer {
    /// The square of the radius that will do.
    pub squared: f64,
    pub row: usize,
    pub column: usize,
}

#[inline(always)]
fn squares<S: Simd>(simd: S, place: f64, points: &Row, squares: &mut Row) {
    let (place, points) = (simd.splat_f64s(place), of::<S>(points));
    let squares = S::as_mut_simd_f64s(squares).0;
    for v in 0..squares.len() {
        let distance = simd.sub_f64s(place, points[v]);
        squares[v] = simd.mul_f64s(distance, distance);
    }
}

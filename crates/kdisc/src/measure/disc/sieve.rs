//! Which parts of a cell can have the centre of a useful disc.
//!
//! A cell with few supports is cut into 4 × 4 parts, and each lane of a vector is a part. The test
//! is that of the search: a part is left out if the supports within reach of it do not make up k
//! units. Single precision is enough to leave out most, and has twice the lanes.

use pulp::Simd;

use super::cell::{Cell, MARGIN};
use super::lanes;
use super::supports::{ROW, Range, Supports};

/// Most supports that are looked at.
pub(crate) const MOST: usize = 16;
/// Parts along a side of the cell.
const SIDE: usize = 4;
/// Parts of the cell.
const PARTS: usize = SIDE * SIDE;
/// The parts of the first quarter, one bit each.
const QUARTER: u32 = 0b0011_0011;
/// Room for rounding in single precision, where distances are at most 1.
const ROOM: f32 = 1e-6;

#[repr(align(64))]
struct Parts([f32; PARTS]);

/// Where the parts are: in their own sizes, from the middle of the cell.
const COLUMNS: Parts = places(1);
const ROWS: Parts = places(SIDE);

const fn places(step: usize) -> Parts {
    let mut places = [0.0; PARTS];
    let mut part = 0;
    while part < PARTS {
        places[part] = (part / step % SIDE) as f32 - (SIDE - 1) as f32 / 2.0;
        part += 1;
    }
    Parts(places)
}

/// Supports as seen from the middle of a cell, in units that make all coordinates at most 1.
pub(crate) struct Sieve {
    /// By which lengths are divided.
    size: f64,
    count: usize,
    x: [f32; MOST],
    y: [f32; MOST],
    bound: [f32; MOST],
    /// The square of the distance up to which a disc can serve the support.
    served: [f32; MOST],
    weight: [f32; MOST],
    /// What is inside all discs.
    inside: f32,
    /// No disc is larger.
    reach: f32,
    /// The units that are wanted of the supports, or a little less.
    wanted: f32,
}

impl Sieve {
    /// Takes at most [`MOST`] supports of the discs in a cell; discs serve what is within `near` of
    /// their centre.
    #[inline(always)]
    pub fn new(supports: &Supports, cell: &Cell, range: &Range, near: f64) -> Self {
        let size = range.reach + 2.0 * cell.radius() + 8.0 * MARGIN;
        let shrink = 1.0 / size;
        let mut sieve = Self {
            size,
            count: supports.count(),
            x: [0.0; MOST],
            y: [0.0; MOST],
            bound: [0.0; MOST],
            served: [0.0; MOST],
            weight: [0.0; MOST],
            inside: (range.inside.bound * shrink) as f32,
            reach: (range.reach * shrink) as f32,
            wanted: ((range.k - range.inside.units) * (1.0 - 1e-5)) as f32,
        };
        for (row, places) in supports.places.iter().take(MOST / ROW).enumerate() {
            for lane in 0..ROW {
                let i = row * ROW + lane;
                sieve.x[i] = (places.x[lane] * shrink) as f32;
                sieve.y[i] = (places.y[lane] * shrink) as f32;
                sieve.bound[i] = (places.bound[lane] * shrink) as f32;
                sieve.weight[i] = places.weight[lane] as f32;
                let served = (places.bound[lane].min(near) * shrink) as f32 + ROOM;
                sieve.served[i] = served * served;
            }
        }
        sieve
    }

    /// The parts that are not left out, one bit each, and the largest radius of useful discs in
    /// them.
    #[inline(always)]
    pub fn sift<S: Simd>(&self, simd: S, cell: &Cell) -> (u32, f64) {
        let half = (cell.half / self.size) as f32 / SIDE as f32;
        let twice = simd.splat_f32s(2.0 * half);
        let half = simd.splat_f32s(half + ROOM);
        let (zero, room) = (simd.splat_f32s(0.0), simd.splat_f32s(ROOM));
        let wanted = simd.splat_f32s(self.wanted);
        let (columns, rows) = (S::as_simd_f32s(&COLUMNS.0).0, S::as_simd_f32s(&ROWS.0).0);
        let (mut most, mut kept) = (zero, 0);
        for v in 0..columns.len() {
            let (x, y) = (
                simd.mul_f32s(columns[v], twice),
                simd.mul_f32s(rows[v], twice),
            );
            let along = |support: f32, part: S::f32s| {
                let apart = simd.abs_f32s(simd.sub_f32s(simd.splat_f32s(support), part));
                simd.max_f32s(simd.sub_f32s(apart, half), zero)
            };
            let mut gaps = [zero; MOST];
            let mut cap = simd.splat_f32s(self.inside);
            for i in 0..self.count {
                let (dx, dy) = (along(self.x[i], x), along(self.y[i], y));
                gaps[i] = simd.mul_add_e_f32s(dx, dx, simd.mul_f32s(dy, dy));
                let served = simd.less_than_or_equal_f32s(gaps[i], simd.splat_f32s(self.served[i]));
                let bound = simd.splat_f32s(self.bound[i]);
                cap = simd.max_f32s(cap, simd.select_f32s(served, bound, zero));
            }
            let cap = simd.add_f32s(simd.min_f32s(cap, simd.splat_f32s(self.reach)), room);
            let within = simd.mul_f32s(cap, cap);
            let mut units = zero;
            for i in 0..self.count {
                let inside = simd.less_than_or_equal_f32s(gaps[i], within);
                let weight = simd.splat_f32s(self.weight[i]);
                units = simd.add_f32s(units, simd.select_f32s(inside, weight, zero));
            }
            let enough = simd.greater_than_or_equal_f32s(units, wanted);
            most = simd.max_f32s(most, simd.select_f32s(enough, cap, zero));
            kept |= lanes::singles::<S>(v, enough);
        }
        let reach = simd.reduce_max_f32s(most);
        (kept, f64::from(reach + ROOM) * self.size)
    }
}

/// The smallest square round the parts that are kept.
#[inline(always)]
pub(crate) fn part_of(cell: &Cell, kept: u32) -> Cell {
    let columns = (kept | kept >> 4 | kept >> 8 | kept >> 12) & 15;
    let rows = kept | kept >> 1 | kept >> 2 | kept >> 3;
    let rows = rows & 1 | rows >> 3 & 2 | rows >> 6 & 4 | rows >> 9 & 8;
    let ((column, width), (row, height)) = (extent(columns), extent(rows));
    let side = width.max(height);
    // Within the cell: lists tell nothing of what is beyond.
    let last = SIDE as u32 - side;
    square_of(cell, column.min(last), row.min(last), side)
}

/// The quarters of a cell in which parts are kept, as small as these allow.
#[inline(always)]
pub(crate) fn quarters_of(cell: &Cell, kept: u32) -> impl Iterator<Item = Cell> {
    [0, 2, 8, 10].into_iter().filter_map(move |first| {
        let kept = kept & QUARTER << first;
        let (column, row) = (first % 4, first / 4);
        match kept.count_ones() {
            0 => None,
            1 => Some(part_of(cell, kept)),
            _ => Some(square_of(cell, column, row, 2)),
        }
    })
}

/// A square of parts, given its first column and row.
#[inline(always)]
fn square_of(cell: &Cell, column: u32, row: u32, side: u32) -> Cell {
    let step = cell.half / SIDE as f64;
    let shift = |first: u32| (f64::from(2 * first + side) - SIDE as f64) * step;
    let (dx, dy) = (shift(column), shift(row));
    Cell {
        x: cell.x + dx,
        y: cell.y + dy,
        half: f64::from(side) * step + MARGIN,
        most: cell.most + (dx * dx + dy * dy).sqrt() + MARGIN,
    }
}

/// The first bit, and how many there are from it to the last.
#[inline(always)]
fn extent(bits: u32) -> (u32, u32) {
    let (first, end) = (bits.trailing_zeros(), 32 - bits.leading_zeros());
    (first, end - first)
}

//! Circles through two or three places of a list with their centre in a given cell.
//!
//! The circles through two places form a pencil: with m the middle between them and n the vector
//! between them turned by a right angle, the centres are m + t·n. A place z (relative to m) is on
//! the circle when A = t·B, with A = |z|² − |n|²/4 and B = 2z·n. So one pass over the few places
//! that can lie on a circle tells which third ones put the centre in the cell. As t grows, a place
//! with B > 0 enters the disc at t = A/B, and one with B < 0 leaves it: so comparing these numbers
//! counts the units in a circle. All other places are inside all circles, or outside. As
//! everywhere in the lists, there is a margin for rounding: what is told here may be no disc at
//! all, but no disc is left out.
//!
//! Pairs are found as bits in words, eight places by eight; then all their thirds, then what is in
//! each circle: a processor that has to guess after each pair whether there is a third would mostly
//! wait.

use pulp::Simd;

use super::cell::{Cell, MARGIN, dot};
use super::lanes;
use super::list::of;
use super::supports::{Place, ROW, Range, Row, Supports};

/// Places with a smaller squared distance, in units of the scale, are too close to tell apart.
const BLUR: f64 = 1e-14;

/// In a triangle without an obtuse corner, the square of the longest side is at least this many
/// times that of the radius. A little less for rounding.
const LONG: f64 = 3.0 * (1.0 - 1e-6);

/// Pairs that are looked at together: a row of places with a row of others.
const PAIRS: usize = ROW * ROW;

/// Scratch for one cell.
#[derive(Default)]
pub(crate) struct Pencils {
    /// Pairs of supports (their numbers) whose pencil has a centre in the cell.
    pairs: Vec<[u32; 2]>,
    /// Where each place is on the circle, pair by pair.
    turns: Vec<Turns>,
    /// Which circles matter: for every eight pairs, by row, a byte for each pair and in it a bit
    /// for each third place. The first of the pair stands for the circle across.
    circles: Vec<u64>,
    told: Vec<[u32; 3]>,
}

/// Where places are on the circle, give or take an error; and whether they enter (1) or leave (−1)
/// the disc there.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Turns {
    t: Row,
    error: Row,
    way: Row,
}

const STILL: Turns = Turns {
    t: [0.0; ROW],
    error: [0.0; ROW],
    way: [0.0; ROW],
};

impl Pencils {
    /// Calls `tell` with the places (indices into the list) of each circle through those that were
    /// collected: two when diametral (then the last two are equal), else three.
    ///
    /// Three places hold a disc if no corner of their triangle is obtuse. They are found from the
    /// ends of the longest side, so that most pairs need no look.
    #[inline(always)]
    pub fn search<S: Simd>(
        &mut self,
        simd: S,
        supports: &Supports,
        cell: &Cell,
        range: &Range,
    ) -> &[[u32; 3]] {
        self.told.clear();
        let half = cell.half + MARGIN;
        let (places, rows) = (supports.index.len(), supports.places.len());
        // Room for all beforehand: vectors would be put aside for every call that might grow it.
        grow(&mut self.pairs, PAIRS, [0; 2]);
        grow(&mut self.turns, PAIRS * rows, STILL);
        grow(&mut self.circles, PAIRS / ROW * rows, 0);
        for row in 0..rows {
            for first in (row * ROW..places).step_by(ROW) {
                let mut crossing = 0;
                for i in first..places.min(first + ROW) {
                    let others = crossing_of(simd, supports, i, row, half, range);
                    crossing |= u64::from(others) << ((i - first) * ROW);
                }
                let mut pairs = 0;
                for bit in lanes::ones(crossing) {
                    let (i, j) = (first + bit / ROW, row * ROW + bit % ROW);
                    self.pairs[pairs] = [i as u32, j as u32];
                    pairs += 1;
                }
                self.circles[..pairs.div_ceil(ROW) * rows].fill(0);
                for pair in 0..pairs {
                    self.thirds(simd, supports, pair, half);
                }
                self.tell_useful(simd, supports, pairs, range);
            }
        }
        &self.told
    }

    /// Tells the circles that matter.
    #[inline(always)]
    fn tell_useful<S: Simd>(&mut self, simd: S, supports: &Supports, pairs: usize, range: &Range) {
        let rows = supports.places.len();
        for eight in 0..pairs.div_ceil(ROW) {
            for row in 0..rows {
                for bit in lanes::ones(self.circles[eight * rows + row]) {
                    let (pair, third) = (eight * ROW + bit / ROW, row * ROW + bit % ROW);
                    if self.useful(simd, supports, pair, third, range) {
                        let [i, j] = self.pairs[pair];
                        let third = third as u32;
                        let third = if third == i { j } else { third };
                        self.told.push([i, j, third]);
                    }
                }
            }
        }
    }

    /// Finds the third places of circles of a pencil: circles with their centre in the cell that
    /// are held, and are not found from another pencil; and the circle across.
    #[inline(always)]
    fn thirds<S: Simd>(&mut self, simd: S, supports: &Supports, pair: usize, half: f64) {
        let [i, j] = self.pairs[pair];
        let (first, second) = (supports.place(i), supports.place(j));
        let pencil = Pencil::through(&first, &second);
        // Rounding hides how the two lie to each other: every circle through them is told.
        let blurred = pencil.squared < BLUR;
        let (x, y) = (simd.splat_f64s(pencil.x), simd.splat_f64s(pencil.y));
        let (ux, uy) = (simd.splat_f64s(pencil.ux), simd.splat_f64s(pencil.uy));
        let quarter = simd.splat_f64s(0.25 * pencil.squared);
        let tolerance = BLUR + 1e-6 * pencil.squared;
        let longest = simd.splat_f64s(0.75 * pencil.squared + tolerance);
        let acute = simd.splat_f64s(-0.5 * tolerance);
        let (i_rank, j_rank) = (simd.splat_f64s(f64::from(i)), simd.splat_f64s(f64::from(j)));
        let size = simd.splat_f64s(pencil.ux.abs() + pencil.uy.abs());
        let half_cell = simd.splat_f64s(half);
        let margin = simd.splat_f64s(MARGIN);
        let sure = simd.splat_f64s(if blurred { 0.0 } else { 1e-3 });
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let (two, eight) = (simd.splat_f64s(2.0), simd.splat_f64s(8.0));
        let (infinite, back) = (simd.splat_f64s(f64::INFINITY), simd.splat_f64s(-1.0));
        let across = blurred || pencil.x.abs().max(pencil.y.abs()) <= half + MARGIN;
        let across = u32::from(across) << (i as usize % ROW);
        let rows = supports.places.len();
        for row in 0..rows {
            let places = &supports.places[row];
            let (px, py) = (of::<S>(&places.x), of::<S>(&places.y));
            let rank = of::<S>(&places.rank);
            let turns = &mut self.turns[pair * rows + row];
            let ts = S::as_mut_simd_f64s(&mut turns.t).0;
            let errors = S::as_mut_simd_f64s(&mut turns.error).0;
            let ways = S::as_mut_simd_f64s(&mut turns.way).0;
            let mut thirds = 0;
            for v in 0..px.len() {
                let (zx, zy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
                let square = dot(simd, zx, zx, zy, zy);
                let along = dot(simd, zx, ux, zy, uy);
                let a = simd.sub_f64s(square, quarter);
                let b = simd.sub_f64s(simd.mul_f64s(zy, ux), simd.mul_f64s(zx, uy));
                let b = simd.mul_f64s(two, b);

                // Half the squared sides of the triangle: the pair is its longest side, and the
                // corner across from it is not obtuse.
                let held = simd.and_m64s(
                    simd.less_than_or_equal_f64s(
                        simd.add_f64s(square, simd.abs_f64s(along)),
                        longest,
                    ),
                    simd.greater_than_or_equal_f64s(a, acute),
                );
                let itself = simd.or_m64s(
                    simd.equal_f64s(rank[v], i_rank),
                    simd.equal_f64s(rank[v], j_rank),
                );

                let inverse = simd.div_f64s(one, b);
                let t = simd.mul_f64s(a, inverse);
                // Room for rounding: what it does to t, and so to the centre.
                let room = simd.mul_add_e_f64s(margin, simd.abs_f64s(t), margin);
                let error = simd.mul_f64s(eight, simd.mul_f64s(room, simd.abs_f64s(inverse)));
                let plain = simd.less_than_f64s(error, sure);
                let room = simd.mul_add_e_f64s(error, size, room);
                let room = simd.add_f64s(room, half_cell);
                let cx = simd.abs_f64s(simd.sub_f64s(x, simd.mul_f64s(t, uy)));
                let cy = simd.abs_f64s(simd.mul_add_e_f64s(t, ux, y));
                let fits = simd.less_than_or_equal_f64s(simd.max_f64s(cx, cy), room);
                let fits = lanes::doubles(simd, v, fits) | !lanes::doubles(simd, v, plain);
                thirds |= fits & lanes::doubles(simd, v, held) & !lanes::doubles(simd, v, itself);

                // What is on the circle, or hidden, may be inside at any t.
                ts[v] = simd.select_f64s(plain, t, zero);
                ts[v] = simd.select_f64s(itself, zero, ts[v]);
                errors[v] = simd.select_f64s(plain, error, infinite);
                errors[v] = simd.select_f64s(itself, infinite, errors[v]);
                ways[v] = simd.select_f64s(simd.greater_than_f64s(b, zero), one, back);
            }
            if row == i as usize / ROW {
                thirds |= across;
            }
            self.circles[pair / ROW * rows + row] |= u64::from(thirds) << (pair % ROW * ROW);
        }
    }

    /// Whether the circle may hold k units, but not k inside (or it could shrink), and serve one
    /// of the locations that it holds.
    #[inline(always)]
    fn useful<S: Simd>(
        &self,
        simd: S,
        supports: &Supports,
        pair: usize,
        third: usize,
        range: &Range,
    ) -> bool {
        let [i, j] = self.pairs[pair];
        let pencil = Pencil::through(&supports.place(i), &supports.place(j));
        let turns = &self.turns[pair * supports.places.len()..][..supports.places.len()];
        let (t, error) = if third == i as usize {
            (0.0, 0.0)
        } else {
            let turns = &turns[third / ROW];
            (turns.t[third % ROW], turns.error[third % ROW])
        };
        let (at, slack) = (simd.splat_f64s(t), simd.splat_f64s(error));
        let zero = simd.splat_f64s(0.0);
        let (mut units, mut sure, mut bounds) = (zero, zero, zero);
        for (places, turns) in supports.places.iter().zip(turns) {
            let (t, error) = (of::<S>(&turns.t), of::<S>(&turns.error));
            let (way, weight) = (of::<S>(&turns.way), of::<S>(&places.weight));
            let bound = of::<S>(&places.bound);
            for v in 0..t.len() {
                let ahead = simd.mul_f64s(simd.sub_f64s(t[v], at), way[v]);
                let slack = simd.add_f64s(error[v], slack);
                let may = simd.less_than_or_equal_f64s(ahead, slack);
                let must = simd.less_than_f64s(ahead, simd.neg_f64s(slack));
                units = simd.add_f64s(units, simd.select_f64s(may, weight[v], zero));
                sure = simd.add_f64s(sure, simd.select_f64s(must, weight[v], zero));
                bounds = simd.max_f64s(bounds, simd.select_f64s(may, bound[v], zero));
            }
        }
        let units = range.inside.units + simd.reduce_sum_f64s(units);
        let sure = range.inside.units + simd.reduce_sum_f64s(sure);
        let bound = range.inside.bound.max(simd.reduce_max_f64s(bounds)) + 4.0 * MARGIN;
        let t = (t.abs() - error).max(0.0);
        let squared = pencil.squared * (0.25 + t * t);
        units >= range.k && sure < range.k && squared <= bound * bound
    }
}

/// The circles through two places.
struct Pencil {
    /// The middle between the places, relative to the middle of the cell.
    x: f64,
    y: f64,
    ux: f64,
    uy: f64,
    squared: f64,
}

impl Pencil {
    #[inline(always)]
    fn through(p: &Place, q: &Place) -> Self {
        let (ux, uy) = (q.x - p.x, q.y - p.y);
        Self {
            x: 0.5 * (p.x + q.x),
            y: 0.5 * (p.y + q.y),
            ux,
            uy,
            squared: ux * ux + uy * uy,
        }
    }
}

fn grow<T: Copy>(vec: &mut Vec<T>, len: usize, value: T) {
    if vec.len() < len {
        vec.resize(len, value);
    }
}

/// The places of a row, one bit each, that come before `i` and whose pencil with it has a centre in
/// the cell.
#[inline(always)]
fn crossing_of<S: Simd>(
    simd: S,
    supports: &Supports,
    i: usize,
    row: usize,
    half: f64,
    range: &Range,
) -> u32 {
    let place = supports.place(i as u32);
    let (x, y) = (simd.splat_f64s(place.x), simd.splat_f64s(place.y));
    let number = simd.splat_f64s(i as f64);
    let reach = range.reach + MARGIN;
    let least = (range.least - 4.0 * MARGIN).max(0.0);
    let longest = simd.splat_f64s(4.0 * reach * reach);
    let shortest = simd.splat_f64s(LONG * least * least);
    let (twice, margin) = (simd.splat_f64s(2.0 * half), simd.splat_f64s(4.0 * MARGIN));
    let places = &supports.places[row];
    let (qx, qy) = (of::<S>(&places.x), of::<S>(&places.y));
    let rank = of::<S>(&places.rank);
    let mut found = 0;
    for v in 0..qx.len() {
        let (ux, uy) = (simd.sub_f64s(qx[v], x), simd.sub_f64s(qy[v], y));
        let (mx, my) = (simd.add_f64s(qx[v], x), simd.add_f64s(qy[v], y));
        // Twice the distance of the middle of the cell from the bisector, times |u|.
        let off = dot(simd, mx, ux, my, uy);
        let room = simd.add_f64s(simd.abs_f64s(ux), simd.abs_f64s(uy));
        let room = simd.mul_add_e_f64s(twice, room, margin);
        let squared = dot(simd, ux, ux, uy, uy);
        let crosses = simd.and_m64s(
            simd.less_than_or_equal_f64s(simd.abs_f64s(off), room),
            simd.less_than_or_equal_f64s(squared, longest),
        );
        let long = simd.greater_than_or_equal_f64s(squared, shortest);
        let before = simd.less_than_f64s(rank[v], number);
        let all = simd.and_m64s(crosses, simd.and_m64s(long, before));
        found |= lanes::doubles(simd, v, all);
    }
    found
}

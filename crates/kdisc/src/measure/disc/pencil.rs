//! Circles through two or three places of a list with their centre in a given cell.
//!
//! The circles through two places form a pencil: with m the middle between them and n the vector
//! between them turned by a right angle, the centres are m + t·n. A place z (relative to m) is
//! inside when A ≤ t·B, with A = |z|² − |n|²/4 and B = 2z·n. So one pass over the list bounds the
//! units of all circles of the pencil with their centre in the cell, and another one counts those
//! of one circle. As everywhere in the lists, there is a margin for rounding: what is told here
//! may be no disc at all, but no disc is left out.

use pulp::Simd;

use super::list::{Cell, LANES, Lanes, List, MARGIN, of};

/// Places with a smaller squared distance, in units of the scale, are too close to tell apart.
const BLUR: f64 = 1e-14;

/// Scratch for the places that can lie on a circle, and for one pencil.
#[derive(Default)]
pub(crate) struct Pencils {
    /// Indices into the list, and coordinates relative to the middle of the cell.
    index: Vec<u32>,
    x: Vec<Lanes>,
    y: Vec<Lanes>,
    marks: Vec<Lanes>,
    a: Vec<Lanes>,
    b: Vec<Lanes>,
}

/// The circles that matter.
pub(crate) struct Range {
    /// None larger than this.
    pub reach: f64,
    /// None with fewer units than this.
    pub k: f64,
}

impl Pencils {
    /// Calls `tell` with the places (indices into the list, whose supports are marked) of each
    /// circle: two when diametral (then the last two are equal), else three.
    #[inline(always)]
    pub fn search<S: Simd>(
        &mut self,
        simd: S,
        list: &List,
        cell: &Cell,
        range: &Range,
        mut tell: impl FnMut([u32; 3]),
    ) {
        self.collect(list, cell);
        let half = cell.half + MARGIN;
        for i in 1..self.index.len() {
            let p = self.place(i);
            self.crossing(simd, p, half, range.reach);
            for j in 0..i {
                if self.marks[j / LANES][j % LANES] < 0.0 {
                    continue;
                }
                let pencil = Pencil::through(p, self.place(j), half);
                let (p, q) = (self.index[i], self.index[j]);
                if pencil.squared < BLUR {
                    // Rounding hides how the two lie to each other.
                    tell([p, q, q]);
                    self.index[..j].iter().for_each(|&r| tell([p, q, r]));
                    continue;
                }
                if self.open(simd, list, cell, &pencil) < range.k {
                    continue;
                }
                let whole = Turn { t: 0.0, error: 0.0 };
                if pencil.in_cell(&whole, half) && self.useful(simd, list, &pencil, &whole, range) {
                    tell([p, q, q]);
                }
                for l in 0..j {
                    let r = self.index[l] as usize;
                    let (a, b) = (self.a[r / LANES][r % LANES], self.b[r / LANES][r % LANES]);
                    let turn = Pencil::turn(a, b);
                    let fits = |turn| {
                        pencil.in_cell(turn, half) && self.useful(simd, list, &pencil, turn, range)
                    };
                    if turn.as_ref().is_none_or(fits) {
                        tell([p, q, r as u32]);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn place(&self, i: usize) -> (f64, f64) {
        (self.x[i / LANES][i % LANES], self.y[i / LANES][i % LANES])
    }

    #[inline(always)]
    fn collect(&mut self, list: &List, cell: &Cell) {
        self.index.clear();
        self.x.clear();
        self.y.clear();
        list.supports(|i, x, y| {
            let lane = self.index.len() % LANES;
            if lane == 0 {
                self.x.push([f64::INFINITY; LANES]);
                self.y.push([f64::INFINITY; LANES]);
            }
            self.index.push(i);
            if let (Some(xs), Some(ys)) = (self.x.last_mut(), self.y.last_mut()) {
                xs[lane] = x - cell.x;
                ys[lane] = y - cell.y;
            }
        });
        self.marks.resize(self.x.len(), [0.0; LANES]);
        self.a.resize(list.chunks().len(), [0.0; LANES]);
        self.b.resize(list.chunks().len(), [0.0; LANES]);
    }

    /// Marks the places whose pencil with `p` has a centre in the cell; the others get −1.
    #[inline(always)]
    fn crossing<S: Simd>(&mut self, simd: S, p: (f64, f64), half: f64, reach: f64) {
        let splat = |value| simd.splat_f64s(value);
        let (x, y) = (splat(p.0), splat(p.1));
        let limit = splat(4.0 * (reach + MARGIN) * (reach + MARGIN));
        let (twice, none, margin) = (splat(2.0 * half), splat(-1.0), splat(4.0 * MARGIN));
        for ((qx, qy), marks) in self.x.iter().zip(&self.y).zip(&mut self.marks) {
            let (qx, qy) = (of::<S>(qx), of::<S>(qy));
            let marks = S::as_mut_simd_f64s(marks).0;
            for v in 0..qx.len() {
                let (ux, uy) = (simd.sub_f64s(qx[v], x), simd.sub_f64s(qy[v], y));
                let (mx, my) = (simd.add_f64s(qx[v], x), simd.add_f64s(qy[v], y));
                // Twice the distance of the middle of the cell from the bisector, times |u|.
                let off = simd.add_f64s(simd.mul_f64s(mx, ux), simd.mul_f64s(my, uy));
                let room = simd.add_f64s(simd.abs_f64s(ux), simd.abs_f64s(uy));
                let room = simd.add_f64s(simd.mul_f64s(twice, room), margin);
                let squared = simd.add_f64s(simd.mul_f64s(ux, ux), simd.mul_f64s(uy, uy));
                let crosses = simd.and_m64s(
                    simd.less_than_or_equal_f64s(simd.abs_f64s(off), room),
                    simd.less_than_or_equal_f64s(squared, limit),
                );
                marks[v] = simd.select_f64s(crosses, squared, none);
            }
        }
    }

    /// Prepares a pencil, and says how many units its circles with a centre in the cell hold at
    /// most.
    #[inline(always)]
    fn open<S: Simd>(&mut self, simd: S, list: &List, cell: &Cell, pencil: &Pencil) -> f64 {
        let splat = |value| simd.splat_f64s(value);
        let (x, y) = (splat(pencil.x + cell.x), splat(pencil.y + cell.y));
        let (nx, ny) = (splat(-2.0 * pencil.uy), splat(2.0 * pencil.ux));
        let quarter = splat(pencil.squared / 4.0);
        let slack = splat(Pencil::slack(pencil.low.abs().max(pencil.high.abs())));
        let (low, high, zero) = (splat(pencil.low), splat(pencil.high), splat(0.0));
        let mut units = zero;
        for ((chunk, a), b) in list.chunks().iter().zip(&mut self.a).zip(&mut self.b) {
            let (px, py, weight) = (of::<S>(&chunk.x), of::<S>(&chunk.y), of::<S>(&chunk.weight));
            let (a, b) = (S::as_mut_simd_f64s(a).0, S::as_mut_simd_f64s(b).0);
            for v in 0..px.len() {
                let (zx, zy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
                let length = simd.add_f64s(simd.mul_f64s(zx, zx), simd.mul_f64s(zy, zy));
                a[v] = simd.sub_f64s(length, quarter);
                b[v] = simd.add_f64s(simd.mul_f64s(zx, nx), simd.mul_f64s(zy, ny));
                let best = simd.max_f64s(simd.mul_f64s(b[v], low), simd.mul_f64s(b[v], high));
                let inside = simd.less_than_or_equal_f64s(a[v], simd.add_f64s(best, slack));
                units = simd.add_f64s(units, simd.select_f64s(inside, weight[v], zero));
            }
        }
        simd.reduce_sum_f64s(units)
    }

    /// Whether the circle at `t` may hold k units, and serve one of the locations inside.
    #[inline(always)]
    fn useful<S: Simd>(
        &self,
        simd: S,
        list: &List,
        pencil: &Pencil,
        turn: &Turn,
        range: &Range,
    ) -> bool {
        let zero = simd.splat_f64s(0.0);
        let spread = turn.error * 6.0 * (pencil.ux.abs() + pencil.uy.abs());
        let error = Pencil::slack(turn.t.abs()) + spread;
        let (slack, at) = (simd.splat_f64s(error), simd.splat_f64s(turn.t));
        let (mut units, mut bounds) = (zero, zero);
        for ((chunk, a), b) in list.chunks().iter().zip(&self.a).zip(&self.b) {
            let (weight, bound) = (of::<S>(&chunk.weight), of::<S>(&chunk.bound));
            let (a, b) = (of::<S>(a), of::<S>(b));
            for v in 0..weight.len() {
                let edge = simd.add_f64s(simd.mul_f64s(at, b[v]), slack);
                let inside = simd.less_than_or_equal_f64s(a[v], edge);
                units = simd.add_f64s(units, simd.select_f64s(inside, weight[v], zero));
                bounds = simd.max_f64s(bounds, simd.select_f64s(inside, bound[v], zero));
            }
        }
        let squared = pencil.squared * (0.25 + turn.t * turn.t);
        let bound = simd.reduce_max_f64s(bounds) + MARGIN;
        simd.reduce_sum_f64s(units) >= range.k && squared <= bound * bound + error
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
    /// Centres in the cell have low ≤ t ≤ high.
    low: f64,
    high: f64,
}

impl Pencil {
    #[inline(always)]
    fn through(p: (f64, f64), q: (f64, f64), half: f64) -> Self {
        let (x, y) = (0.5 * (p.0 + q.0), 0.5 * (p.1 + q.1));
        let (ux, uy) = (q.0 - p.0, q.1 - p.1);
        let squared = ux * ux + uy * uy;
        let inverse = 1.0 / squared;
        let middle = (x * uy - y * ux) * inverse;
        let room = half * (ux.abs() + uy.abs()) * inverse;
        Self {
            x,
            y,
            ux,
            uy,
            squared,
            low: middle - room,
            high: middle + room,
        }
    }

    /// Where on the pencil a place is on the circle; none where rounding hides it.
    #[inline(always)]
    fn turn(a: f64, b: f64) -> Option<Turn> {
        let t = a / b;
        let error = Self::slack(t.abs()) / b.abs();
        (error < 1e-3).then_some(Turn { t, error })
    }

    /// Whether the centre at `t` is in the cell.
    #[inline(always)]
    fn in_cell(&self, turn: &Turn, half: f64) -> bool {
        let Turn { t, error } = *turn;
        let room = half + MARGIN * (1.0 + t.abs()) + error * (self.ux.abs() + self.uy.abs());
        (self.x - t * self.uy).abs() <= room && (self.y + t * self.ux).abs() <= room
    }

    /// Room for what rounding does to A − t·B.
    #[inline(always)]
    fn slack(t: f64) -> f64 {
        8.0 * MARGIN * (1.0 + t)
    }
}

/// A circle of a pencil: t, give or take an error.
struct Turn {
    t: f64,
    error: f64,
}

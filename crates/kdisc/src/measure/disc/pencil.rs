//! Circles through two or three places of a list with their centre in a given cell.
//!
//! The circles through two places form a pencil: with m the middle between them and n the vector
//! between them turned by a right angle, the centres are m + t·n. A place z (relative to m) is on
//! the circle when A = t·B, with A = |z|² − |n|²/4 and B = 2z·n. So one pass over the few places
//! that can lie on a circle tells which third ones put the centre in the cell, and another pass,
//! over the list, counts the units of each such circle. As everywhere in the lists, there is a
//! margin for rounding: what is told here may be no disc at all, but no disc is left out.

use pulp::Simd;

use super::list::{Cell, List, MARGIN, gather, of};

/// Places with a smaller squared distance, in units of the scale, are too close to tell apart.
const BLUR: f64 = 1e-14;

/// In a triangle without an obtuse corner, the square of the longest side is at least this many
/// times that of the radius. A little less for rounding.
const LONG: f64 = 3.0 * (1.0 - 1e-6);

/// Marks: the circle may be of use; rounding hides whether it is.
const FITS: f64 = 1.0;
const HIDDEN: f64 = 2.0;

/// Scratch for the places that can lie on a circle, and for one pencil.
#[derive(Default)]
pub(crate) struct Pencils {
    /// Indices into the list.
    index: Vec<u32>,
    places: Vec<Places>,
}

/// One vector of the widest processors: there are seldom more such places.
const ROW: usize = 8;

type Row = [f64; ROW];

/// Places that can lie on a circle, as columns.
#[derive(Clone, Copy)]
struct Places {
    /// Relative to the middle of the cell.
    x: Row,
    y: Row,
    /// The number of the place.
    rank: Row,
    /// The square of the shortest chord to another such place that matters; 0 if all do.
    short: Row,
    /// Negative where the pencil with the first place does not matter.
    pairs: Row,
    /// Whether the circle of the pencil through the place matters.
    marks: Row,
    /// Where it is on the circle, give or take an error.
    t: Row,
    error: Row,
}

const VACANT: Places = Places {
    x: [f64::INFINITY; ROW],
    y: [f64::INFINITY; ROW],
    rank: [f64::INFINITY; ROW],
    short: [f64::INFINITY; ROW],
    pairs: [0.0; ROW],
    marks: [0.0; ROW],
    t: [0.0; ROW],
    error: [0.0; ROW],
};

/// The circles that matter.
pub(crate) struct Range {
    /// None smaller than this.
    pub least: f64,
    /// None larger than this.
    pub reach: f64,
    /// None with fewer units than this.
    pub k: f64,
}

impl Pencils {
    /// Calls `tell` with the places (indices into the list, whose supports are marked) of each
    /// circle: two when diametral (then the last two are equal), else three.
    ///
    /// Three places hold a disc if no corner of their triangle is obtuse, or if the one that is
    /// may be served by the disc. The first are found from the ends of the longest side, and the
    /// others from their obtuse corner, so that most pairs need no look.
    #[inline(always)]
    pub fn search<S: Simd>(
        &mut self,
        simd: S,
        list: &List,
        cell: &Cell,
        range: &Range,
        mut tell: impl FnMut([u32; 3]),
    ) {
        self.collect(list, cell, range.least);
        let half = cell.half + MARGIN;
        for i in 1..self.index.len() {
            self.crossing(simd, i, half, range.reach);
            for row in 0..=(i - 1) / ROW {
                let pairs = self.places[row].pairs;
                let (lanes, count) = gather::<ROW>(|lane| pairs[lane] >= 0.0);
                for &lane in &lanes[..count] {
                    self.pair(simd, list, cell, range.k, (i, row * ROW + lane), &mut tell);
                }
            }
        }
    }

    /// Tells of the circles through the places `i` and `j`.
    #[inline(always)]
    fn pair<S: Simd>(
        &mut self,
        simd: S,
        list: &List,
        cell: &Cell,
        k: f64,
        (i, j): (usize, usize),
        tell: &mut impl FnMut([u32; 3]),
    ) {
        let half = cell.half + MARGIN;
        let (first, second) = (self.place(i), self.place(j));
        let pencil = Pencil::through(&first, &second);
        let (p, q) = (self.index[i], self.index[j]);
        if pencil.squared < BLUR {
            // Rounding hides how the two lie to each other.
            tell([p, q, q]);
            let others = self.index.iter().filter(|r| ![p, q].contains(r));
            others.for_each(|&r| tell([p, q, r]));
            return;
        }
        let whole = Turn { t: 0.0, error: 0.0 };
        if pencil.x.abs().max(pencil.y.abs()) <= half + MARGIN
            && useful(simd, list, cell, &pencil, &whole, k)
        {
            tell([p, q, q]);
        }
        let serves = (first.short == 0.0, second.short == 0.0);
        if !self.thirds(simd, &pencil, (i, j), serves, half) {
            return;
        }
        for (row, places) in self.places.iter().enumerate() {
            let (lanes, count) = gather::<ROW>(|lane| places.marks[lane] > 0.0);
            for &lane in &lanes[..count] {
                let turn = Turn {
                    t: places.t[lane],
                    error: places.error[lane],
                };
                if places.marks[lane] == HIDDEN || useful(simd, list, cell, &pencil, &turn, k) {
                    tell([p, q, self.index[row * ROW + lane]]);
                }
            }
        }
    }

    #[inline(always)]
    fn place(&self, i: usize) -> Place {
        let (places, lane) = (&self.places[i / ROW], i % ROW);
        Place {
            at: (places.x[lane], places.y[lane]),
            short: places.short[lane],
        }
    }

    #[inline(always)]
    fn collect(&mut self, list: &List, cell: &Cell, least: f64) {
        let least = (least - 4.0 * MARGIN).max(0.0);
        self.index.clear();
        self.places.clear();
        list.supports(|i, x, y, bound| {
            let lane = self.index.len() % ROW;
            if lane == 0 {
                self.places.push(VACANT);
            }
            if let Some(places) = self.places.last_mut() {
                places.x[lane] = x - cell.x;
                places.y[lane] = y - cell.y;
                places.rank[lane] = self.index.len() as f64;
                let served = bound >= least;
                places.short[lane] = if served { 0.0 } else { LONG * least * least };
            }
            self.index.push(i);
        });
    }

    /// Marks the places before `i` whose pencil with it has a centre in the cell; the others get −1.
    #[inline(always)]
    fn crossing<S: Simd>(&mut self, simd: S, i: usize, half: f64, reach: f64) {
        let splat = |value| simd.splat_f64s(value);
        let place = self.place(i);
        let (x, y) = (splat(place.at.0), splat(place.at.1));
        let (short, number) = (splat(place.short), splat(i as f64));
        let limit = splat(4.0 * (reach + MARGIN) * (reach + MARGIN));
        let (twice, none, margin) = (splat(2.0 * half), splat(-1.0), splat(4.0 * MARGIN));
        for places in &mut self.places {
            let (qx, qy) = (of::<S>(&places.x), of::<S>(&places.y));
            let (shorts, rank) = (of::<S>(&places.short), of::<S>(&places.rank));
            let pairs = S::as_mut_simd_f64s(&mut places.pairs).0;
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
                let long =
                    simd.greater_than_or_equal_f64s(squared, simd.min_f64s(short, shorts[v]));
                let before = simd.less_than_f64s(rank[v], number);
                let all = simd.and_m64s(crosses, simd.and_m64s(long, before));
                pairs[v] = simd.select_f64s(all, squared, none);
            }
        }
    }

    /// Marks the third places of circles of the pencil through the places `i` and `j`, which can
    /// serve them or not: circles with their centre in the cell that are held, and are not found
    /// from another pencil. Says whether there are any.
    #[inline(always)]
    fn thirds<S: Simd>(
        &mut self,
        simd: S,
        pencil: &Pencil,
        (i, j): (usize, usize),
        serves: (bool, bool),
        half: f64,
    ) -> bool {
        let mut any = simd.splat_f64s(0.0);
        let splat = |value| simd.splat_f64s(value);
        let (x, y) = (splat(pencil.x), splat(pencil.y));
        let (ux, uy) = (splat(pencil.ux), splat(pencil.uy));
        let (hx, hy) = (splat(0.5 * pencil.ux), splat(0.5 * pencil.uy));
        let squared = splat(pencil.squared);
        let quarter = splat(0.25 * pencil.squared);
        let tolerance = splat(BLUR + 1e-6 * pencil.squared);
        let first = splat(if serves.0 { j as f64 } else { f64::INFINITY });
        let second = splat(if serves.1 { i as f64 } else { f64::INFINITY });
        let (size, half) = (splat(pencil.ux.abs() + pencil.uy.abs()), splat(half));
        let (margin, sure) = (splat(MARGIN), splat(1e-3));
        let (one, two, eight) = (splat(1.0), splat(2.0), splat(8.0));
        let (none, fit, hidden) = (splat(0.0), splat(FITS), splat(HIDDEN));
        let square = |a, b| simd.add_f64s(simd.mul_f64s(a, a), simd.mul_f64s(b, b));
        for places in &mut self.places {
            let (px, py) = (of::<S>(&places.x), of::<S>(&places.y));
            let rank = of::<S>(&places.rank);
            let marks = S::as_mut_simd_f64s(&mut places.marks).0;
            let (ts, errors) = (
                S::as_mut_simd_f64s(&mut places.t).0,
                S::as_mut_simd_f64s(&mut places.error).0,
            );
            for v in 0..px.len() {
                let (zx, zy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
                // Squared sides to i and j, which are m − u/2 and m + u/2.
                let to_i = square(simd.add_f64s(zx, hx), simd.add_f64s(zy, hy));
                let to_j = square(simd.sub_f64s(zx, hx), simd.sub_f64s(zy, hy));
                // squared + to_i − to_j and the like: twice the product of two sides.
                let at = |a, b, c| simd.sub_f64s(simd.add_f64s(a, b), c);
                let longest = simd.and_m64s(
                    simd.less_than_or_equal_f64s(
                        simd.max_f64s(to_i, to_j),
                        simd.add_f64s(squared, tolerance),
                    ),
                    simd.greater_than_or_equal_f64s(
                        simd.add_f64s(at(to_i, to_j, squared), tolerance),
                        none,
                    ),
                );
                let at_i = simd.and_m64s(
                    simd.less_than_or_equal_f64s(at(squared, to_i, to_j), tolerance),
                    simd.greater_than_f64s(rank[v], first),
                );
                let at_j = simd.and_m64s(
                    simd.less_than_or_equal_f64s(at(squared, to_j, to_i), tolerance),
                    simd.greater_than_f64s(rank[v], second),
                );
                let held = simd.or_m64s(longest, simd.or_m64s(at_i, at_j));
                let itself = simd.or_m64s(
                    simd.equal_f64s(rank[v], splat(i as f64)),
                    simd.equal_f64s(rank[v], splat(j as f64)),
                );

                let a = simd.sub_f64s(square(zx, zy), quarter);
                let b = simd.sub_f64s(simd.mul_f64s(zy, ux), simd.mul_f64s(zx, uy));
                let b = simd.mul_f64s(two, b);
                let t = simd.div_f64s(a, b);
                // Room for rounding: what it does to t, and so to the centre.
                let room = simd.mul_f64s(margin, simd.add_f64s(one, simd.abs_f64s(t)));
                let error = simd.div_f64s(simd.mul_f64s(eight, room), simd.abs_f64s(b));
                let plain = simd.less_than_f64s(error, sure);
                let room = simd.add_f64s(room, simd.add_f64s(half, simd.mul_f64s(error, size)));
                let cx = simd.abs_f64s(simd.sub_f64s(x, simd.mul_f64s(t, uy)));
                let cy = simd.abs_f64s(simd.add_f64s(y, simd.mul_f64s(t, ux)));
                let fits = simd.less_than_or_equal_f64s(simd.max_f64s(cx, cy), room);
                let mark = simd.select_f64s(plain, simd.select_f64s(fits, fit, none), hidden);
                let mark = simd.select_f64s(held, mark, none);
                marks[v] = simd.select_f64s(itself, none, mark);
                any = simd.max_f64s(any, marks[v]);
                ts[v] = t;
                errors[v] = error;
            }
        }
        simd.reduce_max_f64s(any) > 0.0
    }
}

/// Whether the circle at `t` may hold k units, but not k inside (or it could shrink), and serve
/// one of the locations that it holds.
#[inline(always)]
fn useful<S: Simd>(
    simd: S,
    list: &List,
    cell: &Cell,
    pencil: &Pencil,
    turn: &Turn,
    k: f64,
) -> bool {
    let splat = |value| simd.splat_f64s(value);
    let Turn { t, error } = *turn;
    let x = splat(cell.x + (pencil.x - t * pencil.uy));
    let y = splat(cell.y + (pencil.y + t * pencil.ux));
    let squared = pencil.squared * (0.25 + t * t);
    // Room for the rounding of A − t·B, where |z| is less than 3.
    let error = 8.0 * MARGIN * (1.0 + t.abs()) + error * 6.0 * (pencil.ux.abs() + pencil.uy.abs());
    let (outer, inner, zero) = (splat(squared + error), splat(squared - error), splat(0.0));
    let (mut units, mut within, mut bounds) = (zero, zero, zero);
    for chunk in list.chunks() {
        let (px, py) = (of::<S>(&chunk.x), of::<S>(&chunk.y));
        let (weight, bound) = (of::<S>(&chunk.weight), of::<S>(&chunk.bound));
        for v in 0..px.len() {
            let (zx, zy) = (simd.sub_f64s(px[v], x), simd.sub_f64s(py[v], y));
            let distance = simd.add_f64s(simd.mul_f64s(zx, zx), simd.mul_f64s(zy, zy));
            let held = simd.less_than_or_equal_f64s(distance, outer);
            let inside = simd.less_than_f64s(distance, inner);
            units = simd.add_f64s(units, simd.select_f64s(held, weight[v], zero));
            within = simd.add_f64s(within, simd.select_f64s(inside, weight[v], zero));
            bounds = simd.max_f64s(bounds, simd.select_f64s(held, bound[v], zero));
        }
    }
    if simd.reduce_sum_f64s(units) < k || simd.reduce_sum_f64s(within) >= k {
        return false;
    }
    let bound = simd.reduce_max_f64s(bounds) + MARGIN;
    squared <= bound * bound + error
}

/// A place that can lie on a circle.
struct Place {
    at: (f64, f64),
    short: f64,
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
        let (ux, uy) = (q.at.0 - p.at.0, q.at.1 - p.at.1);
        Self {
            x: 0.5 * (p.at.0 + q.at.0),
            y: 0.5 * (p.at.1 + q.at.1),
            ux,
            uy,
            squared: ux * ux + uy * uy,
        }
    }
}

/// A circle of a pencil: t, give or take an error.
struct Turn {
    t: f64,
    error: f64,
}

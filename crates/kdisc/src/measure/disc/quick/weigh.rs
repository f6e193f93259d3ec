//! Pencils that may have k units in a circle with its centre in the cell.

use pulp::Simd;

use super::super::lanes;
use super::columns::{Change, Circles, Pairs, of, set};
use super::{BLUR, Limits, PAIRS, Quick, ROOM, SHARE, TINY, WIDEST};

/// A vector of pencils.
struct Pencil<S: Simd> {
    /// The circles at t = 0.
    circles: Circles<S>,
    change: Change<S>,
    squared: S::f32s,
    /// The limits of t.
    low: S::f32s,
    high: S::f32s,
}

impl Quick {
    #[inline(always)]
    pub(super) fn weigh<S: Simd>(&mut self, simd: S, limits: &Limits) {
        let (zero, room) = (simd.splat_f32s(0.0), simd.splat_f32s(ROOM));
        let half = simd.splat_f32s(0.5);
        let wanted = simd.splat_f32s(limits.wanted * (1.0 - SHARE));
        self.pencils.clear::<S>(PAIRS);
        for i in 0..self.pairs.count::<S>() {
            let (pairs, all) = self.pairs.batch::<S>(i);
            let pencil = Pencil::of(simd, pairs, limits);
            let middle = simd.mul_f32s(half, simd.add_f32s(pencil.low, pencil.high));
            let off = simd.mul_f32s(half, simd.sub_f32s(pencil.high, pencil.low));
            let mut nearer = pencil.change.of(simd, &pencil.circles, middle);
            nearer.power = simd.sub_f32s(nearer.power, room);
            let (mut units, mut bound) = (zero, simd.splat_f32s(limits.inside));
            for z in 0..self.places.count {
                let place = self.places.place(simd, z);
                let beyond = nearer.beyond(simd, &place);
                let turn = simd.abs_f32s(pencil.change.turn(simd, &place));
                let may = simd.less_than_or_equal_f32s(beyond, simd.mul_f32s(off, turn));
                let weight = simd.splat_f32s(self.places.weight.0[z]);
                let other = simd.splat_f32s(self.places.bound.0[z]);
                units = simd.add_f32s(units, simd.select_f32s(may, weight, zero));
                bound = simd.max_f32s(bound, simd.select_f32s(may, other, zero));
            }
            // None is of use that is larger than the largest bound.
            let limit = pencil.widest(simd, simd.add_f32s(bound, room));
            let low = simd.max_f32s(pencil.low, simd.neg_f32s(limit));
            let high = simd.min_f32s(pencil.high, limit);
            let useful = simd.and_m32s(
                simd.greater_than_or_equal_f32s(units, wanted),
                simd.less_than_or_equal_f32s(low, high),
            );
            let useful = lanes::singles(simd, 0, useful) & all;
            if useful == 0 {
                continue;
            }
            let narrower = simd.mul_f32s(half, simd.add_f32s(low, high));
            let circles = pencil.change.of(simd, &pencil.circles, narrower);
            let some = &mut self.some;
            set::<S>(&mut some.x, circles.x);
            set::<S>(&mut some.y, circles.y);
            set::<S>(&mut some.power, circles.power);
            set::<S>(&mut some.ux, pencil.change.ux);
            set::<S>(&mut some.uy, pencil.change.uy);
            set::<S>(&mut some.cross, pencil.change.cross);
            set::<S>(&mut some.squared, pencil.squared);
            set::<S>(&mut some.middle, narrower);
            set::<S>(&mut some.off, simd.mul_f32s(half, simd.sub_f32s(high, low)));
            for from in lanes::ones(useful) {
                let (pencils, lane) = self.pencils.next::<S>();
                pencils.put(lane, &self.some, from);
                pencils.names[lane] = pairs.names[from];
            }
        }
    }
}

impl<S: Simd> Pencil<S> {
    /// The parts of the pencils with their centre in the cell.
    #[inline(always)]
    fn of(simd: S, pairs: &Pairs, limits: &Limits) -> Self {
        let (px, py) = (of::<S>(&pairs.px), of::<S>(&pairs.py));
        let (qx, qy) = (of::<S>(&pairs.qx), of::<S>(&pairs.qy));
        let (ux, uy) = (simd.sub_f32s(qx, px), simd.sub_f32s(qy, py));
        let (x, y) = (simd.add_f32s(qx, px), simd.add_f32s(qy, py));
        let (half, two) = (simd.splat_f32s(0.5), simd.splat_f32s(2.0));
        let circles = Circles {
            x,
            y,
            power: simd.mul_add_e_f32s(px, qx, simd.mul_f32s(py, qy)),
        };
        let change = Change {
            ux: simd.mul_f32s(two, ux),
            uy: simd.mul_f32s(two, uy),
            cross: simd.sub_f32s(simd.mul_f32s(x, uy), simd.mul_f32s(y, ux)),
        };
        let squared = simd.mul_add_e_f32s(ux, ux, simd.mul_f32s(uy, uy));
        let mut pencil = Self {
            circles,
            change,
            squared,
            low: squared,
            high: squared,
        };
        // |mx − t·uy| and |my + t·ux| are at most half the side.
        let (mx, my) = (simd.mul_f32s(half, x), simd.mul_f32s(half, y));
        let side = simd.splat_f32s(limits.half);
        let across = inverse(simd, uy);
        let up = simd.neg_f32s(inverse(simd, ux));
        let left = simd.mul_f32s(simd.sub_f32s(mx, side), across);
        let right = simd.mul_f32s(simd.add_f32s(mx, side), across);
        let lower = simd.mul_f32s(simd.sub_f32s(my, side), up);
        let upper = simd.mul_f32s(simd.add_f32s(my, side), up);
        let limit = pencil.widest(simd, simd.splat_f32s(limits.reach));
        let low = simd.max_f32s(simd.min_f32s(left, right), simd.min_f32s(lower, upper));
        let high = simd.min_f32s(simd.max_f32s(left, right), simd.max_f32s(lower, upper));
        pencil.low = simd.max_f32s(low, simd.neg_f32s(limit));
        pencil.high = simd.min_f32s(high, limit);
        pencil
    }

    /// The largest t of a circle with this radius or less in which the pair is the longest side; less
    /// than 0 where there is none.
    #[inline(always)]
    fn widest(&self, simd: S, radius: S::f32s) -> S::f32s {
        let (zero, blur) = (simd.splat_f32s(0.0), simd.splat_f32s(BLUR));
        let squared = simd.max_f32s(self.squared, simd.splat_f32s(TINY));
        let square = simd.div_f32s(simd.mul_f32s(radius, radius), squared);
        let square = simd.sub_f32s(square, simd.splat_f32s(0.25));
        let square = simd.min_f32s(square, simd.splat_f32s(WIDEST));
        let square = simd.add_f32s(square, blur);
        let any = simd.greater_than_or_equal_f32s(square, zero);
        let root = simd.sqrt_f32s(simd.max_f32s(square, zero));
        simd.select_f32s(any, root, simd.splat_f32s(-1.0))
    }
}

/// Of what is too small, that of the smallest.
#[inline(always)]
fn inverse<S: Simd>(simd: S, a: S::f32s) -> S::f32s {
    let tiny = simd.splat_f32s(TINY);
    let is_small = simd.less_than_f32s(simd.abs_f32s(a), tiny);
    simd.div_f32s(simd.splat_f32s(1.0), simd.select_f32s(is_small, tiny, a))
}

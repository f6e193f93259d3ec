//! Circles of the pencils that are held: across the pair, or by a third place.

use pulp::Simd;

use super::super::lanes;
use super::columns::{Circles, of, set};
use super::{CIRCLES, MOST, Quick, ROOM, TINY};

impl Quick {
    /// Whether there are few enough.
    #[inline(always)]
    pub(super) fn meet<S: Simd>(&mut self, simd: S) -> bool {
        let (half, room) = (simd.splat_f32s(0.5), simd.splat_f32s(ROOM));
        let (zero, tiny) = (simd.splat_f32s(0.0), simd.splat_f32s(TINY));
        self.circles.clear::<S>(CIRCLES);
        for i in 0..self.pencils.count::<S>() {
            let (pencils, all) = self.pencils.batch::<S>(i);
            let circles = Circles::<S>::of(pencils);
            let (middle, off) = (of::<S>(&pencils.middle), of::<S>(&pencils.off));
            let longest = simd.mul_add_e_f32s(half, of::<S>(&pencils.squared), room);
            // Which pencils go through a place.
            let mut through = [0; MOST];
            for lane in lanes::ones(all) {
                let [p, q, _] = pencils.names[lane];
                through[p as usize] |= 1 << lane;
                through[q as usize] |= 1 << lane;
            }
            if self.circles.len + S::F32_LANES > CIRCLES {
                return false;
            }
            let across = simd.less_than_or_equal_f32s(simd.abs_f32s(middle), off);
            for from in lanes::ones(lanes::singles(simd, 0, across) & all) {
                let (circles, lane) = self.circles.next::<S>();
                circles.put(lane, pencils, from);
                circles.off[lane] = -pencils.middle[from];
                circles.error[lane] = 0.0;
                circles.names[lane] = pencils.names[from];
            }
            // The centre of the circle in the middle is as far along u as m.
            let ahead = simd.mul_f32s(circles.x, circles.ux);
            let ahead = simd.mul_add_e_f32s(circles.y, circles.uy, ahead);
            let ahead = simd.mul_f32s(half, ahead);
            for z in 0..self.places.count {
                let place = self.places.place(simd, z);
                let beyond = circles.beyond(simd, &place);
                let turn = circles.turn(simd, &place);
                let steep = simd.abs_f32s(turn);
                let limit = simd.mul_add_e_f32s(off, steep, room);
                let meets = simd.less_than_or_equal_f32s(simd.abs_f32s(beyond), limit);
                // Half the squared sides of the triangle: the pair is its longest side, and the
                // corner across from it is not obtuse.
                let along = simd.mul_f32s(place.x, circles.ux);
                let along = simd.mul_add_e_f32s(place.y, circles.uy, along);
                let along = simd.mul_f32s(half, simd.sub_f32s(along, ahead));
                let a = simd.mul_add_e_f32s(middle, turn, beyond);
                let held = simd.and_m32s(
                    simd.less_than_or_equal_f32s(simd.add_f32s(a, simd.abs_f32s(along)), longest),
                    simd.greater_than_or_equal_f32s(a, simd.neg_f32s(room)),
                );
                let thirds = lanes::singles(simd, 0, simd.and_m32s(held, meets));
                let thirds = thirds & all & !through[z];
                if thirds == 0 {
                    continue;
                }
                if self.circles.len + S::F32_LANES > CIRCLES {
                    return false;
                }
                let steep = simd.max_f32s(steep, tiny);
                let is_less = simd.less_than_f32s(turn, zero);
                let turn = simd.select_f32s(is_less, simd.neg_f32s(steep), steep);
                let t = simd.div_f32s(beyond, turn);
                let t = simd.max_f32s(simd.neg_f32s(off), simd.min_f32s(off, t));
                set::<S>(&mut self.some.off, t);
                set::<S>(&mut self.some.error, simd.div_f32s(room, steep));
                for from in lanes::ones(thirds) {
                    let (circles, lane) = self.circles.next::<S>();
                    circles.put(lane, pencils, from);
                    circles.off[lane] = self.some.off[from];
                    circles.error[lane] = self.some.error[from];
                    let [p, q, _] = pencils.names[from];
                    circles.names[lane] = [p, q, z as u32];
                }
            }
        }
        true
    }
}

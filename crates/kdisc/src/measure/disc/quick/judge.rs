//! Circles that may be of use.

use pulp::Simd;

use super::super::lanes;
use super::columns::{Circles, of};
use super::{Limits, Quick, ROOM, SHARE};

impl Quick {
    /// Takes the circles that may hold k units, but not k inside (or they could shrink), and serve
    /// one of the locations that they hold.
    #[inline(always)]
    pub(super) fn judge<S: Simd>(&mut self, simd: S, limits: &Limits) {
        let (zero, room) = (simd.splat_f32s(0.0), simd.splat_f32s(ROOM));
        let enough = simd.splat_f32s(limits.wanted * (1.0 - SHARE));
        let many = simd.splat_f32s(limits.wanted * (1.0 + SHARE));
        self.found.clear();
        for i in 0..self.rings.count::<S>() {
            let (rings, all) = self.rings.batch::<S>(i);
            let circles = Circles::<S> {
                x: of::<S>(&rings.x),
                y: of::<S>(&rings.y),
                power: of::<S>(&rings.power),
            };
            let (squared, slack) = (of::<S>(&rings.squared), of::<S>(&rings.slack));
            let inside = simd.neg_f32s(slack);
            let (mut units, mut sure) = (zero, zero);
            let mut bound = simd.splat_f32s(limits.inside);
            for z in 0..self.places.count {
                let beyond = circles.beyond(simd, &self.places.place(simd, z));
                let may = simd.less_than_or_equal_f32s(beyond, slack);
                let must = simd.less_than_f32s(beyond, inside);
                let weight = simd.splat_f32s(self.places.weight.0[z]);
                let other = simd.splat_f32s(self.places.bound.0[z]);
                units = simd.add_f32s(units, simd.select_f32s(may, weight, zero));
                sure = simd.add_f32s(sure, simd.select_f32s(must, weight, zero));
                bound = simd.max_f32s(bound, simd.select_f32s(may, other, zero));
            }
            let bound = simd.add_f32s(bound, room);
            let holds = simd.and_m32s(
                simd.greater_than_or_equal_f32s(units, enough),
                simd.less_than_f32s(sure, many),
            );
            let serves = simd.less_than_or_equal_f32s(squared, simd.mul_f32s(bound, bound));
            let useful = lanes::singles(simd, 0, simd.and_m32s(holds, serves)) & all;
            for lane in lanes::ones(useful) {
                self.found.push(rings.names[lane].map(u32::from));
            }
        }
    }
}

//! Pairs whose bisector meets the cell where one of them can be the longest side of a triangle.

use pulp::Simd;

use super::super::lanes;
use super::columns::{first, of};
use super::{BLUR, Limits, PAIRS, Quick, ROOM, WIDEST};

impl Quick {
    /// The centres are on a segment of the bisector. It misses the cell only if one of three
    /// directions tells them apart: along the axes, or along u.
    #[inline(always)]
    pub(super) fn pair<S: Simd>(&mut self, simd: S, limits: &Limits) {
        let Limits { reach, least, .. } = *limits;
        let longest = simd.splat_f32s(4.0 * reach * reach);
        // The longest side is at least √3 times the radius.
        let shortest = simd.splat_f32s((3.0 - ROOM) * least * least);
        let twice = simd.splat_f32s(2.0 * limits.half);
        let widest = simd.splat_f32s(2.0 * WIDEST.sqrt() + BLUR);
        let room = simd.splat_f32s(ROOM);
        let places = &self.places;
        self.pairs.clear::<S>(PAIRS);
        for i in 1..places.count {
            let p = places.place(simd, i);
            let mut found = 0;
            for v in 0..i.div_ceil(S::F32_LANES) {
                let start = v * S::F32_LANES;
                let (qx, qy) = (of::<S>(&places.x.0[start..]), of::<S>(&places.y.0[start..]));
                let (ux, uy) = (simd.sub_f32s(qx, p.x), simd.sub_f32s(qy, p.y));
                let squared = simd.mul_add_e_f32s(ux, ux, simd.mul_f32s(uy, uy));
                let (ux, uy) = (simd.abs_f32s(ux), simd.abs_f32s(uy));
                let fits = simd.and_m32s(
                    simd.less_than_or_equal_f32s(squared, longest),
                    simd.greater_than_or_equal_f32s(squared, shortest),
                );
                // Twice m·u is |q|² − |p|².
                let off = simd.sub_f32s(of::<S>(&places.square.0[start..]), p.square);
                let along = simd.mul_add_e_f32s(twice, simd.add_f32s(ux, uy), room);
                let crosses = simd.less_than_or_equal_f32s(simd.abs_f32s(off), along);
                let (mx, my) = (simd.add_f32s(qx, p.x), simd.add_f32s(qy, p.y));
                let (mx, my) = (simd.abs_f32s(mx), simd.abs_f32s(my));
                let meets = simd.and_m32s(
                    simd.less_than_or_equal_f32s(mx, simd.mul_add_e_f32s(widest, uy, twice)),
                    simd.less_than_or_equal_f32s(my, simd.mul_add_e_f32s(widest, ux, twice)),
                );
                let all = simd.and_m32s(crosses, simd.and_m32s(fits, meets));
                found |= lanes::singles(simd, v, all);
            }
            for j in lanes::ones(found & first(i)) {
                let (pairs, lane) = self.pairs.next::<S>();
                pairs.px[lane] = places.x.0[i];
                pairs.py[lane] = places.y.0[i];
                pairs.qx[lane] = places.x.0[j];
                pairs.qy[lane] = places.y.0[j];
                pairs.names[lane] = [i as u32, j as u32];
            }
        }
    }
}

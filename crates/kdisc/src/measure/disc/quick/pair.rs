//! Pairs whose bisector meets the cell where one of them can be the longest side of a triangle.

use pulp::Simd;

use super::super::lanes;
use super::columns::{first, of};
use super::{BLUR, Limits, MOST, PAIRS, Quick, ROOM, WIDEST};

/// Bits of a word.
const WORD: usize = u64::BITS as usize;
/// The word of each place, with a bit for each place before it, and the first of these. A processor
/// has to guess where the bits of a word end: so the places share a few words.
const ROWS: [[usize; 2]; MOST] = rows();
const WORDS: usize = ROWS[MOST - 1][0] + 1;
/// The pair of each bit.
const NAMES: [[[u8; 2]; WORD]; WORDS] = names();

const fn rows() -> [[usize; 2]; MOST] {
    let mut rows = [[0; 2]; MOST];
    let (mut i, mut word, mut bit) = (1, 0, 0);
    while i < MOST {
        if bit + i > WORD {
            (word, bit) = (word + 1, 0);
        }
        rows[i] = [word, bit];
        bit += i;
        i += 1;
    }
    rows
}

const fn names() -> [[[u8; 2]; WORD]; WORDS] {
    let mut names = [[[0; 2]; WORD]; WORDS];
    let mut i = 1;
    while i < MOST {
        let ([word, first], mut j) = (ROWS[i], 0);
        while j < i {
            names[word][first + j] = [i as u8, j as u8];
            j += 1;
        }
        i += 1;
    }
    names
}

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
        let mut words = [0; WORDS];
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
            let [word, bit] = ROWS[i];
            words[word] |= u64::from(found & first(i)) << bit;
        }
        self.pairs.clear::<S>(PAIRS);
        for (bits, names) in words.into_iter().zip(&NAMES) {
            for bit in lanes::ones(bits) {
                let [i, j] = names[bit];
                let (pairs, lane) = self.pairs.next::<S>();
                pairs.px[lane] = places.x.0[usize::from(i)];
                pairs.py[lane] = places.y.0[usize::from(i)];
                pairs.qx[lane] = places.x.0[usize::from(j)];
                pairs.qy[lane] = places.y.0[usize::from(j)];
                pairs.names[lane] = [i, j];
            }
        }
    }
}

//! Circles of the pencils that are held: across the pair, or by a third place.

use pulp::Simd;

use super::super::lanes;
use super::columns::{Change, Circles, LANES, Lanes, Pencils, of, set};
use super::{CIRCLES, MOST, Quick, ROOM, TINY};

/// Bits of a word.
const WORD: usize = u64::BITS as usize;
/// Words with a bit for each lane of the widest vectors, for each place.
const WORDS: usize = MOST * LANES / WORD;

/// A place as seen from a vector of pencils: A − t·B of the circle in the middle, and B.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Met {
    beyond: Lanes,
    turn: Lanes,
}

impl Quick {
    /// Whether there are few enough.
    #[inline(always)]
    pub(super) fn meet<S: Simd>(&mut self, simd: S) -> bool {
        self.rings.clear::<S>(CIRCLES);
        for i in 0..self.pencils.count::<S>() {
            let thirds = self.thirds(simd, i);
            let (pencils, all) = self.pencils.batch::<S>(i);
            let across = across::<S>(simd, pencils) & all;
            let ones = thirds.iter().map(|bits| bits.count_ones());
            let found = ones.sum::<u32>() + across.count_ones();
            if self.rings.len + found as usize > CIRCLES {
                return false;
            }
            for from in lanes::ones(across) {
                let (rings, lane) = self.rings.next::<S>();
                rings.put(lane, pencils, from, -pencils.middle[from], 0.0);
                let [p, q] = pencils.names[from];
                rings.names[lane] = [p, q, q];
            }
            for (word, bits) in thirds.into_iter().enumerate() {
                for bit in lanes::ones(bits) {
                    let bit = word * WORD + bit;
                    let (z, from) = (bit / S::F32_LANES, bit % S::F32_LANES);
                    let Met { beyond, turn } = &self.met[z];
                    let steep = turn[from].abs().max(TINY);
                    let limit = pencils.off[from];
                    let off = beyond[from] / steep.copysign(turn[from]);
                    let off = off.max(-limit).min(limit);
                    let (rings, lane) = self.rings.next::<S>();
                    rings.put(lane, pencils, from, off, ROOM / steep);
                    let [p, q] = pencils.names[from];
                    rings.names[lane] = [p, q, z as u8];
                }
            }
        }
        true
    }

    /// The places that hold circles of the `i`-th batch of pencils: of each place, a bit for each
    /// lane.
    #[inline(always)]
    fn thirds<S: Simd>(&mut self, simd: S, i: usize) -> [u64; WORDS] {
        let (half, room) = (simd.splat_f32s(0.5), simd.splat_f32s(ROOM));
        let (pencils, all) = self.pencils.batch::<S>(i);
        let circles = Circles::<S> {
            x: of::<S>(&pencils.x),
            y: of::<S>(&pencils.y),
            power: of::<S>(&pencils.power),
        };
        let change = Change::<S> {
            ux: of::<S>(&pencils.ux),
            uy: of::<S>(&pencils.uy),
            cross: of::<S>(&pencils.cross),
        };
        let (middle, off) = (of::<S>(&pencils.middle), of::<S>(&pencils.off));
        let longest = simd.mul_add_e_f32s(half, of::<S>(&pencils.squared), room);
        // Which pencils go through a place.
        let mut through = [0; MOST];
        for lane in lanes::ones(all) {
            for name in pencils.names[lane] {
                through[usize::from(name)] |= 1 << lane;
            }
        }
        // The centre of the circle in the middle is as far along u as m.
        let ahead = simd.mul_f32s(circles.x, change.ux);
        let ahead = simd.mul_add_e_f32s(circles.y, change.uy, ahead);
        let ahead = simd.mul_f32s(half, ahead);
        let mut thirds = [0; WORDS];
        for z in 0..self.places.count {
            let place = self.places.place(simd, z);
            let beyond = circles.beyond(simd, &place);
            let turn = change.turn(simd, &place);
            set::<S>(&mut self.met[z].beyond, beyond);
            set::<S>(&mut self.met[z].turn, turn);
            let limit = simd.mul_add_e_f32s(off, simd.abs_f32s(turn), room);
            let meets = simd.less_than_or_equal_f32s(simd.abs_f32s(beyond), limit);
            // Half the squared sides of the triangle: the pair is its longest side, and the corner
            // across from it is not obtuse.
            let along = simd.mul_f32s(place.x, change.ux);
            let along = simd.mul_add_e_f32s(place.y, change.uy, along);
            let along = simd.mul_f32s(half, simd.sub_f32s(along, ahead));
            let a = simd.mul_add_e_f32s(middle, turn, beyond);
            let held = simd.and_m32s(
                simd.less_than_or_equal_f32s(simd.add_f32s(a, simd.abs_f32s(along)), longest),
                simd.greater_than_or_equal_f32s(a, simd.neg_f32s(room)),
            );
            let hold = lanes::singles(simd, 0, simd.and_m32s(held, meets)) & all & !through[z];
            let bit = z * S::F32_LANES;
            thirds[bit / WORD] |= u64::from(hold) << (bit % WORD);
        }
        thirds
    }
}

/// The pencils of which the circle across the pair has its centre in the cell.
#[inline(always)]
fn across<S: Simd>(simd: S, pencils: &Pencils) -> u32 {
    let (middle, off) = (of::<S>(&pencils.middle), of::<S>(&pencils.off));
    let across = simd.less_than_or_equal_f32s(simd.abs_f32s(middle), off);
    lanes::singles(simd, 0, across)
}

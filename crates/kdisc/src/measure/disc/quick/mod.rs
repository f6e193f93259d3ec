//! Circles through two or three of a few places, in single precision.
//!
//! As in [`super::pencil`], the circles through two places p and q form a pencil. With m the middle
//! between them and n the vector u = q − p turned by a right angle, the centres are m + t·n, and a
//! place z is inside when A ≤ t·B, with A = (z − p)·(z − q) and B = 2(z − m)·n. Three places hold a
//! disc if no corner of their triangle is obtuse; then its longest side sees the centre at
//! |t| ≤ 1/√12. So pairs are looked at that can be the longest side:
//!
//! 1. those whose bisector, up to there, meets the cell (`pair.rs`);
//! 2. of these, those that may have k units in some circle with its centre in the cell (`weigh.rs`);
//! 3. of their circles, those across the two, or held by a third place (`meet.rs`);
//! 4. of these, those that may hold k units, do not hold k inside, and serve a location
//!    (`judge.rs`).
//!
//! In the last three steps each lane of a vector is a pencil or a circle, and the loop is over the
//! places: nothing is summed up across lanes. Single precision has twice the lanes, and no disc is
//! left out, as every test has room for its rounding; what is told here may be no disc at all.
//!
//! Cost: O(n²) for n places, with a small factor; O(n) for each pencil and circle that is left.

mod columns;
mod judge;
mod meet;
mod pair;
mod weigh;

use pulp::Simd;

use super::cell::{Cell, MARGIN};
use super::supports::{Range, Supports};
use columns::{Batches, Pairs, Pencils, Places, Rings};
use meet::Met;

/// Most places that are looked at.
pub(crate) const MOST: usize = 32;
/// Their pairs.
const PAIRS: usize = MOST * (MOST - 1) / 2;
/// Most circles through three of them that are looked at: if there are more, many places are nearly
/// the same, or on one circle.
const CIRCLES: usize = 512;
/// Room for rounding of squared distances, where places are no farther than 1 from the middle of the
/// cell. They are off by less than half of that.
const ROOM: f32 = 1e-5;
/// The same for distances.
const BLUR: f32 = 2e-6;
/// The same for sums of weights, relatively.
const SHARE: f32 = 1e-5;
/// The square of t at the centre of an equilateral triangle.
const WIDEST: f32 = 1.0 / 12.0;
/// Divisors are no smaller.
const TINY: f32 = 1e-12;

/// Scratch for one cell.
#[derive(Default)]
pub(crate) struct Quick {
    places: Places,
    pairs: Batches<Pairs>,
    pencils: Batches<Pencils>,
    rings: Batches<Rings>,
    /// The places as seen from a batch of pencils.
    met: [Met; MOST],
    /// A batch of which some lanes are taken.
    some: Pencils,
    found: Vec<[u32; 3]>,
}

/// The discs that matter, in the units of the places.
#[derive(Clone, Copy)]
struct Limits {
    /// Half the side of the cell.
    half: f32,
    /// No disc is larger.
    reach: f32,
    /// No disc is smaller.
    least: f32,
    /// Units that the places must make up.
    wanted: f32,
    /// The largest bound of what is inside all discs.
    inside: f32,
}

impl Quick {
    /// The circles with their centre in the cell, by the numbers of their places; the last two are
    /// equal if it is the circle across two. None if there are too many.
    #[inline(always)]
    pub fn search<S: Simd>(
        &mut self,
        simd: S,
        supports: &Supports,
        cell: &Cell,
        range: &Range,
    ) -> Option<&[[u32; 3]]> {
        let shrink = 1.0 / (range.reach + 2.0 * cell.radius() + 8.0 * MARGIN);
        let limits = Limits {
            half: (cell.half * shrink) as f32 + BLUR,
            reach: (range.reach * shrink) as f32 + BLUR,
            least: ((range.least * shrink) as f32 - BLUR).max(0.0),
            wanted: (range.k - range.inside.units) as f32,
            inside: (range.inside.bound * shrink) as f32,
        };
        self.places.take(supports, shrink);
        self.pair(simd, &limits);
        self.weigh(simd, &limits);
        if !self.meet(simd) {
            return None;
        }
        self.judge(simd, &limits);
        Some(&self.found)
    }
}

#[cfg(test)]
mod tests;

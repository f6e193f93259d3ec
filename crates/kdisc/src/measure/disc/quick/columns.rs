//! Places, pairs and pencils as columns, a lane for each.

use pulp::Simd;

use super::super::supports::{ROW, Supports};
use super::{MOST, ROOM};

/// Lanes of the widest vectors.
pub(super) const LANES: usize = 16;

pub(super) type Lanes = [f32; LANES];

#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Column(pub [f32; MOST]);

/// Places as seen from the middle of a cell.
pub(super) struct Places {
    pub count: usize,
    pub x: Column,
    pub y: Column,
    /// x² + y²
    pub square: Column,
    pub weight: Column,
    pub bound: Column,
}

impl Default for Places {
    fn default() -> Self {
        let none = Column([0.0; MOST]);
        Self {
            count: 0,
            x: none,
            y: none,
            square: none,
            weight: none,
            bound: none,
        }
    }
}

impl Places {
    /// Takes at most [`MOST`] places, with all lengths made shorter.
    #[inline(always)]
    pub fn take(&mut self, supports: &Supports, shrink: f64) {
        self.count = supports.count();
        for (row, places) in supports.places.iter().enumerate() {
            for lane in 0..ROW {
                let i = row * ROW + lane;
                let (x, y) = (places.x[lane] * shrink, places.y[lane] * shrink);
                let (x, y) = (x as f32, y as f32);
                self.x.0[i] = x;
                self.y.0[i] = y;
                self.square.0[i] = x * x + y * y;
                self.bound.0[i] = (places.bound[lane] * shrink) as f32;
                self.weight.0[i] = places.weight[lane] as f32;
            }
        }
    }

    /// One place in all lanes.
    #[inline(always)]
    pub fn place<S: Simd>(&self, simd: S, i: usize) -> Place<S> {
        Place {
            x: simd.splat_f32s(self.x.0[i]),
            y: simd.splat_f32s(self.y.0[i]),
            square: simd.splat_f32s(self.square.0[i]),
        }
    }
}

pub(super) struct Place<S: Simd> {
    pub x: S::f32s,
    pub y: S::f32s,
    pub square: S::f32s,
}

/// Pairs of places.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Pairs {
    pub px: Lanes,
    pub py: Lanes,
    pub qx: Lanes,
    pub qy: Lanes,
    pub names: [[u8; 2]; LANES],
}

/// Parts of pencils.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Pencils {
    /// The circle in the middle of the part: twice its centre, and the power of the origin, which is
    /// the square of its distance from the centre less the square of the radius.
    pub x: Lanes,
    pub y: Lanes,
    pub power: Lanes,
    /// 2u, and what makes B of the place (x, y): ux·y − uy·x + cross.
    pub ux: Lanes,
    pub uy: Lanes,
    pub cross: Lanes,
    /// |u|²
    pub squared: Lanes,
    /// t of the circle in the middle.
    pub middle: Lanes,
    /// How far t may be from there.
    pub off: Lanes,
    pub names: [[u8; 2]; LANES],
}

impl Pencils {
    /// Puts the `from`-th of other pencils into a lane.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, others: &Self, from: usize) {
        self.x[lane] = others.x[from];
        self.y[lane] = others.y[from];
        self.power[lane] = others.power[from];
        self.ux[lane] = others.ux[from];
        self.uy[lane] = others.uy[from];
        self.cross[lane] = others.cross[from];
        self.squared[lane] = others.squared[from];
        self.middle[lane] = others.middle[from];
        self.off[lane] = others.off[from];
    }
}

/// Circles of pencils.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Rings {
    /// Twice the centre, and the power of the origin.
    pub x: Lanes,
    pub y: Lanes,
    pub power: Lanes,
    /// The square of the radius, or a little less.
    pub squared: Lanes,
    /// How far off squared distances may be.
    pub slack: Lanes,
    pub names: [[u8; 3]; LANES],
}

impl Rings {
    /// Puts a circle into a lane: of the `from`-th pencil, with this t less that of the middle, or off
    /// by no more than the error.
    #[inline(always)]
    pub fn put(&mut self, lane: usize, pencils: &Pencils, from: usize, off: f32, error: f32) {
        self.x[lane] = pencils.x[from] - off * pencils.uy[from];
        self.y[lane] = pencils.y[from] + off * pencils.ux[from];
        self.power[lane] = pencils.power[from] - off * pencils.cross[from];
        let t = ((pencils.middle[from] + off).abs() - error).max(0.0);
        let squared = pencils.squared[from];
        self.squared[lane] = squared * (t * t + 0.25);
        // B is at most 2|z − m||u|, and |z − m| at most 2.
        self.slack[lane] = 4.0 * error * squared.sqrt() + ROOM;
    }
}

/// A vector of circles.
#[derive(Clone, Copy)]
pub(super) struct Circles<S: Simd> {
    pub x: S::f32s,
    pub y: S::f32s,
    pub power: S::f32s,
}

impl<S: Simd> Circles<S> {
    /// By how much the squared distance of a place from the centre exceeds that of the radius.
    #[inline(always)]
    pub fn beyond(&self, simd: S, place: &Place<S>) -> S::f32s {
        let beyond = simd.add_f32s(place.square, self.power);
        let beyond = simd.negate_mul_add_e_f32s(place.x, self.x, beyond);
        simd.negate_mul_add_e_f32s(place.y, self.y, beyond)
    }
}

/// How the circles of a vector of pencils change with t.
#[derive(Clone, Copy)]
pub(super) struct Change<S: Simd> {
    pub ux: S::f32s,
    pub uy: S::f32s,
    pub cross: S::f32s,
}

impl<S: Simd> Change<S> {
    /// The circles of larger t.
    #[inline(always)]
    pub fn of(&self, simd: S, circles: &Circles<S>, t: S::f32s) -> Circles<S> {
        Circles {
            x: simd.negate_mul_add_e_f32s(t, self.uy, circles.x),
            y: simd.mul_add_e_f32s(t, self.ux, circles.y),
            power: simd.negate_mul_add_e_f32s(t, self.cross, circles.power),
        }
    }

    /// B
    #[inline(always)]
    pub fn turn(&self, simd: S, place: &Place<S>) -> S::f32s {
        let turn = simd.negate_mul_add_e_f32s(place.x, self.uy, self.cross);
        simd.mul_add_e_f32s(place.y, self.ux, turn)
    }
}

/// Batches of as many lanes as a vector has.
pub(super) struct Batches<T> {
    batches: Vec<T>,
    pub len: usize,
}

impl<T> Default for Batches<T> {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            len: 0,
        }
    }
}

impl<T: Copy + Default> Batches<T> {
    /// Forgets all lanes, and makes room for `most`: vectors would be put aside for every call that
    /// might make some later.
    #[inline(always)]
    pub fn clear<S: Simd>(&mut self, most: usize) {
        let batches = most.div_ceil(S::F32_LANES);
        if self.batches.len() < batches {
            self.batches.resize(batches, T::default());
        }
        self.len = 0;
    }

    /// How many batches are in use.
    #[inline(always)]
    pub fn count<S: Simd>(&self) -> usize {
        self.len.div_ceil(S::F32_LANES)
    }

    /// A batch, with a bit for each lane in use.
    #[inline(always)]
    pub fn batch<S: Simd>(&self, i: usize) -> (&T, u32) {
        let left = self.len - i * S::F32_LANES;
        (&self.batches[i], first(left.min(S::F32_LANES)))
    }

    /// The batch and the lane for one more.
    #[inline(always)]
    pub fn next<S: Simd>(&mut self) -> (&mut T, usize) {
        let (batch, lane) = (self.len / S::F32_LANES, self.len % S::F32_LANES);
        self.len += 1;
        (&mut self.batches[batch], lane)
    }
}

/// The first vector of some lanes.
#[inline(always)]
pub(super) fn of<S: Simd>(lanes: &[f32]) -> S::f32s {
    S::as_simd_f32s(lanes).0[0]
}

#[inline(always)]
pub(super) fn set<S: Simd>(lanes: &mut [f32], values: S::f32s) {
    S::as_mut_simd_f32s(lanes).0[0] = values;
}

/// A bit for each of so many lanes, at most 32.
#[inline(always)]
pub(super) fn first(lanes: usize) -> u32 {
    ((1u64 << lanes.min(32)) - 1) as u32
}

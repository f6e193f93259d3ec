//! Small squares in a block, and their distances to places.
//!
//! Everything is relative to the origin and scale of one block, where coordinates are small
//! numbers: distances are off by less than [`MARGIN`].

use pulp::Simd;

/// Room for rounding, in units of the scale.
pub(crate) const MARGIN: f64 = 1e-12;

/// A square, by its middle and half its side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub x: f64,
    pub y: f64,
    pub half: f64,
    /// At least the distance of the k-th unit from the middle.
    pub most: f64,
}

impl Cell {
    /// From the middle to a corner.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.half * std::f64::consts::SQRT_2 + MARGIN
    }

    /// At least the distance of the k-th unit from any place in the cell.
    #[inline(always)]
    pub fn limit(&self) -> f64 {
        self.most + self.radius()
    }

    #[inline(always)]
    pub fn quarters(&self) -> [Self; 4] {
        let half = self.half / 2.0;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| {
            let quarter = Self {
                x: self.x + dx,
                y: self.y + dy,
                half,
                most: self.most,
            };
            Self {
                most: self.most + quarter.radius(),
                ..quarter
            }
        })
    }
}

/// Squared distances between places and a cell.
pub(crate) struct Measure<S: Simd> {
    simd: S,
    x: S::f64s,
    y: S::f64s,
    half: S::f64s,
    zero: S::f64s,
}

impl<S: Simd> Measure<S> {
    #[inline(always)]
    pub fn new(simd: S, cell: &Cell) -> Self {
        Self {
            simd,
            x: simd.splat_f64s(cell.x),
            y: simd.splat_f64s(cell.y),
            half: simd.splat_f64s(cell.half),
            zero: simd.splat_f64s(0.0),
        }
    }

    #[inline(always)]
    fn hypotenuse(&self, dx: S::f64s, dy: S::f64s) -> S::f64s {
        dot(self.simd, dx, dx, dy, dy)
    }

    /// From a place to the nearest point of the cell.
    #[inline(always)]
    pub fn gap(&self, x: S::f64s, y: S::f64s) -> S::f64s {
        let simd = self.simd;
        let along = |a, middle| {
            let outside = simd.sub_f64s(simd.abs_f64s(simd.sub_f64s(a, middle)), self.half);
            simd.max_f64s(outside, self.zero)
        };
        self.hypotenuse(along(x, self.x), along(y, self.y))
    }

    /// From a place to the middle of the cell.
    #[inline(always)]
    pub fn distance(&self, x: S::f64s, y: S::f64s) -> S::f64s {
        let simd = self.simd;
        self.hypotenuse(simd.sub_f64s(x, self.x), simd.sub_f64s(y, self.y))
    }

    /// From a place to the farthest corner of the cell.
    #[inline(always)]
    pub fn span(&self, x: S::f64s, y: S::f64s) -> S::f64s {
        let simd = self.simd;
        let along = |a, middle| simd.add_f64s(simd.abs_f64s(simd.sub_f64s(a, middle)), self.half);
        self.hypotenuse(along(x, self.x), along(y, self.y))
    }
}

/// a·b + c·d.
#[inline(always)]
pub(crate) fn dot<S: Simd>(simd: S, a: S::f64s, b: S::f64s, c: S::f64s, d: S::f64s) -> S::f64s {
    simd.mul_add_e_f64s(a, b, simd.mul_f64s(c, d))
}

//! Squares of the plane, in which centres are looked for.

use super::cell::{Cell, MARGIN};
use crate::Point;
use crate::index::Bounds;

/// Room for double precision, relatively.
pub(crate) const SAFE: f64 = 1.0 + 1e-9;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Square {
    pub middle: Point,
    pub half: f64,
    /// At least the distance of the k-th unit from the middle.
    pub most: f64,
}

impl Square {
    pub fn around(bounds: &Bounds) -> Self {
        let (width, height) = (bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y);
        let middle = Point::new(bounds.low.x + width / 2.0, bounds.low.y + height / 2.0);
        Self {
            middle,
            half: width.max(height) / 2.0 * SAFE + rounding(middle),
            most: f64::INFINITY,
        }
    }

    /// From the middle to a corner.
    pub fn radius(&self) -> f64 {
        self.half * (std::f64::consts::SQRT_2 * SAFE)
    }

    pub fn bounds(&self) -> Bounds {
        let Point { x, y } = self.middle;
        Bounds {
            low: Point::new(x - self.half, y - self.half),
            high: Point::new(x + self.half, y + self.half),
        }
    }

    /// Whether its quarters would be hardly smaller, for want of doubles between its sides.
    pub fn is_atom(&self) -> bool {
        self.half <= 16.0 * rounding(self.middle)
    }

    pub fn quarters(&self) -> [Self; 4] {
        let half = self.half / 2.0;
        [(-half, -half), (half, -half), (-half, half), (half, half)].map(|(dx, dy)| {
            let middle = Point::new(self.middle.x + dx, self.middle.y + dy);
            let quarter = Self {
                middle,
                half: half + rounding(middle),
                most: self.most,
            };
            Self {
                most: self.most + quarter.radius(),
                ..quarter
            }
        })
    }
}

/// What rounding the middle of a square may shift it by.
fn rounding(middle: Point) -> f64 {
    f64::EPSILON * middle.x.abs().max(middle.y.abs())
}

/// What the cells of a block are relative to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Frame {
    pub origin: Point,
    pub scale: f64,
}

impl Frame {
    /// The cell as a square of the plane, with room for rounding.
    pub fn square(&self, cell: &Cell) -> Square {
        let middle = Point::new(
            self.origin.x + cell.x * self.scale,
            self.origin.y + cell.y * self.scale,
        );
        Square {
            middle,
            half: (cell.half + MARGIN) * self.scale + rounding(middle),
            most: cell.most * self.scale + rounding(middle),
        }
    }
}

//! The study area: the cells that may receive anything, and the units that count.
//!
//! A unit counts if it lies in one of the polygons, or on their border. A cell may receive something
//! if a polygon touches it: its centre lies in one, or a border comes within 1/256 of its side. So the
//! cell of a unit that counts always may, wherever in it the unit is, and which cells may tells
//! nothing of the units. Polygons may overlap.

use rayon::prelude::*;

use super::Frame;
use crate::Point;
use crate::region::{Raster, Region, Regions, TooManyCorners, edges};

/// A study area on the cells of a frame.
#[derive(Debug, Clone)]
pub struct Area {
    regions: Regions,
    cells: Vec<bool>,
}

impl Area {
    /// The cells of `frame` that these regions touch.
    ///
    /// # Errors
    /// They have more corners than can be numbered.
    pub fn new(frame: &Frame, regions: Vec<Region>) -> Result<Self, TooManyCorners> {
        let regions = Regions::new(regions)?;
        let inside = |at| holds(&regions, at);
        let cells = (0..frame.cells()).into_par_iter();
        let mut cells: Vec<bool> = cells.map(|cell| inside(frame.center(cell))).collect();
        let (columns, rows) = (frame.columns(), frame.rows());
        let raster = Raster::of_cells(frame.origin(), frame.side(), columns, rows);
        let rings = regions.all().iter().flat_map(Region::rings);
        for edge in rings.flat_map(edges) {
            raster.visit(edge, |cell| {
                let (column, from_south) = (cell % columns, cell / columns);
                cells[(rows - 1 - from_south) * columns + column] = true;
            });
        }
        Ok(Self { regions, cells })
    }

    /// Whether each cell of the frame may receive anything.
    #[must_use]
    pub fn cells(&self) -> &[bool] {
        &self.cells
    }

    /// Whether a unit counts.
    #[must_use]
    pub fn holds(&self, at: Point) -> bool {
        holds(&self.regions, at)
    }
}

/// In one region, or in several.
fn holds(regions: &Regions, at: Point) -> bool {
    !matches!(regions.locate(at), Ok(None))
}

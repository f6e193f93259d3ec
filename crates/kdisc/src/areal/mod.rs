//! The older, areal measure: how many units share a cell or a district, and how much of that is
//! due to where its border happens to run.
//!
//! The areal risk of a region is 1/N, with N the number of units in it ([`areal_risk`]). It belongs
//! to the region, not to the unit: move, resize or reshape the region and it changes, while the
//! units stay where they are. That is the modifiable areal unit problem (MAUP); [`Maup`] shows how
//! far it goes.
//!
//! ```
//! use kdisc::Point;
//! use kdisc::areal::{Grid, Tally, areal_risk};
//!
//! let units = [(2.2, 0.2), (2.9, 1.7), (3.2, 1.8), (-0.2, 2.0)].map(|(x, y)| Point::new(x, y));
//! let grid = Grid::square(4.0)?;
//! let tally = Tally::new(&units, None, &grid)?;
//! let first = tally.of_unit()[0] as usize;
//! assert_eq!(grid.corner(tally.cells()[first]), Point::new(0.0, 0.0));
//! assert_eq!(areal_risk(tally.counts()[first]), 1.0 / 3.0);
//!
//! // The same cell, moved by (0.3, 0.4), loses a unit.
//! let moved = grid.with_origin(Point::new(0.3, 0.4))?;
//! let tally = Tally::new(&units, None, &moved)?;
//! let second = tally.of_unit()[1] as usize;
//! assert_eq!(areal_risk(tally.counts()[second]), 1.0 / 2.0);
//! # Ok::<(), kdisc::areal::GridError>(())
//! ```

mod grid;
mod hexagon;
mod maup;
mod tally;
mod windows;

pub use grid::{Cell, Edges, Grid, GridError, Shape};
pub use maup::{Maup, Spread};
pub use tally::Tally;

/// The areal risk of a region with this many units: 1/N, or 0 where nobody is.
#[must_use]
pub fn areal_risk(units: u64) -> f64 {
    if units == 0 { 0.0 } else { 1.0 / units as f64 }
}

#[cfg(test)]
mod tests;

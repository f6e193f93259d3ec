//! What can be wrong with a raster, or with what is to be smoothed.

use thiserror::Error;

use crate::areal::GridError;
use crate::{MeasureError, PopulationError};

/// Why there is no such raster.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum FrameError {
    /// Its cells are no grid.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// It has no extent.
    #[error("an extent from {from} to {to} holds nothing")]
    Extent {
        /// Where it begins.
        from: f64,
        /// Where it ends.
        to: f64,
    },
    /// It has more cells than can be numbered.
    #[error("{columns} by {rows} cells are more than can be numbered (4,294,967,295)")]
    TooMany {
        /// Cells from west to east.
        columns: u64,
        /// Cells from north to south.
        rows: u64,
    },
}

/// Why there is no map.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum DensityError {
    /// The kernel is unknown.
    #[error("kernel is {0:?}: give gaussian, uniform, quartic or epanechnikov")]
    Kernel(String),
    /// A bandwidth is no positive length.
    #[error("a bandwidth cannot be {0}")]
    Bandwidth(f64),
    /// A value is not a number, or too large to add up.
    #[error("row {row}: the value {value} cannot be added up (at most 1e150)")]
    Value {
        /// Index of the row.
        row: usize,
        /// The value.
        value: f64,
    },
    /// There are not as many of something as there are points.
    #[error("{points} points but {found} {what}")]
    Lengths {
        /// Number of points.
        points: usize,
        /// What there should be as many of.
        what: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The units are no population.
    #[error(transparent)]
    Units(#[from] PopulationError),
    /// A unit is too many cells away to be numbered.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// Cancelled, or no threads.
    #[error(transparent)]
    Run(#[from] MeasureError),
}

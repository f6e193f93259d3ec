//! How many units each cell of a grid has.

use rayon::prelude::*;

use super::grid::{Cell, Grid, GridError};
use crate::Point;

/// The cells of a grid in which somebody is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    cells: Vec<Cell>,
    counts: Vec<u64>,
    of_unit: Vec<u32>,
}

impl Tally {
    /// Counts points, `weights[i]` units at `points[i]`, or one each. O(n log n).
    ///
    /// # Errors
    /// A point is too far away to have a cell.
    ///
    /// # Panics
    /// There are more than 2³² points, or not as many weights.
    pub fn new(points: &[Point], weights: Option<&[u64]>, grid: &Grid) -> Result<Self, GridError> {
        assert!(u32::try_from(points.len()).is_ok(), "more than 2^32 points");
        let cells = grid.cells(points)?;
        let mut order: Vec<(Cell, u32)> =
            cells.into_par_iter().zip(0..points.len() as u32).collect();
        order.par_sort_unstable();
        let mut tally = Self {
            cells: Vec::new(),
            counts: Vec::new(),
            of_unit: vec![0; points.len()],
        };
        for (cell, unit) in order {
            if tally.cells.last() != Some(&cell) {
                tally.cells.push(cell);
                tally.counts.push(0);
            }
            let last = tally.counts.len() - 1;
            tally.counts[last] += weights.map_or(1, |weights| weights[unit as usize]);
            tally.of_unit[unit as usize] = last as u32;
        }
        Ok(tally)
    }

    /// The cells in which points are, in order: by column, then row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The number of units in each of these.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Which of these each point is in.
    #[must_use]
    pub fn of_unit(&self) -> &[u32] {
        &self.of_unit
    }

    /// The number of units with which each point shares its cell, itself included.
    pub fn counts_of_units(&self) -> impl Iterator<Item = u64> {
        self.of_unit.iter().map(|&cell| self.counts[cell as usize])
    }
}

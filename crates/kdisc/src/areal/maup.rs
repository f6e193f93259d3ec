//! The modifiable areal unit problem: how far areal risk depends on the choice of a grid.
//!
//! The grid is moved in S × S steps over one cell, its cells change their shape to that of the same
//! area, and their size to half and double the side. For every unit it is noted with how many
//! units it shares its cell, each time. Moving squares has a method of its own
//! ([`windows`](super::windows)); moving hexagons counts them all again for each step.
//!
//! Steps are exact fractions of the side (of the steps between hexagons): a point is on the same
//! side of a moved line as rational numbers would put it.

use std::collections::HashMap;

use rayon::prelude::*;

use super::grid::{Cell, Grid, GridError, Shape};
use super::{Tally, areal_risk, hexagon, windows};
use crate::Point;

/// With how many units each unit shares its cell, over many grids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spread {
    /// The fewest.
    pub least: Vec<u64>,
    /// The most.
    pub most: Vec<u64>,
}

/// The counts of the cells of all units, itself included, in a grid and its variants.
///
/// A unit of weight 0 counts for nobody, but shares its cell like others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maup {
    /// In the grid as it is.
    pub base: Vec<u64>,
    /// As the grid moves, from where it is.
    pub moved: Spread,
    /// In cells of the other shape and the same area.
    pub reshaped: Vec<u64>,
    /// In cells of half the side.
    pub halved: Vec<u64>,
    /// In cells of double the side.
    pub doubled: Vec<u64>,
}

impl Maup {
    /// The grid may move in at most this many steps along each side.
    pub const MOST_SHIFTS: u32 = 256;

    /// Counts `weights[i]` units at `points[i]`, or one each, in the grid moved in `shifts` ×
    /// `shifts` steps (at least 1, at most [`Maup::MOST_SHIFTS`]) and in the other variants.
    ///
    /// # Errors
    /// A point is too far away to have a cell, or half a cell is too small.
    ///
    /// # Panics
    /// There are more than 2³² points, or not as many weights.
    pub fn new(
        points: &[Point],
        weights: Option<&[u64]>,
        grid: &Grid,
        shifts: u32,
    ) -> Result<Self, GridError> {
        let shifts = shifts.clamp(1, Self::MOST_SHIFTS);
        let counts = |grid: &Grid| -> Result<Vec<u64>, GridError> {
            Ok(Tally::new(points, weights, grid)?
                .counts_of_units()
                .collect())
        };
        let sized = |size: f64| {
            Grid::new(grid.shape, size).map(|other| Grid {
                size: other.size,
                ..*grid
            })
        };
        let (moved, other) = match grid.shape {
            Shape::Square => (
                windows::squares(points, weights, grid, shifts)?,
                Shape::Hexagon,
            ),
            Shape::Hexagon => (hexagons(points, weights, grid, shifts)?, Shape::Square),
        };
        Ok(Self {
            base: counts(grid)?,
            moved,
            reshaped: counts(&grid.with_shape(other))?,
            halved: counts(&sized(grid.size / 2.0)?)?,
            doubled: counts(&sized(grid.size * 2.0)?)?,
        })
    }

    /// The fewest and the most units with which a unit shares its cell, over all variants.
    #[must_use]
    pub fn range(&self, unit: usize) -> [u64; 2] {
        let others = [self.reshaped[unit], self.halved[unit], self.doubled[unit]];
        others.into_iter().fold(
            [self.moved.least[unit], self.moved.most[unit]],
            |[least, most], count| [least.min(count), most.max(count)],
        )
    }

    /// The least and the greatest areal risk of a unit over all variants, for units that count.
    #[must_use]
    pub fn risks(&self, unit: usize) -> [f64; 2] {
        let [least, most] = self.range(unit);
        [areal_risk(most), areal_risk(least)]
    }
}

/// The least and most units in hexagons over each point.
fn hexagons(
    points: &[Point],
    weights: Option<&[u64]>,
    grid: &Grid,
    steps: u32,
) -> Result<Spread, GridError> {
    grid.check_all(points)?;
    let triangles: Vec<_> = points
        .par_iter()
        .map(|&at| hexagon::fine_triangle(grid, at, steps))
        .collect();
    let (moves, steps) = (steps * steps, i64::from(steps));
    let none = || Spread {
        least: vec![u64::MAX; points.len()],
        most: vec![0; points.len()],
    };
    let spread = (0..moves)
        .into_par_iter()
        .with_min_len((moves as usize / 8).max(1))
        .fold(none, |mut spread, step| {
            let (columns, rows) = (i64::from(step) / steps, i64::from(step) % steps);
            let cells: Vec<Cell> = triangles
                .iter()
                .map(|&fine| hexagon::cell(hexagon::shift(fine, columns, rows), steps))
                .collect();
            let counter = Counter::new(&cells, weights);
            for (unit, cell) in cells.into_iter().enumerate() {
                let count = counter.get(cell);
                spread.least[unit] = spread.least[unit].min(count);
                spread.most[unit] = spread.most[unit].max(count);
            }
            spread
        })
        .reduce(none, |mut one, other| {
            for (least, other) in one.least.iter_mut().zip(other.least) {
                *least = other.min(*least);
            }
            for (most, other) in one.most.iter_mut().zip(other.most) {
                *most = other.max(*most);
            }
            one
        });
    Ok(spread)
}

/// Counts of cells: a table over their extent where that is not much larger than their number.
enum Counter {
    Table {
        first: Cell,
        rows: usize,
        counts: Vec<u64>,
    },
    Sparse(HashMap<Cell, u64>),
}

impl Counter {
    fn new(cells: &[Cell], weights: Option<&[u64]>) -> Self {
        let all = cells.iter().copied();
        let first = all.clone().reduce(|a, b| Cell {
            column: a.column.min(b.column),
            row: a.row.min(b.row),
        });
        let last = all.reduce(|a, b| Cell {
            column: a.column.max(b.column),
            row: a.row.max(b.row),
        });
        let weight = |unit: usize| weights.map_or(1, |weights| weights[unit]);
        if let (Some(first), Some(last)) = (first, last) {
            let columns = (last.column - first.column + 1) as usize;
            let rows = (last.row - first.row + 1) as usize;
            let size = columns.saturating_mul(rows);
            if size <= 8 * cells.len() + (1 << 16) {
                let mut counts = vec![0; size];
                for (unit, cell) in cells.iter().enumerate() {
                    counts[index(first, rows, *cell)] += weight(unit);
                }
                return Self::Table {
                    first,
                    rows,
                    counts,
                };
            }
        }
        let mut counts = HashMap::new();
        for (unit, cell) in cells.iter().enumerate() {
            *counts.entry(*cell).or_default() += weight(unit);
        }
        Self::Sparse(counts)
    }

    fn get(&self, cell: Cell) -> u64 {
        match self {
            Self::Table {
                first,
                rows,
                counts,
            } => counts[index(*first, *rows, cell)],
            Self::Sparse(counts) => counts.get(&cell).copied().unwrap_or(0),
        }
    }
}

fn index(first: Cell, rows: usize, cell: Cell) -> usize {
    (cell.column - first.column) as usize * rows + (cell.row - first.row) as usize
}

//! The cells of a map: squares at whole multiples of their side, in rows from north to south.
//!
//! Two maps with cells of one size fit on each other cell by cell, whatever their extents. In which
//! cell a point falls is decided as in [`Grid`], exactly; a cell owns its west and south edges.

use rayon::prelude::*;

use super::FrameError;
use crate::Point;
use crate::areal::{Cell, Grid, GridError};

/// A raster of square cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    grid: Grid,
    /// Column of the westernmost cells and row of the northernmost.
    west: i64,
    north: i64,
    columns: usize,
    rows: usize,
}

impl Frame {
    /// The fewest cells that leave nothing of an extent (least x, least y, greatest x, greatest y)
    /// uncovered.
    ///
    /// # Errors
    /// The extent is empty, or has too many such cells.
    pub fn within(side: f64, extent: [f64; 4]) -> Result<Self, FrameError> {
        let [min_x, min_y, max_x, max_y] = extent;
        for (from, to) in [(min_x, max_x), (min_y, max_y)] {
            let holds_something = from < to;
            if !holds_something {
                return Err(FrameError::Extent { from, to });
            }
        }
        let grid = Grid::square(side)?;
        let first = grid.cell(Point::new(min_x, min_y))?;
        let mut last = grid.cell(Point::new(max_x, max_y))?;
        // An extent that ends where a cell begins does not need that cell.
        let corner = grid.corner(last);
        last.column -= i64::from(corner.x == max_x);
        last.row -= i64::from(corner.y == max_y);
        last.column = last.column.max(first.column);
        last.row = last.row.max(first.row);
        Self::between(grid, first, last)
    }

    /// The fewest cells that hold all points, and everything within `margin` of them along both
    /// axes. None if there are no points.
    ///
    /// # Errors
    /// These are too many cells.
    pub fn around(side: f64, points: &[Point], margin: f64) -> Result<Option<Self>, FrameError> {
        let grid = Grid::square(side)?;
        let Some(&some) = points.first() else {
            return Ok(None);
        };
        let (mut low, mut high) = (some, some);
        for point in points {
            low = Point::new(low.x.min(point.x), low.y.min(point.y));
            high = Point::new(high.x.max(point.x), high.y.max(point.y));
        }
        let first = grid.cell(Point::new(low.x - margin, low.y - margin))?;
        let last = grid.cell(Point::new(high.x + margin, high.y + margin))?;
        Self::between(grid, first, last).map(Some)
    }

    fn between(grid: Grid, first: Cell, last: Cell) -> Result<Self, FrameError> {
        // Neither exceeds 2^41.
        let columns = (last.column - first.column + 1).cast_unsigned();
        let rows = (last.row - first.row + 1).cast_unsigned();
        let cells = u128::from(columns) * u128::from(rows);
        if cells > u128::from(u32::MAX) {
            return Err(FrameError::TooMany { columns, rows });
        }
        Ok(Self {
            grid,
            west: first.column,
            north: last.row,
            columns: columns as usize,
            rows: rows as usize,
        })
    }

    /// The side of a cell.
    #[must_use]
    pub fn side(&self) -> f64 {
        self.grid.size()
    }

    /// The area of a cell.
    #[must_use]
    pub fn cell_area(&self) -> f64 {
        self.grid.area()
    }

    /// Cells from west to east.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells from north to south.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The corner in the north-west of the raster.
    #[must_use]
    pub fn corner(&self) -> Point {
        let (column, row) = (self.west, self.north + 1);
        self.grid.corner(Cell { column, row })
    }

    /// The corner in the south-west of the raster.
    pub(super) fn origin(&self) -> Point {
        let (column, row) = (self.west, self.north + 1 - self.rows.cast_signed() as i64);
        self.grid.corner(Cell { column, row })
    }

    /// The centre of a cell, which are numbered row by row from the north-west.
    #[must_use]
    pub fn center(&self, cell: usize) -> Point {
        let (column, row) = (cell % self.columns, cell / self.columns);
        let column = (self.west + column.cast_signed() as i64) as f64 + 0.5;
        let row = (self.north - row.cast_signed() as i64) as f64 + 0.5;
        Point::new(column * self.side(), row * self.side())
    }

    /// The number of the cell in which a point falls, if it is in the raster.
    #[must_use]
    pub fn index(&self, at: Point) -> Option<usize> {
        let cell = self.grid.cell(at).ok()?;
        self.number(cell).map(|number| number as usize)
    }

    /// The numbers of the cells in which points fall, on all threads of the current pool.
    pub(super) fn indices(&self, points: &[Point]) -> Result<Vec<Option<u32>>, GridError> {
        let cells = points.par_iter().map(|&at| self.grid.cell(at));
        cells.map(|cell| Ok(self.number(cell?))).collect()
    }

    fn number(&self, cell: Cell) -> Option<u32> {
        let column = usize::try_from(cell.column - self.west).ok()?;
        let row = usize::try_from(self.north - cell.row).ok()?;
        let inside = column < self.columns && row < self.rows;
        inside.then(|| (row * self.columns + column) as u32)
    }
}

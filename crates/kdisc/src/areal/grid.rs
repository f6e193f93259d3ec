//! Grids of squares or hexagons.
//!
//! In which cell a point falls is decided exactly: a quotient in doubles tells it, unless it is
//! within its rounding of a line of the grid; then whole numbers do. A cell owns its west and south
//! edges, or its west and north ones if asked, so every point is in one cell.

use std::cmp::Ordering;

use rayon::prelude::*;
use thiserror::Error;

use super::hexagon;
use crate::predicates::compare_multiple;
use crate::{Point, check_coordinate};

/// Columns and rows are numbered up to this: beyond, quotients in doubles would miss cells, or
/// [`Maup::MOST_SHIFTS`](super::Maup::MOST_SHIFTS) fractions of them.
const FARTHEST: f64 = (1u64 << 40) as f64;
/// The relative error of a quotient of differences, generously.
const ERROR: f64 = 1e-15;

/// The shape of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Squares; the origin is a corner.
    Square,
    /// Regular hexagons with level top and bottom; the origin is the centre of one.
    Hexagon,
}

/// Which edges belong to a cell, of those that it shares with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Edges {
    /// Those in the west and south, as in INSPIRE's grids.
    #[default]
    SouthWest,
    /// Those in the west and north, as in rasters of R.
    NorthWest,
}

/// A grid of equal cells that covers the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    pub(super) shape: Shape,
    pub(super) size: f64,
    pub(super) origin: Point,
    pub(super) edges: Edges,
}

/// A cell of a grid. Squares are numbered east and north from the origin. The centre of hexagon
/// (i, j) is i steps to the next column, half a cell up each, and j steps up from the origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// East.
    pub column: i64,
    /// North.
    pub row: i64,
}

/// Why there is no such grid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum GridError {
    /// The size is not a positive number that a coordinate could be.
    #[error("a cell cannot be {0} wide")]
    Size(f64),
    /// The origin is not a place.
    #[error("the origin cannot be at {0}")]
    Origin(f64),
    /// A coordinate is too many cells away from the origin.
    #[error(
        "the coordinate {coordinate} is more than 1,099,511,627,776 (2^40) cells of {size} from \
         the origin"
    )]
    TooFine {
        /// The size of a cell.
        size: f64,
        /// The coordinate.
        coordinate: f64,
    },
}

impl Grid {
    /// Squares of this side.
    ///
    /// # Errors
    /// The side is not a positive number of usable size.
    pub fn square(side: f64) -> Result<Self, GridError> {
        Self::new(Shape::Square, side)
    }

    /// Hexagons of the area of a square of this side.
    ///
    /// # Errors
    /// The side is not a positive number of usable size.
    pub fn hexagon(side: f64) -> Result<Self, GridError> {
        Self::new(Shape::Hexagon, side)
    }

    /// Cells of this shape, of the area of a square of side `size`, with the origin at (0, 0).
    ///
    /// # Errors
    /// The size is not a positive number that a coordinate could be.
    pub fn new(shape: Shape, size: f64) -> Result<Self, GridError> {
        if size <= 0.0 || check_coordinate(0, size).is_err() {
            return Err(GridError::Size(size));
        }
        Ok(Self {
            shape,
            size,
            origin: Point::new(0.0, 0.0),
            edges: Edges::default(),
        })
    }

    /// The same cells, moved to another origin.
    ///
    /// # Errors
    /// It is not a place.
    pub fn with_origin(self, origin: Point) -> Result<Self, GridError> {
        for value in [origin.x, origin.y] {
            check_coordinate(0, value).map_err(|_| GridError::Origin(value))?;
        }
        Ok(Self { origin, ..self })
    }

    /// The same cells with other edges.
    #[must_use]
    pub fn with_edges(self, edges: Edges) -> Self {
        Self { edges, ..self }
    }

    /// The same grid with cells of another shape, of the same area.
    #[must_use]
    pub fn with_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    /// The shape of the cells.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The side of a square of the same area as a cell.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Where the grid begins.
    #[must_use]
    pub fn origin(&self) -> Point {
        self.origin
    }

    /// Which edges belong to a cell.
    #[must_use]
    pub fn edges(&self) -> Edges {
        self.edges
    }

    /// The area of a cell.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.size * self.size
    }

    /// The cell in which a point falls.
    ///
    /// # Errors
    /// It is too far away to be numbered.
    pub fn cell(&self, at: Point) -> Result<Cell, GridError> {
        self.check(at)?;
        Ok(match self.shape {
            Shape::Square => {
                let [column, row] = self.fine_square(at, 1);
                Cell { column, row }
            }
            Shape::Hexagon => hexagon::cell(hexagon::fine_triangle(self, at, 1), 1),
        })
    }

    /// The cells in which points fall, on all threads of the current pool.
    ///
    /// # Errors
    /// The first point that is too far away to be numbered.
    pub fn cells(&self, points: &[Point]) -> Result<Vec<Cell>, GridError> {
        self.check_all(points)?;
        points.par_iter().map(|&at| self.cell(at)).collect()
    }

    /// The south-west corner of a square, the centre of a hexagon.
    #[must_use]
    pub fn corner(&self, cell: Cell) -> Point {
        match self.shape {
            Shape::Square => self.lattice_point(cell.column, cell.row),
            Shape::Hexagon => hexagon::centre(self, cell),
        }
    }

    /// The corners of a cell, counterclockwise. Neighbours have theirs in common, to the last bit.
    #[must_use]
    pub fn corners(&self, Cell { column, row }: Cell) -> Vec<Point> {
        match self.shape {
            Shape::Square => [(0, 0), (1, 0), (1, 1), (0, 1)]
                .map(|(i, j)| self.lattice_point(column + i, row + j))
                .into(),
            Shape::Hexagon => hexagon::corners(self, Cell { column, row }).into(),
        }
    }

    fn lattice_point(&self, column: i64, row: i64) -> Point {
        Point::new(
            self.origin.x + column as f64 * self.size,
            self.origin.y + row as f64 * self.size,
        )
    }

    /// Column and row in squares of a fraction of the side.
    pub(super) fn fine_square(&self, at: Point, parts: u32) -> [i64; 2] {
        let column = self.multiples(at.x, self.origin.x, parts, false);
        let row = self.multiples(at.y, self.origin.y, parts, self.edges == Edges::NorthWest);
        [column, row]
    }

    /// How many fractions of the side fit between the origin and a coordinate. On a line of the
    /// grid, one less if it `belongs_below`.
    fn multiples(&self, value: f64, origin: f64, parts: u32, belongs_below: bool) -> i64 {
        let quotient = (value - origin) * f64::from(parts) / self.size;
        floor(quotient, belongs_below, |n| {
            compare_multiple(value, origin, self.size, parts, n)
        })
    }

    pub(super) fn check_all(&self, points: &[Point]) -> Result<(), GridError> {
        let wrong = points.par_iter().find_map_first(|&at| self.check(at).err());
        wrong.map_or(Ok(()), Err)
    }

    fn check(&self, at: Point) -> Result<(), GridError> {
        for (coordinate, origin) in [(at.x, self.origin.x), (at.y, self.origin.y)] {
            // Also where it is not a number at all.
            let near = ((coordinate - origin) / self.size).abs() < FARTHEST;
            if !near {
                let size = self.size;
                return Err(GridError::TooFine { size, coordinate });
            }
        }
        Ok(())
    }
}

/// The greatest whole number that a quotient is not below. Where its rounding leaves a doubt about
/// n, the exact one is compared with n; if they are equal, the answer is one less for one that
/// `belongs_below`.
pub(super) fn floor(quotient: f64, belongs_below: bool, exact: impl Fn(i64) -> Ordering) -> i64 {
    let nearest = quotient.round();
    if (quotient - nearest).abs() > ERROR * (quotient.abs() + 1.0) {
        return quotient.floor() as i64;
    }
    let nearest = nearest as i64;
    match exact(nearest) {
        Ordering::Less => nearest - 1,
        Ordering::Equal if belongs_below => nearest - 1,
        _ => nearest,
    }
}

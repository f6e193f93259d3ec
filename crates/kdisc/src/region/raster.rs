//! The frame of the index: square cells over the extent of all regions; or any square cells, to see
//! which of them an edge touches.
//!
//! Cells are four times as many as edges, fewer if edges are long, so that an edge touches a few
//! cells, and a cell a few edges even where borders are dense. Which cell a point falls in is worked out with rounding; so a cell takes all
//! edges that come within a small margin of it, which is far larger than that rounding.

use crate::Point;

/// The margin, in cells.
const MARGIN: f64 = 1.0 / 256.0;
/// Cells along either side, at most.
const LONGEST: f64 = 32768.0;
/// Cells in all, at most.
const MOST: usize = 1 << 24;
/// Cells per edge.
const CELLS: usize = 4;
/// Cells that an edge touches, on average, at most.
const TOUCHED: f64 = 8.0;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Raster {
    west: f64,
    south: f64,
    /// The side of a cell, and its inverse.
    side: f64,
    per_unit: f64,
    pub columns: usize,
    pub rows: usize,
}

impl Raster {
    /// A raster over the corners of these edges.
    pub fn new(edges: impl Iterator<Item = [Point; 2]> + Clone) -> Self {
        let mut bounds = [f64::MAX, f64::MIN, f64::MAX, f64::MIN];
        let (mut count, mut length, mut largest) = (0usize, 0.0, 0.0_f64);
        for [a, b] in edges {
            count += 1;
            length += (a.x - b.x).abs() + (a.y - b.y).abs();
            largest = largest.max(a.x.abs()).max(a.y.abs());
            bounds[0] = bounds[0].min(a.x);
            bounds[1] = bounds[1].max(a.x);
            bounds[2] = bounds[2].min(a.y);
            bounds[3] = bounds[3].max(a.y);
        }
        if count == 0 {
            bounds = [0.0; 4];
        }
        let (width, height) = (bounds[1] - bounds[0], bounds[3] - bounds[2]);
        // Far above the rounding of coordinates, and of what is worked out with them.
        let coarse = largest / (1u64 << 40) as f64;
        let cells = (CELLS * count).clamp(1, MOST) as f64;
        let side = (width * height / cells)
            .sqrt()
            .max(width.max(height) / LONGEST)
            .max(length / (count.max(1) as f64 * TOUCHED))
            .max(coarse)
            .max(f64::MIN_POSITIVE / f64::EPSILON);
        let (west, south) = (bounds[0] - side / 2.0, bounds[2] - side / 2.0);
        Self {
            west,
            south,
            side,
            per_unit: 1.0 / side,
            columns: ((bounds[1] - west) / side + 1.5) as usize,
            rows: ((bounds[3] - south) / side + 1.5) as usize,
        }
    }

    /// These cells.
    pub fn of_cells(corner: Point, side: f64, columns: usize, rows: usize) -> Self {
        Self {
            west: corner.x,
            south: corner.y,
            side,
            per_unit: 1.0 / side,
            columns,
            rows,
        }
    }

    /// Column and row of the cell in which a point falls, unless it is outside the raster.
    pub fn cell(&self, at: Point) -> Option<(usize, usize)> {
        let column = (at.x - self.west) * self.per_unit;
        let row = (at.y - self.south) * self.per_unit;
        let inside =
            column >= 0.0 && row >= 0.0 && column < self.columns as f64 && row < self.rows as f64;
        inside.then_some((column as usize, row as usize))
    }

    /// The west side of a column.
    pub fn west_of(&self, column: usize) -> f64 {
        self.west + column as f64 * self.side
    }

    /// The middle of a row.
    pub fn middle_of(&self, row: usize) -> f64 {
        self.south + (row as f64 + 0.5) * self.side
    }

    /// Visits the cells that an edge comes within the margin of.
    pub fn visit(&self, [a, b]: [Point; 2], mut visit: impl FnMut(usize)) {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        let rows = self.span(low.y - self.south, high.y - self.south, self.rows);
        for row in rows {
            let south = self.south + (row as f64 - MARGIN) * self.side;
            let north = self.south + (row as f64 + 1.0 + MARGIN) * self.side;
            let along = |y: f64| {
                let part = ((y - low.y) / (high.y - low.y)).clamp(0.0, 1.0);
                low.x + (high.x - low.x) * part
            };
            let (from, to) = if low.y == high.y || (south <= low.y && high.y <= north) {
                (low.x, high.x)
            } else {
                (along(south), along(north))
            };
            let columns = self.span(
                from.min(to) - self.west,
                from.max(to) - self.west,
                self.columns,
            );
            for column in columns {
                visit(row * self.columns + column);
            }
        }
    }

    /// Columns or rows within the margin of a stretch.
    fn span(&self, from: f64, to: f64, count: usize) -> std::ops::Range<usize> {
        if to * self.per_unit < -MARGIN {
            return 0..0;
        }
        let first = (from * self.per_unit - MARGIN).max(0.0) as usize;
        let last = (to * self.per_unit + MARGIN).max(0.0) as usize;
        first..(last + 1).min(count)
    }
}

//! The heights of a kernel at whole numbers of cells from its middle.

use super::kernel::bell;
use super::{Frame, Kernel};

/// Heights by distance in cells, of one quarter of the kernel: the others mirror it.
pub(super) enum Taps {
    /// The height is the product of one for the columns and one for the rows.
    Product { columns: Vec<f64>, rows: Vec<f64> },
    /// For each distance in rows, the heights by distance in columns.
    Table(Vec<Vec<f64>>),
}

impl Taps {
    /// Those that matter in a frame.
    pub fn new(kernel: Kernel, bandwidth: f64, frame: &Frame) -> Self {
        let side = frame.side();
        let reach = kernel.support(bandwidth) / side;
        // One more than the quotient says, as it may be rounded down; the height there is 0.
        let steps = |cells: usize| 0..(cells as f64).min(reach + 2.0) as usize;
        let (columns, rows) = (steps(frame.columns()), steps(frame.rows()));
        let at = |step: usize| step as f64 * side;
        let trim = |mut heights: Vec<f64>| {
            let last = heights.iter().rposition(|&height| height > 0.0);
            heights.truncate(last.map_or(0, |last| last + 1));
            heights
        };
        if kernel == Kernel::Gaussian {
            let line = |steps: std::ops::Range<usize>| {
                trim(steps.map(|step| bell(at(step), bandwidth)).collect())
            };
            return Self::Product {
                columns: line(columns),
                rows: line(rows),
            };
        }
        let row = |dy: usize| {
            let heights = columns
                .clone()
                .map(|dx| kernel.height(at(dx), at(dy), bandwidth));
            trim(heights.collect())
        };
        let mut table: Vec<_> = rows.map(row).collect();
        while table.pop_if(|row| row.is_empty()).is_some() {}
        Self::Table(table)
    }

    /// The squares of all heights.
    pub fn squared(&self) -> Self {
        let line = |heights: &Vec<f64>| heights.iter().map(|height| height * height).collect();
        match self {
            Self::Product { columns, rows } => Self::Product {
                columns: line(columns),
                rows: line(rows),
            },
            Self::Table(table) => Self::Table(table.iter().map(line).collect()),
        }
    }

    /// The sum of the heights over a frame, for kernels anywhere in it.
    pub fn sums(&self, frame: &Frame) -> Sums {
        let (columns, rows) = (frame.columns(), frame.rows());
        match self {
            Self::Product {
                columns: x,
                rows: y,
            } => {
                let line = |heights: &[f64], cells: usize| -> Vec<f64> {
                    let half = halves(heights);
                    (0..cells).map(|at| sum(&half, at, cells)).collect()
                };
                Sums::Product {
                    columns: line(x, columns),
                    rows: line(y, rows),
                }
            }
            Self::Table(table) => Sums::Table {
                halves: table.iter().map(|heights| halves(heights)).collect(),
                size: [columns, rows],
            },
        }
    }
}

/// Sums of the heights of a kernel over a frame. All terms are positive, so nothing cancels.
pub(super) enum Sums {
    Product {
        columns: Vec<f64>,
        rows: Vec<f64>,
    },
    Table {
        halves: Vec<Vec<f64>>,
        size: [usize; 2],
    },
}

impl Sums {
    /// With the middle of the kernel in this cell.
    pub fn at(&self, column: usize, row: usize) -> f64 {
        match self {
            Self::Product { columns, rows } => columns[column] * rows[row],
            Self::Table {
                halves,
                size: [columns, rows],
            } => {
                let line = |half: &Vec<f64>| sum(half, column, *columns);
                let (above, below) = (row, rows - 1 - row);
                let mut total = line(&halves[0]);
                for (dy, half) in halves.iter().enumerate().skip(1) {
                    let times = u8::from(dy <= above) + u8::from(dy <= below);
                    total += f64::from(times) * line(half);
                }
                total
            }
        }
    }
}

/// The first height, and then that of the second, the second and third, and so on.
fn halves(heights: &[f64]) -> Vec<f64> {
    let mut half = heights.to_vec();
    for i in 2..half.len() {
        half[i] += half[i - 1];
    }
    half
}

/// The sum of heights on both sides of a cell, as far as there are cells.
fn sum(half: &[f64], at: usize, cells: usize) -> f64 {
    let side = |room: usize| match room.min(half.len() - 1) {
        0 => 0.0,
        last => half[last],
    };
    half[0] + side(at) + side(cells - 1 - at)
}

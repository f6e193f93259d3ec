//! What each cell receives when every cell spreads what it has by the same kernel.
//!
//! Contributions either add up or the largest counts. Both go with products of positive heights
//! alike: a · (b ∘ c) = (a · b) ∘ (a · c). So the same passes serve for sums and for largest
//! contributions, the mirrored quarters of a kernel share their products, and the Gaussian is a pass
//! along the rows and one along the columns.
//!
//! Nothing is ever subtracted: prefix sums would need fewer steps, but leave traces of dense places
//! where nobody is. The order of all operations is fixed, and none is fused, so the result is the
//! same on any number of threads and on any processor.
//!
//! Cost: 2R steps per cell for the Gaussian with reach R in cells, and πR²/4 for other kernels. Rows
//! without anything cost nothing.

use rayon::prelude::*;

use super::taps::Taps;
use crate::MeasureError;
use crate::measure::Job;

/// Rows per task.
const TASK: usize = 16;
/// Cells that are worked on together: as many as the registers of a processor hold.
const BLOCK: usize = 32;

/// How contributions to one cell become one number; 0 is none.
pub(super) trait Fold: Copy + Sync {
    fn fold(a: f64, b: f64) -> f64;
}

/// They add up.
#[derive(Clone, Copy)]
pub(super) struct Sum;
/// The largest counts; none is negative.
#[derive(Clone, Copy)]
pub(super) struct Largest;

impl Fold for Sum {
    #[inline(always)]
    fn fold(a: f64, b: f64) -> f64 {
        a + b
    }
}

impl Fold for Largest {
    #[inline(always)]
    fn fold(a: f64, b: f64) -> f64 {
        if a > b { a } else { b }
    }
}

/// The passes that [`convolve`] makes: each counts one step for every row.
pub(super) const PASSES: usize = 2;

/// What all cells receive, given what each has, row by row of so many columns.
pub(super) fn convolve<F: Fold>(
    _: F,
    field: &[f64],
    columns: usize,
    taps: &Taps,
    job: &Job<'_>,
) -> Result<Vec<f64>, MeasureError> {
    match taps {
        Taps::Product {
            columns: x,
            rows: y,
        } => {
            let count = field.len() / columns;
            // Rows of whole blocks, so that the second pass needs no others.
            let stride = padded(columns);
            let along = pass(count, stride, job, |rows| {
                along::<F>(rows, field, columns, x);
            })?;
            pass(count, columns, job, |rows| {
                across::<F>(rows, &along, stride, y);
            })
        }
        Taps::Table(table) => {
            let count = field.len() / columns;
            let found = pass(count, columns, job, |rows| round::<F>(rows, field, table))?;
            // Where the Gaussian has a second pass.
            job.advance(count)?;
            Ok(found)
        }
    }
}

/// So many columns, up to whole blocks.
pub(super) fn padded(columns: usize) -> usize {
    columns.next_multiple_of(BLOCK)
}

/// Some rows of the result.
struct Rows<'a> {
    first: usize,
    columns: usize,
    cells: &'a mut [f64],
}

/// All rows of the result, some at a time, on the widest vectors of the processor.
fn pass(
    count: usize,
    columns: usize,
    job: &Job<'_>,
    work: impl Fn(&mut Rows<'_>) + Sync,
) -> Result<Vec<f64>, MeasureError> {
    let mut found = vec![0.0; count * columns];
    let tasks = found.par_chunks_mut(TASK * columns).enumerate();
    tasks.try_for_each(|(task, cells)| {
        let rows = cells.len() / columns;
        let first = task * TASK;
        pulp::Arch::new().dispatch(Task {
            rows: Rows {
                first,
                columns,
                cells,
            },
            work: &work,
        });
        job.advance(rows)
    })?;
    Ok(found)
}

struct Task<'a, W> {
    rows: Rows<'a>,
    work: &'a W,
}

impl<W: Fn(&mut Rows<'_>)> pulp::WithSimd for Task<'_, W> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        (self.work)(&mut self.rows);
    }
}

/// Within each row of so many columns.
#[inline(always)]
fn along<F: Fold>(rows: &mut Rows<'_>, field: &[f64], columns: usize, heights: &[f64]) {
    let mut line = Padded::new(columns, heights.len() - 1);
    for (row, out) in (rows.first..).zip(rows.cells.chunks_exact_mut(rows.columns)) {
        let from = &field[row * columns..][..columns];
        if line.fill::<F>(from, None) {
            line.add::<F>(&mut out[..columns], heights);
        }
    }
}

/// Across the rows, a few columns at a time, whose cells then stay near at hand.
#[inline(always)]
fn across<F: Fold>(rows: &mut Rows<'_>, field: &[f64], stride: usize, heights: &[f64]) {
    let (first, columns) = (rows.first, rows.columns);
    let count = field.len() / stride;
    for from in (0..columns).step_by(BLOCK) {
        let width = BLOCK.min(columns - from);
        let line = |row: usize| block(field, row * stride + from);
        for (row, out) in (first..).zip(rows.cells.chunks_exact_mut(columns)) {
            let mut sum = line(row).map(|cell| cell * heights[0]);
            for (step, &height) in heights.iter().enumerate().skip(1) {
                let above = row.checked_sub(step).map(line);
                let below = (row + step < count).then(|| line(row + step));
                match (above, below) {
                    (Some(above), Some(below)) => {
                        for i in 0..BLOCK {
                            sum[i] = F::fold(sum[i], height * F::fold(above[i], below[i]));
                        }
                    }
                    (Some(one), None) | (None, Some(one)) => {
                        for i in 0..BLOCK {
                            sum[i] = F::fold(sum[i], height * one[i]);
                        }
                    }
                    (None, None) => break,
                }
            }
            out[from..from + width].copy_from_slice(&sum[..width]);
        }
    }
}

/// Cells that are worked on together.
#[inline(always)]
fn block(cells: &[f64], at: usize) -> &[f64; BLOCK] {
    let cells = cells[at..].first_chunk();
    cells.expect("there is room behind every row")
}

/// Row by row of the kernel, two at a time.
#[inline(always)]
fn round<F: Fold>(rows: &mut Rows<'_>, field: &[f64], table: &[Vec<f64>]) {
    let (first, columns) = (rows.first, rows.columns);
    let count = field.len() / columns;
    let from = |row: usize| &field[row * columns..][..columns];
    let reach = table.iter().map(Vec::len).max().unwrap_or(1) - 1;
    let mut line = Padded::new(columns, reach);
    for (row, out) in (first..).zip(rows.cells.chunks_exact_mut(columns)) {
        for (step, heights) in table.iter().enumerate() {
            let above = row.checked_sub(step).map(from);
            let below = (step > 0 && row + step < count).then(|| from(row + step));
            let something = match (above, below) {
                (Some(above), below) => line.fill::<F>(above, below),
                (None, Some(below)) => line.fill::<F>(below, None),
                (None, None) => break,
            };
            if something {
                line.add::<F>(out, heights);
            }
        }
    }
}

/// A row with nothing on either side of it, so that kernels may reach beyond its ends.
struct Padded {
    cells: Vec<f64>,
    reach: usize,
}

impl Padded {
    fn new(columns: usize, reach: usize) -> Self {
        Self {
            cells: vec![0.0; padded(columns) + 2 * reach],
            reach,
        }
    }

    /// Holds a row from now on, or two of them folded; false if there is nothing in it.
    #[inline(always)]
    fn fill<F: Fold>(&mut self, row: &[f64], other: Option<&[f64]>) -> bool {
        let cells = &mut self.cells[self.reach..][..row.len()];
        let mut something = false;
        match other {
            None => {
                for i in 0..row.len() {
                    cells[i] = row[i];
                    something |= row[i] != 0.0;
                }
            }
            Some(other) => {
                let other = &other[..row.len()];
                for i in 0..row.len() {
                    let both = F::fold(row[i], other[i]);
                    cells[i] = both;
                    something |= both != 0.0;
                }
            }
        }
        something
    }

    /// Spreads the row over `out`.
    #[inline(always)]
    fn add<F: Fold>(&self, out: &mut [f64], heights: &[f64]) {
        for from in (0..out.len()).step_by(BLOCK) {
            let width = BLOCK.min(out.len() - from);
            let mut sum = [0.0; BLOCK];
            sum[..width].copy_from_slice(&out[from..from + width]);
            let middle = self.reach + from;
            let line = |at: usize| block(&self.cells, at);
            let own = line(middle);
            for i in 0..BLOCK {
                sum[i] = F::fold(sum[i], heights[0] * own[i]);
            }
            for (step, &height) in heights.iter().enumerate().skip(1) {
                let (west, east) = (line(middle - step), line(middle + step));
                for i in 0..BLOCK {
                    sum[i] = F::fold(sum[i], height * F::fold(west[i], east[i]));
                }
            }
            out[from..from + width].copy_from_slice(&sum[..width]);
        }
    }
}

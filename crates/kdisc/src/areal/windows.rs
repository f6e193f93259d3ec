//! The counts of all squares that hold a unit, as a grid of squares moves in S × S steps.
//!
//! A side is S steps, so the moved squares are blocks of S × S fine squares, and a unit is in the
//! S² blocks that hold its fine square. The fine squares are sorted by row. For each of the S ways
//! to group rows into blocks, a group is added up column by column; the blocks in it are windows of
//! S columns that slide along, and a fine square needs the least and the most of those over it. So
//! units are looked at S times, and windows are sums over short arrays without a gap.
//!
//! Cost: O(n log n + S² m) for n units in m fine squares.

use rayon::prelude::*;

use super::grid::{Grid, GridError};
use super::maup::Spread;
use crate::Point;

/// A fine square in which somebody is.
struct Fine {
    row: i64,
    column: i64,
    units: u64,
    least: u64,
    most: u64,
}

/// What one thread works with.
#[derive(Default)]
struct Scratch {
    /// Columns and indices of the fine squares of a group of rows.
    order: Vec<(i64, u32)>,
    columns: Vec<u64>,
    windows: Vec<u64>,
}

/// The least and most units in squares of side `grid.size()` over each point.
pub(super) fn squares(
    points: &[Point],
    weights: Option<&[u64]>,
    grid: &Grid,
    steps: u32,
) -> Result<Spread, GridError> {
    grid.check_all(points)?;
    let mut order: Vec<_> = points
        .par_iter()
        .zip(0..points.len() as u32)
        .map(|(&at, unit)| {
            let [column, row] = grid.fine_square(at, steps);
            (row, column, unit)
        })
        .collect();
    order.par_sort_unstable();
    let mut fine: Vec<Fine> = Vec::new();
    let mut fine_of_unit = vec![0; points.len()];
    for (row, column, unit) in order {
        let same = |last: &&mut Fine| last.row == row && last.column == column;
        let units = weights.map_or(1, |weights| weights[unit as usize]);
        match fine.last_mut().filter(same) {
            Some(last) => last.units += units,
            None => fine.push(Fine {
                row,
                column,
                units,
                least: u64::MAX,
                most: 0,
            }),
        }
        fine_of_unit[unit as usize] = fine.len() - 1;
    }
    let steps = i64::from(steps);
    for step in 0..steps {
        let block = |fine: &Fine| (fine.row - step).div_euclid(steps);
        fine.par_chunk_by_mut(|a, b| block(a) == block(b))
            .for_each_init(Scratch::default, |scratch, group| {
                slide(group, steps, scratch);
            });
    }
    let of_units = |of: fn(&Fine) -> u64| fine_of_unit.iter().map(|&i| of(&fine[i])).collect();
    Ok(Spread {
        least: of_units(|fine| fine.least),
        most: of_units(|fine| fine.most),
    })
}

/// Slides windows over a group of rows.
fn slide(group: &mut [Fine], steps: i64, scratch: &mut Scratch) {
    let Scratch {
        order,
        columns,
        windows,
    } = scratch;
    order.clear();
    order.extend(group.iter().zip(0..).map(|(fine, i)| (fine.column, i)));
    // The rows are in order already, which this sort makes use of.
    order.sort_by_key(|&(column, _)| column);
    let width = steps as usize;
    // No window reaches over a gap of a whole side.
    for run in order.chunk_by(|a, b| b.0 - a.0 < steps) {
        let first = run[0].0;
        let offset = |column: i64| (column - first) as usize;
        let length = offset(run[run.len() - 1].0) + 1;
        // With a margin of empty columns, in which windows begin and end.
        columns.clear();
        columns.resize(length + 2 * (width - 1), 0);
        for &(column, i) in run {
            columns[offset(column) + width - 1] += group[i as usize].units;
        }
        windows.clear();
        let mut sum: u64 = columns[..width - 1].iter().sum();
        for end in width - 1..columns.len() {
            sum += columns[end];
            windows.push(sum);
            sum -= columns[end + 1 - width];
        }
        for same in run.chunk_by(|a, b| a.0 == b.0) {
            let start = offset(same[0].0);
            let over = &windows[start..start + width];
            let least = over.iter().copied().fold(u64::MAX, u64::min);
            let most = over.iter().copied().fold(0, u64::max);
            for &(_, i) in same {
                let fine = &mut group[i as usize];
                fine.least = fine.least.min(least);
                fine.most = fine.most.max(most);
            }
        }
    }
}

//! Making a map fit for publication: cells instead of locations, and none with too few units.
//!
//! A cell shows the median of its units. A largest value would be that of one unit; the median is
//! that of nobody in particular among at least k.

use kdisc::Population;
use kdisc::areal::{Grid, Tally};
use kdisc_report::round;

use super::extent;
use super::look::{LeftOut, Shown};
use crate::failure::Refusal;

/// The share of the units that cells are to show, if they are as large as suits.
const MOST: f64 = 0.75;
/// Up to so many sizes are tried: the largest is a hundred times the usual one.
const STEPS: usize = 7;

/// A round size of cells that suits: as for any map, or as much larger as it takes to draw most units.
pub fn cell_size(population: &Population, least: u64) -> f64 {
    let usual = extent::cell_size(population.locations());
    let is_drawn = |size: &f64| {
        let grid = Grid::square(*size).ok()?;
        let units = population.multiplicities();
        let tally = Tally::new(population.locations(), Some(units), &grid).ok()?;
        let enough = tally.counts().iter().filter(|count| **count >= least);
        Some(enough.sum::<u64>() as f64 >= MOST * population.units() as f64)
    };
    let sizes = std::iter::successors(Some(usual), |size| Some(round::at_least(size * 1.5)));
    let mut sizes = sizes.take(STEPS);
    let found = sizes.find(|size| is_drawn(size) == Some(true));
    found.unwrap_or(usual)
}

/// Locations as cells, with the median of the values of their units.
pub fn cells(
    population: &Population,
    values: &[Option<f64>],
    grid: &Grid,
    least: u64,
) -> anyhow::Result<(Shown, LeftOut)> {
    let tally = Tally::new(
        population.locations(),
        Some(population.multiplicities()),
        grid,
    )
    .map_err(|error| Refusal::new(error.to_string(), "use larger cells: --cell M"))?;
    let mut members: Vec<Vec<(f64, u64)>> = vec![Vec::new(); tally.cells().len()];
    let locations = tally
        .of_unit()
        .iter()
        .zip(values.iter().zip(population.multiplicities()));
    for (&cell, (value, &units)) in locations {
        if let Some(value) = value {
            members[cell as usize].push((*value, units));
        }
    }
    let mut left = LeftOut {
        size: grid.size(),
        ..LeftOut::default()
    };
    let (mut outlines, mut medians, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for (number, mut members) in members.into_iter().enumerate() {
        let count = tally.counts()[number];
        if count < least {
            left.cells += 1;
            left.units += count;
            continue;
        }
        outlines.push(grid.corners(tally.cells()[number]));
        // To the last digit, a radius is that of one pair of units.
        medians.push(median(&mut members).map(round::three_digits));
        units.push(count);
    }
    refuse_nothing(outlines.len(), grid.size(), least, "--cell")?;
    let shown = Shown::Areas {
        outlines,
        values: medians,
        units,
    };
    Ok((shown, left))
}

/// Cells with enough units.
pub fn enough(
    outlines: Vec<Vec<kdisc::Point>>,
    counts: Vec<u64>,
    size: f64,
    least: u64,
) -> anyhow::Result<(Shown, LeftOut)> {
    let few = counts.iter().filter(|count| **count < least);
    let left = LeftOut {
        cells: few.clone().count() as u64,
        units: few.sum(),
        size,
    };
    let kept = outlines
        .into_iter()
        .zip(counts)
        .filter(|(_, count)| *count >= least);
    let (outlines, counts): (Vec<_>, Vec<_>) = kept.unzip();
    refuse_nothing(outlines.len(), size, least, "--grid")?;
    Ok((Shown::Counts { outlines, counts }, left))
}

fn refuse_nothing(cells: usize, size: f64, least: u64, option: &str) -> Result<(), Refusal> {
    if cells > 0 {
        return Ok(());
    }
    Err(Refusal::new(
        format!("there is nothing to draw: no cell of {size} m has {least} units"),
        format!("use larger cells, {option} M, if there are as many units at all"),
    ))
}

/// The value of the unit in the middle.
fn median(values: &mut [(f64, u64)]) -> Option<f64> {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let all: u64 = values.iter().map(|(_, units)| units).sum();
    let mut before = 0;
    let middle = values.iter().find(|(_, units)| {
        before += units;
        before >= all - before
    });
    middle.map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kdisc::Point;

    #[test]
    fn the_unit_in_the_middle_counts_by_weight() {
        assert_eq!(median(&mut [(5.0, 1), (1.0, 1), (9.0, 1)]), Some(5.0));
        assert_eq!(median(&mut [(5.0, 1), (1.0, 7), (9.0, 1)]), Some(1.0));
        assert_eq!(median(&mut []), None);
    }

    #[test]
    fn cells_are_large_enough_to_show_most_units() {
        let scattered =
            (0..400).map(|i| Point::new(f64::from(i % 20) * 100.0, f64::from(i / 20) * 100.0));
        let population = Population::new(&scattered.collect::<Vec<_>>()).unwrap();
        // One in each cell of the usual size.
        assert_eq!(extent::cell_size(population.locations()), 50.0);
        assert_eq!(cell_size(&population, 1), 50.0);
        assert_eq!(cell_size(&population, 4), 200.0);
        assert_eq!(cell_size(&population, 1000), 50.0);
    }

    #[test]
    fn cells_with_few_units_are_left_out() {
        let at = [(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (15.0, 5.0)].map(|(x, y)| Point::new(x, y));
        let population = Population::new(&at).unwrap();
        let values = [Some(1.0), Some(2.0), Some(3.0), Some(99.0)];
        let grid = Grid::square(10.0).unwrap();
        let (shown, left) = cells(&population, &values, &grid, 3).unwrap();
        let Shown::Areas { values, units, .. } = shown else {
            panic!("cells are areas");
        };
        assert_eq!((values, units), (vec![Some(2.0)], vec![3]));
        assert_eq!((left.cells, left.units), (1, 1));
        let Err(refused) = cells(&population, &[None; 4], &grid, 4) else {
            panic!("nothing is left");
        };
        assert!(refused.to_string().contains("nothing to draw"));
    }
}

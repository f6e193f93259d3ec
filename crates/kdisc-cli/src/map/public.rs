//! Making a map fit for publication: cells instead of locations, and none with too few units.
//!
//! A cell shows the median of its units. A largest value would be that of one unit; the median is
//! that of nobody in particular among at least k.

use kdisc::Population;
use kdisc::areal::{Grid, Tally};
use kdisc_report::round;

use super::look::{LeftOut, Shown};
use crate::failure::Refusal;

/// The system in which distances are taken, by name: the parameters of one that was fitted to the data
/// tell where their middle is, and so how far away the furthest are.
pub fn system(name: &str) -> &str {
    name.split(": +proj=").next().unwrap_or(name)
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
    fn the_middle_of_the_data_is_not_told() {
        let fitted = "a stereographic fitted to the data: +proj=stere +lat_0=52.1 +lon_0=5.4";
        assert_eq!(system(fitted), "a stereographic fitted to the data");
        let known = "EPSG:28992 (Amersfoort / RD New)";
        assert_eq!(system(known), known);
    }

    #[test]
    fn the_unit_in_the_middle_counts_by_weight() {
        assert_eq!(median(&mut [(5.0, 1), (1.0, 1), (9.0, 1)]), Some(5.0));
        assert_eq!(median(&mut [(5.0, 1), (1.0, 7), (9.0, 1)]), Some(1.0));
        assert_eq!(median(&mut []), None);
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

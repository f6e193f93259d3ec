//! Safe or not, against the limits that were given.
//!
//! Each unit is one unit, however many limits it exceeds: what may exceed a limit is a share of the units, so
//! those who exceed any are counted together, whether by their disc, their cell or the values around them.

use std::collections::HashSet;

use kdisc::areal::{Grid, Tally};
use kdisc::{Disc, Point};
use serde_json::{Value, json};

use super::plan::Plan;
use crate::areal::prepare::too_fine;
use crate::risk::Measured;
use crate::summary::json::number;

/// Judges by the limits; `grid` is the side of the cells, and `broken` where units are whose discs break a
/// rule. Null where there is nothing to judge by. Beside it, whether each location exceeds a limit, if there
/// is one.
pub fn verdict(
    plan: &Plan,
    measured: &Measured,
    grid: f64,
    broken: &[Point],
) -> anyhow::Result<(Value, Option<Vec<bool>>)> {
    let limits = &plan.limits;
    if !limits.any() {
        return Ok((Value::Null, None));
    }
    let population = &measured.prepared.population;
    let (locations, multiplicities) = (population.locations(), population.multiplicities());
    let mut exceeding = vec![false; locations.len()];
    let mut told = Vec::new();
    let mut judge = |mut limit: Value, exceeds: &dyn Fn(usize, &Disc) -> bool| {
        let mut count = 0;
        for (location, exceeding) in exceeding.iter_mut().enumerate() {
            // Whoever has no disc is more isolated than any.
            let disc = measured.discs[location].as_ref();
            if disc.is_none_or(|disc| exceeds(location, disc)) {
                *exceeding = true;
                count += multiplicities[location];
            }
        }
        limit["units_exceeding"] = json!(count);
        told.push(limit);
    };
    if let Some(limit) = limits.radius {
        let named = json!({ "limit": "max_radius", "value": limit });
        judge(named, &|_, disc| disc.radius > limit);
    }
    if let Some(limit) = limits.risk {
        let named = json!({ "limit": "max_risk", "value": limit });
        judge(named, &|_, disc| disc.risk() > limit);
    }
    if let Some(least) = limits.count {
        let cells = Grid::square(grid)?;
        let tally = Tally::new(locations, Some(multiplicities), &cells);
        let tally = tally.map_err(|error| too_fine(&error))?;
        // A verdict on cells says little to those who do not know the cells.
        let named = json!({
            "limit": "min_count",
            "value": least,
            "cell_size": number(grid),
            "cell_size_chosen": plan.grid.is_none(),
        });
        judge(named, &|at, _| {
            tally.counts()[tally.of_unit()[at] as usize] < least
        });
    }
    if limits.rules {
        // By place: rows without a usable value may have been left out of the rules, but not of the measure.
        let broken: HashSet<_> = broken.iter().map(key).collect();
        let named = json!({ "limit": "rules", "value": null });
        judge(named, &|at, _| broken.contains(&key(&locations[at])));
    }
    let counted = exceeding.iter().zip(multiplicities);
    let count: u64 = counted
        .filter(|(exceeds, _)| **exceeds)
        .map(|(_, units)| units)
        .sum();
    let units = population.units() as f64;
    let verdict = json!({
        "safe": count as f64 <= limits.allow * units,
        "allow": limits.allow,
        "units_exceeding": count,
        "share_exceeding": count as f64 / units,
        "limits": told,
    });
    Ok((verdict, Some(exceeding)))
}

/// Equal where places are: −0 is 0.
fn key(place: &Point) -> [u64; 2] {
    [place.x, place.y].map(|number| (number + 0.0).to_bits())
}

//! Safe or not, against the limits that were given.

use kdisc::areal::{Grid, Tally};
use kdisc::{Disc, Population};
use serde_json::{Value, json};

use super::plan::Limits;
use crate::areal::prepare::too_fine;

/// Judges by the limits; `grid` is the side of the cells and `rules` what the rules found. Null where
/// there is nothing to judge by. Beside it, whether each location exceeds a limit other than a rule, if there
/// is one.
pub fn verdict(
    limits: &Limits,
    population: &Population,
    discs: &[Option<Disc>],
    grid: f64,
    rules: &Value,
) -> anyhow::Result<(Value, Option<Vec<bool>>)> {
    if !limits.any() {
        return Ok((Value::Null, None));
    }
    let multiplicities = population.multiplicities();
    let units = population.units();
    let mut exceeding = vec![false; discs.len()];
    let mut told = Vec::new();
    let mut judge = |name: &str, limit: Value, exceeds: &dyn Fn(usize) -> bool| {
        let mut count = 0;
        for (location, exceeding) in exceeding.iter_mut().enumerate() {
            if exceeds(location) {
                *exceeding = true;
                count += multiplicities[location];
            }
        }
        told.push(json!({ "limit": name, "value": limit, "units_exceeding": count }));
    };
    // Whoever has no disc is more isolated than any.
    let above = |location: usize, of: fn(&Disc) -> f64, limit: f64| {
        discs[location].as_ref().is_none_or(|disc| of(disc) > limit)
    };
    if let Some(limit) = limits.radius {
        judge("max_radius", json!(limit), &|at| {
            above(at, |disc| disc.radius, limit)
        });
    }
    if let Some(limit) = limits.risk {
        judge("max_risk", json!(limit), &|at| above(at, Disc::risk, limit));
    }
    if let Some(least) = limits.count {
        let grid = Grid::square(grid)?;
        let tally = Tally::new(population.locations(), Some(multiplicities), &grid);
        let tally = tally.map_err(|error| too_fine(&error))?;
        judge("min_count", json!(least), &|at| {
            tally.counts()[tally.of_unit()[at] as usize] < least
        });
    }
    let counted = exceeding.iter().zip(multiplicities);
    let count: u64 = counted
        .filter(|(exceeds, _)| **exceeds)
        .map(|(_, units)| units)
        .sum();
    let mut safe = count as f64 <= limits.allow * units as f64;
    if limits.rules {
        let broken = rules["discs"]["unsafe"].as_u64().unwrap_or(0);
        safe &= broken as f64 <= limits.allow * units as f64;
        told.push(json!({ "limit": "rules", "value": null, "units_exceeding": broken }));
    }
    let has_own = limits.radius.is_some() || limits.risk.is_some() || limits.count.is_some();
    let verdict = json!({
        "safe": safe,
        "allow": limits.allow,
        "units_exceeding": has_own.then_some(count),
        "share_exceeding": has_own.then_some(count as f64 / units as f64),
        "limits": told,
    });
    Ok((verdict, has_own.then_some(exceeding)))
}

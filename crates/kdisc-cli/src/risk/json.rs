//! The summary as JSON, for machines and for `kdisc verify`. It names rows, never coordinates.

use kdisc::statistics::Figures;
use serde_json::{Map, Value, json};

use super::plan::{Plan, Restriction};
use super::summary::{Isolated, Multiplicity, Spread, Spreads, Summary, WithinFacts};
use crate::register::InputFacts;
use crate::summary::json::{delta, fingerprint, input};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

pub fn value(summary: &Summary) -> Value {
    let plan = summary.plan;
    let asked = plan.anonymity;
    let timings = summary.timings;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": summary.inputs.iter().map(input).collect::<Vec<_>>(),
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "discs_sha256": fingerprint(&summary.hashes, "discs"),
        "columns_used": columns(summary),
        "warnings": summary.warnings,
        "k": asked.k(),
        "delta": delta(asked.delta()),
        "metric": asked.metric().to_string(),
        "units": summary.units,
        "locations": summary.locations,
        "threads": plan.run.threads,
        "multiplicities": summary.multiplicities.iter().map(multiplicity).collect::<Vec<_>>(),
        "per_location": spread(&summary.asked.per_location),
        "per_unit": summary.asked.per_unit.as_ref().map(spread),
        "delta_zero": spreads(&summary.delta_zero),
        "within": summary.within.as_ref().map(|facts| within(plan, facts)),
        "most_isolated": summary.most_isolated.iter().map(isolated).collect::<Vec<_>>(),
        "timings_s": {
            "read": timings.read,
            "hash": timings.hash,
            "index": timings.index,
            "measure": timings.measure,
            "measure_delta_zero": timings.measure_delta_zero,
            "measure_plain": timings.measure_plain,
            "write": timings.write,
        },
    })
}

fn columns(summary: &Summary) -> Value {
    let plan = summary.plan;
    let place = |input: &InputFacts| {
        let mut used = Map::new();
        let (x, y, geometry) = match &input.place[..] {
            [x, y] => (Some(x), Some(y), None),
            [geometry] => (None, None, Some(geometry)),
            _ => (None, None, None),
        };
        used.insert("x".to_owned(), json!(x));
        used.insert("y".to_owned(), json!(y));
        used.insert("geometry".to_owned(), json!(geometry));
        used
    };
    let mut used = place(&summary.inputs[0]);
    used.insert("weight".to_owned(), json!(plan.units.weight));
    let only = plan.units.only.as_ref().map(|(column, _)| column);
    used.insert("only".to_owned(), json!(only));
    let at = plan.at.as_ref().and_then(|_| summary.inputs.get(1));
    used.insert("at".to_owned(), json!(at.map(place)));
    Value::Object(used)
}

fn within(plan: &Plan, facts: &WithinFacts) -> Value {
    let (column, enclosed) = match &plan.within {
        Some(Restriction::Column(column)) => (Some(column), false),
        Some(Restriction::Regions { enclosed, .. }) => (None, *enclosed),
        None => (None, false),
    };
    json!({
        "column": column,
        "enclosed": enclosed,
        "regions_with_units": facts.regions,
        "regions_below_k": facts.small,
        "outside": facts.outside,
        "compared": facts.change.map(|change| change.compared),
        "changed": facts.change.map(|change| change.changed),
        "lost": facts.change.map(|change| change.lost),
        "radius_ratio": facts.change.and_then(|change| change.ratio).as_ref().map(figures),
    })
}

fn multiplicity(row: &Multiplicity) -> Value {
    json!({ "from": row.from, "to": row.to, "locations": row.locations })
}

fn spreads(spreads: &Spreads) -> Value {
    json!({
        "per_location": spread(&spreads.per_location),
        "per_unit": spreads.per_unit.as_ref().map(spread),
    })
}

fn spread(spread: &Spread) -> Value {
    json!({
        "count": spread.count,
        "no_disc": spread.no_disc,
        "zero_radius": spread.zero_radius,
        "radius": spread.radius.as_ref().map(figures),
        "risk": spread.risk.as_ref().map(figures),
    })
}

fn figures(figures: &Figures) -> Value {
    json!({
        "min": figures.min,
        "p25": figures.p25,
        "median": figures.median,
        "p75": figures.p75,
        "p90": figures.p90,
        "p99": figures.p99,
        "max": figures.max,
        "mean": figures.mean,
        "sum": figures.sum,
    })
}

fn isolated(row: &Isolated) -> Value {
    json!({
        "line": row.name.line,
        "row": row.name.row,
        "radius": row.disc.map(|disc| disc.radius),
        "units": row.disc.map(|disc| disc.units),
    })
}

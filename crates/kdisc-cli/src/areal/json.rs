//! The summary as JSON, for machines and for `kdisc verify`. It names rows, never coordinates.

use kdisc::Anonymity;
use kdisc::areal::{Edges, Shape};
use kdisc::statistics::Figures;
use serde_json::{Value, json};

use super::plan::Division;
use super::summary::{MaupFacts, Radius, Summary, Verdict, Worst};
use crate::summary::json::{delta, fingerprint, input, number};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

pub fn value(summary: &Summary) -> Value {
    let (plan, prepared) = (summary.plan, summary.prepared);
    let timings = summary.timings;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": summary.inputs.iter().map(|facts| input(facts)).collect::<Vec<_>>(),
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "units_sha256": fingerprint(&summary.hashes, "units"),
        "warnings": prepared.warnings,
        "division": division(&plan.division),
        "threads": plan.run.threads,
        "units": prepared.units,
        "units_outside": prepared.outside.0,
        "regions": prepared.zones.len(),
        "regions_with_units": summary.occupied,
        "count_per_region": summary.counts.as_ref().map(figures),
        "areal_risk_per_unit": summary.risks.as_ref().map(figures),
        "verdict": summary.verdict.as_ref().map(verdict),
        "maup": summary.maup.as_ref().map(|found| maup(found, prepared.units)),
        "measure": summary.measured.as_ref().map(|found| measure(summary, found)),
        "timings_s": {
            "read": timings.read,
            "hash": timings.hash,
            "assign": timings.assign,
            "maup": timings.maup,
            "measure": timings.measure,
            "write": timings.write,
        },
    })
}

pub fn division(division: &Division) -> Value {
    match division {
        Division::Grid(grid) => json!({
            "shape": match grid.shape() {
                Shape::Square => "square",
                Shape::Hexagon => "hexagon",
            },
            "size": number(grid.size()),
            "origin": [number(grid.origin().x), number(grid.origin().y)],
            "edges": match grid.edges() {
                Edges::SouthWest => "south-west",
                Edges::NorthWest => "north-west",
            },
        }),
        Division::Regions(atlas) => json!({ "shape": "polygons", "id": atlas.id }),
    }
}

fn verdict(verdict: &Verdict) -> Value {
    json!({
        "min_count": verdict.min_count,
        "safe": verdict.zones == 0,
        "regions_below": verdict.zones,
        "units_below": verdict.units,
    })
}

fn maup(found: &MaupFacts, units: u64) -> Value {
    let share = |flips: u64| json!({ "units": flips, "share": flips as f64 / units as f64 });
    json!({
        "shifts": found.shifts,
        "flips": {
            "moved": share(found.moved),
            "reshaped": share(found.reshaped),
            "halved": share(found.halved),
            "doubled": share(found.doubled),
            "any": share(found.any),
        },
        "risk_max_by_min": found.ratio.as_ref().map(figures),
        "worst": found.worst.iter().map(worst).collect::<Vec<_>>(),
    })
}

fn worst(worst: &Worst) -> Value {
    json!({
        "line": worst.name.line,
        "row": worst.name.row,
        "count": worst.base,
        "count_min": worst.range[0],
        "count_max": worst.range[1],
        "radius": worst.radius,
    })
}

fn measure(summary: &Summary, found: &Radius) -> Value {
    let asked = summary.plan.anonymity;
    json!({
        "k": asked.map(Anonymity::k),
        "delta": asked.map(|asked| delta(asked.delta())),
        "radius": found.figures.as_ref().map(figures),
        "no_disc": found.no_disc,
        "max_radius": summary.plan.max_radius,
        "units_above": found.above,
    })
}

fn figures(figures: &Figures) -> Value {
    json!({
        "min": figures.min,
        "median": figures.median,
        "p99": figures.p99,
        "max": figures.max,
        "mean": figures.mean,
    })
}

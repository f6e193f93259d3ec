//! The summary as JSON, for machines and for `kdisc verify`. It names rows, never coordinates.

use serde_json::{Value, json};

use super::Summary;
use super::levels::Label;
use super::plan::Plan;
use super::table::{Figures, Row};
use super::verdict::{Breaker, Breaking, Verdict};
use crate::args::ZoomDelta;
use crate::summary::json::{delta, fingerprint, input, number};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

pub fn value(summary: &Summary) -> Value {
    let plan = summary.plan;
    let prepared = summary.prepared;
    let rows = &summary.seen.rows;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": [input(&prepared.register.facts)],
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "units_sha256": fingerprint(&summary.hashes, "units"),
        "warnings": prepared.warnings,
        "k": plan.anonymity.k(),
        "delta": asked(plan),
        "metric": plan.anonymity.metric().to_string(),
        "marker": number(plan.marker),
        "max_radius": plan.limits.radius.map(number),
        "max_risk_px": plan.limits.risk.map(number),
        "allow": number(plan.allow),
        "units": prepared.population.units(),
        "locations": prepared.population.locations().len(),
        "levels": rows.iter().map(level).collect::<Vec<_>>(),
        "verdict": verdict(summary.verdict),
        "breaking": summary.seen.breaking.as_ref().map(breaking),
        "threads": plan.run.threads,
        "timings_s": {
            "read": summary.timings.read,
            "look": summary.timings.look,
            "write": summary.timings.write,
        },
    })
}

fn asked(plan: &Plan) -> Value {
    match plan.delta {
        ZoomDelta::Pixel => json!("pixel"),
        ZoomDelta::Overlap => json!("overlap"),
        ZoomDelta::Pixels(pixels) => delta(pixels),
    }
}

fn label(label: Label) -> Value {
    match label {
        Label::Web(level) => json!(level),
        Label::Metres(size) => number(size),
        Label::Screen(_) => json!(label.to_string()),
    }
}

fn level(row: &Row) -> Value {
    json!({
        "level": label(row.label),
        "metres_per_pixel": row.metres_per_pixel,
        "locations": row.locations,
        "max_multiplicity": row.max_multiplicity,
        "perceived": row.perceived.as_ref().map(figures),
        "units_above": row.units_above,
        "intrinsic": row.intrinsic.as_ref().map(figures),
        "delta_px": Some(row.delta_px).filter(|delta| delta.is_finite()),
        "delta": Some(row.delta).filter(|delta| delta.is_finite()),
    })
}

fn figures(figures: &Figures) -> Value {
    json!({
        "radius_median": figures.median,
        "radius_p99": figures.p99,
        "radius_max": figures.max,
        "risk_max": figures.risk_max,
    })
}

/// Null without a limit; a level, or null, when there is one.
fn verdict(verdict: Verdict) -> Value {
    match verdict {
        Verdict::NoLimit => Value::Null,
        Verdict::Safe(level) => json!({ "most_detailed_safe": label(level) }),
        Verdict::NoneSafe => json!({ "most_detailed_safe": null }),
    }
}

fn breaking(breaking: &Breaking) -> Value {
    json!({
        "level": label(breaking.label),
        "units_above": breaking.units,
        "rows": breaking.rows.iter().map(breaker).collect::<Vec<_>>(),
    })
}

fn breaker(row: &Breaker) -> Value {
    json!({
        "line": row.name.line,
        "row": row.name.row,
        "radius_px": row.disc.map(|disc| disc.radius),
        "units": row.disc.map(|disc| disc.units),
    })
}

//! The summary as JSON, for machines and for `kdisc verify`.

use kdisc::statistics::Figures;
use serde_json::{Value, json};

use super::Summary;
use crate::raster;
use crate::summary::json::{delta, fingerprint, input};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

fn value(summary: &Summary) -> Value {
    let (plan, surface) = (summary.plan, summary.surface);
    let asked = plan.anonymity;
    let timings = summary.timings;
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": [input(&surface.facts)],
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "warnings": surface.warnings,
        "k": asked.k(),
        "delta": delta(asked.delta()),
        "metric": asked.metric().to_string(),
        "raster": raster::value(&surface.frame),
        "threads": plan.run.threads,
        "units": surface.units,
        "radius": summary.radius.as_ref().map(figures),
        "risk": summary.risk.as_ref().map(figures),
        "timings_s": {
            "read": timings.read,
            "measure": timings.measure,
            "write": timings.write,
        },
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

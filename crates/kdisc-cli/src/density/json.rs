//! The summary as JSON, for machines and for `kdisc verify`.

use serde_json::{Value, json};

use super::Summary;
use super::plan::Width;
use crate::raster;
use crate::summary::json::{fingerprint, input, number};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

fn value(summary: &Summary) -> Value {
    let (plan, prepared) = (summary.plan, summary.prepared);
    let timings = summary.timings;
    let inputs = prepared.inputs();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": inputs.into_iter().map(input).collect::<Vec<_>>(),
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "warnings": prepared.warnings,
        "kernel": plan.kernel.to_string(),
        "bandwidth": bandwidth(summary),
        "value": plan.value,
        "exact": plan.exact,
        "raster": raster::value(&prepared.frame),
        "threads": plan.run.threads,
        "units": prepared.units,
        "units_on_map": summary.map.spread(),
        "units_outside": summary.map.outside(),
        "units_without_value": prepared.without_value,
        "cells_reached": summary.verdict.reached,
        "rule": {
            "min_contributors": number(plan.rule.min_contributors),
            "max_share": number(plan.rule.max_share),
            "cells_unsafe": summary.verdict.unsafe_cells,
            "masked": plan.masked,
        },
        "timings_s": {
            "read": timings.read,
            "measure": timings.measure,
            "smooth": timings.smooth,
            "write": timings.write,
        },
    })
}

fn bandwidth(summary: &Summary) -> Value {
    match summary.plan.width {
        Width::Fixed(bandwidth) => number(bandwidth),
        Width::Adaptive { asked, least } => json!({
            "k": asked.k(),
            "min_bandwidth": number(least),
            "min": summary.bandwidths.map(|found| found.min),
            "median": summary.bandwidths.map(|found| found.median),
            "max": summary.bandwidths.map(|found| found.max),
        }),
    }
}

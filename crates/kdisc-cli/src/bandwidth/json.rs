//! The summary as JSON, for machines and for `kdisc verify`.

use serde_json::{Value, json};

use super::Summary;
use crate::summary::json::{fingerprint, input, number};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

fn value(summary: &Summary) -> Value {
    let (plan, found) = (summary.plan, summary.found);
    let timings = summary.timings;
    let units = found.population.units();
    let steps = found.curve.iter().map(
        |step| json!({ "share": step.share, "bandwidth": step.bandwidth, "units": step.units }),
    );
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": [input(&found.register.facts)],
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "units_sha256": fingerprint(&summary.hashes, "units"),
        "warnings": found.warnings,
        "k": plan.asked.k(),
        "kernel": plan.kernel.to_string(),
        "min_bandwidth": number(plan.least),
        "threads": plan.run.threads,
        "units": units,
        "no_disc": found.never,
        "curve": steps.collect::<Vec<_>>(),
        "scott": {
            "x": found.scott.axes[0],
            "y": found.scott.axes[1],
            "units_exposed": found.scott.exposed,
            "share_exposed": found.scott.exposed as f64 / units as f64,
        },
        "timings_s": {
            "read": timings.read,
            "measure": timings.measure,
            "write": timings.write,
        },
    })
}

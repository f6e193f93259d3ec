//! Facts as JSON, for machines.

use kdisc::Delta;
use serde_json::{Value, json};

use crate::delivery::Fingerprint;
use crate::register::InputFacts;

/// The SHA-256 of a file of the run, if it was taken.
pub fn fingerprint(hashes: &[Fingerprint], role: &str) -> Option<String> {
    let found = hashes.iter().find(|hash| hash.role == role);
    found.map(|found| found.sha256.clone())
}

pub fn delta(delta: Delta) -> Value {
    if delta == Delta::INFINITE {
        json!("inf")
    } else {
        number(delta.distance())
    }
}

/// Whole numbers without `.0`, as in the table.
pub fn number(value: f64) -> Value {
    const EXACT: f64 = (1u64 << 53) as f64;
    if value.fract() == 0.0 && value.abs() < EXACT {
        json!(value as i64)
    } else {
        json!(value)
    }
}

/// The built-in example has no path: null. Standard input is "-".
pub fn input(facts: &InputFacts) -> Value {
    json!({
        "path": facts.source.path().map(|path| path.to_string_lossy()),
        "sha256": facts.sha256,
        "rows": facts.rows,
        "bad_rows": facts.bad_rows,
        "layer": facts.layer,
        "crs": facts.crs,
        "crs_known": facts.known.to_string(),
        "compute_crs": facts.compute,
        "scale_error": facts.scale_error,
    })
}

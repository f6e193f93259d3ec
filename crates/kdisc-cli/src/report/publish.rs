//! Leaving out of the figures what points at a unit.
//!
//! - Rows and folders are gone, and so are minima, maxima, sums and largest contributions.
//! - A percentile is that of a unit. It stays where at least k units lie beyond it on either side, and none beyond
//!   the 99th.
//! - A count of fewer than k units is told as such: `"<10"`.

use serde_json::{Map, Value, json};

/// What is never told: who it is, and what only one unit can have.
const NEVER: [&str; 20] = [
    "min",
    "max",
    "mean",
    "sum",
    "radius_max",
    "risk_max",
    "max_multiplicity",
    "most_isolated",
    "worst",
    "breaking",
    "largest_unsafe",
    "value_unsafe",
    "first_outside",
    "rows_negative",
    "rows_without_value",
    "rows_without_owner",
    "rows_without_category",
    "bad_rows",
    "columns_used",
    "per_location",
];

/// Counts of units.
const COUNTS: [&str; 13] = [
    "units",
    "units_exceeding",
    "units_above",
    "no_disc",
    "zero_radius",
    "units_below",
    "units_outside",
    "unsafe",
    "units_unsafe",
    "unsafe_in_both",
    "unsafe_in_disc_only",
    "unsafe_in_region_only",
    "outside",
];

/// Percentiles by name.
const PERCENTILES: [(&str, f64); 7] = [
    ("p25", 0.25),
    ("median", 0.5),
    ("p75", 0.75),
    ("p90", 0.9),
    ("p99", 0.99),
    ("radius_median", 0.5),
    ("radius_p99", 0.99),
];

/// What is left for everybody to see.
pub fn publish(facts: &mut Value, k: u64) {
    let units = facts["units"].as_u64().unwrap_or(0);
    let hiding = Hiding { k, units };
    multiplicities(facts, k);
    spread(&mut facts["spread"], &hiding);
    let sampled = facts["curves"]["units"].as_u64().unwrap_or(0);
    Hiding { k, units: sampled }.hide(&mut facts["curves"]);
    for part in ["risk", "zoom", "rules", "verdict"] {
        hiding.hide(&mut facts[part]);
    }
    let values = facts.pointer_mut("/rules/discs");
    if let Some(found) = values.and_then(Value::as_object_mut) {
        found.remove("value");
    }
    let cells = facts["areal"]["regions_with_units"].as_u64().unwrap_or(0);
    Hiding { k, units: cells }.hide(&mut facts["areal"]["count_per_region"]);
    hiding.hide(&mut facts["areal"]);
    for input in facts["inputs"].as_array_mut().into_iter().flatten() {
        if let Some(fields) = input.as_object_mut() {
            fields.remove("bad_rows");
        }
    }
}

/// Among whom one must be able to hide.
struct Hiding {
    k: u64,
    units: u64,
}

impl Hiding {
    /// Whether enough units lie on either side of a share of them.
    fn allows(&self, share: f64) -> bool {
        let beyond = share.min(1.0 - share) * self.units as f64;
        share <= 0.99 && beyond >= self.k as f64
    }

    /// Whether it was a count of too few.
    fn hide_count(&self, value: &mut Value) -> bool {
        let is_small = value
            .as_u64()
            .is_some_and(|count| (1..self.k).contains(&count));
        if is_small {
            *value = json!(format!("<{}", self.k));
        }
        is_small
    }

    fn hide(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => self.hide_fields(fields),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide(value)),
            _ => {}
        }
    }

    fn hide_fields(&self, fields: &mut Map<String, Value>) {
        fields.retain(|name, _| !NEVER.contains(&name.as_str()));
        for (name, share) in PERCENTILES {
            if fields.contains_key(name) && !self.allows(share) {
                fields.remove(name);
            }
        }
        let mut hidden = false;
        for (name, value) in fields.iter_mut() {
            if name == "by_rule" {
                let counts = value.as_object_mut().into_iter().flatten();
                counts.for_each(|(_, count)| _ = self.hide_count(count));
            } else if COUNTS.contains(&name.as_str()) && self.hide_count(value) {
                hidden = true;
            } else if PERCENTILES.iter().any(|(known, _)| known == name) {
                round_off(value);
            } else {
                self.hide(value);
            }
        }
        if hidden {
            fields.retain(|name, _| !name.starts_with("share"));
        }
    }
}

/// To three digits: a radius to the last digit is that of one pair of units.
fn round_off(value: &mut Value) {
    if let Some(number) = value.as_f64() {
        let three = format!("{number:.2e}").parse().unwrap_or(number);
        *value = json!(three);
    }
}

/// Few locations with many units are told together.
fn multiplicities(facts: &mut Value, k: u64) {
    let Some(rows) = facts["multiplicities"].as_array_mut() else {
        return;
    };
    let count = |row: &Value| row["locations"].as_u64().unwrap_or(0);
    while let [.., before, last] = &mut rows[..]
        && count(last) < k
    {
        before["locations"] = json!(count(before) + count(last));
        before["to"] = Value::Null;
        rows.pop();
    }
}

/// Curves end where too few units are beyond.
fn spread(curves: &mut Value, hiding: &Hiding) {
    let shares: Vec<f64> = curves["shares"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    let Some(fields) = curves.as_object_mut() else {
        return;
    };
    for values in fields.values_mut().filter_map(Value::as_array_mut) {
        let mut allowed = shares.iter().map(|share| hiding.allows(*share));
        values.retain(|_| allowed.next() == Some(true));
        values.iter_mut().for_each(round_off);
    }
    let kept = shares.into_iter().filter(|share| hiding.allows(*share));
    fields.insert("shares".to_owned(), kept.collect());
}

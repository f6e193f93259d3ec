//! What of the figures may be told to everybody.
//!
//! A list ([`told`]) names it, figure by figure; whatever it does not name is left out, so that a figure which a
//! command learns to tell tomorrow stays inside until somebody has thought about it. Of what is named:
//!
//! - A count of fewer than k units is told as such (`"<10"`), and so is one that leaves fewer than k others
//!   (`">90"`). A share goes with its count.
//! - Nor is a count told from which, beside others, one could work out a count of few ([`apart`]).
//! - A percentile is that of a unit. It stays where at least k units lie beyond it on either side, and none
//!   beyond the 99th. Lengths have three digits: to the last one, a radius is that of one pair of units.
//! - Where the middle of the data is, is not told: whoever sees where most are would know how far off the
//!   furthest is. So there are no metres per pixel, which depend on the latitude; and a system that is fitted to
//!   the data is refused.
//! - Files have names but no folders, and no fingerprint: who knows all rows but one could try that one out.

mod apart;
mod told;

#[cfg(test)]
mod tests;

use std::path::Path;

use kdisc_report::round;
use serde_json::{Map, Value, json};

use told::How::{self, Percentile, Share, Units, Whole};
use told::{Of, how};

/// A count that is not told, as one could work out one of few from it.
pub const UNTOLD: &str = "not told";

/// What is left for everybody to see.
pub fn publish(facts: &mut Value, k: u64) {
    let count = |path: &str| facts.pointer(path).and_then(Value::as_u64).unwrap_or(0);
    let publisher = Publisher {
        k,
        units: count("/units"),
        sample: count("/curves/units"),
        cells: count("/areal/regions_with_units"),
    };
    multiplicities(facts, k);
    publisher.spread(&mut facts["spread"]);
    apart::leave_out(facts, k);
    for input in facts["inputs"].as_array_mut().into_iter().flatten() {
        let name = input["path"]
            .as_str()
            .and_then(|path| Path::new(path).file_name());
        input["path"] = json!(name.map(|name| name.to_string_lossy()));
    }
    for part in ["zoom", "areal"] {
        // Why may name a row.
        if !facts[part]["left_out"].is_null() {
            facts[part]["left_out"] = json!("it cannot be made of these data");
        }
    }
    *facts = publisher.told(facts, "").unwrap_or_default();
}

/// Among whom one must be able to hide.
struct Publisher {
    k: u64,
    units: u64,
    sample: u64,
    cells: u64,
}

impl Publisher {
    fn told(&self, value: &Value, path: &str) -> Option<Value> {
        match value {
            Value::Object(fields) => {
                Some(Value::Object(self.fields(fields, path))).filter(|value| !is_empty(value))
            }
            Value::Array(values) => {
                let path = format!("{path}/*");
                let told = values.iter().filter_map(|value| self.told(value, &path));
                let told: Vec<Value> = told.collect();
                (values.is_empty() || !told.is_empty()).then(|| told.into())
            }
            value => self.figure(value, how(path)?),
        }
    }

    fn fields(&self, fields: &Map<String, Value>, path: &str) -> Map<String, Value> {
        let at = |name: &str| format!("{path}/{name}");
        let told = fields
            .iter()
            .filter_map(|(name, value)| Some((name.clone(), self.told(value, &at(name))?)));
        let mut told: Map<String, Value> = told.collect();
        let hidden =
            |(name, value): (&String, &Value)| value.is_string() && how(&at(name)) == Some(Units);
        if told.iter().any(hidden) {
            told.retain(|name, _| how(&at(name)) != Some(Share));
        }
        told
    }

    fn figure(&self, value: &Value, how: How) -> Option<Value> {
        Some(match how {
            Whole | Share => value.clone(),
            Units => self.count(value),
            Percentile(of, share) => {
                return self.allows(of, share).then(|| rounded(value));
            }
        })
    }

    fn count(&self, value: &Value) -> Value {
        let Some(count) = value.as_u64() else {
            return value.clone();
        };
        if (1..self.k).contains(&count) {
            json!(format!("<{}", self.k))
        } else if (1..self.k).contains(&self.units.saturating_sub(count)) {
            json!(format!(">{}", self.units.saturating_sub(self.k)))
        } else {
            value.clone()
        }
    }

    /// Whether enough of them lie on either side of a share.
    fn allows(&self, of: Of, share: f64) -> bool {
        let all = match of {
            Of::Units => self.units,
            Of::Sample => self.sample,
            Of::Cells => self.cells,
        };
        let beyond = share.min(1.0 - share) * all as f64;
        share <= 0.99 && beyond >= self.k as f64
    }

    /// Curves end where too few units are beyond.
    fn spread(&self, curves: &mut Value) {
        let shares = curves["shares"].as_array().into_iter().flatten();
        let shares: Vec<f64> = shares.filter_map(Value::as_f64).collect();
        let Some(fields) = curves.as_object_mut() else {
            return;
        };
        for (name, values) in fields {
            let Some(values) = values.as_array_mut() else {
                continue;
            };
            let mut allowed = shares.iter().map(|share| self.allows(Of::Units, *share));
            values.retain(|_| allowed.next() == Some(true));
            if name != "shares" {
                for value in values {
                    *value = rounded(value);
                }
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

/// To three digits.
fn rounded(value: &Value) -> Value {
    let three = |number: f64| json!(round::three_digits(number));
    value.as_f64().map_or_else(|| value.clone(), three)
}

/// Few locations with many units are told together with others: each row has at least k.
fn multiplicities(facts: &mut Value, k: u64) {
    let Some(rows) = facts["multiplicities"].as_array() else {
        return;
    };
    let count = |row: &Value| row["locations"].as_u64().unwrap_or(0);
    let join = |to: &mut Value, row: &Value| {
        to["locations"] = json!(count(to) + count(row));
        let shares = to["share"].as_f64().zip(row["share"].as_f64());
        to["share"] = json!(shares.map(|(one, other)| one + other));
        to["to"] = row["to"].clone();
    };
    let mut joined: Vec<Value> = Vec::new();
    for row in rows {
        match joined.last_mut() {
            Some(last) if count(last) < k => join(last, row),
            _ => joined.push(row.clone()),
        }
    }
    // The last row has no end: the largest multiplicity is that of one place.
    if let Some(last) = joined.pop() {
        match joined.last_mut() {
            Some(before) if count(&last) < k => join(before, &last),
            _ => joined.push(last),
        }
    }
    if let Some(last) = joined.last_mut().filter(|last| last["to"] != json!(1)) {
        last["to"] = Value::Null;
    }
    facts["multiplicities"] = joined.into();
}

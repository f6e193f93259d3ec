//! Two summaries of one run: where do they differ?

use serde_json::Value;

/// What need not be the same: where files are, which warnings name too, how long a run takes, and who
/// runs it on what.
const FREE: [&str; 5] = ["path", "warnings", "timings_s", "threads", "version"];

/// The names of what differs, but for fingerprints of files, which are compared by themselves.
pub fn differing(recorded: &Value, repeated: &Value) -> Vec<String> {
    let mut names = Vec::new();
    collect(recorded, repeated, "", &mut names);
    names.retain(|name| name.contains('.') || !name.ends_with("_sha256"));
    names
}

fn collect(a: &Value, b: &Value, name: &str, names: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            let added = b.keys().filter(|key| !a.contains_key(*key));
            for key in a
                .keys()
                .chain(added)
                .filter(|key| !FREE.contains(&key.as_str()))
            {
                let inner = if name.is_empty() {
                    key.clone()
                } else {
                    format!("{name}.{key}")
                };
                let [a, b] = [a, b].map(|object| object.get(key).unwrap_or(&Value::Null));
                collect(a, b, &inner, names);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                collect(a, b, &format!("{name}.{}", i + 1), names);
            }
        }
        _ if a != b => names.push(name.to_owned()),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::differing;

    #[test]
    fn what_differs_is_named() {
        let recorded = json!({
            "k": 5, "threads": 1, "output_sha256": "a", "inputs": [{ "path": "a", "sha256": "c" }],
            "per_unit": { "radius": { "max": 1.0 }, "risk": null }, "gone": 1, "rows": [1, 2],
        });
        let repeated = json!({
            "k": 10, "threads": 2, "output_sha256": "b", "inputs": [{ "path": "b", "sha256": "d" }],
            "per_unit": { "radius": { "max": 2.0 }, "risk": null }, "new": 1, "rows": [1],
        });
        let names = [
            "k",
            "inputs.1.sha256",
            "per_unit.radius.max",
            "gone",
            "rows",
            "new",
        ];
        assert_eq!(differing(&recorded, &repeated), names);
        assert!(differing(&recorded, &recorded).is_empty());
    }
}

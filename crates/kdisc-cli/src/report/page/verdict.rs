//! Safe or not, in plain words.

use kdisc_report::page::{Cell, Table, Tone, Verdict};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{count, count_cell, list, number, percent, short, units};
use crate::report::plan::Plan;
use crate::report::publish::UNTOLD;

pub fn verdict(plan: &Plan, facts: &Value) -> Verdict {
    let (tone, headline) = headline(facts);
    Verdict {
        tone,
        headline: headline.to_owned(),
        sentences: sentences(plan, facts),
        table: table(plan, facts),
    }
}

/// The verdict in two words.
pub fn headline(facts: &Value) -> (Tone, &'static str) {
    match facts["verdict"]["safe"].as_bool() {
        Some(true) => (Tone::Good, "Safe by the limits given"),
        Some(false) => (Tone::Bad, "Not safe"),
        None => (Tone::Open, "No verdict"),
    }
}

/// The verdict in sentences.
pub fn sentences(plan: &Plan, facts: &Value) -> Vec<String> {
    let mut told = Vec::new();
    let judged = &facts["verdict"];
    let all = units(&facts["units"]);
    if judged.is_null() {
        told.push(
            "No limits were given, so nobody can say whether the data are safe to publish. Limits are given with \
             `--max-radius`, `--max-risk` or `--min-count`."
                .to_owned(),
        );
    }
    if judged["units_exceeding"] == UNTOLD {
        told.push(format!(
            "How many of {all} exceed any of the limits is not told: beside how many exceed each of them, it would \
             count a few. At most {} may.",
            percent(plan.limits.allow)
        ));
    } else if !judged.is_null() {
        let share = number(judged, "/share_exceeding");
        let share = share.map_or(String::new(), |share| format!(" ({})", percent(share)));
        let limit = if list(judged, "/limits").len() > 1 {
            "at least one of the limits"
        } else {
            "the limit"
        };
        told.push(format!(
            "{} of {all}{share} exceed {limit}; at most {} may.",
            count(&judged["units_exceeding"]),
            percent(plan.limits.allow)
        ));
    }
    told.extend(not_judged(plan, facts));
    told.extend(zoom(plan, facts));
    if judged["safe"] == Value::Bool(false) && !plan.public {
        told.push(where_they_are(plan, facts));
    }
    told
}

/// A rule that was applied but is no limit must not hide behind a verdict.
fn not_judged(plan: &Plan, facts: &Value) -> Option<String> {
    let broken = &facts["rules"]["discs"]["unsafe"];
    let any = !broken.is_null() && broken.as_u64() != Some(0);
    (any && !plan.limits.rules).then(|| {
        format!(
            "The usual rules on values, which were not given as limits, are broken in the [[disc|discs]] of {}.",
            units(broken)
        )
    })
}

fn zoom(plan: &Plan, facts: &Value) -> Option<String> {
    if plan.limits.radius_px.is_none() && plan.limits.risk_px.is_none() {
        return None;
    }
    let found = facts["zoom"]["verdict"].as_object()?;
    Some(match found.get("most_detailed_safe") {
        Some(Value::Null) | None if is_web(facts) => {
            "No [[zoom level]] that was looked at is safe.".to_owned()
        }
        Some(Value::Null) | None => "No size of a [[pixel]] that was looked at is safe.".to_owned(),
        Some(level) if facts["zoom"]["levels"][0]["level"].is_u64() && is_web(facts) => {
            format!("The most detailed [[zoom level]] that is safe: {level}.")
        }
        Some(level) => format!("The smallest [[pixel]] that is safe: {level} m."),
    })
}

/// Whether levels are those of a web map.
fn is_web(facts: &Value) -> bool {
    list(&facts["zoom"], "/command")
        .iter()
        .any(|word| word == "--levels")
}

fn where_they_are(plan: &Plan, facts: &Value) -> String {
    let worst = list(facts, "/risk/most_isolated").iter().take(3);
    let rows: Vec<String> = worst
        .map(|row| {
            let radius = number(row, "/radius");
            let radius = radius.map_or("no disc".to_owned(), |radius| {
                format!("radius {} m", short(radius))
            });
            format!("row {} ({radius})", row["row"])
        })
        .collect();
    let cells = plan.limits.count.map_or(
        "",
        |_| " Cells with few units are told of in [[#areal|Counting in cells]].",
    );
    format!(
        "The most isolated: {}. [[#maps|The maps]] show where they are, and the table there names more.{cells}",
        rows.join(", ")
    )
}

/// Each limit in words, and how many units exceed it.
pub fn limits(facts: &Value) -> impl Iterator<Item = (String, &Value)> {
    list(&facts["verdict"], "/limits").iter().map(|row| {
        let value = number(row, "/value");
        let limit = match (row["limit"].as_str(), value) {
            (Some("max_radius"), Some(value)) => {
                format!("[[radius]] at most {} m", round::text(value))
            }
            (Some("max_risk"), Some(value)) => {
                format!("[[risk]] at most {} m per unit", round::text(value))
            }
            (Some("min_count"), Some(value)) => {
                format!("at least {value} units in the [[cell]], {}", cells(row))
            }
            _ => "[[rules]] on what is in the [[disc]]".to_owned(),
        };
        (limit, &row["units_exceeding"])
    })
}

/// Which cells units are counted in, and who says so.
fn cells(row: &Value) -> String {
    let size = number(row, "/cell_size").map_or(String::new(), round::metres);
    let chosen = if row["cell_size_chosen"] == Value::Bool(true) {
        "chosen by kdisc"
    } else {
        "as given"
    };
    format!("in cells of {size}, {chosen}")
}

fn table(plan: &Plan, facts: &Value) -> Option<Table> {
    let mut rows: Vec<Vec<Cell>> = limits(facts)
        .map(|(limit, units)| vec![Cell::Text(limit), count_cell(units)])
        .collect();
    if rows.len() > 1 {
        rows.push(vec![
            Cell::Text("*any of them*, each unit counted once".to_owned()),
            count_cell(&facts["verdict"]["units_exceeding"]),
        ]);
    }
    (!rows.is_empty()).then(|| Table {
        caption: format!(
            "Limits, of which at most {} of the units may exceed any",
            percent(plan.limits.allow)
        ),
        head: vec!["Limit".to_owned(), "Units beyond it".to_owned()],
        rows,
    })
}

//! What was measured, and on what.

use kdisc_report::page::{Block, Cell, Section, Table, quoted};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{self, count_cell, list, number, units};
use crate::report::plan::Plan;
use crate::summary::text::question;

pub fn section(plan: &Plan, facts: &Value) -> Section {
    let input = &facts["inputs"][0];
    let text = |name: &str| input[name].as_str().map(quoted);
    let mut told = vec![("Input".to_owned(), quoted(&plan.name()))];
    told.extend(text("layer").map(|layer| ("Layer".to_owned(), layer)));
    let hash = text("sha256").map(|hash| format!("`{hash}`"));
    told.extend(hash.map(|hash| ("SHA-256".to_owned(), hash)));
    let rows = input["rows"].as_u64().unwrap_or(0);
    let bad = input["bad_rows"].as_u64().filter(|bad| *bad > 0);
    let bad = bad.map_or(String::new(), |bad| {
        format!(", {} left out as invalid", round::count(bad))
    });
    told.push(("Rows".to_owned(), format!("{}{bad}", round::count(rows))));
    told.push((
        "Units".to_owned(),
        format!(
            "{}{}",
            units(&facts["units"]),
            facts["locations"]
                .as_u64()
                .map_or(String::new(), |locations| format!(
                    " at {}",
                    round::counted(locations, "location")
                ))
        ),
    ));
    let crs = text("crs").unwrap_or_else(|| "unknown; coordinates are taken as metres".to_owned());
    told.push(("Coordinates".to_owned(), crs));
    told.extend(text("compute_crs").map(|system| ("Distances in".to_owned(), system)));
    told.push(("Question".to_owned(), quoted(&question(plan.asked))));
    let sample = &facts["curves"];
    if sample["is_sample"].as_bool() == Some(true) {
        told.push((
            "Seed".to_owned(),
            format!("{} (of the random sample)", sample["seed"]),
        ));
    }
    told.push((
        "Program".to_owned(),
        format!("kdisc {}", env!("CARGO_PKG_VERSION")),
    ));
    let mut blocks = vec![
        Block::Text(
            "For every unit (a person, an enterprise) the smallest [[disc]] was found that holds it and at least \
             *k* units. A large disc means that the unit is alone: whoever sees a dot there, or knows roughly \
             where somebody lives, has few to choose from. A small one means that it hides among others. The \
             [[risk]] is the [[radius]] of the disc divided by the units in it: a length, not a probability."
                .to_owned(),
        ),
        Block::Facts(told),
    ];
    for warning in list(facts, "/warnings").iter().filter_map(Value::as_str) {
        blocks.push(Block::Text(format!("*Warning:* {}", quoted(warning))));
    }
    blocks.push(Block::Text("To repeat this report:".to_owned()));
    blocks.push(Block::Command(figures::command(facts)));
    let multiplicities = multiplicities(facts);
    if !multiplicities.rows.is_empty() {
        blocks.push(Block::Table(multiplicities));
    }
    Section {
        id: "about",
        title: "What was measured".to_owned(),
        blocks,
    }
}

fn multiplicities(facts: &Value) -> Table {
    let rows = list(facts, "/multiplicities").iter().map(|row| {
        let (from, to) = (row["from"].as_u64().unwrap_or(0), row["to"].as_u64());
        let name = match to {
            Some(to) if to == from => round::count(from),
            Some(to) => format!("{} to {}", round::count(from), round::count(to)),
            None => format!("{} or more", round::count(from)),
        };
        let share = number(row, "/share").map_or(Cell::Empty, |share| {
            Cell::Number(figures::percent(share), share)
        });
        vec![
            Cell::Number(name, from as f64),
            count_cell(&row["locations"]),
            share,
        ]
    });
    Table {
        caption: "How many units share one location: its [[multiplicity]]".to_owned(),
        head: vec![
            "Units at one location".to_owned(),
            "Locations".to_owned(),
            "Share of the locations".to_owned(),
        ],
        rows: rows.collect(),
    }
}

//! What the values in a disc give away.

use kdisc_report::page::{Block, Cell, Chart, Scale, Section, Series, Table, quoted};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{self, count_cell, list, number};
use super::repeat;

pub fn section(facts: &Value) -> Option<Section> {
    let found = &facts["rules"];
    if found.is_null() {
        return None;
    }
    let discs = &found["discs"];
    let share = number(discs, "/share_unsafe").map_or(String::new(), |share| {
        format!(" ({})", figures::percent(share))
    });
    let mut blocks = vec![
        Block::Text(
            "Somebody who knows that a unit is in a [[disc]] learns something of its value from the total of the disc. \
             The [[rules]] of table disclosure say when that is too much."
                .to_owned(),
        ),
        Block::Text(format!(
            "*{}*{share} are in a disc that breaks a rule.",
            figures::units(&discs["unsafe"])
        )),
        Block::Table(table(found)),
    ];
    blocks.extend(chart(found).map(|chart| Block::Charts(vec![chart])));
    blocks.extend(repeat(found));
    Some(Section {
        id: "rules",
        title: "What values give away".to_owned(),
        blocks,
    })
}

fn table(found: &Value) -> Table {
    let rules = list(found, "/rules").iter().map(|rule| {
        let token = rule["rule"].as_str().unwrap_or_default();
        let limit = |name: &str| {
            number(&rule["limit"], &format!("/{name}")).map_or(String::new(), round::text)
        };
        let name = match token {
            "p" => format!("[[p%-rule]]: p = {} %", limit("p")),
            "min_count" => format!("at least {} contributors", limit("least")),
            // All in one category is too many by any limit, and 1 says no more than that.
            "share" if number(&rule["limit"], "/most") == Some(1.0) => {
                "not all units in one category".to_owned()
            }
            "share" => format!(
                "at most {} of the units in one category, and not all",
                figures::percent(number(&rule["limit"], "/most").unwrap_or(1.0))
            ),
            token if token.starts_with("dominance") => {
                format!(
                    "[[dominance]]: the {} largest have at most {} % of the total",
                    limit("n"),
                    limit("percent")
                )
            }
            token => quoted(token),
        };
        vec![
            Cell::Text(name),
            count_cell(&found["discs"]["by_rule"][token]),
        ]
    });
    Table {
        caption: "Rules, and units in whose disc they are broken".to_owned(),
        head: vec!["Rule".to_owned(), "Units".to_owned()],
        rows: rules.collect(),
    }
}

/// How many units are unsafe at every k, if that was tried.
fn chart(found: &Value) -> Option<Chart> {
    let points: Vec<_> = list(found, "/by_k")
        .iter()
        .filter_map(|point| {
            let (k, units) = (point["k"].as_f64()?, point["units_unsafe"].as_f64()?);
            Some((
                k,
                units,
                format!("k = {k}: {}", figures::units(&point["units_unsafe"])),
            ))
        })
        .collect();
    let hides = points.len() < list(found, "/by_k").len();
    (points.len() > 1).then(|| Chart {
        title: "Units in an unsafe disc, by k".to_owned(),
        description: "Line of the number of units whose disc breaks a rule, against k.".to_owned(),
        x: ("k, units in the disc".to_owned(), Scale::Whole),
        y: ("Units".to_owned(), Scale::Whole),
        series: vec![Series {
            name: "unsafe".to_owned(),
            points,
        }],
        limits: Vec::new(),
        dotted: true,
        note: hides.then(|| {
            "A k has no point where its number of units is not told: it would be, or would beside the others give \
             away, a count of few."
                .to_owned()
        }),
    })
}

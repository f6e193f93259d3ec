//! From the figures to the page: which sections there are, and what they say.

mod about;
mod areal;
mod curves;
pub mod figures;
mod glossary;
mod maps;
mod rules;
mod spread;
pub mod verdict;
mod zoom;

use kdisc_report::page::{Block, Notice, Page, Section, quoted};
use kdisc_report::round;
use serde_json::Value;

use super::Subjects;
use super::parts::Pictures;
use super::plan::Plan;

const CONFIDENTIAL: &str = "CONFIDENTIAL: this report shows exact locations of units. Keep it as safe as the data themselves.";
const PUBLIC: &str = "Prepared for publication: rows, locations, extremes, percentiles beyond which there are fewer than k units, and counts below k are left out, and so are counts from which one below k could be worked out.";

pub fn page(plan: &Plan, facts: &Value, pictures: Pictures, subjects: Subjects) -> Page {
    let name = plan.name();
    let mut sections = vec![
        about::section(plan, facts),
        maps::section(plan, facts, pictures, subjects),
        spread::section(plan, facts),
        curves::section(plan, facts),
        zoom::section(plan, facts),
        areal::section(plan, facts),
    ];
    sections.extend(rules::section(facts));
    sections.push(glossary::section());
    let units = round::counted(facts["units"].as_u64().unwrap_or(0), "unit");
    Page {
        title: plan
            .title
            .clone()
            .unwrap_or_else(|| format!("Disclosure risk of {name}")),
        subtitle: format!(
            "{units} on a map: how easily could each be picked out, and is the map safe to publish?"
        ),
        notice: if plan.public {
            Notice::Public(PUBLIC.to_owned())
        } else {
            Notice::Confidential(CONFIDENTIAL.to_owned())
        },
        creator: format!("kdisc {}", env!("CARGO_PKG_VERSION")),
        verdict: verdict::verdict(plan, facts),
        sections,
    }
}

/// How to repeat a part.
fn repeat(facts: &Value) -> Vec<Block> {
    vec![
        Block::Text("The same by itself:".to_owned()),
        Block::Command(figures::command(facts)),
    ]
}

/// What δ is, in a sentence.
fn delta(value: &Value) -> String {
    match value {
        Value::String(_) => "∞".to_owned(),
        value => match value.as_f64() {
            Some(0.0) | None => "0".to_owned(),
            Some(metres) => round::metres(metres),
        },
    }
}

/// Why a part is not there.
fn left_out(id: &'static str, title: &str, facts: &Value) -> Option<Section> {
    let why = facts["left_out"].as_str()?;
    let help = facts["help"].as_str();
    let help = help.map_or(String::new(), |help| {
        format!(" To have it, {}.", quoted(help))
    });
    Some(Section {
        id,
        title: title.to_owned(),
        blocks: vec![Block::Text(format!(
            "This part is left out: {}.{help}",
            quoted(why)
        ))],
    })
}

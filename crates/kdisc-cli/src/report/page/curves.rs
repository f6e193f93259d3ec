//! What other k and δ would give.

use kdisc_report::page::{Block, Chart, Limit, Scale, Section, Series};
use kdisc_report::round;
use serde_json::Value;

use super::delta;
use super::figures::{list, short};
use crate::report::plan::Plan;

const LINES: [(&str, &str); 4] = [
    ("median", "median"),
    ("p90", "90 %"),
    ("p99", "99 %"),
    ("max", "most"),
];

pub fn section(plan: &Plan, facts: &Value) -> Section {
    let curves = &facts["curves"];
    let asked = delta(&facts["risk"]["delta"]);
    let k = plan.asked.k();
    let mut blocks = vec![Block::Text(
        "A larger k asks for more company and gives larger discs; a larger δ lets the disc lie further from the unit \
         and gives smaller ones. Risk divides by the units in the disc, so it does not compare across k: compare \
         the shape of the curves, not their heights."
            .to_owned(),
    )];
    if curves["is_sample"].as_bool() == Some(true) {
        blocks.push(Block::Text(format!(
            "*Measured on a random sample of {}* (seed {}), each among all units.",
            round::counted(curves["units"].as_u64().unwrap_or(0), "unit"),
            curves["seed"]
        )));
    }
    let by_k = |what, name: &str, unit| {
        let at = Limit::X(k as f64, format!("k = {k}"));
        chart(
            curves,
            "by_k",
            what,
            (name, "k, units in the disc"),
            unit,
            &format!("δ = {asked}"),
            at,
        )
    };
    let by_delta = |what, name: &str, unit| {
        let distance = plan.asked.delta().distance();
        let at = Limit::X(distance, format!("δ = {asked}"));
        chart(
            curves,
            "by_delta",
            what,
            (name, "δ, m"),
            unit,
            &format!("k = {k}"),
            at,
        )
    };
    let charts = [
        by_k("radius", "Radius", "m"),
        by_k("risk", "Risk", "m per unit"),
        by_delta("radius", "Radius", "m"),
        by_delta("risk", "Risk", "m per unit"),
    ];
    blocks.push(Block::Charts(charts.into_iter().flatten().collect()));
    Section {
        id: "curves",
        title: "At other k and δ".to_owned(),
        blocks,
    }
}

fn chart(
    curves: &Value,
    list_of: &str,
    what: &str,
    (name, along): (&str, &str),
    unit: &str,
    fixed: &str,
    at: Limit,
) -> Option<Chart> {
    let points = list(curves, &format!("/{list_of}"));
    let place = |point: &Value| match &point["delta"] {
        Value::Null => Some((point["k"].as_f64()?, format!("k = {}", point["k"]))),
        value => Some((
            value.as_f64().unwrap_or(f64::INFINITY),
            format!("δ = {}", delta(value)),
        )),
    };
    let series = LINES.map(|(key, shown)| Series {
        name: shown.to_owned(),
        points: points
            .iter()
            .filter_map(|point| {
                let value = point[what][key].as_f64()?;
                let (x, named) = place(point)?;
                Some((
                    x,
                    value,
                    format!("{named}: {shown} {} {unit}", short(value)),
                ))
            })
            .collect(),
    });
    let series: Vec<_> = series
        .into_iter()
        .filter(|line| !line.points.is_empty())
        .collect();
    let of = if list_of == "by_k" { "k" } else { "δ" };
    (!series.is_empty()).then(|| Chart {
        title: format!("[[{what}|{name}]] against {of}, at {fixed}"),
        description: format!(
            "Lines of the {what} of the units against {of}: {}.",
            names(&series)
        ),
        x: (along.to_owned(), Scale::Ratios),
        y: (format!("{name}, {unit}"), Scale::Ratios),
        series,
        limits: vec![at],
        dotted: true,
        note: None,
    })
}

fn names(series: &[Series]) -> String {
    series
        .iter()
        .map(|line| line.name.as_str())
        .collect::<Vec<_>>()
        .join(", ")
}

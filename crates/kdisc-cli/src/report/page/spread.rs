//! How large the discs are.

use kdisc_report::page::{Block, Cell, Chart, Limit, Scale, Section, Series, Table};
use serde_json::Value;

use super::figures::{self, cells, list, number, short};
use super::{delta, repeat};
use crate::report::plan::Plan;

const COLUMNS: [(&str, &str); 7] = [
    ("min", "Least"),
    ("p25", "25 %"),
    ("median", "Median"),
    ("p75", "75 %"),
    ("p90", "90 %"),
    ("p99", "99 %"),
    ("max", "Most"),
];

pub fn section(plan: &Plan, facts: &Value) -> Section {
    let asked = delta(&facts["risk"]["delta"]);
    let leeway = match asked.as_str() {
        "0" => "With δ = 0 the disc is centred on the unit.".to_owned(),
        "∞" => {
            "With δ = ∞ the disc lies anywhere around the unit; with δ = 0 it is centred on it."
                .to_owned()
        }
        asked => format!(
            "With δ = {asked} the centre of the disc may lie as far from the unit as that; with δ = 0 it is centred on it."
        ),
    };
    let mut blocks = vec![Block::Text(format!(
        "The curves say how many of the units have a disc of at most a given [[radius]], and a [[risk]] of at most a \
         given value: the further to the left a curve, the better units hide. {leeway}"
    ))];
    let without = &facts["risk"]["per_unit"]["no_disc"];
    if !without.is_null() && without.as_u64() != Some(0) {
        blocks.push(Block::Text(format!(
            "*No disc:* {}, as there are fewer than k units in all.",
            figures::units(without)
        )));
    }
    let charts = [
        chart(plan, facts, "radius", &asked, "Radius", "m"),
        chart(plan, facts, "risk", &asked, "Risk", "m per unit"),
    ];
    blocks.push(Block::Charts(charts.into_iter().flatten().collect()));
    blocks.push(Block::Table(table(facts, &asked)));
    blocks.extend(repeat(&facts["risk"]));
    Section {
        id: "spread",
        title: "How large the discs are".to_owned(),
        blocks,
    }
}

fn chart(
    plan: &Plan,
    facts: &Value,
    what: &str,
    asked: &str,
    name: &str,
    unit: &str,
) -> Option<Chart> {
    let curves = &facts["spread"];
    let limit = match what {
        "radius" => plan.limits.radius,
        _ => plan.limits.risk,
    };
    let limit = limit.map(|limit| Limit::X(limit, "limit".to_owned()));
    let series = |key: &str, delta: &str| {
        let points = list(curves, "/shares")
            .iter()
            .zip(list(curves, &format!("/{key}")));
        let points = points.filter_map(|(share, value)| {
            let (share, value) = (share.as_f64()?, value.as_f64()?);
            let percent = figures::percent(share);
            Some((
                value,
                share * 100.0,
                format!(
                    "{percent} of the units: at most {} {unit} (δ = {delta})",
                    short(value)
                ),
            ))
        });
        Series {
            name: format!("δ = {delta}"),
            points: points.collect(),
        }
    };
    let mut lines = vec![series(what, asked)];
    if asked != "0" {
        lines.push(series(&format!("{what}_delta_zero"), "0"));
    }
    lines.retain(|line| !line.points.is_empty());
    let median = number(&facts["risk"], &format!("/per_unit/{what}/median"));
    let median = median.map_or(String::new(), |median| {
        format!(" The median is {} {unit} at δ = {asked}.", short(median))
    });
    (!lines.is_empty()).then(|| Chart {
        title: format!("Share of the units by their [[{what}]]"),
        description: format!(
            "Curve of the share of units with a {what} of at most each value.{median}"
        ),
        x: (format!("{name}, {unit}"), Scale::Ratios),
        y: ("Share of the units, %".to_owned(), Scale::Even),
        series: lines,
        limits: limit.into_iter().collect(),
        dotted: false,
        note: plan.public.then(|| {
            let k = plan.asked.k();
            format!("The curves begin and end where fewer than {k} units lie beyond: these are not told of.")
        }),
    })
}

fn table(facts: &Value, asked: &str) -> Table {
    let mut rows = vec![
        ("Radius, m", "/risk/per_unit/radius", asked),
        ("Radius, m", "/risk/delta_zero/per_unit/radius", "0"),
        ("Risk, m per unit", "/risk/per_unit/risk", asked),
        ("Risk, m per unit", "/risk/delta_zero/per_unit/risk", "0"),
    ];
    if asked == "0" {
        rows.retain(|(_, path, _)| !path.contains("delta_zero"));
    }
    // Figures that are not told have no column.
    let told = |column: &str| {
        rows.iter()
            .any(|(_, path, _)| number(facts, &format!("{path}/{column}")).is_some())
    };
    let names = rows
        .iter()
        .map(|(name, _, delta)| Cell::Text(format!("{name}, δ = {delta}")));
    let mut columns = vec![("Per unit".to_owned(), names.collect())];
    for (column, name) in COLUMNS.into_iter().filter(|(column, _)| told(column)) {
        let values = rows
            .iter()
            .map(|(_, path, _)| number(facts, &format!("{path}/{column}")));
        columns.push((name.to_owned(), cells(&values.collect::<Vec<_>>())));
    }
    Table::of_columns(
        "Radius and risk of the units: so many of them have at most this".to_owned(),
        columns.into_iter(),
    )
}

//! What a grid says, and how much of that is due to where its lines are.

use kdisc_report::page::{Block, Cell, Section, Table};
use kdisc_report::round;
use serde_json::Value;

use super::figures::{self, cells, count_cell, number};
use super::{left_out, repeat};
use crate::report::plan::Plan;

const TITLE: &str = "Counting in cells";

pub fn section(plan: &Plan, facts: &Value) -> Section {
    let found = &facts["areal"];
    if let Some(section) = left_out("areal", TITLE, found) {
        return section;
    }
    let size = number(found, "/division/size").map_or(String::new(), round::metres);
    let least = &found["verdict"]["min_count"];
    let cells = round::counted(found["regions_with_units"].as_u64().unwrap_or(0), "cell");
    let limit = if plan.limits.count.is_some() {
        "the limit given"
    } else {
        "k, as no --min-count was given"
    };
    let mut blocks = vec![
        Block::Text(format!(
            "The older way: lay a grid, here of squares of {size}, and count. The [[areal risk]] of a [[cell]] is 1 \
             divided by its units. There are {cells} with units; {} of them, with {}, have fewer than {least} units ({limit}).",
            figures::count(&found["verdict"]["regions_below"]),
            figures::units(&found["verdict"]["units_below"]),
        )),
        Block::Text(
            "But that belongs to the grid and not to the unit: move the lines and the verdict on a unit may flip, though \
             nobody has moved. This is the modifiable areal unit problem ([[MAUP]]). The radius of a unit's disc \
             stays what it is."
                .to_owned(),
        ),
        Block::Table(flips(found)),
        Block::Table(counts(found)),
    ];
    blocks.extend(repeat(found));
    Section {
        id: "areal",
        title: TITLE.to_owned(),
        blocks,
    }
}

fn flips(found: &Value) -> Table {
    let shifts = number(found, "/maup/shifts").unwrap_or(0.0);
    let ways = [
        ("moved", format!("moved, in {shifts} by {shifts} steps")),
        ("reshaped", "hexagons of the same area".to_owned()),
        ("halved", "cells of half the side".to_owned()),
        ("doubled", "cells of twice the side".to_owned()),
        ("any", "any of these".to_owned()),
    ];
    let rows = ways.into_iter().map(|(key, name)| {
        let flips = &found["maup"]["flips"][key];
        let share = number(flips, "/share");
        vec![
            Cell::Text(name),
            count_cell(&flips["units"]),
            share.map_or(Cell::Empty, |share| {
                Cell::Number(figures::percent(share), share)
            }),
        ]
    });
    Table {
        caption: "Units whose verdict flips when the grid is changed".to_owned(),
        head: ["The grid is", "Units that flip", "Share of the units"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    }
}

fn counts(found: &Value) -> Table {
    let columns = [
        ("min", "Least"),
        ("median", "Median"),
        ("p99", "99 %"),
        ("max", "Most"),
    ];
    let rows = [
        ("Units in a cell, per cell", "/count_per_region"),
        ("Areal risk, per unit", "/areal_risk_per_unit"),
        (
            "Highest by lowest areal risk of a unit, as the grid changes",
            "/maup/risk_max_by_min",
        ),
    ];
    let has = |column: &str| {
        rows.iter()
            .any(|(_, path)| number(found, &format!("{path}/{column}")).is_some())
    };
    let columns: Vec<_> = columns
        .into_iter()
        .filter(|(column, _)| has(column))
        .collect();
    let mut head = vec!["What".to_owned()];
    head.extend(columns.iter().map(|(_, name)| (*name).to_owned()));
    let rows = rows.iter().map(|(name, path)| {
        let mut row = vec![Cell::Text((*name).to_owned())];
        let values = columns
            .iter()
            .map(|(column, _)| number(found, &format!("{path}/{column}")));
        row.extend(cells(&values.collect::<Vec<_>>()));
        row
    });
    Table {
        caption: "What the cells hold".to_owned(),
        head,
        rows: rows.collect(),
    }
}

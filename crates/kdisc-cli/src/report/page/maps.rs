//! Where the risk is.

use kdisc::Disc;
use kdisc_report::classes::Classes;
use kdisc_report::colour::{Colour, Ramp};
use kdisc_report::map::{Entry, Legend};
use kdisc_report::page::{Block, Cell, Explorer, Picture, Section, Table};
use kdisc_report::round;
use kdisc_report::theme::Theme;
use serde_json::Value;

use super::figures::{cells, count_cell, list, number};
use super::repeat;
use crate::report::Subjects;
use crate::report::parts::Pictures;
use crate::report::plan::Plan;
use crate::risk::Measured;

/// Units that a page can hold and still move smoothly.
const MOST: u64 = 100_000;

pub fn section(plan: &Plan, facts: &Value, pictures: Pictures, subjects: Subjects) -> Section {
    let explained = if plan.public {
        "Cells instead of locations, coloured by the median risk of their units; cells with fewer than k units are \
         not drawn. At δ = 0 discs are centred on the unit ([[point-oriented]]); at δ = ∞ they lie anywhere around it \
         ([[cluster-oriented]])."
    } else {
        "Every dot is a location, coloured by the [[risk]] of its units. At δ = 0 discs are centred on the unit \
         ([[point-oriented]]); at δ = ∞ they lie anywhere around it ([[cluster-oriented]]), and are never larger. The most isolated units are marked with their discs; where several share a disc, one of \
         them is."
    };
    let Pictures {
        wide, narrow, alt, ..
    } = pictures;
    let mut blocks = vec![
        Block::Text(explained.to_owned()),
        Block::Picture(Picture { alt, wide, narrow }),
    ];
    blocks.extend(repeat(&facts["map"]));
    if !plan.public {
        let units = subjects.measured.prepared.population.units();
        if units <= MOST {
            blocks.push(Block::Explorer(Box::new(explorer(plan, subjects))));
        } else {
            blocks.push(Block::Text(format!(
                "A map that can be moved is part of reports on up to {} units.",
                round::count(MOST)
            )));
        }
        blocks.push(Block::Table(worst(facts)));
    }
    Section {
        id: "maps",
        title: "Where the risk is".to_owned(),
        blocks,
    }
}

fn worst(facts: &Value) -> Table {
    let worst = list(facts, "/risk/most_isolated");
    let named = |name: &str| -> Vec<Cell> {
        let numbers = worst.iter().map(|row| row[name].as_u64());
        let cells =
            numbers.map(|n| n.map_or(Cell::Empty, |n| Cell::Number(n.to_string(), n as f64)));
        cells.collect()
    };
    let measured = |path: &str| -> Vec<Cell> {
        let numbers = worst.iter().map(|row| number(row, path));
        cells(&numbers.collect::<Vec<_>>())
    };
    let mut radii = measured("/radius");
    for radius in radii.iter_mut().filter(|cell| **cell == Cell::Empty) {
        *radius = Cell::Text("no disc".to_owned());
    }
    let mut columns = vec![("Row", named("row"))];
    // Not all formats have lines.
    if worst.iter().any(|row| row["line"].is_u64()) {
        columns.push(("Line of the file", named("line")));
    }
    columns.extend([
        ("[[radius|Radius]], m", radii),
        (
            "Units in the disc",
            worst.iter().map(|row| count_cell(&row["units"])).collect(),
        ),
        ("[[risk|Risk]], m per unit", measured("/risk")),
    ]);
    Table::of_columns(
        "The most isolated units, by their rows in the input (counted from 1 below the header)"
            .to_owned(),
        columns
            .into_iter()
            .map(|(head, cells)| (head.to_owned(), cells)),
    )
}

fn explorer(plan: &Plan, subjects: Subjects) -> Explorer {
    let Measured {
        prepared,
        discs,
        at_zero,
        ..
    } = subjects.measured;
    // The classes of the two maps above.
    let risks = discs.iter().chain(&at_zero).flatten().map(Disc::risk);
    let fitted = Classes::fit(risks);
    let lonely = discs.iter().any(Option::is_none);
    let mut labels = fitted.labels();
    if discs.iter().all(Option::is_none) {
        labels.clear();
    }
    let classes = labels.len();
    if lonely {
        labels.push("no disc".to_owned());
    }
    let colours = |dark: bool| {
        let theme = if dark { Theme::dark() } else { Theme::light() };
        let mut colours = Ramp::default().colours(classes, dark);
        // As on the maps above.
        colours.extend(lonely.then_some(theme.ink));
        colours
    };
    let entries = labels.into_iter().zip(colours(false));
    let class = |disc: &Option<Disc>| {
        disc.as_ref()
            .map_or(classes as u8, |disc| fitted.of(disc.risk()))
    };
    Explorer {
        caption: "The same units to look into: drag or use the arrow keys to move, the wheel or + and − to zoom, \
                  and click a dot for its disc"
            .to_owned(),
        classes: discs.iter().map(class).collect(),
        exceeding: subjects.exceeding,
        places: prepared.population.locations().to_vec(),
        units: prepared.population.multiplicities().to_vec(),
        legend: Legend {
            title: "Risk, metres per unit".to_owned(),
            entries: entries
                .map(|(label, colour)| Entry {
                    label,
                    colour,
                    units: None,
                })
                .collect(),
            dots: true,
            marks: None,
            blank: None,
        },
        dark: colours(true).iter().map(Colour::to_string).collect(),
        metric: plan.asked.metric().to_string(),
        discs,
    }
}

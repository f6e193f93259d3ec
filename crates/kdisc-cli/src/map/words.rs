//! What is written on a map.

use kdisc::areal::{Grid, Shape};
use kdisc::{Delta, Metric};
use kdisc_report::round;

use super::look::{LeftOut, Seen};
use super::panels::{PanelPlan, Subject};
use super::plan::Plan;
use super::prepare::Prepared;
use super::{Looked, extent};
use crate::args::{Colouring, ZoomDelta};
use crate::source::Source;
use crate::zoom::levels::Label;

/// What a map that is not for publication gives away.
pub fn confidential(plan: &Plan) -> &'static str {
    match plan.panels[0].subject {
        Subject::Units | Subject::Flips { .. } => "CONFIDENTIAL: exact locations",
        Subject::Level { .. } => "CONFIDENTIAL: locations, to a pixel",
        Subject::Cells(_) => "CONFIDENTIAL: cells with few units",
        Subject::Surface(_) => "CONFIDENTIAL: locations can be worked out from it",
    }
}

/// What is to be known of a crowd of dots.
const OVERLAP: &str = "Where dots overlap, the riskiest is seen.";

/// What is shown, if nobody said how to call it.
pub fn title(plan: &Plan) -> String {
    if let Some(title) = &plan.looks.title {
        return title.clone();
    }
    let first = &plan.panels[0];
    let what = match plan.colouring {
        Colouring::Risk => "risk",
        Colouring::Radius => "radius",
    };
    let of_k = if plan.varied.k {
        "the smallest disc with k units".to_owned()
    } else {
        format!("the smallest disc with {} units", first.anonymity.k())
    };
    let of_k = match first.anonymity.metric() {
        Metric::L2 => of_k,
        _ => of_k.replace("disc", "square"),
    };
    match &first.subject {
        Subject::Units if plan.public.is_some() => {
            format!("Typical disclosure {what} by cell: {of_k}")
        }
        Subject::Units => format!("Disclosure {what} of each location: {of_k}"),
        Subject::Level { .. } => format!("Perceived {what}, as seen on the screen: {of_k}"),
        Subject::Cells(_) => "Units that share a cell".to_owned(),
        Subject::Flips { least, .. } => {
            format!("At least {least} units in a cell: where it depends on the grid")
        }
        Subject::Surface(_) => format!("Disclosure {what} anywhere: {of_k}"),
    }
}

/// What sets a panel apart from the others.
pub fn panel_title(plan: &Plan, panel: &PanelPlan, seen: &Seen) -> String {
    let mut parts = Vec::new();
    match (&panel.subject, seen.level) {
        (_, Some((level, _))) => {
            let metres = round::text(round::three_digits(level.metres_per_pixel));
            parts.push(match level.label {
                Label::Web(level) => format!("zoom level {level}: {metres} m per pixel"),
                _ => format!("{metres} m per pixel"),
            });
        }
        (Subject::Cells(grid) | Subject::Flips { grid, .. }, _) if plan.varied.subject => {
            parts.push(format!("cells of {}", round::metres(grid.size())));
        }
        _ => {}
    }
    if plan.varied.k {
        parts.push(format!("k = {}", panel.anonymity.k()));
    }
    if plan.varied.delta {
        parts.push(delta(panel, seen));
    }
    parts.join(", ")
}

fn delta(panel: &PanelPlan, seen: &Seen) -> String {
    match (seen.level, panel.delta, panel.anonymity.delta()) {
        (_, ZoomDelta::Pixels(Delta::INFINITE), _) => "δ = ∞".to_owned(),
        (Some((_, pixels)), ..) => format!("δ = {} px", round::text(round::three_digits(pixels))),
        (None, _, Delta::ZERO) => "δ = 0".to_owned(),
        (None, _, delta) => format!("δ = {}", round::metres(delta.distance())),
    }
}

/// What colours tell.
pub fn legend_title(plan: &Plan) -> String {
    let typical = if plan.public.is_some() {
        ", median of the units"
    } else {
        ""
    };
    let metres = match plan.panels[0].subject {
        Subject::Cells(_) => return "Units in the cell".to_owned(),
        Subject::Flips { .. } => {
            return "Units in the cell, as the grid moves, changes shape and size".to_owned();
        }
        Subject::Level { .. } => "pixels",
        _ => "metres",
    };
    match plan.colouring {
        Colouring::Risk => format!("Risk, {metres} per unit{typical}"),
        Colouring::Radius => format!("Radius, {metres}{typical}"),
    }
}

/// How many units are shown, and of how many.
pub fn how_many(plan: &Plan, prepared: &Prepared) -> String {
    let all = round::counted(prepared.population.units(), "unit");
    match extent::units_shown(plan, prepared) {
        Some(shown) if plan.public.is_none() => format!("{} of {all}", round::count(shown)),
        _ => all,
    }
}

/// Where it comes from and how it was made.
pub fn notes(plan: &Plan, prepared: &Prepared, looked: &Looked) -> Vec<String> {
    let population = &prepared.population;
    let units = round::counted(population.units(), "unit");
    let at = match plan.public {
        None => format!(
            " at {}",
            round::counted(population.locations().len() as u64, "location")
        ),
        Some(_) => String::new(),
    };
    let system = &prepared.register.facts.compute;
    let mut notes = vec![format!(
        "Source: {}, {units}{at}. Distances in {system}.",
        source(plan)
    )];
    if extent::units_shown(plan, prepared).is_some() {
        let shown = how_many(plan, prepared);
        notes.push(match plan.public {
            None => format!("Only a part is shown: {shown} are in this extent."),
            // Two parts that differ by little would tell of those between.
            Some(_) => "Only a part is shown.".to_owned(),
        });
    }
    notes.push(parameters(plan, looked));
    if plan.varied.k && plan.colouring == Colouring::Risk {
        notes.push("Risk does not compare across k: compare places within a map.".to_owned());
    }
    if let (Some(left), Some(public)) = (looked.left_out, plan.public) {
        notes.push(format!(
            "For publication: cells of {}, the extent to round coordinates. {}",
            round::metres(left.size),
            not_drawn(left, public.least),
        ));
    }
    notes.push(format!("Made with kdisc {}.", env!("CARGO_PKG_VERSION")));
    notes
}

/// What is missing, without telling how many when these are few.
fn not_drawn(left: LeftOut, least: u64) -> String {
    let units = match left.units {
        0 => return "Every cell with units is drawn.".to_owned(),
        few if few < least => format!("fewer than {least} units"),
        units => round::counted(units, "unit"),
    };
    let cells = round::counted(left.cells, "cell");
    format!("Not drawn: {cells} with fewer than {least} units ({units} in all).")
}

fn parameters(plan: &Plan, looked: &Looked) -> String {
    let first = &plan.panels[0];
    let shape = match first.anonymity.metric() {
        Metric::L2 => "disc",
        Metric::Linf => "square (L∞)",
        Metric::L1 => "square on a corner (L1)",
    };
    match &first.subject {
        Subject::Cells(grid) => {
            let cells = cells(plan, grid);
            return format!("{cells}; the areal risk is 1 / units in the cell.");
        }
        Subject::Flips { grid, least } => {
            let cells = cells(plan, grid);
            return format!(
                "Safe: at least {least} units in the cell. {cells}, moved, as squares and hexagons, halved and doubled. {OVERLAP}"
            );
        }
        _ => {}
    }
    let mut asked = Vec::new();
    if !plan.varied.k {
        asked.push(format!("k = {}", first.anonymity.k()));
    }
    if !plan.varied.delta {
        asked.push(delta(first, &looked.seen[0]));
    }
    let mut asked = asked.join(", ");
    if !asked.is_empty() {
        asked.push_str(". ");
    }
    let risk = match plan.colouring {
        Colouring::Risk => " Risk: radius / units in it, a length and not a probability.",
        Colouring::Radius => "",
    };
    let who = match &first.subject {
        Subject::Surface(side) => format!(
            "Smallest {shape} with at least k units around the middle of each square of {}.",
            round::metres(*side)
        ),
        Subject::Level { .. } => format!(
            "Dots of the screen (enlarged where they could not be seen), and the smallest {shape} with at least k units around each, in pixels. {OVERLAP} Zooming out hides, it does not protect."
        ),
        _ if plan.public.is_some() => {
            format!("Smallest {shape} with at least k units around each unit.")
        }
        _ => format!("Smallest {shape} with at least k units around each unit. {OVERLAP}"),
    };
    format!("{asked}{who}{risk}")
}

/// The cells in words; their size where it is the same in all panels.
fn cells(plan: &Plan, grid: &Grid) -> String {
    let size = round::metres(grid.size());
    match (grid.shape(), plan.varied.subject) {
        (Shape::Square, false) => format!("Squares of {size}"),
        (Shape::Square, true) => "Squares".to_owned(),
        (Shape::Hexagon, false) => format!("Hexagons of the area of squares of {size}"),
        (Shape::Hexagon, true) => "Hexagons of the area of squares of that side".to_owned(),
    }
}

/// The name of the file without its folders, which are nobody's business.
fn source(plan: &Plan) -> String {
    if let Some(source) = &plan.looks.source {
        return source.clone();
    }
    let name = match &plan.intake.source {
        Source::File(path) if !plan.intake.source.is_stdin() => path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned()),
        _ => None,
    };
    name.unwrap_or_else(|| plan.intake.source.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_not_counted_in_public() {
        let left = |cells, units| {
            let size = 100.0;
            not_drawn(LeftOut { cells, units, size }, 10)
        };
        assert_eq!(left(0, 0), "Every cell with units is drawn.");
        assert_eq!(
            left(1, 3),
            "Not drawn: 1 cell with fewer than 10 units (fewer than 10 units in all)."
        );
        assert_eq!(
            left(4, 10),
            "Not drawn: 4 cells with fewer than 10 units (10 units in all)."
        );
    }
}

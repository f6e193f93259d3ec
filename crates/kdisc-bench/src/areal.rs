//! Moving a grid to 256 places, beside one measure of the same units.

use kdisc::areal::{Grid, Maup};

use crate::Plan;
use crate::clock::{effort, in_turns, kdisc, pool};
use crate::knn::units;
use crate::table::{Required, Row, each, ratio, thousands};

/// Metres.
const SIDE: f64 = 200.0;
const SHIFTS: u32 = 16;

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    eprintln!("a grid in 256 places ...");
    let points = units(plan.units);
    let grid = Grid::square(SIDE).expect("it is a size");
    let maup = || Maup::new(&points, None, &grid, SHIFTS);
    let [moved, measured] = in_turns(
        plan.rounds,
        [
            Box::new(|| pool(1).install(|| effort(maup))),
            Box::new(|| kdisc(&points, 10, f64::INFINITY)),
        ],
    );
    vec![Row {
        what: format!(
            "a 200 m grid in 256 places, {} units",
            thousands(plan.units)
        ),
        kdisc: each(moved, plan.units),
        peer: format!("δ=∞, k=10: {}", each(measured, plan.units)),
        ratio: ratio(moved, measured),
        required: Required::AtMost(2.0),
    }]
}

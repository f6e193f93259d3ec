//! Beside kdisc itself: two threads beside one, and ten times the units.

use crate::Plan;
use crate::clock::{in_turns, kdisc};
use crate::knn::units;
use crate::table::{Required, Row, each, ratio, thousands};

const K: u64 = 10;
const DELTA: f64 = f64::INFINITY;

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    let points = units(plan.units);
    eprintln!("two threads beside one ...");
    let [one, two] = in_turns(
        plan.rounds,
        [
            Box::new(|| kdisc(&points, K, DELTA, 1)),
            Box::new(|| kdisc(&points, K, DELTA, 2)),
        ],
    );
    let mut rows = vec![Row {
        what: format!("two threads, δ=∞, k=10, {} units", thousands(plan.units)),
        kdisc: each(two, plan.units),
        peer: format!("one thread: {}", each(one, plan.units)),
        ratio: ratio(one, two),
        required: Required::AtLeast(1.7),
    }];
    if plan.large {
        let ten_times = units(10 * plan.units);
        eprintln!("ten times the units ...");
        let [small, large] = in_turns(
            plan.rounds.min(2),
            [
                Box::new(|| kdisc(&points, K, DELTA, 1)),
                Box::new(|| kdisc(&ten_times, K, DELTA, 1)),
            ],
        );
        rows.push(Row {
            what: format!(
                "ten times the units, δ=∞, k=10, {} units",
                thousands(ten_times.len())
            ),
            kdisc: format!("{:.1} s", large.as_secs_f64()),
            peer: format!(
                "{} units: {:.1} s",
                thousands(plan.units),
                small.as_secs_f64()
            ),
            ratio: ratio(large, small),
            required: Required::AtMost(12.0),
        });
    }
    rows
}

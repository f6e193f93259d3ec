//! Beside kdisc itself: two threads beside one, units in a row beside a town, and ten times the units.

use std::hint::black_box;
use std::time::Duration;

use kdisc::Point;

use crate::Plan;
use crate::clock::{discs, in_turns, kdisc, pool, wait};
use crate::knn::units;
use crate::table::{Required, Row, each, ratio, thousands};

const K: u64 = 10;
const DELTA: f64 = f64::INFINITY;

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    let points = units(plan.units);
    let mut rows = vec![threads(plan, &points), in_a_row(plan, &points)];
    if plan.large {
        rows.push(size(plan, &points));
    }
    rows
}

/// Two threads beside one, by the clock.
///
/// This says nothing on a machine whose second core is busy, so that two loops that share nothing
/// are timed as well: what they gain is what any program could.
fn threads(plan: &Plan, points: &[Point]) -> Row {
    eprintln!("two threads beside one ...");
    let kdisc = |threads| pool(threads).install(|| wait(|| discs(points, K, DELTA, threads)));
    let [one, two, loop_alone, loops_together] = in_turns(
        plan.rounds,
        [
            Box::new(|| kdisc(1)),
            Box::new(|| kdisc(2)),
            Box::new(|| loops(1)),
            Box::new(|| loops(2)),
        ],
    );
    let possible = 2.0 * ratio(loop_alone, loops_together);
    Row {
        what: format!("two threads, δ=∞, k=10, {} units", thousands(plan.units)),
        kdisc: each(two, plan.units),
        peer: format!(
            "one thread: {}; two loops gain {possible:.2}",
            each(one, plan.units)
        ),
        ratio: ratio(one, two),
        required: Required::AtLeast(1.7),
    }
}

/// The same loop on each of some threads.
fn loops(threads: usize) -> Duration {
    let pool = pool(threads);
    wait(|| {
        pool.broadcast(|_| (0..200_000_000u64).fold(1u64, |x, i| black_box(x.wrapping_mul(x ^ i))))
    })
}

/// Units at even distances along a line beside as many in towns: all their discs tie.
fn in_a_row(plan: &Plan, points: &[Point]) -> Row {
    eprintln!("units in a row ...");
    let at = |i: usize| Point::new(100_000.0 + 10.0 * i as f64, 450_000.0);
    let line: Vec<Point> = (0..points.len()).map(at).collect();
    let [row, towns] = in_turns(
        plan.rounds,
        [
            Box::new(|| kdisc(&line, K, DELTA)),
            Box::new(|| kdisc(points, K, DELTA)),
        ],
    );
    Row {
        what: format!("units in a row, δ=∞, k=10, {} units", thousands(line.len())),
        kdisc: each(row, line.len()),
        peer: format!("towns: {}", each(towns, points.len())),
        ratio: ratio(row, towns),
        required: Required::AtMost(2.0),
    }
}

/// Ten times the units beside these, on one thread.
fn size(plan: &Plan, points: &[Point]) -> Row {
    eprintln!("ten times the units ...");
    let ten_times = units(10 * points.len());
    let [small, large] = in_turns(
        plan.rounds.min(2),
        [
            Box::new(|| kdisc(points, K, DELTA)),
            Box::new(|| kdisc(&ten_times, K, DELTA)),
        ],
    );
    Row {
        what: format!(
            "ten times the units, δ=∞, k=10, {} units",
            thousands(ten_times.len())
        ),
        kdisc: format!("{:.1} s", large.as_secs_f64()),
        peer: format!(
            "{} units: {:.1} s",
            thousands(points.len()),
            small.as_secs_f64()
        ),
        ratio: ratio(large, small),
        required: Required::AtMost(12.0),
    }
}

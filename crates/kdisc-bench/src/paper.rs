//! Beside the published algorithm, on the paper's data set where it is at hand.
//!
//! The algorithm is too slow for all locations, so it runs for a fixed random sample of them, and
//! its answers are compared with kdisc's.

use std::time::Duration;

use kdisc::Point;

use crate::Plan;
use crate::clock::{discs, effort, in_turns, kdisc};
use crate::enumeration::{Enumeration, Order};
use crate::knn::units;
use crate::table::{Required, Row, each, ratio};

/// The paper's data set, which is not ours to give.
const DATA: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../../shared/data/enterprises.csv"
);

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    let (name, points) = if let Ok(text) = std::fs::read_to_string(DATA) {
        ("the paper's data set", read(&text))
    } else {
        eprintln!("NOTE: {DATA} is absent: the built-in example takes its place");
        ("the built-in example", units(kdisc::example::UNITS))
    };
    let [at_10, at_50] = plan.anchors;
    vec![
        row(name, &points, 10, at_10, plan.rounds, 50.0),
        row(name, &points, 50, at_50, 1, 500.0),
    ]
}

fn row(name: &str, points: &[Point], k: u64, anchors: usize, rounds: usize, limit: f64) -> Row {
    eprintln!("beside the published algorithm, k={k}, {anchors} anchors ...");
    let (population, discs) = discs(points, k, f64::INFINITY, 1);
    let locations = population.locations().len();
    let sample = sample(locations, anchors);
    let enumeration = Enumeration::new(&population);
    let radii = |order| -> Vec<f64> {
        let anchors = sample.iter();
        anchors
            .map(|&at| enumeration.radius(at, k, order))
            .collect()
    };
    let mut published = Vec::new();
    let [ours, peer, shortened] = in_turns(
        rounds,
        [
            Box::new(|| best_of_five(points, k)),
            Box::new(|| effort(|| published = radii(Order::Published))),
            Box::new(|| effort(|| radii(Order::RadiusFirst))),
        ],
    );
    for (&at, &theirs) in sample.iter().zip(&published) {
        let ours = discs[at].expect("there are k units").radius;
        assert!(
            (ours - theirs).abs() <= 1e-9 * ours,
            "location {at}, k={k}: kdisc finds the radius {ours}, enumeration {theirs}"
        );
    }
    Row {
        what: format!("{name}, δ=∞, k={k}"),
        kdisc: each(ours, locations),
        peer: format!(
            "Algorithm 2, {anchors} anchors: {} ({} if it compares radii first)",
            each(peer, anchors),
            each(shortened, anchors),
        ),
        ratio: ratio(peer, ours) * locations as f64 / anchors as f64,
        required: Required::AtLeast(limit),
    }
}

/// kdisc needs so little time here that one run says little.
fn best_of_five(points: &[Point], k: u64) -> Duration {
    let [best] = in_turns(5, [Box::new(|| kdisc(points, k, f64::INFINITY))]);
    best
}

/// `count` random numbers below `below`, the same every time (`SplitMix64`).
fn sample(below: usize, count: usize) -> Vec<usize> {
    let mut state = 0u64;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    (0..count)
        .map(|_| ((u128::from(next()) * below as u128) >> 64) as usize)
        .collect()
}

/// The first two columns of a CSV file with a header.
fn read(text: &str) -> Vec<Point> {
    text.lines()
        .skip(1)
        .map(|line| {
            let mut numbers = line.split(',').map(str::parse);
            match (numbers.next(), numbers.next()) {
                (Some(Ok(x)), Some(Ok(y))) => Point::new(x, y),
                _ => panic!("{DATA}: {line:?} does not begin with two numbers"),
            }
        })
        .collect()
}

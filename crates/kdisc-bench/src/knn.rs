//! Beside k-nearest-neighbour queries: the plainest thing one could do for every location.
//!
//! The peer is `kiddo::ImmutableKdTree`, asked for the k nearest of each distinct location in file
//! order. It answers with locations and distances only; kdisc starts from all rows, counts
//! multiplicities and finds discs. Both include the building of their index, on one thread.

use std::collections::HashSet;
use std::num::NonZero;
use std::time::Duration;

use kdisc::{Point, example};
use kiddo::{ImmutableKdTree, SquaredEuclidean};

use crate::Plan;
use crate::clock::{effort, in_turns, kdisc, pool};
use crate::table::{Required, Row, each, ratio, thousands};

/// The rows of the table for this part.
pub fn rows(plan: &Plan) -> Vec<Row> {
    let points = units(plan.units);
    let distinct = distinct(&points);
    let count = distinct.len();
    let row = |delta: &str, k: usize, ours: Duration, peer: Duration, limit: f64| Row {
        what: format!("δ={delta}, k={k}, {} units", thousands(plan.units)),
        kdisc: each(ours, count),
        peer: format!("kiddo {k}-NN: {}", each(peer, count)),
        ratio: ratio(ours, peer),
        required: Required::AtMost(limit),
    };

    eprintln!("beside kiddo, k=10 ...");
    let [peer, point, cluster, between] = in_turns(
        plan.rounds,
        [
            Box::new(|| kiddo(&distinct, 10)),
            Box::new(|| kdisc(&points, 10, 0.0)),
            Box::new(|| kdisc(&points, 10, f64::INFINITY)),
            Box::new(|| kdisc(&points, 10, 100.0)),
        ],
    );
    eprintln!("beside kiddo, k=50 ...");
    let [peer_50, cluster_50] = in_turns(
        plan.rounds,
        [
            Box::new(|| kiddo(&distinct, 50)),
            Box::new(|| kdisc(&points, 50, f64::INFINITY)),
        ],
    );
    vec![
        row("0", 10, point, peer, 0.7),
        row("∞", 10, cluster, peer, 2.0),
        row("100 m", 10, between, peer, 5.0),
        row("∞", 50, cluster_50, peer_50, 8.0),
    ]
}

/// The time from rows to discs at k=10, for a comparison outside of this program, which makes rounds
/// of its own.
pub fn print_engine(plan: &Plan) {
    let points = units(plan.units);
    let time = |delta| kdisc(&points, 10, delta).as_secs_f64();
    println!(
        "{{\"units\": {}, \"0\": {}, \"inf\": {}}}",
        points.len(),
        time(0.0),
        time(f64::INFINITY)
    );
}

/// The places of the example with this many units, in file order.
pub fn units(count: usize) -> Vec<Point> {
    example::town(count, example::SEED)
        .iter()
        .map(|e| Point::new(e.x, e.y))
        .collect()
}

/// The distinct places, in the order in which they first occur.
fn distinct(points: &[Point]) -> Vec<[f64; 2]> {
    let mut seen = HashSet::new();
    points
        .iter()
        .filter(|p| seen.insert((p.x.to_bits(), p.y.to_bits())))
        .map(|p| [p.x, p.y])
        .collect()
}

/// Builds kiddo's tree and asks it for the `k` nearest of every place.
fn kiddo(places: &[[f64; 2]], k: usize) -> Duration {
    let k = NonZero::new(k).expect("k is not 0");
    pool(1).install(|| {
        effort(|| {
            let tree = ImmutableKdTree::new_from_slice(places).expect("the places are valid");
            places
                .iter()
                .map(|place| {
                    let query = tree.query(place).nearest_n::<SquaredEuclidean<f64>>(k);
                    query
                        .execute()
                        .last()
                        .map_or(f64::NAN, |farthest| farthest.distance)
                })
                .collect::<Vec<f64>>()
        })
    })
}

//! Cases worked out by hand: first the oracle, then the engine, must give them.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Population};
use oracle::discs::Discs;
use oracle::{disc, points};

/// Asks the oracle and the engine for the disc of the first point.
fn check(coordinates: &[(f64, f64)], weights: &[u64], k: u64, delta: Delta, want: Option<Disc>) {
    let points = points(coordinates);
    let oracle = Discs::new(&points, weights, &[]);
    let answer = match delta {
        Delta::ZERO => oracle.centred(points[0], k),
        _ => oracle.cluster(points[0], k),
    };
    assert_eq!(answer.map(|a| a.rounded()), want, "oracle");
    let population = Population::with_weights(&points, weights).unwrap();
    let asked = Anonymity::new(k).unwrap().with_delta(delta);
    let discs = Measure::new(&population, asked).all().unwrap();
    let first = population.location_of_row()[0] as usize;
    assert_eq!(discs[first], want, "engine");
}

/// The published counterexample: the best disc is not the one round the nearest k units.
const COUNTEREXAMPLE: [(f64, f64); 4] = [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, -2.5)];

#[test]
fn counterexample_at_infinite_delta() {
    // Two discs of this size, mirrored; the one with the smaller x is reported. Both have the
    // diameter from (±2, 0) to (0, −2.5), with (0, 0) on the circle.
    let want = disc(-1.0, -1.25, 10.25f64.sqrt() / 2.0, 3);
    check(&COUNTEREXAMPLE, &[1; 4], 3, Delta::INFINITE, Some(want));
}

#[test]
fn counterexample_at_zero_delta() {
    let want = disc(0.0, 0.0, 2.0, 3);
    check(&COUNTEREXAMPLE, &[1; 4], 3, Delta::ZERO, Some(want));
}

#[test]
fn the_unit_square_has_all_four_on_one_circle() {
    let square = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
    let want = disc(0.5, 0.5, 0.5f64.sqrt(), 4);
    check(&square, &[1; 4], 3, Delta::INFINITE, Some(want));
    check(&square, &[1; 4], 4, Delta::INFINITE, Some(want));
    let want = disc(0.0, 0.0, 1.0, 3);
    check(&square, &[1; 4], 2, Delta::ZERO, Some(want));
}

#[test]
fn a_location_with_k_units_is_its_own_disc() {
    let want = disc(3.0, 4.0, 0.0, 7);
    for k in 1..=7 {
        let places = [(3.0, 4.0), (3.0, 5.0)];
        check(&places, &[7, 9], k, Delta::INFINITE, Some(want));
        check(&places, &[7, 9], k, Delta::ZERO, Some(want));
    }
}

#[test]
fn too_few_units_have_no_disc() {
    for delta in [Delta::ZERO, Delta::INFINITE] {
        check(&[(0.0, 0.0), (1.0, 0.0)], &[1, 2], 4, delta, None);
    }
}

#[test]
fn of_tied_discs_the_one_with_the_fewest_units_then_the_smallest_x() {
    // Left and right neighbours at the same distance: 1 + 5 and 1 + 2 units.
    let line = [(0.0, 0.0), (-2.0, 0.0), (2.0, 0.0)];
    let right = disc(1.0, 0.0, 1.0, 3);
    check(&line, &[1, 5, 2], 3, Delta::INFINITE, Some(right));
    let left = disc(-1.0, 0.0, 1.0, 3);
    check(&line, &[1, 2, 2], 3, Delta::INFINITE, Some(left));
}

#[test]
fn risk_may_rise_with_delta() {
    let line = [(0.0, 0.0), (10.0, 0.0), (-10.0, 0.0)];
    let zero = disc(0.0, 0.0, 10.0, 1002);
    let infinite = disc(5.0, 0.0, 5.0, 2);
    check(&line, &[1, 1, 1000], 2, Delta::ZERO, Some(zero));
    check(&line, &[1, 1, 1000], 2, Delta::INFINITE, Some(infinite));
}

#[test]
fn a_location_without_units_is_measured_but_not_counted() {
    let line = [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0)];
    let want = disc(1.5, 0.0, 1.5, 2);
    check(&line, &[0, 1, 1], 2, Delta::INFINITE, Some(want));
    let want = disc(0.5, 0.0, 0.5, 1);
    check(&line, &[0, 1, 1], 1, Delta::INFINITE, Some(want));
}

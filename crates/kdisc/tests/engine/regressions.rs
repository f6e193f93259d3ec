//! Inputs on which the engine was once wrong, each under a name that says what was special.
//!
//! To add one: paste the rows and places that a failing test or the fuzzer printed.

// Coordinates as the test that found them printed them.
#![allow(clippy::unreadable_literal)]

use crate::oracle;

use kdisc::{Anonymity, Delta, Measure, Metric, Point, Population};
use oracle::cases::{Case, Random};
use oracle::compare::engine;
use oracle::discs::Discs;
use oracle::finite;
use oracle::squares::Squares;

fn check(metric: Metric, k: u64, delta: f64, rows: &[(f64, f64, u64)], places: &[(f64, f64)]) {
    let case = Case {
        points: rows.iter().map(|&(x, y, _)| Point::new(x, y)).collect(),
        weights: rows.iter().map(|row| row.2).collect(),
        places: oracle::points(places),
    };
    let delta = Delta::new(delta).unwrap();
    let asked = Anonymity::new(k).unwrap().with_metric(metric);
    let discs = Discs::new(&case.points, &case.weights, &case.places);
    for (anchor, got) in engine(&case, asked.with_delta(delta)) {
        let want = match (metric, delta) {
            (Metric::L2, Delta::ZERO) => discs.centred(anchor, k),
            (Metric::L2, Delta::INFINITE) => discs.cluster(anchor, k),
            (Metric::L2, _) => {
                let want = finite::answer(&discs, anchor, k, delta.distance()).unwrap();
                let wrong = want.refutes(got.expect("a disc"));
                assert!(wrong.is_none(), "{anchor:?}: {got:?}, {wrong:?}");
                continue;
            }
            _ => Squares::new(&case.points, &case.weights, &case.places, metric)
                .answer(anchor, k, delta),
        };
        let want = want.map(|answer| answer.rounded());
        assert!(oracle::same(got, want), "{anchor:?}: {got:?}, not {want:?}");
    }
}

const INFINITE: f64 = f64::INFINITY;

#[test]
fn a_place_beside_the_only_unit() {
    let row = (10.76044050039483, -0.20632424535290672, 1);
    let place = (10.760440500394832, -0.20632424535290672);
    check(Metric::L2, 1, INFINITE, &[row], &[place]);
}

#[test]
fn four_on_a_circle_with_the_anchor_uncounted() {
    let rows = [(0.0, 1.0, 0), (0.0, 3.0, 1), (1.0, 1.0, 1), (1.0, 3.0, 2)];
    check(Metric::L2, 2, INFINITE, &rows, &[]);
}

#[test]
fn the_largest_coordinates() {
    let rows = [
        (4.166666666666667e139, 6.666666666666667e139, 1),
        (8.333333333333334e139, 8.333333333333334e139, 1),
    ];
    check(
        Metric::L2,
        2,
        INFINITE,
        &rows,
        &[(1e140, 8.333333333333334e138)],
    );
}

#[test]
fn an_uncounted_location_far_from_the_origin() {
    let rows = [
        (6000000.221409666, 450000.1227397459, 0),
        (6000000.064103793, 450000.5651688862, 1),
    ];
    check(Metric::L2, 1, INFINITE, &rows, &[]);
    check(Metric::L2, 1, 0.29218951655669384, &rows, &[]);
}

#[test]
fn a_center_that_is_nearly_zero_is_not_negative_zero() {
    let rows = [(-1.0, -1.0, 4), (0.0, 0.0, 0), (-6.0, -6.0, 2)];
    check(Metric::L1, 4, 5e-324, &rows, &[]);
}

#[test]
fn locations_that_coincide_at_the_scale_of_a_block() {
    let rows = [
        (-3.0000000000000004e140, 0.0, 500),
        (-2.0, 0.0, 1000),
        (0.0, -18000000.0, 1000),
        (0.0, -2e-7, 1000),
    ];
    check(Metric::L2, 2999, f64::INFINITY, &rows, &[]);
}

/// So many that all triples of them would not fit into memory, and cells that no division empties.
#[test]
fn a_thousand_locations_on_one_circle() {
    let turn = |i: i32| f64::from(i) / 1300.0 * std::f64::consts::TAU;
    let on_circle = |i: i32| Point::new(1e6 * turn(i).cos(), 1e6 * turn(i).sin());
    let points: Vec<_> = (0..1300).map(on_circle).collect();
    let population = Population::new(&points).unwrap();
    for k in [3, 600] {
        let discs = Measure::new(&population, Anonymity::new(k).unwrap());
        for disc in discs.all().unwrap() {
            // k neighbours on less than half the circle lie within a disc on their outer two.
            let arc = turn(k as i32 - 1);
            let expected = 1e6 * (arc / 2.0).sin();
            let radius = disc.expect("a disc").radius;
            assert!((radius / expected - 1.0).abs() < 1e-9, "{k}: {radius}");
        }
    }
}

/// The bisector of the cluster and the lone unit must not be followed down to the cluster's size.
#[test]
fn a_lone_unit_and_a_cluster_that_rounding_blurs() {
    let step = |n: u64| f64::from_bits(2.252526342575774e-23_f64.to_bits() + n);
    let mut rows = vec![(0.0, 0.0, 1), (step(5), step(6), 1 << 44)];
    rows.extend((0..7).map(|n| (step(2 * n), step(2 * n), 1)));
    for delta in [INFINITE, 2.3161057151484772e-23] {
        check(Metric::L2, 1 << 40, delta, &rows, &[]);
    }
}

/// Dwellings of one building, geocoded one by one: a hundred buildings are measured at once.
#[test]
fn buildings_of_many_dwellings() {
    let mut random = Random(7);
    for jitter in [1e-3, 1e-6, 1e-9, 1e-12] {
        let mut points = Vec::new();
        for _ in 0..100 {
            let (x, y) = (1000.0 * random.real(), 1000.0 * random.real());
            for _ in 0..12 {
                let off = |r: &mut Random| jitter * r.real();
                points.push(Point::new(x + off(&mut random), y + off(&mut random)));
            }
        }
        let population = Population::new(&points).unwrap();
        // Buildings as units of their own, when k is a multiple of what is in them.
        let whole: Vec<_> = points.iter().step_by(12).copied().collect();
        let buildings = Population::new(&whole).unwrap();
        for (delta, slack) in [(f64::INFINITY, 0.0), (100.0, 4.0)] {
            let delta = Delta::new(delta).unwrap();
            let ask = |k| Anonymity::new(k).unwrap().with_delta(delta);
            let discs = Measure::new(&population, ask(36)).all().unwrap();
            let coarse = Measure::new(&buildings, ask(3)).all().unwrap();
            for (row, &location) in population.location_of_row().iter().enumerate() {
                let building = buildings.location_of_row()[row / 12] as usize;
                let (disc, near) = (discs[location as usize].unwrap(), coarse[building].unwrap());
                // No disc of three whole buildings is smaller by more than they are wide.
                let room = (2.0 + slack) * jitter;
                assert!(
                    disc.radius <= near.radius + room,
                    "{jitter} {disc:?} {near:?}"
                );
            }
        }
    }
}

#[test]
fn three_on_a_line_as_seen_from_very_far() {
    let line = [(-0.1, -0.35, 1), (-0.2, -0.7, 1), (0.2, 0.7, 1)];
    let homes = [
        (268501.5068359375, 359689.251953125, 1),
        (268500.337890625, 359691.16796875, 1),
        (268498.58447265625, 359694.0419921875, 1),
    ];
    for near in [line, homes] {
        for far in [
            (1e17, 0.0, 1),
            (1e20, 0.0, 1),
            (1e20, 0.0, 0),
            (1e149, 0.0, 1),
        ] {
            let rows = [near.as_slice(), &[far]].concat();
            for k in 2..4 {
                check(Metric::L2, k, INFINITE, &rows, &[(-1e20, 0.0)]);
            }
        }
    }
}

#[test]
fn places_and_units_on_a_line_beside_a_very_far_one() {
    let rows = [
        (4.449502413603284e107, 0.0, 1),
        (0.011989434567940412, -2.324550915549945, 1),
        (0.0, 0.0, 1),
    ];
    let places = [
        (-0.011989434567940412, 2.324550915549945),
        (0.005994717283970206, -1.1622754577749725),
    ];
    for delta in [0.5, 1.0, 1.5, 2.3e107, INFINITE] {
        check(Metric::L2, 2, delta, &rows, &places);
    }
}

/// Locations that are one point beside their disc, and more of them than a task has.
#[test]
fn a_tiny_crowd_in_a_disc_of_another_size() {
    let at = |i: u32, start: f64| f64::from(i) * 1e-20 + start * 1e-20;
    let crowd = (0..2116).map(|i| Point::new(at(i / 46, -20.3), at(i % 46, -31.7)));
    let ring = [(-1.0, 8.1e-20), (1.0, 3.7e-20), (0.0, 4.0), (0.3, -4.0)];
    let points: Vec<Point> = crowd.chain(oracle::points(&ring)).collect();
    let population = Population::new(&points).unwrap();
    let rows = [0, 2117].map(|row: usize| population.location_of_row()[row]);
    let measure = Measure::new(&population, Anonymity::new(2118).unwrap());
    let found = measure.locations(&rows).unwrap();
    // Across the two on the axis.
    let disc = Some(oracle::disc(
        0.0,
        f64::midpoint(8.1e-20, 3.7e-20),
        1.0,
        2118,
    ));
    assert!(
        found.iter().all(|&found| oracle::same(found, disc)),
        "{found:?}"
    );
}

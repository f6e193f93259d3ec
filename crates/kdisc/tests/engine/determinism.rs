//! The same bytes for any order of the rows and any number of threads.

use crate::oracle;

use kdisc::{Anonymity, Delta, Measure, Metric, Point, Population};
use oracle::cases::Random;
use oracle::compare::per_row;
use oracle::maps::{self, Map};

const THREADS: [usize; 3] = [1, 2, 4];

/// The rows in another order.
fn shuffled(random: &mut Random, rows: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    for i in (1..rows).rev() {
        order.swap(i, random.below(i + 1));
    }
    order
}

fn check(map: Map, size: usize) {
    let mut random = Random(77);
    let (points, weights) = map(&mut random, size);
    for metric in [Metric::L2, Metric::Linf, Metric::L1] {
        for delta in [0.0, 15.0, f64::INFINITY] {
            let asked = Anonymity::new(10).unwrap().with_metric(metric);
            let asked = asked.with_delta(Delta::new(delta).unwrap());
            let want = per_row(&points, &weights, asked, 1);
            for threads in THREADS {
                let order = shuffled(&mut random, points.len());
                let other: Vec<Point> = order.iter().map(|&row| points[row]).collect();
                let heavy: Vec<u64> = order.iter().map(|&row| weights[row]).collect();
                let got = per_row(&other, &heavy, asked, threads);
                for (got, &row) in got.into_iter().zip(&order) {
                    assert!(
                        oracle::same(got, want[row]),
                        "{asked:?}, {threads} threads, row {row}, {:?}: {got:?}, not {:?}",
                        points[row],
                        want[row]
                    );
                }
            }
        }
    }
}

#[test]
fn clustered() {
    check(maps::towns, 3000);
}

#[test]
fn lattice() {
    check(maps::lattice, 2000);
}

#[test]
fn gridded() {
    check(maps::coarse, 3000);
}

#[test]
fn rings() {
    check(maps::rings, 1500);
}

#[test]
fn contrasts() {
    check(maps::contrast, 1500);
}

#[test]
fn zeros_of_either_sign_are_one_place() {
    let signs = [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (0.0, 0.0)];
    let asked = Anonymity::new(6).unwrap();
    let mut all = Vec::new();
    for first in 0..signs.len() {
        let mut points = vec![Point::new(0.0, 4.0), Point::new(-3.0, -0.0)];
        for i in 0..signs.len() {
            let (x, y) = signs[(first + i) % signs.len()];
            points.push(Point::new(x, y));
        }
        let population = Population::new(&points).unwrap();
        assert_eq!(population.locations().len(), 3);
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let discs = Measure::new(&population, asked.with_delta(delta)).all();
            all.push((delta, population.locations().to_vec(), discs.unwrap()));
        }
    }
    for (delta, locations, discs) in &all {
        let first = all.iter().find(|(d, _, _)| d == delta).unwrap();
        for (i, disc) in discs.iter().enumerate() {
            assert_eq!(locations[i].x.to_bits(), first.1[i].x.to_bits());
            assert_eq!(locations[i].y.to_bits(), first.1[i].y.to_bits());
            assert!(
                oracle::same(*disc, first.2[i]),
                "{disc:?}, not {:?}",
                first.2[i]
            );
        }
    }
}

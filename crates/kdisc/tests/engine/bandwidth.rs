//! Bandwidths against plain counting.

use crate::oracle;

use kdisc::density::{Kernel, Reaches, scott, stretched};
use kdisc::{Anonymity, Delta, Measure, Point, Population};
use oracle::cases::Random;

fn sample(random: &mut Random, count: usize) -> (Vec<Point>, Vec<u64>) {
    let points = (0..count).map(|_| {
        let spread = random.pick(&[1.0, 10.0, 300.0]);
        Point::new(
            (random.bell() * spread).round(),
            random.bell() * spread * 2.0,
        )
    });
    let points = points.collect();
    (
        points,
        (0..count).map(|_| random.pick(&[1, 1, 2, 4, 0])).collect(),
    )
}

fn radii(population: &Population, k: u64) -> Vec<Option<kdisc::Disc>> {
    let asked = Anonymity::new(k).unwrap().with_delta(Delta::ZERO);
    Measure::new(population, asked).all().unwrap()
}

/// Units with at least k units in the ellipse of these axes round them.
fn reached(points: &[Point], weights: &[u64], k: u64, axes: [f64; 2]) -> u64 {
    let rows = 0..points.len();
    let enough = |row: &usize| {
        let within = |other: &usize| {
            let x = (points[*other].x - points[*row].x) / axes[0];
            let y = (points[*other].y - points[*row].y) / axes[1];
            x * x + y * y <= 1.0
        };
        let near = (0..points.len()).filter(within);
        near.map(|other| weights[other]).sum::<u64>() >= k
    };
    rows.filter(enough).map(|row| weights[row]).sum()
}

#[test]
fn the_smallest_bandwidth_that_reaches_a_share() {
    let mut random = Random(8);
    for k in [1, 2, 5, 17] {
        let (points, weights) = sample(&mut random, 150);
        let population = Population::with_weights(&points, &weights).unwrap();
        let reaches = Reaches::new(&population, &radii(&population, k));
        let units = population.units();
        for share in [0.01, 0.5, 0.9, 0.99, 1.0] {
            let h = reaches.bandwidth(share).unwrap();
            // A hair more, as the oracle divides.
            let at = reached(&points, &weights, k, [h.max(1e-9) * (1.0 + 1e-12); 2]);
            assert_eq!(at, reaches.reached(h), "k={k} {share}");
            assert!(at as f64 >= share * units as f64 - 1e-9);
            if h > 0.0 {
                let less = reached(&points, &weights, k, [h * (1.0 - 1e-9); 2]);
                assert!((less as f64) < share * units as f64, "k={k} {share}");
            }
        }
        assert_eq!(reaches.reached(f64::INFINITY), units);
    }
}

#[test]
fn who_has_no_disc_is_never_reached() {
    let points = oracle::points(&[(0.0, 0.0), (3.0, 4.0)]);
    let population = Population::new(&points).unwrap();
    let reaches = Reaches::new(&population, &radii(&population, 3));
    assert_eq!((reaches.bandwidth(0.5), reaches.reached(1e9)), (None, 0));
    let reaches = Reaches::new(&population, &radii(&population, 2));
    assert_eq!(reaches.bandwidth(1.0), Some(5.0));
    assert_eq!((reaches.reached(4.9), reaches.reached(5.0)), (0, 2));
}

#[test]
fn scotts_rule_and_whom_it_exposes() {
    let mut random = Random(21);
    let (points, weights) = sample(&mut random, 200);
    let population = Population::with_weights(&points, &weights).unwrap();
    let axes = scott(&population);
    let units: Vec<&Point> = points
        .iter()
        .zip(&weights)
        .flat_map(|(point, &weight)| std::iter::repeat_n(point, weight as usize))
        .collect();
    let n = units.len() as f64;
    for (axis, of) in axes.iter().zip([|p: &Point| p.x, |p: &Point| p.y]) {
        let mean = units.iter().map(|p| of(p)).sum::<f64>() / n;
        let squares = units.iter().map(|p| (of(p) - mean).powi(2)).sum::<f64>();
        let expected = (squares / (n - 1.0)).sqrt() * n.powf(-1.0 / 6.0);
        assert!((axis / expected - 1.0).abs() < 1e-12);
    }
    let plane = stretched(&population, axes).unwrap();
    let reaches = Reaches::new(&plane, &radii(&plane, 10));
    assert_eq!(reaches.reached(1.0), reached(&points, &weights, 10, axes));
}

#[test]
fn units_on_a_line_or_at_one_place_have_no_bandwidth_across() {
    let line = oracle::points(&[(5.0, 0.0), (5.0, 10.0), (5.0, 20.0)]);
    let population = Population::new(&line).unwrap();
    let [x, y] = scott(&population);
    assert_eq!(x, 0.0);
    assert!(y > 0.0);
    let plane = stretched(&population, [x, y]).unwrap();
    assert_eq!(plane.locations().len(), 3);
    let place = Population::with_weights(&line[..1], &[1]).unwrap();
    assert_eq!(scott(&place), [0.0, 0.0]);
    assert_eq!(stretched(&place, [0.0, 0.0]).unwrap().units(), 1);
}

/// Kernels of equivalent bandwidth have the same variance along an axis.
#[test]
fn equivalent_kernels_are_equally_wide() {
    for kernel in [
        Kernel::Gaussian,
        Kernel::Uniform,
        Kernel::Quartic,
        Kernel::Epanechnikov,
    ] {
        let h = kernel.equivalent(1.0);
        let (mut sum, mut squares) = (0.0, 0.0);
        let step = 0.01;
        for i in -500..=500 {
            for j in -500..=500 {
                let (x, y) = (f64::from(i) * step, f64::from(j) * step);
                let height = kernel.height(x, y, h);
                sum += height;
                squares += height * x * x;
            }
        }
        // The Gaussian is cut.
        assert!(
            (squares / sum - 1.0).abs() < 2e-3,
            "{kernel}: {}",
            squares / sum
        );
    }
}

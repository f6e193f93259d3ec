//! The figures of a survey are those of the full measure.

use kdisc::statistics::{figures, sorted};
use kdisc::zoom::{Known, Limits, Raster, Survey, survey};
use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population, example};

fn asked(k: u64, delta: f64, metric: Metric) -> Anonymity {
    let delta = Delta::new(delta).unwrap();
    Anonymity::new(k)
        .unwrap()
        .with_delta(delta)
        .with_metric(metric)
}

fn town(units: usize) -> Vec<Point> {
    let town = example::town(units, example::SEED);
    town.iter().map(|unit| Point::new(unit.x, unit.y)).collect()
}

fn all(population: &Population, anonymity: Anonymity) -> Vec<Disc> {
    let discs = Measure::new(population, anonymity).all().unwrap();
    discs.into_iter().map(Option::unwrap).collect()
}

/// The same figures by measuring everything.
fn oracle(population: &Population, anonymity: Anonymity, limits: Limits) -> Survey {
    let discs = all(population, anonymity);
    let weights = population.multiplicities();
    let radii = discs.iter().zip(weights).map(|(d, &w)| (d.radius, w));
    let figures = figures(&sorted(radii.collect()), |w| w).unwrap();
    let counted = || (0..discs.len()).filter(|&l| weights[l] > 0);
    let mut largest: Vec<_> = counted().map(|l| (l as u32, discs[l])).collect();
    largest.sort_by(|a, b| b.1.radius.total_cmp(&a.1.radius));
    largest.truncate(5);
    let above = counted().filter(|&l| {
        limits.radius.is_some_and(|limit| discs[l].radius > limit)
            || limits.risk.is_some_and(|limit| discs[l].risk() > limit)
    });
    Survey {
        radius_median: figures.median,
        radius_p99: figures.p99,
        radius_max: figures.max,
        risk_max: counted().map(|l| discs[l].risk()).fold(0.0, f64::max),
        largest,
        above: above.map(|l| l as u32).collect(),
        measured: 0,
    }
}

/// Checks the figures from bounds; not all locations may have been measured for them.
fn check(population: &Population, anonymity: Anonymity, known: Known, limits: Limits) {
    let measure = Measure::new(population, anonymity);
    let found = survey(measure, known, limits).unwrap().unwrap();
    let mut expected = oracle(population, anonymity, limits);
    expected.measured = found.measured;
    assert_eq!(found, expected, "{anonymity:?}");
    let all = population.locations().len();
    assert!(found.measured < all * 9 / 10, "{} of {all}", found.measured);
}

#[test]
fn bounds_from_another_delta_give_the_figures_of_this_one() {
    let points = town(15_000);
    let weights: Vec<u64> = (0..points.len() as u64).map(|i| i % 3).collect();
    let population = Population::with_weights(&points, &weights).unwrap();
    for (delta, metric) in [
        (20.0, Metric::L2),
        (1.0, Metric::L2),
        (60.0, Metric::Linf),
        (5.0, Metric::L1),
    ] {
        let anonymity = asked(10, delta, metric);
        let at = |delta| Measure::new(&population, anonymity.with_delta(delta)).all();
        let at_zero = at(Delta::ZERO).unwrap();
        let at_infinity = at(Delta::INFINITE).unwrap();
        let known = Known::Discs {
            at_zero: &at_zero,
            at_infinity: &at_infinity,
        };
        for limits in [
            Limits::default(),
            Limits {
                radius: Some(500.0),
                risk: None,
            },
            Limits {
                radius: Some(900.0),
                risk: Some(40.0),
            },
        ] {
            check(&population, anonymity, known.clone(), limits);
        }
    }
}

#[test]
fn bounds_from_the_plane_give_the_figures_of_the_pixels() {
    let points = town(20_000);
    let plane = Population::new(&points).unwrap();
    for (pixel, dot, k, delta) in [
        (0.5, 1.0, 10, 1.0),
        (3.0, 1.0, 10, 1.0),
        (3.0, 4.0, 10, 4.0),
        (10.0, 1.0, 5, 0.0),
        (7.0, 1.0, 10, f64::INFINITY),
    ] {
        let anonymity = asked(k, delta, Metric::L2);
        let raster = Raster::new(pixel).unwrap().with_dot(dot).unwrap();
        let pixels = raster.pixels(&points).unwrap();
        let population = Population::new(&pixels).unwrap();
        let cluster = delta == f64::INFINITY;
        let origin = if cluster {
            Delta::INFINITE
        } else {
            Delta::ZERO
        };
        let discs = all(&plane, anonymity.with_delta(origin));
        let blur = raster.blur(Metric::L2);
        let below = if cluster { 0.0 } else { delta };
        let mut bounds = vec![(0.0f64, f64::INFINITY); population.locations().len()];
        for (row, &of_pixel) in population.location_of_row().iter().enumerate() {
            let radius = discs[plane.location_of_row()[row] as usize].radius / pixel;
            let (low, high) = &mut bounds[of_pixel as usize];
            *low = low.max(radius - blur - below);
            *high = high.min(radius + blur);
        }
        // Bounds must be bounds, or the figures would be right by luck.
        for (disc, (low, high)) in all(&population, anonymity).iter().zip(&bounds) {
            let room = 1e-9 * disc.radius;
            assert!(low - room <= disc.radius && disc.radius <= high + room);
        }
        let limits = Limits {
            radius: Some(300.0 / pixel),
            risk: None,
        };
        check(&population, anonymity, Known::Bounds(bounds), limits);
    }
}

#[test]
fn too_few_units_have_no_figures() {
    let population = Population::new(&[Point::new(0.0, 0.0), Point::new(1.0, 0.0)]).unwrap();
    let known = Known::Bounds(vec![(0.0, 1.0); 2]);
    let measure = Measure::new(&population, asked(3, 1.0, Metric::L2));
    assert_eq!(survey(measure, known, Limits::default()), Ok(None));
}

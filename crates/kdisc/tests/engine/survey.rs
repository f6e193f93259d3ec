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

/// Checks the figures from bounds, and says how many locations were measured for them.
fn same(population: &Population, anonymity: Anonymity, known: Known, limits: Limits) -> usize {
    let measure = Measure::new(population, anonymity);
    let found = survey(measure, known, limits).unwrap().unwrap();
    let mut expected = oracle(population, anonymity, limits);
    expected.measured = found.measured;
    assert_eq!(found, expected, "{anonymity:?}");
    found.measured
}

/// Checks the figures from bounds; not all locations may have been measured for them.
fn check(population: &Population, anonymity: Anonymity, known: Known, limits: Limits) {
    let measured = same(population, anonymity, known, limits);
    let all = population.locations().len();
    assert!(measured < all * 9 / 10, "{measured} of {all}");
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

/// Numbers that look random.
fn scatter(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed;
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Bounds that are as wide as `room`, and not always about the middle.
fn about(discs: &[Disc], room: f64) -> Vec<(f64, f64)> {
    let mut next = scatter(7);
    let bounds = discs.iter().map(|disc| {
        let below = room * next(1_000) as f64 / 1e3;
        ((disc.radius - below).max(0.0), disc.radius + room - below)
    });
    bounds.collect()
}

#[test]
fn ties_and_duplicates_do_not_blur_the_figures() {
    let mut next = scatter(1);
    let mut points = Vec::new();
    let mut weights = Vec::new();
    // A full lattice, a sparse one on halves, doubles, a line, and units at random.
    for i in 0..6_000u32 {
        let (x, y) = match i % 5 {
            0 => (f64::from(i / 5 % 40), f64::from(i / 200)),
            1 => (next(200) as f64 / 2.0, next(200) as f64 / 2.0),
            2 => (7.0 + next(4) as f64, 9.0),
            3 => (50.0 + f64::from(i) / 64.0, 20.0),
            _ => (next(1 << 30) as f64 / 1e7, next(1 << 30) as f64 / 1e7),
        };
        points.push(Point::new(x, y));
        weights.push(next(3));
    }
    let exact = Population::with_weights(&points, &weights).unwrap();
    let pixels = Raster::new(1.0).unwrap().pixels(&points).unwrap();
    let pixels = Population::with_weights(&pixels, &weights).unwrap();
    for (population, k, delta, metric) in [
        (&exact, 10, 1.0, Metric::L2),
        (&exact, 10, 0.25, Metric::L2),
        (&exact, 3, 6.0, Metric::L2),
        (&exact, 10, 1.0, Metric::L1),
        (&exact, 10, 1.0, Metric::Linf),
        (&pixels, 3, 1.0, Metric::L2),
        (&pixels, 4, 1.0, Metric::L1),
        (&pixels, 4, 2.0, Metric::Linf),
        (&pixels, 5, 1.0, Metric::L2),
        (&pixels, 10, 1.0, Metric::L2),
        (&pixels, 10, 0.0, Metric::L2),
        (&pixels, 10, f64::INFINITY, Metric::L2),
    ] {
        let anonymity = asked(k, delta, metric);
        let discs = all(population, anonymity);
        for room in [0.01, 0.7, 30.0] {
            for limit in [None, Some(0.5), Some(2f64.sqrt() / 2.0), Some(1.0)] {
                let limits = Limits {
                    radius: limit,
                    risk: limit.map(|limit| limit / 4.0),
                };
                let known = Known::Bounds(about(&discs, room));
                same(population, anonymity, known, limits);
            }
        }
    }
}

#[test]
fn equal_radii_on_a_lattice_need_one_disc() {
    // Half of the pixels have two units, so most radii are 1/2 or √½.
    let mut next = scatter(3);
    let mut points = Vec::new();
    for x in 0..120u32 {
        for y in 0..120u32 {
            points.push(Point::new(f64::from(x), f64::from(y)));
            if next(2) == 0 {
                points.push(Point::new(f64::from(x), f64::from(y)));
            }
        }
    }
    // The largest are named, so all that tie with these are measured: here they are a few others.
    points.extend((0..20).map(|i| Point::new(1e3 + f64::from(i * i), 0.0)));
    let population = Population::new(&points).unwrap();
    for k in [3, 4, 5, 6] {
        let anonymity = asked(k, 1.0, Metric::L2);
        let known = Known::Bounds(about(&all(&population, anonymity), 2.0));
        let measured = same(&population, anonymity, known, Limits::default());
        assert!(measured < 1_200, "k = {k}: {measured}");
    }
}

#[test]
fn too_few_units_have_no_figures() {
    let population = Population::new(&[Point::new(0.0, 0.0), Point::new(1.0, 0.0)]).unwrap();
    let known = Known::Bounds(vec![(0.0, 1.0); 2]);
    let measure = Measure::new(&population, asked(3, 1.0, Metric::L2));
    assert_eq!(survey(measure, known, Limits::default()), Ok(None));
}

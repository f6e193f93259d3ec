//! Changes of the input that must not change the answer, or only in a known way, to the bit.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use oracle::cases::Random;
use oracle::compare::per_row;
use oracle::maps::{MAPS, Map};

const SIZE: usize = 500;

/// Every map in every metric at three δ; the fourth argument is δ.
fn everywhere(test: impl Fn(&str, &[Point], &[u64], Anonymity)) {
    for (number, (name, map)) in MAPS.into_iter().enumerate() {
        let (points, weights) = made(map, number as u64);
        for metric in [Metric::L2, Metric::Linf, Metric::L1] {
            for delta in [0.0, 20.0, f64::INFINITY] {
                for k in [4, 11] {
                    let asked = Anonymity::new(k).unwrap().with_metric(metric);
                    let asked = asked.with_delta(Delta::new(delta).unwrap());
                    test(&format!("{name} {asked:?}"), &points, &weights, asked);
                }
            }
        }
    }
}

fn made(map: Map, seed: u64) -> (Vec<Point>, Vec<u64>) {
    map(&mut Random(seed), SIZE)
}

fn ask(points: &[Point], weights: &[u64], asked: Anonymity) -> Vec<Option<Disc>> {
    per_row(points, weights, asked, 2)
}

fn assert_same(name: &str, points: &[Point], got: &[Option<Disc>], want: &[Option<Disc>]) {
    for ((point, got), want) in points.iter().zip(got).zip(want) {
        assert!(
            oracle::same(*got, *want),
            "{name}, {point:?}: {got:?}, not {want:?}"
        );
    }
}

#[test]
fn repeated_rows_are_multiplicity() {
    everywhere(|name, points, weights, asked| {
        let few: Vec<u64> = weights.iter().map(|&w| w.min(5)).collect();
        let mut rows = points.to_vec();
        let mut ones: Vec<u64> = few.iter().map(|&w| w.min(1)).collect();
        for (&point, &weight) in points.iter().zip(&few) {
            rows.extend((1..weight).map(|_| point));
        }
        ones.resize(rows.len(), 1);
        let want = ask(points, &few, asked);
        assert_same(
            name,
            points,
            &ask(&rows, &ones, asked)[..points.len()],
            &want,
        );
    });
}

/// Weights that single precision cannot hold, and a k that no sum of them meets: one unit more is
/// one more of the small weights.
#[test]
fn large_weights_are_counted_to_the_unit() {
    const MANY: u64 = 33_333_333;
    everywhere(|name, points, weights, asked| {
        let large: Vec<u64> = weights.iter().map(|&w| w * MANY).collect();
        for (more, short) in [(0, 0), (1, 1)] {
            let few = Anonymity::new(asked.k() + more).unwrap();
            let many = Anonymity::new(asked.k() * MANY + short).unwrap();
            let [few, many] =
                [few, many].map(|a| a.with_metric(asked.metric()).with_delta(asked.delta()));
            let mut want = ask(points, weights, few);
            for disc in want.iter_mut().flatten() {
                disc.units *= MANY;
            }
            assert_same(name, points, &ask(points, &large, many), &want);
        }
    });
}

#[test]
fn locations_without_units_change_no_other_answer() {
    everywhere(|name, points, weights, asked| {
        let mut random = Random(5);
        let (mut rows, mut with_zeros) = (points.to_vec(), weights.to_vec());
        for _ in 0..100 {
            rows.push(Point::new(random.pick(points).x, random.pick(points).y));
            with_zeros.push(0);
        }
        let want = ask(points, weights, asked);
        assert_same(name, points, &ask(&rows, &with_zeros, asked), &want);
    });
}

#[test]
fn places_and_parts_get_the_same_answers_as_all() {
    everywhere(|name, points, weights, asked| {
        let population = Population::with_weights(points, weights).unwrap();
        let measure = Measure::new(&population, asked);
        let want = measure.all().unwrap();
        let some: Vec<u32> = (0..want.len() as u32).step_by(7).rev().collect();
        let places: Vec<Point> = some
            .iter()
            .map(|&l| population.locations()[l as usize])
            .collect();
        let want: Vec<_> = some.iter().map(|&l| want[l as usize]).collect();
        assert_same(name, &places, &measure.locations(&some).unwrap(), &want);
        assert_same(name, &places, &measure.places(&places).unwrap(), &want);
    });
}

/// δ is a length too.
fn scaled_delta(asked: Anonymity, factor: f64) -> Anonymity {
    asked.with_delta(Delta::new(asked.delta().distance() * factor).unwrap())
}

#[test]
fn powers_of_two_scale_exactly() {
    everywhere(|name, points, weights, asked| {
        let finite = asked.delta().distance().is_finite() && asked.delta() != Delta::ZERO;
        if finite && asked.metric() == Metric::L2 {
            return; // Good to 1e-12 only.
        }
        for factor in [2f64.powi(-30), 0.5, 2f64.powi(200)] {
            let scale = |p: &Point| Point::new(p.x * factor, p.y * factor);
            let grown: Vec<Point> = points.iter().map(scale).collect();
            let want = ask(points, weights, asked).into_iter();
            let want = want.map(|disc| {
                disc.map(|disc| Disc {
                    center: scale(&disc.center),
                    radius: disc.radius * factor,
                    units: disc.units,
                })
            });
            let want: Vec<_> = want.collect();
            let got = ask(&grown, weights, scaled_delta(asked, factor));
            assert_same(&format!("{name} times {factor}"), &grown, &got, &want);
        }
    });
}

/// Radius and units, the radius to 1e-12 where finite δ allows that.
fn assert_same_size(
    name: &str,
    points: &[Point],
    got: &[Option<Disc>],
    want: &[Option<Disc>],
    asked: Anonymity,
) {
    let tolerance = match (asked.metric(), asked.delta()) {
        (Metric::L2, delta) if delta != Delta::ZERO && delta != Delta::INFINITE => 2e-12,
        _ => 0.0,
    };
    for ((point, got), want) in points.iter().zip(got).zip(want) {
        let same = match (got, want) {
            (Some(got), Some(want)) => {
                let error = (got.radius - want.radius).abs();
                error <= tolerance * want.radius && got.units == want.units
            }
            _ => got == want,
        };
        assert!(same, "{name}, {point:?}: {got:?}, not {want:?}");
    }
}

#[test]
fn exact_translations_keep_radius_and_units() {
    everywhere(|name, points, weights, asked| {
        // Whole numbers only: there every sum is exact.
        let whole = |p: &Point| Point::new(p.x.round(), p.y.round());
        let points: Vec<Point> = points.iter().map(whole).collect();
        let moved = |p: &Point| Point::new(p.x + 1_048_576.0, p.y - 333_333.0);
        let there: Vec<Point> = points.iter().map(moved).collect();
        let want = ask(&points, weights, asked);
        let got = ask(&there, weights, asked);
        assert_same_size(name, &points, &got, &want, asked);
    });
}

#[test]
fn mirrors_keep_radius_and_units() {
    everywhere(|name, points, weights, asked| {
        let want = ask(points, weights, asked);
        for mirror in [
            |p: &Point| Point::new(p.y, p.x),
            |p: &Point| Point::new(-p.x, p.y),
        ] {
            let there: Vec<Point> = points.iter().map(mirror).collect();
            let got = ask(&there, weights, asked);
            assert_same_size(name, points, &got, &want, asked);
        }
    });
}

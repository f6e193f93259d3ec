//! The oracles themselves: against known numbers, against each other, and against published
//! answers. The engine takes no part here.

use crate::oracle;

use kdisc::{Metric, Point};
use num_bigint::BigInt;
use num_rational::BigRational;
use oracle::cases::{self, Case, Maker, Random};
use oracle::compare::{some_k, try_cases};
use oracle::discs::Discs;
use oracle::exact::{is_nearest, nearest, nearest_sqrt, rational, scaled};

fn ratio(a: i64, b: i64) -> BigRational {
    BigRational::new(a.into(), b.into())
}

#[test]
fn the_nearest_double_of_a_rational() {
    assert_eq!(nearest(&ratio(1, 3)), 1.0 / 3.0);
    assert_eq!(nearest(&ratio(-1, 10)), -0.1);
    assert_eq!(nearest(&ratio(0, 1)).to_bits(), 0.0f64.to_bits());
    // 2^53 + 1 lies between two doubles: the even one.
    assert_eq!(nearest(&ratio((1 << 53) + 1, 1)), (1u64 << 53) as f64);
    assert_eq!(nearest(&ratio((1 << 53) + 3, 1)), ((1u64 << 53) + 4) as f64);
    assert!(!is_nearest(0.1f64.next_up(), &ratio(1, 10)));
    let mut random = Random(1);
    for _ in 0..1000 {
        let (a, b) = (random.real() - 0.5, random.real());
        assert_eq!(nearest(&(rational(a) / rational(b))), a / b);
        assert_eq!(nearest(&(rational(a) * rational(1e150))), a * 1e150);
        assert_eq!(nearest(&(rational(a) * rational(1e-150))), a * 1e-150);
    }
}

#[test]
fn the_nearest_double_of_a_square_root() {
    assert_eq!(nearest_sqrt(&ratio(0, 1)), 0.0);
    // The square root of the hardware is correctly rounded; the oracle takes no part of it on
    // trust but the guess.
    let mut random = Random(2);
    for _ in 0..1000 {
        for scale in [1.0, 1e290, 1e-290] {
            let a = random.real() * scale;
            assert_eq!(nearest_sqrt(&rational(a)), a.sqrt());
        }
    }
    // The root of a tie: (2^53 + 1)² has its root between two doubles.
    let odd = BigRational::from(BigInt::from((1i64 << 53) + 1));
    assert_eq!(nearest_sqrt(&(&odd * &odd)), (1u64 << 53) as f64);
}

#[test]
fn doubles_as_whole_numbers() {
    let (whole, exponent) = scaled(&[0.0, -0.75, 6.0, 1e-120, 1e140]);
    for (whole, value) in whole.iter().zip([0.0, -0.75, 6.0, 1e-120, 1e140]) {
        let back = BigRational::from(whole.clone()) * oracle::exact::power_of_two(exponent);
        assert_eq!(back, rational(value));
    }
}

/// The same enumeration in plain doubles: radius to a billionth.
fn float_cluster(case: &Case, anchor: Point, k: u64) -> f64 {
    let all: Vec<Point> = case.points.iter().chain(&case.places).copied().collect();
    let distance = |a, b| oracle::distance(Metric::L2, a, b);
    let mut best = f64::INFINITY;
    let mut offer = |c: Point, r: f64| {
        let r = r * (1.0 + 1e-10) + 1e-13;
        let rows = case.points.iter().zip(&case.weights);
        let units: u64 = rows
            .filter(|(p, _)| distance(**p, c) <= r)
            .map(|(_, w)| w)
            .sum();
        if units >= k && distance(anchor, c) <= r {
            best = best.min(r);
        }
    };
    for (i, &p) in all.iter().enumerate() {
        offer(p, 0.0);
        for (j, &q) in all.iter().enumerate().skip(i + 1) {
            offer(
                Point::new(p.x.midpoint(q.x), p.y.midpoint(q.y)),
                distance(p, q) / 2.0,
            );
            for s in &all[j + 1..] {
                let (ax, ay, bx, by) = (q.x - p.x, q.y - p.y, s.x - p.x, s.y - p.y);
                let d = 2.0 * (ax * by - ay * bx);
                let (a, b) = (ax * ax + ay * ay, bx * bx + by * by);
                let (x, y) = ((a * by - b * ay) / d, (b * ax - a * bx) / d);
                offer(Point::new(p.x + x, p.y + y), x.hypot(y));
            }
        }
    }
    best
}

#[test]
fn exact_and_plain_enumeration_agree() {
    for (name, maker) in [
        ("uniform", cases::uniform as Maker),
        ("small_integers", cases::small_integers),
        ("cocircular", cases::cocircular),
    ] {
        try_cases(name, 60, maker, |case, random| {
            let oracle = Discs::new(&case.points, &case.weights, &case.places);
            for k in some_k(random, case.units()) {
                for &anchor in &oracle.locations.points {
                    let exact = oracle.cluster(anchor, k).map(|a| a.rounded().radius);
                    let float = float_cluster(case, anchor, k);
                    let same = match exact {
                        None => float == f64::INFINITY,
                        Some(exact) => (exact - float).abs() <= 1e-9 * exact + 1e-12,
                    };
                    if !same {
                        return Some(format!("k {k}, {anchor:?}: {exact:?}, {float}"));
                    }
                }
            }
            None
        });
    }
}

#[test]
fn small_and_big_whole_numbers_agree() {
    // Times 2^20 + 1 the coordinates leave the small range, and nothing else changes.
    let factor = f64::from((1 << 20) + 1);
    try_cases(
        "small_integers",
        100,
        cases::small_integers,
        |case, random| {
            let grow = |p: &Point| Point::new(p.x * factor, p.y * factor);
            let points: Vec<Point> = case.points.iter().map(grow).collect();
            let small = Discs::new(&case.points, &case.weights, &[]);
            let big = Discs::new(&points, &case.weights, &[]);
            let scale = rational(factor);
            for k in some_k(random, case.units()) {
                for p in &case.points {
                    let mut want = small.cluster(*p, k);
                    if let Some(want) = &mut want {
                        want.squared_radius *= &scale * &scale;
                        want.center.0 *= &scale;
                        want.center.1 *= &scale;
                    }
                    let got = big.cluster(grow(p), k);
                    if got != want {
                        return Some(format!("k {k}, {p:?}: {got:?}, {want:?}"));
                    }
                }
            }
            None
        },
    );
}

#[test]
fn published_answers_for_a_sample_of_enterprises() {
    let Some((_, answers)) = oracle::enterprises::load() else {
        return;
    };
    let mut checked = 0;
    for anchor in answers.iter().step_by(97) {
        // Discs that hold the anchor and are not larger than the best lie within twice its radius.
        let near: Vec<_> = answers
            .iter()
            .filter(|a| {
                let away = oracle::distance(Metric::L2, a.point, anchor.point);
                away <= 2.0 * anchor.radius_infinite + 1.0
            })
            .collect();
        if near.len() > 40 {
            continue;
        }
        let points: Vec<Point> = near.iter().map(|a| a.point).collect();
        let weights: Vec<u64> = near.iter().map(|a| a.multiplicity).collect();
        let oracle = Discs::new(&points, &weights, &[]);
        let got = oracle.cluster(anchor.point, 10).unwrap().rounded();
        assert!((got.radius - anchor.radius_infinite).abs() <= 1e-12 * got.radius);
        assert_eq!(got.units, anchor.units_infinite);
        if near.len() > 20 {
            let got = oracle.centred(anchor.point, 10).unwrap().rounded();
            // Only where enough of the neighbourhood is there.
            if anchor.radius_zero <= 2.0 * anchor.radius_infinite {
                assert_eq!(
                    (got.radius, got.units),
                    (anchor.radius_zero, anchor.units_zero)
                );
            }
        }
        checked += 1;
    }
    assert!(checked >= 20, "only {checked} anchors had few neighbours");
}

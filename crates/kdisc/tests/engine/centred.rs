//! Discs centred on the locations, of every location: units in exact order of their distances.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Point, Population};
use num_bigint::BigInt;
use num_rational::BigRational;
use oracle::cases::Random;
use oracle::discs::whole_points;
use oracle::exact::{nearest_sqrt, power_of_two};
use oracle::maps::MAPS;

/// Round the largest that neighbours answer together, too.
const ASKED: [u64; 6] = [1, 2, 10, 24, 25, 60];

/// The discs of all locations for all that is asked.
fn wanted(population: &Population) -> Vec<[Option<Disc>; ASKED.len()]> {
    let locations = population.locations();
    let (whole, exponent) = whole_points(locations);
    let unit = power_of_two(exponent);
    let squared = |a: &(BigInt, BigInt), b: &(BigInt, BigInt)| {
        let (x, y) = (&a.0 - &b.0, &a.1 - &b.1);
        &x * &x + &y * &y
    };
    let discs = whole.iter().zip(locations).map(|(anchor, &center)| {
        let others = whole.iter().zip(population.multiplicities());
        let mut units: Vec<_> = others.map(|(p, &w)| (squared(anchor, p), w)).collect();
        units.sort();
        ASKED.map(|k| {
            let mut sum = 0;
            let last = units.iter().position(|(_, weight)| {
                sum += weight;
                sum >= k
            })?;
            let far = &units[last].0;
            let equal = units[last + 1..].iter().take_while(|(d, _)| d == far);
            Some(Disc {
                center,
                radius: nearest_sqrt(&(BigRational::from(far.clone()) * &unit * &unit)),
                units: sum + equal.map(|(_, weight)| weight).sum::<u64>(),
            })
        })
    });
    discs.collect()
}

#[test]
fn every_disc_on_every_map() {
    // Whole metres far away, fractions, and so small and large that squares are rounded.
    for scale in [1.0, 0.1, 1e-9, 1e9 / 7.0] {
        for (number, (name, map)) in MAPS.into_iter().enumerate() {
            let mut random = Random(number as u64);
            let (mut points, mut weights) = map(&mut random, 300);
            for point in &mut points {
                *point = Point::new(point.x * scale, point.y * scale);
            }
            for weight in &mut weights {
                *weight = random.pick(&[0, *weight, *weight, *weight, *weight, 3, 40]);
            }
            let population = Population::with_weights(&points, &weights).unwrap();
            let wanted = wanted(&population);
            for (i, k) in ASKED.into_iter().enumerate() {
                let asked = Anonymity::new(k).unwrap().with_delta(Delta::ZERO);
                let got = Measure::new(&population, asked).all().unwrap();
                for (got, want) in got.into_iter().zip(&wanted) {
                    let want = want[i];
                    assert!(
                        oracle::same(got, want),
                        "{name} × {scale}, k = {k}: {got:?}, not {want:?}"
                    );
                }
            }
        }
    }
}

/// A leaf beside a town has too much round it to be told together.
#[test]
fn beside_a_town() {
    let mut random = Random(7);
    let mut points: Vec<Point> = (0..2000)
        .map(|_| Point::new(random.real(), random.real()))
        .collect();
    points.extend((0..40).map(|_| Point::new(20.0 + 30.0 * random.real(), random.bell())));
    let population = Population::new(&points).unwrap();
    let asked = Anonymity::new(12).unwrap().with_delta(Delta::ZERO);
    let got = Measure::new(&population, asked).all().unwrap();
    for (anchor, got) in population.locations().iter().zip(got) {
        let mut squared: Vec<f64> = points
            .iter()
            .map(|p| (p.x - anchor.x).powi(2) + (p.y - anchor.y).powi(2))
            .collect();
        squared.sort_by(f64::total_cmp);
        let (got, want) = (got.unwrap(), squared[11].sqrt());
        assert!(
            (got.radius - want).abs() <= 1e-12 * want,
            "{anchor:?}: {got:?}, not {want}"
        );
        assert_eq!(got.units, 12, "{anchor:?}");
    }
}

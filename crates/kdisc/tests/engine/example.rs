//! The built-in example is what it promises to be.

use crate::oracle;

use std::collections::BTreeMap;

use kdisc::example::{SEED, UNITS, town};
use kdisc::{Point, Population};
use oracle::enterprises::{self, MULTIPLICITIES};

fn multiplicities(units: usize, seed: u64) -> BTreeMap<u64, usize> {
    let town = town(units, seed).into_iter();
    let points: Vec<Point> = town.map(|e| Point::new(e.x, e.y)).collect();
    enterprises::multiplicities(&Population::new(&points).unwrap())
}

#[test]
fn the_default_town_has_the_multiplicities_of_the_paper() {
    let paper = MULTIPLICITIES.into();
    assert_eq!(multiplicities(UNITS, SEED), paper);
    assert_eq!(multiplicities(UNITS, 1), paper, "whatever the seed");
}

#[test]
fn the_default_town_never_changes() {
    let mut checksum = 0u64;
    for e in town(UNITS, SEED) {
        for part in [
            e.x as u64,
            e.y as u64,
            (e.production * 100.0).round() as u64,
            u64::from(e.fined),
        ] {
            // FNV-1a, a word at a time.
            checksum = (checksum ^ part).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(checksum, 0xa37d_fe2b_365a_e831);
}

#[test]
fn every_size_has_exactly_its_units() {
    for units in [
        0, 1, 2, 3, 10, 52, 53, 100, 999, 4173, 4174, 12_521, 12_522, 100_000,
    ] {
        let town = town(units, SEED);
        assert_eq!(town.len(), units);
        for e in &town {
            assert_eq!((e.x.fract(), e.y.fract()), (0.0, 0.0));
            assert!(e.x >= 0.0 && e.y >= 0.0 && e.x < 1e6 && e.y < 1e6);
            assert!(e.production > 0.0);
        }
    }
}

#[test]
fn larger_examples_are_larger_not_denser() {
    let extent = |units: usize| {
        let xs = town(units, SEED).into_iter().map(|e| e.x);
        let (low, high) = xs.fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    };
    let ratio = extent(16 * UNITS) / extent(UNITS);
    assert!((3.9..4.1).contains(&ratio), "{ratio}");
    let table = multiplicities(16 * UNITS, SEED);
    assert_eq!((table[&1], table[&2], table[&68]), (16 * 7945, 16 * 80, 16));
}

#[test]
fn rows_are_in_no_spatial_order() {
    let town = town(UNITS, SEED);
    let step: f64 = town
        .windows(2)
        .map(|w| (w[0].x - w[1].x).hypot(w[0].y - w[1].y))
        .sum::<f64>()
        / UNITS as f64;
    assert!(step > 2000.0, "neighbours in the file are {step} m apart");
}

#[test]
fn production_is_skewed_and_fines_are_rare() {
    let town = town(UNITS, SEED);
    let mut production: Vec<f64> = town.iter().map(|e| e.production).collect();
    production.sort_by(f64::total_cmp);
    let mean = production.iter().sum::<f64>() / UNITS as f64;
    assert!(mean > 1.4 * production[UNITS / 2]);
    let fined = town.iter().filter(|e| e.fined).count();
    assert!((200..600).contains(&fined), "{fined}");
}

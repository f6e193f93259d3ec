//! Thousands of small sets, δ=0 and δ=∞: the engine's radius, units and centre must be the
//! oracle's to the bit, for all locations and for places outside the population.

use crate::oracle;

use kdisc::{Anonymity, Delta};
use oracle::cases::{self, Case, Maker, Random};
use oracle::compare::{engine, some_k, try_cases};
use oracle::discs::Discs;

fn check(case: &Case, random: &mut Random) -> Option<String> {
    let oracle = Discs::new(&case.points, &case.weights, &case.places);
    for k in some_k(random, case.units()) {
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let asked = Anonymity::new(k).unwrap().with_delta(delta);
            for (anchor, got) in engine(case, asked) {
                let exact = match delta {
                    Delta::ZERO => oracle.centred(anchor, k),
                    _ => oracle.cluster(anchor, k),
                };
                let want = exact.map(|answer| answer.rounded());
                if !oracle::same(got, want) {
                    return Some(format!(
                        "k {k}, delta {delta}, anchor {anchor:?}\n got {got:?}\nwant {want:?}"
                    ));
                }
            }
        }
    }
    None
}

fn agrees(name: &str, count: u64, maker: Maker) {
    try_cases(name, count, maker, check);
}

#[test]
fn small_integers() {
    agrees("small_integers", 400, cases::small_integers);
}

#[test]
fn lattices_with_holes() {
    agrees("lattices_with_holes", 400, cases::lattice);
}

#[test]
fn decimal_lattices() {
    agrees("decimal_lattices", 150, cases::decimal_lattice);
}

#[test]
fn collinear() {
    agrees("collinear", 300, cases::collinear);
}

#[test]
fn cocircular() {
    agrees("cocircular", 400, cases::cocircular);
}

#[test]
fn nearly_cocircular() {
    agrees("nearly_cocircular", 200, cases::nearly_cocircular);
}

#[test]
fn nearly_tied() {
    agrees("nearly_tied", 300, cases::nearly_tied);
}

#[test]
fn all_equal() {
    agrees("all_equal", 50, cases::all_equal);
}

#[test]
fn uniform() {
    agrees("uniform", 200, cases::uniform);
}

#[test]
fn near_1e_7() {
    agrees("near_1e_7", 150, cases::near_1e_7);
}

#[test]
fn near_6e6() {
    agrees("near_6e6", 200, cases::near_6e6);
}

#[test]
fn clusters() {
    agrees("clusters", 200, cases::clusters);
}

#[test]
fn extreme_scales() {
    agrees("extreme_scales", 100, cases::extreme_scales);
}

#[test]
fn mixed_scales() {
    agrees("mixed_scales", 150, cases::mixed_scales);
}

#[test]
fn near_duplicates() {
    agrees("near_duplicates", 60, cases::near_duplicates);
}

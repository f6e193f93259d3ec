//! L2 at 0 < δ < ∞ on small sets. Where the disc at δ=∞ is small enough it is the answer, to the
//! bit; elsewhere the radius must be the oracle's to 1e-12, with the same units and centre.

use crate::oracle;

use kdisc::Anonymity;
use oracle::cases::{self, Case, Maker, Random};
use oracle::compare::{engine, some_delta, some_k, try_cases};
use oracle::discs::Discs;
use oracle::finite;

fn check(case: &Case, random: &mut Random) -> Option<String> {
    let oracle = Discs::new(&case.points, &case.weights, &case.places);
    for k in some_k(random, case.units()) {
        let anchor = random.pick(&oracle.locations.points);
        let cluster = oracle.cluster(anchor, k);
        let radius = cluster.map_or(1.0, |answer| answer.rounded().radius);
        for _ in 0..2 {
            let delta = some_delta(random, &oracle.locations.points, radius);
            let asked = Anonymity::new(k).unwrap().with_delta(delta);
            for (anchor, got) in engine(case, asked) {
                let want = finite::answer(&oracle, anchor, k, delta.distance());
                let wrong = match (&want, got) {
                    (None, None) => None,
                    (Some(want), Some(got)) => want.refutes(got),
                    _ => Some(format!("should be {want:?}")),
                };
                if let Some(wrong) = wrong {
                    return Some(format!(
                        "k {k}, delta {delta:?}, {anchor:?}\n got {got:?}\n{wrong}"
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
    agrees("small_integers", 250, cases::small_integers);
}

#[test]
fn lattices_with_holes() {
    agrees("lattices_with_holes", 250, cases::lattice);
}

#[test]
fn decimal_lattices() {
    agrees("decimal_lattices", 80, cases::decimal_lattice);
}

#[test]
fn collinear() {
    agrees("collinear", 100, cases::collinear);
}

#[test]
fn cocircular() {
    agrees("cocircular", 200, cases::cocircular);
}

#[test]
fn nearly_tied() {
    agrees("nearly_tied", 200, cases::nearly_tied);
}

#[test]
fn uniform() {
    agrees("uniform", 300, cases::uniform);
}

#[test]
fn near_1e_7() {
    agrees("near_1e_7", 60, cases::near_1e_7);
}

#[test]
fn near_6e6() {
    agrees("near_6e6", 100, cases::near_6e6);
}

#[test]
fn clusters() {
    agrees("clusters", 100, cases::clusters);
}

#[test]
fn extreme_scales() {
    agrees("extreme_scales", 60, cases::extreme_scales);
}

#[test]
fn near_duplicates() {
    agrees("near_duplicates", 40, cases::near_duplicates);
}

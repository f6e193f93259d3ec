//! L∞ and L1 on small sets, at every δ: radius, units and centre must be the oracle's to the bit.

use crate::oracle;

use kdisc::{Anonymity, Delta, Metric};
use oracle::cases::{self, Case, Maker, Random};
use oracle::compare::{engine, some_delta, some_k, try_cases};
use oracle::squares::Squares;

fn check(case: &Case, random: &mut Random, metric: Metric) -> Option<String> {
    let oracle = Squares::new(&case.points, &case.weights, &case.places, metric);
    for k in some_k(random, case.units()) {
        // Each k at one δ: the many cases cover the combinations.
        let delta = match random.below(4) {
            0 => Delta::ZERO,
            1 => Delta::INFINITE,
            _ => {
                let anchor = random.pick(&oracle.locations.points);
                let answer = oracle.answer(anchor, k, Delta::INFINITE);
                let radius = answer.map_or(1.0, |a| a.rounded().radius);
                some_delta(random, &oracle.locations.points, radius)
            }
        };
        let asked = Anonymity::new(k).unwrap();
        let asked = asked.with_delta(delta).with_metric(metric);
        for (anchor, got) in engine(case, asked) {
            let want = oracle.answer(anchor, k, delta).map(|a| a.rounded());
            if !oracle::same(got, want) {
                return Some(format!(
                    "k {k}, delta {delta:?}, {metric}, {anchor:?}\n got {got:?}\nwant {want:?}"
                ));
            }
        }
    }
    None
}

fn agrees(name: &str, count: u64, maker: Maker) {
    for metric in [Metric::Linf, Metric::L1] {
        let name = format!("{name} {metric}");
        try_cases(&name, count, maker, |case, random| {
            check(case, random, metric)
        });
    }
}

#[test]
fn small_integers() {
    agrees("small_integers", 150, cases::small_integers);
}

#[test]
fn lattices_with_holes() {
    agrees("lattices_with_holes", 150, cases::lattice);
}

#[test]
fn decimal_lattices() {
    agrees("decimal_lattices", 100, cases::decimal_lattice);
}

#[test]
fn collinear() {
    agrees("collinear", 100, cases::collinear);
}

#[test]
fn cocircular() {
    agrees("cocircular", 50, cases::cocircular);
}

#[test]
fn nearly_tied() {
    agrees("nearly_tied", 100, cases::nearly_tied);
}

#[test]
fn all_equal() {
    agrees("all_equal", 20, cases::all_equal);
}

#[test]
fn uniform() {
    agrees("uniform", 100, cases::uniform);
}

#[test]
fn near_6e6() {
    agrees("near_6e6", 80, cases::near_6e6);
}

#[test]
fn clusters() {
    agrees("clusters", 80, cases::clusters);
}

#[test]
fn extreme_scales() {
    agrees("extreme_scales", 40, cases::extreme_scales);
}

#[test]
fn mixed_scales() {
    agrees("mixed_scales", 60, cases::mixed_scales);
}

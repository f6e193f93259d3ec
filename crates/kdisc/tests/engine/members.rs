//! Which locations a disc holds: those that the oracle has in it, also where doubles cannot tell.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Members, Metric, Point, Population};
use num_rational::BigRational;
use oracle::cases::{self, Case, Maker, Random};
use oracle::compare::{some_delta, some_k, try_cases};
use oracle::discs::Discs;
use oracle::exact::rational;
use oracle::{Answer, distance};

type Found = (Point, Disc, Vec<u32>);

/// The disc of every location, and what it holds.
fn found(population: &Population, asked: Anonymity) -> Vec<Found> {
    let discs = Measure::new(population, asked).all().unwrap();
    let mut members = Members::new(population, asked);
    let each = discs.into_iter().enumerate();
    let each = each.filter_map(|(location, disc)| {
        let disc = disc?;
        let inside = members.of(location, &disc).to_vec();
        Some((population.locations()[location], disc, inside))
    });
    each.collect()
}

fn exactly_in(answer: &Answer, population: &Population) -> Vec<u32> {
    let square = |x: BigRational| &x * &x;
    let all = population
        .locations()
        .iter()
        .zip(population.multiplicities());
    let inside = all.enumerate().filter(|(_, (p, weight))| {
        let x = square(rational(p.x) - &answer.center.0);
        let y = square(rational(p.y) - &answer.center.1);
        **weight > 0 && x + y <= answer.squared_radius
    });
    inside.map(|(i, _)| i as u32).collect()
}

fn check_exact(case: &Case, random: &mut Random) -> Option<String> {
    let oracle = Discs::new(&case.points, &case.weights, &[]);
    let population = Population::with_weights(&case.points, &case.weights).unwrap();
    for k in some_k(random, case.units()) {
        for delta in [Delta::ZERO, Delta::INFINITE] {
            let asked = Anonymity::new(k).unwrap().with_delta(delta);
            for (anchor, _, got) in found(&population, asked) {
                let exact = match delta {
                    Delta::ZERO => oracle.centred(anchor, k),
                    _ => oracle.cluster(anchor, k),
                };
                let want = exactly_in(&exact.expect("there is a disc"), &population);
                if got != want {
                    return Some(format!("k {k}, {delta}, {anchor:?}: {got:?}, not {want:?}"));
                }
            }
        }
    }
    None
}

/// Where there is no exact answer to compare: as many units as the disc has, the nearest ones.
fn check_counts(case: &Case, random: &mut Random) -> Option<String> {
    let population = Population::with_weights(&case.points, &case.weights).unwrap();
    let weight = |l: &u32| population.multiplicities()[*l as usize];
    for k in some_k(random, case.units()) {
        for metric in [Metric::L2, Metric::Linf, Metric::L1] {
            for delta in [
                Delta::ZERO,
                some_delta(random, &case.points, 1.0),
                Delta::INFINITE,
            ] {
                let asked = Anonymity::new(k)
                    .unwrap()
                    .with_metric(metric)
                    .with_delta(delta);
                for (anchor, disc, got) in found(&population, asked) {
                    let units: u64 = got.iter().map(weight).sum();
                    let away =
                        |l: u32| distance(metric, population.locations()[l as usize], disc.center);
                    let slack =
                        2e-9 * disc.radius + 1e-15 * (disc.center.x.abs() + disc.center.y.abs());
                    let far = got.iter().find(|&&l| away(l) > disc.radius + slack);
                    let left_out = (0..population.locations().len() as u32).find(|l| {
                        !got.contains(l) && weight(l) > 0 && away(*l) < disc.radius - slack
                    });
                    if units != disc.units || far.is_some() || left_out.is_some() {
                        return Some(format!(
                            "{asked:?}, {anchor:?}, {disc:?}: {got:?}, {units} units, {far:?}, {left_out:?}"
                        ));
                    }
                }
            }
        }
    }
    None
}

fn agrees(name: &str, count: u64, maker: Maker) {
    try_cases(name, count, maker, check_exact);
    try_cases(name, count / 2, maker, check_counts);
}

#[test]
fn lattices_and_whole_numbers() {
    agrees("small_integers", 100, cases::small_integers);
    agrees("lattice", 100, cases::lattice);
    agrees("decimal_lattice", 100, cases::decimal_lattice);
    agrees("collinear", 100, cases::collinear);
}

#[test]
fn circles_that_doubles_cannot_tell() {
    agrees("cocircular", 100, cases::cocircular);
    agrees("nearly_cocircular", 300, cases::nearly_cocircular);
    agrees("nearly_tied", 300, cases::nearly_tied);
}

#[test]
fn every_scale() {
    agrees("near_6e6", 100, cases::near_6e6);
    agrees("near_1e_7", 100, cases::near_1e_7);
    agrees("clusters", 100, cases::clusters);
    agrees("extreme_scales", 100, cases::extreme_scales);
    agrees("mixed_scales", 100, cases::mixed_scales);
    agrees("all_equal", 30, cases::all_equal);
}

/// Just outside, by one step between doubles, or just inside.
#[test]
fn a_hair_beside_the_circle() {
    let (east, hair) = (1e6, 1e6f64.next_up() - 1e6);
    let metrics = [Metric::L2, Metric::Linf, Metric::L1];
    for (metric, off) in metrics
        .into_iter()
        .flat_map(|m| [-hair, 0.0, hair].map(|off| (m, off)))
    {
        let points = [(-1.0, 0.0), (1.0, 0.0), (1.0 + off, 0.0)];
        let points = points.map(|(x, y)| Point::new(east + x, y));
        let population = Population::with_weights(&points, &[5, 5, 1]).unwrap();
        let row = |row: usize| population.location_of_row()[row];
        let asked = Anonymity::new(10).unwrap().with_metric(metric);
        for (anchor, disc, got) in found(&population, asked) {
            let beyond = points[2].x > points[1].x;
            let mut want = vec![row(0), row(1)];
            if !beyond || anchor == points[2] {
                want.push(row(2));
            }
            want.sort_unstable();
            want.dedup();
            assert_eq!(got, want, "{metric}, {off}, {anchor:?}, {disc:?}");
        }
    }
}

//! The paper's data set at k = 10: all 8,055 answers, the table of multiplicities and the sums.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Point, Population};
use oracle::enterprises::{self, Exact, MULTIPLICITIES};

fn measured(points: &[Point], delta: Delta) -> (Population, Vec<Disc>) {
    let population = Population::new(points).unwrap();
    let asked = Anonymity::new(10).unwrap().with_delta(delta);
    let discs = Measure::new(&population, asked).all().unwrap();
    let discs = discs.into_iter().map(|disc| disc.expect("8,348 units"));
    let discs = discs.collect();
    (population, discs)
}

fn check(delta: Delta, sum: f64, exact: impl Fn(&Exact) -> (f64, u64)) {
    let Some((points, answers)) = enterprises::load() else {
        return;
    };
    let (population, discs) = measured(&points, delta);
    assert_eq!(discs.len(), 8055);
    assert_eq!(answers.len(), 8055);
    let mut wrong = Vec::new();
    for answer in &answers {
        let is_here = |p: &Point| *p == answer.point;
        let location = population.locations().iter().position(is_here).unwrap();
        assert_eq!(population.multiplicities()[location], answer.multiplicity);
        let got = discs[location];
        let (radius, units) = exact(answer);
        if (got.radius - radius).abs() > 1e-9 * radius || got.units != units {
            wrong.push(format!(
                "{:?}: {got:?}, not {radius}, {units}",
                answer.point
            ));
        }
    }
    let first = &wrong[..wrong.len().min(5)];
    assert!(wrong.is_empty(), "{} differ: {first:#?}", wrong.len());
    let total: f64 = discs.iter().map(|disc| disc.radius).sum();
    assert!(
        (total - sum).abs() < 2e-6,
        "sum of radii {total}, not {sum}"
    );
}

#[test]
fn delta_zero() {
    let exact = |e: &Exact| (e.radius_zero, e.units_zero);
    check(Delta::ZERO, 942_531.955_928, exact);
}

#[test]
fn delta_infinite() {
    let exact = |e: &Exact| (e.radius_infinite, e.units_infinite);
    check(Delta::INFINITE, 596_367.664_089, exact);
}

#[test]
fn multiplicities() {
    let Some((points, _)) = enterprises::load() else {
        return;
    };
    let population = Population::new(&points).unwrap();
    let table = enterprises::multiplicities(&population);
    assert_eq!(table, MULTIPLICITIES.into());
    assert_eq!(population.units(), 8348);
}

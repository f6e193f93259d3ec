//! Any points, weights, places, k, δ and metric: small sets against the oracles of the tests, all
//! sets against what the definition promises.

#![no_main]

#[path = "../../crates/kdisc/tests/oracle/mod.rs"]
mod oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population, check_coordinate};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use oracle::cases::Case;
use oracle::compare::engine;
use oracle::discs::Discs;
use oracle::finite;
use oracle::squares::Squares;

/// The oracles enumerate triples of so many locations and places within a millisecond or so.
const FEW: usize = 10;

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes make no case.
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(bytes: &mut Unstructured) -> Result<()> {
    let metric = *bytes.choose(&[Metric::L2, Metric::L2, Metric::Linf, Metric::L1])?;
    let kind = bytes.arbitrary::<u8>()?;
    let rows = match bytes.arbitrary::<u8>()? {
        n @ 0..=199 => 1 + usize::from(n % 8),
        n => 4 * usize::from(n - 190),
    };
    let k = match bytes.arbitrary::<u8>()? {
        k @ 0..=249 => 1 + u64::from(k % 32),
        _ => 1 + bytes.arbitrary::<u64>()? % (1 << 40),
    };
    let delta = delta(bytes)?;
    let place_count = usize::from(bytes.arbitrary::<u8>()? % 3);
    let mut case = Case {
        points: Vec::new(),
        weights: Vec::new(),
        places: Vec::new(),
    };
    for _ in 0..rows {
        let point = point(bytes, kind, &case.points)?;
        case.points.push(point);
        case.weights.push(weight(bytes)?);
    }
    for _ in 0..place_count {
        let place = point(bytes, kind, &case.points)?;
        case.places.push(place);
    }
    if case.units() > 0 {
        let asked = Anonymity::new(k).unwrap().with_metric(metric);
        let asked = asked.with_delta(Delta::new(delta).unwrap());
        against_promises(&case, asked);
        if case.points.len() + case.places.len() <= FEW {
            against_oracle(&case, asked);
        }
    }
    Ok(())
}

fn delta(bytes: &mut Unstructured) -> Result<f64> {
    Ok(match bytes.arbitrary::<u8>()? {
        0..=60 => f64::INFINITY,
        61..=100 => 0.0,
        n @ 101..=220 => f64::from(n - 100) / 8.0,
        _ => Some(bytes.arbitrary::<f64>()?.abs())
            .filter(|d| *d >= 0.0)
            .unwrap_or(1.0),
    })
}

fn weight(bytes: &mut Unstructured) -> Result<u64> {
    Ok(match bytes.arbitrary::<u8>()? {
        0..=180 => 1,
        n @ 181..=250 => u64::from((n - 181) % 8),
        _ => bytes.arbitrary::<u64>()? >> 20,
    })
}

fn point(bytes: &mut Unstructured, kind: u8, before: &[Point]) -> Result<Point> {
    // Beside another point, by a few units in the last place.
    if kind & 8 != 0 && !before.is_empty() && bytes.arbitrary::<u8>()? < 60 {
        let near = *bytes.choose(before)?;
        return Ok(Point::new(nudged(bytes, near.x)?, nudged(bytes, near.y)?));
    }
    Ok(Point::new(
        coordinate(bytes, kind)?,
        coordinate(bytes, kind)?,
    ))
}

fn nudged(bytes: &mut Unstructured, x: f64) -> Result<f64> {
    let steps = i64::from(bytes.arbitrary::<i8>()? % 3);
    Ok(valid(
        f64::from_bits(x.to_bits().wrapping_add_signed(steps)),
        x,
    ))
}

/// `x` when it can be a coordinate.
fn valid(x: f64, otherwise: f64) -> f64 {
    if check_coordinate(0, x).is_ok() {
        x
    } else {
        otherwise
    }
}

fn coordinate(bytes: &mut Unstructured, kind: u8) -> Result<f64> {
    let small = f64::from(bytes.arbitrary::<i8>()?);
    Ok(match kind & 7 {
        0 | 1 => small % 5.0,
        2 => small,
        3 => small / 10.0,
        4 => 155_000.3 + small * 0.1,
        5 => 6e6 + f64::from(bytes.arbitrary::<i32>()?) / 65_536.0,
        6 => valid(small * f64::from(bytes.arbitrary::<i8>()?).exp2(), small),
        _ => valid(bytes.arbitrary::<f64>()?, small),
    })
}

fn against_oracle(case: &Case, asked: Anonymity) {
    let (k, delta, metric) = (asked.k(), asked.delta(), asked.metric());
    let discs = Discs::new(&case.points, &case.weights, &case.places);
    for (anchor, got) in engine(case, asked) {
        let want = match (metric, delta) {
            (Metric::L2, Delta::ZERO) => discs.centred(anchor, k),
            (Metric::L2, Delta::INFINITE) => discs.cluster(anchor, k),
            (Metric::L2, _) => {
                let want = finite::answer(&discs, anchor, k, delta.distance());
                let wrong = match (&want, got) {
                    (None, None) => None,
                    (Some(want), Some(got)) => want.refutes(got),
                    _ => Some(format!("should be {want:?}")),
                };
                assert!(
                    wrong.is_none(),
                    "{asked:?} {anchor:?} {case:?}\n{got:?} {wrong:?}"
                );
                continue;
            }
            _ => Squares::new(&case.points, &case.weights, &case.places, metric)
                .answer(anchor, k, delta),
        };
        let want = want.map(|answer| answer.rounded());
        assert!(
            oracle::same(got, want),
            "{asked:?} {anchor:?} {case:?}\n got {got:?}\nwant {want:?}"
        );
    }
}

/// What holds for every set: the order of δ and of k, the size of the answers, and the same bytes
/// for another order of the rows.
fn against_promises(case: &Case, asked: Anonymity) {
    let got = engine(case, asked);
    let zero = engine(case, asked.with_delta(Delta::ZERO));
    let infinite = engine(case, asked.with_delta(Delta::INFINITE));
    for (i, &(anchor, disc)) in got.iter().enumerate() {
        let context = || format!("{asked:?} {anchor:?} {case:?}: {disc:?}");
        assert_eq!(disc.is_some(), case.units() >= asked.k(), "{}", context());
        let (Some(disc), Some(zero), Some(infinite)) = (disc, zero[i].1, infinite[i].1) else {
            continue;
        };
        assert!(
            disc.units >= asked.k() && disc.units <= case.units(),
            "{}",
            context()
        );
        assert!(
            disc.radius <= zero.radius * (1.0 + 3e-12),
            "{} {zero:?}",
            context()
        );
        assert!(
            infinite.radius <= disc.radius * (1.0 + 3e-12),
            "{} {infinite:?}",
            context()
        );
        assert!(
            zero.radius <= infinite.radius * 2.0 * (1.0 + 1e-15),
            "{} {zero:?}",
            context()
        );
    }
    let mut reversed = case.clone();
    reversed.points.reverse();
    reversed.weights.reverse();
    let there = one_per_row(&reversed, asked);
    for (row, disc) in one_per_row(case, asked).into_iter().enumerate() {
        let mirror = there[case.points.len() - 1 - row];
        assert!(
            oracle::same(disc, mirror),
            "{asked:?} {case:?} row {row}: {disc:?} {mirror:?}"
        );
    }
}

fn one_per_row(case: &Case, asked: Anonymity) -> Vec<Option<Disc>> {
    let population = Population::with_weights(&case.points, &case.weights).unwrap();
    let discs = Measure::new(&population, asked).threads(1).all().unwrap();
    let rows = population.location_of_row();
    rows.iter()
        .map(|&location| discs[location as usize])
        .collect()
}

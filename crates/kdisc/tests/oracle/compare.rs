//! Asks the engine and an oracle the same question, and reports the first difference with all that
//! is needed to repeat it.

use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};

use super::cases::{Case, Maker, Random};
use super::distance;

/// The engine's answers for all locations and places of a case.
pub fn engine(case: &Case, asked: Anonymity) -> Vec<(Point, Option<Disc>)> {
    let population = Population::with_weights(&case.points, &case.weights).expect("valid points");
    let measure = Measure::new(&population, asked).threads(1);
    let discs = measure.all().expect("not cancelled");
    let places = measure.places(&case.places).expect("valid places");
    let locations = population.locations().iter().copied().zip(discs);
    let places = case.places.iter().copied().zip(places);
    locations.chain(places).collect()
}

/// The engine's answers, one per row.
pub fn per_row(
    points: &[Point],
    weights: &[u64],
    asked: Anonymity,
    threads: usize,
) -> Vec<Option<Disc>> {
    let population = Population::with_weights(points, weights).expect("valid points");
    let measure = Measure::new(&population, asked).threads(threads);
    let discs = measure.all().expect("not cancelled");
    let rows = population.location_of_row().iter();
    rows.map(|&location| discs[location as usize]).collect()
}

/// Some values of k worth asking: the least, the most, one too many, and some between.
pub fn some_k(random: &mut Random, units: u64) -> Vec<u64> {
    let mut all = vec![1, 2, 3, units.saturating_sub(1).max(1), units, units + 1];
    all.extend((0..2).map(|_| 1 + random.next() % units));
    all.extend((0..2).map(|_| 1 + random.next() % units.min(8)));
    all.sort_unstable();
    all.dedup();
    all
}

/// A finite δ > 0 worth asking: near `radius` (an answer at δ=∞), or a distance between points.
pub fn some_delta(random: &mut Random, points: &[Point], radius: f64) -> Delta {
    let (p, q) = (random.pick(points), random.pick(points));
    let distance = match random.below(9) {
        0 => radius,
        1 => radius.next_up(),
        2 => radius.next_down(),
        3 => radius * random.real(),
        4 => radius * random.pick(&[0.5, 0.99, 1e-6]),
        5 => distance(Metric::L2, p, q),
        6 => distance(Metric::L2, p, q) / 2.0,
        7 => (p.x - q.x).abs(),
        _ => radius * 2.0 * random.real(),
    };
    let fallback = if radius > 0.0 { radius / 2.0 } else { 1.0 };
    Delta::new(if distance > 0.0 { distance } else { fallback }).expect("positive")
}

/// How many cases to try: the number, times `KDISC_CASES` when that is set.
pub fn times(count: u64) -> u64 {
    let factor = std::env::var("KDISC_CASES")
        .ok()
        .and_then(|f| f.parse::<f64>().ok());
    (count as f64 * factor.unwrap_or(1.0)).ceil() as u64
}

/// Tries many cases; a failing one is shrunk and printed. `check` says what is wrong.
pub fn try_cases(
    name: &str,
    count: u64,
    maker: Maker,
    check: impl Fn(&Case, &mut Random) -> Option<String>,
) {
    let base = name
        .bytes()
        .fold(0u64, |h, b| h.wrapping_mul(131).wrapping_add(u64::from(b)));
    for number in 0..times(count) {
        let seed = base.wrapping_mul(1_000_003).wrapping_add(number);
        let mut random = Random(seed);
        let bare = maker(&mut random);
        let case = Case::dressed(&mut random, bare);
        // The same questions for every part of the case.
        let check = |case: &Case| check(case, &mut Random(seed));
        if check(&case).is_some() {
            let small = case.shrunk(|part| check(part).is_some());
            let wrong = check(&small).expect("the shrunk case fails");
            panic!("{name}, case {number}, seed {seed}\n{wrong}\n{small:?}");
        }
    }
}

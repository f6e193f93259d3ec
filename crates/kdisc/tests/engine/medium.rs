//! Middle-sized maps with abrupt changes of density, to catch a search that stops too early.
//!
//! The engine's radius r bounds where to look: a disc that holds the anchor and is no larger lies
//! within 2r of it. The few locations there go to the exact oracle; where they are too many, to
//! the published enumeration of pairs and triples, in plain doubles.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use oracle::cases::{Case, Random};
use oracle::compare::times;
use oracle::discs::Discs;
use oracle::finite;
use oracle::maps::MAPS;
use oracle::squares::Squares;

/// Triples of so many are quickly enumerated, exactly or in doubles.
const FEW: usize = 32;
const MANY: usize = 130;

/// The locations within `reach` of the anchor in L∞, with the anchor as the only place.
fn near(all: &Case, anchor: Point, reach: f64) -> Case {
    let reach = reach * (1.0 + 1e-9);
    let rows = all.points.iter().zip(&all.weights);
    let inside = |p: &Point| (p.x - anchor.x).abs() <= reach && (p.y - anchor.y).abs() <= reach;
    let (points, weights) = rows
        .filter(|(p, _)| inside(p))
        .map(|(&p, &w)| (p, w))
        .unzip();
    Case {
        points,
        weights,
        places: vec![anchor],
    }
}

/// What is wrong with an answer; `None` in the outer option when there are too many to tell.
fn verdict(all: &Case, asked: Anonymity, anchor: Point, got: Disc) -> Option<Result<(), String>> {
    let delta = asked.delta();
    let reach = match (asked.metric(), delta) {
        (_, Delta::ZERO) => got.radius,
        // Squares of L1 reach as far along the axes.
        (Metric::L1 | Metric::Linf, _) => 2.0 * got.radius,
        (Metric::L2, _) => got.radius + delta.distance().min(got.radius),
    };
    let part = near(all, anchor, reach);
    let few = part.points.len() <= FEW;
    let want = match asked.metric() {
        Metric::L2 if few => {
            let oracle = Discs::new(&part.points, &part.weights, &part.places);
            match delta {
                Delta::ZERO => oracle.centred(anchor, asked.k()),
                Delta::INFINITE => oracle.cluster(anchor, asked.k()),
                _ => {
                    let want = finite::answer(&oracle, anchor, asked.k(), delta.distance());
                    let wrong = want.map_or(Some("no disc at all".into()), |w| w.refutes(got));
                    return Some(wrong.map_or(Ok(()), Err));
                }
            }
        }
        Metric::L2 if delta == Delta::INFINITE && part.points.len() <= MANY => {
            return Some(published(&part, anchor, asked.k(), got));
        }
        Metric::L2 => return None,
        metric if part.points.len() < 64 => {
            Squares::new(&part.points, &part.weights, &part.places, metric).answer(
                anchor,
                asked.k(),
                delta,
            )
        }
        _ => return None,
    };
    let want = want.map(|answer| answer.rounded());
    Some(if oracle::same(want, Some(got)) {
        Ok(())
    } else {
        Err(format!("should be {want:?}"))
    })
}

/// The published Algorithm 2 in doubles: no smaller disc holds the anchor and k units.
fn published(part: &Case, anchor: Point, k: u64, got: Disc) -> Result<(), String> {
    let seen = |p: &Point| (p.x - anchor.x, p.y - anchor.y);
    let points: Vec<(f64, f64)> = part.points.iter().chain(&part.places).map(seen).collect();
    let units = |(x, y): (f64, f64), r: f64| -> u64 {
        let rows = points.iter().zip(&part.weights);
        let inside = rows.filter(|(p, _)| (p.0 - x).powi(2) + (p.1 - y).powi(2) <= r * r);
        inside.map(|(_, weight)| weight).sum()
    };
    let smaller = |(x, y): (f64, f64), r: f64| {
        let reach = r * (1.0 + 1e-12);
        r < got.radius * (1.0 - 1e-9) && x * x + y * y <= reach * reach && units((x, y), reach) >= k
    };
    // Few circles pass the first two tests; hypot would take most of the time.
    let length = |x: f64, y: f64| (x * x + y * y).sqrt();
    for (i, p) in points.iter().enumerate() {
        for (j, q) in points.iter().enumerate().skip(i + 1) {
            let (ax, ay) = (q.0 - p.0, q.1 - p.1);
            let (aa, x, y) = (ax * ax + ay * ay, ax / 2.0, ay / 2.0);
            if aa.sqrt() > 2.0 * got.radius {
                continue;
            }
            if smaller((p.0 + x, p.1 + y), length(x, y)) {
                return Err(format!(
                    "a smaller disc has the diameter {p:?}, {q:?} from the anchor"
                ));
            }
            for s in &points[j + 1..] {
                let (bx, by) = (s.0 - p.0, s.1 - p.1);
                let d = 2.0 * (ax * by - ay * bx);
                let bb = bx * bx + by * by;
                let (x, y) = ((aa * by - bb * ay) / d, (bb * ax - aa * bx) / d);
                if smaller((p.0 + x, p.1 + y), length(x, y)) {
                    return Err(format!(
                        "a smaller disc is on {p:?}, {q:?}, {s:?} from the anchor"
                    ));
                }
            }
        }
    }
    let center = (got.center.x - anchor.x, got.center.y - anchor.y);
    // The centre is rounded to a double, far from the origin.
    let slack = 1e-9 * got.radius + 4.0 * f64::EPSILON * (got.center.x.abs() + got.center.y.abs());
    let counted = units(center, got.radius + slack);
    if counted < got.units || got.units < k {
        return Err(format!("there are only {counted} units in it"));
    }
    Ok(())
}

/// The most isolated, those whose disc moves the most, and some by chance.
fn sample(random: &mut Random, discs: &[(Point, Disc)]) -> Vec<(Point, Disc)> {
    let mut order: Vec<usize> = (0..discs.len()).collect();
    let moved = |i: &usize| {
        let (anchor, disc) = discs[*i];
        oracle::distance(Metric::L2, disc.center, anchor)
    };
    order.sort_by(|a, b| discs[*b].1.radius.total_cmp(&discs[*a].1.radius));
    let mut chosen = order[..10.min(order.len())].to_vec();
    order.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
    chosen.extend(&order[..10.min(order.len())]);
    chosen.extend((0..25).map(|_| random.below(discs.len())));
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|i| discs[i]).collect()
}

fn check(metric: Metric, sizes: &[usize], ks: &[u64], deltas: &[f64]) {
    for (number, (name, map)) in MAPS.into_iter().enumerate() {
        for round in 0..times(1) {
            let seed = 1000 * round + number as u64;
            let mut random = Random(seed);
            let size = random.pick(sizes);
            let (points, weights) = map(&mut random, size);
            let places = places(&mut random, &points);
            let case = Case {
                points,
                weights,
                places,
            };
            let population = Population::with_weights(&case.points, &case.weights).unwrap();
            let (mut checked, mut skipped) = (0, 0);
            for &k in ks {
                let asked = Anonymity::new(k).unwrap().with_metric(metric);
                let cluster = answers(&population, &case, asked);
                for &part in deltas {
                    let typical = cluster[cluster.len() / 2].1.radius;
                    let delta = if part.is_finite() {
                        part * typical
                    } else {
                        part
                    };
                    let asked = asked.with_delta(Delta::new(delta).unwrap());
                    let answers = answers(&population, &case, asked);
                    for (anchor, got) in sample(&mut random, &answers) {
                        match verdict(&case, asked, anchor, got) {
                            None => skipped += 1,
                            Some(Ok(())) => checked += 1,
                            Some(Err(wrong)) => panic!(
                                "{name}, {size} points, seed {seed}: {asked:?}, {anchor:?}\n got {got:?}\n{wrong}\nnear it: {:?}",
                                near(&case, anchor, 2.0 * got.radius)
                            ),
                        }
                    }
                }
            }
            assert!(
                checked >= skipped,
                "{name}: {checked} checked, {skipped} too large to check"
            );
        }
    }
}

fn places(random: &mut Random, points: &[Point]) -> Vec<Point> {
    let one = |random: &mut Random| {
        let (p, q) = (random.pick(points), random.pick(points));
        Point::new(p.x, q.y)
    };
    (0..20).map(|_| one(random)).collect()
}

fn answers(population: &Population, case: &Case, asked: Anonymity) -> Vec<(Point, Disc)> {
    let measure = Measure::new(population, asked);
    let locations = population.locations().iter().copied();
    let all = locations.zip(measure.all().unwrap());
    let places = case.places.iter().copied();
    let all = all.chain(places.zip(measure.places(&case.places).unwrap()));
    let units = population.units();
    let found = all.map(|(anchor, disc)| {
        let disc =
            disc.unwrap_or_else(|| panic!("no disc for {anchor:?}, {asked:?}, {units} units"));
        (anchor, disc)
    });
    found.collect()
}

const INFINITE: f64 = f64::INFINITY;

#[test]
fn discs_at_zero_and_infinite_delta() {
    check(Metric::L2, &[300, 1000], &[2, 5, 10], &[0.0, INFINITE]);
}

#[test]
fn discs_of_many_units() {
    check(Metric::L2, &[300, 3000], &[25], &[INFINITE]);
}

#[test]
fn discs_at_finite_delta() {
    check(Metric::L2, &[300, 1000], &[2, 6], &[0.01, 0.6, 1.0, 3.0]);
}

/// In a row at even distances every disc is known, and all tie with those beside them.
#[test]
fn long_row() {
    let points: Vec<Point> = (0..100_000)
        .map(|i| Point::new(8.0 * f64::from(i), 450_000.0))
        .collect();
    let population = Population::new(&points).unwrap();
    let locations = population.locations();
    for k in [2, 10, 50] {
        let measure = Measure::new(&population, Anonymity::new(k).unwrap());
        for (anchor, disc) in locations.iter().zip(measure.all().unwrap()) {
            let steps = (k - 1) as f64;
            let want = Disc {
                // As far left as it goes with the anchor in it, or from the first unit on.
                center: Point::new((anchor.x - 4.0 * steps).max(4.0 * steps), 450_000.0),
                radius: 4.0 * steps,
                units: k,
            };
            assert!(
                oracle::same(disc, Some(want)),
                "{anchor:?}: {disc:?}, not {want:?}"
            );
        }
    }
}

#[test]
fn squares() {
    for metric in [Metric::Linf, Metric::L1] {
        check(metric, &[300, 1000], &[2, 5, 10], &[0.0, 0.7, INFINITE]);
    }
}

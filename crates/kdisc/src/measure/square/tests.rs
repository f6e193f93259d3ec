//! The engine against a brute-force oracle, on small sets full of ties.
//!
//! The oracle knows neither tree nor bounds, pins nor sweeps: it tries every side that a
//! coordinate can call for, every position where something enters or leaves and every midpoint
//! between, and finds intervals by flooding that grid.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicUsize;

use num_bigint::BigInt;

use super::super::Job;
use super::solve;
use crate::predicates::decompose;
use crate::{Anonymity, Delta, Disc, Metric, Point, Population};

/// A small generator of numbers (xorshift), so that failures repeat.
pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64).cast_signed()
    }
}

fn engine(population: &Population, anonymity: Anonymity) -> Vec<Option<Disc>> {
    engine_for(population, anonymity, None)
}

fn engine_for(
    population: &Population,
    anonymity: Anonymity,
    wanted: Option<&[bool]>,
) -> Vec<Option<Disc>> {
    let job = Job {
        beyond: false,
        wanted,
        cancel: None,
        progress: None,
        done: &AtomicUsize::new(0),
        total: population.locations().len(),
    };
    solve(population.tree(), anonymity, &job).expect("nobody cancels")
}

/// A double in units of 2^-`SHIFT`: whole, with room to halve three times.
const SHIFT: i32 = 1090;

fn big(x: f64) -> BigInt {
    let (mantissa, exponent) = decompose(x);
    BigInt::from(mantissa) << (exponent + SHIFT)
}

/// Whether a double is the nearest to a number in units of 2^-SHIFT / `parts`.
fn nearest(x: f64, exact: &BigInt, parts: i32) -> bool {
    let distance = |x: f64| {
        let d = big(x) * parts - exact;
        if d < BigInt::ZERO { -d } else { d }
    };
    let own = distance(x);
    own <= distance(x.next_up()) && own <= distance(x.next_down())
}

/// The oracle's answer: side, units, and centre (x, y) in eighths.
struct Expected {
    side: BigInt,
    units: u64,
    x: BigInt,
    y: BigInt,
}

struct Brute<'a> {
    /// Relative to the anchor, times 8.
    spots: &'a [(BigInt, BigInt, u64)],
    k: u64,
    /// Twice δ, times 8; none when infinite.
    twice_delta: Option<BigInt>,
}

impl Brute<'_> {
    /// The lowest and highest position of an allowed square.
    fn limits(&self, side: &BigInt) -> (BigInt, BigInt) {
        match &self.twice_delta {
            Some(d) if d < side => (-(d + side) / 2, (d - side) / 2),
            _ => (-side, BigInt::ZERO),
        }
    }

    fn members(&self, a: &BigInt, b: &BigInt, side: &BigInt) -> (u64, Vec<bool>) {
        let inside: Vec<bool> = self
            .spots
            .iter()
            .map(|(u, v, w)| *w > 0 && a <= u && *u <= a + side && b <= v && *v <= b + side)
            .collect();
        let units = self.spots.iter().zip(&inside);
        (
            units.map(|(s, &inside)| s.2 * u64::from(inside)).sum(),
            inside,
        )
    }

    /// Where something changes along an axis, inside the limits and at them.
    fn events(&self, axis: usize, side: &BigInt) -> Vec<BigInt> {
        let (low, high) = self.limits(side);
        let mut events = vec![low.clone(), high.clone()];
        for spot in self.spots.iter().filter(|s| s.2 > 0) {
            let c = if axis == 0 { &spot.0 } else { &spot.1 };
            events.extend([c.clone(), c - side]);
        }
        events.retain(|e| low <= *e && *e <= high);
        events.sort();
        events.dedup();
        events
    }

    fn feasible(&self, side: &BigInt) -> bool {
        let bottoms = self.events(1, side);
        self.events(0, side)
            .iter()
            .any(|a| bottoms.iter().any(|b| self.members(a, b, side).0 >= self.k))
    }

    fn sides(&self) -> Vec<BigInt> {
        let mut coordinates = vec![BigInt::ZERO];
        for (u, v, _) in self.spots {
            coordinates.extend([u.clone(), v.clone()]);
        }
        let mut sides = vec![BigInt::ZERO];
        for c in &coordinates {
            sides.extend(coordinates.iter().map(|d| d - c));
            if let Some(d) = &self.twice_delta {
                sides.extend([c * 2 - d, c * -2 - d]);
            }
        }
        sides.retain(|s| *s >= BigInt::ZERO);
        sides.sort();
        sides.dedup();
        sides
    }

    fn solve(&self, diamond: bool) -> Expected {
        // Squares that are allowed stay allowed when they grow, so the sides can be bisected.
        let sides = self.sides();
        let first = sides.partition_point(|side| !self.feasible(side));
        let side = sides[first].clone();
        let refined = |events: Vec<BigInt>| {
            let mut all = Vec::new();
            for pair in events.windows(2) {
                all.extend([pair[0].clone(), (&pair[0] + &pair[1]) / 2]);
            }
            all.extend(events.last().cloned());
            all
        };
        let columns = refined(self.events(0, &side));
        let rows = refined(self.events(1, &side));
        let mut cells = BTreeMap::new();
        for (i, a) in columns.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                let (units, members) = self.members(a, b, &side);
                if units >= self.k {
                    cells.insert((i, j), (units, members));
                }
            }
        }
        let fewest = cells.values().map(|c| c.0).min().expect("feasible");
        cells.retain(|_, c| c.0 == fewest);
        let mut best: Option<(BigInt, BigInt)> = None;
        while let Some((start, cell)) = cells.pop_first() {
            let mut component = vec![start];
            let mut next = 0;
            while next < component.len() {
                let (i, j) = component[next];
                next += 1;
                let around = [
                    (i + 1, j),
                    (i, j + 1),
                    (i.wrapping_sub(1), j),
                    (i, j.wrapping_sub(1)),
                ];
                for place in around {
                    if cells.get(&place) == Some(&cell) {
                        cells.remove(&place);
                        component.push(place);
                    }
                }
            }
            // A midpoint (odd) stands for the whole interval between its neighbours.
            let middle = |places: Vec<usize>, values: &[BigInt]| {
                let low = *places.iter().min().expect("not empty");
                let high = *places.iter().max().expect("not empty");
                (&values[low - low % 2] + &values[high + high % 2] + &side) / 2
            };
            let u = middle(component.iter().map(|c| c.0).collect(), &columns);
            let v = middle(component.iter().map(|c| c.1).collect(), &rows);
            let center = if diamond {
                ((&u + &v) / 2, (&u - &v) / 2)
            } else {
                (u, v)
            };
            best = Some(best.map_or(center.clone(), |best| best.min(center)));
        }
        let (x, y) = best.expect("feasible");
        Expected {
            side,
            units: fewest,
            x,
            y,
        }
    }
}

fn check(points: &[Point], weights: &[u64], anonymity: Anonymity) {
    let population = Population::with_weights(points, weights).expect("valid");
    let diamond = anonymity.metric() == Metric::L1;
    let discs = engine(&population, anonymity);
    let locations = population.locations();
    let weights = population.multiplicities();
    for (i, (s, disc)) in locations.iter().zip(&discs).enumerate() {
        let context = format!("{anonymity:?}\n{locations:?}\n{weights:?}\nat {s:?}: {disc:?}");
        let Some(disc) = disc else {
            assert!(population.units() < anonymity.k(), "{context}");
            continue;
        };
        if weights[i] >= anonymity.k() {
            let expected = Disc {
                center: *s,
                radius: 0.0,
                units: weights[i],
            };
            assert_eq!(*disc, expected, "{context}");
            continue;
        }
        let spots: Vec<_> = locations
            .iter()
            .zip(weights)
            .map(|(p, &w)| {
                let (dx, dy) = ((big(p.x) - big(s.x)) * 8, (big(p.y) - big(s.y)) * 8);
                if diamond {
                    (&dx + &dy, dx - dy, w)
                } else {
                    (dx, dy, w)
                }
            })
            .collect();
        let delta = anonymity.delta().distance();
        let brute = Brute {
            spots: &spots,
            k: anonymity.k(),
            twice_delta: delta.is_finite().then(|| big(delta) * 16),
        };
        let expected = brute.solve(diamond);
        assert_eq!(disc.units, expected.units, "{context}");
        assert!(nearest(disc.radius, &expected.side, 16), "{context}");
        let (x, y) = (expected.x + big(s.x) * 8, expected.y + big(s.y) * 8);
        let near = nearest(disc.center.x, &x, 8) && nearest(disc.center.y, &y, 8);
        assert!(near, "{context}\n{x} {y}");
    }
}

/// A few points with weights on whole numbers, from one of several awkward families.
fn sample(random: &mut Random) -> (Vec<(i64, i64)>, Vec<u64>) {
    let count = random.between(1, 9);
    let family = random.below(6);
    let size = [2, 3, 5, 20][random.below(4) as usize];
    let points = (0..count)
        .map(|_| {
            let (i, j) = (random.between(0, size), random.between(0, size));
            match family {
                0 => (i, 0),
                1 => (0, i),
                2 => (i, i),
                3 => (i, size - i),
                _ => (i, j),
            }
        })
        .collect();
    let heavy = random.below(3);
    let weights = (0..count).map(|_| match heavy {
        0 => 1,
        1 => random.below(4),
        _ => [0, 1, 1, 2, 9][random.below(5) as usize],
    });
    let mut weights: Vec<u64> = weights.collect();
    weights[0] = weights[0].max(1);
    (points, weights)
}

fn question(random: &mut Random, deltas: &[f64]) -> Anonymity {
    let k = random.between(1, 12) as u64;
    let delta = deltas[random.below(deltas.len() as u64) as usize];
    let metric = [Metric::L1, Metric::Linf][random.below(2) as usize];
    Anonymity::new(k)
        .expect("k > 0")
        .with_delta(Delta::new(delta).expect("valid"))
        .with_metric(metric)
}

/// Random sets, mapped to doubles by `place`.
fn compare(seed: u64, rounds: usize, deltas: &[f64], place: impl Fn(i64, i64) -> (f64, f64)) {
    let mut random = Random(seed);
    for _ in 0..rounds {
        let (points, weights) = sample(&mut random);
        let points: Vec<Point> = points
            .into_iter()
            .map(|(i, j)| place(i, j))
            .map(|(x, y)| Point::new(x, y))
            .collect();
        check(&points, &weights, question(&mut random, deltas));
    }
}

const INF: f64 = f64::INFINITY;

#[test]
fn whole_numbers() {
    compare(
        1,
        1500,
        &[0.0, INF, INF, 0.5, 1.0, 1.5, 3.0, 0.1],
        |i, j| (i as f64, j as f64),
    );
}

#[test]
fn national_coordinates() {
    compare(2, 300, &[0.0, INF, 2.0, 0.3], |i, j| {
        (155_000.0 + i as f64, 6_463_000.0 + j as f64)
    });
}

#[test]
fn tenths() {
    compare(3, 500, &[0.0, INF, 0.1, 0.2, 0.3], |i, j| {
        (0.1 * i as f64, 0.1 * j as f64 - 0.3)
    });
}

#[test]
fn nearly_tied() {
    compare(4, 300, &[0.0, INF, 1.0], |i, j| {
        let x = 6e6 + i as f64;
        let y = 6e6 + j as f64;
        (if j % 2 == 0 { x.next_up() } else { x }, y)
    });
}

#[test]
fn huge_and_tiny() {
    compare(5, 300, &[0.0, INF, 1e-320, 1e-100, 1e140], |i, j| {
        let sizes = [0.0, 1e-130, -1e-130, 1.0, -1e150, 1e150, 3e140, 0.1, 7e-50];
        (sizes[(i % 9) as usize], sizes[(j * j % 9) as usize])
    });
}

#[test]
fn scaled_by_powers_of_two() {
    compare(6, 150, &[0.0, INF, 2e-120], |i, j| {
        (i as f64 * 1e-120, j as f64 * 1e-120)
    });
    compare(7, 150, &[0.0, INF, 2e120], |i, j| {
        (i as f64 * 1e120, j as f64 * 1e120)
    });
}

/// The smallest side among all pairs of thresholds, from the k-th smallest cost of each.
fn side_by_thresholds(spots: &[(i64, i64, u64)], k: u64, twice_delta: i64) -> i64 {
    let cost = |c: i64, threshold: i64| (c - threshold).max(2 * c - twice_delta);
    let base = |threshold: i64| (-threshold).max(-2 * threshold - twice_delta);
    let mut best = i64::MAX;
    let lefts = spots.iter().map(|s| s.0).filter(|&u| u < 0);
    for a in lefts.chain([0]) {
        let lows = spots.iter().map(|s| s.1).filter(|&v| v < 0);
        for b in lows.chain([0]) {
            let beyond = spots.iter().filter(|s| s.0 >= a && s.1 >= b);
            let mut costs: Vec<_> = beyond
                .map(|s| (cost(s.0, a).max(cost(s.1, b)), s.2))
                .collect();
            costs.sort_unstable();
            let mut units = 0;
            let kth = costs.iter().find(|c| {
                units += c.1;
                units >= k
            });
            if let Some(kth) = kth {
                best = best.min(kth.0.max(base(a)).max(base(b)));
            }
        }
    }
    best
}

/// Towns, a lattice and lonely farms: bounds from afar, more locations than a first gathering
/// takes, and neighbours that know. Each answer must also be what the location gets when it is
/// asked alone, which none of its neighbours can help with.
#[test]
fn towns_and_lonely_farms() {
    let mut random = Random(8);
    for round in 0..12 {
        let spread = [8, 30, 200][round % 3];
        let mut points = vec![(0, 0), (spread * 9, 0), (-spread * 2, spread * 4)];
        while points.len() < 130 {
            let town = random.between(0, 2) * spread;
            let (i, j) = (random.between(0, spread), random.between(0, spread));
            points.push((town * 3 + i, town + j));
        }
        let points: Vec<Point> = points
            .into_iter()
            .map(|(x, y)| Point::new(x as f64, y as f64))
            .collect();
        let weights: Vec<u64> = points.iter().map(|_| random.below(3)).collect();
        let population = Population::with_weights(&points, &weights).expect("valid");
        let locations = population.locations();
        let asked = question(&mut random, &[INF, INF, 3.0, spread as f64]);
        let discs = engine(&population, asked);
        for _ in 0..8 {
            let i = random.below(locations.len() as u64) as usize;
            let mut wanted = vec![false; locations.len()];
            wanted[i] = true;
            let alone = engine_for(&population, asked, Some(&wanted));
            let context = format!("{asked:?} round {round} at {:?}", locations[i]);
            assert_eq!(alone[i], discs[i], "{context}");
            if population.multiplicities()[i] >= asked.k() {
                continue;
            }
            let s = locations[i];
            let spots: Vec<_> = locations
                .iter()
                .zip(population.multiplicities())
                .map(|(p, &w)| {
                    let (dx, dy) = ((p.x - s.x) as i64, (p.y - s.y) as i64);
                    if asked.metric() == Metric::L1 {
                        (dx + dy, dx - dy, w)
                    } else {
                        (dx, dy, w)
                    }
                })
                .collect();
            let twice_delta = (2.0 * asked.delta().distance()).min(1e6) as i64;
            let side = side_by_thresholds(&spots, asked.k(), twice_delta);
            let disc = discs[i].expect("enough units");
            assert_eq!(disc.radius, side as f64 / 2.0, "{context}");
        }
    }
}

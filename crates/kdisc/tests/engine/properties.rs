//! What the definition promises about the radius F, on maps of 100 to 2,000 points, with weights,
//! for locations and places, in all metrics.
//!
//! Only F: the risk, radius per unit, is not monotone in anything.

use crate::oracle;

use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use oracle::cases::Random;
use oracle::compare::times;
use oracle::distance;
use oracle::maps::MAPS;
use proptest::prelude::*;

/// A map, places on it, and a question; all made from a few numbers, so that it shrinks by them.
#[derive(Debug, Clone, Copy)]
struct Setting {
    map: usize,
    size: usize,
    seed: u64,
    k: u64,
    metric: Metric,
    /// Parts of a typical radius.
    deltas: (f64, f64),
}

fn settings() -> impl Strategy<Value = Setting> {
    let metric = prop_oneof![
        3 => Just(Metric::L2),
        1 => Just(Metric::L1),
        1 => Just(Metric::Linf)
    ];
    let delta = || prop_oneof![3 => 0.01..3.0f64, 1 => Just(0.0)];
    let k = prop_oneof![1u64..=12, 12u64..=60];
    let shape = (0..MAPS.len(), 100usize..2000, any::<u64>());
    (shape, k, metric, delta(), delta()).prop_map(|((map, size, seed), k, metric, a, b)| Setting {
        map,
        size,
        seed,
        k,
        metric,
        deltas: (a.min(b), a.max(b)),
    })
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: times(12) as u32,
        max_shrink_iters: 200,
        // The same settings in every run.
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_115),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

struct World {
    points: Vec<Point>,
    weights: Vec<u64>,
    places: Vec<Point>,
}

impl World {
    fn new(setting: Setting) -> Self {
        let mut random = Random(setting.seed);
        let (points, weights) = MAPS[setting.map].1(&mut random, setting.size);
        let mut place = || {
            let (p, q) = (random.pick(&points), random.pick(&points));
            let t = 2.0 * random.real() - 0.5;
            Point::new(p.x + t * (q.x - p.x), q.y)
        };
        let places = (0..30).map(|_| place()).collect();
        Self {
            points,
            weights,
            places,
        }
    }

    /// The answers for all places, then all locations in the order of their coordinates.
    fn ask(&self, k: u64, delta: f64, metric: Metric) -> Vec<(Point, Option<Disc>)> {
        let population = Population::with_weights(&self.points, &self.weights).unwrap();
        let delta = Delta::new(delta).unwrap();
        let asked = Anonymity::new(k).unwrap().with_delta(delta);
        let measure = Measure::new(&population, asked.with_metric(metric));
        let places = self.places.iter().copied();
        let places = places.zip(measure.places(&self.places).unwrap());
        let locations = population.locations().iter().copied();
        let mut locations: Vec<_> = locations.zip(measure.all().unwrap()).collect();
        locations.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        places.chain(locations).collect()
    }

    fn radii(&self, k: u64, delta: f64, metric: Metric) -> Vec<f64> {
        let answers = self.ask(k, delta, metric).into_iter();
        // Absent is larger than any.
        answers
            .map(|(_, disc)| disc.map_or(f64::INFINITY, |d| d.radius))
            .collect()
    }

    /// Two δ, in the size of the radii.
    fn deltas(&self, setting: Setting) -> (f64, f64) {
        let mut radii = self.radii(setting.k, f64::INFINITY, setting.metric);
        radii.retain(|r| r.is_finite());
        radii.sort_by(f64::total_cmp);
        let typical = radii.get(radii.len() / 2).copied().unwrap_or(1.0);
        (setting.deltas.0 * typical, setting.deltas.1 * typical)
    }
}

/// `a` ≤ `b`, but for the 1e-12 of finite δ and the rounding of a sum.
fn at_most(a: f64, b: f64) -> bool {
    a <= b * (1.0 + 3e-12)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn radius_falls_as_delta_grows_but_not_too_fast(setting in settings()) {
        let world = World::new(setting);
        let (d1, d2) = world.deltas(setting);
        let ask = |delta| world.radii(setting.k, delta, setting.metric);
        let (zero, first, second, infinite) = (ask(0.0), ask(d1), ask(d2), ask(f64::INFINITY));
        for i in 0..zero.len() {
            prop_assert!(at_most(infinite[i], second[i]), "{i}: {} {}", infinite[i], second[i]);
            prop_assert!(at_most(second[i], first[i]), "{i}: {} {}", second[i], first[i]);
            prop_assert!(at_most(first[i], zero[i]), "{i}: {} {}", first[i], zero[i]);
            prop_assert!(infinite[i] <= zero[i]);
            prop_assert!(at_most(first[i], second[i] + (d2 - d1)), "{i}: {} {}", first[i], second[i]);
            prop_assert!(at_most(zero[i], first[i] + d1), "{i}: {} {}", zero[i], first[i]);
            prop_assert!(at_most(zero[i], 2.0 * infinite[i]), "{i}: {} {}", zero[i], infinite[i]);
        }
    }

    #[test]
    fn small_enough_discs_do_not_feel_delta(setting in settings()) {
        let world = World::new(setting);
        let (delta, _) = world.deltas(setting);
        let finite = world.ask(setting.k, delta, setting.metric);
        let infinite = world.ask(setting.k, f64::INFINITY, setting.metric);
        for ((anchor, finite), (_, infinite)) in finite.into_iter().zip(infinite) {
            match infinite {
                Some(disc) if disc.radius < delta => {
                    prop_assert!(
                        oracle::same(finite, infinite), "{anchor:?}: {finite:?}, {infinite:?}"
                    );
                }
                // A radius just above δ may round to it: nothing more is known.
                Some(_) => prop_assert!(finite.unwrap().radius >= delta),
                None => prop_assert_eq!(finite, None),
            }
        }
    }

    #[test]
    fn radius_grows_with_k(setting in settings()) {
        let world = World::new(setting);
        let (delta, _) = world.deltas(setting);
        for delta in [0.0, delta, f64::INFINITY] {
            let less = world.radii(setting.k, delta, setting.metric);
            let more = world.radii(setting.k + 1, delta, setting.metric);
            for (less, more) in less.into_iter().zip(more) {
                prop_assert!(at_most(less, more), "{less} {more}");
            }
        }
    }

    #[test]
    fn added_units_never_raise_the_radius(setting in settings()) {
        let world = World::new(setting);
        let (delta, _) = world.deltas(setting);
        let mut random = Random(setting.seed ^ 1);
        let mut more = World {
            points: world.points.clone(),
            weights: world.weights.clone(),
            places: world.places.clone(),
        };
        // Only where there are places already, so that the answers stay side by side.
        for _ in 0..20 {
            let row = random.below(more.weights.len());
            more.weights[row] += random.pick(&[1, 1, 2, 9]);
        }
        for delta in [0.0, delta, f64::INFINITY] {
            let before = world.radii(setting.k, delta, setting.metric);
            let after = more.radii(setting.k, delta, setting.metric);
            for (after, before) in after.into_iter().zip(before) {
                prop_assert!(at_most(after, before), "{after} {before}");
            }
        }
    }

    #[test]
    fn near_anchors_have_near_radii(setting in settings()) {
        let world = World::new(setting);
        let (delta, _) = world.deltas(setting);
        for (delta, part) in [(0.0, 1.0), (delta, 1.0), (f64::INFINITY, 0.5)] {
            let answers = world.ask(setting.k, delta, setting.metric);
            for step in [1, 2, 7] {
                for pair in answers.windows(step + 1) {
                    let ((s, Some(a)), (t, Some(b))) = (pair[0], pair[step]) else { continue };
                    let most = part * distance(setting.metric, s, t);
                    let (small, large) = (a.radius.min(b.radius), a.radius.max(b.radius));
                    prop_assert!(at_most(large, small + most), "{s:?} {a:?} {t:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_disc_is_what_it_says(setting in settings()) {
        let world = World::new(setting);
        let (delta, _) = world.deltas(setting);
        for delta in [0.0, delta, f64::INFINITY] {
            for (anchor, disc) in world.ask(setting.k, delta, setting.metric) {
                let Some(disc) = disc else {
                    prop_assert!(world.weights.iter().sum::<u64>() < setting.k);
                    continue;
                };
                prop_assert!(disc.units >= setting.k);
                // The centre is rounded; far from the origin that is more than 1e-9 of the radius.
                let coordinate = disc.center.x.abs().max(disc.center.y.abs());
                let slack = 2e-9 * disc.radius + 4.0 * f64::EPSILON * coordinate;
                let away = distance(setting.metric, anchor, disc.center);
                prop_assert!(away <= disc.radius.min(delta) + slack, "{anchor:?} {disc:?}");
                let count = |reach: f64| -> u64 {
                    let rows = world.points.iter().zip(&world.weights);
                    let inside = |p: Point| distance(setting.metric, p, disc.center) <= reach;
                    rows.filter(|(p, _)| inside(**p)).map(|(_, w)| w).sum()
                };
                let (least, most) = (count(disc.radius - slack), count(disc.radius + slack));
                prop_assert!(
                    (least..=most).contains(&disc.units), "{anchor:?} {disc:?}: {least} to {most}"
                );
            }
        }
    }
}

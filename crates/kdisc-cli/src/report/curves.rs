//! The measure at other k and δ: what the choice of them does.
//!
//! With more units than [`MOST`] a random sample of them is measured, among all the others. Units
//! are drawn by their places, in an order that does not depend on that of the rows.
//!
//! A disc at δ = ∞ whose centre is within δ of its location is the disc at that δ too, so only the
//! others are measured again.

use kdisc::statistics::{Figures, figures, sorted};
use kdisc::{Anonymity, Delta, Disc, Measure, Metric, Point, Population};
use kdisc_report::round;
use serde_json::{Value, json};

use super::plan::Plan;
use crate::interrupt::Interrupt;
use crate::risk::Measured;
use crate::summary::json::delta;

/// Units that are measured one by one.
pub const MOST: u64 = 20_000;
/// Values of k besides the one asked for.
const KS: [u64; 6] = [2, 3, 5, 10, 20, 50];

/// Some locations, each with the units that are meant, and their discs as far as they are known.
struct Sample<'a> {
    plan: &'a Plan,
    population: &'a Population,
    interrupt: &'a Interrupt,
    locations: Vec<usize>,
    places: Vec<Point>,
    units: Vec<u64>,
}

/// What the measure is at other k and δ.
pub fn curves(plan: &Plan, measured: &Measured, interrupt: &Interrupt) -> anyhow::Result<Value> {
    let population = &measured.prepared.population;
    let drawn = draw(population.multiplicities(), MOST, plan.seed);
    let is_sample = population.units() > MOST;
    let sample = Sample {
        plan,
        population,
        interrupt,
        places: drawn
            .iter()
            .map(|&(at, _)| population.locations()[at])
            .collect(),
        units: drawn.iter().map(|&(_, units)| units).collect(),
        locations: drawn.into_iter().map(|(at, _)| at).collect(),
    };
    let asked = plan.asked;
    let known = sample.of(&measured.discs);
    let mut by_k = Vec::new();
    let mut ks: Vec<u64> = KS.to_vec();
    ks.push(asked.k());
    ks.sort_unstable();
    ks.dedup();
    for k in ks.into_iter().filter(|k| *k <= population.units()) {
        let discs = if k == asked.k() {
            known.clone()
        } else {
            sample.measured(
                Anonymity::new(k)?
                    .with_delta(asked.delta())
                    .with_metric(asked.metric()),
            )?
        };
        let mut point = sample.figures(&discs);
        point["k"] = json!(k);
        by_k.push(point);
    }
    let at_zero = sample.of(&measured.at_zero);
    let anywhere = if asked.delta() == Delta::INFINITE {
        known.clone()
    } else {
        sample.measured(asked.with_delta(Delta::INFINITE))?
    };
    let mut by_delta = Vec::new();
    for value in sample.deltas(&at_zero)? {
        let discs = match value {
            Delta::ZERO => at_zero.clone(),
            Delta::INFINITE => anywhere.clone(),
            value if value == asked.delta() => known.clone(),
            value => sample.within(asked.with_delta(value), &anywhere)?,
        };
        let mut point = sample.figures(&discs);
        point["delta"] = delta(value);
        by_delta.push(point);
    }
    Ok(json!({
        "units": sample.units.iter().sum::<u64>(),
        "is_sample": is_sample,
        "seed": is_sample.then_some(plan.seed),
        "by_k": by_k,
        "by_delta": by_delta,
    }))
}

impl Sample<'_> {
    fn of(&self, discs: &[Option<Disc>]) -> Vec<Option<Disc>> {
        self.locations.iter().map(|&at| discs[at]).collect()
    }

    fn measured(&self, asked: Anonymity) -> anyhow::Result<Vec<Option<Disc>>> {
        self.measured_at(&self.places, asked)
    }

    fn measured_at(&self, places: &[Point], asked: Anonymity) -> anyhow::Result<Vec<Option<Disc>>> {
        let what = format!("measuring, k = {}, delta = {}", asked.k(), asked.delta());
        let ask = |measure: Measure| measure.places(places);
        self.plan
            .run
            .measure(what, self.population, asked, self.interrupt, ask)
    }

    /// The discs at a finite δ, from those at ∞.
    fn within(
        &self,
        asked: Anonymity,
        anywhere: &[Option<Disc>],
    ) -> anyhow::Result<Vec<Option<Disc>>> {
        let is_known = |place: &Point, disc: &Option<Disc>| {
            disc.is_none_or(|disc| {
                // Squares slide, and which of them is told depends on δ. Rounding is kept clear of.
                let apart = (disc.center.x - place.x).hypot(disc.center.y - place.y);
                asked.metric() == Metric::L2 && apart < asked.delta().distance() * (1.0 - 1e-9)
            })
        };
        let unknown: Vec<usize> = (0..self.places.len())
            .filter(|&i| !is_known(&self.places[i], &anywhere[i]))
            .collect();
        let places: Vec<Point> = unknown.iter().map(|&i| self.places[i]).collect();
        let mut discs = anywhere.to_vec();
        for (i, disc) in unknown.into_iter().zip(self.measured_at(&places, asked)?) {
            discs[i] = disc;
        }
        Ok(discs)
    }

    /// 0, round distances about those that matter, the one asked for, and ∞.
    fn deltas(&self, at_zero: &[Option<Disc>]) -> anyhow::Result<Vec<Delta>> {
        let mut finite = Vec::new();
        if let Some(radius) = self.spread(at_zero, |disc| disc.radius)
            && radius.p99 > 0.0
        {
            let mut delta = round::at_least(radius.p99);
            for _ in 0..6 {
                finite.push(delta);
                delta = round::at_most(delta * 0.6);
            }
        }
        let asked = self.plan.asked.delta();
        if asked != Delta::INFINITE && asked != Delta::ZERO {
            finite.push(asked.distance());
        }
        finite.sort_unstable_by(f64::total_cmp);
        finite.dedup();
        let finite = finite
            .into_iter()
            .map(Delta::new)
            .collect::<Result<Vec<_>, _>>()?;
        Ok([&[Delta::ZERO][..], &finite, &[Delta::INFINITE]].concat())
    }

    fn spread(&self, discs: &[Option<Disc>], of: fn(&Disc) -> f64) -> Option<Figures> {
        let all = discs.iter().zip(&self.units);
        let all = all.filter_map(|(disc, units)| Some((of(disc.as_ref()?), *units)));
        figures(&sorted(all.collect()), |units| units)
    }

    fn figures(&self, discs: &[Option<Disc>]) -> Value {
        let told = |of: fn(&Disc) -> f64| {
            self.spread(discs, of).map(|figures| {
                json!({
                    "median": figures.median,
                    "p90": figures.p90,
                    "p99": figures.p99,
                    "max": figures.max,
                })
            })
        };
        json!({ "radius": told(|disc| disc.radius), "risk": told(Disc::risk) })
    }
}

/// So many units drawn at random, each at most once, as locations and how many of their units.
fn draw(multiplicities: &[u64], most: u64, seed: u64) -> Vec<(usize, u64)> {
    let all: u64 = multiplicities.iter().sum();
    let counted = multiplicities.iter().copied().enumerate();
    if all <= most {
        return counted.filter(|(_, units)| *units > 0).collect();
    }
    // Numbers of units, which lie at the locations in order.
    let mut numbers: Vec<u64> = Vec::new();
    let mut state = seed;
    while (numbers.len() as u64) < most {
        let missing = most - numbers.len() as u64;
        numbers.extend((0..missing).map(|_| random(&mut state) % all));
        numbers.sort_unstable();
        numbers.dedup();
    }
    let mut numbers = numbers.into_iter().peekable();
    let mut end = 0;
    let drawn = counted.map(|(location, units)| {
        end += units;
        let mut taken = 0;
        while numbers.next_if(|number| *number < end).is_some() {
            taken += 1;
        }
        (location, taken)
    });
    drawn.filter(|(_, taken)| *taken > 0).collect()
}

/// The next number of the generator `SplitMix64`.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_size_asked_for_and_no_unit_twice() {
        let units: Vec<u64> = (0..3000).map(|i| i % 4).collect();
        let all: u64 = units.iter().sum();
        for seed in 0..20 {
            let drawn = draw(&units, 500, seed);
            assert_eq!(drawn.iter().map(|(_, taken)| taken).sum::<u64>(), 500);
            assert!(drawn.iter().all(|&(at, taken)| taken <= units[at]));
            assert!(drawn.is_sorted_by(|a, b| a.0 < b.0));
        }
        assert_ne!(draw(&units, 500, 1), draw(&units, 500, 2));
        let everybody = draw(&units, all, 7);
        assert_eq!(everybody.iter().map(|(_, taken)| taken).sum::<u64>(), all);
    }

    #[test]
    fn everywhere_is_as_likely() {
        let units = vec![1; 1000];
        let mut early = 0;
        for seed in 0..200 {
            early += draw(&units, 100, seed)
                .iter()
                .filter(|(at, _)| *at < 500)
                .count();
        }
        // 10,000 on average, with a deviation of about 67.
        assert!((9_700..10_300).contains(&early), "{early}");
    }
}

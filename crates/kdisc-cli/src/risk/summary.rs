//! What a run comes down to, as facts; how they are shown is for [`super::text`] and
//! [`super::json`].

use std::collections::BTreeMap;

use kdisc::statistics::{Figures, figures, sorted};
use kdisc::{Disc, Point};
use kdisc_io::At;
use kdisc_io::units::RowState;

use super::change::Change;
use super::plan::Plan;
use super::prepare::Prepared;
use super::{Answers, Timings};
use crate::delivery::Fingerprint;
use crate::register::InputFacts;
use crate::summary::rows::RowName;

/// How many of the most isolated rows are named.
const NAMED: usize = 5;

pub struct Summary<'a> {
    pub command: Vec<String>,
    pub plan: &'a Plan,
    pub inputs: &'a [InputFacts],
    pub hashes: Vec<Fingerprint>,
    pub warnings: &'a [String],
    pub units: u64,
    pub locations: usize,
    pub multiplicities: Vec<Multiplicity>,
    pub asked: Spreads,
    pub delta_zero: Spreads,
    pub within: Option<WithinFacts>,
    pub most_isolated: Vec<Isolated>,
    pub timings: Timings,
}

/// The radii and risks of all that was measured.
#[derive(Debug, Clone, Default)]
pub struct Spreads {
    /// Each location once (each row, for places).
    pub per_location: Spread,
    /// Each location as often as units there are measured; places are no units.
    pub per_unit: Option<Spread>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    pub count: u64,
    pub no_disc: u64,
    pub zero_radius: u64,
    pub radius: Option<Figures>,
    pub risk: Option<Figures>,
}

/// What there is to say of the regions among whose units each unit was measured.
#[derive(Debug, Clone, Copy)]
pub struct WithinFacts {
    /// Those with units.
    pub regions: usize,
    /// Those of them with fewer than k.
    pub small: usize,
    /// Units, or places, in none.
    pub outside: u64,
    pub first_outside: Option<At>,
    pub change: Option<Change>,
}

/// So many locations have `from` up to `to` units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiplicity {
    pub from: u64,
    pub to: u64,
    pub locations: usize,
}

/// A row that stands out.
#[derive(Debug, Clone, Copy)]
pub struct Isolated {
    pub name: RowName,
    pub place: Point,
    pub disc: Option<Disc>,
}

impl<'a> Summary<'a> {
    pub fn new(
        plan: &'a Plan,
        prepared: &'a Prepared,
        answers: &Answers,
        command: Vec<String>,
        hashes: Vec<Fingerprint>,
        timings: Timings,
    ) -> Self {
        Self {
            command,
            plan,
            inputs: &prepared.inputs,
            hashes,
            warnings: &prepared.warnings,
            units: prepared.population.units(),
            locations: prepared.population.locations().len(),
            multiplicities: multiplicities(prepared.population.multiplicities()),
            asked: answers.asked.clone(),
            delta_zero: answers.delta_zero.clone(),
            within: prepared.regional.as_ref().map(|regional| WithinFacts {
                regions: regional.sizes().0,
                small: regional.sizes().1,
                outside: regional.outside.count,
                first_outside: regional.outside.first.map(|row| prepared.at_usable(row)),
                change: answers.change,
            }),
            most_isolated: if plan.run.is_summarised() {
                most_isolated(prepared, &answers.discs, NAMED)
            } else {
                Vec::new()
            },
            timings,
        }
    }
}

impl Spreads {
    /// `weights[i]` units have the answer `discs[i]`.
    pub fn new(discs: &[Option<Disc>], weights: Option<&[u64]>) -> Self {
        let weight = |i: usize| weights.map_or(1, |weights| weights[i]);
        let numbers = |of: fn(&Disc) -> f64| {
            let found = discs.iter().enumerate();
            let found = found.filter_map(|(i, disc)| Some((of(disc.as_ref()?), weight(i))));
            sorted(found.collect())
        };
        let count = |wanted: fn(&Option<Disc>) -> bool, weight: &dyn Fn(usize) -> u64| {
            let found = discs.iter().enumerate().filter(|(_, disc)| wanted(disc));
            found.map(|(i, _)| weight(i)).sum()
        };
        let radii = numbers(|disc| disc.radius);
        let spread_of_radii = |weigh: fn(u64) -> u64, weight: &dyn Fn(usize) -> u64| Spread {
            count: count(|_| true, weight),
            no_disc: count(Option::is_none, weight),
            zero_radius: count(|disc| disc.is_some_and(|d| d.radius == 0.0), weight),
            radius: figures(&radii, weigh),
            risk: None,
        };
        let mut per_location = spread_of_radii(|_| 1, &|_| 1);
        let mut per_unit = weights.map(|_| spread_of_radii(|w| w, &weight));
        drop(radii);
        let risks = numbers(Disc::risk);
        per_location.risk = figures(&risks, |_| 1);
        if let Some(spread) = &mut per_unit {
            spread.risk = figures(&risks, |w| w);
        }
        Self {
            per_location,
            per_unit,
        }
    }

    /// What people are told, and per what: per unit, if units were measured.
    pub fn told(&self) -> (&Spread, &'static str) {
        match &self.per_unit {
            None => (&self.per_location, "place"),
            Some(spread) if spread.count == 0 => (&self.per_location, "location"),
            Some(spread) => (spread, "unit"),
        }
    }
}

/// Each multiplicity by itself when there are few; else 0, 1, 2, 3–4, 5–8 and so on.
fn multiplicities(all: &[u64]) -> Vec<Multiplicity> {
    const FEW: usize = 12;
    let mut each = BTreeMap::new();
    for &multiplicity in all {
        *each.entry(multiplicity).or_insert(0) += 1;
    }
    let mut rows: Vec<Multiplicity> = Vec::new();
    let few = each.len() <= FEW;
    for (multiplicity, locations) in each {
        let to = if few || multiplicity == 0 {
            multiplicity
        } else {
            multiplicity.next_power_of_two()
        };
        match rows.last_mut() {
            Some(last) if last.to == to => last.locations += locations,
            _ => rows.push(Multiplicity {
                from: if few { to } else { to / 2 + u64::from(to > 0) },
                to,
                locations,
            }),
        }
    }
    for row in &mut rows {
        row.from = row.from.min(row.to);
    }
    rows
}

/// The rows without a disc first, then those with the largest radius, then in their order. Where units
/// are measured, rows that stand for none are not among them.
pub fn most_isolated(prepared: &Prepared, discs: &[Option<Disc>], named: usize) -> Vec<Isolated> {
    let candidates = candidates(discs, prepared.weights(), named);
    let mut worst: Vec<(usize, usize, Option<Disc>)> = Vec::with_capacity(named + 1);
    let mut usable = 0;
    for (row, &state) in prepared.rows.iter().enumerate() {
        let this = usable;
        usable += usize::from(state != RowState::Invalid);
        if state != RowState::Measured || !candidates[prepared.answer(this)] {
            continue;
        }
        let disc = discs[prepared.answer(this)];
        let at = worst.partition_point(|&(.., other)| isolation(other) >= isolation(disc));
        if at < named {
            worst.truncate(named - 1);
            worst.insert(at, (row, this, disc));
        }
    }
    let rows: Vec<usize> = worst.iter().map(|&(row, ..)| row).collect();
    let named = prepared.table.names(&rows).into_iter().zip(worst);
    let isolated = named.map(|(name, (_, usable, disc))| Isolated {
        name,
        place: prepared.in_input(prepared.place(usable)),
        disc,
    });
    isolated.collect()
}

/// Which answers can be among the worst. Rows come in no order, and asking this small table for
/// each is much faster than asking the answers.
fn candidates(discs: &[Option<Disc>], weights: Option<&[u64]>, named: usize) -> Vec<bool> {
    // Unless there are no units at all.
    let weights = weights.filter(|weights| weights.iter().any(|&units| units > 0));
    let isolation = |answer: usize| {
        let stands = weights.is_none_or(|weights| weights[answer] > 0);
        if stands {
            isolation(discs[answer])
        } else {
            f64::NEG_INFINITY
        }
    };
    let mut largest = vec![f64::NEG_INFINITY; named];
    for own in (0..discs.len()).map(isolation) {
        if own > largest[named - 1] {
            let at = largest.partition_point(|&l| l >= own);
            largest[at..].rotate_right(1);
            largest[at] = own;
        }
    }
    let least = largest[named - 1].max(f64::MIN);
    (0..discs.len())
        .map(|answer| isolation(answer) >= least)
        .collect()
}

fn isolation(disc: Option<Disc>) -> f64 {
    disc.map_or(f64::INFINITY, |disc| disc.radius)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_multiplicities_are_told_one_by_one() {
        let found = multiplicities(&[1, 1, 5, 0]);
        let told: Vec<_> = found.iter().map(|m| (m.from, m.to, m.locations)).collect();
        assert_eq!(told, [(0, 0, 1), (1, 1, 2), (5, 5, 1)]);
    }

    #[test]
    fn many_multiplicities_are_told_in_ranges() {
        let all: Vec<u64> = (0..=20).collect();
        let found = multiplicities(&all);
        let told: Vec<_> = found.iter().map(|m| (m.from, m.to, m.locations)).collect();
        assert_eq!(
            told,
            [
                (0, 0, 1),
                (1, 1, 1),
                (2, 2, 1),
                (3, 4, 2),
                (5, 8, 4),
                (9, 16, 8),
                (17, 32, 4)
            ]
        );
    }
}

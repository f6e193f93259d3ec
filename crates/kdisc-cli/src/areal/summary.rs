//! What a run comes down to, as facts.

use kdisc::areal::Maup;
use kdisc::statistics::{Figures, figures, sorted};

use super::plan::Plan;
use super::prepare::Prepared;
use super::{Answers, Timings};
use crate::delivery::Fingerprint;
use crate::register::InputFacts;
use crate::summary::rows::RowName;

/// How many of the units that depend most on the grid are named.
const NAMED: usize = 5;

pub struct Summary<'a> {
    pub command: Vec<String>,
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub inputs: Vec<&'a InputFacts>,
    pub hashes: Vec<Fingerprint>,
    pub timings: Timings,
    /// Zones in which somebody is.
    pub occupied: usize,
    /// Units in each of these.
    pub counts: Option<Figures>,
    /// Areal risk of the units that are in a zone.
    pub risks: Option<Figures>,
    pub verdict: Option<Verdict>,
    pub maup: Option<MaupFacts>,
    pub measured: Option<Radius>,
}

/// Zones with too few units.
#[derive(Debug, Clone, Copy)]
pub struct Verdict {
    pub min_count: u64,
    pub zones: usize,
    /// The units in them.
    pub units: u64,
}

/// How far the counts of units depend on the grid.
#[derive(Debug)]
pub struct MaupFacts {
    pub shifts: u32,
    /// Units whose verdict changes as the grid moves, with the other shape, at half the side, at
    /// double the side, and with any of these.
    pub moved: u64,
    pub reshaped: u64,
    pub halved: u64,
    pub doubled: u64,
    pub any: u64,
    /// The greatest areal risk of a unit by its least.
    pub ratio: Option<Figures>,
    pub worst: Vec<Worst>,
}

/// A unit whose count depends much on the grid.
#[derive(Debug, Clone, Copy)]
pub struct Worst {
    pub name: RowName,
    pub base: u64,
    pub range: [u64; 2],
    pub radius: Option<f64>,
}

/// The units' own discs.
#[derive(Debug, Clone, Copy)]
pub struct Radius {
    pub figures: Option<Figures>,
    pub no_disc: u64,
    /// Above the limit, if there is one, or without a disc; in a zone or not.
    pub above: Option<u64>,
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
        let zones = &prepared.zones;
        let occupied = zones.counts.iter().filter(|&&count| count > 0);
        let counts = occupied.clone().map(|&count| (count as f64, 1)).collect();
        let risks = (0..zones.len()).filter(|&zone| zones.counts[zone] > 0);
        let risks = risks.map(|zone| (zones.risk(zone), zones.counts[zone]));
        Self {
            command,
            plan,
            prepared,
            inputs: [Some(&prepared.register.facts), prepared.regions.as_ref()]
                .into_iter()
                .flatten()
                .collect(),
            hashes,
            timings,
            occupied: occupied.count(),
            counts: figures(&sorted(counts), |_| 1),
            risks: figures(&sorted(risks.collect()), |units| units),
            verdict: plan.min_count.map(|least| verdict(&zones.counts, least)),
            maup: maup(plan, prepared, answers),
            measured: radius(plan, answers),
        }
    }
}

fn verdict(counts: &[u64], min_count: u64) -> Verdict {
    let few = counts
        .iter()
        .filter(|&&count| !super::columns::enough(count, min_count));
    Verdict {
        min_count,
        zones: few.clone().count(),
        units: few.sum(),
    }
}

fn maup(plan: &Plan, prepared: &Prepared, answers: &Answers) -> Option<MaupFacts> {
    let (maup, shifts) = (answers.maup.as_ref()?, plan.shifts?);
    let least = plan.min_count?;
    let weights = prepared.register.units.weights.as_deref();
    let weight = |unit: usize| weights.map_or(1, |weights| weights[unit]);
    let all = 0..maup.base.len();
    let sum = |flips: &dyn Fn(usize) -> bool| -> u64 {
        all.clone().filter(|&unit| flips(unit)).map(weight).sum()
    };
    let between = |few: u64, many: u64| few < least && least <= many;
    let differs = |other: &[u64], unit: usize| (other[unit] >= least) != (maup.base[unit] >= least);
    let counted = all.clone().filter(|&unit| weight(unit) > 0);
    let ratio = |unit: usize| {
        let [few, many] = maup.range(unit);
        many as f64 / few as f64
    };
    let ratios = counted.map(|unit| (ratio(unit), weight(unit)));
    Some(MaupFacts {
        shifts,
        moved: sum(&|unit| between(maup.moved.least[unit], maup.moved.most[unit])),
        reshaped: sum(&|unit| differs(&maup.reshaped, unit)),
        halved: sum(&|unit| differs(&maup.halved, unit)),
        doubled: sum(&|unit| differs(&maup.doubled, unit)),
        any: sum(&|unit| {
            let [few, many] = maup.range(unit);
            between(few, many)
        }),
        ratio: figures(&sorted(ratios.collect()), |units| units),
        worst: worst(maup, prepared, answers, &weight),
    })
}

/// The units whose count changes by the largest factor, then in their order.
fn worst(
    maup: &Maup,
    prepared: &Prepared,
    answers: &Answers,
    weight: &dyn Fn(usize) -> u64,
) -> Vec<Worst> {
    // A fraction is larger when the products across are.
    let larger = |[a, b]: [u64; 2], [c, d]: [u64; 2]| {
        u128::from(b) * u128::from(c) > u128::from(d) * u128::from(a)
    };
    let mut found: Vec<(usize, [u64; 2])> = Vec::with_capacity(NAMED + 1);
    for unit in (0..maup.base.len()).filter(|&unit| weight(unit) > 0) {
        let range = maup.range(unit);
        let at = found.partition_point(|&(_, other)| !larger(range, other));
        if at < NAMED {
            found.truncate(NAMED - 1);
            found.insert(at, (unit, range));
        }
    }
    let rows = rows_of(
        prepared,
        &found.iter().map(|(unit, _)| *unit).collect::<Vec<_>>(),
    );
    let names = prepared.register.table.names(&rows);
    found
        .into_iter()
        .zip(names)
        .map(|((usable, range), name)| Worst {
            name,
            base: maup.base[usable],
            range,
            radius: answers
                .measured
                .as_ref()
                .and_then(|found| found.radius(usable)),
        })
        .collect()
}

/// The rows of the table that these usable ones are.
fn rows_of(prepared: &Prepared, usable: &[usize]) -> Vec<usize> {
    let mut found = vec![0; usable.len()];
    for (number, row) in prepared.register.units.usable().enumerate() {
        if let Some(at) = usable.iter().position(|&wanted| wanted == number) {
            found[at] = row;
        }
    }
    found
}

fn radius(plan: &Plan, answers: &Answers) -> Option<Radius> {
    let measured = answers.measured.as_ref()?;
    let weights = measured.population.multiplicities();
    let all = || {
        measured
            .discs
            .iter()
            .map(|disc| disc.map(|d| d.radius))
            .zip(weights)
    };
    let radii = all().filter_map(|(radius, &units)| Some((radius?, units)));
    Some(Radius {
        figures: figures(&sorted(radii.collect()), |units| units),
        no_disc: all()
            .filter(|(radius, _)| radius.is_none())
            .map(|(_, n)| n)
            .sum(),
        above: plan.max_radius.map(|limit| {
            all()
                .filter(|(radius, _)| super::radii::exceeds(*radius, limit))
                .map(|(_, units)| units)
                .sum()
        }),
    })
}

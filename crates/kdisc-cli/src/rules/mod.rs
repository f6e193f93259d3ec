//! `kdisc rules`: read, measure, apply the rules to discs and regions, write, tell.

mod columns;
mod curve;
mod json;
mod plan;
mod prepare;
mod summary;
mod text;

use std::borrow::Cow;
use std::process::ExitCode;
use std::time::Instant;

use kdisc::rules::{Assess, Assessment};
use kdisc::{Anonymity, Disc, Measure, Point};
use serde_json::Value;

use crate::areal::zones::Zones;
use crate::args::RulesArgs;
use crate::delivery::Delivery;
use crate::interrupt::Interrupt;
use crate::joined::{Added, Joined};
use crate::progress::Phase;
use crate::risk::subjects::Subjects;
use crate::source::Source;
use columns::RegionTable;
use curve::Curve;
use plan::Plan;
use prepare::Prepared;
use summary::Summary;

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    pub read: f64,
    /// Fingerprints of the inputs.
    pub hash: f64,
    pub index: f64,
    pub measure: f64,
    pub rules: f64,
    /// All that was tried for other k.
    pub curve: f64,
    pub write: f64,
}

/// What the rules say.
pub struct Answers {
    discs: Vec<Option<Disc>>,
    /// Of each disc.
    discs_found: Assessment,
    /// Of each zone.
    zones: Option<Assessment>,
    curve: Option<Curve>,
}

pub fn run(args: RulesArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let prepared = Prepared::new(&plan, &mut timings)?;
    let mut answers = answer(&plan, &prepared, &interrupt, &mut timings)?;
    if plan.run.is_summarised() {
        let clock = Instant::now();
        answers.curve = Curve::new(&plan, &prepared, &interrupt)?;
        timings.curve = clock.elapsed().as_secs_f64();
    }
    let beside: Vec<_> = plan.units.iter().collect();
    let summary = plan.run.complete(
        &beside,
        &interrupt,
        || write(&plan, &prepared, &answers, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            Summary::new(&plan, &prepared, &answers, command, hashes, timings)
        },
        json::render,
    )?;
    plan.run
        .audience
        .tell(&prepared.base.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// What the rules found, for those who ask more of it.
#[derive(Debug, Default)]
pub struct Found {
    /// What the summary of the run says.
    pub figures: Value,
    /// Where the units are whose discs break a rule, or who have none.
    pub broken: Vec<Point>,
}

/// What a run on this source finds for all units; nothing is written.
pub fn figures(
    args: RulesArgs,
    source: &Source,
    command: Vec<String>,
    interrupt: &Interrupt,
) -> anyhow::Result<Found> {
    let mut plan = Plan::new(args)?;
    plan.intake.source = source.clone();
    let mut timings = Timings::default();
    let prepared = Prepared::new(&plan, &mut timings)?;
    let mut answers = answer(&plan, &prepared, interrupt, &mut timings)?;
    answers.curve = Curve::new(&plan, &prepared, interrupt)?;
    let places = prepared.base.population.locations().iter();
    let found = places.zip(&answers.discs_found.findings);
    let broken = found.filter(|(_, found)| !found.broken.is_safe());
    let broken = broken.map(|(place, _)| *place).collect();
    let summary = Summary::new(&plan, &prepared, &answers, command, Vec::new(), timings);
    Ok(Found {
        figures: json::value(&summary),
        broken,
    })
}

fn answer(
    plan: &Plan,
    prepared: &Prepared,
    interrupt: &Interrupt,
    timings: &mut Timings,
) -> anyhow::Result<Answers> {
    let clock = Instant::now();
    let name = format!("measuring, delta = {}", plan.anonymity.delta());
    let discs = measure(plan, prepared, plan.anonymity, &name, interrupt)?;
    timings.measure = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let categories = prepared.columns.shown().len();
    let discs_found = assess(
        plan,
        prepared,
        plan.anonymity,
        &discs,
        categories,
        interrupt,
    )?;
    let zones = prepared.divided.as_ref().map(|by_zone| {
        let assess = Assess::new(&by_zone.holdings, &plan.rules);
        assess.categories(categories).places()
    });
    timings.rules = clock.elapsed().as_secs_f64();
    Ok(Answers {
        discs,
        discs_found,
        zones,
        curve: None,
    })
}

fn measure(
    plan: &Plan,
    prepared: &Prepared,
    asked: Anonymity,
    name: &str,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Option<Disc>>> {
    let base = &prepared.base;
    let ask = |measure: Measure| base.subjects.measure(measure);
    plan.run
        .measure(name, &base.population, asked, interrupt, ask)
}

/// Applies the rules to these discs, counting the units of so many categories.
fn assess(
    plan: &Plan,
    prepared: &Prepared,
    asked: Anonymity,
    discs: &[Option<Disc>],
    categories: usize,
    interrupt: &Interrupt,
) -> anyhow::Result<Assessment> {
    let population = &prepared.base.population;
    let locations = match &prepared.base.subjects {
        Subjects::Some { locations, .. } => Cow::Borrowed(&locations[..]),
        _ => (0..population.locations().len() as u32).collect(),
    };
    let phase = Phase::new("applying rules", &plan.run.audience);
    let progress = |done, total| phase.report(done, total);
    let assess = Assess::new(&prepared.holdings, &plan.rules)
        .categories(categories)
        .threads(plan.run.threads)
        .progress(&progress)
        .cancel(interrupt.flag());
    interrupt.measured(|| assess.discs(population, asked, &locations, discs))
}

impl Answers {
    /// Of each zone, the units whose own disc is unsafe.
    fn unsafe_units(&self, prepared: &Prepared, zones: &Zones) -> Vec<u64> {
        let mut units = vec![0; zones.len()];
        for usable in prepared.measured() {
            let found = &self.discs_found.findings[prepared.base.answer(usable)];
            if let Some(zone) = zones.of_unit[usable].filter(|_| !found.broken.is_safe()) {
                units[zone as usize] += prepared.weight(usable);
            }
        }
        units
    }
}

fn write<'a>(
    plan: &'a Plan,
    prepared: &Prepared,
    answers: &Answers,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    let added = || -> Added { columns::sequence(plan, prepared, answers) };
    let base = &prepared.base;
    let joined = Joined {
        table: &base.table,
        decimal: base.decimal,
        rows: base.rows.len(),
        fields: columns::added(plan, prepared.columns.shown()),
        added: &added,
    };
    match &prepared.divided {
        None => delivery.write(&plan.run.output, &joined)?,
        Some(by_zone) => {
            let table = RegionTable {
                plan,
                prepared,
                answers,
                by_zone,
            };
            delivery.write(&plan.run.output, &table)?;
        }
    }
    if let Some(output) = &plan.units {
        delivery.write(output, &joined)?;
    }
    Ok(delivery)
}

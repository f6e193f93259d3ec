//! `kdisc areal`: read, count in cells or regions, move the cells, measure, write, tell.

mod columns;
mod inspire;
pub mod json;
pub mod plan;
pub mod prepare;
mod radii;
mod summary;
pub mod text;
pub mod zones;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::areal::Maup;
use kdisc::{Disc, Measure, Population};
use serde_json::Value;

use crate::args::ArealArgs;
use crate::delivery::Delivery;
use crate::interrupt::Interrupt;
use crate::joined::{Added, Joined};
use crate::progress;
use crate::source::Source;
use columns::ZoneTable;
use plan::{Division, Plan};
use prepare::Prepared;
use radii::Radii;
use summary::Summary;

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    pub read: f64,
    /// Fingerprints of the inputs.
    pub hash: f64,
    pub assign: f64,
    pub maup: f64,
    pub measure: f64,
    pub write: f64,
}

/// What there is to say of units beyond their zones.
pub struct Answers {
    maup: Option<Maup>,
    measured: Option<Measured>,
}

/// The discs of all units, and what they come to in each zone.
pub struct Measured {
    population: Population,
    discs: Vec<Option<Disc>>,
    per_zone: Vec<Radii>,
}

impl Measured {
    /// The radius of a usable row.
    fn radius(&self, usable: usize) -> Option<f64> {
        let location = self.population.location_of_row()[usable] as usize;
        self.discs[location].map(|disc| disc.radius)
    }
}

pub fn run(args: ArealArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let (prepared, answers) = answer(&plan, &interrupt, &mut timings)?;
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
        .tell(&prepared.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// What the summary of a run on this source says of its cells; nothing is written, and no unit
/// measured.
pub fn figures(
    args: ArealArgs,
    source: &Source,
    command: Vec<String>,
    interrupt: &Interrupt,
) -> anyhow::Result<Value> {
    let mut plan = Plan::new(args)?;
    plan.intake.source = source.clone();
    plan.anonymity = None;
    let mut timings = Timings::default();
    let (prepared, answers) = answer(&plan, interrupt, &mut timings)?;
    let summary = Summary::new(&plan, &prepared, &answers, command, Vec::new(), timings);
    Ok(json::value(&summary))
}

fn answer(
    plan: &Plan,
    interrupt: &Interrupt,
    timings: &mut Timings,
) -> anyhow::Result<(Prepared, Answers)> {
    let pool = plan.run.pool()?;
    let prepared = pool.install(|| Prepared::read(plan, timings))?;
    let clock = Instant::now();
    let mut maup = None;
    if let (Some(shifts), Division::Grid(grid)) = (plan.shifts, &plan.division) {
        let units = &prepared.register.units;
        let weights = units.weights.as_deref();
        let found = progress::waiting("moving the grid", &plan.run.audience, || {
            pool.install(|| Maup::new(&units.points, weights, grid, shifts))
        });
        maup = Some(found.map_err(|error| prepare::too_fine(&error))?);
        timings.maup = clock.elapsed().as_secs_f64();
    }
    let clock = Instant::now();
    let mut measured = None;
    if let Some(asked) = plan.anonymity {
        let population = pool.install(|| prepared.register.population(&plan.intake))?;
        let what = format!("measuring, delta = {}", asked.delta());
        let discs = plan
            .run
            .measure(what, &population, asked, interrupt, |measure: Measure| {
                measure.all()
            })?;
        let per_zone = radii::per_zone(&population, &discs, &prepared.zones, plan.max_radius);
        measured = Some(Measured {
            population,
            discs,
            per_zone,
        });
        timings.measure = clock.elapsed().as_secs_f64();
    }
    Ok((prepared, Answers { maup, measured }))
}

fn write<'a>(
    plan: &'a Plan,
    prepared: &Prepared,
    answers: &Answers,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    let table = ZoneTable {
        plan,
        prepared,
        answers,
    };
    delivery.write(&plan.run.output, &table)?;
    if let Some(output) = &plan.units {
        let added = || -> Added { columns::sequence(plan, prepared, answers) };
        let joined = Joined::beside(&prepared.register, columns::added(plan), &added);
        delivery.write(output, &joined)?;
    }
    Ok(delivery)
}

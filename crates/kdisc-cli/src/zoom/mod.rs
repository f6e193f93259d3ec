//! `kdisc zoom`: what a map gives away at each level.

mod json;
pub mod levels;
mod look;
pub mod plan;
mod table;
mod text;
mod units;
mod verdict;

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use kdisc::Population;
use rayon::prelude::*;
use serde_json::Value;

use crate::args::ZoomArgs;
use crate::delivery::{Delivery, Fingerprint};
use crate::interrupt::Interrupt;
use crate::joined::refuse_same_columns;
use crate::progress::Phase;
use crate::register::Register;
use crate::source::Source;
use levels::{Level, Plane};
use look::{Looking, Rows, Sight};
use plan::{Map, Plan};
use table::{Row, Table};
use units::Units;
use verdict::{Breaking, Verdict};

/// Levels that are looked at together: much of what one needs is done by one thread at a time.
const TOGETHER: usize = 2;

/// Everything that the levels need.
struct Prepared {
    register: Register,
    ground: kdisc_io::crs::Ground,
    population: Population,
    levels: Vec<Level>,
    plane: Plane,
    warnings: Vec<String>,
}

/// What the levels came to.
struct Seen {
    rows: Vec<Row>,
    breaking: Option<Breaking>,
    /// The only level, if every unit is to be told.
    only: Option<Sight>,
}

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
struct Timings {
    read: f64,
    look: f64,
    write: f64,
}

/// What a run comes down to.
struct Summary<'a> {
    command: Vec<String>,
    plan: &'a Plan,
    prepared: &'a Prepared,
    seen: &'a Seen,
    verdict: Verdict,
    hashes: Vec<Fingerprint>,
    timings: Timings,
}

pub fn run(args: ZoomArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let (prepared, seen) = see(&plan, &interrupt, &mut timings)?;
    let beside: Vec<_> = plan.units.iter().collect();
    let summary = plan.run.complete(
        &beside,
        &interrupt,
        || write(&plan, &prepared, &seen, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            Summary {
                command,
                plan: &plan,
                prepared: &prepared,
                seen: &seen,
                verdict: Verdict::new(&plan, &seen.rows),
                hashes,
                timings,
            }
        },
        json::render,
    )?;
    plan.run
        .audience
        .tell(&prepared.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// What the summary of a run on this source says; nothing is written.
pub fn figures(
    args: ZoomArgs,
    source: &Source,
    command: Vec<String>,
    interrupt: &Interrupt,
) -> anyhow::Result<Value> {
    let mut plan = Plan::new(args)?;
    plan.intake.source = source.clone();
    let mut timings = Timings::default();
    let (prepared, seen) = see(&plan, interrupt, &mut timings)?;
    let summary = Summary {
        command,
        plan: &plan,
        prepared: &prepared,
        seen: &seen,
        verdict: Verdict::new(&plan, &seen.rows),
        hashes: Vec::new(),
        timings,
    };
    Ok(json::value(&summary))
}

/// Reads the units and looks at the levels.
fn see(
    plan: &Plan,
    interrupt: &Interrupt,
    timings: &mut Timings,
) -> anyhow::Result<(Prepared, Seen)> {
    let pool = plan.run.pool()?;
    pool.install(|| {
        let clock = Instant::now();
        let prepared = prepare(plan)?;
        timings.read = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let seen = look(plan, &prepared, interrupt)?;
        timings.look = clock.elapsed().as_secs_f64();
        Ok((prepared, seen))
    })
}

fn prepare(plan: &Plan) -> anyhow::Result<Prepared> {
    let mut register = Register::read(&plan.intake)?;
    if plan.units.is_some() {
        refuse_same_columns(&register.table, &plan.added)?;
    }
    let mut warnings = Vec::new();
    // On a web map the coordinates of the input are needed, which then go to the ground.
    let world = match plan.map {
        Map::Web { .. } => Some(levels::world(&register)?),
        _ => None,
    };
    let ground = register.project(plan.intake.compute_crs.as_ref(), &mut warnings)?;
    let population = register.population(&plan.intake)?;
    let (levels, plane) = match world {
        Some(world) => (
            levels::of_web(&plan.map, plan.marker, &world)?,
            Plane::Own(world),
        ),
        None => levels::on_ground(&plan.map, plan.marker, &register.units.points)?,
    };
    if plan.run.summary.is_some() {
        register.hash()?;
    }
    Ok(Prepared {
        register,
        ground,
        population,
        levels,
        plane,
        warnings,
    })
}

fn look(plan: &Plan, prepared: &Prepared, interrupt: &Interrupt) -> anyhow::Result<Seen> {
    let units = &prepared.register.units;
    let rows = Rows {
        ground: &units.points,
        plane: &prepared.plane,
        weights: units.weights.as_deref(),
    };
    let looking = Looking::new(plan, rows, &prepared.population, interrupt)?;
    let levels = &prepared.levels;
    let phase = Phase::new("levels", &plan.run.audience);
    let done = AtomicUsize::new(0);
    let at = |&level: &Level| -> anyhow::Result<_> {
        let sight = looking.at(level)?;
        let row = Row::new(plan, &sight);
        let breaking = (!row.is_safe(plan)).then(|| Breaking::new(&sight, &prepared.register));
        phase.report(1 + done.fetch_add(1, Ordering::Relaxed), levels.len());
        Ok((row, breaking, plan.units.is_some().then_some(sight)))
    };
    let mut seen = Seen {
        rows: Vec::new(),
        breaking: None,
        only: None,
    };
    for together in levels.chunks(TOGETHER) {
        let sights = together.par_iter().map(at).collect::<Result<Vec<_>, _>>()?;
        for (row, breaking, only) in sights {
            seen.rows.push(row);
            seen.breaking = seen.breaking.or(breaking);
            seen.only = only;
        }
    }
    Ok(seen)
}

fn write<'a>(
    plan: &'a Plan,
    prepared: &Prepared,
    seen: &Seen,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    delivery.write(&plan.run.output, &Table { rows: &seen.rows })?;
    if let (Some(output), Some(sight)) = (&plan.units, &seen.only)
        && let Some(discs) = &sight.discs
    {
        let units = Units {
            register: &prepared.register,
            sight,
            discs,
        };
        units.write(plan, output, &mut delivery)?;
    }
    Ok(delivery)
}

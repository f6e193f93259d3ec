//! `kdisc bandwidth`: read, measure at δ = 0, compare with the rule of thumb, write, tell.

mod columns;
mod json;
mod text;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::density::{Kernel, Reaches, scott, stretched};
use kdisc::{Anonymity, Delta, Disc, Measure, Population};

use crate::args::BandwidthArgs;
use crate::delivery::{Delivery, Fingerprint};
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::joined::{Added, Joined, refuse_same_columns};
use crate::outputs::{Output, Run};
use crate::register::{Intake, Register};
use columns::Curve;

/// A run of `kdisc bandwidth`.
struct Plan {
    intake: Intake,
    asked: Anonymity,
    shares: Vec<f64>,
    kernel: Kernel,
    /// The least adaptive bandwidth.
    least: f64,
    /// Where the units go.
    units: Option<Output>,
    /// The name of the column that is added to them.
    added: String,
    run: Run,
}

impl Plan {
    fn new(args: BandwidthArgs) -> anyhow::Result<Self> {
        let run = Run::new(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let units = args.units.as_deref();
        let plan = Self {
            intake: Intake::new(source, args.reading, run.audience.clone())?,
            asked: Anonymity::new(args.k)?.with_delta(Delta::ZERO),
            shares: args.shares,
            kernel: args.kernel,
            least: args.min_bandwidth.or(args.cell).unwrap_or(0.0),
            units: units.map(|path| run.beside("units", path)).transpose()?,
            added: format!("{}bandwidth", args.prefix),
            run,
        };
        let beside: Vec<_> = plan.units.iter().collect();
        plan.run.refuse_clashes(&[&plan.intake.source], &beside)?;
        Ok(plan)
    }
}

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
struct Timings {
    read: f64,
    measure: f64,
    write: f64,
}

/// What was found.
struct Found {
    register: Register,
    population: Population,
    /// At δ = 0.
    discs: Vec<Option<Disc>>,
    curve: Vec<Step>,
    scott: Scott,
    /// Units without a disc.
    never: u64,
    warnings: Vec<String>,
}

/// The smallest bandwidth for a share of the units.
struct Step {
    share: f64,
    bandwidth: Option<f64>,
    /// The units that have k within reach of it.
    units: Option<u64>,
}

/// The rule of thumb, for the kernel.
struct Scott {
    /// East and north.
    axes: [f64; 2],
    /// The units that have fewer than k within reach of it.
    exposed: u64,
}

/// What a run comes down to.
struct Summary<'a> {
    command: Vec<String>,
    plan: &'a Plan,
    found: &'a Found,
    hashes: Vec<Fingerprint>,
    timings: Timings,
}

pub fn run(args: BandwidthArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let found = find(&plan, &interrupt, &mut timings)?;
    let beside: Vec<_> = plan.units.iter().collect();
    let summary = plan.run.complete(
        &beside,
        &interrupt,
        || write(&plan, &found, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            Summary {
                command,
                plan: &plan,
                found: &found,
                hashes,
                timings,
            }
        },
        json::render,
    )?;
    plan.run
        .audience
        .tell(&found.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

fn find(plan: &Plan, interrupt: &Interrupt, timings: &mut Timings) -> anyhow::Result<Found> {
    let clock = Instant::now();
    let pool = plan.run.pool()?;
    let mut warnings = Vec::new();
    let (register, population) = pool.install(|| -> anyhow::Result<_> {
        let mut register = Register::read(&plan.intake)?;
        if plan.units.is_some() {
            refuse_same_columns(&register.table, std::slice::from_ref(&plan.added))?;
        }
        let compute = plan.intake.compute_crs.as_ref();
        register.project(compute, &mut warnings)?;
        if plan.run.summary.is_some() {
            register.hash()?;
        }
        let population = register.population(&plan.intake)?;
        Ok((register, population))
    })?;
    timings.read = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let measure = |what, population: &Population| {
        let run = &plan.run;
        run.measure(
            what,
            population,
            plan.asked,
            interrupt,
            |measure: Measure| measure.all(),
        )
    };
    let discs = measure("measuring", &population)?;
    let reaches = Reaches::new(&population, &discs);
    let curve = plan.shares.iter().map(|&share| {
        let bandwidth = reaches.bandwidth(share);
        Step {
            share,
            bandwidth,
            units: bandwidth.map(|bandwidth| reaches.reached(bandwidth)),
        }
    });
    let axes = scott(&population).map(|deviation| plan.kernel.equivalent(deviation));
    let plane = stretched(&population, axes)
        .map_err(|error| Refusal::new(error.to_string(), "check the coordinates"))?;
    let in_plane = measure("the rule of thumb", &plane)?;
    let reached = Reaches::new(&plane, &in_plane).reached(1.0);
    timings.measure = clock.elapsed().as_secs_f64();
    Ok(Found {
        curve: curve.collect(),
        scott: Scott {
            axes,
            exposed: population.units() - reached,
        },
        never: population.units() - reaches.reached(f64::INFINITY),
        register,
        population,
        discs,
        warnings,
    })
}

fn write<'a>(
    plan: &'a Plan,
    found: &Found,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    delivery.write(&plan.run.output, &Curve(&found.curve))?;
    if let Some(output) = &plan.units {
        let added = || -> Added { columns::sequence(plan, found) };
        let joined = Joined::beside(&found.register, columns::added(plan), &added);
        delivery.write(output, &joined)?;
    }
    Ok(delivery)
}

//! `kdisc surface`: read, measure the centre of every cell, write, tell.

mod json;
mod text;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::density::Frame;
use kdisc::statistics::{Figures, figures, sorted};
use kdisc::{Anonymity, Disc, Measure, Point};
use kdisc_io::crs::Ground;
use kdisc_io::geotiff::Band;

use crate::args::SurfaceArgs;
use crate::delivery::{Delivery, Fingerprint};
use crate::interrupt::Interrupt;
use crate::outputs::Run;
use crate::raster::{self, Raster};
use crate::register::{InputFacts, Intake, Register};
use crate::summary::text::question;

/// Bytes that a cell takes while it is measured, as a place and as a location among the units.
const MEASURED: u128 = 280;

/// A run of `kdisc surface`.
struct Plan {
    intake: Intake,
    anonymity: Anonymity,
    raster: Raster,
    run: Run,
}

impl Plan {
    fn new(args: SurfaceArgs) -> anyhow::Result<Self> {
        let run = Run::raster(args.run)?;
        let source = run.audience.source_or_example(args.input);
        let plan = Self {
            intake: Intake::new(source, args.units, run.audience.clone())?,
            anonymity: Anonymity::new(args.k)?
                .with_delta(args.delta)
                .with_metric(args.metric),
            raster: Raster::new(&args.raster, &run),
            run,
        };
        plan.run.refuse_clashes(&[&plan.intake.source], &[])?;
        Ok(plan)
    }
}

impl Plan {
    /// What is asked, in words.
    fn asked(&self) -> String {
        question(self.anonymity).replace("the unit", "the centre of each cell")
    }
}

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
struct Timings {
    read: f64,
    measure: f64,
    write: f64,
}

/// The measure all over the map.
struct Surface {
    facts: InputFacts,
    ground: Ground,
    units: u64,
    frame: Frame,
    /// Not a number where there is no disc.
    radius: Vec<f64>,
    risk: Vec<f64>,
    warnings: Vec<String>,
}

/// What a run comes down to.
struct Summary<'a> {
    command: Vec<String>,
    plan: &'a Plan,
    surface: &'a Surface,
    /// Of the cells that have a disc.
    radius: Option<Figures>,
    risk: Option<Figures>,
    hashes: Vec<Fingerprint>,
    timings: Timings,
}

pub fn run(args: SurfaceArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let surface = measure(&plan, &interrupt, &mut timings)?;
    let summary = plan.run.complete(
        &[],
        &interrupt,
        || write(&plan, &surface, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            let told = plan.run.is_summarised();
            Summary {
                command,
                plan: &plan,
                surface: &surface,
                radius: told.then(|| spread(&surface.radius)).flatten(),
                risk: told.then(|| spread(&surface.risk)).flatten(),
                hashes,
                timings,
            }
        },
        json::render,
    )?;
    plan.run
        .audience
        .tell(&surface.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

fn measure(plan: &Plan, interrupt: &Interrupt, timings: &mut Timings) -> anyhow::Result<Surface> {
    let clock = Instant::now();
    let pool = plan.run.pool()?;
    let mut warnings = Vec::new();
    let (register, ground, population, frame) = pool.install(|| -> anyhow::Result<_> {
        let mut register = Register::read(&plan.intake)?;
        let compute = plan.intake.compute_crs.as_ref();
        let ground = register.project(compute, &mut warnings)?;
        register.count(&plan.intake)?;
        let frame = plan.raster.frame(&register.units.points, 0.0, None)?;
        plan.raster
            .check_memory(&frame, MEASURED * frame.cells() as u128, 2)?;
        if plan.run.summary.is_some() {
            register.hash()?;
        }
        let population = register.population(&plan.intake)?;
        Ok((register, ground, population, frame))
    })?;
    raster::warn_of_system(&ground, &mut warnings);
    timings.read = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let places: Vec<Point> = (0..frame.cells()).map(|cell| frame.center(cell)).collect();
    let discs = plan.run.measure(
        "measuring",
        &population,
        plan.anonymity,
        interrupt,
        |measure: Measure| measure.places(&places),
    )?;
    timings.measure = clock.elapsed().as_secs_f64();
    let band = |of: fn(&Disc) -> f64| {
        let cells = discs.iter();
        let cells = cells.map(|disc| disc.as_ref().map_or(f64::NAN, of));
        cells.collect::<Vec<f64>>()
    };
    Ok(Surface {
        facts: register.facts,
        ground,
        units: population.units(),
        frame,
        radius: band(|disc| disc.radius),
        risk: band(Disc::risk),
        warnings,
    })
}

fn spread(band: &[f64]) -> Option<Figures> {
    let numbers = band.iter().filter(|number| !number.is_nan());
    figures(&sorted(numbers.map(|&number| (number, 1)).collect()), |n| n)
}

fn write<'a>(
    plan: &'a Plan,
    surface: &Surface,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let bands = vec![
        Band {
            name: "radius",
            unit: "m".to_owned(),
            cells: &surface.radius,
        },
        Band {
            name: "risk",
            unit: "m per unit".to_owned(),
            cells: &surface.risk,
        },
    ];
    let notes = vec![
        ("METHOD", plan.asked()),
        (
            "CONFIDENTIAL",
            "exact locations can be worked out from it; keep it as safe as the input".to_owned(),
        ),
    ];
    raster::deliver(
        &plan.run,
        &surface.frame,
        &surface.ground,
        bands,
        notes,
        interrupt,
    )
}

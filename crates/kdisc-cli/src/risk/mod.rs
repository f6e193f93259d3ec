//! `kdisc risk`: read, index, measure, write, tell.
//!
//! Each step takes what it needs from the one before and drops it as soon as it can: with ten
//! million rows every vector counts.

mod answers;
mod arrays;
mod change;
mod deliver;
mod discs;
mod json;
mod plan;
mod prepare;
mod regional;
mod rows;
mod subjects;
mod summary;
mod text;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::{Anonymity, Delta, Disc, Measure};

use crate::args::RiskArgs;
use crate::delivery::Fingerprint;
use crate::interrupt::Interrupt;
use crate::progress::Phase;
use change::Change;
use plan::Plan;
use prepare::Prepared;
use summary::Spreads;

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct Timings {
    pub read: f64,
    /// Fingerprints of the inputs.
    pub hash: f64,
    pub index: f64,
    pub measure: f64,
    pub measure_delta_zero: f64,
    /// The measure without the restriction to regions.
    pub measure_plain: f64,
    pub write: f64,
}

pub fn run(args: RiskArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let prepared = Prepared::new(&plan, &mut timings)?;
    plan.run.audience.warn(&prepared.warnings);
    let answers = Answers::measure(&prepared, &plan, &interrupt, &mut timings)?;
    let summary = deliver::deliver(&plan, &prepared, answers, command, timings, &interrupt)?;
    plan.run.audience.tell(|| text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// The fingerprints of what the run would write; nothing is left behind.
pub fn rehearse(args: RiskArgs, interrupt: &Interrupt) -> anyhow::Result<Vec<Fingerprint>> {
    let plan = Plan::new(args)?;
    let prepared = Prepared::new(&plan, &mut Timings::default())?;
    let discs = measure(&prepared, &plan, plan.anonymity, interrupt)?;
    deliver::rehearse(&plan, &prepared, &discs, interrupt)
}

/// What the measure says.
pub struct Answers {
    discs: Vec<Option<Disc>>,
    asked: Spreads,
    delta_zero: Spreads,
    /// What the restriction to regions changes.
    change: Option<Change>,
}

impl Answers {
    fn measure(
        prepared: &Prepared,
        plan: &Plan,
        interrupt: &Interrupt,
        timings: &mut Timings,
    ) -> anyhow::Result<Self> {
        let at_zero = plan.anonymity.with_delta(Delta::ZERO);
        // First, as nothing of it is kept but its figures; a quiet run without summary needs none.
        let mut delta_zero = None;
        if plan.run.is_summarised() && plan.anonymity != at_zero {
            let clock = Instant::now();
            let discs = measure(prepared, plan, at_zero, interrupt)?;
            timings.measure_delta_zero = clock.elapsed().as_secs_f64();
            delta_zero = Some(Spreads::new(&discs, prepared.weights()));
        }
        let clock = Instant::now();
        let discs = measure(prepared, plan, plan.anonymity, interrupt)?;
        timings.measure = clock.elapsed().as_secs_f64();
        let asked = if plan.run.is_summarised() {
            Spreads::new(&discs, prepared.weights())
        } else {
            Spreads::default()
        };
        let mut change = None;
        if let Some(regional) = prepared
            .regional
            .as_ref()
            .filter(|_| plan.run.is_summarised())
        {
            let clock = Instant::now();
            let plain = plainly(prepared, plan, plan.anonymity, interrupt)?;
            timings.measure_plain = clock.elapsed().as_secs_f64();
            change = Some(Change::new(regional, &discs, &plain));
        }
        Ok(Self {
            change,
            delta_zero: delta_zero.unwrap_or_else(|| asked.clone()),
            asked,
            discs,
        })
    }
}

fn measure(
    prepared: &Prepared,
    plan: &Plan,
    anonymity: Anonymity,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Option<Disc>>> {
    let Some(regional) = &prepared.regional else {
        return plainly(prepared, plan, anonymity, interrupt);
    };
    let phase = phase(plan, "within regions", anonymity);
    let progress = |done, total| phase.report(done, total);
    interrupt.measured(|| {
        regional.measure(anonymity, &prepared.subjects, |within| {
            within
                .threads(plan.run.threads)
                .progress(&progress)
                .cancel(interrupt.flag())
        })
    })
}

/// Without any restriction to regions.
fn plainly(
    prepared: &Prepared,
    plan: &Plan,
    anonymity: Anonymity,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<Option<Disc>>> {
    let phase = phase(plan, "measuring", anonymity);
    let progress = |done, total| phase.report(done, total);
    let measure = Measure::new(&prepared.population, anonymity)
        .threads(plan.run.threads)
        .progress(&progress)
        .cancel(interrupt.flag());
    interrupt.measured(|| prepared.subjects.measure(measure))
}

fn phase(plan: &Plan, what: &str, anonymity: Anonymity) -> Phase {
    let name = format!("{what}, delta = {}", anonymity.delta());
    Phase::new(name, &plan.run.audience)
}

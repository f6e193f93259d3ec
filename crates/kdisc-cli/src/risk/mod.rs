//! `kdisc risk`: read, index, measure, write, tell.
//!
//! Each step takes what it needs from the one before and drops it as soon as it can: with ten
//! million rows every vector counts.

pub mod answers;
pub mod arrays;
mod change;
mod deliver;
mod discs;
mod json;
pub mod plan;
pub mod prepare;
mod regional;
mod rows;
pub mod subjects;
pub mod summary;
mod text;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::{Anonymity, Delta, Disc, Measure};
use serde_json::Value;

use crate::args::RiskArgs;
use crate::interrupt::Interrupt;
use crate::progress::Phase;
use crate::source::Source;
use change::Change;
use plan::Plan;
use prepare::Prepared;
use summary::{Isolated, Spreads, Summary};

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
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let prepared = Prepared::new(&plan, &mut timings)?;
    let answers = Answers::measure(&prepared, &plan, &interrupt, &mut timings)?;
    let summary = deliver::deliver(&plan, &prepared, answers, command, timings, &interrupt)?;
    plan.run
        .audience
        .tell(&prepared.warnings, || text::render(&summary));
    Ok(ExitCode::SUCCESS)
}

/// A population measured as asked and at δ = 0, and what the summary of the run says.
pub struct Measured {
    pub prepared: Prepared,
    pub discs: Vec<Option<Disc>>,
    pub at_zero: Vec<Option<Disc>>,
    /// The rows without a disc or with the largest, worst first.
    pub worst: Vec<Isolated>,
    pub figures: Value,
}

/// What the summary of a run on this source says, and the `named` most isolated rows; nothing is
/// written.
pub fn figures(
    args: RiskArgs,
    source: &Source,
    named: usize,
    command: Vec<String>,
    interrupt: &Interrupt,
) -> anyhow::Result<Measured> {
    let mut plan = Plan::new(args)?;
    plan.units.source = source.clone();
    let mut timings = Timings::default();
    let mut prepared = Prepared::new(&plan, &mut timings)?;
    prepared.inputs[0].sha256 = source.sha256(&prepared.table.input)?;
    let clock = Instant::now();
    let at_zero = measure(
        &prepared,
        &plan,
        plan.anonymity.with_delta(Delta::ZERO),
        interrupt,
    )?;
    timings.measure_delta_zero = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let discs = measure(&prepared, &plan, plan.anonymity, interrupt)?;
    timings.measure = clock.elapsed().as_secs_f64();
    let answers = Answers {
        asked: Spreads::new(&discs, prepared.weights()),
        delta_zero: Spreads::new(&at_zero, prepared.weights()),
        change: None,
        discs,
    };
    let summary = Summary::new(&plan, &prepared, &answers, command, Vec::new(), timings);
    let figures = json::value(&summary);
    Ok(Measured {
        worst: summary::most_isolated(&prepared, &answers.discs, named),
        discs: answers.discs,
        prepared,
        at_zero,
        figures,
    })
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
    let what = format!("within regions, delta = {}", anonymity.delta());
    let phase = Phase::new(what, &plan.run.audience);
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
    let what = format!("measuring, delta = {}", anonymity.delta());
    let ask = |measure: Measure| prepared.subjects.measure(measure);
    plan.run
        .measure(what, &prepared.population, anonymity, interrupt, ask)
}

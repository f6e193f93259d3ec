//! `kdisc density`: read, find bandwidths, smooth, mask, write, tell.

mod json;
mod plan;
mod prepare;
mod text;

use std::process::ExitCode;
use std::time::Instant;

use kdisc::density::{DensityError, Map, Smoothing};
use kdisc::statistics::{Figures, figures, sorted};
use kdisc_io::geotiff::Band;

use crate::args::DensityArgs;
use crate::delivery::{Delivery, Fingerprint};
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::progress::Phase;
use crate::raster;
use crate::summary::text::count;
use plan::Plan;
use prepare::Prepared;

/// Seconds spent in each phase.
#[derive(Debug, Clone, Copy, Default)]
struct Timings {
    read: f64,
    /// Bandwidths of units.
    measure: f64,
    smooth: f64,
    write: f64,
}

/// What the cells came to.
struct Verdict {
    /// Cells that receive anything.
    reached: usize,
    /// Of these, those that break the rule.
    unsafe_cells: usize,
}

/// What a run comes down to.
struct Summary<'a> {
    command: Vec<String>,
    plan: &'a Plan,
    prepared: &'a Prepared,
    map: &'a Map,
    verdict: &'a Verdict,
    /// Bandwidths of units, where these have their own.
    bandwidths: Option<Figures>,
    hashes: Vec<Fingerprint>,
    timings: Timings,
}

pub fn run(args: DensityArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args))?;
    interrupt.check()?;
    let mut timings = Timings::default();
    let (prepared, map, verdict) = answer(&plan, &interrupt, &mut timings)?;
    let summary = plan.run.complete(
        &[],
        &interrupt,
        || write(&plan, &prepared, &map, &interrupt),
        |hashes, seconds| {
            timings.write = seconds;
            Summary {
                command,
                plan: &plan,
                prepared: &prepared,
                map: &map,
                verdict: &verdict,
                bandwidths: bandwidths(&prepared),
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

fn answer(
    plan: &Plan,
    interrupt: &Interrupt,
    timings: &mut Timings,
) -> anyhow::Result<(Prepared, Map, Verdict)> {
    let pool = plan.run.pool()?;
    let mut prepared = Prepared::read(plan, &pool, interrupt, timings)?;
    let clock = Instant::now();
    let phase = Phase::new("smoothing", &plan.run.audience);
    let progress = |done, total| phase.report(done, total);
    let smoothing = Smoothing::new(&prepared.frame, plan.kernel, prepared.bandwidth(plan))
        .exact(plan.exact)
        .within(prepared.area.as_ref())
        .threads(plan.run.threads)
        .progress(&progress)
        .cancel(interrupt.flag());
    let map = interrupt.cooperate_or_end(|| smoothing.map(&prepared.given()));
    drop(phase);
    interrupt.check()?;
    let mut map = map.map_err(|error| no_map(&error, &prepared))?;
    timings.smooth = clock.elapsed().as_secs_f64();
    if map.spread() == 0 {
        return Err(Refusal::new(
            format!("no unit of {} lies on the map", plan.intake.source),
            "check --extent, --regions and the coordinate systems; 'kdisc info FILE' shows the \
             extent",
        )
        .into());
    }
    if map.outside() > 0 {
        prepared.warnings.push(format!(
            "{} outside the map: left out, also where they would have been spread onto it",
            count(map.outside(), "unit")
        ));
    }
    let reached = (0..prepared.frame.cells()).filter(|&cell| map.density()[cell] > 0.0);
    let reached = reached.count();
    let unsafe_cells = if plan.masked {
        map.mask(plan.rule)
    } else {
        let shown = (0..prepared.frame.cells()).filter(|&cell| !map.density()[cell].is_nan());
        shown.filter(|&cell| !map.is_safe(cell, plan.rule)).count()
    };
    let verdict = Verdict {
        reached,
        unsafe_cells,
    };
    Ok((prepared, map, verdict))
}

fn no_map(error: &DensityError, prepared: &Prepared) -> anyhow::Error {
    match error {
        DensityError::Value { row, .. } => {
            let at = prepared.register.at_usable(*row);
            let file = prepared.register.table.input.name();
            Refusal::new(
                format!("{file}, {at}: {error}"),
                "check the column of --value",
            )
            .into()
        }
        DensityError::Grid(_) => {
            Refusal::new(error.to_string(), "use larger cells: --cell M").into()
        }
        _ => error.clone().into(),
    }
}

fn bandwidths(prepared: &Prepared) -> Option<Figures> {
    let each = prepared.bandwidths.as_ref()?;
    let weights = prepared.register.units.weights.as_deref();
    let weight = |row: usize| weights.map_or(1, |weights| weights[row]);
    let all = each.iter().enumerate();
    let all = sorted(all.map(|(row, &h)| (h, weight(row))).collect());
    figures(&all, |units| units)
}

fn write<'a>(
    plan: &'a Plan,
    prepared: &Prepared,
    map: &Map,
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mean = map.mean();
    let value = plan.value.as_deref().unwrap_or_default();
    let mut bands = vec![("density", "1/m2".to_owned(), map.density())];
    if let (Some(total), Some(mean)) = (map.total(), &mean) {
        bands.push(("total", format!("{value} per m2"), total));
        bands.push(("mean", format!("{value} per unit"), mean));
    }
    let mut notes = vec![("METHOD", plan.method())];
    if plan.masked {
        notes.push((
            "DISCLOSURE_CONTROL",
            format!("cells are nan unless they have {}", plan.rule()),
        ));
    } else {
        bands.push((
            "contributors",
            "effective number".to_owned(),
            map.contributors(),
        ));
        bands.push(("largest_share", "share".to_owned(), map.largest_share()));
        notes.push((
            "CONFIDENTIAL",
            "cells that rest on few units are not masked; keep it as safe as the input".to_owned(),
        ));
    }
    let bands = bands
        .into_iter()
        .map(|(name, unit, cells)| Band { name, unit, cells });
    let bands = bands.collect();
    raster::deliver(
        &plan.run,
        &prepared.frame,
        &prepared.ground,
        bands,
        notes,
        interrupt,
    )
}

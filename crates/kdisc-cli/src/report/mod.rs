//! `kdisc report`: run the commands that it is made of, judge, compose a page, write, tell.
//!
//! The figures come first, as one JSON value (`report.json`); where the report is for publication,
//! what points at a unit is taken out of that value. The page is made of what is left, so it cannot
//! show what the value does not hold.

mod curves;
mod page;
mod parts;
mod plan;
mod publish;
mod spread;
mod text;
mod verdict;

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::{Value, json};

use crate::args::ReportArgs;
use crate::delivery::Delivery;
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::risk::Measured;
use crate::summary::json::{fingerprint, input};
use parts::Parts;
use plan::Plan;

/// The data are not safe, and it was asked to say so.
const NOT_SAFE: u8 = 3;

/// Whom a report is about, one by one; only a report that is not for publication shows them.
struct Subjects {
    measured: Measured,
    /// Whether each location exceeds a limit, if there is one.
    exceeding: Option<Vec<bool>>,
}

/// What a report is made of.
struct Made {
    html: String,
    facts: Value,
    warnings: Vec<String>,
    seconds: f64,
}

pub fn run(args: ReportArgs, command: Vec<String>) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::listen(&args.run.conduct.audience())?;
    let plan = interrupt.cooperate(|| Plan::new(args, command))?;
    interrupt.check()?;
    let made = make(&plan, &interrupt)?;
    let facts = plan.run.complete(
        &[],
        &interrupt,
        || write(&plan, &made.html, &interrupt),
        |hashes, seconds| {
            let mut facts = made.facts.clone();
            facts["output_sha256"] = json!(fingerprint(&hashes, "output"));
            facts["timings_s"] = json!({ "make": made.seconds, "write": seconds });
            facts
        },
        |facts| format!("{facts:#}\n"),
    )?;
    plan.run.audience.tell(&made.warnings, || {
        text::render(&plan, &facts, &made.warnings)
    });
    let is_unsafe = facts["verdict"]["safe"] == json!(false);
    Ok(if plan.fail_on_unsafe && is_unsafe {
        ExitCode::from(NOT_SAFE)
    } else {
        ExitCode::SUCCESS
    })
}

fn write<'a>(plan: &'a Plan, html: &str, interrupt: &'a Interrupt) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    delivery.write_file(&plan.run.output, |mut sink| {
        sink.write_all(html.as_bytes())?;
        Ok(sink)
    })?;
    Ok(delivery)
}

fn make(plan: &Plan, interrupt: &Interrupt) -> anyhow::Result<Made> {
    let clock = Instant::now();
    let parts = Parts {
        plan,
        source: plan.source.clone().held()?,
        interrupt,
    };
    let measured = parts.risk()?;
    let pictures = parts.map(&measured)?;
    let (mut facts, exceeding) = gather(&parts, &measured)?;
    facts["map"] = pictures.figures.clone();
    refuse_changed(&parts, &measured)?;
    if plan.public {
        publish::publish(&mut facts, plan.asked.k());
    }
    let warnings = facts["warnings"].as_array().into_iter().flatten();
    let warnings = warnings.filter_map(Value::as_str).map(str::to_owned);
    let warnings = warnings.collect();
    let subjects = Subjects {
        measured,
        exceeding,
    };
    let html = page::page(plan, &facts, pictures, subjects).html();
    Ok(Made {
        html,
        facts,
        warnings,
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// All figures, of which nothing is left out yet, and which locations exceed a limit.
fn gather(parts: &Parts, measured: &Measured) -> anyhow::Result<(Value, Option<Vec<bool>>)> {
    let Parts {
        plan, interrupt, ..
    } = parts;
    let prepared = &measured.prepared;
    let population = &prepared.population;
    let grid = parts::grid(plan, measured);
    let rules = parts.rules(measured)?;
    let (verdict, exceeding) = verdict::verdict(plan, measured, grid, &rules.broken)?;
    let units = population.multiplicities();
    let mut facts = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": plan.command,
        "inputs": prepared.inputs.iter().map(input).collect::<Vec<_>>(),
        "threads": plan.run.threads,
        "public": plan.public,
        "units": population.units(),
        "locations": population.locations().len(),
        "multiplicities": multiplicities(measured),
        "limits": {
            "max_radius": plan.limits.radius,
            "max_risk": plan.limits.risk,
            "min_count": plan.limits.count,
            "allow": plan.limits.allow,
            "max_radius_px": plan.limits.radius_px,
            "max_risk_px": plan.limits.risk_px,
        },
        "verdict": verdict,
        "spread": spread::spread(&measured.discs, &measured.at_zero, units),
        "curves": curves::curves(plan, measured, interrupt)?,
        "zoom": parts.zoom(measured)?,
        "areal": parts.areal(grid)?,
        "rules": rules.figures,
    });
    let Value::Object(mut risk) = measured.figures.clone() else {
        return Ok((facts, exceeding));
    };
    let worst = measured.worst.iter().map(|row| {
        json!({
            "line": row.name.line,
            "row": row.name.row,
            "radius": row.disc.map(|disc| disc.radius),
            "units": row.disc.map(|disc| disc.units),
            "risk": row.disc.map(|disc| disc.risk()),
        })
    });
    risk.insert("most_isolated".to_owned(), worst.collect());
    facts["risk"] = Value::Object(risk);
    let full = prepared.table.input.name().to_owned();
    let warnings = prepared.warnings.iter();
    // The same wherever the file is.
    let warnings = warnings.map(|warning| warning.replace(&full, &plan.name()));
    facts["warnings"] = warnings.collect();
    // What the parts have in common is told once.
    for part in ["risk", "zoom", "areal", "rules"] {
        if let Some(fields) = facts[part].as_object_mut() {
            for common in [
                "version",
                "inputs",
                "threads",
                "timings_s",
                "warnings",
                "multiplicities",
            ] {
                fields.remove(common);
            }
            fields.retain(|name, _| !name.ends_with("_sha256"));
        }
    }
    Ok((facts, exceeding))
}

/// How many locations have how many units, and what share of all they are.
fn multiplicities(measured: &Measured) -> Value {
    let mut rows = measured.figures["multiplicities"].clone();
    let all = measured.prepared.population.locations().len() as f64;
    for row in rows.as_array_mut().into_iter().flatten() {
        row["share"] = json!(row["locations"].as_f64().map(|some| some / all));
    }
    rows
}

/// The parts read the input one after the other: it must not change meanwhile.
fn refuse_changed(parts: &Parts, measured: &Measured) -> anyhow::Result<()> {
    let before = &measured.prepared.inputs[0].sha256;
    let after = parts.source.sha256(&measured.prepared.table.input)?;
    if *before == after {
        return Ok(());
    }
    let message = format!("{} changed while it was read", parts.source);
    Err(Refusal::new(
        message,
        "wait until it is complete, and run the report again",
    )
    .into())
}

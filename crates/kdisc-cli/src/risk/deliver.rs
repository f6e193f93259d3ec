//! The table and the summary, to where they should go: both or neither.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use kdisc::Disc;
use kdisc_io::OutputError;
use kdisc_io::output::{Sink, Target};
use kdisc_io::sha256::Hashing;

use super::prepare::Prepared;
use super::summary::Summary;
use super::{Answers, Timings, json, table};
use crate::failure::to_stdout;
use crate::interrupt::Interrupt;
use crate::plan::Plan;

/// Writes the table and the summary of it.
pub fn deliver<'a>(
    plan: &'a Plan,
    prepared: &'a Prepared,
    answers: Answers,
    command: Vec<String>,
    mut timings: Timings,
    interrupt: &Interrupt,
) -> anyhow::Result<Summary<'a>> {
    let deliver = || {
        let clock = Instant::now();
        let (sink, hash) = match &plan.output {
            Some(target) => to_file(prepared, &answers, plan, target, interrupt)?,
            None => (None, print(prepared, &answers, plan)?),
        };
        timings.write = clock.elapsed().as_secs_f64();
        let summary = Summary::new(plan, prepared, &answers, command, hash, timings);
        drop(answers);
        interrupt.cooperate(|| commit(sink, plan, &summary, interrupt))?;
        Ok(summary)
    };
    // A pipe may keep us waiting for ever; there is nothing to tidy up then, either.
    if plan.output.as_ref().is_some_and(Target::replaces) {
        interrupt.cooperate(deliver)
    } else {
        deliver()
    }
}

fn print(prepared: &Prepared, answers: &Answers, plan: &Plan) -> anyhow::Result<Option<String>> {
    let out = io::stdout().lock();
    let written = write(prepared, &answers.discs, plan, None, out);
    let (mut out, hash) = written.map_err(to_stdout)?;
    out.flush().map_err(to_stdout)?;
    Ok(hash)
}

fn to_file(
    prepared: &Prepared,
    answers: &Answers,
    plan: &Plan,
    target: &Target,
    interrupt: &Interrupt,
) -> anyhow::Result<(Option<Sink>, Option<String>)> {
    let sink = target.open()?;
    let stop = Some(interrupt.flag());
    let written = write(prepared, &answers.discs, plan, stop, sink);
    interrupt.check()?;
    let (sink, hash) = written.map_err(|error| in_writing(target.path(), error))?;
    Ok((Some(sink), hash))
}

/// Writes the table, and hashes it if somebody will be told.
fn write<W: Write>(
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    out: W,
) -> io::Result<(W, Option<String>)> {
    if plan.summary.is_some() {
        let out = table::write(prepared, discs, plan, stop, Hashing::new(out))?;
        let (out, hash) = out.finish();
        Ok((out, Some(hash)))
    } else {
        Ok((table::write(prepared, discs, plan, stop, out)?, None))
    }
}

/// Both files are complete before either takes its name.
fn commit(
    sink: Option<Sink>,
    plan: &Plan,
    summary: &Summary,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let mut summary_sink = None;
    if let Some(target) = &plan.summary {
        let mut out = target.open()?;
        out.write_all(json::render(summary).as_bytes())
            .map_err(|error| in_writing(target.path(), error))?;
        summary_sink = Some(out);
    }
    interrupt.check()?;
    for sink in [sink, summary_sink].into_iter().flatten() {
        sink.commit()?;
    }
    Ok(())
}

fn in_writing(path: &Path, source: io::Error) -> OutputError {
    OutputError::Write {
        path: path.to_owned(),
        source,
    }
}

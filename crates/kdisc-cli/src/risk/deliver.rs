//! The table, the discs and the summary, to where they should go: all or none.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use arrow_array::RecordBatch;
use kdisc::Disc;
use kdisc_io::csv::CsvWriter;
use kdisc_io::export::Export;
use kdisc_io::format::Format;
use kdisc_io::layer::Reader;
use kdisc_io::output::{Sink, Target};
use kdisc_io::sha256::Hashing;
use kdisc_io::{InputError, OutputError, WriteError};

use super::answers::Sequence;
use super::prepare::Prepared;
use super::summary::Summary;
use super::{Answers, Timings, arrays, discs, json, table};
use crate::failure::{to_stdout, with_target};
use crate::interrupt::Interrupt;
use crate::plan::Plan;
use crate::progress::Phase;

/// Writes the table, the discs, and the summary of both.
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
        let mut sinks = Vec::new();
        let hash = match &plan.output {
            Some(target) => {
                let (sink, hash) = to_file(prepared, &answers, plan, target, interrupt)?;
                sinks.push(sink);
                hash
            }
            None => print(prepared, &answers, plan)?,
        };
        let mut discs_hash = None;
        if let Some((target, format)) = &plan.discs {
            let metric = plan.anonymity.metric();
            let sink = target.open()?;
            let sink =
                discs::write(sink, *format, prepared, metric, &answers.discs).map_err(|error| {
                    with_target(error.into(), |e| in_writing(target.path(), e).into())
                })?;
            discs_hash = hash_of(plan, &sink)?;
            sinks.push(sink);
        }
        timings.write = clock.elapsed().as_secs_f64();
        let hashes = [hash, discs_hash];
        let summary = Summary::new(plan, prepared, &answers, command, hashes, timings);
        drop(answers);
        interrupt.cooperate(|| commit(sinks, plan, &summary, interrupt))?;
        Ok(summary)
    };
    // A pipe may keep us waiting for ever; there is nothing to tidy up then, either.
    let replaces = |target: &Target| target.replaces();
    if plan.output.as_ref().is_some_and(replaces) || plan.discs.is_some() {
        interrupt.cooperate(deliver)
    } else {
        deliver()
    }
}

fn print(prepared: &Prepared, answers: &Answers, plan: &Plan) -> anyhow::Result<Option<String>> {
    let out = BufWriter::new(io::stdout().lock());
    let written = as_text(prepared, &answers.discs, plan, None, out);
    let (mut out, hash) = written.map_err(|error| with_target(error, to_stdout))?;
    out.flush().map_err(to_stdout)?;
    Ok(hash)
}

fn to_file(
    prepared: &Prepared,
    answers: &Answers,
    plan: &Plan,
    target: &Target,
    interrupt: &Interrupt,
) -> anyhow::Result<(Sink, Option<String>)> {
    let sink = target.open()?;
    let stop = Some(interrupt.flag());
    let discs = &answers.discs;
    let written = if plan.format == Format::Csv {
        as_text(prepared, discs, plan, stop, sink)
    } else {
        let sink = typed(prepared, discs, plan, stop, sink);
        sink.and_then(|sink| Ok((hash_of(plan, &sink)?, sink)))
            .map(|(hash, sink)| (sink, hash))
    };
    interrupt.check()?;
    written.map_err(|error| with_target(error, |source| in_writing(target.path(), source).into()))
}

/// Writes the table as text, and hashes it if somebody will be told.
fn as_text<W: Write>(
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    out: W,
) -> anyhow::Result<(W, Option<String>)> {
    if plan.summary.is_some() {
        let out = text(prepared, discs, plan, stop, Hashing::new(out))?;
        let (out, hash) = out.finish();
        Ok((out, Some(hash)))
    } else {
        Ok((text(prepared, discs, plan, stop, out)?, None))
    }
}

/// Writes the table as text: rows of text as they stood, others as separated values.
pub fn text<W: Write>(
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    out: W,
) -> anyhow::Result<W> {
    if let Some(table) = prepared.table.input.csv() {
        return Ok(table::write(table, prepared, discs, plan, stop, out)?);
    }
    let reader = prepared.table.input.reader()?;
    let export = export(prepared, &*reader, plan, Format::Csv)?;
    let separator = plan.separator.unwrap_or(b',');
    let mut writer = CsvWriter::new(out, export.layer(), export.has_heights(), separator)?;
    run(&export, prepared, discs, plan, stop, &mut |batch| {
        writer.put(batch)
    })?;
    Ok(writer.end()?)
}

/// Writes the table in a format with types.
pub fn typed(
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    sink: Sink,
) -> anyhow::Result<Sink> {
    let reader = prepared.table.input.reader()?;
    let export = export(prepared, &*reader, plan, plan.format)?;
    let mut writer = export.create(sink)?;
    run(&export, prepared, discs, plan, stop, &mut |batch| {
        writer.write(batch)
    })?;
    Ok(writer.finish()?)
}

fn export<'a>(
    prepared: &Prepared,
    reader: &'a dyn Reader,
    plan: &Plan,
    format: Format,
) -> Result<Export<'a>, InputError> {
    let table = &prepared.table;
    let added = arrays::fields(&plan.added);
    let crs = table.crs.as_ref();
    Export::new(reader, format, table.place, prepared.decimal, crs, added)
}

fn run(
    export: &Export,
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    put: &mut dyn FnMut(&RecordBatch) -> Result<(), WriteError>,
) -> anyhow::Result<()> {
    let phase = Phase::new("writing", plan.quiet || plan.output.is_none());
    let mut answers = Sequence::new(prepared, discs);
    let mut block = Vec::new();
    let mut added = |rows: usize| {
        answers.take(rows, &mut block);
        arrays::columns(&block)
    };
    let go_on = |done| {
        phase.report(done, prepared.rows.len());
        !stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    };
    Ok(export.run(&mut added, put, &go_on)?)
}

/// The SHA-256 of a complete file, if somebody will be told.
fn hash_of(plan: &Plan, sink: &Sink) -> anyhow::Result<Option<String>> {
    Ok(match plan.summary {
        Some(_) => Some(sink.sha256()?),
        None => None,
    })
}

/// All files are complete before the first takes its name.
fn commit(
    mut sinks: Vec<Sink>,
    plan: &Plan,
    summary: &Summary,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    if let Some(target) = &plan.summary {
        let mut out = target.open()?;
        out.write_all(json::render(summary).as_bytes())
            .map_err(|error| in_writing(target.path(), error))?;
        sinks.push(out);
    }
    interrupt.check()?;
    for sink in sinks {
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

//! `kdisc convert`: the same rows in another format.

use std::process::ExitCode;

use arrow_array::RecordBatch;
use kdisc_io::OutputError;
use kdisc_io::csv::{Decimal, Table};
use kdisc_io::export::Export;
use kdisc_io::output::{Sink, Target};
use kdisc_io::points::Wanted;

use crate::args::{ConvertArgs, Incomplete};
use crate::audience::Audience;
use crate::failure::{Refusal, with_target};
use crate::interrupt::Interrupt;
use crate::outputs::{Output, format_of, is_same_file, is_stdout, refuse_to_lose_layers};
use crate::progress::{Phase, waiting};
use crate::reading::{Opened, Reading};
use crate::register::JSON_WITHOUT_SYSTEM;
use crate::source::Source;
use crate::summary::text::{LOCATIONS, confidential, count};

pub fn run(args: ConvertArgs) -> anyhow::Result<ExitCode> {
    let audience = Audience::terminal(args.quiet);
    let interrupt = Interrupt::listen(&audience)?;
    let reading = Reading::new(args.reading)?;
    if is_stdout(&args.output) {
        return Err(Refusal::new(
            "kdisc convert does not write to standard output",
            "name a file",
        )
        .into());
    }
    let output = Output {
        role: "output",
        format: Some(format_of(Some(&args.output), args.to)?),
        separator: None,
        target: Some(interrupt.cooperate(|| Target::check(&args.output))?),
    };
    if output.replaces() && is_same_file(&args.input, &args.output) {
        return Err(Refusal::new(
            format!(
                "cannot write {}: it is also the input",
                args.output.display()
            ),
            "write to another file",
        )
        .into());
    }
    let loading = Phase::new(format!("loading {}", args.input.display()), &audience);
    let source = Source::File(args.input);
    let progress = |done, total| loading.report_bytes(done, total);
    let opened = Opened::with_or_without_place(&source, &reading, &progress)?;
    drop(loading);
    output.target.iter().try_for_each(refuse_to_lose_layers)?;
    if output.is_json() && opened.crs.is_none() && opened.has_place() {
        eprintln!("warning: {JSON_WITHOUT_SYSTEM}");
    }
    let table = opened.input.csv();
    if output.wants_geometry() && table.is_some() && opened.has_place() {
        // Points are made of the coordinates: nobody should find out later that some are missing.
        let wanted = Wanted {
            place: opened.place,
            weight: None,
            only: None,
            on_invalid: args.on_invalid.into(),
            centroid: false,
        };
        let phase = Phase::new(format!("reading {source}"), &audience);
        let progress = |done, total| phase.report_bytes(done, total);
        opened.input.units(&wanted, &progress)?;
    } else if let Some(table) = table
        && args.on_invalid == Incomplete::Error
    {
        table.check_rows()?;
    }
    let rows = interrupt.cooperate(|| write(&opened, &output, &audience, &interrupt))?;
    audience.tell(&[], || last_words(&output, rows, opened.has_place()));
    Ok(ExitCode::SUCCESS)
}

/// Writes all rows, and says how many there are.
fn write(
    opened: &Opened,
    output: &Output,
    audience: &Audience,
    interrupt: &Interrupt,
) -> anyhow::Result<usize> {
    let (Some(format), Some(target)) = (output.format, &output.target) else {
        return Err(anyhow::anyhow!("a table needs a format and a file"));
    };
    let phase = Phase::new("writing", audience);
    let mut rows = 0;
    let mut put = || -> anyhow::Result<Sink> {
        let reader = waiting("looking at all values", audience, || opened.input.reader())?;
        let total = reader.layer().rows;
        let crs = opened.crs.as_ref();
        let decimal = opened.input.csv().map_or(Decimal::Point, Table::decimal);
        let export = Export::new(&*reader, format, opened.place, decimal, crs, Vec::new())?;
        let mut writer = export.create(target.open()?)?;
        let go_on = |done| {
            if let Some(total) = total {
                phase.report(done, total);
            }
            interrupt.check().is_ok()
        };
        let mut write = |batch: &RecordBatch| {
            rows += batch.num_rows();
            writer.write(batch)
        };
        export.run(&mut |_| Vec::new(), &mut write, &go_on)?;
        Ok(writer.finish()?)
    };
    let written = put();
    interrupt.check()?;
    let sink = written.map_err(|error| {
        with_target(error, |source| {
            let path = target.path().to_owned();
            OutputError::Write { path, source }.into()
        })
    })?;
    sink.commit()?;
    Ok(rows)
}

fn last_words(output: &Output, rows: usize, has_place: bool) -> String {
    let rows = count(rows as u64, "row");
    let mut text = format!("{rows} written to {}\n", output.name());
    if has_place {
        // Writing to a string cannot fail.
        let _ = confidential(&mut text, &[(output, LOCATIONS)]);
    }
    text
}

//! `kdisc convert`: the same rows in another format.

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use kdisc_io::OutputError;
use kdisc_io::csv::{Decimal, Table};
use kdisc_io::export::Export;
use kdisc_io::output::Target;
use kdisc_io::points::Wanted;

use crate::args::{ConvertArgs, Invalid};
use crate::audience::Audience;
use crate::failure::{Refusal, with_target};
use crate::interrupt::Interrupt;
use crate::outputs::{format_of, is_same_file, is_stdout, refuse_to_lose_layers};
use crate::progress::Phase;
use crate::reading::{Opened, Reading};
use crate::register::JSON_WITHOUT_SYSTEM;
use crate::source::Source;

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
    let format = format_of(Some(&args.output), args.to)?;
    let target = interrupt.cooperate(|| Target::check(&args.output))?;
    if target.replaces() && is_same_file(&args.input, &args.output) {
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
    refuse_to_lose_layers(&target)?;
    if format.is_json() && opened.crs.is_none() && opened.has_place() {
        eprintln!("warning: {JSON_WITHOUT_SYSTEM}");
    }
    let table = opened.input.csv();
    if format.wants_geometry() && table.is_some() && opened.has_place() {
        // Points are made of the coordinates: nobody should find out later that some are missing.
        let wanted = Wanted {
            place: opened.place,
            weight: None,
            only: None,
            on_invalid: args.on_invalid.into(),
            centroid: false,
        };
        opened.input.units(&wanted, &|_, _| {})?;
    } else if let Some(table) = table
        && args.on_invalid == Invalid::Error
    {
        table.check_rows()?;
    }
    interrupt
        .cooperate(|| {
            let reader = opened.input.reader()?;
            let rows = reader.layer().rows;
            let crs = opened.crs.as_ref();
            let decimal = table.map_or(Decimal::Point, Table::decimal);
            let export = Export::new(&*reader, format, opened.place, decimal, crs, Vec::new())?;
            let phase = Phase::new("writing", &audience);
            let go_on = |done| {
                if let Some(rows) = rows {
                    phase.report(done, rows);
                }
                !interrupt.flag().load(Ordering::Relaxed)
            };
            let write = || -> anyhow::Result<_> {
                let mut writer = export.create(target.open()?)?;
                export.run(
                    &mut |_| Vec::new(),
                    &mut |batch| writer.write(batch),
                    &go_on,
                )?;
                Ok(writer.finish()?)
            };
            let written = write();
            interrupt.check()?;
            let sink = written.map_err(|error| {
                with_target(error, |source| {
                    let path = target.path().to_owned();
                    OutputError::Write { path, source }.into()
                })
            })?;
            Ok(sink.commit()?)
        })
        .map(|()| ExitCode::SUCCESS)
}

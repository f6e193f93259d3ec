//! The built-in example as a CSV file.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use kdisc::example::{EPSG, town};
use kdisc_io::OutputError;
use kdisc_io::csv::{Decimal, write_number};
use kdisc_io::format::Format;
use kdisc_io::output::Target;

use crate::args::ExampleArgs;
use crate::audience::Audience;
use crate::failure::{Refusal, to_stdout};
use crate::interrupt::Interrupt;
use crate::outputs::is_stdout;

pub fn run(args: &ExampleArgs) -> anyhow::Result<ExitCode> {
    let units = args.units as usize;
    match args.output.as_deref() {
        Some(path) if !is_stdout(path) => {
            refuse_other_formats(path)?;
            let interrupt = Interrupt::listen(&Audience::default())?;
            interrupt.cooperate(|| -> anyhow::Result<()> {
                let target = Target::check(path)?;
                let mut sink = BufWriter::new(target.open()?);
                let refused = |source| OutputError::Write {
                    path: path.to_owned(),
                    source,
                };
                write(units, args.seed, &mut sink).map_err(refused)?;
                let sink = sink.into_inner().map_err(|e| refused(e.into_error()))?;
                interrupt.check()?;
                Ok(sink.commit()?)
            })?;
            // Its columns do not say what its coordinates are.
            let _ = writeln!(
                io::stderr(),
                "coordinates are metres of EPSG:{EPSG}: use --crs EPSG:{EPSG}"
            );
        }
        _ => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(units, args.seed, &mut out)
                .and_then(|()| out.flush())
                .map_err(to_stdout)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn refuse_other_formats(path: &Path) -> Result<(), Refusal> {
    match Format::of_name(path) {
        Some(format) if format != Format::Csv => Err(Refusal::new(
            format!(
                "the example is a CSV file, and {} names another",
                path.display()
            ),
            format!(
                "write it to town.csv, then 'kdisc convert town.csv {} --crs EPSG:{EPSG}'",
                path.display()
            ),
        )),
        _ => Ok(()),
    }
}

/// Writes an example of this size: x, y, production, fined.
pub fn write(units: usize, seed: u64, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"x,y,production,fined\n")?;
    let mut row = Vec::new();
    for enterprise in town(units, seed) {
        for number in [enterprise.x, enterprise.y, enterprise.production] {
            write_number(&mut row, number, Decimal::Point);
            row.push(b',');
        }
        row.extend_from_slice(if enterprise.fined {
            b"TRUE\n"
        } else {
            b"FALSE\n"
        });
        out.write_all(&row)?;
        row.clear();
    }
    Ok(())
}

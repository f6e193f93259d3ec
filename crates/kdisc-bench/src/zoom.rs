//! All zoom levels of a web map, beside one measure of the same units: both as commands.

use std::io;
use std::process::Command;

use crate::Plan;
use crate::clock::{in_turns, wait};
use crate::command::Bench;
use crate::table::{Required, Row, ratio, thousands};

/// The row of the table, or a note on standard error why it cannot be measured.
pub fn row(plan: &Plan) -> Option<Row> {
    eprintln!("zoom levels ...");
    match measure(plan) {
        Ok(row) => Some(row),
        Err(error) => {
            eprintln!("NOTE: zoom levels are not measured: {error}");
            None
        }
    }
}

fn measure(plan: &Plan) -> io::Result<Row> {
    let bench = Bench::new(plan.units)?;
    let failed = std::cell::Cell::new(None);
    let run = |mut command: Command| {
        wait(|| match command.arg("--crs").arg("EPSG:28992").status() {
            Ok(status) if status.success() => {}
            Ok(status) => failed.set(Some(io::Error::other(format!("it ended with {status}")))),
            Err(error) => failed.set(Some(error)),
        })
    };
    let zoom = || {
        let mut command = bench.command("zoom");
        command.args(["--levels", "0-22"]);
        run(command)
    };
    let risk = || run(bench.command("risk"));
    // Long enough to need no more rounds.
    let [levels, measured] = in_turns(1, [Box::new(zoom), Box::new(risk)]);
    if let Some(error) = failed.take() {
        return Err(error);
    }
    Ok(Row {
        what: format!("zoom levels 0 to 22, {} units", thousands(plan.units)),
        kdisc: format!("{:.1} s", levels.as_secs_f64()),
        peer: format!("kdisc risk, δ=∞: {:.1} s", measured.as_secs_f64()),
        ratio: ratio(levels, measured),
        required: Required::AtMost(6.0),
    })
}

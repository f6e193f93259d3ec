//! The output: every row of the table, and its answer.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use kdisc::Disc;
use kdisc_io::csv::{Appender, Cells, RowState};

use super::prepare::Prepared;
use crate::plan::Plan;
use crate::progress::Phase;

/// Rows between two looks at the flag.
const STRIDE: usize = 4096;

/// Writes the table to `out`; stops early with an error once `stop` is true.
pub fn write<W: Write>(
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    out: W,
) -> io::Result<W> {
    let phase = Phase::new("writing", plan.quiet || plan.output.is_none());
    let mut out = Appender::new(&prepared.table, &plan.added, prepared.decimal, out)?;
    let mut usable = 0;
    for (row, &state) in prepared.rows.iter().enumerate() {
        if row % STRIDE == 0 {
            phase.report(row, prepared.rows.len());
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        if state == RowState::Invalid {
            out.row(|cells| without_answer(cells, None, "invalid"))?;
            continue;
        }
        let multiplicity = prepared.multiplicity(usable);
        let measured = state == RowState::Measured;
        let answer = measured.then(|| discs[prepared.answer(usable)]);
        out.row(|cells| match answer {
            None => without_answer(cells, Some(multiplicity), "not_measured"),
            Some(None) => without_answer(cells, Some(multiplicity), "no_disc"),
            Some(Some(disc)) => with_answer(cells, multiplicity, &disc),
        })?;
        usable += 1;
    }
    out.finish()
}

fn without_answer(cells: &mut Cells, multiplicity: Option<u64>, status: &str) {
    match multiplicity {
        Some(multiplicity) => cells.whole(multiplicity),
        None => cells.empty(),
    }
    for _ in 0..5 {
        cells.empty();
    }
    cells.text(status);
}

fn with_answer(cells: &mut Cells, multiplicity: u64, disc: &Disc) {
    cells.whole(multiplicity);
    cells.number(disc.radius);
    cells.whole(disc.units);
    cells.number(disc.risk());
    cells.number(disc.center.x);
    cells.number(disc.center.y);
    cells.text("ok");
}

//! The output: every row of the table, and its answer.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use kdisc::Disc;
use kdisc_io::csv::{Appender, Cells, RowState};

use super::prepare::Prepared;
use crate::plan::Plan;
use crate::progress::Phase;

/// Rows that are looked up before they are written. Rows are in no spatial order, so that almost
/// every look-up waits for memory; looked up together, they wait together.
const BLOCK: usize = 512;

/// What to write after a row.
#[derive(Clone, Copy)]
enum Answer {
    Invalid,
    NotMeasured(u64),
    Measured(u64, Option<Disc>),
}

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
    let mut block = Vec::with_capacity(BLOCK);
    let (mut done, mut usable) = (0, 0);
    for rows in prepared.rows.chunks(BLOCK) {
        phase.report(done, prepared.rows.len());
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        block.extend(rows.iter().map(|&state| {
            let this = usable;
            usable += usize::from(state != RowState::Invalid);
            match state {
                RowState::Invalid => Answer::Invalid,
                RowState::NotMeasured => Answer::NotMeasured(prepared.multiplicity(this)),
                RowState::Measured => {
                    let disc = discs[prepared.answer(this)];
                    Answer::Measured(prepared.multiplicity(this), disc)
                }
            }
        }));
        for answer in block.drain(..) {
            out.row(|cells| fill(cells, answer))?;
        }
        done += rows.len();
    }
    out.finish()
}

fn fill(cells: &mut Cells, answer: Answer) {
    match answer {
        Answer::Invalid => without_answer(cells, None, "invalid"),
        Answer::NotMeasured(here) => without_answer(cells, Some(here), "not_measured"),
        Answer::Measured(here, None) => without_answer(cells, Some(here), "no_disc"),
        Answer::Measured(here, Some(disc)) => with_answer(cells, here, &disc),
    }
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

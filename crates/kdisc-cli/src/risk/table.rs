//! The output as text: every row of the table as it stood, and its answer.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use kdisc::Disc;
use kdisc_io::csv::{self, Appender, Cells};

use super::answers::{Answer, Sequence};
use super::prepare::Prepared;
use crate::plan::Plan;
use crate::progress::Phase;

/// Rows that are looked up before they are written.
const BLOCK: usize = 512;

/// Writes the table to `out`; stops early with an error once `stop` is true.
pub fn write<W: Write>(
    table: &csv::Table,
    prepared: &Prepared,
    discs: &[Option<Disc>],
    plan: &Plan,
    stop: Option<&AtomicBool>,
    out: W,
) -> io::Result<W> {
    let phase = Phase::new("writing", plan.quiet || plan.output.is_none());
    let mut out = Appender::new(table, &plan.added, prepared.decimal, plan.separator, out)?;
    let mut answers = Sequence::new(prepared, discs);
    let mut block = Vec::with_capacity(BLOCK);
    let mut done = 0;
    loop {
        phase.report(done, prepared.rows.len());
        if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        answers.take(BLOCK, &mut block);
        if block.is_empty() {
            return out.finish();
        }
        done += block.len();
        for answer in &block {
            out.row(|cells| fill(cells, answer))?;
        }
    }
}

fn fill(cells: &mut Cells, answer: &Answer) {
    match answer.multiplicity() {
        Some(multiplicity) => cells.whole(multiplicity),
        None => cells.empty(),
    }
    match answer.disc() {
        Some(disc) => {
            cells.number(disc.radius);
            cells.whole(disc.units);
            cells.number(disc.risk());
            cells.number(disc.center.x);
            cells.number(disc.center.y);
        }
        None => (0..5).for_each(|_| cells.empty()),
    }
    cells.text(answer.status());
}

//! The table, the discs and the summary of a run.

use std::time::Instant;

use arrow_array::ArrayRef;
use kdisc::Disc;

use super::answers::Sequence;
use super::discs::Discs;
use super::plan::Plan;
use super::prepare::Prepared;
use super::summary::Summary;
use super::{Answers, Timings, arrays, json};
use crate::delivery::Delivery;
use crate::interrupt::Interrupt;
use crate::joined::{Added, Joined};

/// Writes the table, the discs, and the summary of both.
pub fn deliver<'a>(
    plan: &'a Plan,
    prepared: &'a Prepared,
    answers: Answers,
    command: Vec<String>,
    mut timings: Timings,
    interrupt: &Interrupt,
) -> anyhow::Result<Summary<'a>> {
    let beside: Vec<_> = plan.discs.iter().collect();
    plan.run.deliver(&beside, interrupt, || {
        let clock = Instant::now();
        let delivery = write(plan, prepared, &answers.discs, interrupt)?;
        timings.write = clock.elapsed().as_secs_f64();
        let hashes = delivery.hashes().to_vec();
        let summary = Summary::new(plan, prepared, &answers, command, hashes, timings);
        drop(answers);
        interrupt.cooperate(|| delivery.commit(|| json::render(&summary)))?;
        Ok(summary)
    })
}

fn write<'a>(
    plan: &'a Plan,
    prepared: &Prepared,
    discs: &[Option<Disc>],
    interrupt: &'a Interrupt,
) -> anyhow::Result<Delivery<'a>> {
    let mut delivery = Delivery::new(&plan.run, interrupt);
    let added = || -> Added {
        let mut sequence = Sequence::new(prepared, discs);
        let mut block = Vec::new();
        Box::new(move |rows| -> Vec<ArrayRef> {
            sequence.take(rows, &mut block);
            arrays::columns(&block)
        })
    };
    let joined = Joined {
        table: &prepared.table,
        decimal: prepared.decimal,
        rows: prepared.rows.len(),
        fields: arrays::fields(&plan.added),
        added: &added,
    };
    delivery.write(&plan.run.output, &joined)?;
    if let Some(output) = &plan.discs {
        let discs = Discs::new(prepared, plan.anonymity.metric(), discs);
        delivery.write(output, &discs)?;
    }
    Ok(delivery)
}

//! The summary for people, on standard error.

use std::fmt::Write;

use super::Summary;
use crate::raster;
use crate::summary::text::{confidential, count, input, short};

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, prepared, map) = (summary.plan, summary.prepared, summary.map);
    writeln!(out, "asked      {}", plan.method())?;
    for (facts, what) in prepared.inputs().into_iter().zip(["input", "polygons"]) {
        input(out, what, facts)?;
    }
    let system = prepared.ground.system();
    writeln!(
        out,
        "map        {}, in {system}",
        raster::describe(&prepared.frame)
    )?;
    let all = count(prepared.units, "unit");
    writeln!(out, "spread     {} of {all}", map.spread())?;
    if let (true, Some(value)) = (prepared.without_value > 0, &plan.value) {
        let units = count(prepared.without_value, "unit");
        writeln!(out, "left out   {units} without a value in {value:?}")?;
    }
    if let Some(found) = summary.bandwidths {
        writeln!(
            out,
            "bandwidth  {} to {} m, {} m at the median",
            short(found.min),
            short(found.max),
            short(found.median)
        )?;
    }
    let (verdict, cells) = (summary.verdict, summary.verdict.reached as u64);
    let what = if plan.masked { "masked" } else { "shown" };
    writeln!(
        out,
        "unsafe     {} of {} that receive anything, {what}: a safe one has {}",
        verdict.unsafe_cells,
        count(cells, "cell"),
        plan.rule()
    )?;
    let t = summary.timings;
    writeln!(
        out,
        "time       read {:.2} s, bandwidths {:.2} s, smooth {:.2} s, write {:.2} s; {}",
        t.read,
        t.measure,
        t.smooth,
        t.write,
        count(plan.run.threads as u64, "thread")
    )?;
    for warning in &prepared.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    if plan.masked {
        return Ok(());
    }
    let tells = "shows cells that rest on few units (--mask-unsafe leaves them out)";
    confidential(out, &[(&plan.run.output, tells)])
}

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
    let (plan, surface) = (summary.plan, summary.surface);
    writeln!(out, "asked      {}", plan.asked())?;
    input(out, "input", &surface.facts)?;
    let system = surface.ground.system();
    writeln!(
        out,
        "map        {}, in {system}",
        raster::describe(&surface.frame)
    )?;
    writeln!(out, "population {}", count(surface.units, "unit"))?;
    for (what, found) in [("radius", summary.radius), ("risk", summary.risk)] {
        match found {
            None => writeln!(out, "{what:<10} none: fewer than k units in all")?,
            Some(found) => writeln!(
                out,
                "{what:<10} {} to {}, {} at the median",
                short(found.min),
                short(found.max),
                short(found.median)
            )?,
        }
    }
    let t = summary.timings;
    writeln!(
        out,
        "time       read {:.2} s, measure {:.2} s, write {:.2} s; {}",
        t.read,
        t.measure,
        t.write,
        count(plan.run.threads as u64, "thread")
    )?;
    for warning in &surface.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let tells = "lets exact locations be worked out";
    confidential(out, &[(&plan.run.output, tells)])
}

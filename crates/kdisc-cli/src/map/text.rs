//! The summary for people, on standard error.

use std::fmt::Write;

use super::Summary;
use super::extent::units_shown;
use super::panels::Subject;
use super::words::confidential;
use crate::summary::text::{count, input, question};

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, prepared, map) = (summary.plan, summary.prepared, summary.map);
    let first = &plan.panels[0];
    match (&first.subject, plan.panels.len()) {
        (Subject::Units | Subject::Surface(_), 1) => {
            writeln!(out, "asked      {}", question(first.anonymity))?;
        }
        _ => writeln!(out, "asked      {}", map.title)?,
    }
    input(out, "input", &prepared.register.facts)?;
    let population = &prepared.population;
    let units = count(population.units(), "unit");
    let locations = count(population.locations().len() as u64, "location");
    writeln!(out, "population {units} at {locations}")?;
    if let Some(shown) = units_shown(plan, prepared) {
        writeln!(out, "shown      {} in this extent", count(shown, "unit"))?;
    }
    for panel in map.panels.iter().filter(|panel| !panel.title.is_empty()) {
        writeln!(out, "map        {}", panel.title)?;
    }
    let mut head = "colours";
    for entry in map.legend.entries.iter().rev() {
        let units = entry
            .units
            .map(|units| format!(": {}", count(units, "unit")));
        writeln!(
            out,
            "{head:<10} {}{}",
            entry.label,
            units.unwrap_or_default()
        )?;
        head = "";
    }
    let t = summary.timings;
    let threads = count(plan.run.threads as u64, "thread");
    writeln!(
        out,
        "time       read {:.2} s, measure {:.2} s, draw {:.2} s, write {:.2} s; {threads}",
        t.read, t.measure, t.draw, t.write
    )?;
    for warning in &prepared.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let output = plan.run.output.target.as_ref();
    let output = output.map(|target| target.path().display().to_string());
    let output = output.as_deref().unwrap_or("the map");
    match (plan.public, summary.left_out) {
        (Some(public), Some(left)) => writeln!(
            out,
            "public     {output} shows cells of {} m; left out: {} with fewer than {} units ({} in all), \
             exact locations and ends of the extent",
            left.size,
            count(left.cells, "cell"),
            public.least,
            count(left.units, "unit")
        ),
        _ => writeln!(
            out,
            "{}; keep {output} as safe as the input",
            confidential(plan)
        ),
    }
}

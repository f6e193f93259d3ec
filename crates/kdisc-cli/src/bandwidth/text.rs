//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::density::Kernel;

use super::Summary;
use crate::summary::text::{LOCATIONS, confidential, count, input, short};

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, found) = (summary.plan, summary.found);
    let k = plan.asked.k();
    let reach = match plan.kernel {
        Kernel::Gaussian => "the standard deviation of the Gaussian",
        _ => "the radius of the kernel",
    };
    let within = count(k, "unit");
    writeln!(
        out,
        "asked      the smallest bandwidth with {within} within reach: {reach}"
    )?;
    input(out, "input", &found.register.facts)?;
    let units = found.population.units();
    writeln!(out, "population {}", count(units, "unit"))?;
    writeln!(out)?;
    writeln!(out, "{:>10} {:>12} {:>10}", "share", "bandwidth", "units")?;
    for step in &found.curve {
        let share = format!("{}%", short_percent(step.share));
        let bandwidth = step.bandwidth.map_or("-".to_owned(), short);
        let units = step.units.map_or("-".to_owned(), |units| units.to_string());
        writeln!(out, "{share:>10} {bandwidth:>12} {units:>10}")?;
    }
    writeln!(out)?;
    let [x, y] = found.scott.axes.map(short);
    writeln!(
        out,
        "usual      {x} m east and {y} m north (Scott's rule, {}): {} ({}%) have fewer than {k} \
         within reach",
        plan.kernel,
        count(found.scott.exposed, "unit"),
        short_percent(found.scott.exposed as f64 / units as f64)
    )?;
    if found.never > 0 {
        let units = count(found.never, "unit");
        writeln!(
            out,
            "no disc    {units}: fewer than k in all; no bandwidth reaches them"
        )?;
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
    for warning in &found.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let files: Vec<_> = plan.units.iter().map(|units| (units, LOCATIONS)).collect();
    confidential(out, &files)
}

/// A share in percent, without digits that say nothing.
fn short_percent(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

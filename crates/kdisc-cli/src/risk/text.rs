//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::{Anonymity, Delta, Metric};

use super::summary::{Multiplicity, Summary};
use crate::register::InputFacts;
use crate::statistics::Figures;

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let plan = summary.plan;
    let (told, each) = summary.asked.told();
    writeln!(out, "asked      {}", question(plan.anonymity))?;
    for (facts, what) in summary.inputs.iter().zip(["input", "places"]) {
        input(out, what, facts)?;
    }
    let units = count(summary.units, "unit");
    let locations = count(summary.locations as u64, "location");
    writeln!(out, "population {units} at {locations}")?;
    if told.count != summary.units || each != "unit" {
        let which = plan.units.only.as_ref();
        let which = which.map(|(column, value)| format!(" with {column}={value}"));
        let measured = count(told.count, each);
        writeln!(out, "measured   {measured}{}", which.unwrap_or_default())?;
    }
    writeln!(out)?;
    multiplicities(out, &summary.multiplicities)?;
    writeln!(out)?;
    spreads(out, summary)?;
    writeln!(out)?;
    let beyond = match told.no_disc {
        0 => "",
        _ => ": fewer than k units in all; they exceed every limit",
    };
    writeln!(out, "no disc    {}{beyond}", count(told.no_disc, each))?;
    let zero = count(told.zero_radius, each);
    writeln!(out, "radius 0   {zero} at a location of k or more")?;
    isolated(out, summary)?;
    timings(out, summary)?;
    for warning in summary.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let output = plan.run.output.target.as_ref();
    let output = output.map(|target| target.path().display().to_string());
    writeln!(
        out,
        "CONFIDENTIAL: {} holds exact locations; keep it as safe as the input",
        output.as_deref().unwrap_or("the output")
    )
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

fn spreads(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (told, each) = summary.asked.told();
    let heads = ["min", "25%", "median", "75%", "90%", "99%", "max"];
    row(out, &format!("per {each}"), heads.map(str::to_owned))?;
    row(out, "radius", cells(told.radius.as_ref()))?;
    row(out, "risk", cells(told.risk.as_ref()))?;
    if summary.plan.anonymity.delta() != Delta::ZERO {
        let (zero, _) = summary.delta_zero.told();
        row(out, "radius, delta = 0", cells(zero.radius.as_ref()))?;
        row(out, "risk, delta = 0", cells(zero.risk.as_ref()))?;
    }
    Ok(())
}

fn timings(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let t = summary.timings;
    write!(
        out,
        "time       read {:.2} s, index {:.2} s, measure {:.2} s",
        t.read, t.index, t.measure
    )?;
    if summary.plan.anonymity.delta() != Delta::ZERO {
        write!(out, " (and {:.2} s for delta = 0)", t.measure_delta_zero)?;
    }
    let threads = count(summary.plan.run.threads as u64, "thread");
    writeln!(out, ", write {:.2} s; {threads}", t.write)
}

fn question(asked: Anonymity) -> String {
    let shape = match asked.metric() {
        Metric::L2 => "disc",
        Metric::Linf => "square (linf)",
        Metric::L1 => "square on a corner (l1)",
    };
    let centre = match asked.delta() {
        Delta::ZERO => "centred on the unit (delta = 0)".to_owned(),
        Delta::INFINITE => "anywhere around the unit (delta = inf)".to_owned(),
        delta => format!("with its centre within {delta} of the unit (delta = {delta})"),
    };
    let units = count(asked.k(), "unit");
    format!("the smallest {shape} with at least {units}, {centre}")
}

fn input(out: &mut String, what: &str, facts: &InputFacts) -> std::fmt::Result {
    let InputFacts { source, place, .. } = facts;
    let rows = count(facts.rows as u64, "row");
    let layer = facts.layer.as_ref();
    let layer = layer.map_or(String::new(), |layer| format!(", layer {layer:?}"));
    let place: Vec<_> = place.iter().map(|name| format!("{name:?}")).collect();
    let place = place.join(" and ");
    writeln!(
        out,
        "{what:<10} {source}{layer}: {rows}, coordinates in {place}"
    )?;
    let crs = match &facts.crs {
        Some(crs) => format!("{crs}, {}", facts.known),
        None => "unknown; coordinates are taken as metres".to_owned(),
    };
    writeln!(out, "{:<10} {crs}", "system")?;
    if facts.crs.as_ref() != Some(&facts.compute) && facts.crs.is_some() {
        writeln!(out, "{:<10} in {}", "distances", facts.compute)?;
    }
    if let Some(error) = facts.scale_error {
        writeln!(
            out,
            "{:<10} at most {:.2}% off anywhere",
            "lengths",
            error * 100.0
        )?;
    }
    if let Some(bad) = &facts.first_bad {
        let rows = facts.bad_rows;
        writeln!(
            out,
            "           {rows} left out as invalid, the first: {bad}"
        )?;
    }
    Ok(())
}

fn multiplicities(out: &mut String, rows: &[Multiplicity]) -> std::fmt::Result {
    let ranges = rows.iter().map(|row| {
        if row.from == row.to {
            row.to.to_string()
        } else {
            format!("{}-{}", row.from, row.to)
        }
    });
    let ranges: Vec<_> = ranges.collect();
    let counts: Vec<_> = rows.iter().map(|row| row.locations.to_string()).collect();
    for (name, cells) in [("units at one location", &ranges), ("locations", &counts)] {
        write!(out, "{name:<21}")?;
        for (i, cell) in cells.iter().enumerate() {
            let width = ranges[i].len().max(counts[i].len());
            write!(out, "  {cell:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn row(out: &mut String, name: &str, cells: [String; 7]) -> std::fmt::Result {
    write!(out, "{name:<18}")?;
    for cell in cells {
        write!(out, " {cell:>9}")?;
    }
    writeln!(out)
}

fn cells(figures: Option<&Figures>) -> [String; 7] {
    match figures {
        None => [const { String::new() }; 7].map(|_| "-".to_owned()),
        Some(f) => [f.min, f.p25, f.median, f.p75, f.p90, f.p99, f.max].map(short),
    }
}

/// Five digits are enough to read.
fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let magnitude = value.abs().log10().floor();
    if (-3.0..8.0).contains(&magnitude) {
        let decimals = (4.0 - magnitude).clamp(0.0, 7.0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}")
    }
}

fn isolated(out: &mut String, summary: &Summary) -> std::fmt::Result {
    // With places there are two files.
    let places = summary.inputs.get(1);
    let file = places.map_or(String::new(), |places| format!(" of {}", places.source));
    let mut head = "isolated";
    for row in &summary.most_isolated {
        match row.line {
            Some(line) => write!(out, "{head:<10} line {line} (row {}){file}: ", row.row)?,
            None => write!(out, "{head:<10} row {}{file}: ", row.row)?,
        }
        match row.disc {
            None => write!(out, "no disc")?,
            Some(disc) => {
                let units = count(disc.units, "unit");
                write!(out, "radius {}, {units}", short(disc.radius))?;
            }
        }
        if summary.plan.show_locations {
            write!(out, ", at {} {}", row.place.x, row.place.y)?;
        }
        writeln!(out)?;
        head = "";
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_cut_to_what_is_read() {
        for (value, text) in [
            (0.0, "0"),
            (1_234.567_89, "1234.6"),
            (0.012_345_67, "0.012346"),
            (154_321.7, "154322"),
            (1.5e12, "1.500e12"),
            (1e-9, "1.000e-9"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}

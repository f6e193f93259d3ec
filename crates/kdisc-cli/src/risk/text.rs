//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::Delta;
use kdisc::statistics::Figures;

use super::change::Change;
use super::plan::{Plan, Restriction};
use super::summary::{Multiplicity, Summary, WithinFacts};
use crate::summary::text::{LOCATIONS, confidential, count, input, question, short};

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
    let roles = [
        Some("input"),
        plan.at.as_ref().map(|_| "places"),
        Some("regions"),
    ];
    for (facts, what) in summary.inputs.iter().zip(roles.into_iter().flatten()) {
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
    if let Some(facts) = &summary.within {
        within(out, plan, facts, each)?;
    }
    writeln!(out)?;
    multiplicities(out, &summary.multiplicities)?;
    writeln!(out)?;
    spreads(out, summary)?;
    writeln!(out)?;
    let why = match &plan.within {
        None => "fewer than k units in all",
        Some(Restriction::Column(_)) => "fewer than k units in their group",
        Some(Restriction::Regions {
            enclosed: false, ..
        }) => "in no region, or in one with fewer than k units",
        Some(Restriction::Regions { enclosed: true, .. }) => {
            "in no region, in one with fewer than k units, or none lies inside"
        }
    };
    let beyond = match told.no_disc {
        0 => String::new(),
        _ => format!(": {why}; they exceed every limit"),
    };
    writeln!(out, "no disc    {}{beyond}", count(told.no_disc, each))?;
    let zero = count(told.zero_radius, each);
    writeln!(out, "radius 0   {zero} at a location of k or more")?;
    isolated(out, summary)?;
    timings(out, summary)?;
    for warning in summary.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let discs = plan.discs.iter();
    let discs = discs.map(|discs| (discs, "holds discs that give them away"));
    let table = std::iter::once((&plan.run.output, LOCATIONS));
    let files: Vec<_> = table.chain(discs).collect();
    confidential(out, &files)
}

/// Which units count, and what that changes.
fn within(out: &mut String, plan: &Plan, facts: &WithinFacts, each: &str) -> std::fmt::Result {
    let (rule, what) = match &plan.within {
        Some(Restriction::Column(column)) => (
            format!("only units with the same {column:?} count"),
            "group",
        ),
        Some(Restriction::Regions { enclosed, .. }) => {
            let inside = if *enclosed {
                ", and discs lie inside"
            } else {
                ""
            };
            let rule = format!("only units in the same region count{inside}");
            (rule, "region")
        }
        None => return Ok(()),
    };
    let regions = count(facts.regions as u64, what);
    let small = match facts.small {
        0 => String::new(),
        small => format!(", {small} of them with fewer than k"),
    };
    writeln!(out, "within     {rule}: {regions} with units{small}")?;
    if let Some(first) = facts.first_outside {
        let outside = count(facts.outside, each);
        writeln!(out, "outside    {outside} in no region, the first: {first}")?;
    }
    let Some(change) = &facts.change else {
        return Ok(());
    };
    let Change {
        compared, changed, ..
    } = change;
    write!(out, "changed    {changed} of {}", count(*compared, each))?;
    if let Some(ratio) = &change.ratio {
        write!(
            out,
            ": radius times {} at the median, {} at most",
            short(ratio.median),
            short(ratio.max)
        )?;
    }
    match change.lost {
        0 => writeln!(out),
        lost => writeln!(out, "; {lost} without a disc now"),
    }
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
    if summary.within.is_some() {
        write!(out, " ({:.2} s without regions)", t.measure_plain)?;
    }
    let threads = count(summary.plan.run.threads as u64, "thread");
    writeln!(out, ", write {:.2} s; {threads}", t.write)
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

fn isolated(out: &mut String, summary: &Summary) -> std::fmt::Result {
    // With places there are two files of rows.
    let places = summary.plan.at.as_ref();
    let file = places.map_or(String::new(), |places| format!(" of {}", places.source));
    let mut head = "isolated";
    for row in &summary.most_isolated {
        write!(out, "{head:<10} {}{file}: ", row.name)?;
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

//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::areal::{Edges, Grid, Shape};
use kdisc::statistics::Figures;

use super::plan::Division;
use super::summary::{MaupFacts, Radius, Summary};
use crate::summary::text::{LOCATIONS, confidential, count, input, question, short};

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, prepared) = (summary.plan, summary.prepared);
    writeln!(out, "regions    {}", in_words(&plan.division))?;
    for (facts, what) in summary.inputs.iter().zip(["input", "polygons"]) {
        input(out, what, facts)?;
    }
    moved_units(out, summary)?;
    let units = count(prepared.units - prepared.outside.0, "unit");
    let zones = count(summary.occupied as u64, prepared.zones.word());
    let empty = match prepared.zones.len() - summary.occupied {
        0 => String::new(),
        empty => format!("; {empty} more without any"),
    };
    writeln!(out, "counted    {units} in {zones}{empty}")?;
    if let (outside, Some(first)) = prepared.outside {
        let at = prepared.register.at_usable(first);
        writeln!(
            out,
            "outside    {} in none, the first on {at}",
            count(outside, "unit")
        )?;
    }
    writeln!(out)?;
    head(out)?;
    let per = format!("units per {}", prepared.zones.word());
    row(out, &per, summary.counts.as_ref())?;
    row(out, "areal risk per unit", summary.risks.as_ref())?;
    if let Some(found) = &summary.measured {
        row(out, "radius per unit", found.figures.as_ref())?;
    }
    writeln!(out)?;
    verdict(out, summary)?;
    if let Some(found) = &summary.maup {
        maup(out, summary, found)?;
    }
    if let Some(found) = &summary.measured {
        measured(out, summary, found)?;
    }
    let t = summary.timings;
    writeln!(
        out,
        "time       read {:.2} s, count {:.2} s, move {:.2} s, measure {:.2} s, write {:.2} s; {}",
        t.read,
        t.assign,
        t.maup,
        t.measure,
        t.write,
        count(plan.run.threads as u64, "thread")
    )?;
    for warning in &prepared.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let units = plan.units.iter().map(|units| (units, LOCATIONS));
    let table = (&plan.run.output, "counts units also where they are few");
    let files: Vec<_> = std::iter::once(table).chain(units).collect();
    confidential(out, &files)
}

pub fn in_words(division: &Division) -> String {
    match division {
        Division::Grid(grid) => grid_in_words(grid),
        Division::Regions(_) => "polygons; each owns its west and south borders".to_owned(),
    }
}

fn grid_in_words(grid: &Grid) -> String {
    let (size, origin) = (grid.size(), grid.origin());
    let cells = match grid.shape() {
        Shape::Square => format!("squares of {size} m, a corner at"),
        Shape::Hexagon => format!("hexagons of the area of squares of {size} m, one centred on"),
    };
    let edges = match grid.edges() {
        Edges::SouthWest => "south",
        Edges::NorthWest => "north",
    };
    format!(
        "{cells} ({}, {}); each owns its west and {edges} edges",
        origin.x, origin.y
    )
}

/// Says so when units had to be taken to another system to be counted.
fn moved_units(out: &mut String, summary: &Summary) -> std::fmt::Result {
    match &summary.inputs[..] {
        [units, regions] if units.crs != regions.crs => writeln!(
            out,
            "           the polygons are in another system; units are taken there to be counted"
        ),
        _ => Ok(()),
    }
}

fn verdict(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let word = summary.prepared.zones.word();
    let Some(found) = &summary.verdict else {
        return writeln!(
            out,
            "verdict    none: --min-count says how many units are enough"
        );
    };
    let least = found.min_count;
    match found.zones {
        0 => writeln!(
            out,
            "verdict    every {word} has at least {least} units, or none"
        ),
        few => writeln!(
            out,
            "verdict    {} with fewer than {least} units: {} in all",
            count(few as u64, word),
            count(found.units, "unit")
        ),
    }
}

fn maup(out: &mut String, summary: &Summary, found: &MaupFacts) -> std::fmt::Result {
    let units = summary.prepared.units;
    let least = summary.plan.min_count.unwrap_or(0);
    let other = match &summary.plan.division {
        Division::Grid(grid) if grid.shape() == Shape::Hexagon => "as squares",
        _ => "as hexagons",
    };
    let moves = found.shifts * found.shifts;
    writeln!(
        out,
        "moved      the same units in other cells, and whether at least {least} share one:"
    )?;
    for (what, flips) in [
        (format!("in {moves} places"), found.moved),
        (format!("{other} of the same area"), found.reshaped),
        ("at half the side".to_owned(), found.halved),
        ("at double the side".to_owned(), found.doubled),
        ("any of these".to_owned(), found.any),
    ] {
        let share = 100.0 * flips as f64 / units as f64;
        let flips = count(flips, "unit");
        writeln!(
            out,
            "           {what:<28} {flips} ({share:.1}%) pass here and fail there"
        )?;
    }
    if let Some(ratio) = &found.ratio {
        writeln!(
            out,
            "           areal risk changes by a factor of {} (median), {} (99%), {} (most)",
            plain(ratio.median),
            plain(ratio.p99),
            plain(ratio.max)
        )?;
    }
    for worst in &found.worst {
        let [few, many] = worst.range;
        let radius = worst.radius.map_or("no disc".to_owned(), |radius| {
            format!("its radius stays {}", short(radius))
        });
        writeln!(
            out,
            "           {}: {} here, {few} to {many}; {radius}",
            worst.name, worst.base
        )?;
    }
    Ok(())
}

fn measured(out: &mut String, summary: &Summary, found: &Radius) -> std::fmt::Result {
    if let Some(asked) = summary.plan.anonymity {
        writeln!(
            out,
            "radius     of {}, wherever borders run",
            question(asked)
        )?;
    }
    if found.no_disc > 0 {
        let units = count(found.no_disc, "unit");
        writeln!(
            out,
            "no disc    {units}: fewer than k units in all; they exceed every limit"
        )?;
    }
    match summary.plan.max_radius.zip(found.above) {
        None => Ok(()),
        Some((limit, above)) => writeln!(
            out,
            "above      {} of a radius above {limit} m, or without a disc",
            count(above, "unit")
        ),
    }
}

fn head(out: &mut String) -> std::fmt::Result {
    write!(out, "{:<20}", "")?;
    for name in ["min", "25%", "median", "75%", "90%", "99%", "max"] {
        write!(out, " {name:>9}")?;
    }
    writeln!(out)
}

fn row(out: &mut String, name: &str, figures: Option<&Figures>) -> std::fmt::Result {
    write!(out, "{name:<20}")?;
    let cells = figures.map(|f| [f.min, f.p25, f.median, f.p75, f.p90, f.p99, f.max].map(plain));
    for cell in cells.unwrap_or_else(|| [const { String::new() }; 7].map(|_| "-".to_owned())) {
        write!(out, " {cell:>9}")?;
    }
    writeln!(out)
}

/// Whole numbers, as most counts are, without decimals.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e8 {
        value.to_string()
    } else {
        short(value)
    }
}

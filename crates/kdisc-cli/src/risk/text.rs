//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::{Anonymity, Delta, Metric};

use super::prepare::InputFacts;
use super::summary::{Isolated, Multiplicity, Summary};
use crate::plan::Plan;
use crate::statistics::Figures;

pub fn render(summary: &Summary, plan: &Plan) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary, plan);
    text
}

fn tell(out: &mut String, summary: &Summary, plan: &Plan) -> std::fmt::Result {
    let told = summary.asked.told();
    let places = summary.asked.per_unit.is_none();
    let each = if places { "place" } else { "unit" };

    writeln!(out, "asked      {}", question(plan.anonymity))?;
    for (facts, what) in summary.inputs.iter().zip(["input", "places"]) {
        writeln!(out, "{what:<10} {}", input(facts))?;
        if let Some(bad) = &facts.first_bad {
            let bad_rows = facts.bad_rows;
            writeln!(
                out,
                "           {bad_rows} left out as invalid, the first: {bad}"
            )?;
        }
    }
    writeln!(
        out,
        "units      {} at {} locations",
        summary.units, summary.locations
    )?;
    if told.count != summary.units || places {
        let which = match &plan.only {
            Some((column, value)) => format!(" with {column}={value}"),
            None => String::new(),
        };
        writeln!(out, "measured   {} {each}s{which}", told.count)?;
    }
    writeln!(out)?;
    multiplicities(out, &summary.multiplicities)?;

    writeln!(out)?;
    let zero = summary.delta_zero.told();
    let asked_zero = plan.anonymity.delta() == Delta::ZERO;
    let heads = ["min", "25%", "median", "75%", "90%", "99%", "max"];
    let per = format!("per {each}");
    row(out, &per, heads.map(str::to_owned))?;
    for (name, figures, shown) in [
        ("radius", &told.radius, true),
        ("risk", &told.risk, true),
        ("radius, delta = 0", &zero.radius, !asked_zero),
        ("risk, delta = 0", &zero.risk, !asked_zero),
    ] {
        if shown {
            row(out, name, cells(figures.as_ref()))?;
        }
    }
    writeln!(out)?;
    writeln!(
        out,
        "no disc    {} {each}s{}",
        told.no_disc,
        if told.no_disc > 0 {
            ": fewer than k units in all; they exceed every limit"
        } else {
            ""
        }
    )?;
    writeln!(
        out,
        "radius 0   {} {each}s that share their location with k or more",
        told.zero_radius
    )?;
    isolated(out, &summary.most_isolated, plan.show_locations)?;
    let t = summary.timings;
    writeln!(
        out,
        "time       read {:.2} s, index {:.2} s, measure {:.2} s (delta = 0 beside it {:.2} s), \
         write {:.2} s; {} thread{}",
        t.read,
        t.index,
        t.measure,
        t.measure_delta_zero,
        t.write,
        plan.threads,
        if plan.threads == 1 { "" } else { "s" }
    )?;
    let output = plan
        .output
        .as_ref()
        .map(|target| target.path().display().to_string());
    let output = output.as_deref().unwrap_or("the output");
    writeln!(
        out,
        "CONFIDENTIAL: {output} holds exact locations; keep it as safe as the input"
    )
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
    format!(
        "the smallest {shape} with at least {} units, {centre}",
        asked.k()
    )
}

fn input(facts: &InputFacts) -> String {
    let InputFacts {
        source, rows, x, y, ..
    } = facts;
    format!("{source}: {rows} rows, coordinates in {x:?} and {y:?}")
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

fn isolated(out: &mut String, rows: &[Isolated], show_locations: bool) -> std::fmt::Result {
    let mut head = "isolated";
    for row in rows {
        write!(out, "{head:<10} row {}: ", row.row)?;
        match row.disc {
            None => write!(out, "no disc")?,
            Some(disc) => write!(out, "radius {}, {} units", short(disc.radius), disc.units)?,
        }
        if show_locations {
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

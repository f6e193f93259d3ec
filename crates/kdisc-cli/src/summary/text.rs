//! Facts in words, for people.

use std::fmt::Write;

use kdisc::{Anonymity, Delta, Metric};

use crate::outputs::Output;
use crate::register::InputFacts;

/// What most files tell.
pub const LOCATIONS: &str = "holds exact locations";

/// So many of something.
pub fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// What is asked of every unit.
pub fn question(asked: Anonymity) -> String {
    question_in("m", asked)
}

/// The same, where distances are in this unit.
pub fn question_in(unit: &str, asked: Anonymity) -> String {
    let shape = match asked.metric() {
        Metric::L2 => "disc",
        Metric::Linf => "square (linf)",
        Metric::L1 => "square on a corner (l1)",
    };
    let centre = match asked.delta() {
        Delta::ZERO => "centred on the unit (delta = 0)".to_owned(),
        Delta::INFINITE => "anywhere around the unit (delta = inf)".to_owned(),
        delta => {
            format!("with its centre within {delta} {unit} of the unit (delta = {delta})")
        }
    };
    let units = count(asked.k(), "unit");
    format!("the smallest {shape} with at least {units}, {centre}")
}

/// What was read, and in which system.
pub fn input(out: &mut String, what: &str, facts: &InputFacts) -> std::fmt::Result {
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

/// What to mind about the files of a run, each with what it tells: the last line of a summary.
pub fn confidential(out: &mut String, files: &[(&Output, &str)]) -> std::fmt::Result {
    let told = files.iter();
    let told = told.map(|(file, tells)| format!("{} {tells}", file.name()));
    let told: Vec<_> = told.collect();
    let which = match told.len() {
        0 => return Ok(()),
        1 => "it",
        _ => "both",
    };
    let told = told.join(", and ");
    writeln!(
        out,
        "CONFIDENTIAL: {told}; keep {which} as safe as the input"
    )
}

/// Five digits are enough to read.
pub fn short(value: f64) -> String {
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

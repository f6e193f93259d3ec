//! The verdict and where the report is, for the terminal.

use std::fmt::Write;

use serde_json::Value;

use super::page::figures::units;
use super::page::verdict::{headline, limits, sentences};
use super::plan::Plan;
use crate::outputs::SummaryTo;

pub fn render(plan: &Plan, facts: &Value, warnings: &[String]) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut out, plan, facts, warnings);
    out
}

fn write(out: &mut String, plan: &Plan, facts: &Value, warnings: &[String]) -> std::fmt::Result {
    for warning in warnings {
        writeln!(out, "warning: {warning}")?;
    }
    writeln!(out, "verdict    {}", headline(facts).1)?;
    for sentence in sentences(plan, facts) {
        writeln!(out, "           {}", plain(&sentence))?;
    }
    for (at, (limit, beyond)) in limits(facts).enumerate() {
        let head = if at == 0 { "limits" } else { "" };
        writeln!(
            out,
            "{head:<10} {}: {} beyond",
            plain(&limit),
            units(beyond)
        )?;
    }
    for part in ["zoom", "areal"] {
        if let Some(why) = facts[part]["left_out"].as_str() {
            writeln!(out, "left out   kdisc {part}: {why}")?;
        }
    }
    let shown = |target: &kdisc_io::output::Target| target.path().display().to_string();
    if let Some(target) = &plan.run.output.target {
        writeln!(out, "report     {}", shown(target))?;
    }
    if let Some(SummaryTo::File(target)) = &plan.run.summary {
        writeln!(out, "figures    {}", shown(target))?;
    }
    let keep = if plan.public {
        "made for publication: nothing in it points at a unit"
    } else {
        "CONFIDENTIAL: both show where units are or which rows they have; keep them as safe as the input"
    };
    writeln!(out, "keep       {keep}")
}

/// Marked text without its marks.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[[") {
        out.push_str(before);
        let (inner, after) = link.split_once("]]").unwrap_or((link, ""));
        out.push_str(inner.split_once('|').map_or(inner, |(_, shown)| shown));
        rest = after;
    }
    out.push_str(rest);
    out.replace(['`', '*'], "")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn marks_are_not_for_terminals() {
        assert_eq!(
            plain("the [[risk]] of *[[MAUP|grids]]*, `--k`"),
            "the risk of grids, --k"
        );
    }
}

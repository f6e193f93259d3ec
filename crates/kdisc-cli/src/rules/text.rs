//! The summary for people, on standard error.

use std::fmt::Write;

use kdisc::rules::Rule;

use super::curve::Curve;
use super::summary::{Summary, Verdict, ZoneFacts};
use crate::areal::text::in_words;
use crate::summary::text::{LOCATIONS, confidential, count, input, question, short};

/// So many k are told on one line.
const ON_A_LINE: usize = 10;

pub fn render(summary: &Summary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, summary);
    text
}

fn tell(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, prepared) = (summary.plan, summary.prepared);
    writeln!(out, "asked      {}", question(plan.anonymity))?;
    for (i, rule) in plan.rules.all().iter().enumerate() {
        let head = if i == 0 { "unsafe" } else { "or" };
        writeln!(out, "{head:<10} {}", rule_in_words(*rule))?;
    }
    for (facts, what) in prepared.base.inputs.iter().zip(["input", "polygons"]) {
        input(out, what, facts)?;
    }
    let population = &prepared.base.population;
    let units = count(population.units(), "unit");
    let locations = count(population.locations().len() as u64, "location");
    writeln!(out, "population {units} at {locations}")?;
    values(out, summary)?;
    if let Some((column, value)) = &plan.intake.only {
        let told = count(summary.discs.all, "unit");
        writeln!(out, "told       {told} with {column}={value}")?;
    }
    writeln!(out)?;
    verdict(out, "discs", &summary.discs, "unit", plan.value.is_some())?;
    if let (Some(facts), Some(division)) = (&summary.zones, &plan.division) {
        writeln!(out)?;
        let word = prepared
            .divided
            .as_ref()
            .map_or("region", |d| d.divided.zones.word());
        writeln!(out, "regions    {}", in_words(division))?;
        zones(out, facts, word, plan.value.is_some())?;
    }
    writeln!(out)?;
    curve(out, summary)?;
    let mut head = "largest";
    for (name, broken) in &summary.largest {
        writeln!(out, "{head:<10} unsafe: {name}: {broken}")?;
        head = "";
    }
    let t = summary.timings;
    writeln!(
        out,
        "time       read {:.2} s, index {:.2} s, measure {:.2} s, rules {:.2} s, other k {:.2} s, \
         write {:.2} s; {}",
        t.read,
        t.index,
        t.measure,
        t.rules,
        t.curve,
        t.write,
        count(plan.run.threads as u64, "thread")
    )?;
    for warning in &prepared.base.warnings {
        writeln!(out, "WARNING: {warning}")?;
    }
    let holds = match plan.division {
        None => LOCATIONS,
        Some(_) => "holds totals and largest values, also where they give units away",
    };
    let units = plan.units.iter().map(|units| (units, LOCATIONS));
    let table = std::iter::once((&plan.run.output, holds));
    let files: Vec<_> = table.chain(units).collect();
    confidential(out, &files)
}

fn rule_in_words(rule: Rule) -> String {
    match rule {
        Rule::P(p) => format!("p: without the two largest, less than {p} % of the largest is left"),
        Rule::Dominance { n: 1, percent } => {
            format!("dominance_1_{percent}: the largest has more than {percent} % of the total")
        }
        Rule::Dominance { n, percent } => format!(
            "dominance_{n}_{percent}: the {n} largest have more than {percent} % of the total"
        ),
        Rule::MinCount(least) => format!("min_count: fewer than {least} contributors"),
        Rule::Share(limit) if limit < 1.0 => {
            format!("share: one category has more than {limit} of the units, or all")
        }
        Rule::Share(_) => "share: all units are in one category".to_owned(),
        Rule::External(limit) => format!("external: largest / total is above {limit}"),
        Rule::Internal(limit) => format!("internal: largest / (total - second) is above {limit}"),
        Rule::Discrete(limit) => format!("discrete: the share of a category is above {limit}"),
    }
}

fn values(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let (plan, facts) = (summary.plan, summary.prepared.facts);
    let rows = |number: usize| count(number as u64, "row");
    if let Some(value) = &plan.value {
        let missing = rows(facts.missing);
        let negative = rows(facts.negative);
        write!(
            out,
            "values     column {value:?}: {missing} without a value contribute nothing, "
        )?;
        writeln!(out, "{negative} below 0 count without sign")?;
    }
    if let Some(group) = &plan.group {
        let without = rows(facts.without_owner);
        writeln!(
            out,
            "owners     column {group:?}: {without} without an owner stand for themselves"
        )?;
    }
    if let Some(category) = &plan.category {
        let without = rows(facts.without_category);
        let number = summary.prepared.columns.names.len();
        write!(out, "categories column {category:?}: {number} texts; ")?;
        writeln!(out, "{without} without one are in no share")?;
    }
    Ok(())
}

fn verdict(
    out: &mut String,
    head: &str,
    verdict: &Verdict,
    each: &str,
    has_values: bool,
) -> std::fmt::Result {
    let Verdict { all, broken, .. } = verdict;
    let share = 100.0 * verdict.share();
    if *broken == 0 {
        return writeln!(
            out,
            "{head:<10} SAFE: none of {} breaks a rule",
            count(*all, each)
        );
    }
    writeln!(
        out,
        "{head:<10} UNSAFE: {broken} of {} ({share:.1}%)",
        count(*all, each)
    )?;
    for (rule, number) in verdict.by_rule.iter().filter(|(_, number)| *number > 0) {
        writeln!(out, "{:<10} {rule:<18} {}", "", count(*number, each))?;
    }
    if verdict.no_disc > 0 {
        let number = count(verdict.no_disc, each);
        let why = "fewer than k units in all; they break every rule";
        writeln!(out, "{:<10} {:<18} {number}: {why}", "", "no_disc")?;
    }
    if has_values {
        let (held, of) = (short(verdict.value_broken), short(verdict.value));
        let share = 100.0 * verdict.value_share();
        writeln!(out, "{:<10} they hold {held} of {of} ({share:.1}%)", "")?;
    }
    Ok(())
}

fn zones(out: &mut String, facts: &ZoneFacts, word: &str, has_values: bool) -> std::fmt::Result {
    verdict(out, "", &facts.verdict, word, has_values)?;
    let units = |number: u64| count(number, "unit");
    let ZoneFacts {
        both,
        only_disc,
        only_zone,
        neither,
        ..
    } = facts;
    writeln!(
        out,
        "compared   unsafe by disc and by {word}: {}",
        units(*both)
    )?;
    writeln!(
        out,
        "           unsafe by disc, safe by {word}: {}",
        units(*only_disc)
    )?;
    writeln!(
        out,
        "           safe by disc, unsafe by {word}: {}",
        units(*only_zone)
    )?;
    writeln!(out, "           safe by both: {}", units(*neither))?;
    match facts.outside {
        0 => Ok(()),
        outside => writeln!(out, "           in no {word}: {}", units(outside)),
    }
}

fn curve(out: &mut String, summary: &Summary) -> std::fmt::Result {
    let max_k = summary.plan.max_k;
    let Some(Curve { points }) = summary.curve else {
        return writeln!(
            out,
            "other k    not tried, as that takes long with so many; --max-k {max_k} does"
        );
    };
    for (i, line) in points.chunks(ON_A_LINE).enumerate() {
        let head = if i == 0 { "unsafe at" } else { "" };
        let told: Vec<_> = line
            .iter()
            .map(|(k, units)| format!("k={k}: {units}"))
            .collect();
        writeln!(out, "{head:<10} {}", told.join(", "))?;
    }
    match summary.curve.and_then(Curve::safe_from) {
        Some(k) => writeln!(
            out,
            "safe       from k = {k} on, up to k = {max_k}: none is unsafe"
        ),
        None => writeln!(
            out,
            "safe       at no k up to {max_k}: some are unsafe at k = {max_k}"
        ),
    }
}

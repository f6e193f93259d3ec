//! The summary as JSON, for machines and for `kdisc verify`. It names rows, never coordinates.

use kdisc::rules::Rule;
use serde_json::{Map, Value, json};

use super::curve::Curve;
use super::plan::token;
use super::summary::{Summary, Verdict, ZoneFacts};
use crate::areal::json::division;
use crate::summary::json::{delta, fingerprint, input, number};

pub fn render(summary: &Summary) -> String {
    format!("{:#}\n", value(summary))
}

pub fn value(summary: &Summary) -> Value {
    let (plan, prepared) = (summary.plan, summary.prepared);
    let (asked, facts, timings) = (plan.anonymity, prepared.facts, summary.timings);
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "command": summary.command,
        "inputs": prepared.base.inputs.iter().map(input).collect::<Vec<_>>(),
        "output_sha256": fingerprint(&summary.hashes, "output"),
        "units_sha256": fingerprint(&summary.hashes, "units"),
        "warnings": prepared.base.warnings,
        "columns_used": { "value": plan.value, "group": plan.group, "category": plan.category },
        "k": asked.k(),
        "delta": delta(asked.delta()),
        "metric": asked.metric().to_string(),
        "rules": plan.rules.all().iter().map(rule).collect::<Vec<_>>(),
        "division": plan.division.as_ref().map(division),
        "threads": plan.run.threads,
        "units": prepared.base.population.units(),
        "locations": prepared.base.population.locations().len(),
        "rows_without_value": facts.missing,
        "rows_negative": facts.negative,
        "rows_without_owner": facts.without_owner,
        "rows_without_category": facts.without_category,
        "discs": verdict(&summary.discs, "units"),
        "regions": summary.zones.as_ref().map(regions),
        "by_k": summary.curve.map(|curve| {
            let points = curve.points.iter();
            points
                .map(|(k, units)| json!({ "k": k, "units_unsafe": units }))
                .collect::<Vec<_>>()
        }),
        "safe_from_k": summary.curve.and_then(Curve::safe_from),
        "largest_unsafe": summary.largest.iter().map(|(name, broken)| json!({
            "line": name.line,
            "row": name.row,
            "unsafe": broken,
        })).collect::<Vec<_>>(),
        "timings_s": {
            "read": timings.read,
            "hash": timings.hash,
            "index": timings.index,
            "measure": timings.measure,
            "rules": timings.rules,
            "other_k": timings.curve,
            "write": timings.write,
        },
    })
}

fn rule(rule: &Rule) -> Value {
    let limit = match *rule {
        Rule::P(p) => json!({ "p": number(p) }),
        Rule::Dominance { n, percent } => json!({ "n": n, "percent": number(percent) }),
        Rule::MinCount(least) => json!({ "least": least }),
        Rule::Share(limit)
        | Rule::External(limit)
        | Rule::Internal(limit)
        | Rule::Discrete(limit) => json!({ "most": number(limit) }),
    };
    json!({ "rule": token(*rule), "limit": limit })
}

fn verdict(verdict: &Verdict, what: &str) -> Value {
    let by_rule = verdict.by_rule.iter();
    let by_rule: Map<_, _> = by_rule
        .map(|(rule, count)| (rule.clone(), json!(count)))
        .collect();
    json!({
        what: verdict.all,
        "safe": verdict.broken == 0,
        "unsafe": verdict.broken,
        "share_unsafe": verdict.share(),
        "by_rule": by_rule,
        "no_disc": verdict.no_disc,
        "value": number(verdict.value),
        "value_unsafe": number(verdict.value_broken),
    })
}

fn regions(facts: &ZoneFacts) -> Value {
    let mut told = verdict(&facts.verdict, "regions");
    told["units"] = json!({
        "unsafe_in_both": facts.both,
        "unsafe_in_disc_only": facts.only_disc,
        "unsafe_in_region_only": facts.only_zone,
        "safe_in_both": facts.neither,
        "outside": facts.outside,
    });
    told
}

//! Counts that may be told one by one, but not side by side: from these, one could work out a count of few.
//!
//! Two relations are looked at; in both, somebody who subtracts learns the size of a set.
//!
//! - *Several sets and their union.* The union less a set is those in the others alone; the sets together less
//!   the union is those in more than one of them, each counted once less than they are in.
//! - *Sets that hold one another*, step by step: the dots of a map at its levels and the locations; who is
//!   beyond a limit at each level; whose disc breaks a rule at each k. Two of them differ by those between.
//!   Some of these sets need not hold the one before, but most do, and nobody can be sure that they do not.
//!
//! Where such a difference is of fewer than k, one of the counts is not told: of a union and its sets the one
//! that stands nowhere else, and of steps the later ones.

use serde_json::{Value, json};

use super::UNTOLD;

/// Leaves out the counts that would give away a few beside others.
pub fn leave_out(facts: &mut Value, k: u64) {
    let apart = Apart {
        k,
        units: count(facts, "/units").unwrap_or(0),
    };
    apart.twice(facts);
    apart.unions(facts);
    apart.dots(facts);
    apart.steps(facts, "/zoom/levels", "units_above", None);
    let asked = count(facts, "/rules/discs/unsafe");
    apart.steps(facts, "/rules/by_k", "units_unsafe", asked);
}

struct Apart {
    k: u64,
    units: u64,
}

impl Apart {
    fn is_few(&self, units: u64) -> bool {
        (1..self.k).contains(&units)
    }

    fn is_near(&self, told: &[u64], count: u64) -> bool {
        told.iter().any(|other| self.is_few(other.abs_diff(count)))
    }

    fn differ_by_few(&self, one: Option<u64>, other: Option<u64>) -> bool {
        one.zip(other)
            .is_some_and(|(one, other)| self.is_near(&[one], other))
    }

    /// Whether somebody can work out a count of few from the size of a union and those of its sets.
    fn gives_away(&self, union: Option<u64>, sets: &[u64]) -> bool {
        let Some(union) = union else {
            return false;
        };
        let sets: Vec<u64> = sets.iter().copied().filter(|units| *units > 0).collect();
        let again = sets.iter().sum::<u64>().saturating_sub(union);
        // Whoever is in all of them is counted that often too much.
        let most = (sets.len() as u64).saturating_sub(1).max(1);
        self.is_near(&sets, union) || self.is_few(again.div_ceil(most))
    }

    /// What two parts of the report count, each in its own way: the map leaves out cells with fewer than k,
    /// which may be cells of the grid as well, and rules leave out rows that limits do not.
    fn twice(&self, facts: &mut Value) {
        let drawn = count(facts, "/map/left_out/units");
        let counted = count(facts, "/areal/verdict/units_below");
        if self.differ_by_few(drawn, counted) {
            hide(facts.pointer_mut("/areal/verdict/units_below"));
            hide(limit(facts, "min_count"));
        }
        let found = count(facts, "/rules/discs/unsafe");
        let judged = limit(facts, "rules").and_then(|units| units.as_u64());
        if self.differ_by_few(found, judged) {
            hide(limit(facts, "rules"));
            hide(facts.pointer_mut("/verdict/units_exceeding"));
        }
    }

    fn unions(&self, facts: &mut Value) {
        let limits = facts["verdict"]["limits"].as_array().into_iter().flatten();
        let limits: Vec<u64> = limits
            .filter_map(|row| row["units_exceeding"].as_u64())
            .collect();
        if self.gives_away(count(facts, "/verdict/units_exceeding"), &limits) {
            hide(facts.pointer_mut("/verdict/units_exceeding"));
        }
        let flips = facts["areal"]["maup"]["flips"].as_object();
        let ways = flips
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != "any");
        let ways: Vec<u64> = ways.filter_map(|(_, way)| way["units"].as_u64()).collect();
        if self.gives_away(count(facts, "/areal/maup/flips/any/units"), &ways) {
            hide(facts.pointer_mut("/areal/maup/flips/any/units"));
        }
        // All who break rules are a limit of the verdict, too: here it is the rules one by one that are not told.
        let rules = facts["rules"]["discs"]["by_rule"].as_object();
        let rules: Vec<u64> = rules
            .into_iter()
            .flatten()
            .filter_map(|(_, units)| units.as_u64())
            .collect();
        if self.gives_away(count(facts, "/rules/discs/unsafe"), &rules) {
            let rules = facts["rules"]["discs"]["by_rule"].as_object_mut();
            let rules = rules.into_iter().flatten();
            rules.for_each(|(_, units)| hide(Some(units)));
        }
    }

    /// Units, the locations that they share, and the dots that these are drawn as.
    fn dots(&self, facts: &mut Value) {
        let mut told = vec![self.units];
        if let Some(locations) = count(facts, "/locations") {
            if self.is_near(&told, locations) {
                hide(facts.pointer_mut("/locations"));
                // They add up to the locations.
                facts["multiplicities"] = json!([]);
            } else {
                told.push(locations);
            }
        }
        for level in rows(facts, "/zoom/levels") {
            let Some(dots) = level["locations"].as_u64() else {
                continue;
            };
            if self.is_near(&told, dots) {
                hide(level.get_mut("locations"));
            } else {
                told.push(dots);
            }
        }
    }

    /// Counts of units one after another; few, and all but few, are told as such anyway.
    fn steps(&self, facts: &mut Value, path: &str, name: &str, first: Option<u64>) {
        let is_told =
            |units: u64| !self.is_few(units) && !self.is_few(self.units.saturating_sub(units));
        let mut told: Vec<u64> = first.into_iter().filter(|units| is_told(*units)).collect();
        for row in rows(facts, path) {
            let Some(units) = row[name].as_u64().filter(|units| is_told(*units)) else {
                continue;
            };
            if self.is_near(&told, units) {
                hide(row.get_mut(name));
            } else {
                told.push(units);
            }
        }
    }
}

fn count(facts: &Value, path: &str) -> Option<u64> {
    facts.pointer(path).and_then(Value::as_u64)
}

/// How many units exceed this limit.
fn limit<'a>(facts: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    let mut limits = rows(facts, "/verdict/limits");
    let row = limits.find(|row| row["limit"] == name)?;
    row.get_mut("units_exceeding")
}

fn rows<'a>(facts: &'a mut Value, path: &str) -> impl Iterator<Item = &'a mut Value> {
    let rows = facts.pointer_mut(path).and_then(Value::as_array_mut);
    rows.into_iter().flatten()
}

fn hide(count: Option<&mut Value>) {
    if let Some(count) = count {
        *count = json!(UNTOLD);
    }
}

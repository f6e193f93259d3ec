//! What a run comes down to, as facts; how they are shown is for [`super::text`] and
//! [`super::json`].

use kdisc::rules::{Broken, Rule};

use super::plan::{Plan, token};
use super::prepare::{ByZone, Prepared};
use super::{Answers, Curve, Timings};
use crate::delivery::Fingerprint;
use crate::summary::rows::RowName;

/// How many of the unsafe rows are named.
const NAMED: usize = 5;

pub struct Summary<'a> {
    pub command: Vec<String>,
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub hashes: Vec<Fingerprint>,
    pub timings: Timings,
    /// Of all units that were asked about.
    pub discs: Verdict,
    pub zones: Option<ZoneFacts>,
    pub curve: Option<&'a Curve>,
    /// The unsafe rows with the largest values.
    pub largest: Vec<(RowName, String)>,
}

/// How many units, or regions, are unsafe.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    pub all: u64,
    pub broken: u64,
    /// Each rule by its name, and how many break it.
    pub by_rule: Vec<(String, u64)>,
    pub no_disc: u64,
    /// The values of all and of the unsafe, without their signs.
    pub value: f64,
    pub value_broken: f64,
}

/// What regions say, and what discs say of the same units.
#[derive(Debug, Clone)]
pub struct ZoneFacts {
    /// Of regions with units.
    pub verdict: Verdict,
    /// Units unsafe in both views, only by their discs, only by their regions, and in neither.
    pub both: u64,
    pub only_disc: u64,
    pub only_zone: u64,
    pub neither: u64,
    /// Units in no region.
    pub outside: u64,
}

impl<'a> Summary<'a> {
    pub fn new(
        plan: &'a Plan,
        prepared: &'a Prepared,
        answers: &'a Answers,
        command: Vec<String>,
        hashes: Vec<Fingerprint>,
        timings: Timings,
    ) -> Self {
        let zones = prepared.divided.as_ref();
        Self {
            discs: of_discs(plan, prepared, answers),
            zones: zones.and_then(|by_zone| of_zones(plan, prepared, answers, by_zone)),
            curve: answers.curve.as_ref(),
            largest: largest(plan, prepared, answers),
            command,
            plan,
            prepared,
            hashes,
            timings,
        }
    }
}

impl Verdict {
    fn new(rules: &[Rule]) -> Self {
        let by_rule = rules.iter().map(|rule| (token(*rule), 0));
        Self {
            by_rule: by_rule.collect(),
            ..Self::default()
        }
    }

    fn count(&mut self, broken: Broken, number: u64) {
        self.all += number;
        if broken.is_safe() {
            return;
        }
        self.broken += number;
        if broken.has_no_disc() {
            self.no_disc += number;
        }
        for (rule, (_, count)) in self.by_rule.iter_mut().enumerate() {
            *count += number * u64::from(broken.has(rule));
        }
    }

    /// Adds up values so that their order does not show.
    fn hold(&mut self, mut all: Vec<(f64, bool)>) {
        all.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        self.value = all.iter().map(|(value, _)| value).sum();
        let broken = all.iter().filter(|(_, broken)| *broken);
        self.value_broken = broken.map(|(value, _)| value).sum();
    }

    pub fn share(&self) -> f64 {
        ratio(self.broken as f64, self.all as f64)
    }

    pub fn value_share(&self) -> f64 {
        ratio(self.value_broken, self.value)
    }
}

/// A part of nothing is nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn of_discs(plan: &Plan, prepared: &Prepared, answers: &Answers) -> Verdict {
    let mut verdict = Verdict::new(plan.rules.all());
    let mut values = Vec::new();
    for usable in prepared.measured() {
        let broken = answers.discs_found.findings[prepared.base.answer(usable)].broken;
        verdict.count(broken, prepared.weight(usable));
        let value = prepared.contribution(usable);
        values.extend(value.map(|value| (value, !broken.is_safe())));
    }
    verdict.hold(values);
    verdict
}

fn of_zones(
    plan: &Plan,
    prepared: &Prepared,
    answers: &Answers,
    by_zone: &ByZone,
) -> Option<ZoneFacts> {
    let found = answers.zones.as_ref()?;
    let zones = &by_zone.divided.zones;
    let mut verdict = Verdict::new(plan.rules.all());
    let mut values = Vec::new();
    for (finding, _) in found
        .findings
        .iter()
        .zip(&zones.counts)
        .filter(|(_, n)| **n > 0)
    {
        verdict.count(finding.broken, 1);
        values.push((finding.total, !finding.broken.is_safe()));
    }
    verdict.hold(values);
    let mut facts = ZoneFacts {
        verdict,
        both: 0,
        only_disc: 0,
        only_zone: 0,
        neither: 0,
        outside: 0,
    };
    for usable in prepared.measured() {
        let disc = answers.discs_found.findings[prepared.base.answer(usable)].broken;
        let zone = zones.of_unit[usable].map(|zone| found.findings[zone as usize].broken);
        let units = match (disc.is_safe(), zone.map(Broken::is_safe)) {
            (_, None) => &mut facts.outside,
            (false, Some(false)) => &mut facts.both,
            (false, Some(true)) => &mut facts.only_disc,
            (true, Some(false)) => &mut facts.only_zone,
            (true, Some(true)) => &mut facts.neither,
        };
        *units += prepared.weight(usable);
    }
    Some(facts)
}

/// The unsafe rows with the largest values, or the first where there are none, and what they break.
fn largest(plan: &Plan, prepared: &Prepared, answers: &Answers) -> Vec<(RowName, String)> {
    if !plan.run.is_summarised() {
        return Vec::new();
    }
    let broken = |usable: usize| answers.discs_found.findings[prepared.base.answer(usable)].broken;
    let size = |usable: usize| prepared.contribution(usable).unwrap_or(-1.0);
    let mut worst: Vec<usize> = Vec::with_capacity(NAMED + 1);
    for usable in prepared
        .measured()
        .filter(|&usable| !broken(usable).is_safe())
    {
        let at = worst.partition_point(|&other| size(other) >= size(usable));
        if at < NAMED {
            worst.truncate(NAMED - 1);
            worst.insert(at, usable);
        }
    }
    let mut rows = vec![0; worst.len()];
    let states = prepared.base.rows.iter().enumerate();
    let usable = states.filter(|(_, state)| **state != kdisc_io::units::RowState::Invalid);
    for (number, (row, _)) in usable.enumerate() {
        if let Some(at) = worst.iter().position(|&wanted| wanted == number) {
            rows[at] = row;
        }
    }
    let names = prepared.base.table.names(&rows).into_iter().zip(worst);
    let named = names.map(|(name, usable)| (name, super::columns::broken(plan, broken(usable))));
    named.collect()
}

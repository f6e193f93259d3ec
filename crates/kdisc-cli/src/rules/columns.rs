//! The columns that are added to units, and the table of regions.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{Field, Schema};
use kdisc::rules::{Broken, Finding};
use kdisc_io::layer::{BATCH, Encoding, Geometry, Layer, wkb_field};

use super::Answers;
use super::plan::{Plan, token};
use super::prepare::{ByZone, Prepared};
use crate::arrays::{number, numbers, text, texts, whole, wholes};
use crate::joined::Added;
use crate::risk::answers::{Answer, Sequence};
use crate::risk::arrays::{self as disc_columns};
use crate::risk::plan::ADDED;
use crate::sheet::Sheet;

/// What the file of a table of regions says of itself.
const CONFIDENTIAL: &str = "CONFIDENTIAL: totals and largest values, also where they give units away; keep it as safe as the input (written by kdisc)";

/// A set, as a table tells it: what the rules found, and the units of each category.
type Told<'a> = Option<(&'a Finding, &'a [u64])>;

/// The columns that are added to units.
pub fn added(plan: &Plan, categories: &[String]) -> Vec<Field> {
    let mut fields = disc_columns::fields(&ADDED.map(str::to_owned));
    fields.extend(found_fields(plan, categories, true));
    if plan.division.is_some() {
        fields.extend([text("region"), text("region_unsafe")]);
    }
    let named = fields.into_iter().map(|field| {
        let name = format!("{}{}", plan.prefix, field.name());
        field.with_name(name)
    });
    named.collect()
}

/// What the rules have to say, for units or for regions.
fn found_fields(plan: &Plan, categories: &[String], of_units: bool) -> Vec<Field> {
    let mut fields = Vec::new();
    if plan.value.is_some() {
        fields.extend([
            whole("contributors"),
            number("total"),
            number("largest"),
            number("second"),
        ]);
        fields.extend(of_units.then(|| number("own_share")));
        fields.push(number("p_margin"));
    }
    if plan.has_raster_risk() {
        fields.push(number("raster_risk"));
    }
    if plan.category.is_some() {
        fields.extend([text("top_category"), number("top_share")]);
        let shares = categories.iter();
        fields.extend(shares.map(|name| number(&format!("share_{name}"))));
    }
    fields.push(text("unsafe"));
    fields
}

/// The values of these columns, in their order. `own` has the contribution of each unit.
fn found_columns(
    plan: &Plan,
    prepared: &Prepared,
    told: &[Told],
    own: Option<&[Option<f64>]>,
) -> Vec<ArrayRef> {
    let findings = || told.iter().map(|told| told.map(|(finding, _)| finding));
    // Where there is no disc, there are no figures either.
    let there = || findings().map(|found| found.filter(|found| !found.broken.has_no_disc()));
    let mut columns = Vec::new();
    if plan.value.is_some() {
        columns.push(wholes(there().map(|found| Some(found?.contributors))));
        columns.push(numbers(there().map(|found| Some(found?.total))));
        columns.push(numbers(there().map(|found| Some(found?.largest))));
        columns.push(numbers(there().map(|found| Some(found?.second))));
        if let Some(own) = own {
            let shares = there().zip(own).map(|(found, own)| {
                let total = found?.total;
                own.filter(|_| total > 0.0).map(|own| own / total)
            });
            columns.push(numbers(shares));
        }
        columns.push(numbers(there().map(|found| found?.p_margin)));
    }
    if plan.has_raster_risk() {
        columns.push(numbers(there().map(|found| found?.risk)));
    }
    if plan.category.is_some() {
        let names = &prepared.columns.names;
        let commonest = there().map(|found| Some(names[found?.commonest?.0 as usize].clone()));
        columns.push(texts(commonest));
        let share = |units: u64, of: u64| (of > 0).then(|| units as f64 / of as f64);
        columns.push(numbers(there().map(|found| {
            let found = found?;
            share(found.commonest?.1, found.categorised)
        })));
        for category in 0..prepared.columns.shown().len() {
            columns.push(numbers(told.iter().map(|told| {
                let (found, counts) = (*told)?;
                share(counts[category], found.categorised)
            })));
        }
    }
    columns.push(texts(
        findings().map(|found| is_unsafe(plan, found?.broken)),
    ));
    columns
}

/// The rules that are broken, if any are.
fn is_unsafe(plan: &Plan, found: Broken) -> Option<String> {
    (!found.is_safe()).then(|| broken(plan, found))
}

/// The rules that are broken, as text.
pub fn broken(plan: &Plan, broken: Broken) -> String {
    if broken.has_no_disc() {
        return "no_disc".to_owned();
    }
    let rules = plan.rules.all().iter().enumerate();
    let rules = rules.filter(|(rule, _)| broken.has(*rule));
    let tokens: Vec<_> = rules.map(|(_, rule)| token(*rule)).collect();
    tokens.join(" ")
}

/// The columns of units, for the next so many rows at a time.
pub fn sequence<'a>(plan: &'a Plan, prepared: &'a Prepared, answers: &'a Answers) -> Added<'a> {
    let mut discs = Sequence::new(&prepared.base, &answers.discs);
    let mut block: Vec<Answer> = Vec::new();
    let mut usable = 0;
    Box::new(move |rows| {
        discs.take(rows, &mut block);
        let mut columns = disc_columns::columns(&block);
        // The numbers of these rows among the usable ones.
        let numbers = block.iter().map(|answer| {
            let is_usable = !matches!(answer, Answer::Invalid);
            usable += usize::from(is_usable);
            is_usable.then(|| usable - 1)
        });
        let numbers: Vec<Option<usize>> = numbers.collect();
        let told = numbers
            .iter()
            .zip(&block)
            .map(|(row, answer)| match answer {
                Answer::Measured(..) => {
                    let at = prepared.base.answer((*row)?);
                    Some(answers.discs_found.set(at))
                }
                _ => None,
            });
        let told: Vec<Told> = told.collect();
        let own: Vec<_> = numbers
            .iter()
            .map(|row| prepared.contribution((*row)?))
            .collect();
        columns.extend(found_columns(plan, prepared, &told, Some(&own)));
        if let (Some(by_zone), Some(found)) = (&prepared.divided, &answers.zones) {
            let zones = &by_zone.divided.zones;
            let zone = |row: &Option<usize>| zones.of_unit[(*row)?].map(|zone| zone as usize);
            columns.push(texts(
                numbers.iter().map(|row| Some(zones.name(zone(row)?))),
            ));
            columns.push(texts(
                numbers
                    .iter()
                    .map(|row| is_unsafe(plan, found.findings[zone(row)?].broken)),
            ));
        }
        columns
    })
}

/// The table of regions.
pub struct RegionTable<'a> {
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub answers: &'a Answers,
    pub by_zone: &'a ByZone,
}

impl Sheet for RegionTable<'_> {
    fn layer(&self) -> Layer {
        let zones = &self.by_zone.divided.zones;
        let mut fields = vec![text("region"), number("x"), number("y"), whole("count")];
        let categories = self.prepared.columns.shown();
        fields.extend(found_fields(self.plan, categories, false));
        fields.push(whole("units_unsafe"));
        let mut geometry = None;
        if self.plan.run.output.wants_geometry() {
            geometry = Some(Geometry {
                column: fields.len(),
                encoding: Encoding::Wkb,
                shape: zones.shape(),
            });
            fields.push(wkb_field("geometry"));
        }
        let metadata = [("description".to_owned(), CONFIDENTIAL.to_owned())];
        Layer {
            name: "regions".to_owned(),
            schema: Arc::new(Schema::new_with_metadata(fields, metadata.into())),
            geometry,
            crs: zones.crs.clone(),
            rows: Some(zones.len()),
        }
    }

    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let Layer {
            schema, geometry, ..
        } = self.layer();
        let zones = &self.by_zone.divided.zones;
        let unsafe_units = self.answers.unsafe_units(self.prepared, zones);
        for start in (0..zones.len()).step_by(BATCH) {
            let rows = start..zones.len().min(start + BATCH);
            let found = self.answers.zones.as_ref();
            let told = rows.clone().map(|zone| Some(found?.set(zone)));
            let told: Vec<Told> = told.collect();
            let mut columns = vec![
                texts(rows.clone().map(|zone| Some(zones.name(zone)))),
                numbers(rows.clone().map(|zone| Some(zones.place(zone).x))),
                numbers(rows.clone().map(|zone| Some(zones.place(zone).y))),
                wholes(rows.clone().map(|zone| Some(zones.counts[zone]))),
            ];
            columns.extend(found_columns(self.plan, self.prepared, &told, None));
            columns.push(wholes(rows.clone().map(|zone| Some(unsafe_units[zone]))));
            if geometry.is_some() {
                let outlines = rows.map(|zone| Some(zones.outline(zone)));
                columns.push(Arc::new(outlines.collect::<BinaryArray>()));
            }
            put(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        }
        Ok(())
    }
}

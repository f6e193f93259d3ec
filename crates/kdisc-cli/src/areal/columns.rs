//! The table of zones, and what units get of it.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use kdisc::areal::areal_risk;
use kdisc_io::layer::{BATCH, Encoding, Geometry, Layer, wkb_field};

use super::plan::Plan;
use super::prepare::Prepared;
use super::radii::Radii;
use super::{Answers, Measured};
use crate::arrays::{number, numbers, texts, truth, truths, whole, wholes};
use crate::joined::Added;
use crate::sheet::Sheet;

/// What the file of a table of zones says of itself.
const CONFIDENTIAL: &str = "CONFIDENTIAL: counts units, also where they are few; keep it as safe as the input (written by kdisc)";

/// The table of zones.
pub struct ZoneTable<'a> {
    pub plan: &'a Plan,
    pub prepared: &'a Prepared,
    pub answers: &'a Answers,
}

impl Sheet for ZoneTable<'_> {
    fn layer(&self) -> Layer {
        let mut fields = vec![
            Field::new("region", DataType::Utf8, true),
            number("x"),
            number("y"),
            whole("count"),
            number("area"),
            number("density"),
            number("areal_risk"),
        ];
        if self.plan.min_count.is_some() {
            fields.push(truth("enough"));
        }
        if self.plan.anonymity.is_some() {
            fields.extend([
                number("radius_max"),
                number("radius_mean"),
                whole("units_above"),
            ]);
        }
        let mut geometry = None;
        if self.is_drawn() {
            geometry = Some(Geometry {
                column: fields.len(),
                encoding: Encoding::Wkb,
                shape: self.prepared.zones.shape(),
            });
            fields.push(wkb_field("geometry"));
        }
        let metadata = [("description".to_owned(), CONFIDENTIAL.to_owned())];
        Layer {
            name: "regions".to_owned(),
            schema: Arc::new(Schema::new_with_metadata(fields, metadata.into())),
            geometry,
            crs: self.prepared.zones.crs.clone(),
            rows: Some(self.prepared.zones.len()),
        }
    }

    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let schema = self.layer().schema;
        let zones = &self.prepared.zones;
        for start in (0..zones.len()).step_by(BATCH) {
            let rows: Vec<usize> = (start..zones.len().min(start + BATCH)).collect();
            let columns = self.columns(&rows);
            put(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        }
        Ok(())
    }
}

impl ZoneTable<'_> {
    fn is_drawn(&self) -> bool {
        self.plan.run.output.wants_geometry()
    }

    fn columns(&self, rows: &[usize]) -> Vec<ArrayRef> {
        let zones = &self.prepared.zones;
        let all = || rows.iter().map(|&row| Some(row));
        let mut columns = vec![
            texts(all().map(|row| row.map(|row| zones.name(row)))),
            numbers(all().map(|row| row.map(|row| zones.place(row).x))),
            numbers(all().map(|row| row.map(|row| zones.place(row).y))),
            wholes(all().map(|row| row.map(|row| zones.counts[row]))),
            numbers(all().map(|row| row.map(|row| zones.area(row)))),
            numbers(all().map(|row| row.map(|row| zones.density(row)))),
            numbers(all().map(|row| row.map(|row| zones.risk(row)))),
        ];
        if let Some(least) = self.plan.min_count {
            columns.push(truths(
                all().map(|row| row.map(|row| enough(zones.counts[row], least))),
            ));
        }
        if let Some(Measured { per_zone, .. }) = &self.answers.measured {
            let radii =
                |of: fn(&Radii) -> Option<f64>| numbers(rows.iter().map(|&row| of(&per_zone[row])));
            columns.push(radii(|radii| radii.max));
            columns.push(radii(|radii| radii.mean));
            columns.push(wholes(rows.iter().map(|&row| per_zone[row].above)));
        }
        if self.is_drawn() {
            let outlines = rows.iter().map(|&row| Some(zones.outline(row)));
            columns.push(Arc::new(outlines.collect::<BinaryArray>()));
        }
        columns
    }
}

/// Whether a region is safe by its count. Where nobody is, nobody can be found.
pub fn enough(count: u64, least: u64) -> bool {
    count == 0 || count >= least
}

/// The columns that are added to units.
pub fn added(plan: &Plan) -> Vec<Field> {
    let mut fields = vec![
        Field::new("region", DataType::Utf8, true),
        whole("count"),
        number("area"),
        number("density"),
        number("areal_risk"),
    ];
    if plan.min_count.is_some() {
        fields.push(truth("enough"));
    }
    if plan.anonymity.is_some() {
        fields.push(number("radius"));
    }
    if plan.shifts.is_some() {
        fields.extend([
            whole("count_min"),
            whole("count_max"),
            number("areal_risk_min"),
            number("areal_risk_max"),
            truth("flips"),
        ]);
    }
    let named = fields.into_iter().map(|field| {
        let name = format!("{}{}", plan.prefix, field.name());
        field.with_name(name)
    });
    named.collect()
}

/// The values of these columns, for the next so many rows at a time.
pub fn sequence<'a>(plan: &'a Plan, prepared: &'a Prepared, answers: &'a Answers) -> Added<'a> {
    let mut numbers = prepared.register.units.numbers();
    Box::new(move |rows| {
        let block: Vec<_> = numbers.by_ref().take(rows).collect();
        unit_columns(plan, prepared, answers, &block)
    })
}

/// The columns of some rows, each by its number among the usable ones.
fn unit_columns(
    plan: &Plan,
    prepared: &Prepared,
    answers: &Answers,
    rows: &[Option<usize>],
) -> Vec<ArrayRef> {
    let zones = &prepared.zones;
    let zone = |row: &Option<usize>| zones.of_unit[(*row)?].map(|zone| zone as usize);
    let in_zones = || rows.iter().map(zone);
    let mut columns = vec![
        texts(in_zones().map(|zone| zone.map(|zone| zones.name(zone)))),
        wholes(in_zones().map(|zone| zone.map(|zone| zones.counts[zone]))),
        numbers(in_zones().map(|zone| zone.map(|zone| zones.area(zone)))),
        numbers(in_zones().map(|zone| zone.map(|zone| zones.density(zone)))),
        numbers(in_zones().map(|zone| zone.map(|zone| zones.risk(zone)))),
    ];
    if let Some(least) = plan.min_count {
        let counts = in_zones().map(|zone| zone.map(|zone| zones.counts[zone]));
        columns.push(truths(
            counts.map(|count| count.map(|count| enough(count, least))),
        ));
    }
    if let Some(measured) = &answers.measured {
        let radius = |row: &Option<usize>| measured.radius((*row)?);
        columns.push(numbers(rows.iter().map(radius)));
    }
    if let (Some(maup), Some(least)) = (&answers.maup, plan.min_count) {
        let ranges = || rows.iter().map(|row| row.map(|row| maup.range(row)));
        columns.push(wholes(ranges().map(|range| range.map(|[few, _]| few))));
        columns.push(wholes(ranges().map(|range| range.map(|[_, many]| many))));
        columns.push(numbers(
            ranges().map(|range| range.map(|[_, many]| areal_risk(many))),
        ));
        columns.push(numbers(
            ranges().map(|range| range.map(|[few, _]| areal_risk(few))),
        ));
        let flips = |[few, many]: [u64; 2]| few < least && least <= many;
        columns.push(truths(ranges().map(|range| range.map(flips))));
    }
    columns
}

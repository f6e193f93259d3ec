//! The curve as a table, and the column that is added to units.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use kdisc_io::layer::Layer;

use super::{Found, Plan, Step};
use crate::joined::Added;
use crate::sheet::Sheet;

/// One row per share.
pub struct Curve<'a>(pub &'a [Step]);

impl Curve<'_> {
    fn fields() -> Vec<Field> {
        vec![
            Field::new("share", DataType::Float64, false),
            Field::new("bandwidth", DataType::Float64, true),
            Field::new("units", DataType::Int64, true),
        ]
    }
}

impl Sheet for Curve<'_> {
    fn layer(&self) -> Layer {
        Layer {
            name: "bandwidths".to_owned(),
            schema: Arc::new(Schema::new(Self::fields())),
            geometry: None,
            crs: None,
            rows: Some(self.0.len()),
        }
    }

    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let steps = self.0.iter();
        let shares = steps.clone().map(|step| step.share);
        let bandwidths = steps.clone().map(|step| step.bandwidth);
        // Units are below 2^53.
        let units = steps.map(|step| step.units.map(u64::cast_signed));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Float64Array::from_iter_values(shares)),
            Arc::new(bandwidths.collect::<Float64Array>()),
            Arc::new(units.collect::<Int64Array>()),
        ];
        let schema = Arc::new(Schema::new(Self::fields()));
        put(&RecordBatch::try_new(schema, columns)?)
    }
}

pub fn added(plan: &Plan) -> Vec<Field> {
    vec![Field::new(&plan.added, DataType::Float64, true)]
}

/// The adaptive bandwidths, row by row; none for rows that cannot be used.
pub fn sequence<'a>(plan: &'a Plan, found: &'a Found) -> Added<'a> {
    let mut numbers = found.register.units.numbers();
    let of_row = found.population.location_of_row();
    Box::new(move |rows| -> Vec<ArrayRef> {
        let next = numbers.by_ref().take(rows);
        let bandwidths = next.map(|usable| {
            let disc = found.discs[of_row[usable?] as usize]?;
            Some(disc.radius.max(plan.least))
        });
        vec![Arc::new(bandwidths.collect::<Float64Array>())]
    })
}

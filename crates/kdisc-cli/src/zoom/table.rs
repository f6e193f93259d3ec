//! One row per level.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use kdisc::zoom::Survey;
use kdisc_io::layer::Layer;

use super::levels::Label;
use super::look::Sight;
use super::plan::Plan;
use crate::sheet::Sheet;

/// What there is to say of a level.
#[derive(Debug, Clone)]
pub struct Row {
    pub label: Label,
    pub metres_per_pixel: f64,
    pub units: u64,
    pub locations: usize,
    pub max_multiplicity: u64,
    pub perceived: Option<Figures>,
    /// Absent when no limit was given.
    pub units_above: Option<u64>,
    pub intrinsic: Option<Figures>,
    pub delta_px: f64,
    pub delta: f64,
}

/// Radii and risks, in pixels or in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    pub median: f64,
    pub p99: f64,
    pub max: f64,
    pub risk_max: f64,
}

impl Figures {
    fn new(survey: &Survey) -> Self {
        Self {
            median: survey.radius_median,
            p99: survey.radius_p99,
            max: survey.radius_max,
            risk_max: survey.risk_max,
        }
    }
}

impl Row {
    pub fn new(plan: &Plan, sight: &Sight) -> Self {
        let multiplicities = sight.pixels.multiplicities();
        Self {
            label: sight.level.label,
            metres_per_pixel: sight.level.metres_per_pixel,
            units: sight.pixels.units(),
            locations: multiplicities.len(),
            max_multiplicity: multiplicities.iter().copied().max().unwrap_or_default(),
            perceived: sight.perceived.as_ref().map(Figures::new),
            units_above: plan.has_limit().then(|| sight.units_above()),
            intrinsic: sight.intrinsic.as_ref().map(Figures::new),
            delta_px: sight.delta_px,
            delta: sight.delta(),
        }
    }

    /// Whether no more units than allowed exceed a limit.
    pub fn is_safe(&self, plan: &Plan) -> bool {
        self.units_above
            .is_none_or(|above| above as f64 <= plan.allow * self.units as f64)
    }
}

/// The levels as a table.
pub struct Table<'a> {
    pub rows: &'a [Row],
}

impl Table<'_> {
    fn columns(&self) -> Vec<(&'static str, ArrayRef)> {
        let number = |of: &dyn Fn(&Row) -> Option<f64>| -> ArrayRef {
            Arc::new(self.rows.iter().map(of).collect::<Float64Array>())
        };
        let whole = |of: &dyn Fn(&Row) -> Option<u64>| -> ArrayRef {
            let values = self.rows.iter().map(|row| of(row).map(u64::cast_signed));
            Arc::new(values.collect::<Int64Array>())
        };
        let seen = |of: fn(&Figures) -> f64| number(&|row| row.perceived.as_ref().map(of));
        let exact = |of: fn(&Figures) -> f64| number(&|row| row.intrinsic.as_ref().map(of));
        // An endless δ has no number.
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        vec![
            ("level", self.labels()),
            (
                "metres_per_pixel",
                number(&|row| Some(row.metres_per_pixel)),
            ),
            ("locations", whole(&|row| Some(row.locations as u64))),
            ("max_multiplicity", whole(&|row| Some(row.max_multiplicity))),
            ("radius_px_median", seen(|figures| figures.median)),
            ("radius_px_p99", seen(|figures| figures.p99)),
            ("radius_px_max", seen(|figures| figures.max)),
            ("risk_px_max", seen(|figures| figures.risk_max)),
            ("units_above", whole(&|row| row.units_above)),
            ("intrinsic_radius_median", exact(|figures| figures.median)),
            ("intrinsic_radius_p99", exact(|figures| figures.p99)),
            ("intrinsic_radius_max", exact(|figures| figures.max)),
            ("intrinsic_risk_max", exact(|figures| figures.risk_max)),
            ("delta_px", number(&|row| finite(row.delta_px))),
            ("delta", number(&|row| finite(row.delta))),
        ]
    }

    /// Levels of a web map are whole numbers, sizes are numbers.
    fn labels(&self) -> ArrayRef {
        let labels = self.rows.iter().map(|row| row.label);
        match self.rows.first().map(|row| row.label) {
            Some(Label::Web(_)) => {
                let levels = labels.map(|label| match label {
                    Label::Web(level) => Some(i64::from(level)),
                    _ => None,
                });
                Arc::new(levels.collect::<Int64Array>())
            }
            Some(Label::Metres(_)) => {
                let sizes = labels.map(|label| match label {
                    Label::Metres(size) => Some(size),
                    _ => None,
                });
                Arc::new(sizes.collect::<Float64Array>())
            }
            _ => Arc::new(StringArray::from_iter_values(
                labels.map(|label| label.to_string()),
            )),
        }
    }
}

impl Sheet for Table<'_> {
    fn layer(&self) -> Layer {
        let fields = self.columns().into_iter().map(|(name, column)| {
            let data_type: DataType = column.data_type().clone();
            Field::new(name, data_type, true)
        });
        Layer {
            name: "levels".to_owned(),
            schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())),
            geometry: None,
            crs: None,
            rows: Some(self.rows.len()),
        }
    }

    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let columns = self.columns().into_iter().map(|(_, column)| column);
        put(&RecordBatch::try_new(
            self.layer().schema,
            columns.collect(),
        )?)
    }
}

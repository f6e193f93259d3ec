//! Layers of the user's own, taken to the ground of the units.

use kdisc::Point;
use kdisc_io::InputError;
use kdisc_io::crs::{Crs, Extent, Ground};
use kdisc_io::input::Options;
use kdisc_io::points::{Place, Wanted};
use kdisc_io::shapes::ShapeTable;
use kdisc_io::units::OnInvalid;
use kdisc_report::shapes::Shapes;

use super::plan::Context;
use crate::audience::Audience;
use crate::failure::Refusal;
use crate::progress::Phase;
use crate::reading::{Known, Opened, Reading};
use crate::register::InputFacts;

/// A layer, read.
pub struct ContextLayer {
    pub shapes: Shapes,
    crs: Option<Crs>,
    pub facts: InputFacts,
}

impl ContextLayer {
    /// Reads it; `hashed` if somebody will be told what it was.
    pub fn read(context: &Context, hashed: bool, audience: &Audience) -> anyhow::Result<Self> {
        let source = &context.source;
        let phase = Phase::new(format!("reading {source}"), audience);
        let progress = |done, total| phase.report_bytes(done, total);
        let reading = Reading {
            options: Options {
                format: None,
                layer: context.layer.clone(),
            },
            crs: None,
            coordinates: None,
        };
        let table = Opened::new(source, &reading, false, &progress);
        let table = table.map_err(|error| of_layer(error, context.option))?;
        let mut shapes = match table.place {
            Place::Geometry => ShapeTable::read(&table.input, &progress)?,
            place @ Place::Columns { .. } => {
                let wanted = Wanted {
                    place,
                    weight: None,
                    only: None,
                    on_invalid: OnInvalid::Error,
                    centroid: false,
                };
                let units = table.input.units(&wanted, &progress)?;
                ShapeTable {
                    rows: units.rows.len(),
                    points: units.points,
                    ..ShapeTable::default()
                }
            }
        };
        let crs = table.crs.clone();
        let facts = InputFacts {
            source: source.clone(),
            sha256: if hashed {
                source.sha256(&table.input)?
            } else {
                None
            },
            rows: shapes.rows,
            bad_rows: 0,
            first_bad: None,
            place: table.place_names(),
            layer: table.input.layer().map(|layer| layer.name.clone()),
            crs: crs.as_ref().map(ToString::to_string),
            known: if crs.is_some() {
                table.known
            } else {
                Known::LikeTheOther
            },
            compute: crs.as_ref().map(ToString::to_string).unwrap_or_default(),
            scale_error: None,
        };
        let shapes = Shapes {
            points: std::mem::take(&mut shapes.points),
            lines: std::mem::take(&mut shapes.lines),
            polygons: std::mem::take(&mut shapes.polygons),
        };
        Ok(Self { shapes, crs, facts })
    }

    /// Takes it to the ground of the units, whose system it is in where it does not say. What has no
    /// place there (the other side of the world) cannot be on the map either: it is left out.
    pub fn project(&mut self, units: Option<&Crs>, ground: &Ground) -> Result<(), InputError> {
        let crs = self.crs.as_ref().or(units);
        let corners: Vec<Point> = self.shapes.corners().map(|corner| *corner).collect();
        let (Some(crs), Some(extent)) = (crs, Extent::new(crs, &corners)) else {
            return Ok(());
        };
        let ground = ground
            .of_other(crs, &extent)
            .map_err(|source| InputError::Crs {
                file: self.facts.source.to_string(),
                source,
            })?;
        if ground.is_identity() {
            return Ok(());
        }
        for corner in self.shapes.corners() {
            let mut moved = [*corner];
            *corner = match ground.to_metres(&mut moved) {
                Ok(()) => moved[0],
                Err(_) => Point::new(f64::NAN, f64::NAN),
            };
        }
        Ok(())
    }
}

/// These layers have options of their own.
fn of_layer(error: anyhow::Error, option: &str) -> anyhow::Error {
    match error.downcast_ref::<InputError>() {
        Some(InputError::SeveralLayers { .. } | InputError::MissingLayer { .. }) => {
            let help = format!("say which layer to draw: {option} NAME");
            Refusal::new(error.to_string(), help).into()
        }
        _ => error,
    }
}

//! The shape of a file, from its header.

use std::sync::Arc;

use arrow_schema::{Field, Schema};

use super::Type;
use super::frame::Frames;
use super::header::System;
use super::rows::{Rows, properties};
use crate::InputError;
use crate::content::Content;
use crate::crs::Crs;
use crate::layer::{self, Batches, Encoding, Geometry, Layer, Reader, Shape};
use crate::moment::Times;

/// An open `FlatGeobuf` file.
#[derive(Debug)]
pub struct FlatGeobuf {
    pub(super) content: Content,
    pub(super) file: String,
    pub(super) layer: Layer,
}

/// Opens a file; `name` is for messages, `stem` names the layer if the file does not.
///
/// # Errors
/// When it cannot be read or is no `FlatGeobuf`.
pub fn open(content: Content, name: &str, stem: &str) -> Result<FlatGeobuf, InputError> {
    let frames = Frames::open(&content, name)?;
    let header = frames.header.clone();
    let mut times = vec![Times::default(); header.columns.len()];
    if header
        .columns
        .iter()
        .any(|(_, kind)| *kind == Type::DateTime)
    {
        survey(frames, &mut times)?;
    }
    let columns = header.columns.iter().zip(times);
    let mut fields: Vec<Field> = columns
        .map(|((name, kind), times)| field(name, *kind, times))
        .collect();
    let column = fields.len();
    let taken = fields.iter().map(|field| field.name().as_str());
    let geometry = layer::free_name(layer::GEOMETRY, taken);
    fields.push(layer::wkb_field(&geometry));
    let description = header
        .description
        .map(|text| ("description".to_owned(), text));
    let schema = Schema::new(fields).with_metadata(description.into_iter().collect());
    let shape = match header.kind {
        1 => Shape::Point,
        3 => Shape::Polygon,
        _ => Shape::Any,
    };
    let crs = system(&header.crs).map_err(InputError::crs(name))?;
    Ok(FlatGeobuf {
        content,
        file: name.to_owned(),
        layer: Layer {
            name: if header.name.is_empty() {
                stem.to_owned()
            } else {
                header.name
            },
            schema: Arc::new(schema),
            geometry: Some(Geometry {
                column,
                encoding: Encoding::Wkb,
                shape,
            }),
            crs,
            rows: header.features.and_then(|count| count.try_into().ok()),
        },
    })
}

impl Reader for FlatGeobuf {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let mut rows = Rows::new(self, columns)?;
        Ok(layer::in_turn(move || rows.batch()))
    }
}

/// What the columns of dates and times hold.
fn survey(mut frames: Frames, times: &mut [Times]) -> Result<(), InputError> {
    while frames.advance()? {
        let seen = properties(
            &frames.feature,
            &frames.header.columns,
            |column, kind, value| {
                if kind == Type::DateTime
                    && let Ok(text) = std::str::from_utf8(value)
                {
                    times[column].see(text);
                }
            },
        );
        seen.map_err(|wrong| frames.wrong(wrong))?;
    }
    Ok(())
}

fn field(name: &str, kind: Type, times: Times) -> Field {
    let data_type = kind.arrow().unwrap_or_else(|| times.data_type());
    let field = Field::new(name, data_type, true);
    if kind == Type::Json {
        layer::with_extension(field, layer::JSON)
    } else {
        field
    }
}

/// By its code if it is one of EPSG's, else by its definition.
fn system(found: &System) -> Result<Option<Crs>, crate::crs::CrsError> {
    let org = found.org.as_deref().unwrap_or("EPSG");
    let code = found
        .code
        .filter(|code| *code > 0 && org.eq_ignore_ascii_case("EPSG"));
    let by_wkt = || {
        found
            .wkt
            .as_deref()
            .filter(|wkt| !wkt.is_empty())
            .map(Crs::from_wkt)
    };
    if let Some(code) = code {
        return match Crs::from_epsg(code) {
            Ok(crs) => Ok(Some(crs)),
            // A code that is not known here may come with a definition that is.
            Err(error) => by_wkt().unwrap_or(Err(error)).map(Some),
        };
    }
    if found.code_text.as_deref() == Some("CRS84") {
        return Crs::from_epsg(4326).map(Some);
    }
    by_wkt().transpose()
}

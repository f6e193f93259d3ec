//! Rows to features, one a line.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use arrow_array::{Array, BinaryArray, RecordBatch};
use arrow_schema::ArrowError;

use super::{FEATURE_ID, FORMAT, geometry};
use crate::WriteError;
use crate::crs::Crs;
use crate::geometry::Parts;
use crate::json::{self, Values};
use crate::layer::{Layer, Writer};
use crate::output::Sink;

struct Features {
    out: BufWriter<Sink>,
    layer: Layer,
    /// One feature a line and nothing else.
    lines: bool,
    /// The column of the features' `id`.
    id: Option<usize>,
    /// `"name":` for every column.
    keys: Vec<Vec<u8>>,
    rows: usize,
}

/// Begins a file: a `FeatureCollection`, or `lines` of one feature each.
///
/// # Errors
/// When the format cannot hold the layer, or the system refuses.
pub fn create(sink: Sink, layer: &Layer, lines: bool) -> Result<Box<dyn Writer>, WriteError> {
    let id = check(layer)?;
    let code = layer
        .crs
        .as_ref()
        .map(|crs| system(crs, lines))
        .transpose()?;
    let mut head = Vec::new();
    if !lines {
        head.extend_from_slice(b"{\n\"type\":\"FeatureCollection\",\n\"name\":");
        json::string(&layer.name, &mut head);
        if let Some(text) = layer.schema.metadata().get("description") {
            head.extend_from_slice(b",\n\"description\":");
            json::string(text, &mut head);
        }
        if let Some(code) = code.flatten() {
            write!(
                head,
                ",\n\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\
                 \"urn:ogc:def:crs:EPSG::{code}\"}}}}"
            )?;
        }
        head.extend_from_slice(b",\n\"features\":[");
    }
    let key = |name: &String| {
        let mut key = Vec::new();
        json::string(name, &mut key);
        key.push(b':');
        key
    };
    let mut out = BufWriter::with_capacity(1 << 17, sink);
    out.write_all(&head)?;
    Ok(Box::new(Features {
        out,
        layer: layer.clone(),
        lines,
        id,
        keys: layer.columns().iter().map(key).collect(),
        rows: 0,
    }))
}

/// Refuses what `GeoJSON` cannot hold; gives the column of the features' `id`.
fn check(layer: &Layer) -> Result<Option<usize>, WriteError> {
    let mut id = None;
    let mut names = HashSet::new();
    for (column, field) in layer.schema.fields().iter().enumerate() {
        if layer.is_geometry(column) {
            continue;
        }
        if id.is_none() && field.metadata().contains_key(FEATURE_ID) {
            id = Some(column);
        } else if !names.insert(field.name()) {
            return Err(cannot(format!("two columns named {:?}", field.name())));
        }
        if !Values::can_tell(field.data_type()) {
            return Err(cannot(format!(
                "column {:?} of type {}",
                field.name(),
                field.data_type()
            )));
        }
    }
    Ok(id)
}

/// The code of a system that must be named: readers take WGS 84 where none is.
fn system(crs: &Crs, lines: bool) -> Result<Option<u32>, WriteError> {
    match crs.epsg() {
        Some(4326) => Ok(None),
        Some(code) if !lines => Ok(Some(code)),
        Some(code) => Err(WriteError::CannotHold {
            format: "newline-delimited GeoJSON",
            what: format!("coordinates of EPSG:{code}: it is always WGS 84"),
        }),
        None => Err(cannot(format!(
            "coordinates of {}: the system has no EPSG code",
            crs.name()
        ))),
    }
}

fn cannot(what: String) -> WriteError {
    WriteError::CannotHold {
        format: FORMAT,
        what,
    }
}

impl Features {
    fn geometry(&self, batch: &RecordBatch) -> Result<Option<BinaryArray>, WriteError> {
        let geometry = self.layer.geometry;
        geometry.map(|found| wkb(batch, found)).transpose()
    }
}

/// The geometries of a batch as WKB.
fn wkb(batch: &RecordBatch, geometry: crate::layer::Geometry) -> Result<BinaryArray, WriteError> {
    crate::geometry::wkb_column(batch.column(geometry.column), geometry.encoding)
        .map_err(|error| failed(&error))
}

fn failed(error: &ArrowError) -> WriteError {
    WriteError::Failed {
        format: FORMAT,
        problem: error.to_string(),
    }
}

impl Writer for Features {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let geometries = self.geometry(batch)?;
        let mut columns = Vec::new();
        let mut id = None;
        for (column, field) in batch.schema().fields().iter().enumerate() {
            if self.layer.is_geometry(column) {
                continue;
            }
            let values =
                Values::new(batch.column(column), field).map_err(|error| failed(&error))?;
            if self.id == Some(column) {
                id = Some(values);
            } else {
                columns.push((column, values));
            }
        }
        let mut text = Vec::new();
        let mut parts = Parts::default();
        let mut buffer = zmij::Buffer::new();
        for row in 0..batch.num_rows() {
            text.clear();
            if !self.lines {
                text.extend_from_slice(if self.rows == 0 { b"\n" } else { b",\n" });
            }
            text.extend_from_slice(b"{\"type\":\"Feature\"");
            if let Some(id) = &id {
                let before = text.len();
                text.extend_from_slice(b",\"id\":");
                id.write(row, &mut text, &mut buffer);
                // The standard has no null here.
                if text.ends_with(b":null") {
                    text.truncate(before);
                }
            }
            text.extend_from_slice(b",\"properties\":{");
            for (i, (column, values)) in columns.iter().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                text.extend_from_slice(&self.keys[*column]);
                values.write(row, &mut text, &mut buffer);
            }
            text.extend_from_slice(b"},\"geometry\":");
            match &geometries {
                Some(found) if found.is_valid(row) => {
                    let in_row =
                        |what| cannot(format!("the geometry of row {}: {what}", self.rows + 1));
                    parts
                        .read(found.value(row))
                        .map_err(|error| in_row(error.to_string()))?;
                    if !geometry::is_finite(&parts) {
                        return Err(in_row("a coordinate is not finite".to_owned()));
                    }
                    geometry::write(&parts, &mut text, &mut buffer);
                }
                _ => text.extend_from_slice(b"null"),
            }
            text.push(b'}');
            if self.lines {
                text.push(b'\n');
            }
            self.out.write_all(&text)?;
            self.rows += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Sink, WriteError> {
        if !self.lines {
            self.out.write_all(b"\n]\n}\n")?;
        }
        Ok(self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?)
    }
}

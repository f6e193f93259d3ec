//! What goes in comes out again.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};

use super::{create, open};
use crate::content::Content;
use crate::crs::Crs;
use crate::held;
use crate::layer::{self, Layer, Reader};
use crate::output::Sink;
use crate::{InputError, WriteError};

mod read;
mod refused;
mod write;

fn opened(text: &str) -> Result<super::GeoJson, InputError> {
    open(Content::Memory(text.as_bytes().into()), "in.geojson", "in")
}

fn all(reader: &dyn Reader) -> Result<Vec<RecordBatch>, InputError> {
    let columns: Vec<usize> = (0..reader.layer().schema.fields().len()).collect();
    reader.batches(&columns)?.collect()
}

fn problem(text: &str) -> String {
    match opened(text).and_then(|reader| all(&reader)) {
        Ok(_) => panic!("taken: {text}"),
        Err(error) => error.to_string(),
    }
}

fn written(layer: &Layer, batches: &[RecordBatch], lines: bool) -> Result<String, WriteError> {
    let writer = create(Sink::scratch().unwrap(), layer, lines)?;
    Ok(String::from_utf8(held::written(writer, batches)?).unwrap())
}

fn again(text: &str, lines: bool) -> String {
    let reader = opened(text).unwrap();
    written(reader.layer(), &all(&reader).unwrap(), lines).unwrap()
}

fn feature(properties: &str) -> String {
    format!("{{\"type\":\"Feature\",\"properties\":{properties},\"geometry\":null}}")
}

fn collection(features: &[String]) -> String {
    let features = features.join(",\n");
    format!(
        "{{\n\"type\":\"FeatureCollection\",\n\"name\":\"in\",\n\"features\":[\n{features}\n]\n}}\n"
    )
}

/// The type of the only property, from its values.
fn kind(values: &[&str]) -> Field {
    let features: Vec<_> = values
        .iter()
        .map(|value| feature(&format!("{{\"p\":{value}}}")))
        .collect();
    let reader = opened(&collection(&features)).unwrap();
    all(&reader).unwrap();
    reader.layer().schema.field(0).clone()
}

fn one(fields: Vec<(&str, ArrayRef)>) -> (Layer, RecordBatch) {
    let batch = RecordBatch::try_from_iter_with_nullable(
        fields.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let layer = Layer {
        name: "l".to_owned(),
        schema: batch.schema(),
        geometry: None,
        crs: None,
        rows: None,
    };
    (layer, batch)
}

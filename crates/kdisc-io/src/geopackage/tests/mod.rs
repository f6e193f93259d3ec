//! Files made here, read again, and spoiled.

mod kept;
mod refused;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, LargeStringArray,
    ListArray, RecordBatch, StringArray, StructArray, Time64MicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use kdisc::Point;
use rusqlite::Connection;
use tempfile::TempDir;

use super::{create, layers, open};
use crate::crs::Crs;
use crate::layer::{
    EXTENSION_NAME, Encoding, Geometry, JSON, Layer, PRIMARY_KEY, Reader, Shape, wkb_field,
};
use crate::output::Target;
use crate::{InputError, WriteError, geometry};

fn layer_of(name: &str, batch: &RecordBatch, geometry: Option<usize>) -> Layer {
    Layer {
        name: name.to_owned(),
        schema: batch.schema(),
        geometry: geometry.map(|column| Geometry {
            column,
            encoding: Encoding::Wkb,
            shape: Shape::Point,
        }),
        crs: Some(Crs::from_epsg(28992).unwrap()),
        rows: None,
    }
}

fn write(path: &Path, layer: &Layer, batches: &[RecordBatch]) -> Result<(), WriteError> {
    let sink = Target::check(path).unwrap().open().unwrap();
    let mut writer = create(sink, layer)?;
    for batch in batches {
        writer.write(batch)?;
    }
    writer.finish()?.commit().unwrap();
    Ok(())
}

fn read(reader: &dyn Reader) -> Result<RecordBatch, InputError> {
    let all: Vec<_> = (0..reader.layer().schema.fields().len()).collect();
    let batches: Result<Vec<_>, _> = reader.batches(&all)?.collect();
    let schema = &reader.layer().schema;
    Ok(arrow_select::concat::concat_batches(schema, &batches?).unwrap())
}

fn batch(columns: &[(&str, ArrayRef)]) -> RecordBatch {
    let fields = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Schema::new(fields.collect::<Vec<_>>());
    let arrays = columns.iter().map(|(_, array)| array.clone()).collect();
    RecordBatch::try_new(Arc::new(schema), arrays).unwrap()
}

/// Points at (i, -i), the second of which is null.
fn places(rows: usize) -> ArrayRef {
    let wkb = (0..rows).map(|i| {
        let at = geometry::point(Point::new(i as f64, -(i as f64)));
        (i != 1).then_some(at)
    });
    Arc::new(wkb.collect::<BinaryArray>())
}

fn with_geometry(batch: &RecordBatch, rows: usize) -> RecordBatch {
    let mut fields = batch.schema().fields().to_vec();
    fields.push(Arc::new(wkb_field("geom")));
    let mut arrays = batch.columns().to_vec();
    arrays.push(places(rows));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

fn all_types() -> RecordBatch {
    let time = TimestampMillisecondArray::from(vec![Some(1_704_164_645_678), None, Some(-1)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        (
            "truth",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
        (
            "i8",
            Arc::new(Int8Array::from(vec![Some(i8::MIN), None, Some(i8::MAX)])),
        ),
        (
            "i16",
            Arc::new(Int16Array::from(vec![Some(i16::MIN), None, Some(i16::MAX)])),
        ),
        (
            "i32",
            Arc::new(Int32Array::from(vec![Some(i32::MIN), None, Some(i32::MAX)])),
        ),
        (
            "i64",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)])),
        ),
        (
            "f32",
            Arc::new(Float32Array::from(vec![Some(0.1), None, Some(f32::MAX)])),
        ),
        (
            "f64",
            Arc::new(Float64Array::from(vec![
                Some(0.1),
                None,
                Some(f64::INFINITY),
            ])),
        ),
        (
            "text",
            Arc::new(StringArray::from(vec![Some("żółć 🐝"), None, Some("")])),
        ),
        (
            "bytes",
            Arc::new(BinaryArray::from(vec![
                Some(&b"\0\xff"[..]),
                None,
                Some(b""),
            ])),
        ),
        (
            "date",
            Arc::new(Date32Array::from(vec![Some(-1), None, Some(20_000)])),
        ),
        ("time", Arc::new(time.with_timezone("UTC"))),
    ];
    with_geometry(&batch(&columns), 3)
}

fn scratch() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("it's 100% #1?.gpkg");
    (directory, path)
}

fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn message(error: &InputError) -> String {
    error.to_string()
}

/// They need functions that only programs for maps have.
const WITHOUT_TRIGGERS: &str = "
    DROP TRIGGER rtree_places_geom_update1; DROP TRIGGER rtree_places_geom_update2;
    DROP TRIGGER rtree_places_geom_update3; DROP TRIGGER rtree_places_geom_update4;";

/// A `GeoPackage` of one point, changed by SQL.
fn changed(path: &Path, sql: &str) {
    let batch = all_types().slice(0, 1);
    write(path, &layer_of("places", &batch, Some(11)), &[batch]).unwrap();
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

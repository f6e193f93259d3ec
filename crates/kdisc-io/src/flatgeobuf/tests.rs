//! What goes in comes out again.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, LargeStringArray,
    RecordBatch, StringArray, TimestampMicrosecondArray, TimestampMillisecondArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};

use super::{create, open};
use crate::content::Content;
use crate::crs::Crs;
use crate::geometry::{Kind, Parts};
use crate::held;
use crate::layer::{self, Encoding, Geometry, Layer, Reader, Shape};
use crate::output::Sink;
use crate::{InputError, WriteError};

fn opened(bytes: &[u8]) -> Result<super::FlatGeobuf, InputError> {
    open(Content::Memory(bytes.into()), "in.fgb", "in")
}

fn all(reader: &dyn Reader) -> Result<Vec<RecordBatch>, InputError> {
    let columns: Vec<usize> = (0..reader.layer().schema.fields().len()).collect();
    reader.batches(&columns)?.collect()
}

fn written(layer: &Layer, batches: &[RecordBatch]) -> Result<Vec<u8>, WriteError> {
    held::written(create(Sink::scratch().unwrap(), layer)?, batches)
}

fn wkb(
    kind: Kind,
    z: bool,
    positions: &[[f64; 4]],
    lines: &[usize],
    polygons: &[usize],
) -> Vec<u8> {
    let mut out = Vec::new();
    let parts = Parts {
        kind,
        z,
        positions: positions.to_vec(),
        lines: lines.to_vec(),
        polygons: polygons.to_vec(),
        ..Parts::default()
    };
    parts.write(&mut out);
    out
}

/// A layer of these columns, the last of which is the geometry.
fn layer(fields: Vec<Field>, columns: Vec<ArrayRef>, shape: Shape) -> (Layer, RecordBatch) {
    let column = fields.len() - 1;
    let metadata = [("description".to_owned(), "confidential".to_owned())];
    let schema = Arc::new(Schema::new(fields).with_metadata(metadata.into()));
    let batch = RecordBatch::try_new(schema.clone(), columns).unwrap();
    let layer = Layer {
        name: "läyer".to_owned(),
        schema,
        geometry: Some(Geometry {
            column,
            encoding: Encoding::Wkb,
            shape,
        }),
        crs: Some(Crs::from_epsg(28992).unwrap()),
        rows: None,
    };
    (layer, batch)
}

fn points() -> (Layer, RecordBatch) {
    let at = wkb(Kind::Point, true, &[[1.0, 2.0, 3.0, 0.0]], &[], &[]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i8", Arc::new(Int8Array::from(vec![Some(-1), None]))),
        ("u8", Arc::new(UInt8Array::from(vec![Some(255), None]))),
        (
            "bool",
            Arc::new(BooleanArray::from(vec![Some(false), None])),
        ),
        ("i16", Arc::new(Int16Array::from(vec![Some(-300), None]))),
        ("u16", Arc::new(UInt16Array::from(vec![Some(65535), None]))),
        (
            "i32",
            Arc::new(Int32Array::from(vec![Some(i32::MIN), None])),
        ),
        (
            "u32",
            Arc::new(UInt32Array::from(vec![Some(u32::MAX), None])),
        ),
        (
            "i64",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None])),
        ),
        (
            "u64",
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), None])),
        ),
        ("f32", Arc::new(Float32Array::from(vec![Some(0.1), None]))),
        (
            "f64",
            Arc::new(Float64Array::from(vec![Some(f64::INFINITY), None])),
        ),
        (
            "select \"é\"",
            Arc::new(StringArray::from(vec![Some("ü\0\n"), None])),
        ),
        (
            "json",
            Arc::new(StringArray::from(vec![Some("{\"a\": [1.50]}"), None])),
        ),
        ("date", Arc::new(Date32Array::from(vec![Some(-1), None]))),
        (
            "local",
            Arc::new(TimestampMillisecondArray::from(vec![Some(-1), None])),
        ),
        (
            "east",
            Arc::new(TimestampMicrosecondArray::from(vec![Some(1), None]).with_timezone("+05:30")),
        ),
        (
            "bytes",
            Arc::new(BinaryArray::from(vec![Some(&b"\0\xff"[..]), None])),
        ),
        (
            "geometry",
            Arc::new(BinaryArray::from(vec![Some(&at[..]), None])),
        ),
    ];
    let fields = columns.iter().map(|(name, array)| match *name {
        "geometry" => layer::wkb_field(name),
        "json" => layer::with_extension(Field::new(*name, DataType::Utf8, true), layer::JSON),
        _ => Field::new(*name, array.data_type().clone(), true),
    });
    let fields = fields.collect();
    layer(
        fields,
        columns.into_iter().map(|(_, array)| array).collect(),
        Shape::Point,
    )
}

#[test]
fn all_types_and_nulls_come_back() {
    let (layer, batch) = points();
    let bytes = written(&layer, &[batch.clone(), batch.clone()]).unwrap();
    let reader = opened(&bytes).unwrap();
    let found = reader.layer();
    assert_eq!(found.name, layer.name);
    assert_eq!(found.schema, layer.schema);
    assert_eq!(found.geometry, layer.geometry);
    assert_eq!(found.crs.as_ref().and_then(Crs::epsg), Some(28992));
    assert_eq!(found.rows, Some(4));
    let rows = all(&reader).unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].slice(0, 2), batch);
    assert_eq!(rows[0].slice(2, 2), batch);
    assert_eq!(written(&layer, &[batch.clone(), batch]).unwrap(), bytes);
    assert_eq!(written(found, &rows).unwrap(), bytes);
}

#[test]
fn only_what_is_asked_for_in_that_order() {
    let (layer, batch) = points();
    let bytes = written(&layer, std::slice::from_ref(&batch)).unwrap();
    let reader = opened(&bytes).unwrap();
    let found = reader.batches(&[17, 5]).unwrap().next().unwrap().unwrap();
    assert_eq!(found, batch.project(&[17, 5]).unwrap());
    let none = reader.batches(&[]).unwrap().next().unwrap().unwrap();
    assert_eq!(none.num_rows(), 2);
}

fn geometries() -> Vec<Vec<u8>> {
    let at = |x: f64, y: f64| [x, y, 0.0, 0.0];
    let ring = |x: f64| [at(x, 0.0), at(x + 9.0, 0.0), at(x, 9.0), at(x, 0.0)];
    let rings = [ring(0.0), ring(1.0), ring(20.0)].concat();
    let mut collection = Vec::new();
    let member = Parts {
        positions: vec![at(5.0, 6.0)],
        ..Parts::default()
    };
    Parts {
        kind: Kind::Collection,
        members: vec![member],
        ..Parts::default()
    }
    .write(&mut collection);
    vec![
        wkb(Kind::Point, false, &[], &[], &[]),
        wkb(Kind::Line, false, &rings[..2], &[], &[]),
        wkb(Kind::Polygon, false, &rings[..4], &[4], &[]),
        wkb(Kind::Polygon, false, &rings[..8], &[4, 8], &[]),
        wkb(Kind::Polygon, false, &[], &[], &[]),
        wkb(Kind::MultiPoint, false, &rings[..3], &[], &[]),
        wkb(Kind::MultiLine, false, &rings[..8], &[4, 8], &[]),
        wkb(Kind::MultiLine, false, &rings[..4], &[4], &[]),
        wkb(Kind::MultiPolygon, false, &rings, &[4, 8, 12], &[2, 3]),
        collection,
    ]
}

#[test]
fn every_geometry_comes_back() {
    let all_of = geometries();
    let array = BinaryArray::from_iter_values(&all_of);
    let fields = vec![layer::wkb_field("geometry")];
    let (layer, batch) = layer(fields, vec![Arc::new(array)], Shape::Any);
    let bytes = written(&layer, std::slice::from_ref(&batch)).unwrap();
    let found = all(&opened(&bytes).unwrap()).unwrap();
    assert_eq!(found, [batch]);
}

#[test]
fn other_types_of_arrow() {
    let decimals = |digits| {
        let found = Decimal128Array::from(vec![-1250]);
        Arc::new(found.with_precision_and_scale(digits, 2).unwrap()) as ArrayRef
    };
    let mut list = ListBuilder::new(Int32Builder::new());
    list.append_value([Some(1), None]);
    let words: DictionaryArray<Int32Type> = vec!["a"].into_iter().collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("short", decimals(10)),
        ("long", decimals(30)),
        ("list", Arc::new(list.finish())),
        ("words", Arc::new(words)),
        ("large", Arc::new(LargeStringArray::from(vec!["l\"\n"]))),
        ("geometry", Arc::new(BinaryArray::from(vec![None::<&[u8]>]))),
    ];
    let fields = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let fields = fields.collect();
    let (layer, batch) = layer(
        fields,
        columns.into_iter().map(|(_, array)| array).collect(),
        Shape::Any,
    );
    let bytes = written(&layer, &[batch]).unwrap();
    let reader = opened(&bytes).unwrap();
    let found = &all(&reader).unwrap()[0];
    let expected: [(&str, ArrayRef); 5] = [
        ("short", Arc::new(Float64Array::from(vec![-12.5]))),
        ("long", Arc::new(StringArray::from(vec!["-12.50"]))),
        ("list", Arc::new(StringArray::from(vec!["[1,null]"]))),
        ("words", Arc::new(StringArray::from(vec!["a"]))),
        ("large", Arc::new(StringArray::from(vec!["l\"\n"]))),
    ];
    for (name, array) in expected {
        assert_eq!(found.column_by_name(name), Some(&array), "{name}");
    }
    assert_eq!(
        layer::extension(reader.layer().schema.field(2)),
        Some(layer::JSON)
    );
}

#[test]
fn no_rows_are_a_layer_too() {
    let (layer, _) = points();
    let bytes = written(&layer, &[]).unwrap();
    let reader = opened(&bytes).unwrap();
    // 0 means that the number is not known.
    assert_eq!(reader.layer().rows, None);
    assert_eq!(reader.layer().columns(), layer.columns());
    assert!(all(&reader).unwrap().is_empty());
}

#[test]
fn what_it_cannot_hold_is_refused() {
    let (layer, batch) = points();
    let line = geometries().swap_remove(1);
    let mut columns = batch.columns().to_vec();
    columns[17] = Arc::new(BinaryArray::from_iter_values([&line, &line]));
    let lines = RecordBatch::try_new(batch.schema(), columns.clone()).unwrap();
    let error = written(&layer, &[lines]).unwrap_err().to_string();
    assert!(error.contains("the geometry of row 1: a line"), "{error}");
    let flat = wkb(Kind::Point, false, &[[1.0; 4]], &[], &[]);
    columns[17] = Arc::new(BinaryArray::from_iter_values([&flat, &flat]));
    let flat = RecordBatch::try_new(batch.schema(), columns).unwrap();
    let error = written(&layer, &[flat, batch]).unwrap_err().to_string();
    assert!(
        error.contains("the geometry of row 3: it has a height"),
        "{error}"
    );
}

#[test]
fn errors_say_what() {
    let (layer, batch) = points();
    let bytes = written(&layer, &[batch]).unwrap();
    let problem = |bytes: &[u8]| {
        let found = opened(bytes).and_then(|reader| all(&reader));
        found.unwrap_err().to_string()
    };
    assert!(matches!(opened(b""), Err(InputError::Empty { .. })));
    assert!(problem(b"PK\x03\x04    ").contains("it does not begin with \"fgb\""));
    assert!(problem(b"fgb\x04fgb\0    ").contains("version 4"));
    assert!(problem(&bytes[..bytes.len() - 1]).contains("feature 2: it ends too early"));
    let mut hostile = bytes.clone();
    hostile[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(problem(&hostile).contains("longer than any can be"));
}

#[test]
fn no_prefix_and_no_changed_byte_panics() {
    let array = BinaryArray::from_iter_values(geometries());
    let texts = StringArray::from_iter_values((0..array.len()).map(|row| row.to_string()));
    let fields = vec![
        Field::new("t", DataType::Utf8, true),
        layer::wkb_field("geometry"),
    ];
    let (mut layer, batch) = layer(fields, vec![Arc::new(texts), Arc::new(array)], Shape::Any);
    layer.crs = None;
    for bytes in [written(&layer, &[batch]).unwrap(), {
        let (mut layer, batch) = points();
        layer.crs = None;
        written(&layer, &[batch]).unwrap()
    }] {
        for end in 0..bytes.len() {
            let found = opened(&bytes[..end]).and_then(|reader| all(&reader));
            assert!(found.is_err(), "{end} of {}", bytes.len());
            for byte in [0, 1, 4, 127, 128, 255] {
                let mut changed = bytes.clone();
                changed[end] = byte;
                let _ = opened(&changed).and_then(|reader| all(&reader));
            }
        }
    }
}

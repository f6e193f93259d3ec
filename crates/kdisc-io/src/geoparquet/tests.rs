//! Parquet files written here and read again, and metadata of every wrongness.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Date32Array, Date64Array, FixedSizeListArray, Float64Array, RecordBatch,
    Time32MillisecondArray, Time32SecondArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema};
use serde_json::{Value, json};

use super::samples::{layer, nested, refused};
use super::{create, open};
use crate::InputError;
use crate::content::Content;
use crate::crs::Crs;
use crate::geometry::wkb_column;
use crate::held::{self, Held, batches};
use crate::layer::{Encoding, Layer, Reader, Shape};
use crate::output::Sink;

fn written(layer: &Layer, rows: &[RecordBatch]) -> Vec<u8> {
    let writer = create(Sink::scratch().unwrap(), layer).unwrap();
    held::written(writer, rows).unwrap()
}

fn opened(bytes: &[u8]) -> Result<impl Reader + use<>, InputError> {
    open(Content::Memory(bytes.into()), "in.parquet", "in")
}

fn code(layer: &Layer) -> Option<u32> {
    layer.crs.as_ref().and_then(Crs::epsg)
}

#[test]
fn every_type_and_the_metadata_come_back() {
    let held = nested();
    let bytes = written(&held.layer, &nested().sliced(2).rows);
    let reader = opened(&bytes).unwrap();
    assert_eq!(reader.layer().schema, held.layer.schema);
    assert_eq!(reader.layer().rows, Some(3));
    assert!(reader.layer().geometry.is_none());
    let all: Vec<usize> = (0..held.layer.schema.fields().len()).collect();
    assert_eq!(batches(&reader, &all), held.rows);
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.parquet");
    std::fs::write(&path, &bytes).unwrap();
    let file = open(Content::File(path), "a", "a").unwrap();
    assert_eq!(batches(&file, &all), held.rows);
}

#[test]
fn types_that_parquet_lacks_become_the_nearest() {
    let coordinates = Arc::new(Float64Array::from(vec![1.0, 2.0, 0.0, 0.0, 3.0, 4.0]));
    let pair = Arc::new(Field::new("xy", DataType::Float64, false));
    let nulls = Some(NullBuffer::from(vec![true, false, true]));
    let points = FixedSizeListArray::new(pair, 2, coordinates, nulls);
    let times = Time32SecondArray::from(vec![Some(0), None, Some(86_399)]);
    let days = [Some(86_400_000), None, Some(-86_400_000)];
    let held = Held::new(vec![
        ("time", Arc::new(times) as ArrayRef),
        ("day", Arc::new(Date64Array::from(days.to_vec()))),
        ("geom", Arc::new(points)),
    ])
    .with_geometry(2, Encoding::Interleaved, Shape::Point);
    let reader = opened(&written(&held.layer, &held.rows)).unwrap();
    let geometry = reader.layer().geometry.unwrap();
    assert_eq!(
        (geometry.encoding, geometry.shape),
        (Encoding::Wkb, Shape::Point)
    );
    let found = &batches(&reader, &[0, 1, 2])[0];
    let times = Time32MillisecondArray::from(vec![Some(0), None, Some(86_399_000)]);
    let days = Date32Array::from(vec![Some(1), None, Some(-1)]);
    assert_eq!(found.column(0).as_ref(), &times as &dyn Array);
    assert_eq!(found.column(1).as_ref(), &days as &dyn Array);
    let wkb = wkb_column(&held.rows[0].columns()[2], Encoding::Interleaved).unwrap();
    assert_eq!(found.column(2).as_ref(), &wkb as &dyn Array);
}

#[test]
fn columns_come_in_the_order_asked_for() {
    let held = nested();
    let reader = opened(&written(&held.layer, &held.rows)).unwrap();
    for columns in [&[2, 0][..], &[0, 0], &[1, 2, 1], &[9, 3]] {
        let found = batches(&reader, columns);
        assert_eq!(found[0], held.rows[0].project(columns).unwrap());
    }
    assert_eq!(batches(&reader, &[])[0].num_rows(), 3);
    assert!(reader.batches(&[99]).is_err());
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let bytes = || {
        let held = nested();
        let mut place = layer();
        place.layer.crs = Some(Crs::from_epsg(28992).unwrap());
        [
            written(&held.layer, &held.rows),
            written(&place.layer, &place.rows),
        ]
    };
    let first = bytes();
    for _ in 0..8 {
        assert!(bytes() == first);
    }
}

#[test]
fn geometries_come_back_with_their_system() {
    let mut held = layer();
    for crs in [
        None,
        Some(Crs::wgs84()),
        Some(Crs::from_epsg(28992).unwrap()),
    ] {
        held.layer.crs.clone_from(&crs);
        let bytes = written(&held.layer, &held.rows);
        let reader = opened(&bytes).unwrap();
        assert_eq!(reader.layer().geometry, held.layer.geometry);
        assert_eq!(code(reader.layer()), code(&held.layer));
        let rows = batches(&reader, &[0, 1]);
        assert_eq!(rows[0].columns(), held.rows[0].columns());
        assert!(written(reader.layer(), &rows) == bytes);
    }
}

/// Rows whose metadata are these.
fn with_geo(geo: &str) -> Vec<u8> {
    let mut held = layer();
    let fields = held.layer.schema.fields().iter();
    // Without the marks of GeoArrow.
    let fields = fields.map(|field| field.as_ref().clone().with_metadata([].into()));
    let metadata = [("geo".to_owned(), geo.to_owned())];
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata.into());
    held.layer.schema = Arc::new(schema);
    held.layer.geometry = None;
    // Told to the writer as any other metadata would be.
    written_with(&held, geo)
}

fn written_with(held: &Held, geo: &str) -> Vec<u8> {
    use parquet::arrow::ArrowWriter;
    use parquet::file::metadata::KeyValue;
    let columns = held.rows[0].columns().to_vec();
    let schema = held.layer.schema.as_ref().clone().with_metadata([].into());
    let schema = Arc::new(schema);
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.append_key_value_metadata(KeyValue::new("geo".to_owned(), geo.to_owned()));
    writer.into_inner().unwrap()
}

fn geo(about: &Value) -> String {
    json!({ "version": "1.1.0", "primary_column": "geom", "columns": { "geom": about } })
        .to_string()
}

#[test]
fn a_missing_system_is_degrees_and_a_null_is_unknown() {
    let missing = opened(&with_geo(&geo(&json!({ "encoding": "WKB" })))).unwrap();
    assert_eq!(code(missing.layer()), Some(4326));
    let null = opened(&with_geo(&geo(&json!({ "encoding": "WKB", "crs": null })))).unwrap();
    assert!(null.layer().crs.is_none());
    let rd = Crs::from_epsg(28992).unwrap().projjson().unwrap();
    let rd = opened(&with_geo(&geo(&json!({ "encoding": "WKB", "crs": rd })))).unwrap();
    assert_eq!(code(rd.layer()), Some(28992));
}

#[test]
fn metadata_are_kept_but_for_a_system_that_was_given() {
    let about = json!({ "encoding": "WKB", "crs": null, "bbox": [1.0, 2.0, 3.0, 4.0], "own": "x" });
    let text = geo(&about);
    let reader = opened(&with_geo(&text)).unwrap();
    let rows = batches(&reader, &[0, 1]);
    let again = opened(&written(reader.layer(), &rows)).unwrap();
    assert_eq!(again.layer().schema.metadata()["geo"], text);
    let mut given = reader.layer().clone();
    given.crs = Some(Crs::from_epsg(28992).unwrap());
    let again = opened(&written(&given, &rows)).unwrap();
    assert_eq!(code(again.layer()), Some(28992));
    let kept: Value = serde_json::from_str(&again.layer().schema.metadata()["geo"]).unwrap();
    assert_eq!(kept["columns"]["geom"]["own"], "x");
    assert_eq!(kept["columns"]["geom"]["bbox"], about["bbox"]);
}

#[test]
fn shapes_are_what_the_metadata_promise() {
    let cases = [
        (json!(["Point"]), Shape::Point),
        (json!(["Point Z", "Point"]), Shape::Point),
        (json!(["Polygon"]), Shape::Polygon),
        (json!(["Point", "Polygon"]), Shape::Any),
        (json!(["MultiPoint"]), Shape::Any),
        (json!([]), Shape::Any),
        (json!("Point"), Shape::Any),
        (json!([1]), Shape::Any),
        (Value::Null, Shape::Any),
    ];
    for (types, shape) in cases {
        let about = json!({ "encoding": "WKB", "geometry_types": types });
        let reader = opened(&with_geo(&geo(&about))).unwrap();
        assert_eq!(reader.layer().geometry.unwrap().shape, shape, "{types}");
    }
}

#[test]
fn wrong_metadata_are_told() {
    let primary = |name: &str| {
        format!(r#"{{"primary_column":"{name}","columns":{{"{name}":{{"encoding":"WKB"}}}}}}"#)
    };
    let encoding = |name: Value| geo(&json!({ "encoding": name }));
    let cases = [
        (String::new(), "its metadata \"geo\" are not JSON: "),
        ("{".to_owned(), "its metadata \"geo\" are not JSON: "),
        (
            "[]".to_owned(),
            "its metadata \"geo\" name no primary column",
        ),
        (
            "7".to_owned(),
            "its metadata \"geo\" name no primary column",
        ),
        (
            "{}".to_owned(),
            "its metadata \"geo\" name no primary column",
        ),
        (
            r#"{"primary_column":3}"#.to_owned(),
            "its metadata \"geo\" name no primary column",
        ),
        (
            primary("other"),
            "its primary column \"other\" is not there",
        ),
        (primary("id"), "column \"id\" should hold WKB, but is Int64"),
        (
            r#"{"primary_column":"geom"}"#.to_owned(),
            "in the encoding (none)",
        ),
        (
            r#"{"primary_column":"geom","columns":[]}"#.to_owned(),
            "in the encoding (none)",
        ),
        (encoding(Value::Null), "in the encoding (none)"),
        (
            encoding(json!("polygon")),
            "in the encoding polygon, and kdisc reads WKB and point",
        ),
        (
            encoding(json!("point")),
            "column \"geom\" should hold points, but is Binary",
        ),
    ];
    for (text, why) in cases {
        let problem = refused(opened(&with_geo(&text)));
        assert!(problem.starts_with("in.parquet"), "{problem}");
        assert!(problem.contains(why), "{text}: {problem}");
    }
    for crs in [
        json!(7),
        json!("EPSG:4326"),
        json!({}),
        json!({ "type": "ProjectedCRS" }),
    ] {
        let text = geo(&json!({ "encoding": "WKB", "crs": crs }));
        let error = opened(&with_geo(&text)).err();
        assert!(matches!(error, Some(InputError::Crs { .. })), "{crs}");
    }
}

#[test]
fn native_points_come_back() {
    use arrow_array::{Float64Array, StructArray};
    use arrow_schema::{DataType, Field};
    let axis = |name| Arc::new(Field::new(name, DataType::Float64, true));
    let values = || -> ArrayRef { Arc::new(Float64Array::from(vec![1.0, 2.0])) };
    let fields = vec![axis("x"), axis("y")];
    let points = StructArray::new(fields.into(), vec![values(), values()], None);
    let held = Held::new(vec![("at", Arc::new(points))]);
    let held = held.with_geometry(0, Encoding::Separated, Shape::Point);
    let reader = opened(&written(&held.layer, &held.rows)).unwrap();
    assert_eq!(reader.layer().geometry, held.layer.geometry);
    assert_eq!(batches(&reader, &[0])[0].columns(), held.rows[0].columns());
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let held = layer();
    let bytes = written(&held.layer, &held.rows);
    for end in 0..bytes.len() {
        assert!(opened(&bytes[..end]).is_err(), "{end} of {}", bytes.len());
    }
    let problem = refused(opened(&bytes[..bytes.len() - 1]));
    assert_eq!(
        problem,
        "in.parquet is not a complete Parquet file: it does not end as one (PAR1)"
    );
}

#[test]
fn damage_within_never_panics() {
    let held = layer();
    let bytes = written(&held.layer, &held.rows);
    for at in 0..bytes.len() {
        for flip in [1, 0xff] {
            let mut broken = bytes.clone();
            broken[at] ^= flip;
            if let Ok(reader) = opened(&broken) {
                let columns: Vec<usize> = (0..reader.layer().schema.fields().len()).collect();
                if let Ok(batches) = reader.batches(&columns) {
                    assert!(batches.take(10).count() <= 10);
                }
            }
        }
    }
}

//! What goes in comes out again.

use std::io::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};

use super::{create, open};
use crate::content::Content;
use crate::crs::Crs;
use crate::layer::{self, Layer, Reader};
use crate::output::Target;
use crate::{InputError, WriteError};

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
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out");
    let sink = Target::check(&path).unwrap().open().unwrap();
    let mut writer = create(sink, layer, lines)?;
    for batch in batches {
        writer.write(batch)?;
    }
    let mut sink = writer.finish()?;
    sink.flush()?;
    sink.commit().unwrap();
    Ok(std::fs::read_to_string(path).unwrap())
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

#[test]
fn a_collection_comes_back_byte_for_byte() {
    let text = "{\n\"type\":\"FeatureCollection\",\n\"name\":\"a \\\"layer\\\"\",\n\
        \"description\":\"confidential\",\n\
        \"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::28992\"}},\n\
        \"features\":[\n\
        {\"type\":\"Feature\",\"id\":\"é1\",\"properties\":{\"whole\":-9007199254740993,\
        \"large\":18446744073709551615,\"float\":0.1,\"even\":1.0,\"yes\":true,\"text\":\"a\\n\\u0001ü\",\
        \"date\":\"2020-02-29\",\"local\":\"2020-01-02T03:04:05\",\"utc\":\"2020-01-02T03:04:05.678Z\",\
        \"east\":\"2020-01-02T03:04:05.000001+05:30\",\"nested\":{\"a\":[1,2.50,null]},\"mixed\":\"x\",\
        \"select\":null},\"geometry\":{\"type\":\"Point\",\"coordinates\":[155000.0,463000.5,-1.25]}},\n\
        {\"type\":\"Feature\",\"properties\":{\"whole\":null,\"large\":1,\"float\":-1e-300,\
        \"even\":null,\"yes\":null,\"text\":null,\"date\":null,\"local\":null,\"utc\":null,\
        \"east\":null,\"nested\":[],\"mixed\":12345678901234567890123,\"select\":null},\
        \"geometry\":null}\n]\n}\n";
    let reader = opened(text).unwrap();
    assert_eq!(reader.layer().name, "a \"layer\"");
    assert_eq!(reader.layer().rows, Some(2));
    assert_eq!(reader.layer().crs.as_ref().and_then(Crs::epsg), Some(28992));
    assert_eq!(again(text, false), text);
}

#[test]
fn every_geometry_comes_back() {
    let geometries = [
        r#"{"type":"Point","coordinates":[1.5,-2.0]}"#,
        r#"{"type":"Point","coordinates":[]}"#,
        r#"{"type":"LineString","coordinates":[[0.0,0.0],[1.0,1.0]]}"#,
        r#"{"type":"LineString","coordinates":[]}"#,
        r#"{"type":"Polygon","coordinates":[[[0.0,0.0],[9.0,0.0],[9.0,9.0],[0.0,0.0]],[[1.0,1.0],[2.0,1.0],[2.0,2.0],[1.0,1.0]]]}"#,
        r#"{"type":"Polygon","coordinates":[]}"#,
        r#"{"type":"MultiPoint","coordinates":[[1.0,2.0,3.0],[4.0,5.0,6.0]]}"#,
        r#"{"type":"MultiLineString","coordinates":[[[0.0,0.0],[1.0,1.0]],[[2.0,2.0],[3.0,3.0]]]}"#,
        r#"{"type":"MultiPolygon","coordinates":[[[[0.0,0.0],[9.0,0.0],[9.0,9.0],[0.0,0.0]]],[[[20.0,0.0],[29.0,0.0],[29.0,9.0],[20.0,0.0]],[[21.0,1.0],[22.0,1.0],[22.0,2.0],[21.0,1.0]]]]}"#,
        r#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1.0,2.0]},{"type":"GeometryCollection","geometries":[]}]}"#,
    ];
    let features: Vec<_> = geometries
        .iter()
        .map(|geometry| feature("{}").replace("null", geometry))
        .collect();
    let text = collection(&features);
    assert_eq!(again(&text, false), text);
    let lines = features.join("\n") + "\n";
    assert_eq!(again(&lines, true), lines);
    // A geometry by itself is a row.
    for geometry in geometries {
        let found = again(geometry, true);
        assert_eq!(found, feature("{}").replace("null", geometry) + "\n");
    }
}

#[test]
fn types_are_those_of_all_values() {
    let moments = |unit, zone: Option<&str>| DataType::Timestamp(unit, zone.map(Arc::from));
    let (milli, micro) = (TimeUnit::Millisecond, TimeUnit::Microsecond);
    for (values, expected) in [
        (&["true", "null"][..], DataType::Boolean),
        (&["1", "-9223372036854775808"], DataType::Int64),
        (&["1", "18446744073709551615"], DataType::UInt64),
        (&["1", "2.5"], DataType::Float64),
        (&["-0", "1"], DataType::Float64),
        (&["null", "null"], DataType::Utf8),
        (&["\"2020-01-02\"", "null"], DataType::Date32),
        (&["\"2020-01-02\"", "\"02-01-2020\""], DataType::Utf8),
        (
            &["\"2020-01-02\"", "\"2020-01-02T03:04:05\""],
            DataType::Utf8,
        ),
        (&["\"2020-01-02T03:04:05\""], moments(milli, None)),
        (
            &[
                "\"2020-01-02T03:04:05Z\"",
                "\"2020-01-02T03:04:05.0001+00:00\"",
            ],
            moments(micro, Some("UTC")),
        ),
        (
            &["\"2020-01-02T03:04:05-01:00\""],
            moments(milli, Some("-01:00")),
        ),
        (
            &["\"2020-01-02T03:04:05-01:00\"", "\"2020-01-02T03:04:05Z\""],
            moments(milli, Some("UTC")),
        ),
        (
            &["\"2020-01-02T03:04:05\"", "\"2020-01-02T03:04:05Z\""],
            DataType::Utf8,
        ),
    ] {
        let field = kind(values);
        assert_eq!(field.data_type(), &expected, "{values:?}");
        assert_eq!(layer::extension(&field), None, "{values:?}");
    }
    for values in [
        &["1", "\"1\""][..],
        &["true", "1"],
        &["{}"],
        &["[1]", "null"],
        &["-1", "18446744073709551615"],
        &["18446744073709551616"],
        &["9007199254740993", "0.5"],
        &["1e999"],
    ] {
        let field = kind(values);
        assert_eq!(field.data_type(), &DataType::Utf8, "{values:?}");
        assert_eq!(layer::extension(&field), Some(layer::JSON), "{values:?}");
        let features: Vec<_> = values
            .iter()
            .map(|value| feature(&format!("{{\"p\":{value}}}")))
            .collect();
        let text = collection(&features);
        assert_eq!(again(&text, false), text);
    }
}

#[test]
fn members_come_in_any_order() {
    let text = "\u{feff}{\"features\": [ {\"geometry\":{\"coordinates\":[1,2],\"type\":\"Point\"},\
        \"type\":\"Feature\",\"properties\":null,\"other\":[{}]} ] , \"crs\":\
        {\"type\":\"name\",\"properties\":{\"name\":\"EPSG:3035\"}}, \"bbox\":[1,2,1,2],\
        \"name\":\"late\", \"type\":\"FeatureCollection\"}\n";
    let reader = opened(text).unwrap();
    assert_eq!(reader.layer().name, "late");
    assert_eq!(reader.layer().crs.as_ref().and_then(Crs::epsg), Some(3035));
    assert_eq!(reader.layer().columns(), ["geometry"]);
    assert_eq!(all(&reader).unwrap()[0].num_rows(), 1);
}

#[test]
fn systems_are_told_in_several_ways() {
    for (crs, code) in [
        (
            "{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:OGC:1.3:CRS84\"}}",
            Some(4326),
        ),
        (
            "{\"type\":\"EPSG\",\"properties\":{\"code\":28992}}",
            Some(28992),
        ),
        ("null", None),
    ] {
        let text = format!("{{\"type\":\"FeatureCollection\",\"crs\":{crs},\"features\":[]}}");
        let reader = opened(&text).unwrap();
        assert_eq!(reader.layer().crs.as_ref().and_then(Crs::epsg), code);
    }
    let linked = "{\"type\":\"FeatureCollection\",\"crs\":{\"type\":\"link\",\
        \"properties\":{\"href\":\"x\"}},\"features\":[]}";
    assert!(matches!(
        opened(linked),
        Err(InputError::Unsupported { .. })
    ));
}

#[test]
fn lines_and_record_separators() {
    for text in [
        format!("{}\n{}\n", feature("{\"a\":1}"), feature("{\"b\":\"x\"}")),
        format!(
            "\x1e{}\n\x1e{}\n",
            feature("{\"a\":1}"),
            feature("{\"b\":\"x\"}")
        ),
        format!(
            "{}\r\n\r\n{}",
            feature("{\"a\":1}"),
            feature("{\"b\":\"x\"}")
        ),
    ] {
        let reader = opened(&text).unwrap();
        assert_eq!(reader.layer().columns(), ["a", "b", "geometry"]);
        let batch = &all(&reader).unwrap()[0];
        assert_eq!(batch.column(0).null_count(), 1);
        assert_eq!(batch.column(1).as_string::<i32>().value(1), "x");
    }
}

#[test]
fn an_id_and_names_that_are_taken() {
    let text = "{\"type\":\"Feature\",\"id\":7,\"properties\":{\"id\":\"a\",\"geometry\":1,\"geom\":2},\
        \"geometry\":null}\n";
    let reader = opened(text).unwrap();
    let columns = ["feature_id", "id", "geometry", "geom", "geom_"];
    assert_eq!(reader.layer().columns(), columns);
    assert_eq!(again(text, true), text);
}

/// A find of the fuzzer: the type was that of all, the value that of the last.
#[test]
fn of_members_with_the_same_name_the_last_one_counts() {
    let text = feature("{\"p\":\"x\",\"q\":1,\"p\":2}") + "\n";
    let reader = opened(&text).unwrap();
    assert_eq!(reader.layer().schema.field(0).data_type(), &DataType::Int64);
    assert_eq!(again(&text, true), feature("{\"p\":2,\"q\":1}") + "\n");
}

#[test]
fn only_what_is_asked_for_in_that_order() {
    let text = collection(&[feature("{\"a\":1,\"b\":\"x\",\"c\":true}")]);
    let reader = opened(&text).unwrap();
    let batch = reader.batches(&[2, 0]).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.schema().fields().len(), 2);
    assert!(batch.column(0).as_boolean().value(0));
    let none = reader.batches(&[]).unwrap().next().unwrap().unwrap();
    assert_eq!(none.num_rows(), 1);
}

#[test]
fn no_features_are_a_layer_without_rows() {
    let text = "{\"type\":\"FeatureCollection\",\"features\":[]}";
    let reader = opened(text).unwrap();
    assert_eq!(reader.layer().rows, Some(0));
    assert!(all(&reader).unwrap().is_empty());
    assert_eq!(again(text, false), collection(&[]).replace("[\n\n", "[\n"));
    assert!(matches!(opened(" \n"), Err(InputError::Empty { .. })));
}

#[test]
fn errors_say_where_and_what() {
    let good = feature("{\"a\":1}");
    let point = |coordinates: &str| {
        let geometry = format!("{{\"type\":\"Point\",\"coordinates\":{coordinates}}}");
        collection(&[good.clone(), feature("{}").replace("null", &geometry)])
    };
    for (text, expected) in [
        (
            "x,y\n1,2\n".to_owned(),
            "in.geojson is not GeoJSON: expected `{`, found `x`",
        ),
        (
            "[1]".to_owned(),
            "in.geojson is not GeoJSON: expected `{`, found `[`",
        ),
        (
            "{\"a\":1}".to_owned(),
            "expected the type \"Feature\" or that of a geometry, found none",
        ),
        (
            point("[1,\"2\"]"),
            "feature 2, line 6, column 1: expected a number as coordinate, found \"2\"",
        ),
        (
            point("[1]"),
            "expected a position of at least two numbers, found [1]",
        ),
        (
            point("[1,1e999]"),
            "expected a number as coordinate, found 1e999",
        ),
        (
            point("[1,NaN]"),
            "feature 2, line 6, column 79: expected value",
        ),
        (
            collection(&[good.clone(), "7".to_owned()]),
            "feature 2, line 6, column 1: invalid type: integer `7`, expected an object",
        ),
        (
            format!("{good}\n{good},\n"),
            "feature 3, line 2, column 56: expected `{`, found `,`",
        ),
        (
            collection(std::slice::from_ref(&good))[..90].to_owned(),
            "feature 1, line 5, column 35: a text that never ends",
        ),
        (
            collection(std::slice::from_ref(&good)).replace("]\n}", "]"),
            "expected `,` or `}` after the features, found the end",
        ),
        (
            collection(std::slice::from_ref(&good)).replace("FeatureC", "C"),
            "expected the type \"Feature\" or that of a geometry",
        ),
        (feature(&"[".repeat(100_000)), "nested more than 128 deep"),
        (feature("{\"a\":\"\\ud800\"}"), "is no text"),
    ] {
        let found = problem(&text);
        assert!(found.contains(expected), "{found}\nfor {text:.200}");
    }
}

#[test]
fn short_rings_and_lines_are_refused() {
    for geometry in [
        r#"{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}"#,
        r#"{"type":"Polygon","coordinates":[[]]}"#,
        r#"{"type":"LineString","coordinates":[[0,0]]}"#,
        r#"{"type":"Polygon","coordinates":[[0,0],[1,1]]}"#,
        r#"{"type":"Point","coordinates":{"x":1}}"#,
        r#"{"type":"Point"}"#,
        r#"{"type":"Circle","coordinates":[0,0]}"#,
        r#"{"type":"GeometryCollection","geometries":[1]}"#,
        "5",
    ] {
        problem(&feature("{}").replace("null", geometry));
    }
}

#[test]
fn no_prefix_and_no_changed_byte_panics() {
    let text = "{\"type\":\"FeatureCollection\",\"name\":\"n\",\"features\":[{\"type\":\"Feature\",\
        \"id\":1,\"properties\":{\"a\":\"2020-01-02\",\"b\":[1.5],\"c\":-1e5},\"geometry\":\
        {\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,0]]]}}]}";
    let read = |bytes: &[u8]| {
        let content = Content::Memory(bytes.into());
        if let Ok(reader) = open(content, "in", "in") {
            let _ = all(&reader);
        }
    };
    for end in 0..text.len() {
        assert!(opened(&text[..end]).is_err());
        for byte in [
            b'"', b'{', b'[', b']', b'}', b',', b'9', b'-', b'\\', b'e', 0, 0xff,
        ] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[end] = byte;
            read(&bytes);
        }
    }
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

#[test]
fn other_types_of_arrow() {
    use arrow_array::builder::{Int32Builder, ListBuilder};
    use arrow_array::{
        BinaryArray, Date64Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
        LargeStringArray, StringViewArray, StructArray, Time32SecondArray, TimestampSecondArray,
    };
    let decimals: Decimal128Array = vec![Some(-1250), None].into();
    let decimals = decimals.with_precision_and_scale(10, 2).unwrap();
    let mut list = ListBuilder::new(Int32Builder::new());
    list.append_value([Some(1), None]);
    list.append_null();
    let words: DictionaryArray<Int32Type> = vec![Some("a"), None].into_iter().collect();
    let inner: ArrayRef = Arc::new(Float64Array::from(vec![f64::NAN, 1.0]));
    let inner = StructArray::from(vec![(
        Arc::new(Field::new("f", DataType::Float64, true)),
        inner,
    )]);
    let (layer, batch) = one(vec![
        ("decimal", Arc::new(decimals)),
        ("list", Arc::new(list.finish())),
        ("words", Arc::new(words)),
        ("large", Arc::new(LargeStringArray::from(vec!["l", "m"]))),
        ("view", Arc::new(StringViewArray::from(vec!["v", "w"]))),
        (
            "single",
            Arc::new(Float32Array::from(vec![0.1, f32::INFINITY])),
        ),
        ("struct", Arc::new(inner)),
        (
            "bytes",
            Arc::new(BinaryArray::from(vec![&[0_u8, 255][..], &[]])),
        ),
        ("time", Arc::new(Time32SecondArray::from(vec![3661, 0]))),
        ("day", Arc::new(Date64Array::from(vec![0, 86_400_000]))),
        (
            "ams",
            Arc::new(TimestampSecondArray::from(vec![0, 1]).with_timezone("Europe/Amsterdam")),
        ),
    ]);
    let text = written(&layer, std::slice::from_ref(&batch), true).unwrap();
    assert_eq!(
        text,
        "{\"type\":\"Feature\",\"properties\":{\"decimal\":-12.50,\"list\":[1,null],\"words\":\"a\",\
         \"large\":\"l\",\"view\":\"v\",\"single\":0.1,\"struct\":{\"f\":null},\"bytes\":\"00FF\",\
         \"time\":\"01:01:01\",\"day\":\"1970-01-01T00:00:00\",\"ams\":\"1970-01-01T00:00:00Z\"},\"geometry\":null}\n\
         {\"type\":\"Feature\",\"properties\":{\"decimal\":null,\"list\":null,\"words\":null,\
         \"large\":\"m\",\"view\":\"w\",\"single\":null,\"struct\":{\"f\":1.0},\"bytes\":\"\",\
         \"time\":\"00:00:00\",\"day\":\"1970-01-02T00:00:00\",\"ams\":\"1970-01-01T00:00:01Z\"},\"geometry\":null}\n"
    );
    assert_eq!(written(&layer, &[batch], true).unwrap(), text);
}

#[test]
fn what_it_cannot_hold_is_refused() {
    let (mut layer, batch) = one(vec![(
        "a",
        Arc::new(arrow_array::Int32Array::from(vec![1])),
    )]);
    layer.crs = Some(Crs::from_epsg(28992).unwrap());
    assert!(matches!(
        written(&layer, &[], true),
        Err(WriteError::CannotHold { .. })
    ));
    let field = batch.schema().field(0).clone();
    layer.schema = Arc::new(Schema::new(vec![field.clone(), field]));
    assert!(matches!(
        written(&layer, &[], false),
        Err(WriteError::CannotHold { .. })
    ));
    let geometry: ArrayRef = Arc::new(arrow_array::BinaryArray::from(vec![&b"\x01\x01\0\0\0"[..]]));
    let (mut layer, batch) = one(vec![("geometry", geometry)]);
    layer.geometry = Some(layer::Geometry {
        column: 0,
        encoding: layer::Encoding::Wkb,
        shape: layer::Shape::Any,
    });
    let error = written(&layer, &[batch], false).unwrap_err().to_string();
    assert!(
        error.contains("the geometry of row 1: the geometry ends too early"),
        "{error}"
    );
}

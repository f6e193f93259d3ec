//! What is in a file is found.

use super::*;

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
    let columns = ["feature_id", "id", "geometry", "geom", "geometry_2"];
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

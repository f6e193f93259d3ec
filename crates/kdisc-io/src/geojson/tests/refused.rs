//! What is no `GeoJSON` is refused, with the place.

use super::*;

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

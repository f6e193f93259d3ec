//! Rows as text, of every type.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array,
    Float64Array, Int32Array, Int64Array, LargeStringArray, NullArray, StringArray,
    StringViewArray, TimestampMicrosecondArray,
};
use kdisc::Point;

use super::*;
use crate::csv::{Table, Typed};
use crate::held::Held;
use crate::layer::{Encoding, Reader};

fn written(held: &Held, heights: bool) -> String {
    let mut writer = CsvWriter::new(Vec::new(), &held.layer, heights, b',').unwrap();
    for batch in &held.rows {
        writer.put(batch).unwrap();
    }
    String::from_utf8(writer.end().unwrap()).unwrap()
}

/// One column, each value beside a `-`.
fn column(array: impl Array + 'static) -> Vec<String> {
    let rows = array.len();
    let mark: ArrayRef = Arc::new(StringArray::from(vec!["-"; rows]));
    let text = written(
        &Held::new(vec![("v", Arc::new(array)), ("mark", mark)]),
        false,
    );
    let rows = text
        .strip_prefix("v,mark\n")
        .unwrap()
        .split_terminator(",-\n");
    rows.map(ToOwned::to_owned).collect()
}

#[test]
fn text_is_quoted_where_it_must_be() {
    let values = vec![
        Some("plain"),
        Some("a,b"),
        Some("say \"no\""),
        Some("two\nlines"),
        Some(" spaces; "),
        Some(""),
        None,
    ];
    let expected = [
        "plain",
        "\"a,b\"",
        "\"say \"\"no\"\"\"",
        "\"two\nlines\"",
        " spaces; ",
        "\"\"",
        "",
    ];
    assert_eq!(column(StringArray::from(values.clone())), expected);
    assert_eq!(column(LargeStringArray::from(values.clone())), expected);
    assert_eq!(column(StringViewArray::from(values.clone())), expected);
    let dictionary: DictionaryArray<Int32Type> = values.into_iter().collect();
    assert_eq!(column(dictionary), expected);
}

#[test]
fn nothing_is_an_empty_field_wherever_it_is_said() {
    assert_eq!(column(NullArray::new(2)), ["", ""]);
    assert_eq!(column(Int64Array::from(vec![None, Some(-1)])), ["", "-1"]);
    assert_eq!(
        column(BooleanArray::from(vec![None, Some(true)])),
        ["", "TRUE"]
    );
    assert_eq!(
        column(Float64Array::from(vec![None, Some(0.5)])),
        ["", "0.5"]
    );
    let values: ArrayRef = Arc::new(StringArray::from(vec![None, Some("b")]));
    let keys = Int32Array::from(vec![0, 1]);
    assert_eq!(column(DictionaryArray::new(keys, values)), ["", "b"]);
}

#[test]
fn a_row_of_nothing_is_still_a_row() {
    let one = Held::new(vec![("v", Arc::new(Int64Array::from(vec![None, Some(1)])))]);
    let text = written(&one, false);
    assert_eq!(text, "v\n\"\"\n1\n");
    let table = Table::from_bytes("t", text.into_bytes()).unwrap();
    let typed = Typed::new(&table, "t").unwrap();
    let rows: Vec<_> = typed.batches(&[0]).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows[0].column(0), one.rows[0].column(0));
}

#[test]
fn other_types_have_one_spelling() {
    assert_eq!(column(Date32Array::from(vec![18_321])), ["2020-02-29"]);
    let times = TimestampMicrosecondArray::from(vec![0, 1_500_000]);
    let local = ["1970-01-01T00:00:00", "1970-01-01T00:00:01.500"];
    assert_eq!(column(times.clone()), local);
    let zoned = ["1970-01-01T00:00:00Z", "1970-01-01T00:00:01.500Z"];
    for zone in ["UTC", "Europe/Amsterdam", "+00:00"] {
        assert_eq!(column(times.clone().with_timezone(zone)), zoned, "{zone}");
    }
    let east = ["1970-01-01T02:00:00+02:00", "1970-01-01T02:00:01.500+02:00"];
    assert_eq!(column(times.with_timezone("+02:00")), east);
    let decimals = Decimal128Array::from(vec![150, -5]);
    let decimals = decimals.with_precision_and_scale(9, 2).unwrap();
    assert_eq!(column(decimals), ["1.50", "-0.05"]);
    assert_eq!(column(BinaryArray::from(vec![&b"\x00\xff"[..]])), ["00ff"]);
}

#[test]
fn numbers_read_back_as_they_were() {
    let values = [0.1, 1e300, 5e-324, f64::MAX, 1.0 / 3.0, 123_456_789.0];
    let text = column(Float64Array::from(values.to_vec()));
    for (text, value) in text.iter().zip(values) {
        let read: f64 = text.parse().unwrap();
        assert_eq!(read.to_bits(), value.to_bits(), "{text}");
    }
    let singles = [0.1, f32::MAX, f32::MIN_POSITIVE];
    let text = column(Float32Array::from(singles.to_vec()));
    assert_eq!(text[0], "0.1");
    for (text, value) in text.iter().zip(singles) {
        assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
    }
    let odd = Float64Array::from(vec![f64::NAN, f64::NEG_INFINITY]);
    assert_eq!(column(odd), ["NaN", "-inf"]);
}

fn points(names: &[&str], shape: Shape, wkb: BinaryArray) -> Held {
    let rows = wkb.len();
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    for name in names {
        columns.push((
            name,
            Arc::new(Int64Array::from_iter_values((0_i64..).take(rows))),
        ));
    }
    columns.push(("geom", Arc::new(wkb)));
    let at = columns.len() - 1;
    Held::new(columns).with_geometry(at, Encoding::Wkb, shape)
}

fn heights(z: f64) -> Vec<u8> {
    let mut wkb = vec![1, 0xe9, 3, 0, 0];
    for number in [1.0, 2.0, z] {
        wkb.extend_from_slice(&f64::to_le_bytes(number));
    }
    wkb
}

#[test]
fn points_are_columns() {
    let flat = geometry::point(Point::new(1.5, -2.0));
    let nowhere = geometry::point(Point::new(f64::NAN, f64::NAN));
    let wkb = || BinaryArray::from(vec![Some(&flat[..]), None, Some(&nowhere)]);
    let plain = points(&["id"], Shape::Point, wkb());
    assert_eq!(written(&plain, false), "id,x,y\n0,1.5,-2\n1,,\n2,,\n");
    let high = heights(3.5);
    let wkb = BinaryArray::from(vec![&high[..], &flat]);
    let high = points(&["id"], Shape::Point, wkb);
    assert_eq!(written(&high, true), "id,x,y,z\n0,1,2,3.5\n1,1.5,-2,\n");
}

#[test]
fn no_two_columns_get_the_same_name() {
    let flat = geometry::point(Point::new(1.0, 2.0));
    let header = |names: &[&str], heights| {
        let wkb = BinaryArray::from(vec![&flat[..]]);
        let text = written(&points(names, Shape::Point, wkb), heights);
        text.lines().next().unwrap().to_owned()
    };
    assert_eq!(header(&["X", "a"], false), "X,a,geom_x,y");
    assert_eq!(header(&["z"], false), "z,x,y");
    assert_eq!(header(&["z"], true), "z,x,y,geom_z");
    assert_eq!(header(&["x", "geom_x"], false), "x,geom_x,geom__x,y");
    let text = header(&["a,b", "y"], false);
    assert_eq!(text, "\"a,b\",y,x,geom_y");
}

#[test]
fn other_geometries_are_text() {
    let corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)].map(|(x, y)| Point::new(x, y));
    let polygon = geometry::polygons(&[corners.to_vec()]);
    let wkb = BinaryArray::from(vec![Some(&polygon[..]), None]);
    let text = written(&points(&["id"], Shape::Any, wkb), false);
    assert_eq!(text, "id,geom\n0,\"POLYGON((0 0,3 0,0 3,0 0))\"\n1,\n");
    let broken = points(&[], Shape::Any, BinaryArray::from(vec![&b"x"[..]]));
    let mut writer = CsvWriter::new(Vec::new(), &broken.layer, false, b',').unwrap();
    let error = writer.put(&broken.rows[0]).unwrap_err().to_string();
    assert!(
        error.starts_with("writing CSV failed: the geometry "),
        "{error}"
    );
}

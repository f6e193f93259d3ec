//! Rows for the tests of Parquet and of Arrow files.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray,
    FixedSizeListArray, Float32Array, Int64Array, LargeStringArray, ListArray, RecordBatch,
    StringArray, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema};
use kdisc::Point;

use crate::InputError;
use crate::geometry;
use crate::held::Held;
use crate::layer::{Encoding, Shape, wkb_field};

/// Numbers and points.
pub(crate) fn layer() -> Held {
    let points = [(1.0, 2.0), (3.0, 4.0)].map(|(x, y)| geometry::point(Point::new(x, y)));
    let wkb = BinaryArray::from(vec![Some(&points[0][..]), None, Some(&points[1])]);
    let mut held = Held::new(vec![
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3])) as ArrayRef),
        ("geom", Arc::new(wkb)),
    ])
    .with_geometry(1, Encoding::Wkb, Shape::Any);
    let id = held.layer.schema.field(0).clone();
    renew(&mut held, Schema::new(vec![id, wkb_field("geom")]));
    held
}

/// Columns of many types, with metadata.
pub(crate) fn nested() -> Held {
    let item = |kind| Arc::new(Field::new("item", kind, true));
    let list: ListArray = ListArray::from_iter_primitive::<Int32Type, _, _>([
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
    ]);
    let pairs = Arc::new(Float32Array::from(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let nulls = || Some(NullBuffer::from(vec![true, false, true]));
    let fixed = FixedSizeListArray::new(item(DataType::Float32), 2, pairs, nulls());
    let inner: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None, Some("ü")]));
    let structure = StructArray::new(vec![item(DataType::Utf8)].into(), vec![inner], nulls());
    let dictionary: DictionaryArray<Int32Type> =
        [Some("red"), None, Some("red")].into_iter().collect();
    let decimal = Decimal128Array::from(vec![Some(12_345), None, Some(-1)]);
    let times = TimestampMicrosecondArray::from(vec![Some(1), None, Some(-1)]);
    let mut held = Held::new(vec![
        ("list", Arc::new(list) as ArrayRef),
        ("dictionary", Arc::new(dictionary)),
        ("structure", Arc::new(structure)),
        ("large", Arc::new(UInt64Array::from(vec![0, u64::MAX, 1]))),
        ("fixed", Arc::new(fixed)),
        (
            "text",
            Arc::new(LargeStringArray::from(vec![Some(""), None, Some("x")])),
        ),
        (
            "decimal",
            Arc::new(decimal.with_precision_and_scale(20, 3).unwrap()),
        ),
        ("time", Arc::new(times.with_timezone("Europe/Amsterdam"))),
        (
            "date",
            Arc::new(Date32Array::from(vec![Some(1), None, Some(-1)])),
        ),
        (
            "truth",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
    ]);
    let about = |i: usize| {
        let pairs = (0..4 * i).map(|key| (format!("key {key}"), format!("value {i}")));
        pairs.collect()
    };
    let fields = held.layer.schema.fields().iter().enumerate();
    let fields = fields.map(|(i, field)| field.as_ref().clone().with_metadata(about(i)));
    let schema = Schema::new_with_metadata(fields.collect::<Vec<_>>(), about(5));
    renew(&mut held, schema);
    held
}

fn renew(held: &mut Held, schema: Schema) {
    held.layer.schema = Arc::new(schema);
    for batch in &mut held.rows {
        let columns = batch.columns().to_vec();
        *batch = RecordBatch::try_new(Arc::clone(&held.layer.schema), columns).unwrap();
    }
}

/// What is wrong with it.
pub(crate) fn refused<T>(found: Result<T, InputError>) -> String {
    match found {
        Ok(_) => panic!("it was taken"),
        Err(error) => error.to_string(),
    }
}

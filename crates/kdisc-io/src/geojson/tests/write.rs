//! What comes from elsewhere is told, or refused.

use super::*;

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

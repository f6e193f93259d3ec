//! What is written is read again as it was.

use super::*;

/// Writes a layer `places` with all types.
fn write_all_types(path: &Path) -> RecordBatch {
    let batch = all_types();
    let layer = layer_of("places", &batch, Some(11));
    write(path, &layer, std::slice::from_ref(&batch)).unwrap();
    batch
}

#[test]
fn all_types_and_nulls_there_and_back() {
    let (directory, path) = scratch();
    let batch = write_all_types(&path);
    let reader = open(&path, "in", None).unwrap();
    let layer = reader.layer();
    assert_eq!(layer.name, "places");
    assert_eq!(layer.rows, Some(3));
    assert_eq!(layer.crs.as_ref().unwrap().epsg(), Some(28992));
    let geometry = layer.geometry.unwrap();
    assert_eq!((geometry.column, geometry.shape), (12, Shape::Point));
    let found = read(&reader).unwrap();
    assert_eq!(
        found.column(0).as_primitive::<Int64Type>().values(),
        &[1, 2, 3]
    );
    assert!(layer.schema.field(0).metadata().contains_key(PRIMARY_KEY));
    for (i, column) in batch.columns().iter().enumerate() {
        assert_eq!(
            found.column(i + 1),
            column,
            "{}",
            batch.schema().field(i).name()
        );
    }
    assert_eq!(names(&directory).len(), 1);
}

#[test]
fn a_copy_of_a_copy_is_the_same_to_the_byte() {
    let (directory, path) = scratch();
    write_all_types(&path);
    let again = directory.path().join("again.gpkg");
    let reader = open(&path, "in", None).unwrap();
    write(&again, reader.layer(), &[read(&reader).unwrap()]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), fs::read(&again).unwrap());
}

#[test]
fn the_same_rows_give_the_same_bytes_in_any_batches() {
    let (directory, path) = scratch();
    let rows = 20_000;
    let numbers = Int64Array::from_iter_values((0..rows).map(|i| i * 7919 % 10_007));
    let batch = with_geometry(&batch(&[("n", Arc::new(numbers))]), rows as usize);
    let layer = layer_of("many", &batch, Some(1));
    write(&path, &layer, std::slice::from_ref(&batch)).unwrap();
    let other = directory.path().join("other.gpkg");
    let parts = [
        batch.slice(0, 1),
        batch.slice(1, 9999),
        batch.slice(10_000, 10_000),
    ];
    write(&other, &layer, &parts).unwrap();
    assert!(fs::read(&path).unwrap() == fs::read(&other).unwrap());
}

#[test]
fn only_the_columns_asked_for_in_their_order() {
    let (_directory, path) = scratch();
    write_all_types(&path);
    let reader = open(&path, "in", None).unwrap();
    let found = reader.batches(&[8, 1]).unwrap().next().unwrap().unwrap();
    let schema = found.schema();
    let names: Vec<_> = schema.fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["text", "truth"]);
    let none = reader.batches(&[]).unwrap().next().unwrap().unwrap();
    assert_eq!((none.num_rows(), none.num_columns()), (3, 0));
}

#[test]
fn odd_names_are_kept() {
    let (_directory, path) = scratch();
    let odd = [
        "select", "a b", "qu\"ote", "it's", "żółć", "rowid", "", "[x]", "Fid",
    ];
    let numbers = || Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef;
    let batch = batch(&odd.map(|name| (name, numbers())));
    let batch = with_geometry(&batch, 2);
    let layer = layer_of("table \"of\" 'żółć'; --", &batch, Some(9));
    write(&path, &layer, &[batch]).unwrap();
    let reader = open(&path, "in", None).unwrap();
    assert_eq!(reader.layer().name, layer.name);
    let names = reader.layer().columns();
    assert_eq!(names[0], "fid_2");
    assert_eq!(names[1..10], odd);
    assert_eq!(read(&reader).unwrap().num_rows(), 2);
}

#[test]
fn empty_layers_and_layers_without_geometry() {
    let (_directory, path) = scratch();
    let batch = all_types().slice(0, 0);
    write(&path, &layer_of("none", &batch, Some(11)), &[]).unwrap();
    let reader = open(&path, "in", None).unwrap();
    assert_eq!(reader.layer().rows, Some(0));
    assert_eq!(reader.batches(&[0, 1]).unwrap().count(), 0);

    let plain = all_types().project(&[0, 4]).unwrap();
    write(&path, &layer_of("plain", &plain, None), &[plain]).unwrap();
    let reader = open(&path, "in", None).unwrap();
    assert!(reader.layer().geometry.is_none());
    assert!(reader.layer().crs.is_none());
    assert_eq!(layers(&path).unwrap(), ["plain"]);
}

#[test]
fn other_types_of_arrow_become_the_nearest() {
    let (_directory, path) = scratch();
    let nested = Field::new("a", DataType::Int32, true);
    let inner = Arc::new(Int32Array::from(vec![Some(1), None])) as ArrayRef;
    let structure = StructArray::new(vec![nested].into(), vec![inner], None);
    let list =
        ListArray::from_iter_primitive::<Float64Type, _, _>([Some(vec![Some(0.5), None]), None]);
    let dictionary: DictionaryArray<arrow_array::types::Int8Type> =
        vec![Some("x"), None].into_iter().collect();
    let decimal = |digits, scale| {
        let array = Decimal128Array::from(vec![Some(12_345), None]);
        Arc::new(array.with_precision_and_scale(digits, scale).unwrap()) as ArrayRef
    };
    let batch = batch(&[
        ("u32", Arc::new(UInt32Array::from(vec![u32::MAX, 0]))),
        ("u64", Arc::new(UInt64Array::from(vec![i64::MAX as u64, 0]))),
        (
            "large",
            Arc::new(LargeStringArray::from(vec![Some("a"), None])),
        ),
        ("dictionary", Arc::new(dictionary)),
        ("struct", Arc::new(structure)),
        ("list", Arc::new(list)),
        (
            "clock",
            Arc::new(Time64MicrosecondArray::from(vec![3_723_000_001, 0])),
        ),
        (
            "stamp",
            Arc::new(TimestampNanosecondArray::from(vec![-1, 1_999_999])),
        ),
        ("decimal", decimal(10, 2)),
        ("exact", decimal(30, 2)),
        ("whole", decimal(18, 0)),
    ]);
    write(&path, &layer_of("odd", &batch, None), &[batch]).unwrap();
    let reader = open(&path, "in", None).unwrap();
    let found = read(&reader).unwrap();
    let column = |name| found.column_by_name(name).unwrap();
    let text = |name| column(name).as_string::<i32>().value(0).to_owned();
    assert_eq!(
        column("u32").as_primitive::<Int64Type>().value(0),
        i64::from(u32::MAX)
    );
    assert_eq!(column("u64").as_primitive::<Int64Type>().value(0), i64::MAX);
    assert_eq!(
        (text("large"), text("dictionary")),
        ("a".to_owned(), "x".to_owned())
    );
    assert!(column("dictionary").is_null(1));
    assert_eq!(text("struct"), r#"{"a":1}"#);
    assert_eq!(text("list"), "[0.5,null]");
    assert!(column("list").is_null(1));
    let json = reader
        .layer()
        .schema
        .field_with_name("list")
        .unwrap()
        .clone();
    assert_eq!(
        json.metadata().get(EXTENSION_NAME).map(String::as_str),
        Some(JSON)
    );
    assert_eq!(text("clock"), "01:02:03.000001");
    let stamps = arrow_cast::cast(column("stamp"), &DataType::Int64).unwrap();
    assert_eq!(stamps.as_primitive::<Int64Type>().values(), &[-1, 1]);
    assert_eq!(
        column("decimal").as_primitive::<Float64Type>().value(0),
        123.45
    );
    assert_eq!(text("exact"), "123.45");
    assert_eq!(column("whole").as_primitive::<Int64Type>().value(0), 12_345);
}

#[test]
fn its_description_is_kept() {
    let (_directory, path) = scratch();
    let batch = all_types();
    let mut layer = layer_of("places", &batch, Some(11));
    let said = HashMap::from([("description".to_owned(), "confidential".to_owned())]);
    layer.schema = Arc::new(layer.schema.as_ref().clone().with_metadata(said));
    write(&path, &layer, &[batch]).unwrap();
    let connection = Connection::open(&path).unwrap();
    let query = "SELECT description, min_x, max_x, min_y, max_y FROM gpkg_contents";
    let found: (String, f64, f64, f64, f64) = connection
        .query_row(query, [], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })
        .unwrap();
    assert_eq!(found, ("confidential".to_owned(), 0.0, 2.0, -2.0, 0.0));
    let count = |sql: &str| {
        connection
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    assert_eq!(count("SELECT count(*) FROM rtree_places_geom"), 2);
    assert_eq!(count("SELECT rtreecheck('rtree_places_geom') = 'ok'"), 1);
    assert_eq!(
        count("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"),
        6
    );
}

#[test]
fn views_generated_columns_and_types_outside_the_standard() {
    let (_directory, path) = scratch();
    changed(
        &path,
        "CREATE TABLE t (a NUMERIC, b TIMESTAMP, c, d INT GENERATED ALWAYS AS (2 * a));
         INSERT INTO t (a, b, c) VALUES (1, 'now', x'00'), (2.5, NULL, NULL);
         CREATE VIEW v AS SELECT a + 1 AS e, d, b FROM t;
         INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES
           ('t', 'attributes', 't'), ('v', 'attributes', 'v');",
    );
    let reader = open(&path, "in", Some("t")).unwrap();
    let schema = reader.layer().schema.clone();
    let kinds: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| field.data_type().clone())
        .collect();
    let expected = [
        DataType::Float64,
        DataType::Utf8,
        DataType::Binary,
        DataType::Int64,
    ];
    assert_eq!(kinds, expected);
    let found = read(&reader).unwrap();
    assert_eq!(
        found.column(3).as_primitive::<Int64Type>().values(),
        &[2, 5]
    );
    let view = read(&open(&path, "in", Some("v")).unwrap()).unwrap();
    assert_eq!(
        view.column(0).as_primitive::<Float64Type>().values(),
        &[2.0, 3.5]
    );
}

//! What is written is read again, and what is wrong is refused.

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

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
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
    Arc::new(BinaryArray::from_iter(wkb))
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
    with_geometry(&batch(columns), 3)
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

#[test]
fn all_types_and_nulls_there_and_back() {
    let (directory, path) = scratch();
    let batch = all_types();
    write(
        &path,
        &layer_of("places", &batch, Some(11)),
        std::slice::from_ref(&batch),
    )
    .unwrap();
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
    let batch = all_types();
    write(
        &path,
        &layer_of("places", &batch, Some(11)),
        std::slice::from_ref(&batch),
    )
    .unwrap();
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
    let batch = with_geometry(&batch(vec![("n", Arc::new(numbers))]), rows as usize);
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
    let batch = all_types();
    write(
        &path,
        &layer_of("places", &batch, Some(11)),
        std::slice::from_ref(&batch),
    )
    .unwrap();
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
    let batch = batch(odd.iter().map(|name| (*name, numbers())).collect());
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
    let batch = batch(vec![
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
fn what_it_cannot_hold_is_refused_and_the_target_left() {
    let (directory, path) = scratch();
    let numbers = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let twice = batch(vec![("Name", numbers()), ("nAME", numbers())]);
    let large = batch(vec![("u64", Arc::new(UInt64Array::from(vec![u64::MAX])))]);
    let far = batch(vec![("date", Arc::new(Date32Array::from(vec![i32::MAX])))]);
    let key = HashMap::from([(PRIMARY_KEY.to_owned(), "true".to_owned())]);
    let key = Field::new("id", DataType::Int64, false).with_metadata(key);
    let keys = Arc::new(Int64Array::from(vec![5, 5]));
    let keys = RecordBatch::try_new(Arc::new(Schema::new(vec![key])), vec![keys]).unwrap();
    for (batch, expected) in [
        (twice, "both column \"Name\" and column \"nAME\""),
        (large, "column \"u64\""),
        (far, "column \"date\""),
        (keys, "row 2: its key 5"),
    ] {
        let error = write(&path, &layer_of("x", &batch, None), &[batch]).unwrap_err();
        assert!(matches!(error, WriteError::CannotHold { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
    }
    let fine = batch(vec![("a", numbers())]);
    let error = write(&path, &layer_of("sqlite_x", &fine, None), &[fine]).unwrap_err();
    assert!(matches!(error, WriteError::CannotHold { .. }), "{error}");
    assert!(names(&directory).is_empty());
}

#[cfg(unix)]
#[test]
fn a_device_takes_no_geopackage() {
    let batch = batch(vec![("a", Arc::new(Int32Array::from(vec![1])))]);
    let sink = Target::check(Path::new("/dev/null"))
        .unwrap()
        .open()
        .unwrap();
    let error = create(sink, &layer_of("x", &batch, None)).err().unwrap();
    assert!(matches!(error, WriteError::Io(_)));
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

#[test]
fn wrong_values_are_named() {
    for (sql, expected) in [
        (
            "SET geom = x'4750'",
            "row 1, column \"geom\": the geometry ends within",
        ),
        (
            "SET geom = x'00112233445566778899'",
            "does not begin with GP",
        ),
        (
            "SET geom = 'text'",
            "column \"geom\": expected a geometry, found \"text\"",
        ),
        (
            "SET i8 = 128",
            "column \"i8\": expected a whole number of 8 bits, found 128",
        ),
        (
            "SET i64 = 0.5",
            "column \"i64\": expected a whole number of 64 bits, found 0.5",
        ),
        (
            "SET f64 = 'much'",
            "column \"f64\": expected a number, found \"much\"",
        ),
        (
            "SET truth = 2",
            "column \"truth\": expected a truth value, 0 or 1, found 2",
        ),
        (
            "SET date = '2024-02-30'",
            "column \"date\": expected a date like",
        ),
        (
            "SET time = 12",
            "column \"time\": expected a date with time like",
        ),
        (
            "SET text = CAST(x'ff' AS TEXT)",
            "column \"text\": expected text in UTF-8",
        ),
    ] {
        let (_directory, path) = scratch();
        changed(&path, &format!("{WITHOUT_TRIGGERS} UPDATE places {sql}"));
        let error = read(&open(&path, "in", None).unwrap()).unwrap_err();
        assert!(message(&error).contains(expected), "{sql}: {error}");
        assert!(
            message(&error).contains("layer \"places\", row 1"),
            "{error}"
        );
    }
}

#[test]
fn several_layers_are_asked_about() {
    let (_directory, path) = scratch();
    changed(
        &path,
        "CREATE TABLE more (id INTEGER PRIMARY KEY, geom POINT);
         INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES
           ('more', 'features', 'more');
         INSERT INTO gpkg_geometry_columns VALUES ('more', 'geom', 'POINT', 4326, 0, 0);",
    );
    assert_eq!(layers(&path).unwrap(), ["places", "more"]);
    let error = open(&path, "in", None).err().unwrap();
    assert!(matches!(error, InputError::SeveralLayers { .. }), "{error}");
    let error = open(&path, "in", Some("mroe")).err().unwrap();
    assert!(message(&error).contains("nearest: \"more\""), "{error}");
    let reader = open(&path, "in", Some("more")).unwrap();
    assert_eq!(reader.layer().crs.as_ref().unwrap().epsg(), Some(4326));
    assert_eq!(read(&reader).unwrap().num_rows(), 0);
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

#[test]
fn files_that_are_no_geopackage() {
    let (directory, path) = scratch();
    fs::write(&path, "x,y\n1,2\n").unwrap();
    let error = open(&path, "in", None).err().unwrap();
    assert_eq!(
        message(&error),
        "in is not a GeoPackage: it is no SQLite database"
    );
    let other = directory.path().join("other.gpkg");
    Connection::open(&other)
        .unwrap()
        .execute_batch("CREATE TABLE t (a)")
        .unwrap();
    let error = open(&other, "in", None).err().unwrap();
    assert!(matches!(error, InputError::NotThat { .. }), "{error}");
    let missing = directory.path().join("missing.gpkg");
    let error = open(&missing, "in", None).err().unwrap();
    assert!(matches!(error, InputError::Read { .. }), "{error}");
    assert_eq!(names(&directory).len(), 2);
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let (_directory, path) = scratch();
    let rows = 3000;
    let batch = with_geometry(
        &batch(vec![("n", Arc::new(Int64Array::from_iter_values(0..rows)))]),
        rows as usize,
    );
    write(&path, &layer_of("many", &batch, Some(1)), &[batch]).unwrap();
    let whole = fs::read(&path).unwrap();
    for part in [0, 50, 100, 4096, whole.len() / 2, whole.len() - 4096] {
        fs::write(&path, &whole[..part]).unwrap();
        let result = open(&path, "in", None).and_then(|reader| read(&reader));
        assert!(result.is_err(), "{part} of {}", whole.len());
    }
}

#[test]
fn reading_leaves_no_trace_even_of_a_log() {
    let (directory, path) = scratch();
    let batch = all_types();
    write(&path, &layer_of("places", &batch, Some(11)), &[batch]).unwrap();
    let connection = Connection::open(&path).unwrap();
    let mode: String = connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    let change = "PRAGMA wal_autocheckpoint = 0; UPDATE places SET i16 = 7";
    connection
        .execute_batch(&format!("{WITHOUT_TRIGGERS} {change}"))
        .unwrap();
    let i16s = |path: &Path| {
        let found = read(&open(path, "in", None).unwrap()).unwrap();
        let column = found.column_by_name("i16").unwrap();
        arrow_cast::cast(column, &DataType::Int64)
            .unwrap()
            .as_primitive::<Int64Type>()
            .value(0)
    };
    // Open elsewhere.
    assert_eq!(i16s(&path), 7);
    // A copy with its log, as after a crash.
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.gpkg");
    let log = |path: &Path| PathBuf::from(format!("{}-wal", path.display()));
    fs::copy(&path, &copy).unwrap();
    fs::copy(log(&path), log(&copy)).unwrap();
    let before = (fs::read(&copy).unwrap(), fs::read(log(&copy)).unwrap());
    assert_eq!(i16s(&copy), 7);
    assert_eq!(names(&copies), ["copy.gpkg", "copy.gpkg-wal"]);
    assert!(before == (fs::read(&copy).unwrap(), fs::read(log(&copy)).unwrap()));
    // Closed, which empties the log and leaves the file saying that it has one.
    drop(connection);
    assert_eq!(names(&directory).len(), 1);
    assert_eq!(i16s(&path), 7);
    assert_eq!(names(&directory).len(), 1);
}

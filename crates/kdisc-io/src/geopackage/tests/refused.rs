//! What is wrong is refused, and what is only read stays as it was.

use super::*;

#[test]
fn what_it_cannot_hold_is_refused_and_the_target_left() {
    let (directory, path) = scratch();
    let numbers = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let twice = batch(&[("Name", numbers()), ("nAME", numbers())]);
    let large = batch(&[("u64", Arc::new(UInt64Array::from(vec![u64::MAX])))]);
    let far = batch(&[("date", Arc::new(Date32Array::from(vec![i32::MAX])))]);
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
    let fine = batch(&[("a", numbers())]);
    let error = write(&path, &layer_of("sqlite_x", &fine, None), &[fine]).unwrap_err();
    assert!(matches!(error, WriteError::CannotHold { .. }), "{error}");
    assert!(names(&directory).is_empty());
}

#[cfg(unix)]
#[test]
fn a_device_takes_no_geopackage() {
    let batch = batch(&[("a", Arc::new(Int32Array::from(vec![1])))]);
    let sink = Target::check(Path::new("/dev/null"))
        .unwrap()
        .open()
        .unwrap();
    let error = create(sink, &layer_of("x", &batch, None)).err().unwrap();
    assert!(matches!(error, WriteError::Io(_)));
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
        &batch(&[("n", Arc::new(Int64Array::from_iter_values(0..rows)))]),
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

#[test]
fn a_half_written_file_is_refused_and_left_alone() {
    let (_directory, path) = scratch();
    let rows = 3000;
    let numbers = Arc::new(Int64Array::from_iter_values(0..rows));
    let batch = with_geometry(&batch(&[("n", numbers)]), rows as usize);
    write(&path, &layer_of("many", &batch, Some(1)), &[batch]).unwrap();
    let connection = Connection::open(&path).unwrap();
    // Too much for the cache: it is written before its time.
    let half = "PRAGMA cache_size = 5; BEGIN; CREATE TABLE more AS SELECT * FROM many";
    connection.execute_batch(half).unwrap();
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy.gpkg");
    let journal = |path: &Path| PathBuf::from(format!("{}-journal", path.display()));
    fs::copy(&path, &copy).unwrap();
    fs::copy(journal(&path), journal(&copy)).unwrap();
    let before = (fs::read(&copy).unwrap(), fs::read(journal(&copy)).unwrap());
    let error = open(&copy, "in", None).err().unwrap();
    assert!(message(&error).contains("half written"), "{error}");
    assert!(before == (fs::read(&copy).unwrap(), fs::read(journal(&copy)).unwrap()));
}

#[test]
fn a_view_cannot_make_large_values_of_nothing() {
    let (_directory, path) = scratch();
    changed(
        &path,
        "CREATE VIEW v AS SELECT zeroblob(300000000) AS x;
         INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES
           ('v', 'attributes', 'v');",
    );
    let result = open(&path, "in", Some("v")).and_then(|reader| read(&reader));
    let error = result.unwrap_err();
    assert!(message(&error).contains("too big"), "{error}");
}

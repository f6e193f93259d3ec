//! Rows on their way from a layer in memory.

use std::cell::RefCell;

use arrow_array::cast::AsArray;
use arrow_array::{Array, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;
use kdisc::Point;

use super::*;
use crate::held::Held;

const XY: Place = Place::Columns { x: 0, y: 1 };

fn table() -> Held {
    Held::new(vec![
        (
            "x",
            Arc::new(Float64Array::from(vec![Some(1.0), None, Some(3.0)])) as ArrayRef,
        ),
        ("y", Arc::new(StringArray::from(vec!["4", "5", "six"]))),
    ])
}

fn point(x: f64, y: f64) -> Vec<u8> {
    geometry::point(Point::new(x, y)).to_vec()
}

fn geometries(wkb: &[Vec<u8>]) -> Held {
    let wkb: BinaryArray = wkb.iter().map(Some).collect();
    Held::new(vec![("geom", Arc::new(wkb))]).with_geometry(0, Encoding::Wkb, Shape::Any)
}

/// All rows of an export with a column of numbers added.
fn run(held: &Held, format: Format) -> Result<Vec<RecordBatch>, ExportError> {
    let added = vec![Field::new("n", DataType::Int64, false)];
    let export = Export::new(held, format, XY, Decimal::Point, None, added)?;
    let mut next = 0_i64..;
    let mut rows = Vec::new();
    export.run(
        &mut |count| {
            let numbers = next.by_ref().take(count);
            vec![Arc::new(Int64Array::from_iter_values(numbers))]
        },
        &mut |batch| {
            assert_eq!(batch.schema(), export.layer().schema);
            rows.push(batch.clone());
            Ok(())
        },
        &|_| true,
    )?;
    Ok(rows)
}

#[test]
fn formats_of_geometries_get_points_from_the_columns() {
    let held = table().sliced(2);
    for format in [Format::GeoPackage, Format::GeoParquet, Format::GeoJson] {
        let rows = run(&held, format).unwrap();
        assert_eq!(rows.len(), 2);
        let schema = rows[0].schema();
        let names: Vec<_> = schema.fields().iter().map(|f| f.name().as_str()).collect();
        assert_eq!(names, ["x", "y", "geometry", "n"]);
        let wkb = rows[0].column(2).as_binary::<i32>();
        assert_eq!(wkb.value(0), point(1.0, 4.0));
        assert!(wkb.is_null(1));
        assert!(rows[1].column(2).is_null(0));
        let numbers = rows[1]
            .column(3)
            .as_primitive::<arrow_array::types::Int64Type>();
        assert_eq!(numbers.values(), &[2]);
    }
    let export = Export::new(
        &held,
        Format::GeoJson,
        XY,
        Decimal::Point,
        Some(&Crs::wgs84()),
        Vec::new(),
    )
    .unwrap();
    let geometry = export.layer().geometry.unwrap();
    assert_eq!((geometry.column, geometry.shape), (2, Shape::Point));
    assert_eq!(export.layer().crs, Some(Crs::wgs84()));
}

#[test]
fn other_formats_and_rows_with_geometries_stay_as_they_are() {
    for format in [Format::Csv, Format::Parquet, Format::Arrow] {
        let rows = run(&table(), format).unwrap();
        assert_eq!(rows[0].num_columns(), 3);
    }
    let held = geometries(&[point(1.0, 2.0)]);
    let rows = run(&held, Format::GeoPackage).unwrap();
    assert_eq!(rows[0].num_columns(), 2);
    let bare = table();
    let export = Export::new(
        &bare,
        Format::GeoJson,
        Place::Geometry,
        Decimal::Point,
        None,
        Vec::new(),
    )
    .unwrap();
    assert!(export.layer().geometry.is_none());
}

#[test]
fn the_name_of_the_geometries_is_free() {
    let free = |names: &[&str]| free_name(GEOMETRY, names.iter().copied());
    assert_eq!(free(&["x"]), "geometry");
    assert_eq!(free(&["Geometry"]), "geom");
    assert_eq!(free(&["geometry", "GEOM"]), "geometry_2");
    assert_eq!(free(&["geometry", "geom", "Geometry_2"]), "geometry_3");
}

#[test]
fn the_description_says_that_it_is_confidential_once() {
    let description = |known: Option<&str>| {
        let mut held = table();
        if let Some(known) = known {
            let metadata = [("description", known), ("other", "kept")];
            let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
            let schema = held.layer.schema.as_ref().clone();
            held.layer.schema = Arc::new(schema.with_metadata(metadata.into()));
        }
        let export = Export::new(&held, Format::Csv, XY, Decimal::Point, None, Vec::new()).unwrap();
        let metadata = export.layer().schema.metadata().clone();
        assert_eq!(metadata.contains_key("other"), known.is_some());
        metadata["description"].clone()
    };
    assert_eq!(description(None), CONFIDENTIAL);
    let both = format!("{CONFIDENTIAL}\nshops of 2020");
    assert_eq!(description(Some("shops of 2020")), both);
    assert_eq!(description(Some(&both)), both);
}

#[test]
fn csv_has_columns_for_points_only_if_all_are() {
    let shape = |wkb: &[Vec<u8>]| {
        let held = geometries(wkb);
        let export = Export::new(
            &held,
            Format::Csv,
            Place::Geometry,
            Decimal::Point,
            None,
            Vec::new(),
        )
        .unwrap();
        (export.layer().geometry.unwrap().shape, export.has_heights())
    };
    let mut high = vec![1, 0xe9, 3, 0, 0];
    high.extend([1.0_f64, 2.0, 3.0].iter().flat_map(|n| n.to_le_bytes()));
    let area = geometry::polygons(&[vec![Point::new(0.0, 0.0), Point::new(1.0, 0.0)]]);
    let empty = point(f64::NAN, f64::NAN);
    assert_eq!(shape(&[]), (Shape::Point, false));
    assert_eq!(shape(&[point(1.0, 2.0), empty]), (Shape::Point, false));
    assert_eq!(
        shape(&[point(1.0, 2.0), high.clone()]),
        (Shape::Point, true)
    );
    assert_eq!(shape(&[high, area]), (Shape::Any, false));
    assert_eq!(shape(&[b"x".to_vec()]), (Shape::Any, false));
}

#[test]
fn it_stops_when_told_to() {
    let held = table().sliced(1);
    let export = Export::new(&held, Format::Csv, XY, Decimal::Point, None, Vec::new()).unwrap();
    let told = RefCell::new(Vec::new());
    let mut put = 0;
    let stopped = export.run(
        &mut |_| Vec::new(),
        &mut |_| {
            put += 1;
            Ok(())
        },
        &|done| {
            told.borrow_mut().push(done);
            done < 2
        },
    );
    assert!(matches!(stopped, Err(ExportError::Stopped)));
    assert_eq!((put, told.into_inner()), (2, vec![0, 1, 2]));
}

#[test]
fn errors_of_either_side_come_through() {
    let mut held = table().sliced(1);
    held.breaks = true;
    match run(&held, Format::GeoJson) {
        Err(ExportError::Input(InputError::Broken { problem, .. })) => {
            assert_eq!(problem, "its rows end here");
        }
        other => panic!("{other:?}"),
    }
    // Far more than are read ahead, so that the reader is waiting when it is let go.
    let many = Held {
        rows: vec![table().rows.remove(0); 50],
        ..table()
    };
    let export = Export::new(&many, Format::Csv, XY, Decimal::Point, None, Vec::new()).unwrap();
    let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
    let failed = export.run(&mut |_| Vec::new(), &mut |_| Err(full().into()), &|_| true);
    match failed {
        Err(ExportError::Output(WriteError::Io(error))) => {
            assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
        }
        other => panic!("{other:?}"),
    }
    // Columns that are not those that were promised.
    let wrong = export.run(
        &mut |_| vec![Arc::new(Int64Array::from(vec![1]))],
        &mut |_| Ok(()),
        &|_| true,
    );
    assert!(matches!(
        wrong,
        Err(ExportError::Output(WriteError::Failed { .. }))
    ));
}

#[test]
fn every_format_but_one_is_written_and_read_again() {
    let directory = tempfile::tempdir().unwrap();
    for (format, name) in [
        (Format::Csv, "o.csv"),
        (Format::Parquet, "o.parquet"),
        (Format::GeoParquet, "o.geoparquet"),
        (Format::GeoPackage, "o.gpkg"),
        (Format::GeoJson, "o.geojson"),
        (Format::GeoJsonLines, "o.geojsonl"),
        (Format::FlatGeobuf, "o.fgb"),
        (Format::Arrow, "o.arrow"),
    ] {
        let path = directory.path().join(name);
        let held = table().sliced(2);
        let export = Export::new(
            &held,
            format,
            XY,
            Decimal::Point,
            Some(&Crs::wgs84()),
            Vec::new(),
        )
        .unwrap();
        let sink = crate::output::Target::check(&path).unwrap().open().unwrap();
        let mut writer = export.create(sink).unwrap();
        let put = &mut |batch: &RecordBatch| writer.write(batch);
        export.run(&mut |_| Vec::new(), put, &|_| true).unwrap();
        writer.finish().unwrap().commit().unwrap();
        let input = crate::input::Input::open(&path, &crate::input::Options::default(), &|_, _| {});
        let input = input.unwrap();
        assert_eq!(input.format(), format);
        let reader = input.reader().unwrap();
        let all: Vec<usize> = (0..input.columns().len()).collect();
        let rows = reader
            .batches(&all)
            .unwrap()
            .map(|batch| batch.unwrap().num_rows());
        assert_eq!(rows.sum::<usize>(), 3, "{name}");
        let has_geometry = reader.layer().geometry.is_some();
        assert_eq!(has_geometry, format.wants_geometry(), "{name}");
    }
    let held = table();
    let export = Export::new(
        &held,
        Format::Shapefile,
        XY,
        Decimal::Point,
        None,
        Vec::new(),
    )
    .unwrap();
    let refused = export.create(Sink::scratch().unwrap());
    assert!(matches!(refused, Err(WriteError::CannotHold { .. })));
}

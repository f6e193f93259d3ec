//! Inputs by name and by content.

use std::path::PathBuf;

use super::*;
use crate::units::OnInvalid;

const LINES: &str = "{\"type\":\"Feature\",\"properties\":{\"a\":1},\
    \"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}\n";

fn file(directory: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = directory.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn open(path: &Path, options: &Options) -> Result<Input, InputError> {
    Input::open(path, options, &|_, _| {})
}

fn opened(name: &str, bytes: &[u8], options: &Options) -> Result<Input, InputError> {
    let directory = tempfile::tempdir().unwrap();
    open(&file(&directory, name, bytes), options)
}

fn problem(found: Result<Input, InputError>) -> String {
    match found {
        Ok(input) => panic!("taken as {:?}", input.format()),
        Err(error) => error.to_string(),
    }
}

fn asking(format: Option<Format>, layer: Option<&str>) -> Options {
    Options {
        format,
        layer: layer.map(ToOwned::to_owned),
    }
}

#[test]
fn content_tells_what_a_name_does_not() {
    let none = Options::default();
    for name in ["data", "data.xyz"] {
        let input = opened(name, LINES.as_bytes(), &none).unwrap();
        assert_eq!(input.format(), Format::GeoJson);
        assert!(input.csv().is_none() && input.layer().is_some());
        let input = opened(name, b"x,y\n1,2\n", &none).unwrap();
        assert_eq!(input.format(), Format::Csv);
        assert!(input.csv().is_some() && input.layer().is_none());
        assert_eq!(input.columns(), ["x", "y"]);
    }
    let stream = Input::from_bytes("standard input", LINES.into(), &none).unwrap();
    assert_eq!(stream.format(), Format::GeoJson);
    assert_eq!(stream.name(), "standard input");
    let stream = Input::from_bytes("standard input", b"x,y\n1,2\n".to_vec(), &none).unwrap();
    assert_eq!(stream.format(), Format::Csv);
}

#[test]
fn a_name_that_does_not_fit_is_told() {
    let none = Options::default();
    let cases: [(&str, &[u8], &str); 6] = [
        ("a.csv", b"PAR1....", "it begins like a Parquet file"),
        ("a.parquet", b"x,y\n1,2\n", "it does not begin as one"),
        ("a.gpkg", LINES.as_bytes(), "it begins like a GeoJSON file"),
        ("a.fgb", b"fgb", "it does not begin as one"),
        ("a.shp", b"PAR1", "it begins like a Parquet file"),
        ("a.arrow", b"ARR", "it does not begin as one"),
    ];
    for (name, bytes, found) in cases {
        let problem = problem(opened(name, bytes, &none));
        assert!(problem.contains(" is not a"), "{problem}");
        assert!(problem.ends_with(found), "{name}: {problem}");
    }
    // What is asked for comes before the name.
    let json = asking(Some(Format::GeoJson), None);
    let input = opened("a.csv", LINES.as_bytes(), &json).unwrap();
    assert_eq!(input.format(), Format::GeoJson);
    let csv = asking(Some(Format::Csv), None);
    assert!(
        opened("a.parquet", b"x,y\n1,2\n", &csv)
            .unwrap()
            .csv()
            .is_some()
    );
}

#[test]
fn a_promise_by_name_or_option_alone_is_not_believed() {
    let formats = [
        Format::Parquet,
        Format::GeoPackage,
        Format::GeoJson,
        Format::FlatGeobuf,
        Format::Shapefile,
        Format::Arrow,
    ];
    for format in formats {
        for bytes in [&b""[..], b"x", b"x,y\n1,2\n"] {
            let asked = asking(Some(format), None);
            let error = problem(opened("a.dat", bytes, &asked));
            assert!(error.contains("a.dat"), "{format:?}: {error}");
            let error = problem(Input::from_bytes("in", bytes.to_vec(), &asked));
            assert!(error.contains("in"), "{format:?}: {error}");
        }
    }
}

#[test]
fn nothing_is_nothing_in_every_format() {
    for name in ["a.csv", "a.parquet", "a.geojson", "a", "a.fgb"] {
        let error = opened(name, b"", &Options::default()).err();
        assert!(matches!(error, Some(InputError::Empty { .. })), "{name}");
    }
    let error = Input::from_bytes("in", Vec::new(), &Options::default()).err();
    assert!(matches!(error, Some(InputError::Empty { .. })));
}

#[test]
fn a_file_that_is_not_there_brings_those_like_it() {
    let directory = tempfile::tempdir().unwrap();
    file(&directory, "shops.csv", b"x,y\n1,2\n");
    let error = open(&directory.path().join("shosp.csv"), &Options::default());
    match error.err() {
        Some(InputError::Missing { nearest, .. }) => assert_eq!(nearest, ["shops.csv"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn layers_are_asked_for_by_name() {
    let asked = asking(None, Some("other"));
    assert!(
        problem(opened("a.csv", b"x,y\n1,2\n", &asked))
            .ends_with("a CSV file has no layers, so none is called \"other\"")
    );
    let error = opened("a.geojsonl", LINES.as_bytes(), &asked).err();
    match error {
        Some(InputError::MissingLayer { layer, layers, .. }) => {
            assert_eq!((layer.as_str(), layers), ("other", vec!["a".to_owned()]));
        }
        other => panic!("{other:?}"),
    }
    let asked = asking(None, Some("a"));
    assert!(opened("a.geojsonl", LINES.as_bytes(), &asked).is_ok());
}

#[test]
fn streams_of_some_formats_are_refused() {
    for (start, what) in [
        (&b"SQLite format 3\0"[..], "a GeoPackage"),
        (b"PK\x03\x04", "a Shapefile"),
    ] {
        let error = problem(Input::from_bytes("in", start.to_vec(), &Options::default()));
        assert_eq!(error, format!("in: {what} cannot be read from a stream"));
    }
}

#[test]
fn names_of_layers_come_from_names_of_files() {
    let stems = [
        ("/a/b.geojson", "b"),
        ("c.csv.gz", "c"),
        (".hidden", ".hidden"),
        ("plain", "plain"),
    ];
    for (path, expected) in stems {
        assert_eq!(stem(Path::new(path)), expected);
    }
}

#[test]
fn units_values_and_hashes_of_both_kinds() {
    let wanted = |place| Wanted {
        place,
        weight: None,
        only: None,
        on_invalid: OnInvalid::Error,
        centroid: false,
    };
    let none = Options::default();
    let text = Input::from_bytes("in", b"x,y,n\n1,2,Aap\n".to_vec(), &none).unwrap();
    let layer = LINES.replace("\"a\":1", "\"n\":\"Aap\"");
    let layer = Input::from_bytes("in", layer.into_bytes(), &none).unwrap();
    let columns = wanted(Place::Columns { x: 0, y: 1 });
    let geometry = wanted(Place::Geometry);
    let first = text.units(&columns, &|_, _| {}).unwrap();
    let second = layer.units(&geometry, &|_, _| {}).unwrap();
    assert_eq!(first.points, second.points);
    let error = text.units(&geometry, &|_, _| {}).unwrap_err();
    assert!(matches!(error, InputError::NoCoordinates { .. }));
    let name = |input: &Input| input.columns().iter().position(|name| name == "n").unwrap();
    for input in [&text, &layer] {
        let at = name(input);
        assert_eq!(input.similar_value(at, " aap"), Some("Aap".to_owned()));
        assert_eq!(input.similar_value(at, "noot"), None);
        assert_eq!(input.sha256().unwrap().len(), 64);
        assert!(
            input
                .reader()
                .unwrap()
                .layer()
                .columns()
                .contains(&"n".to_owned())
        );
    }
    let again = Input::from_bytes("in", LINES.into(), &none).unwrap();
    let expected = sha256::of(LINES.as_bytes()).unwrap();
    assert_eq!(again.sha256().unwrap(), expected);
}

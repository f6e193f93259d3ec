//! Which columns hold the coordinates.
//!
//! Names are compared without regard to case, spaces and punctuation, so `X_Coord`, `x coord` and
//! `xcoord` are one name. The first pair of [`PAIRS`] of which both names are there is taken.
//! Names that say degrees are refused, also when asked for by name: a disc needs one unit of
//! length in all directions.

use crate::InputError;
use crate::csv::Table;
use crate::nearest::{nearest, plain};

/// The usual names of coordinates in metres, the preferred ones first.
pub const PAIRS: &[(&str, &str)] = &[
    ("x", "y"),
    ("xcoord", "ycoord"),
    ("xcoordinate", "ycoordinate"),
    ("xcoordinaat", "ycoordinaat"),
    ("coordx", "coordy"),
    ("pointx", "pointy"),
    ("easting", "northing"),
    ("eastings", "northings"),
    ("east", "north"),
    ("e", "n"),
    ("rdx", "rdy"),
    ("xrd", "yrd"),
    ("utmx", "utmy"),
    ("xutm", "yutm"),
    ("utme", "utmn"),
    ("gkx", "gky"),
];

/// Names of degrees: of longitude, and of latitude.
const DEGREES: [&[&str]; 2] = [
    &[
        "lon",
        "long",
        "lng",
        "longitude",
        "decimallongitude",
        "londd",
        "lonwgs84",
        "wgs84lon",
        "lengtegraad",
        "längengrad",
        "laengengrad",
        "xwgs84",
        "wgs84x",
    ],
    &[
        "lat",
        "latitude",
        "decimallatitude",
        "latdd",
        "latwgs84",
        "wgs84lat",
        "breedtegraad",
        "breitengrad",
        "ywgs84",
        "wgs84y",
    ],
];

/// The index of the column called `name`, exactly.
///
/// # Errors
/// When there is none, or more than one.
pub fn named(table: &Table, name: &str) -> Result<usize, InputError> {
    let found = positions(table, |column| column == name);
    match found[..] {
        [index] => Ok(index),
        [] => Err(InputError::MissingColumn {
            file: table.name().to_owned(),
            column: name.to_owned(),
            nearest: nearest(name, table.columns(), plain),
            columns: table.columns().to_vec(),
        }),
        _ => Err(InputError::DuplicateColumn {
            file: table.name().to_owned(),
            column: name.to_owned(),
            count: found.len(),
        }),
    }
}

/// The indices of the coordinate columns called `x` and `y`.
///
/// # Errors
/// When there are none such, or they are degrees by their name.
pub fn named_coordinates(table: &Table, x: &str, y: &str) -> Result<(usize, usize), InputError> {
    let found = (named(table, x)?, named(table, y)?);
    let degrees: Vec<_> = [x, y].into_iter().filter(|n| says_degrees(n)).collect();
    if degrees.is_empty() {
        Ok(found)
    } else {
        Err(InputError::Degrees {
            file: table.name().to_owned(),
            columns: degrees.into_iter().map(str::to_owned).collect(),
        })
    }
}

/// The indices of the columns whose names are usual for coordinates.
///
/// # Errors
/// When there are none, more than one could be meant, or they are degrees by their name.
pub fn coordinates(table: &Table) -> Result<(usize, usize), InputError> {
    for (x, y) in PAIRS {
        let xs = positions(table, |column| plain(column) == *x);
        let ys = positions(table, |column| plain(column) == *y);
        match (&xs[..], &ys[..]) {
            ([], _) | (_, []) => {}
            ([x], [y]) => return Ok((*x, *y)),
            ([_], many) => return Err(ambiguous(table, 'y', many)),
            (many, _) => return Err(ambiguous(table, 'x', many)),
        }
    }
    let degrees = positions(table, says_degrees);
    Err(if degrees.is_empty() {
        InputError::NoCoordinates {
            file: table.name().to_owned(),
            columns: table.columns().to_vec(),
        }
    } else {
        InputError::Degrees {
            file: table.name().to_owned(),
            columns: names(table, &degrees),
        }
    })
}

fn ambiguous(table: &Table, axis: char, candidates: &[usize]) -> InputError {
    InputError::AmbiguousCoordinates {
        file: table.name().to_owned(),
        axis,
        candidates: names(table, candidates),
    }
}

fn positions(table: &Table, matches: impl Fn(&str) -> bool) -> Vec<usize> {
    let columns = table.columns().iter().enumerate();
    let found = columns.filter(|(_, column)| matches(column));
    found.map(|(index, _)| index).collect()
}

fn names(table: &Table, indices: &[usize]) -> Vec<String> {
    let columns = indices.iter().map(|&i| table.columns()[i].clone());
    columns.collect()
}

fn says_degrees(name: &str) -> bool {
    let known = |name: &str| DEGREES.iter().any(|names| names.contains(&name));
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    // A longish name is no longitude.
    known(&plain(name)) || words.any(|word| plain(word) != "long" && known(&plain(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &str) -> Table {
        Table::from_bytes("t.csv", format!("{header}\n1,2\n").into_bytes()).unwrap()
    }

    #[test]
    fn usual_names_are_recognised() {
        for (header, expected) in [
            ("x,y", (0, 1)),
            ("id,Y,X", (2, 1)),
            ("Northing,Easting", (1, 0)),
            ("X_Coord,Y_Coord", (0, 1)),
            ("x-coordinaat,y-coordinaat", (0, 1)),
            ("RDX,RDY", (0, 1)),
            ("x_rd,y_rd", (0, 1)),
            ("easting,northing,x,y", (2, 3)),
            ("lon,lat,x,y", (2, 3)),
        ] {
            assert_eq!(coordinates(&table(header)).unwrap(), expected, "{header}");
        }
    }

    #[test]
    fn degrees_are_refused_even_by_name() {
        for header in [
            "lon,lat",
            "Longitude,Latitude",
            "x,LNG",
            "lat,y",
            "geo_lon,y",
        ] {
            let error = coordinates(&table(header)).unwrap_err();
            assert!(matches!(error, InputError::Degrees { .. }), "{header}");
        }
        for (x, y) in [("lon", "lat"), ("x", "Lat (WGS84)")] {
            let error = named_coordinates(&table(&format!("{x},{y}")), x, y).unwrap_err();
            assert!(matches!(error, InputError::Degrees { .. }), "{x} {y}");
        }
        assert!(named_coordinates(&table("long_x,long_y"), "long_x", "long_y").is_ok());
    }

    #[test]
    fn doubt_is_an_error_that_names_the_candidates() {
        let error = coordinates(&table("x,X,y")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv: more than one column could be x: \"x\", \"X\""
        );
        let error = named(&table("x,x,y"), "x").unwrap_err();
        assert_eq!(error.to_string(), "t.csv has 2 columns named \"x\"");
    }

    #[test]
    fn a_missing_column_brings_the_nearest_names() {
        let error = named(&table("x,y,production,größe"), "prodution").unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv has no column \"prodution\" (nearest: \"production\"); \
             its columns are \"x\", \"y\", \"production\", \"größe\""
        );
    }
}

//! Which columns hold the coordinates.
//!
//! Names are compared without regard to case, spaces and punctuation, so `X_Coord`, `x coord` and
//! `xcoord` are one name. The first pair of [`PAIRS`] of which both names are there is taken.
//! Names that say degrees say WGS 84 with it.

use crate::InputError;
use crate::nearest::{nearest, plain};

/// Which columns hold the coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coordinates {
    /// East.
    pub x: usize,
    /// North.
    pub y: usize,
    /// Whether they are degrees by their names.
    pub degrees: bool,
}

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
    ("rechtswert", "hochwert"),
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

/// The index of the column of `file` called `name`, exactly.
///
/// # Errors
/// When there is none, or more than one.
pub fn named(file: &str, columns: &[String], name: &str) -> Result<usize, InputError> {
    let found = positions(columns, |column| column == name);
    match found[..] {
        [index] => Ok(index),
        [] => Err(InputError::MissingColumn {
            file: file.to_owned(),
            column: name.to_owned(),
            nearest: nearest(name, columns, plain),
            columns: columns.to_vec(),
        }),
        _ => Err(InputError::DuplicateColumn {
            file: file.to_owned(),
            column: name.to_owned(),
            count: found.len(),
        }),
    }
}

/// The coordinate columns called `x` and `y`.
///
/// # Errors
/// When there are none such, or only one of them is degrees by its name, or x is a latitude.
pub fn named_coordinates(
    file: &str,
    columns: &[String],
    x: &str,
    y: &str,
) -> Result<Coordinates, InputError> {
    let found = (named(file, columns, x)?, named(file, columns, y)?);
    let degrees = match (axis(x), axis(y)) {
        (None, None) => false,
        (Some(Axis::Longitude), Some(Axis::Latitude)) => true,
        _ => {
            return Err(InputError::Degrees {
                file: file.to_owned(),
                x: x.to_owned(),
                y: y.to_owned(),
            });
        }
    };
    Ok(Coordinates {
        x: found.0,
        y: found.1,
        degrees,
    })
}

/// The columns whose names are usual for coordinates.
///
/// # Errors
/// When there are none, or more than one could be meant.
pub fn coordinates(file: &str, columns: &[String]) -> Result<Coordinates, InputError> {
    for (x, y) in PAIRS {
        let xs = positions(columns, |column| plain(column) == *x);
        let ys = positions(columns, |column| plain(column) == *y);
        if !xs.is_empty() && !ys.is_empty() {
            return pair(file, columns, &xs, &ys, false);
        }
    }
    let xs = positions(columns, |column| axis(column) == Some(Axis::Longitude));
    let ys = positions(columns, |column| axis(column) == Some(Axis::Latitude));
    if xs.is_empty() || ys.is_empty() {
        return Err(InputError::NoCoordinates {
            file: file.to_owned(),
            columns: columns.to_vec(),
        });
    }
    pair(file, columns, &xs, &ys, true)
}

fn pair(
    file: &str,
    columns: &[String],
    xs: &[usize],
    ys: &[usize],
    degrees: bool,
) -> Result<Coordinates, InputError> {
    let ambiguous = |axis: char, candidates: &[usize]| InputError::AmbiguousCoordinates {
        file: file.to_owned(),
        axis,
        candidates: candidates.iter().map(|&i| columns[i].clone()).collect(),
    };
    match (xs, ys) {
        (&[x], &[y]) => Ok(Coordinates { x, y, degrees }),
        ([_], many) => Err(ambiguous('y', many)),
        (many, _) => Err(ambiguous('x', many)),
    }
}

fn positions(columns: &[String], matches: impl Fn(&str) -> bool) -> Vec<usize> {
    let columns = columns.iter().enumerate();
    let found = columns.filter(|(_, column)| matches(column));
    found.map(|(index, _)| index).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    Longitude,
    Latitude,
}

/// Of which degrees a name speaks, if of any.
fn axis(name: &str) -> Option<Axis> {
    let of = |name: &str| {
        let found = DEGREES.iter().position(|names| names.contains(&name));
        found.map(|i| [Axis::Longitude, Axis::Latitude][i])
    };
    let words = name.split(|c: char| !c.is_alphanumeric()).map(plain);
    // A longish name is no longitude.
    let mut by_word = words
        .filter(|word| word != "long")
        .filter_map(|word| of(&word));
    of(&plain(name)).or_else(|| by_word.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(header: &str) -> Vec<String> {
        header.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn usual_names_are_recognised() {
        for (header, x, y, degrees) in [
            ("x,y", 0, 1, false),
            ("id,Y,X", 2, 1, false),
            ("Northing,Easting", 1, 0, false),
            ("X_Coord,Y_Coord", 0, 1, false),
            ("x-coordinaat,y-coordinaat", 0, 1, false),
            ("RDX,RDY", 0, 1, false),
            ("x_rd,y_rd", 0, 1, false),
            ("Hochwert,Rechtswert", 1, 0, false),
            ("easting,northing,x,y", 2, 3, false),
            ("lon,lat,x,y", 2, 3, false),
            ("lat,lon", 1, 0, true),
            ("Longitude,Latitude", 0, 1, true),
            ("id,Lng,Lat (WGS84)", 1, 2, true),
            ("geo_lon,geo_lat", 0, 1, true),
        ] {
            let found = coordinates("t.csv", &columns(header)).unwrap();
            assert_eq!(found, Coordinates { x, y, degrees }, "{header}");
        }
    }

    #[test]
    fn half_degrees_are_refused_even_by_name() {
        for header in ["x,LNG", "lat,y", "geo_lon,y"] {
            let error = coordinates("t.csv", &columns(header)).unwrap_err();
            assert!(
                matches!(error, InputError::NoCoordinates { .. }),
                "{header}"
            );
        }
        for (x, y) in [("lat", "lon"), ("x", "Lat (WGS84)"), ("lon", "y")] {
            let columns = columns(&format!("{x},{y}"));
            let error = named_coordinates("t.csv", &columns, x, y).unwrap_err();
            assert!(matches!(error, InputError::Degrees { .. }), "{x} {y}");
        }
        let named = |x, y| named_coordinates("t.csv", &columns(&format!("{x},{y}")), x, y);
        assert!(!named("long_x", "long_y").unwrap().degrees);
        assert!(named("lon", "lat").unwrap().degrees);
    }

    #[test]
    fn doubt_is_an_error_that_names_the_candidates() {
        let error = coordinates("t.csv", &columns("x,X,y")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv: more than one column could be x: \"x\", \"X\""
        );
        let error = named("t.csv", &columns("x,x,y"), "x").unwrap_err();
        assert_eq!(error.to_string(), "t.csv has 2 columns named \"x\"");
    }

    #[test]
    fn a_missing_column_brings_the_nearest_names() {
        let error = named("t.csv", &columns("x,y,production,größe"), "prodution").unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv has no column \"prodution\" (nearest: \"production\"); \
             its columns are \"x\", \"y\", \"production\", \"größe\""
        );
    }
}

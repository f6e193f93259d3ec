//! Places and weights out of layers of every encoding.

use std::cell::RefCell;
use std::sync::Arc;

use arrow_array::{
    BinaryArray, BinaryViewArray, FixedSizeListArray, Int64Array, LargeBinaryArray, StringArray,
    StructArray,
};
use arrow_buffer::NullBuffer;
use arrow_schema::Field;

use super::*;
use crate::held::Held;
use crate::layer::Shape;
use crate::units::RowState;

const WHOLE: Wanted = Wanted {
    place: Place::Geometry,
    weight: None,
    only: None,
    on_invalid: OnInvalid::Error,
    centroid: false,
};
const SKIP: Wanted = Wanted {
    on_invalid: OnInvalid::Skip,
    ..WHOLE
};

fn units(reader: &Held, wanted: &Wanted) -> Result<Units, InputError> {
    read(reader, "in", wanted, &|_| {})
}

fn problem(reader: &Held, wanted: &Wanted) -> String {
    units(reader, wanted).unwrap_err().to_string()
}

fn places(units: &Units) -> Vec<(f64, f64)> {
    units.points.iter().map(|at| (at.x, at.y)).collect()
}

fn floats(values: &[Option<f64>]) -> ArrayRef {
    Arc::new(Float64Array::from(values.to_vec()))
}

const VALID: [bool; 5] = [true, false, true, true, true];
const AT: [(f64, f64); 5] = [(1.0, 2.0), (0.0, 0.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)];
/// Those that are valid.
const THERE: [(f64, f64); 4] = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)];

/// The same points in every encoding, the second missing.
fn encodings() -> Vec<(ArrayRef, Encoding)> {
    let nulls = || Some(NullBuffer::from(VALID.to_vec()));
    let wkb: Vec<Option<Vec<u8>>> = AT
        .iter()
        .zip(VALID)
        .map(|(&(x, y), valid)| valid.then(|| geometry::point(Point::new(x, y)).to_vec()))
        .collect();
    let field = |name| Arc::new(Field::new(name, DataType::Float64, true));
    let axis = |of: fn(&(f64, f64)) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(AT.iter().map(of)))
    };
    let separated = StructArray::new(
        vec![field("x"), field("y"), field("z")].into(),
        vec![axis(|at| at.0), axis(|at| at.1), axis(|_| 9.0)],
        nulls(),
    );
    let flat = |size: usize| {
        let values = AT
            .iter()
            .flat_map(|&(x, y)| [x, y, 9.0, 9.0].into_iter().take(size));
        let values = Arc::new(values.collect::<Float64Array>());
        let size = i32::try_from(size).unwrap();
        Arc::new(FixedSizeListArray::new(
            field("xyzm"),
            size,
            values,
            nulls(),
        ))
    };
    let slices = || wkb.iter().map(Option::as_deref);
    vec![
        (Arc::new(slices().collect::<BinaryArray>()), Encoding::Wkb),
        (
            Arc::new(slices().collect::<LargeBinaryArray>()),
            Encoding::Wkb,
        ),
        (
            Arc::new(slices().collect::<BinaryViewArray>()),
            Encoding::Wkb,
        ),
        (Arc::new(separated), Encoding::Separated),
        (flat(2), Encoding::Interleaved),
        (flat(3), Encoding::Interleaved),
        (flat(4), Encoding::Interleaved),
    ]
}

#[test]
fn every_encoding_gives_the_same_places_also_in_slices() {
    for (array, encoding) in encodings() {
        let layer = || Held::new(vec![("geom", ArrayRef::clone(&array))]);
        for size in [5, 1, 2, 3] {
            let kind = array.data_type();
            let reader = layer().with_geometry(0, encoding, Shape::Any).sliced(size);
            let found = units(&reader, &SKIP).unwrap();
            assert_eq!(places(&found), THERE, "{kind} in {size}");
            let (good, bad) = (RowState::Measured, RowState::Invalid);
            assert_eq!(found.rows, [good, bad, good, good, good]);
            assert_eq!((found.bad_rows, found.weights), (1, None));
            let first = found.first_bad.unwrap().to_string();
            assert_eq!(first, "in, row 2, column \"geom\": there is no geometry");
            assert_eq!(problem(&reader, &WHOLE), first);
        }
        // A slice by itself, with another start than its buffers.
        let slice = Held::new(vec![("geom", array.slice(2, 2))]);
        let slice = slice.with_geometry(0, encoding, Shape::Any);
        assert_eq!(places(&units(&slice, &WHOLE).unwrap()), THERE[1..3]);
        let empty = Held::new(vec![("geom", array.slice(0, 0))]);
        let empty = empty.with_geometry(0, encoding, Shape::Any);
        assert!(units(&empty, &WHOLE).unwrap().rows.is_empty());
    }
}

#[test]
fn a_point_without_a_coordinate_is_none() {
    let field = |name| Arc::new(Field::new(name, DataType::Float64, true));
    let (x, y) = (floats(&[Some(1.0), None]), floats(&[None, None]));
    let separated = StructArray::new(vec![field("x"), field("y")].into(), vec![x, y], None);
    let values = floats(&[Some(1.0), None, Some(f64::NAN), Some(f64::NAN)]);
    let interleaved = FixedSizeListArray::new(field("xy"), 2, values, None);
    let both: [(ArrayRef, _); 2] = [
        (Arc::new(separated), Encoding::Separated),
        (Arc::new(interleaved), Encoding::Interleaved),
    ];
    for (array, encoding) in both {
        let reader = Held::new(vec![("geom", array)]).with_geometry(0, encoding, Shape::Point);
        let found = units(&reader, &SKIP).unwrap();
        assert_eq!(found.bad_rows, 2, "{encoding:?}");
        let first = found.first_bad.unwrap().to_string();
        let half = "in, row 1, column \"geom\": \"NaN\" is not a finite number";
        assert_eq!(first, half);
        let second = reader.rows[0].slice(1, 1);
        let second = Held {
            rows: vec![second],
            ..reader
        };
        let none = "in, row 1, column \"geom\": there is no geometry";
        assert_eq!(problem(&second, &WHOLE), none, "{encoding:?}");
    }
}

#[test]
fn columns_of_coordinates_weights_and_choices() {
    let reader = Held::new(vec![
        ("name", Arc::new(StringArray::from(vec!["a", "b", "a"]))),
        ("n", Arc::new(Int64Array::from(vec![3, 0, 2]))),
        ("y", floats(&[Some(4.0), Some(5.0), Some(6.0)])),
        ("x", Arc::new(StringArray::from(vec!["1", "2.5", " 3 "]))),
    ]);
    let only = Only {
        column: 0,
        value: "a".to_owned(),
    };
    let wanted = Wanted {
        place: Place::Columns { x: 3, y: 2 },
        weight: Some(1),
        only: Some(&only),
        ..WHOLE
    };
    let reader = reader.sliced(2);
    let told = RefCell::new(Vec::new());
    let found = read(&reader, "in", &wanted, &|rows| told.borrow_mut().push(rows)).unwrap();
    assert_eq!(places(&found), [(1.0, 4.0), (2.5, 5.0), (3.0, 6.0)]);
    assert_eq!(found.weights, Some(vec![3, 0, 2]));
    let (yes, no) = (RowState::Measured, RowState::NotMeasured);
    assert_eq!(found.rows, [yes, no, yes]);
    assert_eq!(told.into_inner(), [2, 3]);
    // One column may serve more than once.
    let only = Only {
        column: 1,
        value: "2".to_owned(),
    };
    let wanted = Wanted {
        place: Place::Columns { x: 1, y: 1 },
        only: Some(&only),
        ..wanted
    };
    let found = units(&reader, &wanted).unwrap();
    assert_eq!(places(&found), [(3.0, 3.0), (0.0, 0.0), (2.0, 2.0)]);
    assert_eq!(found.weights, Some(vec![3, 0, 2]));
    assert_eq!(found.rows, [no, no, yes]);
}

#[test]
fn wrong_values_are_told_with_their_row_and_column() {
    let fine = || floats(&[Some(1.0); 6]);
    let pair = |x: ArrayRef, n: ArrayRef| Held::new(vec![("x", x), ("y", fine()), ("n", n)]);
    let wanted = Wanted {
        place: Place::Columns { x: 0, y: 1 },
        weight: Some(2),
        ..WHOLE
    };
    let skip = Wanted {
        on_invalid: OnInvalid::Skip,
        ..wanted
    };
    let x = [
        Some(1.0),
        None,
        Some(f64::NAN),
        Some(1e200),
        Some(1e-200),
        Some(0.0),
    ];
    let reader = pair(floats(&x), fine()).sliced(4);
    let found = units(&reader, &skip).unwrap();
    assert_eq!(places(&found), [(1.0, 1.0), (0.0, 1.0)]);
    assert_eq!(found.bad_rows, 4);
    assert_eq!(
        problem(&reader, &wanted),
        "in, row 2, column \"x\": the value is missing"
    );
    let weights = [
        (-1.0, "\"-1\" is negative; a weight counts units"),
        (0.5, "\"0.5\" is not a whole number; a weight counts units"),
        (
            1e300,
            "is too large for a weight (at most 9007199254740991)",
        ),
    ];
    for (weight, why) in weights {
        let n = floats(&[
            Some(1.0),
            Some(1.0),
            Some(1.0),
            Some(weight),
            None,
            Some(2.0),
        ]);
        let reader = pair(fine(), n).sliced(3);
        let found = problem(&reader, &wanted);
        assert!(found.starts_with("in, row 4, column \"n\": "), "{found}");
        assert!(found.ends_with(why), "{found}");
        let found = units(&reader, &skip).unwrap();
        assert_eq!((found.bad_rows, found.points.len()), (2, 4));
        assert_eq!(found.weights, Some(vec![1, 1, 1, 2]));
    }
}

/// A polygon in the second of three rows, and then bytes that are none.
fn mixed() -> Held {
    let corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)].map(|(x, y)| Point::new(x, y));
    let point = geometry::point(Point::new(1.0, 2.0));
    let polygon = geometry::polygons(&[corners.to_vec()]);
    let wkb = BinaryArray::from(vec![&point[..], &polygon, b"\x01\x02"]);
    Held::new(vec![("geom", Arc::new(wkb))]).with_geometry(0, Encoding::Wkb, Shape::Any)
}

#[test]
fn other_geometries_are_refused_unless_centroids_will_do() {
    for wanted in [WHOLE, SKIP] {
        assert_eq!(
            problem(&mixed(), &wanted),
            "in: kdisc measures points, and row 2 is a polygon"
        );
    }
    let wanted = Wanted {
        centroid: true,
        ..SKIP
    };
    let found = units(&mixed(), &wanted).unwrap();
    assert_eq!(places(&found), [(1.0, 2.0), (1.0, 1.0)]);
    assert_eq!(
        found.first_bad.unwrap().to_string(),
        "in, row 3, column \"geom\": the geometry ends too early"
    );
}

#[test]
fn a_layer_without_geometries_or_with_errors() {
    let reader = Held::new(vec![("a", floats(&[Some(1.0)]))]);
    let found = units(&reader, &SKIP).unwrap();
    assert_eq!((found.bad_rows, found.rows.len()), (1, 1));
    let reader = Held {
        breaks: true,
        ..mixed()
    };
    let wanted = Wanted {
        centroid: true,
        ..SKIP
    };
    assert!(matches!(
        units(&reader, &wanted),
        Err(InputError::Broken { .. })
    ));
}

//! Columns of geometries in whatever encoding, as WKB.
//!
//! Formats other than Arrow and Parquet know no native points: these become WKB here, with their
//! heights and measures (the ISO types 1001, 2001 and 3001).

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, BinaryArray, Float64Array};
use arrow_buffer::{Buffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};

use crate::layer::Encoding;

/// A column of geometries as WKB.
///
/// # Errors
/// The column is not encoded like that, or has more than 2 GiB of WKB.
pub fn wkb_column(array: &ArrayRef, encoding: Encoding) -> Result<BinaryArray, ArrowError> {
    match encoding {
        Encoding::Wkb => {
            // Arrow would cast numbers and text too.
            if !holds_wkb(array.data_type()) {
                let message = format!("a column of {} holds no WKB", array.data_type());
                return Err(ArrowError::InvalidArgumentError(message));
            }
            let binary = arrow_cast::cast(array, &DataType::Binary)?;
            Ok(binary.as_binary::<i32>().clone())
        }
        Encoding::Separated => separated(array),
        Encoding::Interleaved => interleaved(array),
    }
}

/// Whether a column of this type can hold WKB: bytes of any length.
pub(crate) fn holds_wkb(found: &DataType) -> bool {
    matches!(
        found,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView
    )
}

fn separated(array: &ArrayRef) -> Result<BinaryArray, ArrowError> {
    let points = array.as_struct_opt().ok_or_else(|| no_points(array))?;
    let find = |name| points.column_by_name(name).map(numbers).transpose();
    let (Some(x), Some(y)) = (find("x")?, find("y")?) else {
        return Err(no_points(array));
    };
    let (z, m) = (find("z")?, find("m")?);
    let kind = kind(z.is_some(), m.is_some());
    let axes: Vec<_> = [Some(x), Some(y), z, m].into_iter().flatten().collect();
    encode(array, kind, axes.len(), |row, axis| value(&axes[axis], row))
}

fn interleaved(array: &ArrayRef) -> Result<BinaryArray, ArrowError> {
    let points = array
        .as_fixed_size_list_opt()
        .ok_or_else(|| no_points(array))?;
    let DataType::FixedSizeList(axes, size) = points.data_type() else {
        return Err(no_points(array));
    };
    let kind = match (size, axes.name().as_str()) {
        (2, _) => kind(false, false),
        (3, "xym") => kind(false, true),
        (3, _) => kind(true, false),
        (4, _) => kind(true, true),
        _ => return Err(no_points(array)),
    };
    let values = numbers(points.values())?;
    encode(array, kind, *size as usize, |row, axis| {
        value(&values, points.value_offset(row) as usize + axis)
    })
}

fn kind(z: bool, m: bool) -> u32 {
    1 + 1000 * u32::from(z) + 2000 * u32::from(m)
}

fn numbers(array: &ArrayRef) -> Result<Float64Array, ArrowError> {
    let cast = arrow_cast::cast(array, &DataType::Float64)?;
    Ok(cast.as_primitive::<Float64Type>().clone())
}

/// A coordinate that is missing is one of an empty point, which WKB writes as NaN.
fn value(numbers: &Float64Array, at: usize) -> f64 {
    if numbers.is_null(at) {
        f64::NAN
    } else {
        numbers.value(at)
    }
}

fn encode(
    array: &ArrayRef,
    kind: u32,
    axes: usize,
    coordinate: impl Fn(usize, usize) -> f64,
) -> Result<BinaryArray, ArrowError> {
    let size = 5 + 8 * axes;
    let present = array.len() - array.null_count();
    if i32::try_from(present.saturating_mul(size)).is_err() {
        let message = format!("{} points do not fit one column of WKB", array.len());
        return Err(ArrowError::InvalidArgumentError(message));
    }
    let mut wkb = Vec::with_capacity(present * size);
    for row in 0..array.len() {
        if array.is_valid(row) {
            wkb.push(1);
            wkb.extend_from_slice(&kind.to_le_bytes());
            for axis in 0..axes {
                wkb.extend_from_slice(&coordinate(row, axis).to_le_bytes());
            }
        }
    }
    let lengths = (0..array.len()).map(|row| if array.is_valid(row) { size } else { 0 });
    let offsets = OffsetBuffer::from_lengths(lengths);
    BinaryArray::try_new(offsets, Buffer::from(wkb), array.nulls().cloned())
}

fn no_points(array: &ArrayRef) -> ArrowError {
    let message = format!("a column of {} holds no points", array.data_type());
    ArrowError::InvalidArgumentError(message)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{FixedSizeListArray, LargeBinaryArray, StructArray};
    use arrow_buffer::NullBuffer;
    use arrow_schema::Field;
    use kdisc::Point;

    use super::*;
    use crate::geometry;

    fn list(values: Vec<f64>, names: &str, nulls: Option<NullBuffer>) -> ArrayRef {
        let field = Arc::new(Field::new(names, DataType::Float64, false));
        let values = Arc::new(Float64Array::from(values));
        let size = i32::try_from(names.len()).unwrap();
        Arc::new(FixedSizeListArray::new(field, size, values, nulls))
    }

    fn structure(names: &str, nulls: Option<NullBuffer>) -> ArrayRef {
        let axis = |i: usize| Float64Array::from(vec![i as f64, 10.0 + i as f64]);
        let fields = names.chars().enumerate();
        let (fields, axes): (Vec<_>, Vec<_>) = fields
            .map(|(i, name)| {
                let field = Field::new(name.to_string(), DataType::Float64, false);
                (field, Arc::new(axis(i)) as ArrayRef)
            })
            .unzip();
        Arc::new(StructArray::new(fields.into(), axes, nulls))
    }

    #[test]
    fn both_native_encodings_give_the_wkb_of_their_points() {
        let separated = wkb_column(&structure("xy", None), Encoding::Separated).unwrap();
        let values = vec![0.0, 1.0, 10.0, 11.0];
        let interleaved = wkb_column(&list(values, "xy", None), Encoding::Interleaved).unwrap();
        assert_eq!(separated, interleaved);
        assert_eq!(separated.value(1), geometry::point(Point::new(10.0, 11.0)));
    }

    #[test]
    fn heights_and_measures_are_kept() {
        for (names, kind) in [("xyz", 1001), ("xym", 2001), ("xyzm", 3001)] {
            let wkb = wkb_column(&structure(names, None), Encoding::Separated).unwrap();
            let first = wkb.value(0);
            assert_eq!(first.len(), 5 + 8 * names.len());
            assert_eq!(first[1..5], u32::to_le_bytes(kind));
            let last = (names.len() - 1) as f64;
            assert_eq!(first[first.len() - 8..], last.to_le_bytes());
            let values: Vec<f64> = (0..names.len()).map(|i| i as f64).collect();
            let again = wkb_column(&list(values, names, None), Encoding::Interleaved).unwrap();
            assert_eq!(again.value(0), first);
        }
    }

    #[test]
    fn nulls_and_slices_keep_their_place() {
        let nulls = Some(NullBuffer::from(vec![false, true]));
        let both = [
            (structure("xy", nulls.clone()), Encoding::Separated),
            (
                list(vec![0.0, 1.0, 10.0, 11.0], "xy", nulls),
                Encoding::Interleaved,
            ),
        ];
        for (array, encoding) in both {
            let wkb = wkb_column(&array, encoding).unwrap();
            assert!(wkb.is_null(0));
            let expected = geometry::point(Point::new(10.0, 11.0));
            assert_eq!(wkb.value(1), expected);
            let slice = wkb_column(&array.slice(1, 1), encoding).unwrap();
            assert_eq!(slice.len(), 1);
            assert_eq!(slice.value(0), expected);
        }
    }

    #[test]
    fn wkb_stays_as_it_is_whatever_its_offsets() {
        let large: ArrayRef = Arc::new(LargeBinaryArray::from(vec![Some(&b"abc"[..]), None]));
        let wkb = wkb_column(&large, Encoding::Wkb).unwrap();
        assert_eq!(wkb.value(0), b"abc");
        assert!(wkb.is_null(1));
    }

    #[test]
    fn other_columns_are_refused() {
        let text: ArrayRef = Arc::new(arrow_array::Int32Array::from(vec![1]));
        for encoding in [Encoding::Wkb, Encoding::Separated, Encoding::Interleaved] {
            assert!(wkb_column(&text, encoding).is_err(), "{encoding:?}");
        }
        assert!(wkb_column(&structure("xz", None), Encoding::Separated).is_err());
    }
}

//! Columns of Arrow as the four kinds of values that `SQLite` has.

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, LargeBinaryArray, LargeStringArray};
use arrow_cast::CastOptions;
use arrow_cast::display::array_value_to_string;
use arrow_schema::{ArrowError, DataType, Field, TimeUnit};
use rusqlite::types::ValueRef;

use super::types;
use crate::values::plain_type;
use crate::{json, moment};

const DAY: i64 = 86_400_000;

/// The values of a column.
pub(super) enum Values {
    Whole(Int64Array),
    Real(Float64Array),
    Text(LargeStringArray),
    Blob(LargeBinaryArray),
}

impl Values {
    /// The values of an Arrow column, or why they cannot be had.
    pub fn of(array: &ArrayRef) -> Result<Self, String> {
        let said = |error: ArrowError| error.to_string();
        let kind = plain_type(array.data_type());
        Ok(match types::sql(kind) {
            Some("DATE") => Self::Text(dates(array)?),
            Some("DATETIME") => Self::Text(times(array)?),
            Some("BLOB") => {
                let cast = cast(array, &DataType::LargeBinary).map_err(said)?;
                Self::Blob(cast.as_binary().clone())
            }
            Some("FLOAT" | "DOUBLE") => {
                let cast = cast(array, &DataType::Float64).map_err(said)?;
                Self::Real(cast.as_primitive::<Float64Type>().clone())
            }
            Some(_) => {
                let cast = cast(array, &DataType::Int64).map_err(said)?;
                Self::Whole(cast.as_primitive::<Int64Type>().clone())
            }
            None => Self::Text(texts(array, kind).map_err(said)?),
        })
    }

    /// The value of a row. A number that is none (NaN) becomes null in `SQLite`.
    pub fn get(&self, row: usize) -> ValueRef<'_> {
        let null = match self {
            Self::Whole(array) => array.is_null(row),
            Self::Real(array) => array.is_null(row),
            Self::Text(array) => array.is_null(row),
            Self::Blob(array) => array.is_null(row),
        };
        if null {
            return ValueRef::Null;
        }
        match self {
            Self::Whole(array) => ValueRef::Integer(array.value(row)),
            Self::Real(array) => ValueRef::Real(array.value(row)),
            Self::Text(array) => ValueRef::Text(array.value(row).as_bytes()),
            Self::Blob(array) => ValueRef::Blob(array.value(row)),
        }
    }
}

/// Casts, or fails; what does not fit is never made null.
fn cast(array: &ArrayRef, kind: &DataType) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    let kind_of_values = plain_type(array.data_type());
    let array = arrow_cast::cast_with_options(array, kind_of_values, &options)?;
    match kind_of_values {
        // Arrow has no way from these to bytes with large offsets but by way of others.
        DataType::FixedSizeBinary(_) => {
            let binary = arrow_cast::cast_with_options(&array, &DataType::Binary, &options)?;
            arrow_cast::cast_with_options(&binary, kind, &options)
        }
        _ => arrow_cast::cast_with_options(&array, kind, &options),
    }
}

fn dates(array: &ArrayRef) -> Result<LargeStringArray, String> {
    let milliseconds = *plain_type(array.data_type()) == DataType::Date64;
    let numbers = cast(array, plain_type(array.data_type()))
        .and_then(|days| {
            if milliseconds {
                cast(&days, &DataType::Int64)
            } else {
                cast(&cast(&days, &DataType::Int32)?, &DataType::Int64)
            }
        })
        .map_err(|error| error.to_string())?;
    written(numbers.as_primitive::<Int64Type>(), |number| {
        let days = if milliseconds {
            number.div_euclid(DAY)
        } else {
            number
        };
        date(days)
    })
}

/// In UTC, which is what Arrow counts where it knows the zone; where it does not, without a zone.
fn times(array: &ArrayRef) -> Result<LargeStringArray, String> {
    let said = |error: ArrowError| error.to_string();
    let array = cast(array, plain_type(array.data_type())).map_err(said)?;
    let DataType::Timestamp(unit, zone) = array.data_type() else {
        return Err(format!("{} is no date with time", array.data_type()));
    };
    let numbers = cast(&array, &DataType::Int64).map_err(said)?;
    let (unit, is_zoned) = (*unit, zone.is_some());
    written(numbers.as_primitive::<Int64Type>(), |number| {
        let milliseconds = match unit {
            TimeUnit::Second => number.checked_mul(1000)?,
            TimeUnit::Millisecond => number,
            TimeUnit::Microsecond => number.div_euclid(1000),
            TimeUnit::Nanosecond => number.div_euclid(1_000_000),
        };
        date_time(milliseconds, is_zoned)
    })
}

/// The date that is so many days after 1970; `None` outside the years 0 to 9999.
fn date(days: i64) -> Option<String> {
    let mut text = String::new();
    moment::WRITABLE.contains(&days).then(|| {
        moment::write_date(&mut text, days);
        text
    })
}

/// The date and time that is so many milliseconds after 1970, with these written out.
fn date_time(milliseconds: i64, is_zoned: bool) -> Option<String> {
    let mut text = date(milliseconds.div_euclid(DAY))?;
    text.push('T');
    moment::write_time(
        &mut text,
        milliseconds.rem_euclid(DAY),
        TimeUnit::Millisecond,
    );
    if milliseconds % 1000 == 0 {
        text.push_str(".000");
    }
    if is_zoned {
        text.push('Z');
    }
    Some(text)
}

fn written(
    numbers: &Int64Array,
    write: impl Fn(i64) -> Option<String>,
) -> Result<LargeStringArray, String> {
    let mut texts = LargeStringBuilder::new();
    for number in numbers {
        match number.map(|number| write(number).ok_or(number)) {
            None => texts.append_null(),
            Some(Ok(text)) => texts.append_value(text),
            Some(Err(number)) => {
                return Err(format!("{number} since 1970 is not in the years 0 to 9999"));
            }
        }
    }
    Ok(texts.finish())
}

fn texts(array: &ArrayRef, kind: &DataType) -> Result<LargeStringArray, ArrowError> {
    if kind.is_string() {
        return Ok(cast(array, &DataType::LargeUtf8)?.as_string().clone());
    }
    let array = &cast(array, kind)?;
    let mut texts = LargeStringBuilder::new();
    let field = Field::new("", kind.clone(), true);
    let nested = kind.is_nested().then(|| json::Values::new(array, &field));
    let nested = nested.transpose()?;
    let (mut text, mut buffer) = (Vec::new(), zmij::Buffer::new());
    for row in 0..array.len() {
        if array.is_null(row) || *kind == DataType::Null {
            texts.append_null();
        } else if let Some(values) = &nested {
            text.clear();
            values.write(row, &mut text, &mut buffer);
            texts.append_value(String::from_utf8_lossy(&text));
        } else {
            texts.append_value(array_value_to_string(array, row)?);
        }
    }
    Ok(texts.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_four_digits_of_years_and_times_three_of_fraction() {
        assert_eq!(date(0).unwrap(), "1970-01-01");
        let (first, last) = (*moment::WRITABLE.start(), *moment::WRITABLE.end());
        assert_eq!(date(first).unwrap(), "0000-01-01");
        assert_eq!(date(last).unwrap(), "9999-12-31");
        for day in [first - 1, last + 1, i64::MIN, i64::MAX] {
            assert_eq!(date(day), None);
        }
        assert_eq!(date_time(-1, true).unwrap(), "1969-12-31T23:59:59.999Z");
        assert_eq!(date_time(-1000, true).unwrap(), "1969-12-31T23:59:59.000Z");
        let late = 1_704_164_645_678;
        assert_eq!(date_time(late, true).unwrap(), "2024-01-02T03:04:05.678Z");
        assert_eq!(date_time(i64::MAX, true), None);
        assert_eq!(date_time(i64::MIN, true), None);
    }
}

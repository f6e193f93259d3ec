//! Values of `SQLite`, whose type is their own, into columns of Arrow, whose type is one.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float32Builder, Float64Builder, Int8Builder,
    Int16Builder, Int32Builder, Int64Builder, StringBuilder, TimestampMillisecondBuilder,
};
use arrow_schema::{DataType, TimeUnit};
use rusqlite::types::ValueRef;

use super::blob;
use crate::moment::{self, Form};

/// Longer values are shortened in messages.
const SHOWN: usize = 40;

/// A column being filled.
pub(super) enum Column {
    Boolean(BooleanBuilder),
    Int8(Int8Builder),
    Int16(Int16Builder),
    Int32(Int32Builder),
    Int64(Int64Builder),
    Float32(Float32Builder),
    Float64(Float64Builder),
    Text(StringBuilder),
    Binary(BinaryBuilder),
    Date(Date32Builder),
    Time(TimestampMillisecondBuilder),
    Geometry(BinaryBuilder),
}

impl Column {
    /// A column of a type that the reader gives.
    pub fn new(kind: &DataType, geometry: bool) -> Self {
        match kind {
            _ if geometry => Self::Geometry(BinaryBuilder::new()),
            DataType::Boolean => Self::Boolean(BooleanBuilder::new()),
            DataType::Int8 => Self::Int8(Int8Builder::new()),
            DataType::Int16 => Self::Int16(Int16Builder::new()),
            DataType::Int32 => Self::Int32(Int32Builder::new()),
            DataType::Int64 => Self::Int64(Int64Builder::new()),
            DataType::Float32 => Self::Float32(Float32Builder::new()),
            DataType::Float64 => Self::Float64(Float64Builder::new()),
            DataType::Binary => Self::Binary(BinaryBuilder::new()),
            DataType::Date32 => Self::Date(Date32Builder::new()),
            DataType::Timestamp(TimeUnit::Millisecond, zone) => {
                let builder = TimestampMillisecondBuilder::new();
                Self::Time(builder.with_timezone_opt(zone.clone()))
            }
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a value, and tells how many bytes it takes beyond its place; or says what is wrong.
    pub fn add(&mut self, value: ValueRef<'_>) -> Result<usize, String> {
        let mut more = 0;
        match self {
            Self::Boolean(column) => column.append_option(match value {
                ValueRef::Integer(truth @ (0 | 1)) => Some(truth == 1),
                ValueRef::Null => None,
                _ => return Err(wrong(value, "a truth value, 0 or 1")),
            }),
            Self::Int8(column) => column.append_option(whole(value, "8 bits")?),
            Self::Int16(column) => column.append_option(whole(value, "16 bits")?),
            Self::Int32(column) => column.append_option(whole(value, "32 bits")?),
            Self::Int64(column) => column.append_option(whole(value, "64 bits")?),
            // The standard says that such a column holds no more digits.
            Self::Float32(column) => column.append_option(real(value)?.map(|real| real as f32)),
            Self::Float64(column) => column.append_option(real(value)?),
            Self::Text(column) => match value {
                ValueRef::Null => column.append_null(),
                ValueRef::Text(bytes) => {
                    let text = std::str::from_utf8(bytes);
                    let text = text.map_err(|_| wrong(value, "text in UTF-8"))?;
                    column.append_value(text);
                    more = text.len();
                }
                ValueRef::Integer(number) => column.append_value(number.to_string()),
                ValueRef::Real(number) => column.append_value(number.to_string()),
                ValueRef::Blob(_) => return Err(wrong(value, "text")),
            },
            Self::Binary(column) => match value {
                ValueRef::Null => column.append_null(),
                ValueRef::Blob(bytes) | ValueRef::Text(bytes) => {
                    column.append_value(bytes);
                    more = bytes.len();
                }
                _ => return Err(wrong(value, "bytes")),
            },
            Self::Date(column) => {
                let date = parsed(value, moment::date, "a date like 2024-01-31")?;
                column.append_option(date);
            }
            Self::Time(column) => {
                let expected = "a date with time like 2024-01-31T23:59:59.999Z";
                let found = parsed(value, |text| moment::moment(text, Form::Loose), expected)?;
                column.append_option(found.map(|found| found.micros.div_euclid(1000)));
            }
            Self::Geometry(column) => match value {
                ValueRef::Null => column.append_null(),
                ValueRef::Blob(bytes) => {
                    let wkb = blob::wkb(bytes).map_err(|error| error.to_string())?;
                    column.append_option(wkb);
                    more = wkb.map_or(0, <[u8]>::len);
                }
                _ => return Err(wrong(value, "a geometry")),
            },
        }
        Ok(more)
    }

    /// What was added.
    pub fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Boolean(column) => Arc::new(column.finish()),
            Self::Int8(column) => Arc::new(column.finish()),
            Self::Int16(column) => Arc::new(column.finish()),
            Self::Int32(column) => Arc::new(column.finish()),
            Self::Int64(column) => Arc::new(column.finish()),
            Self::Float32(column) => Arc::new(column.finish()),
            Self::Float64(column) => Arc::new(column.finish()),
            Self::Text(column) => Arc::new(column.finish()),
            Self::Date(column) => Arc::new(column.finish()),
            Self::Time(column) => Arc::new(column.finish()),
            Self::Binary(column) | Self::Geometry(column) => Arc::new(column.finish()),
        }
    }
}

fn parsed<T>(
    value: ValueRef<'_>,
    parse: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<Option<T>, String> {
    let text = value.as_str_or_null().map_err(|_| wrong(value, expected))?;
    let parsed = text.map(|text| parse(text).ok_or_else(|| wrong(value, expected)));
    parsed.transpose()
}

fn whole<T: TryFrom<i64>>(value: ValueRef<'_>, size: &str) -> Result<Option<T>, String> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let number = match value {
        ValueRef::Null => return Ok(None),
        ValueRef::Integer(number) => Some(number),
        ValueRef::Real(number) if number.fract() == 0.0 && (-LIMIT..LIMIT).contains(&number) => {
            Some(number as i64)
        }
        _ => None,
    };
    let number = number.and_then(|number| T::try_from(number).ok());
    number
        .map(Some)
        .ok_or_else(|| wrong(value, &format!("a whole number of {size}")))
}

fn real(value: ValueRef<'_>) -> Result<Option<f64>, String> {
    match value {
        ValueRef::Null => Ok(None),
        ValueRef::Real(number) => Ok(Some(number)),
        ValueRef::Integer(number) => {
            let real = number as f64;
            // The largest whole number rounds up to what is none.
            if i128::from(number) == real as i128 {
                Ok(Some(real))
            } else {
                Err(wrong(value, "a number that a double can hold"))
            }
        }
        _ => Err(wrong(value, "a number")),
    }
}

fn wrong(value: ValueRef<'_>, expected: &str) -> String {
    let found = match value {
        ValueRef::Null => "nothing".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Blob(bytes) => format!("a blob of {} bytes", bytes.len()),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            let more = if text.chars().count() > SHOWN {
                "…"
            } else {
                ""
            };
            format!("{:?}", text.chars().take(SHOWN).collect::<String>() + more)
        }
    };
    format!("expected {expected}, found {found}")
}

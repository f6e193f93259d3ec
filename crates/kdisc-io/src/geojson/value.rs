//! Any Arrow value as JSON.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, PrimitiveArray, StringArray, StructArray,
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{can_cast_types, cast};
use arrow_schema::{ArrowError, DataType, Field, TimeUnit};
use serde_json::value::RawValue;

use super::compact::compact;
use crate::layer;
use crate::moment;

/// A column of a batch, ready to be told row by row.
pub(crate) struct Values {
    array: ArrayRef,
    kind: Kind,
}

enum Kind {
    Null,
    Bool(BooleanArray),
    Whole(PrimitiveArray<Int64Type>),
    Large(PrimitiveArray<UInt64Type>),
    Single(PrimitiveArray<Float32Type>),
    Double(PrimitiveArray<Float64Type>),
    Text(StringArray),
    Json(StringArray),
    Hex(BinaryArray),
    /// In whole days.
    Date(PrimitiveArray<Int64Type>),
    Time(PrimitiveArray<Int64Type>, TimeUnit),
    Moment(PrimitiveArray<Int64Type>, TimeUnit, Option<i32>),
    /// Text that is a number.
    Number(StringArray),
    List(Vec<std::ops::Range<usize>>, Box<Values>),
    Struct(Vec<(String, Values)>),
}

impl Values {
    /// Whether values of a type can be told.
    pub fn can_tell(kind: &DataType) -> bool {
        match kind {
            DataType::List(field)
            | DataType::LargeList(field)
            | DataType::FixedSizeList(field, _) => Self::can_tell(field.data_type()),
            DataType::Struct(fields) => {
                fields.iter().all(|field| Self::can_tell(field.data_type()))
            }
            DataType::Dictionary(_, values) => Self::can_tell(values),
            DataType::Union(..)
            | DataType::Map(..)
            | DataType::RunEndEncoded(..)
            | DataType::ListView(_)
            | DataType::LargeListView(_) => false,
            _ => true,
        }
    }

    /// Prepares a column.
    pub fn new(array: &ArrayRef, field: &Field) -> Result<Self, ArrowError> {
        let as_type = |kind: &DataType| cast(array, kind);
        let wholes = |kind: &DataType| -> Result<PrimitiveArray<Int64Type>, ArrowError> {
            // Through the plain number that the unit counts in.
            let plain = cast(array, kind)?;
            Ok(cast(&plain, &DataType::Int64)?.as_primitive().clone())
        };
        let kind = match array.data_type() {
            DataType::Null => Kind::Null,
            DataType::Boolean => Kind::Bool(array.as_boolean().clone()),
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                Kind::Whole(as_type(&DataType::Int64)?.as_primitive().clone())
            }
            DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => {
                Kind::Large(as_type(&DataType::UInt64)?.as_primitive().clone())
            }
            DataType::Float16 | DataType::Float32 => {
                Kind::Single(as_type(&DataType::Float32)?.as_primitive().clone())
            }
            DataType::Float64 => Kind::Double(array.as_primitive().clone()),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
                let text = as_type(&DataType::Utf8)?.as_string().clone();
                if layer::extension(field) == Some(layer::JSON) {
                    Kind::Json(text)
                } else {
                    Kind::Text(text)
                }
            }
            DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => {
                Kind::Hex(as_type(&DataType::Binary)?.as_binary().clone())
            }
            DataType::Date32 => Kind::Date(wholes(&DataType::Int32)?),
            DataType::Date64 => {
                let millis = wholes(&DataType::Int64)?;
                Kind::Moment(millis, TimeUnit::Millisecond, None)
            }
            DataType::Time32(unit) => Kind::Time(wholes(&DataType::Int32)?, *unit),
            DataType::Time64(unit) => Kind::Time(wholes(&DataType::Int64)?, *unit),
            DataType::Timestamp(unit, zone) => {
                let zone = zone.as_deref().map(moment::zone_minutes);
                Kind::Moment(wholes(&DataType::Int64)?, *unit, zone)
            }
            DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..) => Kind::Number(displayed(array)?),
            DataType::Dictionary(_, values) => return Self::new(&cast(array, values)?, field),
            DataType::List(inner) => {
                let list = array.as_list::<i32>();
                let ranges = list.value_offsets().windows(2);
                let ranges = ranges
                    .map(|pair| pair[0] as usize..pair[1] as usize)
                    .collect();
                Kind::List(ranges, Box::new(Self::new(list.values(), inner)?))
            }
            DataType::LargeList(inner) => {
                let list = array.as_list::<i64>();
                let ranges = list.value_offsets().windows(2);
                let ranges = ranges
                    .map(|pair| pair[0] as usize..pair[1] as usize)
                    .collect();
                Kind::List(ranges, Box::new(Self::new(list.values(), inner)?))
            }
            DataType::FixedSizeList(inner, size) => {
                let list = array.as_fixed_size_list();
                let size = *size as usize;
                let ranges = (0..list.len()).map(|row| row * size..(row + 1) * size);
                Kind::List(ranges.collect(), Box::new(Self::new(list.values(), inner)?))
            }
            DataType::Struct(fields) => {
                let array: &StructArray = array.as_struct();
                let columns = fields.iter().zip(array.columns());
                let columns = columns
                    .map(|(field, column)| Ok((field.name().clone(), Self::new(column, field)?)));
                Kind::Struct(columns.collect::<Result<_, ArrowError>>()?)
            }
            other if can_cast_types(other, &DataType::Utf8) => {
                Kind::Text(as_type(&DataType::Utf8)?.as_string().clone())
            }
            _ => Kind::Text(displayed(array)?),
        };
        Ok(Self {
            array: Arc::clone(array),
            kind,
        })
    }

    /// Appends the value of a row.
    pub fn write(&self, row: usize, out: &mut Vec<u8>, buffer: &mut zmij::Buffer) {
        if self.array.is_null(row) {
            out.extend_from_slice(b"null");
            return;
        }
        let quoted = |text: &str, out: &mut Vec<u8>| {
            out.push(b'"');
            out.extend_from_slice(text.as_bytes());
            out.push(b'"');
        };
        let mut text = String::new();
        match &self.kind {
            Kind::Null => out.extend_from_slice(b"null"),
            Kind::Bool(array) => {
                let word: &[u8] = if array.value(row) { b"true" } else { b"false" };
                out.extend_from_slice(word);
            }
            Kind::Whole(array) => out.extend_from_slice(array.value(row).to_string().as_bytes()),
            Kind::Large(array) => out.extend_from_slice(array.value(row).to_string().as_bytes()),
            Kind::Single(array) => number(array.value(row), f32::is_finite, out, buffer),
            Kind::Double(array) => number(array.value(row), f64::is_finite, out, buffer),
            Kind::Text(array) => string(array.value(row), out),
            Kind::Json(array) => {
                let value = array.value(row);
                // Whatever another program put into a column of that name.
                if serde_json::from_str::<&RawValue>(value).is_ok() {
                    compact(value, out);
                } else {
                    string(value, out);
                }
            }
            Kind::Number(array) => out.extend_from_slice(array.value(row).as_bytes()),
            Kind::Hex(array) => {
                for byte in array.value(row) {
                    let digit = |half: u8| b"0123456789ABCDEF"[usize::from(half)];
                    text.push(digit(byte >> 4).into());
                    text.push(digit(byte & 15).into());
                }
                quoted(&text, out);
            }
            Kind::Date(array) => {
                moment::write_date(&mut text, array.value(row));
                quoted(&text, out);
            }
            Kind::Time(array, unit) => {
                moment::write_time(&mut text, array.value(row), *unit);
                quoted(&text, out);
            }
            Kind::Moment(array, unit, zone) => {
                moment::write_moment(&mut text, array.value(row), *unit, *zone);
                quoted(&text, out);
            }
            Kind::List(ranges, values) => {
                out.push(b'[');
                for (i, item) in ranges[row].clone().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    values.write(item, out, buffer);
                }
                out.push(b']');
            }
            Kind::Struct(columns) => {
                out.push(b'{');
                for (i, (name, values)) in columns.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    string(name, out);
                    out.push(b':');
                    values.write(row, out, buffer);
                }
                out.push(b'}');
            }
        }
    }
}

fn displayed(array: &ArrayRef) -> Result<StringArray, ArrowError> {
    let options = FormatOptions::default();
    let format = ArrayFormatter::try_new(array, &options)?;
    let texts = (0..array.len()).map(|row| format.value(row).try_to_string());
    texts.map(|text| text.map(Some)).collect()
}

fn number<T: zmij::Float + Copy>(
    value: T,
    finite: impl Fn(T) -> bool,
    out: &mut Vec<u8>,
    buffer: &mut zmij::Buffer,
) {
    if finite(value) {
        out.extend_from_slice(buffer.format_finite(value).as_bytes());
    } else {
        out.extend_from_slice(b"null");
    }
}

/// Appends a text in quotes.
pub(super) fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.find(|found: char| found < ' ' || found == '"' || found == '\\') {
        let (before, after) = rest.split_at(at);
        out.extend_from_slice(before.as_bytes());
        let byte = after.as_bytes()[0];
        let short: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            _ => &[],
        };
        out.extend_from_slice(short);
        if short.is_empty() {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
        }
        rest = &after[1..];
    }
    out.extend_from_slice(rest.as_bytes());
    out.push(b'"');
}

//! Any Arrow value as JSON: for `GeoJSON`, and for nested values in formats that know only flat ones.

mod text;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, PrimitiveArray, StringArray, StructArray,
};
use arrow_buffer::{ArrowNativeType, OffsetBuffer};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{can_cast_types, cast};
use arrow_schema::{ArrowError, DataType, Field, TimeUnit};
use serde_json::value::RawValue;

use self::text::{between, compact, number};
use crate::values::plain_type;
use crate::{layer, moment};

pub(crate) use self::text::{list, string};

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
    List(Vec<Range<usize>>, Box<Values>),
    Map(Vec<Range<usize>>, StringArray, Box<Values>),
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
            DataType::Map(entries, _) => Self::can_tell(entries.data_type()),
            DataType::Dictionary(..) | DataType::RunEndEncoded(..) => {
                Self::can_tell(plain_type(kind))
            }
            DataType::Union(..) | DataType::ListView(_) | DataType::LargeListView(_) => false,
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
            kind if kind.is_string() => {
                let text = as_type(&DataType::Utf8)?.as_string().clone();
                if layer::extension(field) == Some(layer::JSON) {
                    Kind::Json(text)
                } else {
                    Kind::Text(text)
                }
            }
            kind if kind.is_binary() => Kind::Hex(as_type(&DataType::Binary)?.as_binary().clone()),
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
            kind if kind.is_decimal() => Kind::Number(displayed(array)?),
            kind @ (DataType::Dictionary(..) | DataType::RunEndEncoded(..)) => {
                return Self::new(&cast(array, plain_type(kind))?, field);
            }
            DataType::List(inner) => {
                let list = array.as_list::<i32>();
                let values = Self::new(list.values(), inner)?;
                Kind::List(ranges(list.offsets()), Box::new(values))
            }
            DataType::LargeList(inner) => {
                let list = array.as_list::<i64>();
                let values = Self::new(list.values(), inner)?;
                Kind::List(ranges(list.offsets()), Box::new(values))
            }
            DataType::FixedSizeList(inner, size) => {
                let list = array.as_fixed_size_list();
                let size = *size as usize;
                let ranges = (0..list.len()).map(|row| row * size..(row + 1) * size);
                Kind::List(ranges.collect(), Box::new(Self::new(list.values(), inner)?))
            }
            DataType::Map(..) => {
                let map = array.as_map();
                let (_, field) = map.entries_fields();
                let values = Self::new(map.values(), field)?;
                let keys = displayed(map.keys())?;
                Kind::Map(ranges(map.offsets()), keys, Box::new(values))
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
                list(ranges[row].clone(), out, |item, out| {
                    values.write(item, out, buffer);
                });
            }
            Kind::Map(ranges, keys, values) => {
                between(*b"{}", ranges[row].clone(), out, |item, out| {
                    string(keys.value(item), out);
                    out.push(b':');
                    values.write(item, out, buffer);
                });
            }
            Kind::Struct(columns) => between(*b"{}", columns, out, |(name, values), out| {
                string(name, out);
                out.push(b':');
                values.write(row, out, buffer);
            }),
        }
    }
}

fn ranges<O: ArrowNativeType>(offsets: &OffsetBuffer<O>) -> Vec<Range<usize>> {
    let pairs = offsets.windows(2);
    pairs
        .map(|pair| pair[0].as_usize()..pair[1].as_usize())
        .collect()
}

fn displayed(array: &ArrayRef) -> Result<StringArray, ArrowError> {
    let options = FormatOptions::default();
    let format = ArrayFormatter::try_new(array, &options)?;
    let texts = (0..array.len()).map(|row| format.value(row).try_to_string());
    texts.map(|text| text.map(Some)).collect()
}

#[cfg(test)]
mod tests {
    use arrow_array::builder::{Int32Builder, MapBuilder, StringBuilder};
    use arrow_array::types::Int32Type;
    use arrow_array::{DictionaryArray, Int32Array, ListArray, RunArray};

    use super::*;

    fn told(array: impl Array + 'static) -> Vec<String> {
        let array: ArrayRef = Arc::new(array);
        assert!(Values::can_tell(array.data_type()));
        let field = Field::new("", array.data_type().clone(), true);
        let values = Values::new(&array, &field).unwrap();
        let tell = |row| {
            let mut out = Vec::new();
            values.write(row, &mut out, &mut zmij::Buffer::new());
            String::from_utf8(out).unwrap()
        };
        (0..array.len()).map(tell).collect()
    }

    #[test]
    fn maps_are_objects() {
        let mut maps = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
        maps.keys().append_value("a \"b\"");
        maps.values().append_value(1);
        maps.keys().append_value("c");
        maps.values().append_null();
        maps.append(true).unwrap();
        maps.append(false).unwrap();
        maps.keys().append_value("d");
        maps.values().append_value(2);
        maps.append(true).unwrap();
        let maps = maps.finish();
        let expected = [r#"{"a \"b\"":1,"c":null}"#, "null", r#"{"d":2}"#];
        assert_eq!(told(maps.slice(1, 2)), expected[1..]);
        assert_eq!(told(maps), expected);
    }

    #[test]
    fn a_slice_of_lists_keeps_its_values() {
        let lists = [
            Some(vec![Some(1), None]),
            None,
            Some(vec![]),
            Some(vec![Some(2)]),
        ];
        let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(lists);
        assert_eq!(told(lists.slice(1, 3)), ["null", "[]", "[2]"]);
        assert_eq!(told(lists), ["[1,null]", "null", "[]", "[2]"]);
    }

    #[test]
    fn values_are_told_however_they_are_stored() {
        let texts = StringArray::from(vec![Some("a"), None]);
        let keys = Int32Array::from(vec![1, 0, 0]);
        let dictionary = DictionaryArray::new(keys, Arc::new(texts.clone()));
        assert_eq!(told(dictionary), ["null", "\"a\"", "\"a\""]);
        let ends = Int32Array::from(vec![2, 3]);
        let runs = RunArray::<Int32Type>::try_new(&ends, &texts).unwrap();
        assert_eq!(told(runs), ["\"a\"", "\"a\"", "null"]);
    }

    #[test]
    fn texts_are_escaped() {
        let text = "\"\\ \n\r\t \u{1} é";
        let found = &told(StringArray::from(vec![text]))[0];
        assert_eq!(serde_json::from_str::<String>(found).unwrap(), text);
    }
}

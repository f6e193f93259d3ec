//! Any Arrow value as a property.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field};

use super::Type;
use crate::json::Values;
use crate::layer;
use crate::values::plain_type;

/// Digits of a decimal that a double holds.
const EXACT: u8 = 15;

/// How a column is written; `None` if it cannot be.
pub(super) fn kind(field: &Field) -> Option<Type> {
    let json = layer::extension(field) == Some(layer::JSON);
    Some(match plain_type(field.data_type()) {
        DataType::Boolean => Type::Bool,
        DataType::Int8 => Type::Byte,
        DataType::UInt8 => Type::UByte,
        DataType::Int16 => Type::Short,
        DataType::UInt16 => Type::UShort,
        DataType::Int32 => Type::Int,
        DataType::UInt32 => Type::UInt,
        DataType::Int64 => Type::Long,
        DataType::UInt64 => Type::ULong,
        DataType::Float16 | DataType::Float32 => Type::Float,
        DataType::Float64 => Type::Double,
        DataType::Decimal32(digits, _)
        | DataType::Decimal64(digits, _)
        | DataType::Decimal128(digits, _)
        | DataType::Decimal256(digits, _)
            if *digits <= EXACT =>
        {
            Type::Double
        }
        kind if kind.is_string() && json => Type::Json,
        kind if kind.is_binary() => Type::Binary,
        DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Type::DateTime,
        kind if !Values::can_tell(kind) => return None,
        kind if kind.is_nested() => Type::Json,
        _ => Type::String,
    })
}

/// A column of a batch, ready to be written row by row.
pub(super) struct Properties {
    kind: Type,
    array: ArrayRef,
    /// For what is told in words.
    values: Option<Values>,
}

impl Properties {
    pub fn new(array: &ArrayRef, field: &Field, kind: Type) -> Result<Self, ArrowError> {
        let array = cast(array, plain_type(array.data_type()))?;
        let is_told = |to: &DataType| *to == DataType::Utf8 && !array.data_type().is_string();
        let Some(to) = kind.arrow().filter(|to| !is_told(to)) else {
            return Ok(Self {
                kind,
                values: Some(Values::new(&array, field)?),
                array,
            });
        };
        Ok(Self {
            kind,
            array: cast(&array, &to)?,
            values: None,
        })
    }

    /// Appends the value of a row, if it has one.
    pub fn write(&self, column: u16, row: usize, out: &mut Vec<u8>, buffer: &mut zmij::Buffer) {
        if self.array.is_null(row) || self.array.data_type() == &DataType::Null {
            return;
        }
        out.extend_from_slice(&column.to_le_bytes());
        if let Some(values) = &self.values {
            let start = out.len();
            out.extend_from_slice(&[0; 4]);
            values.write(row, out, buffer);
            // Text stands in quotes there, and has no escapes: it is a time or a number.
            if self.kind != Type::Json && out.get(start + 4) == Some(&b'"') {
                out.remove(start + 4);
                out.pop();
            }
            let length = (out.len() - start - 4) as u32;
            out[start..start + 4].copy_from_slice(&length.to_le_bytes());
            return;
        }
        macro_rules! number {
            ($type:ty) => {
                out.extend_from_slice(&self.array.as_primitive::<$type>().value(row).to_le_bytes())
            };
        }
        let mut sized = |bytes: &[u8]| {
            out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            out.extend_from_slice(bytes);
        };
        match self.kind {
            Type::Byte => number!(Int8Type),
            Type::UByte => number!(UInt8Type),
            Type::Short => number!(Int16Type),
            Type::UShort => number!(UInt16Type),
            Type::Int => number!(Int32Type),
            Type::UInt => number!(UInt32Type),
            Type::Long => number!(Int64Type),
            Type::ULong => number!(UInt64Type),
            Type::Float => number!(Float32Type),
            Type::Double => number!(Float64Type),
            Type::Bool => out.push(u8::from(self.array.as_boolean().value(row))),
            Type::Binary => sized(self.array.as_binary::<i32>().value(row)),
            Type::String | Type::Json | Type::DateTime => {
                sized(self.array.as_string::<i32>().value(row).as_bytes());
            }
        }
    }
}

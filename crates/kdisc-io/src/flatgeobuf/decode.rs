//! Values of one column, as they come.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Int64Builder, PrimitiveBuilder, StringBuilder,
};
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::{DataType, Field, TimeUnit};

use super::table::Wrong;
use crate::moment::{self, Form};

const CHANGED: Wrong = "the file changed while it was read";

/// A column being filled.
pub(super) enum Column {
    Bool(BooleanBuilder),
    Number(Box<dyn Numbers>),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Date(Date32Builder),
    /// In microseconds, whatever the unit.
    Time(Int64Builder, TimeUnit, Option<Arc<str>>),
}

/// Numbers of one type.
pub(super) trait Numbers: Send {
    fn push(&mut self, bytes: Option<&[u8]>) -> Result<(), Wrong>;
    fn finish(&mut self) -> ArrayRef;
}

struct Plain<T: ArrowPrimitiveType, const N: usize> {
    builder: PrimitiveBuilder<T>,
    number: fn([u8; N]) -> T::Native,
}

impl<T: ArrowPrimitiveType, const N: usize> Numbers for Plain<T, N> {
    fn push(&mut self, bytes: Option<&[u8]>) -> Result<(), Wrong> {
        let number = match bytes {
            None => None,
            Some(bytes) => Some((self.number)(bytes.try_into().map_err(|_| CHANGED)?)),
        };
        self.builder.append_option(number);
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}

fn plain<T: ArrowPrimitiveType, const N: usize>(number: fn([u8; N]) -> T::Native) -> Column {
    let builder = PrimitiveBuilder::<T>::new();
    Column::Number(Box::new(Plain { builder, number }))
}

impl Column {
    pub fn new(field: &Field) -> Self {
        match field.data_type() {
            DataType::Boolean => Self::Bool(BooleanBuilder::new()),
            DataType::Int8 => plain::<Int8Type, 1>(i8::from_le_bytes),
            DataType::UInt8 => plain::<UInt8Type, 1>(u8::from_le_bytes),
            DataType::Int16 => plain::<Int16Type, 2>(i16::from_le_bytes),
            DataType::UInt16 => plain::<UInt16Type, 2>(u16::from_le_bytes),
            DataType::Int32 => plain::<Int32Type, 4>(i32::from_le_bytes),
            DataType::UInt32 => plain::<UInt32Type, 4>(u32::from_le_bytes),
            DataType::Int64 => plain::<Int64Type, 8>(i64::from_le_bytes),
            DataType::UInt64 => plain::<UInt64Type, 8>(u64::from_le_bytes),
            DataType::Float32 => plain::<Float32Type, 4>(f32::from_le_bytes),
            DataType::Float64 => plain::<Float64Type, 8>(f64::from_le_bytes),
            DataType::Binary => Self::Bytes(BinaryBuilder::new()),
            DataType::Date32 => Self::Date(Date32Builder::new()),
            DataType::Timestamp(unit, zone) => Self::Time(Int64Builder::new(), *unit, zone.clone()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a value, or null.
    pub fn push(&mut self, bytes: Option<&[u8]>) -> Result<(), Wrong> {
        let text = || {
            let text = bytes.map(std::str::from_utf8);
            text.transpose().map_err(|_| "the text is not UTF-8")
        };
        match self {
            Self::Bool(builder) => {
                builder.append_option(bytes.map(|bytes| bytes.first() != Some(&0)));
            }
            Self::Number(numbers) => numbers.push(bytes)?,
            Self::Text(builder) => builder.append_option(text()?),
            Self::Bytes(builder) => builder.append_option(bytes),
            Self::Date(builder) => {
                let date = text()?.map(|text| moment::date(text).ok_or(CHANGED));
                builder.append_option(date.transpose()?);
            }
            Self::Time(builder, ..) => {
                let found = text()?.map(|text| moment::moment(text, Form::Usual).ok_or(CHANGED));
                builder.append_option(found.transpose()?.map(|found| found.micros));
            }
        }
        Ok(())
    }

    /// What has been added since the last time.
    pub fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Bool(builder) => Arc::new(builder.finish()),
            Self::Number(numbers) => numbers.finish(),
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Bytes(builder) => Arc::new(builder.finish()),
            Self::Date(builder) => Arc::new(builder.finish()),
            Self::Time(builder, unit, zone) => {
                moment::array(&builder.finish(), *unit, zone.clone())
            }
        }
    }
}

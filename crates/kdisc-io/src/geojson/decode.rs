//! Values of one column, as they come.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
    UInt64Builder,
};
use arrow_schema::{DataType, Field, TimeUnit};

use super::geometry;
use super::open::{Problem, changed, content_of};
use crate::geometry::Parts;
use crate::layer;
use crate::moment::{self, Form};

/// A column being filled.
pub(super) enum Column {
    Bool(BooleanBuilder),
    Whole(Int64Builder),
    Large(UInt64Builder),
    Float(Float64Builder),
    Text(StringBuilder),
    Json(StringBuilder),
    Date(Date32Builder),
    /// In microseconds, whatever the unit.
    Time(Int64Builder, TimeUnit, Option<Arc<str>>),
    Geometry(BinaryBuilder, Box<Parts>, Vec<u8>),
}

impl Column {
    pub fn new(field: &Field) -> Self {
        match field.data_type() {
            DataType::Boolean => Self::Bool(BooleanBuilder::new()),
            DataType::Int64 => Self::Whole(Int64Builder::new()),
            DataType::UInt64 => Self::Large(UInt64Builder::new()),
            DataType::Float64 => Self::Float(Float64Builder::new()),
            DataType::Date32 => Self::Date(Date32Builder::new()),
            DataType::Timestamp(unit, zone) => Self::Time(Int64Builder::new(), *unit, zone.clone()),
            DataType::Binary => Self::Geometry(BinaryBuilder::new(), Box::default(), Vec::new()),
            _ if layer::extension(field) == Some(layer::JSON) => Self::Json(StringBuilder::new()),
            _ => Self::Text(StringBuilder::new()),
        }
    }

    /// Adds a value, or null.
    pub fn push(&mut self, value: Option<&str>) -> Result<(), Problem> {
        let value = value.filter(|value| *value != "null");
        match self {
            Self::Bool(builder) => builder.append_option(parsed(value)?),
            Self::Whole(builder) => builder.append_option(parsed(value)?),
            Self::Large(builder) => builder.append_option(parsed(value)?),
            Self::Float(builder) => builder.append_option(parsed(value)?),
            Self::Text(builder) => builder.append_option(value.map(content_of).transpose()?),
            Self::Json(builder) => builder.append_option(value),
            Self::Date(builder) => {
                let text = value.map(content_of).transpose()?;
                let date = text.map(|text| moment::date(&text).ok_or_else(changed));
                builder.append_option(date.transpose()?);
            }
            Self::Time(builder, ..) => {
                let text = value.map(content_of).transpose()?;
                let found = text.map(|text| moment::moment(&text, Form::Usual).ok_or_else(changed));
                builder.append_option(found.transpose()?.map(|found| found.micros));
            }
            Self::Geometry(builder, parts, wkb) => match value {
                None => builder.append_null(),
                Some(text) => {
                    geometry::read(text, parts).map_err(Problem::Other)?;
                    wkb.clear();
                    parts.write(wkb);
                    builder.append_value(&wkb);
                }
            },
        }
        Ok(())
    }

    /// What has been added since the last time.
    pub fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Bool(builder) => Arc::new(builder.finish()),
            Self::Whole(builder) => Arc::new(builder.finish()),
            Self::Large(builder) => Arc::new(builder.finish()),
            Self::Float(builder) => Arc::new(builder.finish()),
            Self::Text(builder) | Self::Json(builder) => Arc::new(builder.finish()),
            Self::Date(builder) => Arc::new(builder.finish()),
            Self::Geometry(builder, ..) => Arc::new(builder.finish()),
            Self::Time(builder, unit, zone) => {
                moment::array(&builder.finish(), *unit, zone.clone())
            }
        }
    }
}

fn parsed<T: std::str::FromStr>(value: Option<&str>) -> Result<Option<T>, Problem> {
    let value = value.map(|text| text.parse().map_err(|_| changed()));
    value.transpose()
}

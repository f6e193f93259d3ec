//! Columns of the tables that we make: their fields, and their values.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field};

pub fn number(name: &str) -> Field {
    Field::new(name, DataType::Float64, true)
}

pub fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, true)
}

pub fn whole(name: &str) -> Field {
    Field::new(name, DataType::Int64, true)
}

pub fn truth(name: &str) -> Field {
    Field::new(name, DataType::Boolean, true)
}

pub fn numbers(values: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    Arc::new(values.collect::<Float64Array>())
}

/// Counts are below 2^53.
pub fn wholes(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    let values = values.map(|value| value.map(u64::cast_signed));
    Arc::new(values.collect::<Int64Array>())
}

pub fn truths(values: impl Iterator<Item = Option<bool>>) -> ArrayRef {
    Arc::new(values.collect::<BooleanArray>())
}

pub fn texts(values: impl Iterator<Item = Option<String>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

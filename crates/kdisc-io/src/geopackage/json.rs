//! Nested values as JSON, for formats that know only flat ones.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::CastOptions;
use arrow_cast::display::array_value_to_string;
use arrow_schema::{ArrowError, DataType};
use serde_json::{Map, Value};

/// The value of a row.
pub(super) fn value(array: &ArrayRef, row: usize) -> Result<Value, ArrowError> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match array.data_type() {
        DataType::Boolean => Value::from(array.as_boolean().value(row)),
        kind if kind.is_signed_integer() => {
            let one = cast(array, row, &DataType::Int64)?;
            Value::from(one.as_primitive::<Int64Type>().value(0))
        }
        kind if kind.is_unsigned_integer() => {
            let one = cast(array, row, &DataType::UInt64)?;
            Value::from(one.as_primitive::<UInt64Type>().value(0))
        }
        // What is not finite is null in JSON.
        kind if kind.is_floating() => {
            let one = cast(array, row, &DataType::Float64)?;
            Value::from(one.as_primitive::<Float64Type>().value(0))
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            let members = fields.iter().zip(columns).map(|(field, column)| {
                value(column, row).map(|member| (field.name().clone(), member))
            });
            Value::Object(members.collect::<Result<_, _>>()?)
        }
        DataType::List(_) => list(&array.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row))?,
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let mut members = Map::new();
            for entry in 0..entries.len() {
                let key = array_value_to_string(keys, entry)?;
                members.insert(key, value(values, entry)?);
            }
            Value::Object(members)
        }
        DataType::Dictionary(_, kind) => value(&cast(array, row, kind)?, 0)?,
        _ => Value::from(array_value_to_string(array, row)?),
    })
}

fn list(items: &ArrayRef) -> Result<Value, ArrowError> {
    let items = (0..items.len()).map(|item| value(items, item));
    Ok(Value::Array(items.collect::<Result<_, _>>()?))
}

/// One value in another type, or an error; never null for what does not fit.
fn cast(array: &ArrayRef, row: usize, kind: &DataType) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    arrow_cast::cast_with_options(&array.slice(row, 1), kind, &options)
}

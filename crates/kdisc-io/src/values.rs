//! Values of Arrow columns as numbers and as texts, whatever their type.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_cast::cast::{CastOptions, cast_with_options};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use crate::ValueProblem;
use crate::csv::{Decimal, parse};
use crate::units::shortened;

/// A column as numbers. Text that stands for a number is one.
pub(crate) enum Numbers {
    Floats(Float64Array),
    Texts(StringArray),
    None(ArrayRef),
}

impl Numbers {
    pub fn new(array: &ArrayRef) -> Self {
        let kind = plain_type(array.data_type());
        if kind.is_string() {
            if let Some(texts) = to(array, &DataType::Utf8) {
                return Self::Texts(texts.as_string().clone());
            }
        } else if kind.is_numeric()
            && let Some(floats) = to(array, &DataType::Float64)
        {
            return Self::Floats(floats.as_primitive::<Float64Type>().clone());
        }
        Self::None(ArrayRef::clone(array))
    }

    /// The same, where numbers in text have this decimal mark.
    pub fn with_decimal(self, decimal: Decimal) -> Self {
        match (self, decimal) {
            (Self::Texts(texts), Decimal::Comma) => {
                let marked = texts.iter().map(|text| Some(text?.replace(',', ".")));
                Self::Texts(marked.collect())
            }
            (other, _) => other,
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Floats(floats) => floats.len(),
            Self::Texts(texts) => texts.len(),
            Self::None(array) => array.len(),
        }
    }

    pub fn read(&self, row: usize) -> Result<f64, ValueProblem> {
        match self {
            Self::Floats(floats) if floats.is_null(row) => Err(ValueProblem::Missing),
            Self::Floats(floats) if floats.value(row).is_finite() => Ok(floats.value(row)),
            Self::Floats(_) => Err(ValueProblem::NotFinite),
            Self::Texts(texts) if texts.is_null(row) => Err(ValueProblem::Missing),
            Self::Texts(texts) => parse(texts.value(row).trim()),
            Self::None(array) if array.is_null(row) => Err(ValueProblem::Missing),
            Self::None(_) => Err(ValueProblem::NotANumber),
        }
    }

    /// The value as in a message.
    pub fn shown(&self, row: usize) -> String {
        match self {
            Self::Floats(floats) => floats.value(row).to_string(),
            Self::Texts(texts) => shortened(texts.value(row)),
            Self::None(array) => shortened(&text_of(array, row)),
        }
    }
}

/// A column as texts.
pub(crate) struct Texts(ArrayRef);

impl Texts {
    pub fn new(array: &ArrayRef) -> Self {
        let plain = plain_type(array.data_type());
        let plain = if plain.is_string() {
            &DataType::Utf8
        } else {
            plain
        };
        Self(to(array, plain).unwrap_or_else(|| ArrayRef::clone(array)))
    }

    /// Whether a value is what somebody typed: exactly that text, number or truth.
    pub fn says(&self, row: usize, wanted: &str) -> bool {
        if self.0.is_null(row) {
            return wanted.is_empty();
        }
        match self.0.data_type() {
            DataType::Utf8 => self.0.as_string::<i32>().value(row) == wanted,
            DataType::Boolean => {
                let wanted = wanted.to_lowercase();
                let value = self.0.as_boolean().value(row);
                (value && (wanted == "true" || wanted == "1"))
                    || (!value && (wanted == "false" || wanted == "0"))
            }
            kind if kind.is_floating() => {
                let found = to(&self.0.slice(row, 1), &DataType::Float64);
                let found = found.map(|found| found.as_primitive::<Float64Type>().value(0));
                found.is_some() && found == wanted.trim().parse().ok()
            }
            _ => text_of(&self.0, row) == wanted,
        }
    }

    /// The value; `None` if there is none.
    pub fn get(&self, row: usize) -> Option<String> {
        self.0.is_valid(row).then(|| text_of(&self.0, row))
    }
}

/// The type of the values of a column, however they are stored.
pub(crate) fn plain_type(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, values) => plain_type(values),
        DataType::RunEndEncoded(_, values) => plain_type(values.data_type()),
        other => other,
    }
}

fn to(array: &ArrayRef, kind: &DataType) -> Option<ArrayRef> {
    cast_with_options(array, kind, &CastOptions::default()).ok()
}

fn text_of(array: &ArrayRef, row: usize) -> String {
    let options = FormatOptions::default();
    ArrayFormatter::try_new(array, &options)
        .map(|formatter| formatter.value(row).to_string())
        .unwrap_or_default()
}

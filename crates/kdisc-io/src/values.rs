//! Values of Arrow columns as numbers and as texts, whatever their type.

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, StringArray};
use arrow_buffer::NullBuffer;
use arrow_cast::cast::{CastOptions, cast_with_options};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use crate::ValueProblem;
use crate::csv::{Decimal, parse};
use crate::units::{Sought, shortened};

/// A column as numbers. Text that stands for a number is one.
pub(crate) enum Numbers {
    Floats(Float64Array),
    Texts(StringArray),
    /// With its nulls, as a column of nothing but these does not count them itself.
    None(ArrayRef, Option<NullBuffer>),
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
        Self::None(ArrayRef::clone(array), array.logical_nulls())
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
            Self::None(array, _) => array.len(),
        }
    }

    pub fn read(&self, row: usize) -> Result<f64, ValueProblem> {
        match self {
            Self::Floats(floats) if floats.is_null(row) => Err(ValueProblem::Missing),
            Self::Floats(floats) if floats.value(row).is_finite() => Ok(floats.value(row)),
            Self::Floats(_) => Err(ValueProblem::NotFinite),
            Self::Texts(texts) if texts.is_null(row) => Err(ValueProblem::Missing),
            Self::Texts(texts) => match texts.value(row).trim() {
                "" => Err(ValueProblem::Missing),
                text => parse(text),
            },
            Self::None(_, Some(nulls)) if nulls.is_null(row) => Err(ValueProblem::Missing),
            Self::None(..) => Err(ValueProblem::NotANumber),
        }
    }

    /// The value as in a message.
    pub fn shown(&self, row: usize) -> String {
        match self {
            Self::Floats(floats) => floats.value(row).to_string(),
            Self::Texts(texts) => shortened(texts.value(row)),
            Self::None(array, _) => shortened(&text_of(array, row)),
        }
    }
}

/// A column as texts.
pub(crate) struct Texts(ArrayRef, Option<NullBuffer>);

impl Texts {
    pub fn new(array: &ArrayRef) -> Self {
        let plain = plain_type(array.data_type());
        let plain = if plain.is_string() {
            &DataType::Utf8
        } else {
            plain
        };
        let found = to(array, plain).unwrap_or_else(|| ArrayRef::clone(array));
        let found = spelled(&found);
        let nulls = found.logical_nulls();
        Self(found, nulls)
    }

    /// Whether a value is what somebody typed.
    pub fn says(&self, row: usize, wanted: &Sought) -> bool {
        let is = |found: &str| wanted.is(found, Decimal::Point);
        if self.is_null(row) {
            return is("");
        }
        match self.0.data_type() {
            DataType::Utf8 => is(self.0.as_string::<i32>().value(row)),
            DataType::Float64 => wanted.is_number(self.0.as_primitive::<Float64Type>().value(row)),
            _ => is(&text_of(&self.0, row)),
        }
    }

    /// The value; `None` if there is none.
    pub fn get(&self, row: usize) -> Option<String> {
        (!self.is_null(row)).then(|| text_of(&self.0, row))
    }

    fn is_null(&self, row: usize) -> bool {
        self.1.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }
}

/// The same column, so that its values can be spelled: moments in zones that have a name are told
/// in UTC, as the rules of these zones are not known here.
pub(crate) fn spelled(array: &ArrayRef) -> ArrayRef {
    let utc = match array.data_type() {
        DataType::Timestamp(unit, Some(zone)) if !zone.starts_with(['+', '-']) => {
            to(array, &DataType::Timestamp(*unit, Some("+00:00".into())))
        }
        _ => None,
    };
    utc.unwrap_or_else(|| ArrayRef::clone(array))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int32Type;
    use arrow_array::{
        BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Int8Array,
        Int64Array, LargeStringArray, NullArray, StringViewArray, TimestampSecondArray,
        UInt64Array,
    };

    use super::*;

    type Read = Result<f64, ValueProblem>;

    fn numbers(array: impl Array + 'static) -> Vec<Read> {
        let numbers = Numbers::new(&(Arc::new(array) as ArrayRef));
        (0..numbers.len()).map(|row| numbers.read(row)).collect()
    }

    fn texts(array: impl Array + 'static) -> Texts {
        Texts::new(&(Arc::new(array) as ArrayRef))
    }

    const MISSING: Read = Err(ValueProblem::Missing);
    const NO_NUMBER: Read = Err(ValueProblem::NotANumber);

    #[test]
    fn numbers_of_every_width() {
        let found = numbers(Int8Array::from(vec![Some(-5), None]));
        assert_eq!(found, [Ok(-5.0), MISSING]);
        let found = numbers(UInt64Array::from(vec![u64::MAX]));
        assert_eq!(found, [Ok(18_446_744_073_709_551_616.0)]);
        let found = numbers(Float32Array::from(vec![0.5, f32::NAN, f32::INFINITY]));
        let infinite = Err(ValueProblem::NotFinite);
        assert_eq!(found, [Ok(0.5), infinite, infinite]);
        let decimals = Decimal128Array::from(vec![Some(12_345), None, Some(-1)]);
        let found = numbers(decimals.with_precision_and_scale(10, 2).unwrap());
        assert_eq!(found, [Ok(123.45), MISSING, Ok(-0.01)]);
    }

    #[test]
    fn text_stands_for_a_number_if_it_is_one() {
        let values = vec![Some(" 1.5 "), None, Some(""), Some("x"), Some("1,5")];
        let expected = [Ok(1.5), MISSING, MISSING, NO_NUMBER];
        let small = numbers(StringArray::from(values.clone()));
        assert_eq!(small[..4], expected);
        assert_eq!(numbers(LargeStringArray::from(values.clone())), small);
        assert_eq!(numbers(StringViewArray::from(values)), small);
    }

    #[test]
    fn a_dictionary_is_what_it_is_a_dictionary_of() {
        let keys = arrow_array::Int32Array::from(vec![Some(1), None, Some(0), Some(2)]);
        let values: ArrayRef = Arc::new(Float64Array::from(vec![Some(0.5), Some(2.5), None]));
        let dictionary = DictionaryArray::<Int32Type>::new(keys.clone(), values);
        assert_eq!(numbers(dictionary), [Ok(2.5), MISSING, Ok(0.5), MISSING]);
        let values: ArrayRef = Arc::new(StringArray::from(vec![Some("7"), Some("b"), None]));
        let dictionary = DictionaryArray::<Int32Type>::new(keys, values);
        assert_eq!(
            numbers(dictionary.clone()),
            [NO_NUMBER, MISSING, Ok(7.0), MISSING]
        );
        let texts = texts(dictionary);
        assert!(
            texts.says(0, &Sought::new("b"))
                && !texts.says(0, &Sought::new("B"))
                && !texts.says(0, &Sought::new(""))
        );
        assert!(texts.says(1, &Sought::new("")) && texts.says(3, &Sought::new("")));
        assert_eq!(texts.get(0), Some("b".to_owned()));
        assert_eq!((texts.get(1), texts.get(3)), (None, None));
    }

    #[test]
    fn what_is_neither_number_nor_text_is_no_number() {
        let found = numbers(BooleanArray::from(vec![Some(true), None]));
        assert_eq!(found, [NO_NUMBER, MISSING]);
        assert_eq!(numbers(Date32Array::from(vec![1])), [NO_NUMBER]);
        assert_eq!(numbers(NullArray::new(2)), [MISSING, MISSING]);
    }

    #[test]
    fn values_are_shown_as_they_are_in_the_file() {
        let shown = |array: ArrayRef| Numbers::new(&array).shown(0);
        assert_eq!(shown(Arc::new(Float64Array::from(vec![-0.5]))), "-0.5");
        assert_eq!(shown(Arc::new(StringArray::from(vec![" x "]))), " x ");
        let long = "ä".repeat(100);
        let cut = format!("{}…", "ä".repeat(40));
        assert_eq!(shown(Arc::new(StringArray::from(vec![long]))), cut);
        assert_eq!(shown(Arc::new(BooleanArray::from(vec![true]))), "true");
        assert_eq!(shown(Arc::new(Date32Array::from(vec![0]))), "1970-01-01");
    }

    #[test]
    fn text_is_found_exactly() {
        let texts = texts(StringViewArray::from(vec![Some("a"), None, Some("")]));
        assert!(
            texts.says(0, &Sought::new("a"))
                && !texts.says(0, &Sought::new("a "))
                && !texts.says(0, &Sought::new("A"))
        );
        assert!(texts.says(1, &Sought::new("")) && !texts.says(1, &Sought::new("a")));
        assert!(texts.says(2, &Sought::new("")));
        assert_eq!(texts.get(0), Some("a".to_owned()));
        assert_eq!(texts.get(1), None);
    }

    #[test]
    fn truths_are_found_however_they_are_typed() {
        let texts = texts(BooleanArray::from(vec![Some(true), Some(false), None]));
        for (yes, no) in [("true", "false"), ("TRUE", "False"), ("1", "0")] {
            assert!(
                texts.says(0, &Sought::new(yes)) && !texts.says(0, &Sought::new(no)),
                "{yes}"
            );
            assert!(
                texts.says(1, &Sought::new(no)) && !texts.says(1, &Sought::new(yes)),
                "{no}"
            );
            assert!(!texts.says(2, &Sought::new(yes)) && !texts.says(2, &Sought::new(no)));
        }
        assert!(
            !texts.says(0, &Sought::new("yes"))
                && !texts.says(1, &Sought::new(""))
                && texts.says(2, &Sought::new(""))
        );
    }

    #[test]
    fn numbers_are_found_by_value() {
        let floats = texts(Float64Array::from(vec![Some(1.0), Some(0.1), None]));
        assert!(
            floats.says(0, &Sought::new("1"))
                && floats.says(0, &Sought::new("1.0"))
                && floats.says(0, &Sought::new(" 1e0 "))
        );
        assert!(
            floats.says(1, &Sought::new("0.10"))
                && !floats.says(1, &Sought::new("0.11"))
                && !floats.says(1, &Sought::new("x"))
        );
        assert!(floats.says(2, &Sought::new("")) && !floats.says(2, &Sought::new("0")));
        let nothing = texts(Float64Array::from(vec![f64::NAN]));
        assert!(!nothing.says(0, &Sought::new("x")) && !nothing.says(0, &Sought::new("")));
        let whole = texts(Int64Array::from(vec![Some(-3), Some(i64::MAX), None]));
        assert!(whole.says(0, &Sought::new("-3")) && !whole.says(0, &Sought::new("3")));
        assert!(
            whole.says(1, &Sought::new("9223372036854775807"))
                && !whole.says(1, &Sought::new("9223372036854775806"))
        );
        assert!(whole.says(2, &Sought::new("")) && !whole.says(2, &Sought::new("0")));
    }

    #[test]
    fn dates_are_found_as_they_are_written() {
        let dates = texts(Date32Array::from(vec![Some(18_321), None]));
        assert!(
            dates.says(0, &Sought::new("2020-02-29")) && !dates.says(0, &Sought::new("2020-02-28"))
        );
        assert!(dates.says(1, &Sought::new("")));
        let times = texts(TimestampSecondArray::from(vec![86_400]));
        assert!(times.says(0, &Sought::new("1970-01-02T00:00:00")));
        for (zone, said) in [
            ("UTC", "1970-01-02T00:00:00Z"),
            ("Europe/Amsterdam", "1970-01-02T00:00:00Z"),
            ("+02:00", "1970-01-02T02:00:00+02:00"),
        ] {
            let zoned = TimestampSecondArray::from(vec![86_400]).with_timezone(zone);
            assert!(texts(zoned).says(0, &Sought::new(said)), "{zone}");
        }
        let nothing = texts(NullArray::new(1));
        assert!(nothing.says(0, &Sought::new("")) && nothing.get(0).is_none());
    }
}

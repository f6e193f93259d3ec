//! Typed values out of fields: what [`super::Kind`] goes by, and how to read it then.
//!
//! These are strict where the reader of coordinates is lenient: a value is taken for one only if
//! nothing of how it was written is lost that could matter.

use std::borrow::Cow;

use super::number::Decimal;

/// Whether a field that is not text has no value.
#[must_use]
pub fn is_null(field: &str) -> bool {
    field.is_empty() || field == "NA"
}

/// A whole number, written the only way there is.
#[must_use]
pub fn whole(field: &str) -> Option<i64> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    // Parsing alone would take a plus.
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || has_leading_zero(digits) {
        return None;
    }
    field.parse().ok()
}

/// A finite number with this decimal mark; whole numbers only if [`whole`].
#[must_use]
pub fn number(field: &str, decimal: Decimal) -> Option<f64> {
    let unsigned = field.strip_prefix('-').unwrap_or(field);
    let mark = match decimal {
        Decimal::Point => b'.',
        Decimal::Comma => b',',
    };
    // Letters, for parsing takes "inf" and "nan", and the other mark.
    let is_known =
        |b: u8| b.is_ascii_digit() || b == mark || matches!(b, b'e' | b'E' | b'+' | b'-');
    if unsigned.starts_with('+') || has_leading_zero(unsigned) || !unsigned.bytes().all(is_known) {
        return None;
    }
    if unsigned.bytes().all(|b| b.is_ascii_digit()) && whole(field).is_none() {
        return None;
    }
    let text = match decimal {
        Decimal::Point => Cow::Borrowed(field),
        Decimal::Comma => Cow::Owned(field.replace(',', ".")),
    };
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// True or false, as R, Python and databases write them.
#[must_use]
pub fn truth(field: &str) -> Option<bool> {
    match field {
        "TRUE" | "True" | "true" => Some(true),
        "FALSE" | "False" | "false" => Some(false),
        _ => None,
    }
}

fn has_leading_zero(digits: &str) -> bool {
    matches!(digits.as_bytes(), [b'0', b'0'..=b'9', ..])
}

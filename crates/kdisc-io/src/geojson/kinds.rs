//! Which type a column has, from all the values it holds.

use arrow_schema::{DataType, Field};

use super::object;
use crate::layer;
use crate::moment::Times;

/// A double holds every whole number up to here.
const EXACT: i64 = 1 << 53;

/// What has been seen of the values of one property.
#[derive(Debug, Clone, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "any of them may be seen together"
)]
pub(super) struct Kinds {
    bools: bool,
    /// Whole numbers that fit 64 bits with a sign.
    wholes: bool,
    negative: bool,
    /// Whole numbers that fit 64 bits only without a sign.
    large: bool,
    floats: bool,
    /// Whole numbers that a double would change.
    inexact: bool,
    texts: bool,
    /// Numbers too large for anything, objects, arrays.
    other: bool,
    /// What the texts are.
    times: Times,
}

impl Kinds {
    /// Takes note of a value.
    pub fn see(&mut self, value: &str) {
        match value.as_bytes()[0] {
            b'n' => {}
            b't' | b'f' => self.bools = true,
            b'"' => {
                self.texts = true;
                let plain = value.get(1..value.len() - 1).unwrap_or_default();
                self.times.see(plain);
            }
            b'-' | b'0'..=b'9' => self.number(value),
            _ => self.other = true,
        }
    }

    fn number(&mut self, value: &str) {
        if value.contains(['.', 'e', 'E']) || value == "-0" {
            self.floats = true;
            self.other |= !value.parse().is_ok_and(f64::is_finite);
        } else if let Ok(whole) = value.parse::<i64>() {
            self.wholes = true;
            self.negative |= whole < 0;
            // Beyond that, some are exact; that a column has only those is beside the point.
            self.inexact |= !(-EXACT..=EXACT).contains(&whole);
        } else if value.parse::<u64>().is_ok() {
            self.large = true;
            self.inexact = true;
        } else {
            self.other = true;
        }
    }

    /// The column for these values.
    pub fn field(&self, name: &str) -> Field {
        let numbers = self.wholes || self.large || self.floats;
        let plain = |kind| Field::new(name, kind, true);
        let json = || layer::with_extension(plain(DataType::Utf8), layer::JSON);
        match (self.bools, numbers, self.texts, self.other) {
            (false, false, false, false) => plain(DataType::Utf8),
            (true, false, false, false) => plain(DataType::Boolean),
            (false, true, false, false) => {
                if !self.floats && !self.large {
                    plain(DataType::Int64)
                } else if !self.floats && !self.negative {
                    plain(DataType::UInt64)
                } else if self.inexact {
                    json()
                } else {
                    plain(DataType::Float64)
                }
            }
            (false, false, true, false) => plain(self.times.data_type()),
            _ => json(),
        }
    }
}

/// Whether a value is a text with this content.
pub(super) fn is_text(value: &str, content: &str) -> bool {
    matches!(object::text(value), Some(Ok(text)) if text == content)
}

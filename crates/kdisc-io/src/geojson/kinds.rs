//! Which type a column has, from all the values it holds.

use arrow_schema::{DataType, Field, TimeUnit};

use super::object;
use crate::layer;
use crate::moment::{self, Moment};

/// A double holds every whole number up to here.
const EXACT: i64 = 1 << 53;

/// What has been seen of the values of one property.
#[derive(Debug, Clone, Default)]
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

/// What all texts of a column are, as far as seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Times {
    #[default]
    Unseen,
    Dates,
    Moments {
        digits: usize,
        /// No zone; the same for all; or several.
        zone: Zone,
    },
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    No,
    Same(i32),
    Several,
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
                self.times = self.times.clone().with(plain);
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

impl Times {
    fn with(self, text: &str) -> Self {
        let found = if moment::date(text).is_some() {
            Self::Dates
        } else if let Some(Moment { digits, zone, .. }) = moment::moment(text) {
            let zone = zone.map_or(Zone::No, Zone::Same);
            Self::Moments { digits, zone }
        } else {
            Self::No
        };
        match (self, found) {
            (Self::Unseen, found) => found,
            (Self::Dates, Self::Dates) => Self::Dates,
            (
                Self::Moments { digits, zone },
                Self::Moments {
                    digits: more,
                    zone: other,
                },
            ) => {
                let zone = match (zone, other) {
                    (a, b) if a == b => a,
                    // Local times and moments do not compare: they stay text.
                    (Zone::No, _) | (_, Zone::No) => return Self::No,
                    _ => Zone::Several,
                };
                let digits = digits.max(more);
                Self::Moments { digits, zone }
            }
            _ => Self::No,
        }
    }

    fn data_type(&self) -> DataType {
        match self {
            Self::Unseen | Self::No => DataType::Utf8,
            Self::Dates => DataType::Date32,
            Self::Moments { digits, zone } => {
                let unit = if *digits > 3 {
                    TimeUnit::Microsecond
                } else {
                    TimeUnit::Millisecond
                };
                let zone = match zone {
                    Zone::No => None,
                    Zone::Same(minutes) => Some(moment::zone_name(*minutes).into()),
                    Zone::Several => Some("UTC".into()),
                };
                DataType::Timestamp(unit, zone)
            }
        }
    }
}

/// Whether a value is a text with this content.
pub(super) fn is_text(value: &str, content: &str) -> bool {
    matches!(object::text(value), Some(Ok(text)) if text == content)
}

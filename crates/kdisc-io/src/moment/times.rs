//! What the texts of a column are, where the format does not say.

use std::sync::Arc;

use arrow_array::types::{TimestampMicrosecondType, TimestampMillisecondType};
use arrow_array::{ArrayRef, Int64Array, PrimitiveArray};
use arrow_schema::{DataType, TimeUnit};

use super::{Form, Moment, date, moment, zone_name};

/// What all texts of a column are, as far as seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Times {
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
pub(crate) enum Zone {
    No,
    Same(i32),
    Several,
}

impl Times {
    /// Takes note of a text.
    pub fn see(&mut self, text: &str) {
        *self = self.with(text);
    }

    fn with(self, text: &str) -> Self {
        let found = if text.starts_with("0000") {
            // Many programs know no year 0.
            Self::No
        } else if date(text).is_some() {
            Self::Dates
        } else if let Some(Moment { digits, zone, .. }) = moment(text, Form::Usual) {
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

    /// The type of the column.
    pub fn data_type(self) -> DataType {
        match self {
            Self::Unseen | Self::No => DataType::Utf8,
            Self::Dates => DataType::Date32,
            Self::Moments { digits, zone } => {
                let unit = if digits > 3 {
                    TimeUnit::Microsecond
                } else {
                    TimeUnit::Millisecond
                };
                let zone = match zone {
                    Zone::No => None,
                    Zone::Same(minutes) => Some(zone_name(minutes).into()),
                    Zone::Several => Some("UTC".into()),
                };
                DataType::Timestamp(unit, zone)
            }
        }
    }
}

/// Microseconds as a column of moments, in the unit that [`Times::data_type`] gave it.
pub(crate) fn array(micros: &Int64Array, unit: TimeUnit, zone: Option<Arc<str>>) -> ArrayRef {
    if unit == TimeUnit::Microsecond {
        let array = micros.reinterpret_cast::<TimestampMicrosecondType>();
        return Arc::new(array.with_timezone_opt(zone));
    }
    let array: PrimitiveArray<TimestampMillisecondType> =
        micros.unary(|micros| micros.div_euclid(1000));
    Arc::new(array.with_timezone_opt(zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(texts: &[&str]) -> DataType {
        let mut times = Times::default();
        for text in texts {
            times.see(text);
        }
        times.data_type()
    }

    #[test]
    fn a_column_is_of_dates_or_moments_only_if_all_its_texts_are() {
        let (day, local) = ("2020-01-02", "2020-01-02T03:04:05");
        assert_eq!(seen(&[day, "2021-01-02"]), DataType::Date32);
        let millis = DataType::Timestamp(TimeUnit::Millisecond, None);
        assert_eq!(seen(&[local, local]), millis);
        for others in [[day, local], [day, "x"], [day, "0000-01-01"]] {
            assert_eq!(seen(&others), DataType::Utf8, "{others:?}");
        }
        assert_eq!(seen(&["0000-01-01T00:00:00"]), DataType::Utf8);
    }

    #[test]
    fn moments_have_one_zone_or_are_told_in_universal_time() {
        let zoned = |unit, zone: &str| DataType::Timestamp(unit, Some(zone.into()));
        let (east, west) = (
            "2020-01-02T03:04:05+02:00",
            "2020-01-02T03:04:05.1234-03:00",
        );
        assert_eq!(seen(&[east, east]), zoned(TimeUnit::Millisecond, "+02:00"));
        assert_eq!(seen(&[east, west]), zoned(TimeUnit::Microsecond, "UTC"));
        assert_eq!(seen(&[east, "2020-01-02T03:04:05"]), DataType::Utf8);
    }
}

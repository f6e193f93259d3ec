//! Dates and times as text, in the ISO 8601 form that `GeoJSON` and `FlatGeobuf` share.
//!
//! `2020-01-02` is a date, `2020-01-02T03:04:05.678+02:00` a moment; the fraction and the zone may
//! be absent, and a space may stand for the `T`. Anything else is text and stays text: a guess
//! (`02-01-20`) would be wrong for somebody. Days are counted in the Gregorian calendar, also
//! before it was invented.

use std::fmt::Write;

use arrow_schema::{DataType, TimeUnit};

const DAY: i64 = 86_400;

/// A date and a time of the day, perhaps in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Since 1970 in universal time, or in local time if there is no zone.
    pub micros: i64,
    /// Digits after the point of the seconds.
    pub digits: usize,
    /// Minutes east of universal time.
    pub zone: Option<i32>,
}

/// Days since 1970 of a date.
pub(crate) fn date(text: &str) -> Option<i32> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = digits(&bytes[..4])?;
    let month = digits(&bytes[5..7])?;
    let day = digits(&bytes[8..])?;
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let longest = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year == 0 || !(1..=longest).contains(&day) {
        return None;
    }
    Some(days(year, month, day) as i32)
}

/// A moment, to the microsecond.
pub(crate) fn moment(text: &str) -> Option<Moment> {
    let day = date(text.get(..10)?)?;
    let bytes = text.as_bytes();
    let time = bytes.get(11..19)?;
    if !matches!(bytes[10], b'T' | b' ') || time[2] != b':' || time[5] != b':' {
        return None;
    }
    let (hour, minute) = (digits(&time[..2])?, digits(&time[3..5])?);
    let second = digits(&time[6..])?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let rest = &text[19..];
    let (fraction, rest) = match rest.strip_prefix('.') {
        None => ("", rest),
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
    };
    if fraction.len() > 6 || (fraction.is_empty() && bytes.get(19) == Some(&b'.')) {
        return None;
    }
    let micros = digits(fraction.as_bytes())? * 10_i64.pow(6 - fraction.len() as u32);
    let zone = if rest.is_empty() {
        None
    } else {
        Some(offset(rest)?)
    };
    let local = i64::from(day) * DAY + hour * 3600 + minute * 60 + second;
    Some(Moment {
        micros: (local - i64::from(zone.unwrap_or(0)) * 60) * 1_000_000 + micros,
        digits: fraction.len(),
        zone,
    })
}

/// Minutes east of universal time, from `Z`, `+02:00`, `+0200` or `+02`.
fn offset(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, rest) = match text.as_bytes() {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match rest {
        [hours @ .., b':', m, n] if hours.len() == 2 => (hours, [*m, *n]),
        [h, i, m, n] => (&[*h, *i][..], [*m, *n]),
        [_, _] => (rest, [b'0', b'0']),
        _ => return None,
    };
    let (hours, minutes) = (digits(hours)?, digits(&minutes)?);
    (hours <= 14 && minutes <= 59).then_some(sign * (hours * 60 + minutes) as i32)
}

/// Minutes east of universal time of an Arrow time zone. What has a name and no number is told in
/// universal time: the moment is the same.
pub(crate) fn zone_minutes(zone: &str) -> i32 {
    offset(zone).unwrap_or(0)
}

/// The name of a zone in Arrow.
pub(crate) fn zone_name(minutes: i32) -> String {
    if minutes == 0 {
        return "UTC".to_owned();
    }
    let mut text = String::new();
    write_zone(&mut text, minutes);
    text
}

/// Writes a date.
pub(crate) fn write_date(out: &mut String, since: i64) {
    let (year, month, day) = civil(since);
    let _ = write!(out, "{year:04}-{month:02}-{day:02}");
}

/// Writes a time of the day, given in the unit.
pub(crate) fn write_time(out: &mut String, value: i64, unit: TimeUnit) {
    let (seconds, fraction) = split(value, unit);
    clock(out, seconds, fraction);
}

/// Writes a moment since 1970 in the unit, with its zone if it has one (minutes east).
pub(crate) fn write_moment(out: &mut String, value: i64, unit: TimeUnit, zone: Option<i32>) {
    let (seconds, fraction) = split(value, unit);
    let local = seconds.saturating_add(i64::from(zone.unwrap_or(0)) * 60);
    write_date(out, local.div_euclid(DAY));
    out.push('T');
    clock(out, local.rem_euclid(DAY), fraction);
    match zone {
        None => {}
        Some(0) => out.push('Z'),
        Some(minutes) => write_zone(out, minutes),
    }
}

fn write_zone(out: &mut String, minutes: i32) {
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    let _ = write!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60);
}

fn clock(out: &mut String, seconds: i64, nanos: i64) {
    let (hour, minute) = (seconds / 3600, seconds / 60 % 60);
    let _ = write!(out, "{hour:02}:{minute:02}:{:02}", seconds % 60);
    // In groups of three digits, as usual.
    if nanos == 0 {
        return;
    }
    if nanos % 1_000_000 == 0 {
        let _ = write!(out, ".{:03}", nanos / 1_000_000);
    } else if nanos % 1000 == 0 {
        let _ = write!(out, ".{:06}", nanos / 1000);
    } else {
        let _ = write!(out, ".{nanos:09}");
    }
}

/// Seconds, and nanoseconds.
fn split(value: i64, unit: TimeUnit) -> (i64, i64) {
    let per = match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1_000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    };
    let fraction = value.rem_euclid(per) * (1_000_000_000 / per);
    (value.div_euclid(per), fraction)
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |sum: i64, byte| {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        Some(sum * 10 + digit)
    })
}

/// Days since 1970. The year is taken to begin in March, so that the odd day comes last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let before = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + before - 719_468
}

/// Year, month and day.
fn civil(since: i64) -> (i64, i64, i64) {
    let since = since + 719_468;
    let (era, in_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (year * 365 + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month < 3), month, day)
}

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
        let found = if date(text).is_some() {
            Self::Dates
        } else if let Some(Moment { digits, zone, .. }) = moment(text) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: i64, unit: TimeUnit, zone: Option<i32>) -> String {
        let mut text = String::new();
        write_moment(&mut text, value, unit, zone);
        text
    }

    #[test]
    fn every_day_of_eight_centuries_comes_back() {
        let mut text = String::new();
        for since in -146_097..146_097 {
            text.clear();
            write_date(&mut text, since);
            assert_eq!(date(&text), Some(since as i32), "{text}");
        }
        assert_eq!(date("1970-01-01"), Some(0));
        assert_eq!(date("2000-02-29"), Some(11_016));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "2021-02-29",
            "1900-02-29",
            "2020-13-01",
            "2020-00-01",
            "2020-01-00",
            "2020-1-01",
            "2020/01/01",
            "0000-01-01",
            "2020-01-01 ",
            "+020-01-01",
            "",
            "2020-01-0é",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn moments_come_back_with_their_zone() {
        for text in [
            "2020-01-02T03:04:05",
            "2020-01-02T03:04:05Z",
            "1969-12-31T23:59:59.999",
            "2020-01-02T03:04:05.123456-03:30",
            "9999-12-31T23:59:59+14:00",
        ] {
            let found = moment(text).unwrap();
            assert_eq!(told(found.micros, TimeUnit::Microsecond, found.zone), text);
        }
        let east = moment("2020-01-02 03:04:05+0200").unwrap();
        assert_eq!(
            told(east.micros / 1_000_000, TimeUnit::Second, Some(0)),
            "2020-01-02T01:04:05Z"
        );
        assert_eq!(moment("2020-01-02T03:04:05+02"), Some(east));
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "2020-01-02",
            "2020-01-02T24:00:00",
            "2020-01-02T03:04",
            "2020-01-02T03:04:60",
            "2020-01-02T03:04:05.",
            "2020-01-02T03:04:05.1234567",
            "2020-01-02T03:04:05z",
            "2020-01-02T03:04:05+2",
            "2020-01-02T03:04:05+99:00",
            "2020-01-0é",
            "2020-01-02é3:04:05",
        ] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        for unit in [TimeUnit::Second, TimeUnit::Nanosecond] {
            for value in [i64::MIN, i64::MAX] {
                assert!(!told(value, unit, Some(840)).is_empty());
            }
        }
    }
}

//! Into text.

use std::fmt::Write;

use arrow_schema::TimeUnit;

use super::{DAY, civil};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_have_three_six_or_nine_digits() {
        for (nanos, expected) in [
            (0, "00:00:00"),
            (500_000_000, "00:00:00.500"),
            (1_000, "00:00:00.000001"),
            (86_399_000_000_001, "23:59:59.000000001"),
        ] {
            let mut text = String::new();
            write_time(&mut text, nanos, TimeUnit::Nanosecond);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn the_ends_of_time_do_not_overflow() {
        for unit in [TimeUnit::Second, TimeUnit::Nanosecond] {
            for value in [i64::MIN, i64::MAX] {
                let mut text = String::new();
                write_moment(&mut text, value, unit, Some(840));
                assert!(text.ends_with("+14:00"), "{text}");
            }
        }
    }
}

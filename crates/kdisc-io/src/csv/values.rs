//! Typed values out of fields: what [`super::Kind`] goes by, and how to read it then.
//!
//! These are strict where the reader of coordinates is lenient: a value is taken for one only if
//! nothing of how it was written is lost that could matter.

use std::borrow::Cow;

use super::number::Decimal;

/// A moment, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time {
    /// Seconds since 1970-01-01T00:00:00: in UTC with a zone, on the clock where it was written
    /// without.
    pub seconds: i64,
    /// Nanoseconds after that.
    pub nanoseconds: u32,
    /// Minutes that its zone is east of UTC, if it has a zone.
    pub zone: Option<i16>,
}

impl Time {
    /// Microseconds since 1970-01-01T00:00:00, on the same clock.
    #[must_use]
    pub fn microseconds(&self) -> i64 {
        self.seconds * 1_000_000 + i64::from(self.nanoseconds / 1000)
    }
}

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

/// The days since 1970-01-01 of a date `YYYY-MM-DD`, if there was or will be such a day.
#[must_use]
pub fn date(field: &str) -> Option<i32> {
    let [a, b, c, d, b'-', m, n, b'-', e, f] = *field.as_bytes() else {
        return None;
    };
    let year = pair(a, b)? * 100 + pair(c, d)?;
    let (month, day) = (pair(m, n)?, pair(e, f)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) {
        return None;
    }
    // Years that begin in March end with the leap day; month lengths then repeat every five.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    // 719468 days from the first of March of the year 0 to 1970.
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}

/// A moment `YYYY-MM-DDTHH:MM:SS`, or with a space for the `T`; then a fraction of up to nine
/// digits and a zone (`Z` or `±hh:mm`), if it has them.
#[must_use]
pub fn time(field: &str) -> Option<Time> {
    let (day, clock) = field.split_at_checked(10)?;
    let day = date(day)?;
    let [b'T' | b' ', a, b, b':', c, d, b':', e, f, rest @ ..] = clock.as_bytes() else {
        return None;
    };
    let (hour, minute, second) = (pair(*a, *b)?, pair(*c, *d)?, pair(*e, *f)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (nanoseconds, rest) = fraction(rest)?;
    let zone = match *rest {
        [] => None,
        [b'Z'] => Some(0),
        [sign @ (b'+' | b'-'), a, b, b':', c, d] => {
            let (hours, minutes) = (pair(a, b)?, pair(c, d)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            let east = (60 * hours + minutes) as i16;
            Some(if sign == b'+' { east } else { -east })
        }
        _ => return None,
    };
    let clock = i64::from(day) * 86_400 + i64::from(hour * 3600 + minute * 60 + second);
    Some(Time {
        seconds: clock - 60 * i64::from(zone.unwrap_or(0)),
        nanoseconds,
        zone,
    })
}

/// The nanoseconds of a fraction, if there is one, and what follows it.
fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let [b'.', digits @ ..] = text else {
        return Some((0, text));
    };
    let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=9).contains(&count) {
        return None;
    }
    let (digits, rest) = digits.split_at(count);
    let padded = digits.iter().copied().chain([b'0'; 9]).take(9);
    let nanoseconds = padded.fold(0, |sum, b| 10 * sum + u32::from(b - b'0'));
    Some((nanoseconds, rest))
}

fn pair(tens: u8, ones: u8) -> Option<i32> {
    let both = tens.is_ascii_digit() && ones.is_ascii_digit();
    both.then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
}

fn has_leading_zero(digits: &str) -> bool {
    matches!(digits.as_bytes(), [b'0', b'0'..=b'9', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_one_by_one() {
        assert_eq!(date("1970-01-01"), Some(0));
        assert_eq!(date("2000-03-01"), Some(11_017));
        assert_eq!(date("0000-01-01"), Some(-719_528));
        assert_eq!(date("9999-12-31"), Some(2_932_896));
        let mut expected = date("1896-01-01").unwrap();
        for year in 1896..=2104 {
            for month in 1..=12 {
                for day in 1..=31 {
                    if let Some(found) = date(&format!("{year}-{month:02}-{day:02}")) {
                        assert_eq!(found, expected, "{year}-{month}-{day}");
                        expected += 1;
                    }
                }
            }
        }
        // Two hundred and nine years, with 51 leap days: 1900 and 2100 had or will have none.
        assert_eq!(expected - date("1896-01-01").unwrap(), 209 * 365 + 51);
        for none in [
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "1900-02-29",
            "2026-1-1",
            "é026-01-1",
        ] {
            assert_eq!(date(none), None, "{none}");
        }
    }

    #[test]
    fn moments_are_in_utc_where_they_have_a_zone() {
        let at = |seconds, nanoseconds, zone| {
            Some(Time {
                seconds,
                nanoseconds,
                zone,
            })
        };
        assert_eq!(time("1970-01-02T00:00:01"), at(86_401, 0, None));
        assert_eq!(time("1970-01-01 00:00:00.5Z"), at(0, 500_000_000, Some(0)));
        assert_eq!(time("1970-01-01T00:00:00+01:30"), at(-5400, 0, Some(90)));
        assert_eq!(time("1970-01-01T00:00:00-01:30"), at(5400, 0, Some(-90)));
        for none in [
            "1970-01-01",
            "1970-01-01T24:00:00",
            "1970-01-01T00:00",
            "1970-01-01T00:00:60",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00:00.1234567890",
            "1970-01-01T00:00:00+0100",
            "1970-01-01T00:00:00 Z",
            "1970-01-0\u{e9}T00:00:00",
        ] {
            assert_eq!(time(none), None, "{none}");
        }
    }
}

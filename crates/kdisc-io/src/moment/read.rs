//! Out of text.

use super::{DAY, days};

/// Digits of a second that are kept.
const DIGITS: usize = 6;

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

/// How freely a moment may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A zone has hours and minutes, `+02:00`. For tables, where anything may be a code.
    Exact,
    /// A zone may also be `+0200` or `+02`.
    Usual,
    /// Also, seconds may lack, or be 60 (a leap second is the first of the next minute), and
    /// digits after the microseconds do not count. For columns that are declared to hold moments.
    Loose,
}

/// Days since 1970 of a date.
pub(crate) fn date(text: &str) -> Option<i32> {
    let [a, b, c, d, b'-', m, n, b'-', e, f] = *text.as_bytes() else {
        return None;
    };
    let year = number(&[a, b, c, d])?;
    let (month, day) = (number(&[m, n])?, number(&[e, f])?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let exists = (1..=longest).contains(&day);
    exists.then(|| days(year, month, day) as i32)
}

/// A moment, to the microsecond.
pub(crate) fn moment(text: &str, form: Form) -> Option<Moment> {
    let (day, clock) = text.split_at_checked(10)?;
    let day = date(day)?;
    let [b'T' | b' ', h, i, b':', m, n, rest @ ..] = clock.as_bytes() else {
        return None;
    };
    let (hour, minute) = (number(&[*h, *i])?, number(&[*m, *n])?);
    let (second, rest) = match rest {
        [b':', s, t, rest @ ..] => (number(&[*s, *t])?, rest),
        _ if form == Form::Loose => (0, rest),
        _ => return None,
    };
    let last = if form == Form::Loose { 60 } else { 59 };
    if hour > 23 || minute > 59 || second > last {
        return None;
    }
    let (fraction, rest) = fraction(rest)?;
    if fraction.len() > DIGITS && form != Form::Loose {
        return None;
    }
    let micros = fraction.iter().chain(&[b'0'; DIGITS]).take(DIGITS);
    let micros = micros.fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
    let zone = match rest {
        [] => None,
        _ => Some(offset(rest, form)?),
    };
    let minutes = hour * 60 + minute - i64::from(zone.unwrap_or(0));
    let seconds = i64::from(day) * DAY + minutes * 60 + second;
    Some(Moment {
        micros: seconds * 1_000_000 + micros,
        digits: fraction.len(),
        zone,
    })
}

/// The digits of a fraction, if there is one, and what follows them.
fn fraction(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let [b'.', rest @ ..] = text else {
        return Some((&[], text));
    };
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| rest.split_at(count))
}

/// Minutes east of universal time.
fn offset(text: &[u8], form: Form) -> Option<i32> {
    let (sign, rest) = match text {
        b"Z" => return Some(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = match *rest {
        [h, i, b':', m, n] => ([h, i], [m, n]),
        [h, i, m, n] if form != Form::Exact => ([h, i], [m, n]),
        [h, i] if form != Form::Exact => ([h, i], *b"00"),
        _ => return None,
    };
    let (hours, minutes) = (number(&hours)?, number(&minutes)?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 60 + minutes) as i32)
}

/// Minutes east of universal time of an Arrow time zone. What has a name and no number is told in
/// universal time: the moment is the same.
pub(crate) fn zone_minutes(zone: &str) -> i32 {
    offset(zone.as_bytes(), Form::Usual).unwrap_or(0)
}

fn number<const N: usize>(digits: &[u8; N]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, digit| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        Some(10 * sum + digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_one_by_one() {
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
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "2021-02-29",
            "1900-02-29",
            "2020-04-31",
            "2020-13-01",
            "2020-00-01",
            "2020-01-00",
            "2020-1-01",
            "2020-1-1",
            "2020/01/01",
            "2020-01-01 ",
            "+020-01-01",
            "",
            "2020-01-0é",
            "é020-01-1",
        ] {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_in_universal_time_where_they_have_a_zone() {
        let at = |micros, digits, zone| {
            Some(Moment {
                micros,
                digits,
                zone,
            })
        };
        for form in [Form::Exact, Form::Usual, Form::Loose] {
            let moment = |text| moment(text, form);
            assert_eq!(moment("1970-01-02T00:00:01"), at(86_401_000_000, 0, None));
            assert_eq!(moment("1970-01-01 00:00:00.5Z"), at(500_000, 1, Some(0)));
            let west = "1970-01-01T00:00:00-01:30";
            assert_eq!(moment(west), at(5_400_000_000, 0, Some(-90)));
            let east = "1970-01-01T00:00:00+01:30";
            assert_eq!(moment(east), at(-5_400_000_000, 0, Some(90)));
        }
    }

    #[test]
    fn forms_differ_in_what_they_take() {
        let takes = |text| [Form::Exact, Form::Usual, Form::Loose].map(|form| moment(text, form));
        for text in ["2020-01-02T03:04:05+0200", "2020-01-02 03:04:05+02"] {
            let east = moment("2020-01-02T03:04:05+02:00", Form::Exact);
            assert_eq!(takes(text), [None, east, east], "{text}");
        }
        for (text, micros) in [
            ("1970-01-01T00:01", 60_000_000),
            ("1970-01-01T00:00:60Z", 60_000_000),
            ("1970-01-01T00:00:00.1234567", 123_456),
            ("1970-01-01T00:00:00.1234567890123456789012345", 123_456),
        ] {
            let [exact, usual, loose] = takes(text);
            assert_eq!((exact, usual), (None, None), "{text}");
            assert_eq!(loose.unwrap().micros, micros, "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "2020-01-02",
            "2020-01-02T",
            "2020-01-02T24:00:00",
            "2020-01-02T25:00:00Z",
            "2020-01-02T03:60:00",
            "2020-01-02T03:04:61",
            "2020-01-02T03:04:05.",
            "2020-01-02T03:04:05.Z",
            "2020-01-02T03:04:05z",
            "2020-01-02T03:04:05ZZ",
            "2020-01-02T03:04:05 Z",
            "2020-01-02T03:04:05+1",
            "2020-01-02T03:04:05+99:00",
            "2020-01-02T03:04:05+01:60",
            "2020-01-0é",
            "2020-01-0éT00:00:00",
            "2020-01-02é3:04:05",
            "2020-01-02T03é04",
        ] {
            for form in [Form::Exact, Form::Usual, Form::Loose] {
                assert_eq!(moment(text, form), None, "{text}");
            }
        }
    }
}

//! Dates and moments as text, in the ISO 8601 form that all text formats share.
//!
//! `2020-01-02` is a date, `2020-01-02T03:04:05.678+02:00` a moment; the fraction and the zone may
//! be absent, and a space may stand for the `T`. Anything else is text and stays text: a guess
//! (`02-01-20`) would be wrong for somebody. Formats differ in what more they take ([`Form`]), not
//! in what it means. Days are counted in the Gregorian calendar, also before it was invented.

mod read;
mod times;
mod write;

pub(crate) use read::{Form, Moment, date, moment, zone_minutes};
pub(crate) use times::{Times, array};
pub(crate) use write::{write_date, write_moment, write_time, zone_name};

const DAY: i64 = 86_400;
/// Days from the first of March of the year 0 to the first of January of 1970.
const EPOCH: i64 = 719_468;

/// The days, since 1970, whose year has four digits: 0000 to 9999.
pub(crate) const WRITABLE: std::ops::RangeInclusive<i64> = -719_528..=2_932_896;

/// Days since 1970. The year is taken to begin in March, so that the odd day comes last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let before = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + before - EPOCH
}

/// Year, month and day.
fn civil(since: i64) -> (i64, i64, i64) {
    let since = since + EPOCH;
    let (era, in_era) = (since.div_euclid(146_097), since.rem_euclid(146_097));
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (year * 365 + year / 4 - year / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + i64::from(month < 3), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_comes_back() {
        let mut before = String::new();
        for since in WRITABLE {
            let mut text = String::new();
            write_date(&mut text, since);
            assert_eq!(date(&text), Some(since as i32), "{text}");
            assert!(text > before, "{text}");
            before = text;
        }
        assert_eq!(date("0000-01-01"), Some(*WRITABLE.start() as i32));
        assert_eq!(date("9999-12-31"), Some(*WRITABLE.end() as i32));
        assert_eq!(date("1969-12-31"), Some(-1));
        assert_eq!(date("1970-01-01"), Some(0));
        assert_eq!(date("2000-02-29"), Some(11_016));
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
            for form in [Form::Exact, Form::Usual, Form::Loose] {
                let found = moment(text, form).unwrap();
                let mut told = String::new();
                let unit = arrow_schema::TimeUnit::Microsecond;
                write_moment(&mut told, found.micros, unit, found.zone);
                assert_eq!(told, text);
            }
        }
    }
}

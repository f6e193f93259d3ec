//! Dates as `GeoPackage` writes them: `2024-01-02`, and `2024-01-02T03:04:05.678Z`.

const DAY: i64 = 86_400_000;
/// Days from the first of March of the year 0 to the first of January of 1970.
const EPOCH: i64 = 719_468;
/// Days in four centuries, after which the calendar repeats.
const ERA: i64 = 146_097;

/// Days since 1970, of a date in this form.
pub(crate) fn days(text: &str) -> Option<i32> {
    let [year, month, day] = numbers(text, '-', [4, 2, 2])?;
    let known = (1..=12).contains(&month) && day >= 1 && day <= month_length(year, month);
    let days = known.then(|| days_of(year, month, day))?;
    i32::try_from(days).ok()
}

/// Milliseconds since 1970, of a date with time. Seconds may lack, a blank may stand for the T,
/// and an offset for the Z; without either it is taken for UTC. Digits after the milliseconds do
/// not count.
pub(super) fn milliseconds(text: &str) -> Option<i64> {
    let date = days(text.get(..10)?)?;
    let rest = text.get(10..)?;
    let rest = rest.strip_prefix(['T', ' '])?;
    let zone = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone);
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = match whole.len() {
        5 => {
            let [hour, minute] = numbers(whole, ':', [2, 2])?;
            [hour, minute, 0]
        }
        _ => numbers(whole, ':', [2, 2, 2])?,
    };
    // A leap second is the first of the next minute.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths = fraction.bytes().chain(*b"000").take(3);
    let thousandths = thousandths.fold(0, |sum, digit| 10 * sum + i64::from(digit - b'0'));
    let offset = match zone {
        "" | "Z" => 0,
        _ => {
            let sign = if zone.starts_with('-') { -1 } else { 1 };
            let [hours, minutes] = numbers(zone.get(1..)?, ':', [2, 2])?;
            sign * (hours * 60 + minutes)
        }
    };
    let minutes = hour * 60 + minute - offset;
    Some(i64::from(date) * DAY + minutes * 60_000 + second * 1000 + thousandths)
}

/// The date that is so many days after 1970; `None` outside the years 0 to 9999.
pub(super) fn date(days: i64) -> Option<String> {
    let (year, month, day) = date_of(days)?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// The date and time that is so many milliseconds after 1970.
pub(super) fn date_time(milliseconds: i64) -> Option<String> {
    let date = date(milliseconds.div_euclid(DAY))?;
    let rest = milliseconds.rem_euclid(DAY);
    let (seconds, thousandths) = (rest / 1000, rest % 1000);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(format!(
        "{date}T{hour:02}:{minute:02}:{second:02}.{thousandths:03}Z"
    ))
}

/// Numbers of these lengths, with this mark between them and nothing else.
fn numbers<const N: usize>(text: &str, mark: char, lengths: [usize; N]) -> Option<[i64; N]> {
    let mut parts = text.split(mark);
    let mut found = [0; N];
    for (number, length) in found.iter_mut().zip(lengths) {
        let part = parts.next()?;
        if part.len() != length || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

fn month_length(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Years begin in March here, so that the leap day is the last of its year.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let months = (month + 9) % 12;
    let day_of_year = (153 * months + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leaps + day_of_year - EPOCH
}

fn date_of(days: i64) -> Option<(i64, i64, i64)> {
    let days = days.checked_add(EPOCH)?;
    let (era, day_of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    // Take out the leap days: one in 4 years (1461 days), less one in 100, plus one in 400.
    let leaps = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / (ERA - 1);
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let months = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months + 2) / 5 + 1;
    let month = if months < 10 { months + 3 } else { months - 9 };
    let year = era.checked_mul(400)? + year_of_era + i64::from(month <= 2);
    (0..=9999).contains(&year).then_some((year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_ten_thousand_years_there_and_back() {
        let first = days("0000-01-01").unwrap();
        let last = days("9999-12-31").unwrap();
        assert_eq!(last - first + 1, 25 * ERA as i32);
        let mut before = String::new();
        for day in first..=last {
            let text = date(i64::from(day)).unwrap();
            assert_eq!(days(&text), Some(day), "{text}");
            assert!(text > before);
            before = text;
        }
        assert_eq!(date(i64::from(first) - 1), None);
        assert_eq!(date(i64::from(last) + 1), None);
        assert_eq!(date(i64::MAX), None);
        assert_eq!(date(i64::MIN), None);
    }

    #[test]
    fn known_days() {
        assert_eq!(days("1970-01-01"), Some(0));
        assert_eq!(days("2000-02-29"), Some(11_016));
        assert_eq!(days("1969-12-31"), Some(-1));
        for wrong in [
            "1900-02-29",
            "2024-13-01",
            "2024-1-01",
            "2024-01-00",
            "2024-01-01 ",
            "",
        ] {
            assert_eq!(days(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn times_in_all_forms() {
        let expected = 1_704_164_645_678;
        for text in [
            "2024-01-02T03:04:05.678Z",
            "2024-01-02 03:04:05.678",
            "2024-01-02T03:04:05.678999Z",
            "2024-01-02T04:34:05.678+01:30",
            "2024-01-01T22:04:05.678-05:00",
        ] {
            assert_eq!(milliseconds(text), Some(expected), "{text}");
        }
        assert_eq!(date_time(expected).unwrap(), "2024-01-02T03:04:05.678Z");
        assert_eq!(milliseconds("1970-01-01T00:01"), Some(60_000));
        assert_eq!(milliseconds("1970-01-01T00:00:00.5Z"), Some(500));
        assert_eq!(date_time(-1).unwrap(), "1969-12-31T23:59:59.999Z");
        for wrong in [
            "2024-01-02",
            "2024-01-02T",
            "2024-01-02T25:00:00Z",
            "2024-01-02T03:04:05.Z",
            "2024-01-02T03:04:05ZZ",
            "2024-01-02T03:04:05+1",
            "2024-01-02T03é04",
        ] {
            assert_eq!(milliseconds(wrong), None, "{wrong}");
        }
    }
}

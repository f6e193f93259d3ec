//! Figures out of the JSON of a report, as people read them.

use kdisc_report::page::{Cell, quoted};
use kdisc_report::round;
use serde_json::Value;

use crate::report::publish::UNTOLD;
use crate::summary::text;

/// A number under a path such as `/risk/per_unit/radius/median`.
pub fn number(facts: &Value, path: &str) -> Option<f64> {
    facts.pointer(path).and_then(Value::as_f64)
}

/// The values of a list.
pub fn list<'a>(facts: &'a Value, path: &str) -> &'a [Value] {
    facts
        .pointer(path)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Five digits at most, as the commands have them, without zeros at the end: few are to the last digit what they
/// seem.
pub fn short(value: f64) -> String {
    let digits = text::short(value);
    match digits.split_once('.') {
        Some(_) if !digits.contains('e') => {
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            digits.to_owned()
        }
        _ => digits,
    }
}

/// Cells with numbers of the same kind, which have as many digits as those of them that need most, up to five.
pub fn cells(values: &[Option<f64>]) -> Vec<Cell> {
    let texts = values.iter().flatten().map(|value| short(*value));
    let plain: Vec<String> = texts.filter(|text| !text.contains('e')).collect();
    let places = |text: &String| text.split_once('.').map_or(0, |(_, places)| places.len());
    let places = plain.iter().map(places).max().unwrap_or(0);
    // Zeros at either end say how large a number is, not how well it is known.
    let digits = |text: &String| text.replace('.', "").trim_matches(['-', '0']).len();
    let digits = plain.iter().map(digits).max().unwrap_or(0);
    let padded = |value: f64| {
        let text = short(value);
        if value == 0.0 || text.contains('e') {
            return text;
        }
        let before = value.abs().log10().floor() + 1.0;
        let after = (digits as f64 - before).clamp(0.0, places as f64) as usize;
        format!("{value:.after$}")
    };
    let cells = values
        .iter()
        .map(|value| value.map_or(Cell::Empty, |value| Cell::Number(padded(value), value)));
    cells.collect()
}

/// A cell with a count, which may be hidden.
pub fn count_cell(value: &Value) -> Cell {
    match value.as_u64() {
        Some(count) => Cell::Number(round::count(count), count as f64),
        None => value
            .as_str()
            .map_or(Cell::Empty, |_| Cell::Text(count(value))),
    }
}

/// A count in words, which may be hidden.
pub fn count(value: &Value) -> String {
    match (value.as_u64(), value.as_str()) {
        (Some(count), _) => round::count(count),
        (None, Some(hidden)) => {
            let limit = hidden.get(1..).and_then(|limit| limit.parse().ok());
            match (hidden.as_bytes().first(), limit.map(round::count)) {
                (Some(b'<'), Some(limit)) => format!("fewer than {limit}"),
                (Some(b'>'), Some(limit)) => format!("more than {limit}"),
                _ => quoted(hidden),
            }
        }
        (None, None) => "an unknown number of".to_owned(),
    }
}

/// So many units, which may be hidden.
pub fn units(value: &Value) -> String {
    if *value == UNTOLD {
        return "a number of units that is not told".to_owned();
    }
    let plural = if value.as_u64() == Some(1) { "" } else { "s" };
    format!("{} unit{plural}", count(value))
}

/// A share of the units in percent.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let shown = match percent {
        0.0 => "0".to_owned(),
        percent if percent < 0.01 => "less than 0.01".to_owned(),
        percent if percent < 1.0 => round::text((percent * 100.0).round() / 100.0),
        percent => round::text(round::three_digits(percent)),
    };
    format!("{shown} %")
}

/// The words of a command as they are typed.
pub fn command(facts: &Value) -> String {
    let words = list(facts, "/command").iter().filter_map(Value::as_str);
    words.map(typed).collect::<Vec<_>>().join(" ")
}

fn typed(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:,=%+@".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hidden_counts_are_told_as_such() {
        assert_eq!(units(&json!(1)), "1 unit");
        assert_eq!(units(&json!(12_345)), "12,345 units");
        assert_eq!(units(&json!("<10")), "fewer than 10 units");
        assert_eq!(units(&json!(">12345")), "more than 12,345 units");
        assert_eq!(count(&json!("not told")), "not told");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        let facts = json!({ "command": ["kdisc", "report", "my file.csv", "it's"] });
        assert_eq!(command(&facts), r"kdisc report 'my file.csv' 'it'\''s'");
    }

    #[test]
    fn numbers_end_where_they_say_something() {
        let all = [
            0.0, 0.5, 77.0, 718.23, 1413.4, 0.045_455, 2e-7, 584.0, 12_000.0,
        ];
        let shown = [
            "0", "0.5", "77", "718.23", "1413.4", "0.045455", "2.000e-7", "584", "12000",
        ];
        assert_eq!(all.map(short), shown);
    }

    #[test]
    fn numbers_of_a_kind_have_as_many_digits() {
        let shown = |values: &[f64]| {
            let values: Vec<_> = values.iter().copied().map(Some).collect();
            let texts = cells(&values).into_iter().map(|cell| match cell {
                Cell::Number(text, _) => text,
                other => panic!("{other:?}"),
            });
            texts.collect::<Vec<_>>()
        };
        assert_eq!(
            shown(&[592.56, 589.6, 58.96, 77.0, 0.0]),
            ["592.56", "589.60", "58.96", "77.00", "0"]
        );
        // Those that were rounded for publication do not look as if they were not.
        assert_eq!(shown(&[593.0, 59.3, 7.7]), ["593", "59.3", "7.7"]);
        assert_eq!(
            shown(&[2030.0, 62.3, 15.0, 1.25]),
            ["2030", "62.3", "15.0", "1.25"]
        );
        assert_eq!(shown(&[200.0, 5.0, 0.5]), ["200", "5", "0.5"]);
        assert_eq!(shown(&[1.0, 26.0, 3000.0]), ["1", "26", "3000"]);
        assert_eq!(shown(&[2446.0, 0.29858]), ["2446.0", "0.29858"]);
        assert_eq!(shown(&[999.996, 2e-7, 12.5]), ["1000", "2.000e-7", "12.5"]);
        assert_eq!(cells(&[None]), [Cell::Empty]);
    }

    #[test]
    fn shares_have_few_digits() {
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.123_456), "12.3 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.000_124), "0.01 %");
        assert_eq!(percent(0.009_93), "0.99 %");
        assert_eq!(percent(0.000_01), "less than 0.01 %");
    }
}

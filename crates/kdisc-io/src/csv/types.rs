//! What the columns of a table hold, for files that want to know, as Parquet does.
//!
//! A column gets a type only if every one of its values can be written in that type and read back
//! as what it was; whatever might be a name or a code stays text, such as `0031`, `+31` or a
//! number with more digits than fit. All rows are looked at, as one value can settle it.

use super::number::Decimal;
use super::records::OpenQuote;
use super::table::Table;
use super::values;
use crate::InputError;
use crate::moment::{self, Form};

/// What a column holds.
///
/// An empty field is no value; nor is `NA`, except where the column is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Whole numbers of 64 bits, without leading zeros or plus.
    Whole,
    /// Finite numbers with a fraction or an exponent, or whole ones below 2^53 among these.
    Number,
    /// `TRUE` and `FALSE`, `True` and `False`, `true` and `false`.
    Truth,
    /// Dates, `2026-11-16`.
    Date,
    /// Dates with a time, `2026-11-16T09:30:00`, none with a zone.
    LocalTime,
    /// Dates with a time, all with a zone.
    ZonedTime,
    /// Anything else, or nothing at all.
    Text,
}

/// What was seen in a column, as a set: so pieces can be seen in any order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Seen(u8);

impl Seen {
    const WHOLE: Self = Self(1);
    /// A whole number that a double may not hold.
    const LARGE: Self = Self(1 << 1);
    const NUMBER: Self = Self(1 << 2);
    const TRUTH: Self = Self(1 << 3);
    const DATE: Self = Self(1 << 4);
    const LOCAL_TIME: Self = Self(1 << 5);
    const ZONED_TIME: Self = Self(1 << 6);
    const TEXT: Self = Self(1 << 7);

    fn of(field: &str, decimal: Decimal) -> Self {
        const EXACT: u64 = 1 << 53;
        if values::is_null(field) {
            return Self::default();
        }
        if let Some(whole) = values::whole(field) {
            return if whole.unsigned_abs() < EXACT {
                Self::WHOLE
            } else {
                Self(Self::WHOLE.0 | Self::LARGE.0)
            };
        }
        if values::number(field, decimal).is_some() {
            Self::NUMBER
        } else if values::truth(field).is_some() {
            Self::TRUTH
        } else if moment::date(field).is_some() {
            Self::DATE
        } else if let Some(time) = moment::moment(field, Form::Exact) {
            match time.zone {
                None => Self::LOCAL_TIME,
                Some(_) => Self::ZONED_TIME,
            }
        } else {
            Self::TEXT
        }
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    fn kind(self) -> Kind {
        const LARGE: Seen = Seen(Seen::WHOLE.0 | Seen::LARGE.0);
        const WIDENED: Seen = Seen(Seen::WHOLE.0 | Seen::NUMBER.0);
        match self {
            Self::WHOLE | LARGE => Kind::Whole,
            Self::NUMBER | WIDENED => Kind::Number,
            Self::TRUTH => Kind::Truth,
            Self::DATE => Kind::Date,
            Self::LOCAL_TIME => Kind::LocalTime,
            Self::ZONED_TIME => Kind::ZonedTime,
            _ => Kind::Text,
        }
    }
}

impl Table {
    /// What each column holds, going by all rows, and how many rows there are; numbers have this
    /// decimal mark. A row that is
    /// too short has no value in the columns that it lacks, and what a row has beyond the header
    /// is not looked at.
    ///
    /// # Errors
    /// When a quote never closes.
    pub fn kinds(&self, decimal: Decimal) -> Result<(Vec<Kind>, usize), InputError> {
        let columns = self.columns().len();
        let (mut all, mut rows) = (vec![Seen::default(); columns], 0);
        self.in_pieces(
            |piece| {
                let (mut seen, mut rows) = (vec![Seen::default(); columns], 0);
                while let Some(record) = piece.advance()? {
                    rows += 1;
                    for (index, seen) in seen.iter_mut().take(record.fields()).enumerate() {
                        // Nothing can change what is text.
                        if seen.0 & Seen::TEXT.0 == 0 {
                            seen.add(Seen::of(&record.field(index), decimal));
                        }
                    }
                }
                Ok::<_, OpenQuote>((seen, rows))
            },
            |(seen, more), _| {
                rows += more;
                for (all, seen) in all.iter_mut().zip(seen) {
                    all.add(seen);
                }
                Ok::<_, InputError>(())
            },
        )?;
        Ok((all.into_iter().map(Seen::kind).collect(), rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind of a column with these values, in a table with semicolons.
    fn kind_with(values: &[&str], decimal: Decimal) -> Kind {
        let rows = values.join("\na;");
        let text = format!("id;v\na;{rows}\n");
        let table = Table::from_bytes("t.csv", text.into_bytes()).unwrap();
        table.kinds(decimal).unwrap().0[1]
    }

    fn kind(values: &[&str]) -> Kind {
        kind_with(values, Decimal::Point)
    }

    #[test]
    fn whole_numbers_are_whole_unless_they_look_like_codes() {
        assert_eq!(kind(&["1", "", "-20", "NA", "0"]), Kind::Whole);
        assert_eq!(kind(&["9223372036854775807"]), Kind::Whole);
        assert_eq!(kind(&["-9223372036854775808"]), Kind::Whole);
        for codes in [
            "0031",
            "+31",
            "9223372036854775808",
            "1 000",
            " 1",
            "00",
            "-01",
        ] {
            assert_eq!(kind(&["1", codes]), Kind::Text, "{codes}");
        }
    }

    #[test]
    fn numbers_have_the_mark_of_the_table() {
        assert_eq!(kind(&["1.5", "1e-3", "-.5", "2", "NA"]), Kind::Number);
        assert_eq!(kind(&["9007199254740991", "0.5"]), Kind::Number);
        assert_eq!(kind(&["9007199254740992", "0.5"]), Kind::Text);
        for other in [
            "1,5", "007.5", "+1.5", "inf", "NaN", "1e999", ".", "1e", "0x1p3",
        ] {
            assert_eq!(kind(&["1.5", other]), Kind::Text, "{other}");
        }
        assert_eq!(kind_with(&["1,5", "2"], Decimal::Comma), Kind::Number);
        assert_eq!(kind_with(&["1,5", "2.5"], Decimal::Comma), Kind::Text);
    }

    #[test]
    fn truths_dates_and_times() {
        assert_eq!(kind(&["TRUE", "false", "NA", "True"]), Kind::Truth);
        assert_eq!(kind(&["TRUE", "1"]), Kind::Text);
        assert_eq!(kind(&["T", "F"]), Kind::Text);
        assert_eq!(kind(&["2026-11-16", "2024-02-29"]), Kind::Date);
        assert_eq!(kind(&["2026-11-16", "2025-02-29"]), Kind::Text);
        assert_eq!(kind(&["2026-11-16", "2026-11-16T00:00:00"]), Kind::Text);
        let (local, zoned) = ("2026-11-16 09:30:00.25", "2026-11-16T09:30:00Z");
        assert_eq!(kind(&[local, "2026-11-16T09:30:00"]), Kind::LocalTime);
        assert_eq!(kind(&[zoned, "2026-11-16T09:30:00+01:00"]), Kind::ZonedTime);
        assert_eq!(kind(&[local, zoned]), Kind::Text);
        // Columns hold microseconds: nothing may be cut off.
        assert_eq!(kind(&["2026-11-16T09:30:00.1234567"]), Kind::Text);
        assert_eq!(kind(&["2026-11-16T09:30:00+0100"]), Kind::Text);
    }

    #[test]
    fn nothing_is_text() {
        assert_eq!(kind(&["", "NA"]), Kind::Text);
        assert_eq!(kind(&["NA", "b"]), Kind::Text);
    }

    #[test]
    fn short_and_long_rows_and_quotes() {
        let text = "a,b,c\n1,\"2.5\"\n2,3,TRUE,x\n\"3\",\"\",\"FALSE\"\n";
        let table = Table::from_bytes("t.csv", text.as_bytes().to_vec()).unwrap();
        let (kinds, _) = table.kinds(Decimal::Point).unwrap();
        assert_eq!(kinds, [Kind::Whole, Kind::Number, Kind::Truth]);
    }

    #[test]
    fn the_last_of_many_rows_counts() {
        let mut text = "a\n".to_owned();
        text.push_str(&"123456789\n".repeat(500_000));
        text.push_str("x\n");
        let table = Table::from_bytes("t.csv", text.into_bytes()).unwrap();
        assert_eq!(table.kinds(Decimal::Point).unwrap().0, [Kind::Text]);
    }
}

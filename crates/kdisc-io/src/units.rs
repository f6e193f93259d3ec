//! The usable rows of an input as places with weights, whatever its format.

use kdisc::{Point, PopulationError, check_coordinate};

use crate::crs::{Crs, Extent};
use crate::csv::{Decimal, values};
use crate::{RowError, ValueProblem};

/// The rows to be measured: those whose value in this column is what somebody typed. The same text
/// is the same value in any format, and so is the same number (1, 1.0, 1e0; but not 01, which may
/// be a code) and the same truth (TRUE, true; typed also as 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Only {
    /// Index of the column.
    pub column: usize,
    /// The text to be found there.
    pub value: String,
}

/// A value that somebody typed, and what it can stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought<'a> {
    text: &'a str,
    whole: Option<i64>,
    number: Option<f64>,
    truth: Option<bool>,
}

impl<'a> Sought<'a> {
    pub fn new(text: &'a str) -> Self {
        let number = values::number(text.trim(), Decimal::Point);
        Self {
            text,
            whole: values::whole(text),
            number,
            truth: match text {
                "1" => Some(true),
                "0" => Some(false),
                _ => values::truth(&text.to_lowercase()),
            },
        }
    }

    /// Whether this text in a file, whose numbers have this decimal mark, is that value.
    pub fn is(&self, found: &str, decimal: Decimal) -> bool {
        if found == self.text {
            return true;
        }
        let same_number = || match (self.whole, values::whole(found)) {
            // A double does not tell the larger ones apart.
            (Some(wanted), Some(found)) => wanted == found,
            _ => self.number == values::number(found, decimal),
        };
        (self.number.is_some() && same_number())
            || (self.truth.is_some() && self.truth == values::truth(found))
    }

    /// Whether this is that number.
    pub fn is_number(&self, found: f64) -> bool {
        self.number == Some(found)
    }
}

/// What to do with a row that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnInvalid {
    /// Stop with an error.
    #[default]
    Error,
    /// Leave it out, and count it.
    Skip,
}

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowState {
    /// It is a place of its own and is measured.
    Measured,
    /// It counts, but nobody asked for its disc.
    NotMeasured,
    /// It cannot be used.
    Invalid,
}

/// The usable rows of a table as places with weights, and what became of every row.
#[derive(Debug, Clone)]
pub struct Units {
    /// The places of the usable rows, in the order of the table.
    pub points: Vec<Point>,
    /// Their weights; `None` when each stands for one unit.
    pub weights: Option<Vec<u64>>,
    /// What became of each row, usable or not.
    pub rows: Vec<RowState>,
    /// How many rows cannot be used.
    pub bad_rows: usize,
    /// What is wrong with the first of those.
    pub first_bad: Option<RowError>,
    /// The decimal mark of the coordinates, or of the other columns when these show none.
    pub decimal: Decimal,
}

impl Units {
    /// None yet, with room for so many rows.
    pub(crate) fn with_capacity(rows: usize, weighted: bool) -> Self {
        // A file may promise more rows than it has.
        let rows = rows.min(1 << 24);
        Self {
            points: Vec::with_capacity(rows),
            weights: weighted.then(|| Vec::with_capacity(rows)),
            rows: Vec::with_capacity(rows),
            bad_rows: 0,
            first_bad: None,
            decimal: Decimal::Point,
        }
    }

    /// How far the places reach in this system; `None` if there are none.
    #[must_use]
    pub fn extent(&self, crs: Option<&Crs>) -> Option<Extent> {
        Extent::new(crs, &self.points)
    }

    /// For every row, its number among the usable ones, if it is one.
    pub fn numbers(&self) -> impl Iterator<Item = Option<usize>> {
        let mut usable = 0..;
        let states = self.rows.iter();
        states.map(move |&state| (state != RowState::Invalid).then(|| usable.next())?)
    }

    /// The usable rows.
    pub fn usable(&self) -> impl Iterator<Item = usize> {
        let rows = self.numbers().enumerate();
        rows.filter_map(|(row, number)| number.map(|_| row))
    }

    /// Adds a row that can be used.
    #[inline]
    pub(crate) fn push(&mut self, point: Point, weight: u64, is_wanted: bool) {
        self.points.push(point);
        if let Some(weights) = &mut self.weights {
            weights.push(weight);
        }
        self.rows.push(if is_wanted {
            RowState::Measured
        } else {
            RowState::NotMeasured
        });
    }

    /// Adds a row that cannot.
    pub(crate) fn push_invalid(&mut self) {
        self.bad_rows += 1;
        self.rows.push(RowState::Invalid);
    }

    /// Adds the rows that follow.
    pub(crate) fn append(&mut self, mut next: Self) {
        self.points.append(&mut next.points);
        if let (Some(weights), Some(more)) = (&mut self.weights, &mut next.weights) {
            weights.append(more);
        }
        self.rows.append(&mut next.rows);
        self.bad_rows += next.bad_rows;
        self.first_bad = self.first_bad.take().or(next.first_bad);
    }
}

#[inline]
pub(crate) fn usable(coordinate: f64) -> Result<f64, ValueProblem> {
    match check_coordinate(0, coordinate) {
        Ok(()) => Ok(coordinate),
        Err(PopulationError::TooLarge { .. }) => Err(ValueProblem::TooLarge),
        Err(PopulationError::TooSmall { .. }) => Err(ValueProblem::TooSmall),
        Err(_) => Err(ValueProblem::NotFinite),
    }
}

pub(crate) fn whole(weight: f64) -> Result<u64, ValueProblem> {
    // From here on, neighbouring whole numbers read as the same double.
    const LIMIT: f64 = (1u64 << 53) as f64;
    if weight < 0.0 {
        Err(ValueProblem::NegativeWeight)
    } else if weight.fract() != 0.0 {
        Err(ValueProblem::FractionalWeight)
    } else if weight >= LIMIT {
        Err(ValueProblem::LargeWeight)
    } else {
        Ok(weight as u64)
    }
}

/// Long enough to be found in the file, short enough for a message.
pub(crate) fn shortened(value: &str) -> String {
    const SHOWN: usize = 40;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_is_text_number_or_truth() {
        let is = |typed: &str, found: &str| Sought::new(typed).is(found, Decimal::Point);
        for (typed, same, other) in [
            ("a", &["a"][..], &["A", " a", ""][..]),
            (
                "1",
                &["1", "1.0", "1e0", "TRUE", "true"],
                &["01", "+1", "10", "FALSE", "t"],
            ),
            ("0.50", &["0.5", ".5", "5e-1"], &["0,5", "00.5"]),
            ("007", &["007"], &["7", "7.0"]),
            ("true", &["TRUE", "True", "true"], &["1", "T", "yes"]),
            ("FALSE", &["false", "False"], &["0", ""]),
            ("", &[""], &["0", "NA"]),
            (
                "9223372036854775807",
                &["9223372036854775807"],
                &["9223372036854775806"],
            ),
        ] {
            for found in same {
                assert!(is(typed, found), "{typed} {found}");
            }
            for found in other {
                assert!(!is(typed, found), "{typed} {found}");
            }
        }
        assert!(Sought::new("0.5").is("0,5", Decimal::Comma));
        assert!(!Sought::new("0.5").is("0,5", Decimal::Point));
    }
}

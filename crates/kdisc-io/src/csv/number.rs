//! Numbers as text, both ways: what is written reads back to the same double.

use crate::ValueProblem;

/// The mark between the whole and the fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Decimal {
    /// `1.5`
    #[default]
    Point,
    /// `1,5`
    Comma,
}

/// Reads numbers, and remembers where it first met each decimal mark: in a file that has both,
/// one of them may separate thousands, and no number in it can be trusted.
#[derive(Debug, Default)]
pub(crate) struct NumberReader {
    /// Whether the comma is free to be a decimal mark.
    pub commas: bool,
    /// The first number with a point, and its position.
    pub point: Option<(usize, String)>,
    /// The first number with a comma, and its position.
    pub comma: Option<(usize, String)>,
    scratch: String,
}

impl NumberReader {
    /// Reads decimal commas only if `commas`.
    pub fn new(commas: bool) -> Self {
        Self {
            commas,
            ..Self::default()
        }
    }

    /// The number that `text` stands for; `at` is its position.
    pub fn read(&mut self, text: &str, at: usize) -> Result<f64, ValueProblem> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ValueProblem::Missing);
        }
        if !self.commas {
            return parse(text);
        }
        match (text.contains('.'), text.contains(',')) {
            (true, true) => Err(ValueProblem::BothMarks),
            (true, false) => {
                let number = parse(text)?;
                self.point.get_or_insert_with(|| (at, text.to_owned()));
                Ok(number)
            }
            (false, true) => {
                self.scratch.clear();
                let marked = text.chars().map(|c| if c == ',' { '.' } else { c });
                self.scratch.extend(marked);
                let number = parse(&self.scratch)?;
                self.comma.get_or_insert_with(|| (at, text.to_owned()));
                Ok(number)
            }
            (false, false) => parse(text),
        }
    }

    /// The mark of these numbers; a point when they show none, or both.
    pub fn decimal(&self) -> Decimal {
        match (&self.point, &self.comma) {
            (None, Some(_)) => Decimal::Comma,
            _ => Decimal::Point,
        }
    }
}

fn parse(text: &str) -> Result<f64, ValueProblem> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(ValueProblem::NotFinite),
        Err(_) => Err(ValueProblem::NotANumber),
    }
}

/// Appends a finite number in its shortest form that reads back to the same double.
pub fn write_number(out: &mut Vec<u8>, number: f64, decimal: Decimal) {
    let mut buffer = zmij::Buffer::new();
    // Adding 0 makes −0 a 0: they are the same place.
    let text = buffer.format_finite(number + 0.0);
    let text = text.strip_suffix(".0").unwrap_or(text);
    match decimal {
        Decimal::Point => out.extend_from_slice(text.as_bytes()),
        Decimal::Comma => out.extend(text.bytes().map(|b| if b == b'.' { b',' } else { b })),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(number: f64, decimal: Decimal) -> String {
        let mut out = Vec::new();
        write_number(&mut out, number, decimal);
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(number in any::<f64>(), comma: bool) {
            prop_assume!(number.is_finite());
            let decimal = if comma { Decimal::Comma } else { Decimal::Point };
            let text = written(number, decimal);
            prop_assert!(text.len() <= 25);
            prop_assert_eq!(NumberReader::new(comma).read(&text, 0), Ok(number));
        }
    }

    #[test]
    fn numbers_look_as_a_person_writes_them() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (12.0, "12"),
            (155_000.25, "155000.25"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e150, "1e+150"),
            (1.5e-7, "1.5e-7"),
        ] {
            assert_eq!(written(number, Decimal::Point), text);
        }
        assert_eq!(written(2.5, Decimal::Comma), "2,5");
    }

    #[test]
    fn what_is_no_number() {
        let read = |text| NumberReader::new(true).read(text, 0);
        assert_eq!(read(" 1,5 "), Ok(1.5));
        assert_eq!(read("-1.5e3"), Ok(-1500.0));
        assert_eq!(read("  "), Err(ValueProblem::Missing));
        assert_eq!(read("12 m"), Err(ValueProblem::NotANumber));
        assert_eq!(read("1,2,3"), Err(ValueProblem::NotANumber));
        assert_eq!(read("1.234,5"), Err(ValueProblem::BothMarks));
        assert_eq!(read("NaN"), Err(ValueProblem::NotFinite));
        assert_eq!(read("1e999"), Err(ValueProblem::NotFinite));
        assert_eq!(
            NumberReader::new(false).read("1,5", 0),
            Err(ValueProblem::NotANumber)
        );
    }
}

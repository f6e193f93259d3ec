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
        match plain(text.as_bytes()) {
            Some((number, None)) => Ok(number),
            Some((number, Some(b'.'))) => {
                if self.commas {
                    self.point.get_or_insert_with(|| (at, text.to_owned()));
                }
                Ok(number)
            }
            Some((number, Some(_))) if self.commas => {
                self.comma.get_or_insert_with(|| (at, text.to_owned()));
                Ok(number)
            }
            _ => self.read_any(text, at),
        }
    }

    fn read_any(&mut self, text: &str, at: usize) -> Result<f64, ValueProblem> {
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

    /// What `next` met comes after what this one met.
    pub fn follow(&mut self, next: Self) {
        self.point = self.point.take().or(next.point);
        self.comma = self.comma.take().or(next.comma);
    }

    /// The mark of these numbers; a point when they show none, or both.
    pub fn decimal(&self) -> Decimal {
        match (&self.point, &self.comma) {
            (None, Some(_)) => Decimal::Comma,
            _ => Decimal::Point,
        }
    }
}

/// The number and its mark, if it is written with few enough digits for this: both the digits and
/// the power of ten are doubles without rounding, so that one division gives the nearest double,
/// as the general way does.
#[inline]
fn plain(text: &[u8]) -> Option<(f64, Option<u8>)> {
    const POWERS: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if unsigned.is_empty() || unsigned.len() > POWERS.len() {
        return None;
    }
    let mut digits = 0;
    let mut mark = None;
    for (i, &byte) in unsigned.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = 10 * digits + u64::from(digit);
        } else if matches!(byte, b'.' | b',') && mark.is_none() {
            mark = Some((byte, unsigned.len() - 1 - i));
        } else {
            return None;
        }
    }
    let number = match mark {
        // Sixteen digits may be one too many for a double.
        None if unsigned.len() < POWERS.len() => digits as f64,
        Some((_, fraction)) if unsigned.len() > 1 => digits as f64 / POWERS[fraction],
        _ => return None,
    };
    let number = if negative { -number } else { number };
    Some((number, mark.map(|(mark, _)| mark)))
}

pub(crate) fn parse(text: &str) -> Result<f64, ValueProblem> {
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

    proptest! {
        #[test]
        fn the_short_way_and_the_general_way_agree(text in "-?[0-9]{0,9}[.,]?[0-9]{0,9}") {
            for commas in [false, true] {
                let (mut short, mut general) = (NumberReader::new(commas), NumberReader::new(commas));
                let read = short.read(&text, 7).map(f64::to_bits);
                prop_assert_eq!(read, general.read_any(&text, 7).map(f64::to_bits));
                prop_assert_eq!((short.point, short.comma), (general.point, general.comma));
            }
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

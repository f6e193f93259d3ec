//! Taking coordinates and weights out of a table.

use kdisc::Point;

use super::Progress;
use super::number::{Decimal, NumberReader};
use super::pieces::{PIECE, Piece};
use super::records::{OpenQuote, Record};
use super::table::Table;
use crate::units::{OnInvalid, Only, Sought, Units, shortened, usable, whole};
use crate::{At, InputError, RowError, RowProblem, ValueProblem};

/// Which columns (by index) hold what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// East.
    pub x: usize,
    /// North.
    pub y: usize,
    /// How many units a row stands for; 1 each when absent.
    pub weight: Option<usize>,
}

/// Reads all rows of `table`, telling `progress` of it.
///
/// # Errors
/// At the first row that cannot be used, unless those are skipped; when a quote never closes;
/// when decimal points and decimal commas are mixed.
pub fn read_units(
    table: &Table,
    columns: Columns,
    only: Option<&Only>,
    on_invalid: OnInvalid,
    progress: Progress,
) -> Result<Units, InputError> {
    read_pieces(PIECE, table, columns, only, on_invalid, progress)
}

fn read_pieces(
    size: usize,
    table: &Table,
    columns: Columns,
    only: Option<&Only>,
    on_invalid: OnInvalid,
    progress: Progress,
) -> Result<Units, InputError> {
    let total = Some(table.bytes().len());
    let only = only.map(|only| (only.column, Sought::new(&only.value), table.decimal()));
    let mut all = Part::new(0, table, columns);
    table.in_pieces_of(
        size,
        |piece| Part::read(piece, table, columns, only, on_invalid),
        |part, done| {
            progress(done, total);
            all.append(part);
            match (&all.first_bad, on_invalid) {
                (Some((at, problem)), OnInvalid::Error) => {
                    Err(row_error(table, *at, problem.clone()).into())
                }
                _ => Ok::<_, InputError>(()),
            }
        },
    )?;
    let decimal = match (all.numbers.point, all.numbers.comma) {
        (Some(point), Some(comma)) => {
            return Err(InputError::MixedDecimals {
                file: table.name().to_owned(),
                point: (table.line(point.0), point.1),
                comma: (table.line(comma.0), comma.1),
            });
        }
        (None, Some(_)) => Decimal::Comma,
        (None, None) => table.decimal(),
        (_, None) => Decimal::Point,
    };
    let first_bad = all.first_bad;
    Ok(Units {
        first_bad: first_bad.map(|(at, problem)| row_error(table, at, problem)),
        decimal,
        ..all.units
    })
}

/// The units of some rows that follow each other.
struct Part {
    units: Units,
    /// The first of the bad rows: its position (lines are counted only when all is read), and
    /// what is wrong with it.
    first_bad: Option<(usize, RowProblem)>,
    numbers: NumberReader,
}

impl Part {
    fn new(rows: usize, table: &Table, columns: Columns) -> Self {
        Self {
            units: Units::with_capacity(rows, columns.weight.is_some()),
            first_bad: None,
            numbers: NumberReader::new(table.separator() != b','),
        }
    }

    /// Reads a piece; up to its first bad row, unless those are skipped.
    fn read(
        piece: &mut Piece<'_>,
        table: &Table,
        columns: Columns,
        only: Option<(usize, Sought<'_>, Decimal)>,
        on_invalid: OnInvalid,
    ) -> Result<Self, OpenQuote> {
        // Fewer rows than this are the rule, and more only cost time.
        let mut part = Self::new(piece.length() / 16, table, columns);
        while let Some(record) = piece.advance()? {
            match read_row(&record, table, columns, &mut part.numbers) {
                Ok((point, weight)) => {
                    let wanted = only.is_none_or(|(column, sought, decimal)| {
                        sought.is(&record.field(column), decimal)
                    });
                    part.units.push(point, weight, wanted);
                }
                Err(problem) => {
                    part.first_bad.get_or_insert((record.start(), problem));
                    part.units.push_invalid();
                    if on_invalid == OnInvalid::Error {
                        break;
                    }
                }
            }
        }
        Ok(part)
    }

    fn append(&mut self, next: Self) {
        self.units.append(next.units);
        self.first_bad = self.first_bad.take().or(next.first_bad);
        self.numbers.follow(next.numbers);
    }
}

#[inline(always)]
fn check_fields(record: &Record<'_>, table: &Table) -> Result<(), RowProblem> {
    let (expected, found) = (table.columns().len(), record.fields());
    if found == expected {
        Ok(())
    } else {
        Err(RowProblem::Ragged { expected, found })
    }
}

impl Table {
    /// Whether every row has as many fields as the header.
    ///
    /// # Errors
    /// At the first that has not; when a quote never closes.
    pub fn check_rows(&self) -> Result<(), InputError> {
        self.in_pieces(
            |piece| {
                while let Some(record) = piece.advance()? {
                    if let Err(problem) = check_fields(&record, self) {
                        return Ok(Some((record.start(), problem)));
                    }
                }
                Ok(None)
            },
            |bad, _| match bad {
                None => Ok(()),
                Some((at, problem)) => Err(row_error(self, at, problem).into()),
            },
        )
    }
}

pub(super) fn row_error(table: &Table, at: usize, problem: RowProblem) -> RowError {
    RowError {
        file: table.name().to_owned(),
        at: At::Line(table.line(at)),
        problem,
    }
}

#[inline(always)]
fn read_row(
    record: &Record<'_>,
    table: &Table,
    columns: Columns,
    numbers: &mut NumberReader,
) -> Result<(Point, u64), RowProblem> {
    check_fields(record, table)?;
    let wrong = |column, problem| wrong_value(record, table, column, problem);
    let x = number(record, columns.x, numbers).and_then(usable);
    let x = x.map_err(|problem| wrong(columns.x, problem))?;
    let y = number(record, columns.y, numbers).and_then(usable);
    let y = y.map_err(|problem| wrong(columns.y, problem))?;
    let weight = match columns.weight {
        None => 1,
        Some(column) => number(record, column, numbers)
            .and_then(whole)
            .map_err(|problem| wrong(column, problem))?,
    };
    Ok((Point::new(x, y), weight))
}

#[inline(always)]
pub(super) fn number(
    record: &Record<'_>,
    column: usize,
    numbers: &mut NumberReader,
) -> Result<f64, ValueProblem> {
    match record.short_whole(column) {
        Some(number) => Ok(f64::from(number)),
        None => numbers.read(&record.field(column), record.start()),
    }
}

#[cold]
pub(super) fn wrong_value(
    record: &Record<'_>,
    table: &Table,
    column: usize,
    problem: ValueProblem,
) -> RowProblem {
    RowProblem::Value {
        column: table.columns()[column].clone(),
        value: shortened(&record.field(column)),
        problem,
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::units::RowState;

    /// Fields with all that makes reading hard.
    const FIELDS: &[&str] = &[
        "1",
        "2.5",
        "\"3\"",
        "\"4\n\"",
        "\"\r\n5\r\"",
        " 6 ",
        "yes",
        "\"yes\"",
        "\"a\n1,2,3\nb\"",
        "\"\"\"\n\"",
        "bad",
        "",
        "7\"",
    ];

    const XY: Columns = Columns {
        x: 0,
        y: 1,
        weight: None,
    };
    const XYW: Columns = Columns {
        weight: Some(2),
        ..XY
    };

    fn read(text: &str, columns: Columns, on_invalid: OnInvalid) -> Result<Units, InputError> {
        let table = Table::from_bytes("t.csv", text.as_bytes().to_vec())?;
        read_units(&table, columns, None, on_invalid, &|_, _| {})
    }

    fn message(text: &str, columns: Columns) -> String {
        let read = read(text, columns, OnInvalid::Error);
        read.unwrap_err().to_string()
    }

    /// What a plain loop over the records of the csv crate finds.
    fn by_the_csv_crate(text: &str) -> (Vec<Point>, Vec<RowState>) {
        let (mut points, mut rows) = (Vec::new(), Vec::new());
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.flexible(true).from_reader(text.as_bytes());
        for record in reader.records().map(Result::unwrap) {
            let number = |column: usize| record[column].trim().parse::<f64>().ok();
            let point = (record.len() == 3).then(|| Some((number(0)?, number(1)?)));
            rows.push(match (point.flatten(), record.get(2)) {
                (None, _) => RowState::Invalid,
                (Some(_), Some("yes")) => RowState::Measured,
                _ => RowState::NotMeasured,
            });
            points.extend(point.flatten().map(|(x, y)| Point::new(x, y)));
        }
        (points, rows)
    }

    #[test]
    fn a_row_of_another_length_is_named() {
        let check = |text: &str| {
            let table = Table::from_bytes("t.csv", text.as_bytes().to_vec()).unwrap();
            table.check_rows().map_err(|error| error.to_string())
        };
        assert_eq!(check("a,b\n1,2\n\"x,y\",4\n"), Ok(()));
        let short = check("a,b\n1,2\n\n3\n4,5,6\n").unwrap_err();
        assert!(short.contains("line 4") && short.contains('1'), "{short}");
        let long = check("a,b\n1,2,3\n").unwrap_err();
        assert!(long.contains("line 2") && long.contains('3'), "{long}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn pieces_of_any_size_give_the_same(
            rows in vec(
                (vec(select(FIELDS), 2..5), select(&["\n", "\r\n", "\r", "\n\n"][..])),
                1..30,
            ),
            bad in any::<bool>(),
            size in 1usize..100,
        ) {
            let mut text = "x,y,z\n".to_owned();
            for (fields, line_end) in &rows {
                if bad || (fields.len() == 3 && !fields[..2].contains(&"bad")) {
                    text.push_str(&fields.join(","));
                    text.push_str(line_end);
                }
            }
            let Ok(table) = Table::from_bytes("t.csv", text.clone().into_bytes()) else {
                return Ok(());
            };
            let only = Only { column: 2, value: "yes".to_owned() };
            let read = |size, on_invalid| {
                read_pieces(size, &table, XY, Some(&only), on_invalid, &|_, _| {})
            };
            let units = read(size, OnInvalid::Skip).unwrap();
            let (points, states) = by_the_csv_crate(&text);
            prop_assert_eq!(&units.points, &points);
            prop_assert_eq!(&units.rows, &states);
            prop_assert_eq!(units.bad_rows, states.len() - points.len());

            let whole = read(usize::MAX, OnInvalid::Skip).unwrap();
            prop_assert_eq!(&units.first_bad, &whole.first_bad);
            let (pieces, whole) = (read(size, OnInvalid::Error), read(usize::MAX, OnInvalid::Error));
            match (pieces, whole) {
                (Ok(pieces), Ok(whole)) => prop_assert_eq!(pieces.points, whole.points),
                (Err(pieces), Err(whole)) => {
                    prop_assert_eq!(pieces.to_string(), whole.to_string());
                    prop_assert_eq!(pieces.to_string(), units.first_bad.unwrap().to_string());
                }
                _ => prop_assert!(false, "one of them fails"),
            }
        }
    }

    #[test]
    fn the_first_of_each_decimal_mark_is_told_from_any_piece() {
        let mut text = "x;y\n".to_owned();
        for row in 2..200 {
            text.push_str(match row {
                50 => "1,5;2\n",
                100 => "1.25;2\n",
                120 => "1,75;2.5\n",
                _ => "1;2\n",
            });
        }
        let table = Table::from_bytes("t.csv", text.into_bytes()).unwrap();
        let read = read_pieces(10, &table, XY, None, OnInvalid::Skip, &|_, _| {});
        assert_eq!(
            read.unwrap_err().to_string(),
            "t.csv: line 100 has a decimal point (\"1.25\"), line 50 a decimal comma (\"1,5\"); one of \
             them may separate thousands"
        );
    }

    #[test]
    fn each_wrong_value_is_named() {
        for (text, expected) in [
            ("x,y\n1\n", "line 2: 1 field, where the header has 2"),
            ("x,y\n\n1,2,3\n", "line 3: 3 fields, where the header has 2"),
            ("x,y\n1,a\n", "line 2, column \"y\": \"a\" is not a number"),
            ("x,y\n,2\n", "line 2, column \"x\": the value is missing"),
            (
                "x,y\nnan,2\n",
                "line 2, column \"x\": \"nan\" is not a finite number",
            ),
        ] {
            assert_eq!(message(text, XY), format!("t.csv, {expected}"));
        }
        assert!(message("x,y\n1,2e150\n", XY).contains("too large for a coordinate"));
        assert!(message("x,y\n1,1e-140\n", XY).contains("too close to 0"));
    }

    #[test]
    fn weights_are_whole_and_not_negative() {
        assert!(message("x,y,n\n1,2,-1\n", XYW).contains("\"-1\" is negative"));
        assert!(message("x,y,n\n1,2,1.5\n", XYW).contains("\"1.5\" is not a whole number"));
        for large in ["1e17", "9007199254740993"] {
            let message = message(&format!("x,y,n\n1,2,{large}\n"), XYW);
            assert!(message.contains("too large for a weight"), "{message}");
        }
        let units = read("x,y,n\n1,2,3.0\n1,2,0\n", XYW, OnInvalid::Error).unwrap();
        assert_eq!(units.weights, Some(vec![3, 0]));
    }

    #[test]
    fn skipped_rows_are_counted_and_the_first_is_told() {
        use RowState::{Invalid, Measured};
        let units = read("x,y\n1,2\n1,b\n3\n4,5\n", XY, OnInvalid::Skip).unwrap();
        assert_eq!(units.points, [Point::new(1.0, 2.0), Point::new(4.0, 5.0)]);
        assert_eq!(units.bad_rows, 2);
        assert_eq!(units.first_bad.unwrap().at, At::Line(3));
        assert_eq!(units.rows, [Measured, Invalid, Invalid, Measured]);
    }

    #[test]
    fn commas_are_decimal_where_they_do_not_separate() {
        let units = read("x;y\n1,5;2\n", XY, OnInvalid::Error).unwrap();
        assert_eq!(units.points, [Point::new(1.5, 2.0)]);
        assert_eq!(units.decimal, Decimal::Comma);
        let mixed = read("x;y\n1,5;2\n3;2.5\n", XY, OnInvalid::Skip);
        assert_eq!(
            mixed.unwrap_err().to_string(),
            "t.csv: line 3 has a decimal point (\"2.5\"), line 2 a decimal comma (\"1,5\"); one of them \
             may separate thousands"
        );
    }
}

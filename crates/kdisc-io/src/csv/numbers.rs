//! Taking one column of numbers out of a table, with all threads.

use super::number::{Decimal, NumberReader};
use super::pieces::{PIECE, Piece};
use super::records::OpenQuote;
use super::table::Table;
use super::units::{number, row_error, wrong_value};
use super::values;
use crate::numbers::Column;
use crate::units::RowState;
use crate::{InputError, RowProblem, ValueProblem};

/// Reads a column; `decimal` is the mark of the other numbers. In a file with decimal points,
/// `1,500` may be a thousand and a half or fifteen hundred: a number with another mark is an error.
pub(crate) fn read_numbers(
    table: &Table,
    column: usize,
    rows: &[RowState],
    decimal: Decimal,
) -> Result<Column, InputError> {
    read_pieces(PIECE, table, column, rows, decimal)
}

fn read_pieces(
    size: usize,
    table: &Table,
    column: usize,
    rows: &[RowState],
    decimal: Decimal,
) -> Result<Column, InputError> {
    let mut found = Column::default();
    let mut marks = NumberReader::default();
    table.in_pieces_of(
        size,
        |piece| Part::read(piece, table, column),
        |part, _| {
            let first = found.of_row.len();
            found.of_row.extend(part.of_row);
            for (row, at, problem) in part.bad {
                let row = first + row;
                if rows
                    .get(row)
                    .is_some_and(|state| *state != RowState::Invalid)
                {
                    found.bad_rows.push(row);
                    let error = || row_error(table, at, problem);
                    found.first_bad.get_or_insert_with(error);
                }
            }
            marks.follow(part.numbers);
            Ok::<_, InputError>(())
        },
    )?;
    let line = |(at, value): (usize, String)| (table.line(at), value);
    let other = match (decimal, marks.point, marks.comma) {
        (_, Some(point), Some(comma)) => {
            return Err(InputError::MixedDecimals {
                file: table.name().to_owned(),
                point: line(point),
                comma: line(comma),
            });
        }
        (Decimal::Point, None, other) | (Decimal::Comma, other, None) => other,
        _ => None,
    };
    if let Some(other) = other {
        let (line, value) = line(other);
        return Err(InputError::OtherDecimal {
            file: table.name().to_owned(),
            line,
            column: table.columns()[column].clone(),
            value,
        });
    }
    for (number, state) in found.of_row.iter_mut().zip(rows) {
        if *state == RowState::Invalid {
            *number = None;
        }
    }
    Ok(found)
}

/// The numbers of some rows that follow each other.
struct Part {
    of_row: Vec<Option<f64>>,
    /// Rows of this part with something else, where they begin, and what is wrong.
    bad: Vec<(usize, usize, RowProblem)>,
    numbers: NumberReader,
}

impl Part {
    fn read(piece: &mut Piece<'_>, table: &Table, column: usize) -> Result<Self, OpenQuote> {
        let mut part = Self {
            of_row: Vec::new(),
            bad: Vec::new(),
            numbers: NumberReader::new(table.separator() != b','),
        };
        while let Some(record) = piece.advance()? {
            let has_it = column < record.fields();
            let read = if has_it && !values::is_null(record.field(column).trim()) {
                number(&record, column, &mut part.numbers)
            } else {
                Err(ValueProblem::Missing)
            };
            part.of_row.push(read.ok());
            if let Err(problem) = read
                && problem != ValueProblem::Missing
            {
                let wrong = wrong_value(&record, table, column, problem);
                part.bad
                    .push((part.of_row.len() - 1, record.start(), wrong));
            }
        }
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        Table::from_bytes("t.csv", text.as_bytes().to_vec()).unwrap()
    }

    fn message(text: &str, decimal: Decimal) -> String {
        let rows = [RowState::Measured; 5];
        read_numbers(&table(text), 1, &rows, decimal)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn pieces_do_not_matter() {
        let row = |row: usize| match row % 7 {
            3 => "\"a\nb\",NA\n".to_owned(),
            5 => format!("{row},\"{row}.25\"\n"),
            6 if row > 400 => "x,bad\n".to_owned(),
            _ => format!("{row},{row}\n"),
        };
        let rows: String = (0..500).map(row).collect();
        let text = format!("id,v\n{rows}");
        let (table, rows) = (table(&text), [RowState::Measured; 500]);
        let whole = read_pieces(usize::MAX, &table, 1, &rows, Decimal::Point).unwrap();
        assert_eq!(
            whole.of_row[..6],
            [Some(0.0), Some(1.0), Some(2.0), None, Some(4.0), Some(5.25)]
        );
        assert_eq!(whole.bad_rows[..2], [405, 412]);
        for size in [3, 10, 64, 1000] {
            let pieces = read_pieces(size, &table, 1, &rows, Decimal::Point).unwrap();
            assert_eq!(pieces, whole, "{size}");
        }
        let told = whole.first_bad.unwrap().to_string();
        assert_eq!(
            told,
            "t.csv, line 465, column \"v\": \"bad\" is not a number"
        );
    }

    #[test]
    fn commas_are_decimal_where_the_rest_of_the_file_says_so() {
        let text = "x;v\n1,5;2,25\n2;-0,5\n";
        let rows = [RowState::Measured; 2];
        let found = read_numbers(&table(text), 1, &rows, Decimal::Comma).unwrap();
        assert_eq!(found.of_row, [Some(2.25), Some(-0.5)]);
        assert_eq!(
            message(text, Decimal::Point),
            "t.csv, line 2, column \"v\": \"2,25\" has another decimal mark than the rest of the \
             file; it may separate thousands"
        );
        assert!(message("x;v\n1,5;2.25\n", Decimal::Comma).contains("\"2.25\" has another"));
        assert!(message("x;v\n1;2.25\n1;3,5\n", Decimal::Comma).contains("line 3 a decimal comma"));
    }

    #[test]
    fn each_wrong_value_is_named() {
        for (value, expected) in [
            ("inf", "\"inf\" is not a finite number"),
            ("nan", "\"nan\" is not a finite number"),
            ("1e999", "\"1e999\" is not a finite number"),
            ("TRUE", "\"TRUE\" is not a number"),
        ] {
            let found = read_numbers(
                &table(&format!("id,v\n1,{value}\n")),
                1,
                &[RowState::Measured],
                Decimal::Point,
            );
            let told = found.unwrap().first_bad.unwrap().to_string();
            assert_eq!(told, format!("t.csv, line 2, column \"v\": {expected}"));
        }
    }
}

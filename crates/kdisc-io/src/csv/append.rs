//! Writing a table again with columns added at its right.
//!
//! Every row is copied as it stands: its quotes, its way of writing numbers, the end of its line.
//! Only a row with too few fields gets separators, and one with too many has the rest of them in its
//! last one, so that the added columns stand in their place.

use std::borrow::Cow;
use std::io::{self, Write};

use arrow_array::ArrayRef;
use arrow_cast::display::FormatOptions;

use super::number::{Decimal, write_number};
use super::records::{Record, Records};
use super::table::Table;
use super::write::Column;
use crate::WriteError;

/// How much is gathered before it is passed on.
const CHUNK: usize = 1 << 16;

/// Writes the rows of a table, each with more cells.
#[derive(Debug)]
pub struct Appender<'t, W> {
    table: &'t Table,
    records: Records<'t>,
    cells: Cells,
    out: W,
}

/// Cells of a row, each after a separator.
#[derive(Debug)]
pub(super) struct Cells {
    buffer: Vec<u8>,
    separator: u8,
    decimal: Decimal,
}

impl<'t, W: Write> Appender<'t, W> {
    /// Writes the header of `table`, with the names `added`. With another `separator` than the
    /// table's, the texts of its fields are kept, but not how they were quoted.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn new<S: AsRef<str>>(
        table: &'t Table,
        added: &[S],
        decimal: Decimal,
        separator: Option<u8>,
        out: W,
    ) -> io::Result<Self> {
        let separator = separator.unwrap_or(table.separator());
        let mut cells = Cells::new(separator, decimal);
        if separator == table.separator() {
            cells.buffer.extend_from_slice(table.header().as_bytes());
        } else {
            cells.rewritten(table.columns().iter().map(String::as_str));
        }
        for name in added {
            cells.text(name.as_ref());
        }
        cells.buffer.extend_from_slice(table.line_end().as_bytes());
        let mut appender = Self {
            table,
            records: table.records(),
            cells,
            out,
        };
        appender.pass_on()?;
        Ok(appender)
    }

    /// Copies the next rows, each with its cells of the columns `added`: as many rows as these have.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn rows(&mut self, added: &[ArrayRef]) -> Result<(), WriteError> {
        let options = FormatOptions::default();
        let added_columns = added.iter().map(|array| Column::new(array, &options));
        let added_columns = added_columns.collect::<Result<Vec<_>, _>>()?;
        for row in 0..added.first().map_or(0, |array| array.len()) {
            // An open quote was found when the table was read.
            let Ok(Some(record)) = self.records.advance() else {
                break;
            };
            let columns = self.table.columns().len();
            if record.fields() > columns {
                self.cells
                    .rewritten(shortened(&record, columns, self.table.separator()));
            } else if self.cells.separator == self.table.separator() {
                self.cells.buffer.extend_from_slice(record.raw().as_bytes());
            } else {
                let fields = (0..record.fields()).map(|field| record.field(field));
                self.cells.rewritten(fields);
            }
            for _ in record.fields()..columns {
                self.cells.empty();
            }
            for column in &added_columns {
                column.write(row, &mut self.cells, false)?;
            }
            let line_end = match record.line_end() {
                "" => self.table.line_end(),
                line_end => line_end,
            };
            self.cells.buffer.extend_from_slice(line_end.as_bytes());
            if self.cells.buffer.len() >= CHUNK {
                self.pass_on()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and gives the output back.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.pass_on()?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.cells.buffer)?;
        self.cells.buffer.clear();
        Ok(())
    }
}

/// The fields of a record, the last column having all that is left.
fn shortened<'a>(
    record: &'a Record<'a>,
    columns: usize,
    separator: u8,
) -> impl Iterator<Item = Cow<'a, str>> {
    let rest = (columns - 1..record.fields()).map(|field| record.field(field));
    let rest = rest
        .collect::<Vec<_>>()
        .join(&*char::from(separator).to_string());
    let first = (0..columns - 1).map(|field| record.field(field));
    first.chain(std::iter::once(Cow::Owned(rest)))
}

impl Cells {
    /// No cells yet.
    pub(super) fn new(separator: u8, decimal: Decimal) -> Self {
        Self {
            buffer: Vec::new(),
            separator,
            decimal,
        }
    }

    /// The first cells of a row.
    fn rewritten(&mut self, texts: impl Iterator<Item = impl AsRef<str>>) {
        for (i, text) in texts.enumerate() {
            if i > 0 {
                self.empty();
            }
            self.quoted(text.as_ref());
        }
    }

    /// The cells so far as a row of their own.
    pub(super) fn row(&self) -> &[u8] {
        self.buffer.get(1..).unwrap_or_default()
    }

    /// Begins again.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
    }

    /// A text; one without letters is a pair of quotes, as it is not the same as no text.
    pub(super) fn text_or_quotes(&mut self, text: &str) {
        self.text(text);
        if text.is_empty() {
            self.buffer.extend_from_slice(b"\"\"");
        }
    }

    /// A cell without content.
    pub(super) fn empty(&mut self) {
        self.buffer.push(self.separator);
    }

    /// A finite number, so that it reads back to the same double.
    pub(super) fn number(&mut self, number: f64) {
        self.empty();
        write_number(&mut self.buffer, number, self.decimal);
    }

    /// A whole number.
    pub(super) fn whole(&mut self, number: i64) {
        self.empty();
        // Writing to a vector cannot fail.
        let _ = write!(self.buffer, "{number}");
    }

    /// A text, in quotes if it needs them.
    pub(super) fn text(&mut self, text: &str) {
        self.empty();
        self.quoted(text);
    }

    fn quoted(&mut self, text: &str) {
        let needs_quotes = |b: u8| b == self.separator || matches!(b, b'"' | b'\r' | b'\n');
        if text.bytes().any(needs_quotes) {
            let escaped = text.replace('"', "\"\"");
            let _ = write!(self.buffer, "\"{escaped}\"");
        } else {
            self.buffer.extend_from_slice(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Float64Array, Int64Array};

    use super::*;

    fn appended(text: &str, decimal: Decimal) -> String {
        separated(text, decimal, None)
    }

    fn separated(text: &str, decimal: Decimal, separator: Option<u8>) -> String {
        let table = Table::from_bytes("t.csv", text.as_bytes().to_vec()).unwrap();
        let mut out = Appender::new(&table, &["r", "a;b"], decimal, separator, Vec::new()).unwrap();
        let halves: ArrayRef = Arc::new(Float64Array::from(vec![0.5; 2]));
        let sevens: ArrayRef = Arc::new(Int64Array::from(vec![7; 2]));
        out.rows(&[halves, sevens]).unwrap();
        String::from_utf8(out.finish().unwrap()).unwrap()
    }

    #[test]
    fn rows_are_copied_to_the_byte() {
        assert_eq!(
            appended(
                "\u{feff}x,\"y\"\r\n1.0,\"2\n\"\r\n\r\n 3 ,4",
                Decimal::Point
            ),
            "\u{feff}x,\"y\",r,a;b\r\n1.0,\"2\n\",0.5,7\r\n 3 ,4,0.5,7\r\n"
        );
    }

    #[test]
    fn the_separator_and_the_decimal_mark_are_the_tables() {
        assert_eq!(
            appended("x;y\n1,5;2\n", Decimal::Comma),
            "x;y;r;\"a;b\"\n1,5;2;0,5;7\n"
        );
    }

    #[test]
    fn another_separator_keeps_the_texts() {
        let tabs = |text| separated(text, Decimal::Comma, Some(b'\t'));
        assert_eq!(
            tabs("x;\"y;z\"\r\n1,50;\"a\tb\"\r\n\"2\"\r\n"),
            "x\ty;z\tr\ta;b\r\n1,50\t\"a\tb\"\t0,5\t7\r\n2\t\t0,5\t7\r\n"
        );
        let same = "x\ty\n\"1\"\t2\n";
        assert_eq!(tabs(same), "x\ty\tr\ta;b\n\"1\"\t2\t0,5\t7\n");
    }

    #[test]
    fn a_short_row_is_filled_up() {
        assert_eq!(
            appended("x,y,z\n1\n", Decimal::Point),
            "x,y,z,r,a;b\n1,,,0.5,7\n"
        );
    }
}

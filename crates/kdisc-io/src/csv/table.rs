//! A file of rows under a header, kept as the bytes it came in.

use std::path::Path;

use super::Progress;
use super::load::{Loaded, from_bytes, load};
use super::number::{Decimal, NumberReader};
use super::records::{OpenQuote, Records};
use crate::InputError;
use crate::sha256;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Separated text with a header.
#[derive(Debug, Clone)]
pub struct Table {
    name: String,
    text: String,
    packed_sha256: Option<String>,
    separator: u8,
    columns: Vec<String>,
    line_end: String,
    header_end: usize,
    body: usize,
}

impl Table {
    /// Reads a file, also if it is packed by gzip or Zstandard, telling `progress` of it.
    ///
    /// # Errors
    /// When it cannot be read, or is not a table with a header.
    pub fn read(path: &Path, progress: Progress) -> Result<Self, InputError> {
        let name = path.display().to_string();
        Self::new(&name, load(path, &name, progress)?)
    }

    /// Takes these bytes, packed or not, for the content of a file called `name`.
    ///
    /// # Errors
    /// When they are not a table with a header.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        Self::new(name, from_bytes(bytes, name)?)
    }

    fn new(name: &str, loaded: Loaded) -> Result<Self, InputError> {
        let text = String::from_utf8(loaded.bytes).map_err(|error| {
            let wrong = error.utf8_error().valid_up_to();
            InputError::NotUtf8 {
                file: name.to_owned(),
                line: line_of(&error.as_bytes()[..wrong]),
                byte: wrong + 1,
            }
        })?;
        let start = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let mut table = Self {
            name: name.to_owned(),
            separator: separator_of(&text[start..]),
            text,
            packed_sha256: loaded.sha256,
            columns: Vec::new(),
            line_end: String::new(),
            header_end: start,
            body: start,
        };
        table.take_header(start)?;
        let first = table.records().advance().map(|_| ());
        first.map_err(|quote| table.open_quote(quote))?;
        Ok(table)
    }

    fn take_header(&mut self, start: usize) -> Result<(), InputError> {
        let mut records = Records::new(&self.text, self.separator, start);
        let header = records.advance().map_err(|quote| self.open_quote(quote))?;
        let Some(header) = header else {
            return Err(InputError::Empty {
                file: self.name.clone(),
            });
        };
        let columns = (0..header.fields()).map(|i| header.field(i).trim().to_owned());
        let columns: Vec<_> = columns.collect();
        let header_end = header.start() + header.raw().len();
        let line_end = header.line_end().to_owned();
        self.body = header_end + line_end.len();
        self.line_end = if line_end.is_empty() {
            "\n".to_owned()
        } else {
            line_end
        };
        self.header_end = header_end;
        self.columns = columns;
        Ok(())
    }

    /// A value of these columns with a point, if all of them may have it between thousands: in a
    /// file that separates fields with something else than commas, at most three digits before the
    /// point and three after. Only the first rows are looked at.
    #[must_use]
    pub fn may_be_thousands(&self, columns: &[usize]) -> Option<String> {
        const ROWS: usize = 1000;
        if self.separator == b',' {
            return None;
        }
        let mut records = self.records();
        let mut first = None;
        for _ in 0..ROWS {
            let Ok(Some(record)) = records.advance() else {
                break;
            };
            for &column in columns.iter().filter(|&&c| c < record.fields()) {
                let value = record.field(column);
                let Some((before, after)) = value.trim().split_once('.') else {
                    continue;
                };
                let before = before.trim_start_matches(['-', '+']);
                if !(1..=3).contains(&before.len()) || before == "0" || after.len() != 3 {
                    return None;
                }
                first.get_or_insert_with(|| value.trim().to_owned());
            }
        }
        first
    }

    /// What the input is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the columns, without quotes and outer spaces.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// All bytes of the file, unpacked.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The SHA-256 of the file as it came, packed or not.
    #[must_use]
    pub fn sha256(&self) -> String {
        let packed = self.packed_sha256.clone();
        packed.unwrap_or_else(|| sha256::hex(self.bytes()))
    }

    /// The byte between fields.
    #[must_use]
    pub fn separator(&self) -> u8 {
        self.separator
    }

    /// The file up to the end of the header, without the end of its line.
    #[must_use]
    pub fn header(&self) -> &str {
        &self.text[..self.header_end]
    }

    /// How the header's line ends; a row without an end of its own gets the same.
    #[must_use]
    pub fn line_end(&self) -> &str {
        &self.line_end
    }

    /// The rows under the header.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        self.records_from(self.body)
    }

    /// The decimal mark of all columns together, for when no column in particular decides: what is
    /// added must read like the rest of the file. A part of it is enough to tell.
    #[must_use]
    pub fn decimal(&self) -> Decimal {
        const ROWS: usize = 1000;
        let mut numbers = NumberReader::new(self.separator != b',');
        let mut records = self.records();
        for _ in 0..ROWS {
            let Ok(Some(record)) = records.advance() else {
                break;
            };
            for field in 0..record.fields() {
                let _ = numbers.read(&record.field(field), 0);
            }
        }
        numbers.decimal()
    }

    /// The rows from position `at` on, where one begins.
    pub(super) fn records_from(&self, at: usize) -> Records<'_> {
        Records::new(&self.text, self.separator, at)
    }

    /// Where the header and its line end.
    pub(super) fn body(&self) -> usize {
        self.body
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The line, from 1, on which position `at` of the file stands.
    #[must_use]
    pub fn line(&self, at: usize) -> usize {
        line_of(&self.text.as_bytes()[..at])
    }

    /// The lines, from 1, on which these rows begin; rows count from 0 under the header.
    #[must_use]
    pub fn lines_of_rows(&self, rows: &[usize]) -> Vec<usize> {
        let mut lines = vec![0; rows.len()];
        let mut records = self.records();
        let (mut line, mut counted) = (1, 0);
        for row in 0..=rows.iter().copied().max().unwrap_or(0) {
            let Ok(Some(record)) = records.advance() else {
                break;
            };
            for (wanted, found) in rows.iter().zip(&mut lines) {
                if *wanted == row {
                    line += line_of(&self.text.as_bytes()[counted..record.start()]) - 1;
                    counted = record.start();
                    *found = line;
                }
            }
        }
        lines
    }

    pub(crate) fn open_quote(&self, quote: OpenQuote) -> InputError {
        InputError::OpenQuote {
            file: self.name.clone(),
            line: self.line(quote.0),
        }
    }
}

/// Lines end at LF, CRLF or CR, as records do.
fn line_of(before: &[u8]) -> usize {
    let mut line = 1;
    let mut previous = 0;
    for &byte in before {
        if byte == b'\r' || (byte == b'\n' && previous != b'\r') {
            line += 1;
        }
        previous = byte;
    }
    line
}

/// Which of comma, semicolon and tab is most frequent in the header, outside quotes; the comma
/// when none is there.
fn separator_of(text: &str) -> u8 {
    let mut quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in text.trim_start_matches(['\r', '\n']).bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\r' | b'\n' if !quoted => break,
            _ if quoted => {}
            _ => {
                for (candidate, count) in &mut counts {
                    *count += usize::from(byte == *candidate);
                }
            }
        }
    }
    let mut best = counts[0];
    for candidate in counts {
        if candidate.1 > best.1 {
            best = candidate;
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Table, InputError> {
        Table::from_bytes("t.csv", text.as_bytes().to_vec())
    }

    #[test]
    fn the_separator_is_the_most_frequent_outside_quotes() {
        for (header, separator) in [
            ("x,y", b','),
            ("x;y", b';'),
            ("x\ty", b'\t'),
            ("\"a,b,c,d\";x;y", b';'),
            ("name, first;x;y", b';'),
            ("x", b','),
        ] {
            let table = table(&format!("{header}\n1{0}2\n", separator as char)).unwrap();
            assert_eq!(table.separator(), separator, "{header}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_a_name() {
        let table = table("\u{feff}\"x\", y \r\n1,2").unwrap();
        assert_eq!(table.columns(), ["x", "y"]);
        assert_eq!(table.header(), "\u{feff}\"x\", y ");
        assert_eq!(table.line_end(), "\r\n");
    }

    #[test]
    fn nothing_is_refused_but_a_header_is_a_table() {
        for text in ["", "\u{feff}", "\n\r\n"] {
            assert!(matches!(table(text), Err(InputError::Empty { .. })));
        }
        for text in ["x,y", "x,y\n\n"] {
            let table = table(text).unwrap();
            assert_eq!(table.columns(), ["x", "y"]);
            assert!(table.records().advance().unwrap().is_none());
        }
    }

    #[test]
    fn the_first_byte_that_is_not_utf_8_is_named() {
        let bytes = b"x,y\n1,2\n3,caf\xe9\n".to_vec();
        let error = Table::from_bytes("t.csv", bytes).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv, line 3, byte 14 of the file: not UTF-8 text"
        );
    }

    #[test]
    fn lines_are_counted_however_they_end() {
        for (before, line) in [
            ("", 1),
            ("a\n", 2),
            ("a\r\nb\r\n", 3),
            ("a\rb\r", 3),
            ("\n\r\n\r", 4),
        ] {
            assert_eq!(line_of(before.as_bytes()), line, "{before:?}");
        }
    }

    #[test]
    fn rows_are_found_on_their_lines() {
        let table = table("\r\nx,y\r\n1,2\r\n\r\n\"3\n\",4\n5,6\n").unwrap();
        assert_eq!(table.lines_of_rows(&[2, 0, 1]), [7, 3, 5]);
        assert!(table.lines_of_rows(&[]).is_empty());
    }

    #[test]
    fn an_open_quote_is_named_by_its_line() {
        let error = table("x,y\n\"1,2\n3,4\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "t.csv, line 2: a quoted field begins here and never ends"
        );
    }
}

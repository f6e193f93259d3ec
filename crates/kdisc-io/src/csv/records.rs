//! Cutting text into records and fields, by position.
//!
//! A record ends at LF, CRLF or CR; empty lines between records are skipped. A field that begins
//! with a quote runs to the closing quote, whatever lies between; a doubled quote inside stands for
//! one. Cost: the [`Marks`] are found eight bytes at a time, and only they are looked at one by one.

use std::borrow::Cow;

use super::marks::Marks;

/// The records of a text, one at a time: each borrows the space in which the ends of its fields
/// are noted.
#[derive(Debug, Clone)]
pub struct Records<'t> {
    text: &'t str,
    separator: u8,
    at: usize,
    marks: Marks,
    ends: Vec<usize>,
}

/// One record: where it stands, and its fields.
#[derive(Debug, Clone, Copy)]
pub struct Record<'r> {
    text: &'r str,
    start: usize,
    ends: &'r [usize],
    next: usize,
}

/// A quote was opened at this position and never closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenQuote(pub usize);

impl<'t> Records<'t> {
    /// The records of `text` from position `at` on.
    pub(crate) fn new(text: &'t str, separator: u8, at: usize) -> Self {
        Self {
            text,
            separator,
            at,
            marks: Marks::new(text.as_bytes(), separator, at),
            ends: Vec::new(),
        }
    }

    /// Where the next record begins; the length of the text when there is none.
    #[inline]
    pub fn position(&mut self) -> usize {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() && is_line_end(bytes[self.at]) {
            self.at += 1;
        }
        self.at
    }

    /// The next record, or `None` at the end of the text.
    ///
    /// # Errors
    /// When a quote never closes.
    // Not an iterator: a record borrows from here until the next one is asked for.
    // Inlined, for a record that goes through memory costs as much as it took to find.
    #[inline(always)]
    pub fn advance(&mut self) -> Result<Option<Record<'_>>, OpenQuote> {
        let bytes = self.text.as_bytes();
        let start = self.position();
        if start == bytes.len() {
            return Ok(None);
        }
        self.marks.skip_to(bytes, start);
        self.ends.clear();
        let mut at = start;
        loop {
            at = self.field_end(at)?;
            self.ends.push(at);
            if at == bytes.len() || bytes[at] != self.separator {
                break;
            }
            at += 1;
        }
        self.at = match &bytes[at..] {
            [b'\r', b'\n', ..] => at + 2,
            [_, ..] => at + 1,
            [] => at,
        };
        Ok(Some(Record {
            text: self.text,
            start,
            ends: &self.ends,
            next: self.at,
        }))
    }

    #[inline(always)]
    fn field_end(&mut self, start: usize) -> Result<usize, OpenQuote> {
        let bytes = self.text.as_bytes();
        if bytes.get(start) == Some(&b'"') {
            self.pass_quotes(start)?;
        }
        loop {
            match self.marks.next(bytes) {
                // A quote that does not begin a field stands for itself.
                Some(at) if bytes[at] == b'"' => {}
                Some(at) => return Ok(at),
                None => return Ok(bytes.len()),
            }
        }
    }

    /// Takes the marks up to the closing quote of the field at `start`.
    fn pass_quotes(&mut self, start: usize) -> Result<(), OpenQuote> {
        let bytes = self.text.as_bytes();
        let mut opening = self.marks.next(bytes);
        while opening.is_some() {
            let closing = loop {
                let at = self.marks.next(bytes).ok_or(OpenQuote(start))?;
                if bytes[at] == b'"' {
                    break at;
                }
            };
            if bytes.get(closing + 1) != Some(&b'"') {
                return Ok(());
            }
            // Doubled: the field goes on after the second.
            opening = self.marks.next(bytes);
        }
        Err(OpenQuote(start))
    }
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

impl<'r> Record<'r> {
    /// Where the record begins in the text.
    #[must_use]
    pub fn start(&self) -> usize {
        self.start
    }

    /// The record as it stands, without the end of its line.
    #[must_use]
    pub fn raw(&self) -> &'r str {
        &self.text[self.start..self.ends[self.ends.len() - 1]]
    }

    /// The end of its line: LF, CRLF or CR, or nothing at the end of the text.
    #[must_use]
    pub fn line_end(&self) -> &'r str {
        &self.text[self.ends[self.ends.len() - 1]..self.next]
    }

    /// The number of fields.
    #[must_use]
    pub fn fields(&self) -> usize {
        self.ends.len()
    }

    /// The number in field `index` if it is just one to eight digits, as many coordinates are: all
    /// eight bytes are turned into a number at once.
    #[inline(always)]
    pub(super) fn short_whole(&self, index: usize) -> Option<u32> {
        let start = match index {
            0 => self.start,
            _ => self.ends[index - 1] + 1,
        };
        let length = self.ends[index] - start;
        let bytes = self.text.as_bytes().get(start..)?.first_chunk::<8>()?;
        if !(1..=8).contains(&length) {
            return None;
        }
        // What follows the field goes out at the top, zeros come in as the first digits.
        let digits = u64::from_le_bytes(*bytes) ^ 0x3030_3030_3030_3030;
        let digits = digits << (8 * (8 - length));
        if (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080 != 0 {
            return None;
        }
        // Neighbours are joined: digits to pairs, pairs to fours, fours to the number.
        let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
        let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
        Some((fours * 10_000 + (fours >> 32)) as u32)
    }

    /// What field `index` says: its text without quotes.
    ///
    /// # Panics
    /// When there is no such field.
    #[must_use]
    #[inline]
    pub fn field(&self, index: usize) -> Cow<'r, str> {
        let start = match index {
            0 => self.start,
            _ => self.ends[index - 1] + 1,
        };
        let raw = &self.text[start..self.ends[index]];
        match raw.strip_prefix('"') {
            None => Cow::Borrowed(raw),
            Some(inner) => unquoted(inner),
        }
    }
}

/// What a field says, given what follows its opening quote.
fn unquoted(inner: &str) -> Cow<'_, str> {
    if let Some(plain) = inner.strip_suffix('"')
        && !plain.contains('"')
    {
        return Cow::Borrowed(plain);
    }
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, after)) = rest.split_once('"') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('"') {
            text.push('"');
            rest = after;
        } else {
            // Closed; what follows up to the separator stands for itself.
            text.push_str(after);
            rest = "";
        }
    }
    text.push_str(rest);
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ours(text: &str) -> Result<Vec<Vec<String>>, OpenQuote> {
        let mut records = Records::new(text, b',', 0);
        let mut rows = Vec::new();
        while let Some(record) = records.advance()? {
            let fields = (0..record.fields()).map(|i| record.field(i).into_owned());
            rows.push(fields.collect());
        }
        Ok(rows)
    }

    fn theirs(text: &str) -> Vec<Vec<String>> {
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes())
            .records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect())
            .collect()
    }

    proptest! {
        #[test]
        fn fields_are_those_of_the_csv_crate(text in "[ab,\"\r\n;]{0,24}") {
            if let Ok(rows) = ours(&text) {
                prop_assert_eq!(rows, theirs(&text));
            }
        }

        #[test]
        fn only_line_ends_lie_between_records(text in "[aé,\"\r\n]{0,24}") {
            let mut records = Records::new(&text, b',', 0);
            let mut covered = 0;
            while let Ok(Some(record)) = records.advance() {
                prop_assert!(text[covered..record.start()].bytes().all(is_line_end));
                let end = record.start() + record.raw().len();
                prop_assert_eq!(&text[end..end + record.line_end().len()], record.line_end());
                covered = end + record.line_end().len();
            }
        }
    }

    proptest! {
        #[test]
        fn short_whole_numbers_are_what_parsing_gives(
            field in "[0-9]{0,10}|[ -~]{0,9}|[/0-9:]{1,8}|[0-9é]{1,8}",
            behind in "[ -~]{0,9}",
        ) {
            let text = format!("{field}\t{behind}");
            let mut records = Records::new(&text, b'\t', 0);
            let Ok(Some(record)) = records.advance() else {
                return Ok(());
            };
            let is_short = field.len() <= 8 && field.bytes().all(|b| b.is_ascii_digit());
            let expected = field.parse().ok().filter(|_| is_short && text.len() >= 8);
            prop_assert_eq!(record.short_whole(0), expected);
        }
    }

    #[test]
    fn a_quoted_field_may_hold_separators_and_line_ends() {
        let rows = ours("a,\"b\r\n,\"\"c\"\"\",d\r\ne,f,g").unwrap();
        assert_eq!(rows, [["a", "b\r\n,\"c\"", "d"], ["e", "f", "g"]]);
    }

    #[test]
    fn a_quote_that_never_closes_is_found_where_it_opens() {
        assert_eq!(ours("a,b\n1,\"2\n3,4\n"), Err(OpenQuote(6)));
    }

    #[test]
    fn a_quote_inside_a_field_is_a_quote() {
        assert_eq!(ours("5\" pipe,x").unwrap(), [["5\" pipe", "x"]]);
    }
}

//! What people call a row.

use std::fmt;

use crate::reading::Opened;

/// A row of an input, by the names that people have for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowName {
    /// From 1 below the header: what R and QGIS call it.
    pub row: usize,
    /// On which it begins in a text, from 1 at the top: what an editor calls it, and an error.
    pub line: Option<usize>,
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line} (row {})", self.row),
            None => write!(f, "row {}", self.row),
        }
    }
}

impl Opened {
    /// The names of rows, from 0.
    pub fn names(&self, rows: &[usize]) -> Vec<RowName> {
        let lines = self.input.csv().map(|table| table.lines_of_rows(rows));
        let named = rows.iter().enumerate().map(|(i, &row)| RowName {
            row: row + 1,
            line: lines.as_ref().map(|lines| lines[i]),
        });
        named.collect()
    }
}

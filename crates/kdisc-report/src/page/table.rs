//! Tables, which a script makes sortable.

use std::fmt::Write;

use super::text::{marked, quoted};

/// A table.
#[derive(Debug, Default)]
pub struct Table {
    /// What it tells, as [`marked`] text.
    pub caption: String,
    /// The heads of its columns, as [`marked`] text.
    pub head: Vec<String>,
    /// Rows, whose first cell names them.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words, as [`marked`] text.
    Text(String),
    /// A number as it is shown, and by what it is sorted.
    Number(String, f64),
    /// Nothing to say.
    Empty,
}

impl Table {
    /// Of columns with their heads.
    pub fn of_columns(caption: String, columns: impl Iterator<Item = (String, Vec<Cell>)>) -> Self {
        let mut table = Self {
            caption,
            ..Self::default()
        };
        for (head, cells) in columns {
            table.head.push(head);
            table.rows.resize(cells.len(), Vec::new());
            for (row, cell) in table.rows.iter_mut().zip(cells) {
                row.push(cell);
            }
        }
        table
    }

    pub(super) fn write(&self, out: &mut String) -> std::fmt::Result {
        let numeric = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.any(|cell| matches!(cell, Cell::Number(..)))
        };
        let sortable = if self.rows.len() > 1 {
            " class=\"sortable\""
        } else {
            ""
        };
        writeln!(
            out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table{sortable}>\n<caption>{}</caption>\n<thead><tr>",
            quoted(&plain(&self.caption)),
            marked(&self.caption)
        )?;
        for (column, head) in self.head.iter().enumerate() {
            let class = if numeric(column) {
                " class=\"number\""
            } else {
                ""
            };
            writeln!(out, "<th scope=\"col\"{class}>{}</th>", marked(head))?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        for row in &self.rows {
            out.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let (open, close) = if column == 0 {
                    ("th scope=\"row\"", "th")
                } else {
                    ("td", "td")
                };
                match cell {
                    Cell::Text(text) => write!(out, "<{open}>{}</{close}>", marked(text))?,
                    Cell::Number(text, value) => write!(
                        out,
                        "<{open} class=\"number\" data-value=\"{value}\">{}</{close}>",
                        quoted(text)
                    )?,
                    Cell::Empty => write!(out, "<{open} class=\"none\">none</{close}>")?,
                }
            }
            out.push_str("</tr>\n");
        }
        writeln!(out, "</tbody></table></div>")
    }
}

/// Marked text without its marks.
fn plain(text: &str) -> String {
    text.replace(['[', ']', '`', '*'], "")
}

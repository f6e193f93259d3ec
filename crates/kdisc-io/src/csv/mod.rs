//! Separated text: comma, semicolon or tab; with or without a byte-order mark; LF or CRLF; with
//! decimal points, or decimal commas where the comma does not separate fields.
//!
//! The reader is our own, because the output must repeat every row byte for byte and ten million
//! rows must not cost more memory than their own bytes: the [`Table`] holds the file once, and
//! every pass scans it again. What counts as a field is what the `csv` crate takes for one (the
//! tests compare them), except that a quote that never closes is an error here.

mod append;
mod layer;
mod load;
mod marks;
mod number;
mod numbers;
mod pieces;
mod records;
mod table;
mod types;
mod units;
pub mod values;
mod write;

/// Told now and then how many bytes are done, and of how many where that is known.
pub type Progress<'a> = &'a (dyn Fn(usize, Option<usize>) + Sync);

pub use append::Appender;
pub use layer::Typed;
pub(crate) use number::parse;
pub use number::{Decimal, write_number};
pub(crate) use numbers::read_numbers;
pub use pieces::Piece;
pub use records::{OpenQuote, Record, Records};
pub use table::Table;
pub use types::Kind;
pub use units::{Columns, read_units};
pub use write::{CsvWriter, create};

//! Tables of points in, tables of answers out.
//!
//! What leaves kdisc must be what came in, plus columns: so a [`csv::Table`] keeps the bytes of
//! its file, readers take numbers out of it, and [`csv::Appender`] copies every row as it stood.
//! Files are replaced whole or not at all ([`output`]).
//!
//! Errors say where (file, line, column, value) and what; how to go on is for the front end to
//! say, which knows its own options.

pub mod columns;
pub mod crs;
pub mod csv;
mod error;
pub mod geometry;
pub mod geopackage;
pub mod layer;
mod nearest;
pub mod output;
pub mod sha256;
pub mod shapefile;

pub use error::{InputError, OutputError, RowError, RowProblem, ValueProblem, WriteError};

//! Tables of points in, tables of answers out, in the formats that people have.
//!
//! An [`input::Input`] is opened by name and content. Text is kept as the bytes it came in
//! ([`csv::Table`]), so that every row can be copied as it stood; other formats are read in
//! batches, column by column ([`layer`]). [`points`] takes places and weights out of them,
//! [`regions`] polygons, [`shapes`] whatever there is to draw,
//! [`crs`] says what coordinates are on the ground, [`export`] writes the rows again with columns
//! added, [`geotiff`] writes rasters. Files are replaced whole or not at all ([`output`]).
//!
//! Errors say where (file, line or row, column, value) and what; how to go on is for the front end
//! to say, which knows its own options.

pub mod arrow_file;
pub mod columns;
mod contained;
pub mod content;
pub mod crs;
pub mod csv;
mod error;
pub mod export;
pub mod flatgeobuf;
pub mod format;
mod geoarrow;
pub mod geojson;
pub mod geometry;
pub mod geopackage;
pub mod geoparquet;
pub mod geotiff;
#[cfg(test)]
mod held;
pub mod input;
mod json;
pub mod labels;
pub mod layer;
pub mod memory;
mod moment;
mod nearest;
pub mod numbers;
pub mod output;
pub mod points;
pub mod regions;
pub mod sha256;
pub mod shapefile;
pub mod shapes;
pub mod units;
mod unpack;
mod values;

pub use error::{At, InputError, OutputError, RowError, RowProblem, ValueProblem, WriteError};

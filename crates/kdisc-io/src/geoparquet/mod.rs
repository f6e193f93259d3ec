//! Parquet and `GeoParquet`, both ways.
//!
//! A Parquet file is a `GeoParquet` file when its metadata say so (`geo`), or when its geometry
//! column is marked as such by Parquet itself or by `GeoArrow`. Columns that are not asked for are
//! never read from the disk.

mod metadata;
mod read;
mod write;

pub(crate) use metadata::write as metadata;
pub use read::open;
pub use write::create;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

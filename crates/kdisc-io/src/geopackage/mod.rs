//! `GeoPackage`: tables of an `SQLite` database that say where they lie.
//!
//! Reading changes nothing, neither the file nor what is beside it, and trusts nothing that the
//! file's own code (views, triggers, generated columns) could do. Writing gives the same bytes
//! for the same rows: the one date that the format asks for is fixed.

pub mod blob;
mod connection;
mod contents;
mod convert;
mod names;
mod read;
mod schema;
mod types;
mod values;
mod write;

pub use contents::layers;
pub use read::open;
pub use write::create;

use std::fmt;

const FORMAT: &str = "a GeoPackage";

/// A name in SQL, whatever is in it.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.replace('"', "\"\""))
    }
}

#[cfg(test)]
mod tests;

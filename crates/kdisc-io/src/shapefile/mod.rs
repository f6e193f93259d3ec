//! Shapefiles: geometries (`.shp`), their rows (`.dbf`), and what else lies beside them.
//!
//! Read by our own hand: the format is two files of plain records, and the known library gives
//! whole numbers as doubles, which hold 15 of their 18 digits. Every length is checked against
//! what there is before it is believed.

mod dbf;
mod parts;
mod read;
mod rings;
mod shapes;
mod shp;
mod text;

pub use parts::layers;
pub use read::{open, open_bytes};

use crate::InputError;

const FORMAT: &str = "a Shapefile";

fn broken(file: &str, problem: impl Into<String>) -> InputError {
    InputError::broken(file, FORMAT, problem.into())
}

#[cfg(test)]
mod tests;

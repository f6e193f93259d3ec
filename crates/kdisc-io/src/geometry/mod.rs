//! Geometries as well-known binary (WKB): the form in which all layers hold them.

mod bounds;
mod centroid;
mod encode;
mod read;
mod write;

pub use bounds::{bounds, union};
pub use centroid::centroid;
pub use encode::wkb_column;
pub use read::{Kind, NoPlace, WkbError, place};
pub use write::{point, polygon};

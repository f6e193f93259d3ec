//! Geometries as well-known binary (WKB): the form in which all layers hold them.

mod bounds;
mod centroid;
mod encode;
mod parts;
mod read;
mod text;
mod write;

pub use bounds::{bounds, union};
pub use centroid::centroid;
pub(crate) use encode::holds_wkb;
pub use encode::wkb_column;
pub(crate) use parts::Parts;
pub(crate) use read::DEEPEST;
pub use read::{Kind, NoPlace, WkbError, coordinates, head, place};
pub use text::text;
pub use write::{point, polygons, region};

#[cfg(test)]
mod tests;

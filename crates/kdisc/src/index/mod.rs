//! Where locations are found: a packed k-d tree.

mod nearest;
pub(crate) mod square;
mod surroundings;
mod together;
mod tree;

pub(crate) use nearest::{Near, Nearest, SLACK};
pub(crate) use surroundings::Surroundings;
pub(crate) use together::{Kth, Together};
pub(crate) use tree::{Bounds, Tree};

//! Where locations are found: a packed k-d tree.

mod nearest;
mod tree;

pub(crate) use nearest::{Near, Nearest, SLACK};
pub(crate) use tree::{Bounds, Tree};

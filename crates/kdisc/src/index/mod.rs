//! Where locations are found: a packed k-d tree.

mod square;
mod tree;

pub(crate) use square::{SLACK, Search};
pub(crate) use tree::Tree;

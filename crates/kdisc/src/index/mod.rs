//! Where locations are found: a packed k-d tree.

mod tree;

pub(crate) use tree::Tree;

//! What the summaries of all commands have in common.

pub mod json;
pub mod rows;
pub mod text;

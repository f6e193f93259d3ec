//! The built command, driven as a user would.

mod areal;
mod bad_input;
mod common;
mod ending;
mod files;
mod map;
mod packed;
mod risk;
mod summary;
mod within;
mod zoom;

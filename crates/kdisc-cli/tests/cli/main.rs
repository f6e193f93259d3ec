//! The built command, driven as a user would.

mod areal;
mod bad_input;
mod common;
mod ending;
mod files;
mod packed;
mod risk;
mod rules;
mod summary;
mod within;
mod zoom;

//! The built command, driven as a user would.

mod areal;
mod bad_input;
mod bandwidth;
mod common;
mod density;
mod ending;
mod files;
mod help;
mod map;
mod packed;
mod public;
mod report;
mod risk;
mod rules;
mod summary;
mod surface;
mod within;
mod zoom;

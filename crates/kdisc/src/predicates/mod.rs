//! Signs and roundings that are right for every input.

mod circle;
mod grain;
mod rounding;
mod twofold;
mod whole;

pub(crate) use circle::{Support, compare_centers, compare_radii, side};
pub(crate) use grain::Grain;
pub(crate) use rounding::{distance, rounded};

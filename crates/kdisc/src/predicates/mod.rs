//! Signs and roundings that are right for every input.

mod circle;
mod grain;
mod multiple;
mod rounding;
mod turn;
mod twofold;
mod whole;

pub(crate) use circle::{Sides, Support, compare_centers, compare_radii, exceeds};
pub(crate) use grain::{Grain, power_of_two};
pub(crate) use multiple::{compare_multiple, compare_slanted};
pub(crate) use rounding::{distance, rounded};
pub(crate) use turn::turn;
pub(crate) use twofold::Twofold;
pub(crate) use whole::decompose;

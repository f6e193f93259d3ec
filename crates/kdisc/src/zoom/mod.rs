//! What a map shows at a zoom level.
//!
//! A map has pixels. Locations that fall in one pixel are one dot, and their multiplicities add up.
//! The *perceived* risk is the measure of these dots: a [`Raster`] sends every location to a pixel,
//! the pixels are integer points in a plane of their own, and their [`Population`](crate::Population) is
//! measured as any other, in pixels instead of metres.
//!
//! A dot counts when its point lies in the closed disc. The paper's formula, taken literally, counts
//! every pixel that the disc touches; that gives smaller radii, so this is the cautious reading.
//!
//! Zooming out hides units behind each other, but protects none: the exact locations keep the risk
//! that they have. So a table of levels wants the measure of the exact locations beside that of
//! the pixels, twice for each of some twenty levels. [`Survey`] finds the few figures of such a
//! table without measuring every location again.

mod knowledge;
mod largest;
mod overlap;
mod percentile;
mod raster;
mod survey;

pub use knowledge::Known;
pub use largest::LARGEST;
pub use overlap::overlap;
pub use raster::Raster;
pub use survey::{Limits, Survey, survey};

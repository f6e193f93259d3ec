//! Density maps: how many units there are about each place, smoothed, and how safe that is to show.
//!
//! A kernel spreads each unit over the cells of a [`Frame`]. What a unit gives to a cell is the
//! height of its kernel at the centre of the cell, divided by the sum of these heights over all
//! cells that may receive something: those of the frame, and of the study [`Area`] if there is one.
//! So every unit is spread whole, also at the edge of the map and at the coast, and the map adds up
//! to the number of units on it.
//!
//! Units are taken to the centres of their cells first, unless they are to be spread from where they
//! [exactly](Smoothing::exact) are. One bandwidth for all makes the map a convolution of a table of
//! counts, which is quick; a bandwidth for each unit, or exact places, make each unit spread its own
//! kernel.
//!
//! What a map gives away depends on how many contribute to a cell. With cᵢ the contribution of unit
//! i, the [effective number of contributors](Map::contributors) is (Σ cᵢ)² / Σ cᵢ²: n if n units
//! contribute alike, and nearly 1 if one outweighs all others. The
//! [largest share](Map::largest_share) is max cᵢ / Σ cᵢ.
//!
//! ```
//! use kdisc::Point;
//! use kdisc::density::{Bandwidth, Frame, Kernel, Smoothing, Units};
//!
//! let points = [(10.0, 10.0), (30.0, 15.0), (95.0, 95.0)].map(|(x, y)| Point::new(x, y));
//! let frame = Frame::within(10.0, [0.0, 0.0, 100.0, 100.0])?;
//! let smoothing = Smoothing::new(&frame, Kernel::Quartic, Bandwidth::Fixed(25.0));
//! let map = smoothing.map(&Units::new(&points))?;
//! let units: f64 = map.density().iter().map(|density| density * frame.cell_area()).sum();
//! assert!((units - 3.0).abs() < 1e-9);
//!
//! // In the corner of the third there is nobody else.
//! let corner = frame.index(Point::new(99.0, 99.0)).expect("it is in the frame");
//! assert!((map.contributors()[corner] - 1.0).abs() < 1e-12);
//! assert_eq!(map.largest_share()[corner], 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With one bandwidth that reaches R cells far, a map takes time in proportion to cells · R for the
//! Gaussian and to cells · R² for other kernels; else, to the cells that the kernels of all units cover.

mod area;
mod bandwidth;
mod convolve;
mod error;
mod fields;
mod frame;
mod kernel;
mod load;
mod map;
mod smoothing;
mod spread;
mod taps;

pub use area::Area;
pub use bandwidth::{Reaches, scott, stretched};
pub use error::{DensityError, FrameError};
pub use frame::Frame;
pub use kernel::Kernel;
pub use load::Units;
pub use map::{Map, Rule};
pub use smoothing::{Bandwidth, Smoothing};

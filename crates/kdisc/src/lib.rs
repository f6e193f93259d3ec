//! kdisc

mod anonymity;
mod disc;
pub mod example;
mod index;
mod measure;
mod point;
mod population;
mod predicates;

pub use anonymity::{Anonymity, AnonymityError, Delta, Metric};
pub use disc::Disc;
pub use measure::{Measure, MeasureError};
pub use point::Point;
pub use population::{
    LARGEST_COORDINATE, Population, PopulationError, SMALLEST_COORDINATE, check_coordinate,
};

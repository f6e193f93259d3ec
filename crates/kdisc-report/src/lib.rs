//! Pictures of disclosure risk.
//!
//! A [`map::Map`] is panels of layers (dots, cells, a surface, marks with their discs, layers of the user's own)
//! with a legend, drawn on a [`map::Sheet`] as SVG, PNG or PDF. It knows nothing of files or
//! arguments: it takes points and classes, and gives bytes. What maps need, other pictures need as
//! well: scales of colour ([`colour`]), themes ([`theme`]), classes with round breaks ([`classes`]),
//! round numbers and their texts ([`round`]), letters that can be measured ([`font`]) and a writer
//! ([`svg`]).

pub mod classes;
pub mod colour;
pub mod dots;
mod draw;
pub mod font;
pub mod frame;
mod image;
mod labels;
mod layout;
mod legend;
pub mod map;
mod marks;
pub mod page;
mod picture;
pub mod round;
pub mod shapes;
pub mod svg;
pub mod theme;

pub use draw::{Drawing, MOST_SHAPES};
pub use image::MOST_PIXELS;
pub use picture::Kind;

//! Maps.
pub mod classes;
pub mod colour;
pub mod dots;
pub mod font;
pub mod frame;
pub mod round;
pub mod shapes;
pub mod svg;
pub mod theme;

/// A place in the plane, in a projected coordinate system (metres, usually).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
}

impl Point {
    /// The place `(x, y)`.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }
}

use crate::Point;

/// The answer for one location: its smallest disc that holds at least *k* units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// The centre, correctly rounded.
    pub center: Point,
    /// The radius, correctly rounded; 0 when the location alone holds *k* units.
    pub radius: f64,
    /// All units in the closed disc.
    pub units: u64,
}

impl Disc {
    /// The risk: the radius per unit in the disc. A length per unit, not a probability.
    #[must_use]
    pub fn risk(&self) -> f64 {
        self.radius / self.units as f64
    }
}

use crate::Point;

/// The answer for one location: its smallest disc that holds at least *k* units.
///
/// Centre and radius are correctly rounded. Only where 0 < δ < ∞, and a disc of radius δ will not
/// do, are they approximate: see [what exact means](crate#what-exact-means).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// The centre.
    pub center: Point,
    /// The radius; 0 when the location alone holds *k* units.
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

//! What a row of the table has to do with the answers. A usable row is named by its number among
//! the usable ones.

use kdisc::Point;

use super::prepare::Prepared;
use super::subjects::Subjects;

impl Prepared {
    /// The number of units at the place of a usable row.
    pub fn multiplicity(&self, usable: usize) -> u64 {
        match &self.subjects {
            Subjects::Places { units, .. } => units[usable],
            _ => self.population.multiplicities()[self.location(usable)],
        }
    }

    /// Which answer is that of a usable row that is measured.
    pub fn answer(&self, usable: usize) -> usize {
        match &self.subjects {
            Subjects::Locations => self.location(usable),
            Subjects::Some { locations, .. } => {
                let location = self.location(usable) as u32;
                locations.partition_point(|&l| l < location)
            }
            Subjects::Places { .. } => usable,
        }
    }

    /// Where a usable row is.
    pub fn place(&self, usable: usize) -> Point {
        match &self.subjects {
            Subjects::Places { points, .. } => points[usable],
            _ => self.population.locations()[self.location(usable)],
        }
    }

    fn location(&self, usable: usize) -> usize {
        self.population.location_of_row()[usable] as usize
    }
}

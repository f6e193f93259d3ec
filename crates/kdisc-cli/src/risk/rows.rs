//! What a row of the table has to do with the answers. A usable row is named by its number among
//! the usable ones.

use kdisc::Point;
use kdisc_io::At;

use super::answers::NoDisc;
use super::prepare::Prepared;
use super::subjects::Subjects;
use crate::register::at_usable;

impl Prepared {
    /// The number of units at the place of a usable row.
    pub fn multiplicity(&self, usable: usize) -> u64 {
        let own = self.regional.as_ref();
        if let Some(units) = own.and_then(|own| own.multiplicity(usable)) {
            return units;
        }
        match &self.subjects {
            Subjects::Places { units, .. } => units[usable],
            _ => self.population.multiplicities()[self.location(usable)],
        }
    }

    /// Which answer is that of a usable row that is measured.
    pub fn answer(&self, usable: usize) -> usize {
        if let Some(regional) = &self.regional {
            return regional.answer(usable);
        }
        match &self.subjects {
            Subjects::Locations => self.location(usable),
            Subjects::Some { locations, .. } => {
                let location = self.location(usable) as u32;
                locations.partition_point(|&l| l < location)
            }
            Subjects::Places { .. } => usable,
        }
    }

    /// Why a usable row has no disc.
    pub fn why_none(&self, usable: usize) -> NoDisc {
        let regional = self.regional.as_ref();
        regional.map_or(NoDisc::TooFew, |regional| regional.why_none(usable))
    }

    /// Where in its file a usable row is.
    pub fn at_usable(&self, usable: usize) -> At {
        at_usable(&self.table, &self.rows, usable)
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

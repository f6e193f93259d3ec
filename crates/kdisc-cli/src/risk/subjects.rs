//! Whose discs are asked for: all units, some of them, or places of their own.

use kdisc::{Disc, Measure, MeasureError, Point, Population};
use kdisc_io::units::{RowState, Units};

/// Whose discs are asked for.
pub enum Subjects {
    /// All locations.
    Locations,
    /// Some locations, in rising order, and how many of the units there are meant.
    Some {
        locations: Vec<u32>,
        units: Vec<u64>,
    },
    /// Places of their own, and how many units are exactly there.
    Places { points: Vec<Point>, units: Vec<u64> },
}

impl Subjects {
    /// The locations of the rows that are to be measured.
    pub fn some(units: &Units, population: &Population) -> Self {
        let usable = units.rows.iter().filter(|row| **row != RowState::Invalid);
        let mut meant: Vec<(u32, u64)> = usable
            .zip(population.location_of_row())
            .enumerate()
            .filter(|(_, (row, _))| **row == RowState::Measured)
            .map(|(i, (_, &location))| {
                let weight = units.weights.as_ref().map_or(1, |weights| weights[i]);
                (location, weight)
            })
            .collect();
        meant.sort_unstable();
        let mut locations = Vec::new();
        let mut counts: Vec<u64> = Vec::new();
        for (location, weight) in meant {
            match counts.last_mut() {
                Some(count) if locations.last() == Some(&location) => *count += weight,
                _ => {
                    locations.push(location);
                    counts.push(weight);
                }
            }
        }
        Self::Some {
            locations,
            units: counts,
        }
    }

    /// These places, which may be locations of the population.
    pub fn places(points: Vec<Point>, population: &Population) -> Self {
        // Numbers compare as numbers here: −0 is 0, and nothing is NaN.
        let key = |p: &Point| (p.x + 0.0, p.y + 0.0);
        let order = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        let mut by_place: Vec<u32> = (0..points.len() as u32).collect();
        by_place
            .sort_unstable_by(|&a, &b| order(key(&points[a as usize]), key(&points[b as usize])));
        let mut units = vec![0; points.len()];
        for (location, &count) in population
            .locations()
            .iter()
            .zip(population.multiplicities())
        {
            let first = by_place
                .partition_point(|&i| order(key(&points[i as usize]), key(location)).is_lt());
            for &place in &by_place[first..] {
                if key(&points[place as usize]) != key(location) {
                    break;
                }
                units[place as usize] = count;
            }
        }
        Self::Places { points, units }
    }

    /// One answer per subject.
    pub fn measure(&self, measure: Measure<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
        match self {
            Self::Locations => measure.all(),
            Self::Some { locations, .. } => measure.locations(locations),
            Self::Places { points, .. } => measure.places(points),
        }
    }
}

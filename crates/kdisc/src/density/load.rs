//! What units have to spread, added up where they spread alike.

use rayon::prelude::*;

use super::{Area, DensityError, Frame};
use crate::{Point, count_units};

/// Values beyond this are refused: many of them could not be added.
const LARGEST_VALUE: f64 = 1e150;

/// Units, and what they are worth.
#[derive(Debug, Clone, Copy)]
pub struct Units<'a> {
    points: &'a [Point],
    weights: Option<&'a [u64]>,
    values: Option<&'a [f64]>,
}

impl<'a> Units<'a> {
    /// One unit at each point.
    #[must_use]
    pub fn new(points: &'a [Point]) -> Self {
        Self {
            points,
            weights: None,
            values: None,
        }
    }

    /// So many units at each point. What no unit is at contributes nothing.
    #[must_use]
    pub fn weighted(self, weights: &'a [u64]) -> Self {
        let weights = Some(weights);
        Self { weights, ..self }
    }

    /// With this value in all at each point, which is then one contributor.
    #[must_use]
    pub fn valued(self, values: &'a [f64]) -> Self {
        let values = Some(values);
        Self { values, ..self }
    }

    pub(super) fn without_values(self) -> Self {
        let values = None;
        Self { values, ..self }
    }

    pub(super) fn points(&self) -> &'a [Point] {
        self.points
    }

    pub(super) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// Whether some values are negative, so that their sum is not what they amount to.
    pub(super) fn are_signed(&self) -> bool {
        let values = self.values.unwrap_or_default();
        values.iter().any(|&value| value < 0.0)
    }

    pub(super) fn check(&self) -> Result<(), DensityError> {
        count_units(self.points, self.weights)?;
        let Some(values) = self.values else {
            return Ok(());
        };
        if values.len() != self.points.len() {
            return Err(DensityError::Lengths {
                points: self.points.len(),
                what: "values",
                found: values.len(),
            });
        }
        let usable = |value: &f64| value.abs() <= LARGEST_VALUE;
        let wrong = values.iter().position(|value| !usable(value));
        match wrong {
            None => Ok(()),
            Some(row) => Err(DensityError::Value {
                row,
                value: values[row],
            }),
        }
    }

    pub(super) fn weight(&self, row: usize) -> u64 {
        self.weights.map_or(1, |weights| weights[row])
    }

    pub(super) fn value(&self, row: usize) -> f64 {
        self.values.map_or(0.0, |values| values[row])
    }

    /// The largest value, without signs. Contributions are counted in it, lest their squares leave
    /// the range of a double.
    pub(super) fn largest(&self) -> f64 {
        let values = self.values.unwrap_or_default().iter();
        let largest = values.fold(0.0_f64, |largest, value| largest.max(value.abs()));
        if largest == 0.0 { 1.0 } else { largest }
    }

    /// What a row has to spread, with contributions in this unit.
    pub(super) fn load(&self, row: usize, largest: f64) -> Load {
        let units = self.weight(row) as f64;
        match self.values {
            None => Load {
                units,
                value: 0.0,
                size: units,
                square: units,
                peak: 1.0,
            },
            Some(values) => {
                let (value, size) = (values[row], values[row].abs() / largest);
                Load {
                    units,
                    value,
                    size,
                    square: size * size,
                    peak: size,
                }
            }
        }
    }

    /// The cell of each row that counts: one with units, in the frame and in the study area.
    pub(super) fn cells(
        &self,
        frame: &Frame,
        area: Option<&Area>,
    ) -> Result<Vec<Option<u32>>, DensityError> {
        let mut cells = frame.indices(self.points)?;
        if area.is_some() || self.weights.is_some() {
            let counts = |row: usize| {
                self.weight(row) > 0 && area.is_none_or(|area| area.holds(self.points[row]))
            };
            let all = cells.par_iter_mut().enumerate();
            all.for_each(|(row, cell)| *cell = cell.filter(|_| counts(row)));
        }
        Ok(cells)
    }
}

/// What is to be spread from one place. A contributor is a unit, or a row with a value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Load {
    pub units: f64,
    pub value: f64,
    /// The sum of what the contributors have, without signs.
    pub size: f64,
    /// The sum of its squares.
    pub square: f64,
    /// The largest.
    pub peak: f64,
}

impl Load {
    pub fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.value += other.value;
        self.size += other.size;
        self.square += other.square;
        self.peak = self.peak.max(other.peak);
    }
}

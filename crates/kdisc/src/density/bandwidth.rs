//! Which bandwidth hides whom.
//!
//! A unit has k units within reach of a bandwidth h when the disc of radius h round it holds k, so
//! when its own radius at δ = 0 is at most h. Reach is the radius of a kernel, and for the Gaussian
//! its standard deviation. The smallest bandwidth at which a share of the units has k within reach
//! is then a quantile of these radii, and the radius of a unit is the smallest bandwidth that hides
//! the unit itself. A unit without a disc is never hidden.

use crate::population::SMALLEST_COORDINATE;
use crate::statistics::sorted;
use crate::{Disc, Point, Population, PopulationError};

/// Radii at δ = 0 of all units, in order.
#[derive(Debug, Clone)]
pub struct Reaches {
    /// Radii with the number of units that have no larger one.
    cumulated: Vec<(f64, u64)>,
    units: u64,
}

impl Reaches {
    /// From the discs at δ = 0 of all locations of a population.
    ///
    /// # Panics
    /// When there are not as many discs as locations.
    #[must_use]
    pub fn new(population: &Population, discs: &[Option<Disc>]) -> Self {
        assert_eq!(population.locations().len(), discs.len());
        let radii = discs.iter().zip(population.multiplicities());
        let radii = radii.filter_map(|(disc, &units)| Some((disc.as_ref()?.radius, units)));
        let mut cumulated = sorted(radii.collect());
        let mut sum = 0;
        for (_, units) in &mut cumulated {
            sum += *units;
            *units = sum;
        }
        Self {
            cumulated,
            units: population.units(),
        }
    }

    /// The smallest bandwidth at which at least this share of the units has k within reach; None if
    /// no bandwidth does that.
    #[must_use]
    pub fn bandwidth(&self, share: f64) -> Option<f64> {
        let enough = |reached: u64| reached as f64 / self.units as f64 >= share;
        let first = self
            .cumulated
            .partition_point(|&(_, reached)| !enough(reached));
        self.cumulated.get(first).map(|&(radius, _)| radius)
    }

    /// How many units have k within reach of a bandwidth.
    #[must_use]
    pub fn reached(&self, bandwidth: f64) -> u64 {
        let beyond = self
            .cumulated
            .partition_point(|&(radius, _)| radius <= bandwidth);
        match beyond {
            0 => 0,
            beyond => self.cumulated[beyond - 1].1,
        }
    }
}

/// Scott's rule of thumb for the bandwidth of a Gaussian, east and north: the standard deviation of
/// the units times n^(−1/6), for n units. 0 along an axis on which all are at one place.
///
/// D.W. Scott, *Multivariate Density Estimation*, 1992.
#[must_use]
pub fn scott(population: &Population) -> [f64; 2] {
    let units = population.units() as f64;
    let places = population.locations().iter();
    let places = places.zip(population.multiplicities());
    let deviation = |of: fn(&Point) -> f64| {
        // Relative to one of them: coordinates are large, and their differences are not.
        let first = population.locations().first().map_or(0.0, of);
        let mean = places
            .clone()
            .map(|(at, &here)| (of(at) - first) * here as f64)
            .sum::<f64>()
            / units;
        let squares = places.clone().map(|(at, &here)| {
            let away = of(at) - first - mean;
            away * away * here as f64
        });
        (squares.sum::<f64>() / (units - 1.0).max(1.0)).sqrt()
    };
    [deviation(|at| at.x), deviation(|at| at.y)].map(|s| s * units.powf(-1.0 / 6.0))
}

/// The population with each axis in units of its own bandwidth. A unit has k units within the
/// ellipse of these bandwidths when its radius at δ = 0 is at most 1 there.
///
/// # Errors
/// See [`PopulationError`].
pub fn stretched(population: &Population, axes: [f64; 2]) -> Result<Population, PopulationError> {
    let first = population.locations().first().copied().unwrap_or_default();
    let scaled = |distance: f64, axis: f64| {
        let scaled = distance / axis;
        // Also where all are at one place, and nothing can be divided.
        let something = scaled.abs() >= SMALLEST_COORDINATE;
        if something { scaled } else { 0.0 }
    };
    let points = population.locations().iter().map(|at| {
        let [x, y] = [at.x - first.x, at.y - first.y];
        Point::new(scaled(x, axes[0]), scaled(y, axes[1]))
    });
    let points: Vec<_> = points.collect();
    Population::with_weights(&points, population.multiplicities())
}

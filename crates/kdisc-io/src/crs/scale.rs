//! How much longer a length is on the map than on the ground.
//!
//! Near a place a projection is a linear map from metres east and north on the ellipsoid to metres
//! on the plane. Its singular values are the largest and the smallest factor by which lengths change
//! there (the axes of Tissot's indicatrix). The derivatives are central differences over 128 m,
//! which makes the factors good to nine digits or so.

use proj4rs::Proj;

use super::transform::{geographic, project};

/// Half the length of the differences, in radians.
const STEP: f64 = 1e-5;
/// Nearer to a pole than a kilometre, longitude says nothing; the factors are those at this latitude.
const NEAREST_TO_POLE: f64 = 89.99;
/// Intervals along a side of the extent.
pub(super) const GRID: usize = 20;

/// A longitude from Greenwich and a latitude, in radians.
pub(super) type Place = (f64, f64);

/// A projection, and latitude and longitude on its ellipsoid.
pub(super) struct Scale {
    plane: Proj,
    geographic: Proj,
    major: f64,
    eccentricity_squared: f64,
}

impl Scale {
    /// None only if the ellipsoid makes no sense, which a [`Proj`] has checked.
    pub fn new(plane: Proj) -> Option<Self> {
        let (major, minor) = plane.ellipse_parameters();
        Some(Self {
            geographic: geographic(&plane)?,
            plane,
            major,
            eccentricity_squared: 1.0 - (minor / major).powi(2),
        })
    }

    /// The smallest and the largest factor over all places; None if one of them has no image.
    pub fn range(&self, places: &[Place]) -> Option<(f64, f64)> {
        places
            .iter()
            .try_fold((f64::INFINITY, 0.0_f64), |(low, high), &place| {
                let (least, most) = self.factors(place)?;
                Some((low.min(least), high.max(most)))
            })
    }

    /// The worst relative error of a length over all places.
    pub fn error(&self, places: &[Place]) -> Option<f64> {
        let (low, high) = self.range(places)?;
        Some((1.0 - low).abs().max((high - 1.0).abs()))
    }

    /// Whether places that are near on the ground are far apart on the plane, as on both sides of the
    /// meridian along which a cylinder or a cone is cut open. No factor of lengths tells: each side is
    /// mapped well. But for the factors, a plane makes no distance much longer than the straight line
    /// through the ground; round half the globe it is longer by π/2.
    pub fn tears(&self, places: &[Place]) -> bool {
        let both = places.iter().filter_map(|&(longitude, latitude)| {
            let place = (longitude, away_from_pole(latitude));
            let image = project(&self.geographic, &self.plane, place).ok()?;
            let (_, most) = self.factors(place)?;
            Some((image, self.in_space(place), most.max(1.0)))
        });
        let both: Vec<_> = both.collect();
        let metres = self.plane.to_meter();
        let far =
            |((x, y), here, most): &(Place, [f64; 3], f64),
             ((other_x, other_y), other, other_most): &(Place, [f64; 3], f64)| {
                let plane = (x - other_x).hypot(y - other_y) * metres;
                let through: f64 = (0..3).map(|i| (here[i] - other[i]).powi(2)).sum();
                plane > 2.0 * most.max(*other_most) * through.sqrt() + 1.0
            };
        let mut all = both.iter().enumerate();
        all.any(|(i, one)| both[..i].iter().any(|other| far(one, other)))
    }

    fn in_space(&self, (longitude, latitude): Place) -> [f64; 3] {
        let (sin, cos) = latitude.sin_cos();
        let e2 = self.eccentricity_squared;
        let normal = self.major / (1.0 - e2 * sin * sin).sqrt();
        [
            normal * cos * longitude.cos(),
            normal * cos * longitude.sin(),
            normal * (1.0 - e2) * sin,
        ]
    }

    fn factors(&self, (longitude, latitude): Place) -> Option<(f64, f64)> {
        let latitude = away_from_pole(latitude);
        let (sin, cos) = latitude.sin_cos();
        let w = 1.0 - self.eccentricity_squared * sin * sin;
        let along_meridian = self.major * (1.0 - self.eccentricity_squared) / w.powf(1.5);
        let along_parallel = self.major / w.sqrt() * cos;
        let (ax, ay) = self.difference((longitude, latitude), (STEP, 0.0), along_parallel)?;
        let (bx, by) = self.difference((longitude, latitude), (0.0, STEP), along_meridian)?;
        // Singular values of a 2×2 matrix are half the sum and difference of these.
        let sum = (ax + by).hypot(ay - bx);
        let difference = (ax - by).hypot(ay + bx);
        let most = f64::midpoint(sum, difference);
        let least = (sum - difference).abs() / 2.0;
        (least.is_finite() && most.is_finite()).then_some((least, most))
    }

    /// Metres on the plane per metre on the ground in the direction of `step`.
    fn difference(&self, (x, y): Place, (dx, dy): Place, radius: f64) -> Option<(f64, f64)> {
        let image = |place| project(&self.geographic, &self.plane, place).ok();
        let (x0, y0) = image((x - dx, y - dy))?;
        let (x1, y1) = image((x + dx, y + dy))?;
        let factor = self.plane.to_meter() / (2.0 * STEP * radius);
        Some(((x1 - x0) * factor, (y1 - y0) * factor))
    }
}

fn away_from_pole(latitude: f64) -> f64 {
    let limit = NEAREST_TO_POLE.to_radians();
    latitude.clamp(-limit, limit)
}

/// Places all over a box, edges and corners included.
pub(super) fn grid([min_x, min_y, max_x, max_y]: [f64; 4]) -> impl Iterator<Item = (f64, f64)> {
    let between = |min: f64, max: f64, i: usize| {
        let t = i as f64 / GRID as f64;
        min * (1.0 - t) + max * t
    };
    (0..=GRID).flat_map(move |i| {
        (0..=GRID).map(move |j| (between(min_x, max_x, i), between(min_y, max_y, j)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(proj: &str, lon: f64, lat: f64) -> f64 {
        let scale = Scale::new(Proj::from_proj_string(proj).unwrap()).unwrap();
        scale
            .error(&[(lon.to_radians(), lat.to_radians())])
            .unwrap()
    }

    #[test]
    fn known_factors() {
        // The central meridian of UTM has 0.9996 by definition.
        assert!((error("+proj=utm +zone=31 +ellps=WGS84", 3.0, 52.0) - 4e-4).abs() < 1e-9);
        // Feet or metres, the ground is the same.
        let feet = error("+proj=utm +zone=31 +ellps=WGS84 +units=us-ft", 3.0, 52.0);
        assert!((feet - 4e-4).abs() < 1e-9);
        // Mercator on a sphere stretches by the secant.
        let mercator = error("+proj=merc +R=6371000", 10.0, 60.0);
        assert!((mercator - 1.0).abs() < 1e-8);
        // True at the pole, in spite of longitude.
        assert!(error("+proj=stere +lat_0=90 +ellps=WGS84", 10.0, 90.0) < 1e-7);
    }
}

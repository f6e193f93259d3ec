//! A plane for any data: the conformal projection that suits an extent best.
//!
//! Conformal, so that a disc stays a disc. Which projection keeps lengths best depends on the shape
//! of the extent: a cylinder along a meridian for tall ones, a cone or the Mercator cylinder for
//! wide ones, a plane through the middle for round ones and poles. All are tried; the scale factor
//! at the centre is set so that the errors at the centre and at the edge are equal and opposite,
//! which halves the worst. The parameters depend on nothing but the extent, and are rounded: to be
//! readable, and so that the name of the system does not tell where a single household is.

use std::f64::consts::PI;

use proj4rs::Proj;

use super::scale::{Place, Scale};

/// A projection, and its worst relative error of lengths.
pub(super) struct Fit {
    pub proj: String,
    pub kind: &'static str,
    pub error: f64,
}

/// The best fit for these places on the ellipsoid with these axes; None if no projection has images
/// for all of them.
pub(super) fn fit(places: &[Place], (major, minor): (f64, f64)) -> Option<Fit> {
    let ellipsoid = ellipsoid(major, minor);
    let (longitudes, latitudes): (Vec<f64>, Vec<f64>) = places.iter().copied().unzip();
    let (west, east) = bounds(&longitudes)?;
    let (south, north) = bounds(&latitudes)?;
    let lon = round(wrap(f64::midpoint(west, east).to_degrees()));
    let lat = round(f64::midpoint(south, north).to_degrees());
    let pole = if lat < 0.0 { -90 } else { 90 };
    let mut candidates = vec![
        (
            "transverse Mercator",
            format!("+proj=tmerc +lat_0={lat} +lon_0={lon}"),
        ),
        (
            "stereographic",
            format!("+proj=stere +lat_0={lat} +lon_0={lon}"),
        ),
        (
            "polar stereographic",
            format!("+proj=stere +lat_0={pole} +lon_0={lon}"),
        ),
    ];
    // Cylinder and cone are cut along the meridian opposite. Data on both sides of the cut are
    // neighbours on the ground but not on the plane, and no scale factor tells.
    if east - west <= PI {
        candidates.push(("Mercator", format!("+proj=merc +lon_0={lon}")));
        // At the equator the cone is that cylinder.
        if lat != 0.0 {
            let cone = format!("+proj=lcc +lat_1={lat} +lat_0={lat} +lon_0={lon}");
            candidates.push(("Lambert conformal conic", cone));
        }
    }
    candidates
        .into_iter()
        .filter_map(|(kind, start)| balance(kind, &start, &ellipsoid, places))
        .min_by(|a, b| a.error.total_cmp(&b.error))
}

fn balance(kind: &'static str, start: &str, ellipsoid: &str, places: &[Place]) -> Option<Fit> {
    let scale = |k: f64| {
        let text = format!("{start} +k_0={k} +x_0=0 +y_0=0 {ellipsoid} +units=m");
        let proj = Proj::from_proj_string(&text).ok()?;
        Some((text, Scale::new(proj)?))
    };
    let (low, high) = scale(1.0)?.1.range(places)?;
    let k = (2.0 / (low + high) * 1e6).round() / 1e6;
    if k <= 0.0 {
        return None;
    }
    let (proj, scale) = scale(k)?;
    let error = scale.error(places)?;
    Some(Fit { proj, kind, error })
}

fn ellipsoid(major: f64, minor: f64) -> String {
    let known = [("WGS84", 6_356_752.314_245), ("GRS80", 6_356_752.314_140)];
    known
        .iter()
        .find(|(_, b)| major == 6_378_137.0 && (minor - b).abs() < 1e-5)
        .map_or_else(
            || format!("+a={major} +b={minor}"),
            |(name, _)| format!("+ellps={name}"),
        )
}

fn bounds(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().min_by(f64::total_cmp)?;
    let high = values.iter().copied().max_by(f64::total_cmp)?;
    Some((low, high))
}

/// To tenths of a degree. Adding zero makes −0 a plain 0.
fn round(degrees: f64) -> f64 {
    (degrees * 10.0).round() / 10.0 + 0.0
}

/// Into ±180.
fn wrap(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0).round()
}

#[cfg(test)]
mod tests {
    use super::super::scale::grid;
    use super::*;

    fn fitted(extent: [f64; 4]) -> Fit {
        let places: Vec<Place> = grid(extent)
            .map(|(x, y)| (x.to_radians(), y.to_radians()))
            .collect();
        fit(&places, (6_378_137.0, 6_356_752.314_245)).unwrap()
    }

    #[test]
    fn the_shape_decides() {
        for (extent, kind) in [
            ([-72.0, -55.0, -67.0, -18.0], "transverse Mercator"), // Chile
            ([-125.0, 25.0, -66.0, 49.0], "Lambert conformal conic"), // contiguous USA
            ([95.0, -11.0, 141.0, 11.0], "Mercator"),
            ([-180.0, 70.0, 180.0, 90.0], "polar stereographic"),
            ([3.3, 50.7, 7.3, 53.6], "transverse Mercator"), // the Netherlands
            ([-10.0, 35.0, 45.0, 72.0], "stereographic"),    // Europe
        ] {
            let fit = fitted(extent);
            assert_eq!(fit.kind, kind, "{}", fit.proj);
        }
    }

    #[test]
    fn small_extents_have_small_errors_anywhere() {
        for lon in [-180.0, -77.7, 0.0, 123.4, 180.0, 190.0] {
            for lat in [-90.0, -60.0, -0.01, 0.0, 45.0, 89.9] {
                let fit = fitted([lon, lat, lon + 0.1, f64::min(lat + 0.1, 90.0)]);
                assert!(fit.error < 2e-6, "{lon} {lat}: {} {}", fit.proj, fit.error);
            }
        }
        assert!(fitted([5.0, 52.0, 5.0, 52.0]).error < 1e-9);
    }

    #[test]
    fn the_whole_world_fits_nowhere() {
        let fit = fitted([-180.0, -80.0, 180.0, 80.0]);
        assert!(fit.error > 0.5, "{} {}", fit.proj, fit.error);
    }
}

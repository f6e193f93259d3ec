//! A coordinate system taken apart: what WKT and PROJJSON say, in one form.
//!
//! Values are in degrees, metres and plain ratios, whatever the units of the description, so that
//! two systems can be compared and a PROJ string written without looking at units again.

use std::fmt::Write as _;

use super::method::{Kind, Method};

/// A geographic system, or a projected one when it has a conversion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Definition {
    pub name: String,
    pub id: Option<Id>,
    pub base: Base,
    pub conversion: Option<Conversion>,
    /// In the order of the authority; empty where the description does not say.
    pub axes: Vec<Axis>,
}

/// What a code is and who gave it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Id {
    pub authority: String,
    pub code: String,
}

impl Id {
    pub fn epsg(&self) -> Option<u32> {
        self.authority
            .eq_ignore_ascii_case("EPSG")
            .then(|| self.code.parse().ok())
            .flatten()
    }
}

/// Longitude and latitude, and on which figure of the earth.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Base {
    pub name: String,
    pub id: Option<Id>,
    pub datum: String,
    pub datum_id: Option<Id>,
    pub ellipsoid: Ellipsoid,
    pub meridian: Meridian,
    /// Of its coordinates.
    pub unit: Unit,
    /// Shift to WGS 84: metres, seconds of arc, parts per million.
    pub to_wgs84: Option<[f64; 7]>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ellipsoid {
    pub name: String,
    /// Metres.
    pub major: f64,
    /// 0 for a sphere.
    pub inverse_flattening: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meridian {
    pub name: String,
    /// Degrees east of Greenwich.
    pub degrees: f64,
}

/// Radians or metres that one unit is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unit {
    pub name: String,
    pub factor: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conversion {
    /// Its name; empty where the description has none.
    pub name: String,
    pub method: &'static Method,
    /// In the order of the method's parameters: degrees, metres, ratios.
    pub values: Vec<f64>,
    /// Of the coordinates.
    pub unit: Unit,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub name: String,
    /// In lower case.
    pub direction: String,
}

/// The axes of a plane that touches a pole, where compass directions say nothing.
pub(super) struct Pole {
    /// The direction of all ways from the pole.
    pub away: &'static str,
    /// Meridians that the axes run along, in degrees.
    pub along_x: f64,
    pub along_y: f64,
}

impl Definition {
    /// The code, if EPSG gave one.
    pub fn epsg(&self) -> Option<u32> {
        self.id.as_ref().and_then(Id::epsg)
    }

    /// The same numbers mean the same places, up to the datum: that is told apart by its name, and
    /// names differ between languages.
    pub fn same_shape(&self, other: &Self) -> bool {
        let (a, b) = (&self.base, &other.base);
        close(a.ellipsoid.major, b.ellipsoid.major)
            && close(
                a.ellipsoid.inverse_flattening,
                b.ellipsoid.inverse_flattening,
            )
            && close(a.meridian.degrees, b.meridian.degrees)
            && match (&self.conversion, &other.conversion) {
                (None, None) => close(a.unit.factor, b.unit.factor),
                (Some(a), Some(b)) => {
                    a.method == b.method
                        && close(a.unit.factor, b.unit.factor)
                        && a.values.iter().zip(&b.values).all(|(&a, &b)| close(a, b))
                }
                _ => false,
            }
    }

    /// For `proj4rs`; None when the values make no sense for the method.
    pub fn proj_string(&self) -> Option<String> {
        let mut text = String::new();
        match &self.conversion {
            None => text.push_str("+proj=longlat"),
            Some(conversion) => conversion.write_proj(&mut text)?,
        }
        let Ellipsoid {
            major,
            inverse_flattening,
            ..
        } = self.base.ellipsoid;
        if inverse_flattening == 0.0 {
            write!(text, " +R={major}").ok()?;
        } else {
            write!(text, " +a={major} +rf={inverse_flattening}").ok()?;
        }
        if let Some(shift) = self.base.to_wgs84 {
            let shift: Vec<String> = shift.iter().map(f64::to_string).collect();
            write!(text, " +towgs84={}", shift.join(",")).ok()?;
        }
        if self.base.meridian.degrees != 0.0 {
            write!(text, " +pm={}", self.base.meridian.degrees).ok()?;
        }
        Some(text)
    }
}

impl Conversion {
    /// The value of the parameter with this EPSG code.
    pub fn value(&self, code: u32) -> Option<f64> {
        let position = self.method.position("", Some(code))?;
        self.values.get(position).copied()
    }

    /// For projections centred on a pole.
    pub fn pole(&self) -> Option<Pole> {
        let longitude = self.value(8802).or_else(|| self.value(8833))?;
        let latitude = match self.method.code {
            9829 => self.value(8832)?.signum() * 90.0,
            9810 | 9820 | 1125 => self.value(8801)?,
            _ => return None,
        };
        if !close(latitude.abs(), 90.0) {
            return None;
        }
        let (away, turn) = if latitude > 0.0 {
            ("south", 180.0)
        } else {
            ("north", 0.0)
        };
        Some(Pole {
            away,
            along_x: longitude + 90.0,
            along_y: longitude + turn,
        })
    }

    fn write_proj(&self, text: &mut String) -> Option<()> {
        let method = self.method;
        // PROJ has the Swiss case of the oblique Mercator under a name of its own.
        let swiss = method.code == 9815
            && self.value(8813).is_some_and(|v| close(v, 90.0))
            && self.value(8814).is_some_and(|v| close(v, 90.0));
        let proj = if swiss { "somerc" } else { method.proj };
        write!(text, "+proj={proj}").ok()?;
        for ((_, key), value) in method.parameters.iter().zip(&self.values) {
            match *key {
                "" => {}
                "alpha" | "gamma" if swiss => {}
                "lonc" if swiss => write!(text, " +lon_0={value}").ok()?,
                key => write!(text, " +{key}={value}").ok()?,
            }
        }
        match method.code {
            9801 => write!(text, " +lat_1={}", self.value(8801)?).ok()?,
            9829 => {
                let pole = if self.value(8832)? < 0.0 { -90 } else { 90 };
                write!(text, " +lat_0={pole}").ok()?;
            }
            _ => {}
        }
        if self.unit.factor != 1.0 {
            write!(text, " +to_meter={}", self.unit.factor).ok()?;
        }
        Some(())
    }
}

/// Equal but for the rounding of decimals in descriptions, which have 15 digits or so; some have
/// degrees with eight decimals.
pub(super) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-9
}

/// Angles with a known unit, and lengths, as the definition holds them.
pub(super) fn standard(kind: Kind, value: f64, unit: f64) -> f64 {
    match kind {
        // A degree in WKT has 15 digits; multiplied, it would not give back whole degrees.
        Kind::Angle if close(unit, 1_f64.to_radians()) => value,
        Kind::Angle => (value * unit).to_degrees(),
        Kind::Length => value * unit,
        Kind::Scale => value,
    }
}

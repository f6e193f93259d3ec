//! Coordinate systems: what the numbers of an input mean on the ground.
//!
//! A disc needs metres. Inputs have degrees, feet, Web Mercator or the grid of a country, named by
//! a code, by WKT of several kinds, by PROJJSON, or not at all. A [`Crs`] is such a name, kept as it
//! came so that outputs can say the same. A [`Ground`] takes the coordinates of one input to metres
//! and answers back: with nothing but a factor where the input is a plane of little distortion, and
//! otherwise by a projection that is fitted to the extent of the data, or one that the user chose.
//!
//! x is east and y north, or longitude and latitude, whatever order the authority lays down: that is
//! how files hold them.
//!
//! # Limits
//!
//! The projections are those of `proj4rs`, the codes those of `crs-definitions` (some six thousand
//! of EPSG). Between systems on one datum results agree with PROJ within a millimetre.
//!
//! Between datums one shift per datum is used, without grid files. It is PROJ's own, and so agrees
//! within a metre, for RD New (28992), the British and Irish grids (27700, 29903), Belgian Lambert
//! (31370), Gauss-Krüger in the west of Germany (31466 to 31468), the Swiss grids (2056, 21781),
//! Austrian Lambert (31287), the Hungarian, Greek and old French grids (23700, 2100, 27572), and for
//! all systems that are WGS 84 in all but name. Where a country has several shifts, PROJ changes
//! between them and this does not: that makes 1.2 m in the east of Germany (31468), 4 m in Slovakia
//! (5514) and 25 m for NAD27. Old datums of distant places often have no shift in the catalogue, or a rough one,
//! and can be hundreds of metres off. In a sample of 678 systems 81% agreed with PROJ within a metre and 95% within 20.
//!
//! All this only matters when the computation is asked for in a system on another datum than the
//! data's: fitted systems stay on that of the data, and where all locations move alike no disc
//! changes its size.
//!
//! Data on both sides of the antimeridian are neighbours, however their longitudes are counted, and
//! so are those round a pole: see [`Extent`].

mod catalogue;
mod datum;
mod definition;
mod error;
mod extent;
mod fit;
mod ground;
mod json_in;
mod json_out;
mod method;
mod outline;
mod scale;
mod transform;
mod tree;
mod wkt;

#[cfg(test)]
mod tests;

use std::fmt;

use proj4rs::Proj;
use serde_json::Value;

pub use error::{CrsError, Unprojectable};
pub use extent::Extent;
pub use ground::{Ground, MAX_SCALE_ERROR, WARN_SCALE_ERROR};
pub use transform::Transformation;

use catalogue::WEB_MERCATOR;
use definition::Definition;

/// A coordinate system as a file or a user names it.
#[derive(Debug, Clone, PartialEq)]
pub struct Crs {
    name: String,
    epsg: Option<u32>,
    came_as: Form,
    proj: String,
    definition: Option<Definition>,
}

#[derive(Debug, Clone, PartialEq)]
enum Form {
    Code,
    Wkt(String),
    Json(Value),
    Proj,
}

impl Crs {
    /// WGS 84, EPSG:4326: x is the longitude.
    ///
    /// # Panics
    ///
    /// Never: the catalogue has it.
    #[must_use]
    pub fn wgs84() -> Self {
        Self::from_epsg(4326).expect("the catalogue has WGS 84")
    }

    /// The system with this EPSG code. The codes under which Web Mercator went before it had one
    /// are understood too.
    ///
    /// # Errors
    ///
    /// The code is not in the catalogue, or its projection is not built in.
    pub fn from_epsg(code: u32) -> Result<Self, CrsError> {
        let code = match code {
            900_913 | 102_100 | 102_113 => 3857,
            code => code,
        };
        let entry = catalogue::entry(code).ok_or(CrsError::UnknownCode { code })?;
        let name = match &entry.definition {
            Some(definition) => definition.name.clone(),
            None => entry.proj.clone(),
        };
        Self {
            name,
            epsg: Some(code),
            came_as: Form::Code,
            proj: entry.proj,
            definition: entry.definition,
        }
        .checked()
    }

    /// The system that a user means: `EPSG:28992`, `28992`, `OGC:CRS84`, a URN or URL of OGC, a
    /// PROJ string, WKT or PROJJSON.
    ///
    /// # Errors
    ///
    /// The text is none of these, or names a system that is not built in.
    pub fn parse(text: &str) -> Result<Self, CrsError> {
        let text = text.trim();
        if text.starts_with('{') {
            let json = serde_json::from_str(text).map_err(|error| CrsError::Malformed {
                language: "PROJJSON",
                problem: error.to_string(),
            })?;
            return Self::from_projjson(&json);
        }
        if text.contains(['[', '(']) {
            return Self::from_wkt(text);
        }
        if text.contains("+init=") || text.contains("+proj=") {
            return Self::from_proj(text);
        }
        if let Ok(code) = text.parse() {
            return Self::from_epsg(code);
        }
        let not_understood = || CrsError::NotUnderstood {
            text: text.chars().take(60).collect(),
        };
        let parts: Vec<&str> = text
            .split([':', '/'])
            .filter(|part| !part.is_empty())
            .collect();
        let ([authority, code] | [.., "crs", authority, code] | [.., "crs", authority, _, code]) =
            parts.as_slice()
        else {
            return Err(not_understood());
        };
        match (authority.to_ascii_uppercase().as_str(), code.parse()) {
            ("EPSG", Ok(code)) | ("ESRI", Ok(code @ (102_100 | 102_113))) => Self::from_epsg(code),
            ("EPSG", Err(_)) => Err(not_understood()),
            ("OGC", _) if code.eq_ignore_ascii_case("CRS84") => Ok(Self::wgs84()),
            ("OGC", _) if code.eq_ignore_ascii_case("CRS83") => Self::from_epsg(4269),
            (authority, _) => Err(CrsError::UnknownAuthority {
                authority: authority.chars().take(60).collect(),
            }),
        }
    }

    /// A system described in WKT1, of OGC or ESRI, or WKT2. The text is kept as it came. The code
    /// is the one in the text or else that of the same system in the catalogue.
    ///
    /// # Errors
    ///
    /// The text is not WKT, or describes a system that is not built in.
    pub fn from_wkt(wkt: &str) -> Result<Self, CrsError> {
        let node = tree::Node::parse(wkt)?;
        let definition = wkt::definition(&node)?;
        Self::from_definition(definition, Form::Wkt(wkt.to_owned()))
    }

    /// A system described in PROJJSON, which is kept as it came. The code is the one in it or else
    /// that of the same system in the catalogue.
    ///
    /// # Errors
    ///
    /// The value is not PROJJSON, or describes a system that is not built in.
    pub fn from_projjson(json: &Value) -> Result<Self, CrsError> {
        let definition = json_in::definition(json)?;
        Self::from_definition(definition, Form::Json(json.clone()))
    }

    fn from_definition(definition: Definition, came_as: Form) -> Result<Self, CrsError> {
        let coded = match &definition.id {
            Some(id) if id.authority.eq_ignore_ascii_case("OGC") && id.code == "CRS84" => {
                Some(4326)
            }
            Some(_) => definition.epsg(),
            None => None,
        };
        let epsg = coded.or_else(|| catalogue::identify(&definition));
        let known = epsg.and_then(catalogue::entry).map(|entry| entry.proj);
        let described = || {
            let mut definition = definition.clone();
            if definition.base.to_wgs84.is_none() {
                definition.base.to_wgs84 = catalogue::shift(&definition);
            }
            definition.proj_string()
        };
        let proj = known
            .or_else(described)
            .ok_or_else(|| CrsError::Unsupported {
                name: definition.name.clone(),
                problem: "its parameters do not fit its projection".to_owned(),
            })?;
        Self {
            name: definition.name.clone(),
            epsg,
            came_as,
            proj,
            definition: Some(definition),
        }
        .checked()
    }

    fn from_proj(text: &str) -> Result<Self, CrsError> {
        let init = text
            .split_whitespace()
            .find_map(|word| word.strip_prefix("+init="));
        if let Some(code) = init {
            return Self::parse(code);
        }
        let mut crs = Self {
            name: text.to_owned(),
            epsg: None,
            came_as: Form::Proj,
            proj: text.to_owned(),
            definition: None,
        };
        let proj = crs.build()?;
        let sphere = proj.ellipse_parameters() == (6_378_137.0, 6_378_137.0);
        let centred = proj.longitude_of_origin() == 0.0 && proj.false_easting() == 0.0;
        if proj.projname() == "merc" && sphere && centred && proj.to_meter() == 1.0 {
            WEB_MERCATOR.clone_into(&mut crs.proj);
        }
        crs.checked()
    }

    fn checked(self) -> Result<Self, CrsError> {
        let proj = self.build()?;
        if proj.is_geocent() || !proj.has_forward() || !proj.has_inverse() {
            return Err(self.unsupported("it is not a map in two dimensions".to_owned()));
        }
        Ok(self)
    }

    fn build(&self) -> Result<Proj, CrsError> {
        Proj::from_proj_string(&self.proj)
            .map_err(|error| self.unsupported(format!("{error} ({})", self.proj)))
    }

    fn unsupported(&self, problem: String) -> CrsError {
        CrsError::Unsupported {
            name: self.to_string(),
            problem,
        }
    }

    /// As its description has it, e.g. `Amersfoort / RD New`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The code in EPSG's list, where there is one and it is known.
    #[must_use]
    pub fn epsg(&self) -> Option<u32> {
        self.epsg
    }

    /// Whether the coordinates are longitude and latitude.
    #[must_use]
    pub fn is_geographic(&self) -> bool {
        self.build().is_ok_and(|proj| proj.is_latlong())
    }

    /// Whether this is Web Mercator under any of its names, whose metres are not metres on the
    /// ground.
    #[must_use]
    pub fn is_web_mercator(&self) -> bool {
        self.build().is_ok_and(|proj| proj.projname() == "webmerc")
    }

    /// WKT, for `GeoPackage` and `FlatGeobuf`: as it came, or else of the catalogue (WKT1). None for
    /// systems that came as PROJJSON or as a PROJ string and have no code.
    #[must_use]
    pub fn wkt(&self) -> Option<String> {
        match &self.came_as {
            Form::Wkt(wkt) => Some(wkt.clone()),
            _ => catalogue::wkt(self.epsg?),
        }
    }

    /// PROJJSON, for `GeoParquet` and `GeoArrow`: as it came, or built to say the same. None for
    /// systems that came as a PROJ string, and for the few codes whose projection has no WKT. Of a
    /// compound code it is the horizontal part.
    #[must_use]
    pub fn projjson(&self) -> Option<Value> {
        if let Form::Json(json) = &self.came_as {
            return Some(json.clone());
        }
        // The catalogue has the names of EPSG, where a .prj has those of ESRI.
        let known = self.epsg.and_then(catalogue::entry);
        let definition = known.and_then(|entry| entry.definition);
        definition
            .as_ref()
            .or(self.definition.as_ref())
            .map(json_out::projjson)
    }

    /// What the projections of `proj4rs` are set up with.
    #[must_use]
    pub fn proj_string(&self) -> &str {
        &self.proj
    }

    /// The code of the horizontal part, for formats that have no heights.
    pub(crate) fn horizontal_code(&self) -> Option<u32> {
        let definition = self.definition.as_ref();
        definition.and_then(Definition::epsg).or(self.epsg)
    }

    /// The axes of the ellipsoid.
    pub(crate) fn ellipsoid(&self) -> Option<(f64, f64)> {
        Some(self.build().ok()?.ellipse_parameters())
    }

    /// Metres that one unit of the plane is.
    pub(crate) fn metres(&self) -> Option<f64> {
        Some(self.build().ok()?.to_meter())
    }

    /// Radians that one unit of a longitude or latitude is.
    fn angular_unit(&self) -> f64 {
        let degree = 1_f64.to_radians();
        match &self.definition {
            // The degree of WKT has 15 digits; ours is the nearest double.
            Some(definition) if !definition::close(definition.base.unit.factor, degree) => {
                definition.base.unit.factor
            }
            _ => degree,
        }
    }
}

impl fmt::Display for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.epsg {
            Some(code) => write!(f, "EPSG:{code} ({})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

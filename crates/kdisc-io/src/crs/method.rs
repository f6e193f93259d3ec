//! Map projections by their names in WKT1, ESRI's WKT1, WKT2, PROJJSON and PROJ.
//!
//! EPSG's names and codes are the common tongue: WKT2 and PROJJSON use them as they are, WKT1 and
//! PROJ have names of their own. One table holds them all, so that each language is translated by
//! looking up. Only what PROJ strings of `proj4rs` can express is here.

/// What the value of a parameter is, and so in which unit it comes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Angle,
    Length,
    Scale,
}

#[derive(Debug, PartialEq)]
pub(super) struct Parameter {
    pub code: u32,
    pub name: &'static str,
    pub kind: Kind,
    /// Names in WKT1, in lower case.
    pub wkt1: &'static [&'static str],
}

#[derive(Debug, PartialEq)]
pub(super) struct Method {
    pub code: u32,
    pub name: &'static str,
    /// Names in WKT1, in lower case.
    pub wkt1: &'static [&'static str],
    /// The projection in a PROJ string, with what is always the same.
    pub proj: &'static str,
    /// With the keys in a PROJ string.
    pub parameters: &'static [(&'static Parameter, &'static str)],
}

impl Method {
    /// By EPSG's code.
    pub fn by_code(code: u32) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.code == code)
    }

    /// By EPSG's name, written in any case and with any separators.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let name = plain(name);
        METHODS.iter().find(|method| plain(method.name) == name)
    }

    /// By the name in WKT1, where what is meant can depend on the parameters given.
    pub fn by_wkt1(
        name: &str,
        value: impl Fn(&str) -> Option<f64>,
        pseudo_mercator: bool,
        points_south: bool,
    ) -> Option<&'static Self> {
        let name = name.to_ascii_lowercase().replace(' ', "_");
        let code = match name.as_str() {
            _ if pseudo_mercator => 1024,
            "lambert_conformal_conic" if value("standard_parallel_2").is_none() => 9801,
            // ESRI turns the plane instead of naming the axes.
            "krovak" if points_south || value("xy_plane_rotation") == Some(0.0) => 9819,
            // The one name stands for both variants; a latitude other than the pole's is where
            // the scale is true.
            "polar_stereographic"
                if value("latitude_of_origin").is_some_and(|lat| lat.abs() < 89.999) =>
            {
                9829
            }
            // One name, two meanings: it depends on the writer where the scale is true.
            "mercator_1sp" if value("latitude_of_origin").is_some_and(|lat| lat != 0.0) => {
                return None;
            }
            // ESRI's Mercator has a standard parallel, which can be the equator.
            "mercator" if value("standard_parallel_1").unwrap_or(0.0) == 0.0 => 9804,
            "mercator" => 9805,
            _ => {
                return METHODS
                    .iter()
                    .find(|method| method.wkt1.contains(&name.as_str()));
            }
        };
        Self::by_code(code)
    }

    /// Where a parameter of this EPSG name or code stands in the list.
    pub fn position(&self, name: &str, code: Option<u32>) -> Option<usize> {
        let name = plain(name);
        self.parameters.iter().position(|(parameter, _)| {
            Some(parameter.code) == code || plain(parameter.name) == name
        })
    }
}

/// Letters, digits and signs that tell names apart, in lower case.
pub(super) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric() || *c == '+')
        .flat_map(char::to_lowercase)
        .collect()
}

macro_rules! parameters {
    ($($id:ident = $code:literal $kind:ident $name:literal [$($wkt1:literal),*];)*) => {
        $(const $id: Parameter = Parameter {
            code: $code, name: $name, kind: Kind::$kind, wkt1: &[$($wkt1),*],
        };)*
    };
}

parameters! {
    LAT = 8801 Angle "Latitude of natural origin" ["latitude_of_origin", "latitude_of_center"];
    LON = 8802 Angle "Longitude of natural origin" ["central_meridian", "longitude_of_center"];
    SCALE = 8805 Scale "Scale factor at natural origin" ["scale_factor"];
    EAST = 8806 Length "False easting" ["false_easting"];
    NORTH = 8807 Length "False northing" ["false_northing"];
    CENTRE_LAT = 8811 Angle "Latitude of projection centre" ["latitude_of_center"];
    CENTRE_LON = 8812 Angle "Longitude of projection centre" ["longitude_of_center"];
    AZIMUTH = 8813 Angle "Azimuth at projection centre" ["azimuth"];
    SKEW = 8814 Angle "Angle from Rectified to Skew Grid" ["rectified_grid_angle"];
    CENTRE_SCALE = 8815 Scale "Scale factor at projection centre" ["scale_factor"];
    CENTRE_EAST = 8816 Length "Easting at projection centre" ["false_easting"];
    CENTRE_NORTH = 8817 Length "Northing at projection centre" ["false_northing"];
    FALSE_LAT = 8821 Angle "Latitude of false origin" ["latitude_of_origin", "latitude_of_center"];
    FALSE_LON = 8822 Angle "Longitude of false origin" ["central_meridian", "longitude_of_center"];
    PARALLEL_1 = 8823 Angle "Latitude of 1st standard parallel" ["standard_parallel_1"];
    PARALLEL_2 = 8824 Angle "Latitude of 2nd standard parallel" ["standard_parallel_2"];
    FALSE_EAST = 8826 Length "Easting at false origin" ["false_easting"];
    FALSE_NORTH = 8827 Length "Northing at false origin" ["false_northing"];
    TRUE_LAT = 8832 Angle "Latitude of standard parallel" ["latitude_of_origin", "standard_parallel_1"];
    ORIGIN_LON = 8833 Angle "Longitude of origin" ["central_meridian", "longitude_of_center"];
    COLATITUDE = 1036 Angle "Co-latitude of cone axis" ["azimuth"];
    PSEUDO_LAT = 8818 Angle "Latitude of pseudo standard parallel" ["pseudo_standard_parallel_1"];
    PSEUDO_SCALE = 8819 Scale "Scale factor on pseudo standard parallel" ["scale_factor"];
}

type Parameters = &'static [(&'static Parameter, &'static str)];

const AT_ORIGIN: Parameters = &[
    (&LAT, "lat_0"),
    (&LON, "lon_0"),
    (&SCALE, "k_0"),
    (&EAST, "x_0"),
    (&NORTH, "y_0"),
];
const AT_ORIGIN_UNSCALED: Parameters = &[
    (&LAT, "lat_0"),
    (&LON, "lon_0"),
    (&EAST, "x_0"),
    (&NORTH, "y_0"),
];
const TWO_PARALLELS: Parameters = &[
    (&FALSE_LAT, "lat_0"),
    (&FALSE_LON, "lon_0"),
    (&PARALLEL_1, "lat_1"),
    (&PARALLEL_2, "lat_2"),
    (&FALSE_EAST, "x_0"),
    (&FALSE_NORTH, "y_0"),
];
const TRUE_AT_PARALLEL: Parameters = &[
    (&PARALLEL_1, "lat_ts"),
    (&LON, "lon_0"),
    (&EAST, "x_0"),
    (&NORTH, "y_0"),
];
const KROVAK: Parameters = &[
    (&CENTRE_LAT, "lat_0"),
    (&ORIGIN_LON, "lon_0"),
    (&COLATITUDE, "alpha"),
    (&PSEUDO_LAT, ""),
    (&PSEUDO_SCALE, "k_0"),
    (&EAST, "x_0"),
    (&NORTH, "y_0"),
];

macro_rules! methods {
    ($($code:literal $name:literal [$($wkt1:literal),*] $proj:literal $parameters:expr;)*) => {
        const METHODS: &[Method] = &[$(Method {
            code: $code, name: $name, wkt1: &[$($wkt1),*], proj: $proj, parameters: $parameters,
        }),*];
    };
}

methods! {
    9807 "Transverse Mercator" ["transverse_mercator", "gauss_kruger", "transverse_mercator_complex"]
        "tmerc" AT_ORIGIN;
    9808 "Transverse Mercator (South Orientated)" ["transverse_mercator_south_orientated"]
        "tmerc +axis=wsu" AT_ORIGIN;
    9801 "Lambert Conic Conformal (1SP)" ["lambert_conformal_conic_1sp"]
        "lcc" AT_ORIGIN;
    9802 "Lambert Conic Conformal (2SP)" ["lambert_conformal_conic_2sp", "lambert_conformal_conic"]
        "lcc" TWO_PARALLELS;
    9820 "Lambert Azimuthal Equal Area" ["lambert_azimuthal_equal_area"]
        "laea" AT_ORIGIN_UNSCALED;
    9822 "Albers Equal Area" ["albers_conic_equal_area", "albers"]
        "aea" TWO_PARALLELS;
    1119 "Equidistant Conic" ["equidistant_conic"]
        "eqdc" TWO_PARALLELS;
    1125 "Azimuthal Equidistant" ["azimuthal_equidistant"]
        "aeqd" AT_ORIGIN_UNSCALED;
    9809 "Oblique Stereographic" ["oblique_stereographic", "double_stereographic"]
        "sterea" AT_ORIGIN;
    9810 "Polar Stereographic (variant A)" ["polar_stereographic"]
        "stere" AT_ORIGIN;
    9829 "Polar Stereographic (variant B)" ["stereographic_north_pole", "stereographic_south_pole"]
        "stere" &[(&TRUE_LAT, "lat_ts"), (&ORIGIN_LON, "lon_0"), (&EAST, "x_0"), (&NORTH, "y_0")];
    9804 "Mercator (variant A)" ["mercator_1sp"]
        "merc" &[(&LAT, ""), (&LON, "lon_0"), (&SCALE, "k_0"), (&EAST, "x_0"), (&NORTH, "y_0")];
    9805 "Mercator (variant B)" ["mercator_2sp"]
        "merc" TRUE_AT_PARALLEL;
    1024 "Popular Visualisation Pseudo Mercator" ["mercator_auxiliary_sphere"]
        "webmerc" AT_ORIGIN_UNSCALED;
    9812 "Hotine Oblique Mercator (variant A)"
        ["hotine_oblique_mercator", "hotine_oblique_mercator_azimuth_natural_origin"]
        "omerc +no_uoff" &[(&CENTRE_LAT, "lat_0"), (&CENTRE_LON, "lonc"), (&AZIMUTH, "alpha"),
            (&SKEW, "gamma"), (&CENTRE_SCALE, "k_0"), (&EAST, "x_0"), (&NORTH, "y_0")];
    9815 "Hotine Oblique Mercator (variant B)" ["hotine_oblique_mercator_azimuth_center"]
        "omerc" &[(&CENTRE_LAT, "lat_0"), (&CENTRE_LON, "lonc"), (&AZIMUTH, "alpha"),
            (&SKEW, "gamma"), (&CENTRE_SCALE, "k_0"), (&CENTRE_EAST, "x_0"), (&CENTRE_NORTH, "y_0")];
    9819 "Krovak" []
        "krovak +axis=swu" KROVAK;
    1041 "Krovak (North Orientated)" ["krovak"]
        "krovak" KROVAK;
    9806 "Cassini-Soldner" ["cassini_soldner", "cassini"]
        "cass" AT_ORIGIN_UNSCALED;
    9818 "American Polyconic" ["polyconic"]
        "poly" AT_ORIGIN_UNSCALED;
    9835 "Lambert Cylindrical Equal Area" ["cylindrical_equal_area"]
        "cea" TRUE_AT_PARALLEL;
    1078 "Equal Earth" ["equal_earth"]
        "eqearth" &[(&LON, "lon_0"), (&EAST, "x_0"), (&NORTH, "y_0")];
}

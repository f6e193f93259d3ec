//! The coordinate system as the keys of `GeoTIFF`.
//!
//! A system with a code is that code. Others, such as planes that were fitted to the data, are spelt
//! out: projection, parameters, ellipsoid, shift to WGS 84. What `GeoTIFF` has no words for (a few
//! projections) is named, no more.

use super::directory::{Directory, Value};
use crate::crs::Crs;

/// For what is spelt out instead of coded.
const USER_DEFINED: u16 = 32767;

/// A projection of PROJ: its code here, and keys with the words for their values and what these are
/// when left out.
type Projection = (&'static str, u16, &'static [(u16, &'static str, f64)]);

/// Parameters in the order in which they are looked at. An angle that is not given is 0.
const PROJECTIONS: &[Projection] = &[
    ("tmerc", 1, AT_ORIGIN),
    ("merc", 7, AT_ORIGIN),
    ("lcc", 9, AT_ORIGIN),
    ("sterea", 16, AT_ORIGIN),
    ("cass", 18, UNSCALED),
    ("poly", 22, UNSCALED),
    ("laea", 10, AT_CENTRE),
    ("aeqd", 12, AT_CENTRE),
    ("aea", 11, TWO_PARALLELS),
    ("eqdc", 13, TWO_PARALLELS),
    ("stere", 14, SCALED_CENTRE),
];
const AT_ORIGIN: &[(u16, &str, f64)] = &[
    (3081, "lat_0", 0.0),
    (3080, "lon_0", 0.0),
    (3092, "k_0", 1.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];
const UNSCALED: &[(u16, &str, f64)] = &[
    (3081, "lat_0", 0.0),
    (3080, "lon_0", 0.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];
const AT_CENTRE: &[(u16, &str, f64)] = &[
    (3089, "lat_0", 0.0),
    (3088, "lon_0", 0.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];
const SCALED_CENTRE: &[(u16, &str, f64)] = &[
    (3089, "lat_0", 0.0),
    (3088, "lon_0", 0.0),
    (3092, "k_0", 1.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];
const TWO_PARALLELS: &[(u16, &str, f64)] = &[
    (3078, "lat_1", 0.0),
    (3079, "lat_2", 0.0),
    (3081, "lat_0", 0.0),
    (3080, "lon_0", 0.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];
const TWO_PARALLELS_AT_FALSE_ORIGIN: &[(u16, &str, f64)] = &[
    (3078, "lat_1", 0.0),
    (3079, "lat_2", 0.0),
    (3085, "lat_0", 0.0),
    (3084, "lon_0", 0.0),
    (3086, "x_0", 0.0),
    (3087, "y_0", 0.0),
];
const AT_POLE: &[(u16, &str, f64)] = &[
    (3081, "lat_0", 90.0),
    (3095, "lon_0", 0.0),
    (3092, "k_0", 1.0),
    (3082, "x_0", 0.0),
    (3083, "y_0", 0.0),
];

/// Keys with their values.
#[derive(Debug, Default)]
pub(super) struct Keys {
    shorts: Vec<(u16, u16)>,
    doubles: Vec<(u16, Vec<f64>)>,
    texts: Vec<(u16, String)>,
    /// Whether they say all that there is to say.
    pub is_complete: bool,
}

impl Keys {
    pub fn new(crs: &Crs) -> Self {
        let mut keys = Self::default();
        // Cells are areas.
        keys.shorts.push((1025, 1));
        keys.texts.push((1026, text(crs.name())));
        let code = crs
            .horizontal_code()
            .and_then(|code| u16::try_from(code).ok());
        let is_geographic = crs.is_geographic();
        keys.shorts.push((1024, if is_geographic { 2 } else { 1 }));
        if let Some(code) = code.filter(|&code| code < USER_DEFINED) {
            keys.shorts
                .push((if is_geographic { 2048 } else { 3072 }, code));
            keys.is_complete = true;
            return keys;
        }
        let described = keys.base(crs).is_some() && keys.projection(crs).is_some();
        if !described {
            // Half a description would be taken for a whole one.
            keys.shorts.retain(|&(key, _)| key <= 1025);
            keys.doubles.clear();
            keys.shorts.push((3072, USER_DEFINED));
            keys.texts.push((3073, text(crs.name())));
        }
        keys.is_complete = described;
        keys
    }

    /// The figure of the earth, and where it is.
    fn base(&mut self, crs: &Crs) -> Option<()> {
        let words = Words(crs.proj_string());
        if words.has("axis") {
            return None;
        }
        if words.find("datum") == Some("WGS84") && !words.has("pm") {
            self.shorts.push((2048, 4326));
            return Some(());
        }
        let (major, minor) = crs.ellipsoid()?;
        self.shorts.extend([
            (2048, USER_DEFINED),
            (2050, USER_DEFINED),
            (2054, 9102),
            (2056, USER_DEFINED),
        ]);
        self.doubles.push((2057, vec![major]));
        self.doubles.push((2058, vec![minor]));
        let shift = match (words.find("towgs84"), words.find("datum")) {
            (Some(shift), _) => {
                let numbers = shift.split(',').map(|number| number.parse().ok());
                Some(numbers.collect::<Option<Vec<f64>>>()?)
            }
            // Those of PROJ that are WGS 84 in all but name.
            (None, Some("WGS84" | "NAD83")) => Some(vec![0.0; 3]),
            (None, Some(_)) => return None,
            (None, None) => None,
        };
        self.doubles.extend(shift.map(|shift| (2062, shift)));
        if words.has("pm") {
            self.shorts.push((2051, USER_DEFINED));
            self.doubles.push((2061, vec![words.number("pm")?]));
        }
        Some(())
    }

    fn projection(&mut self, crs: &Crs) -> Option<()> {
        let words = Words(crs.proj_string());
        let name = words.find("proj")?;
        let (_, mut code, mut parameters) = PROJECTIONS
            .iter()
            .copied()
            .find(|(known, ..)| *known == name)?;
        let number = |word: &str| words.number(word);
        match name {
            // A parallel where the scale is true, instead of a scale.
            "merc" | "stere" if words.has("lat_ts") => return None,
            "lcc" if words.has("lat_2") && number("lat_2") != number("lat_1") => {
                (code, parameters) = (8, TWO_PARALLELS_AT_FALSE_ORIGIN);
            }
            // The one parallel is the origin, or GeoTIFF cannot say.
            "lcc" if number("lat_1")? != number("lat_0").unwrap_or(0.0) => return None,
            "stere" if number("lat_0")?.abs() == 90.0 => (code, parameters) = (15, AT_POLE),
            _ => {}
        }
        let metres = crs.metres()?;
        self.shorts
            .extend([(3072, USER_DEFINED), (3074, USER_DEFINED), (3075, code)]);
        let known = [1.0, 0.3048, 1200.0 / 3937.0];
        if let Some(known) = known.iter().position(|unit| *unit == metres) {
            self.shorts.push((3076, 9001 + known as u16));
        } else {
            self.shorts.push((3076, USER_DEFINED));
            self.doubles.push((3077, vec![metres]));
        }
        for &(key, word, default) in parameters {
            let given = match word {
                "k_0" if !words.has("k_0") => "k",
                word => word,
            };
            let value = if words.has(given) {
                number(given)?
            } else {
                default
            };
            // PROJ has these in metres whatever the unit.
            let is_length = matches!(word, "x_0" | "y_0");
            let value = if is_length { value / metres } else { value };
            self.doubles.push((key, vec![value]));
        }
        Some(())
    }

    /// Enters them as the tags that hold them.
    pub fn enter(self, tags: &mut Directory) {
        let (mut doubles, mut texts) = (Vec::new(), String::new());
        let mut keys: Vec<[u16; 4]> = Vec::new();
        keys.extend(self.shorts.iter().map(|&(key, value)| [key, 0, 1, value]));
        for (key, values) in self.doubles {
            keys.push([key, 34736, values.len() as u16, doubles.len() as u16]);
            doubles.extend(values);
        }
        for (key, text) in self.texts {
            keys.push([key, 34737, text.len() as u16, texts.len() as u16]);
            texts.push_str(&text);
        }
        keys.sort_unstable();
        // Version 1.1.
        let mut directory = vec![1, 1, 1, keys.len() as u16];
        directory.extend(keys.into_iter().flatten());
        tags.set(34735, Value::Short(directory));
        if !doubles.is_empty() {
            tags.set(34736, Value::Double(doubles));
        }
        tags.set(34737, Value::Ascii(texts));
    }
}

/// A text of the keys: plain, not too long, ended by a bar.
fn text(text: &str) -> String {
    const LONGEST: usize = 250;
    let plain = text.chars().map(|c| match c {
        '|' => '/',
        ' '..='~' => c,
        _ => '?',
    });
    plain.take(LONGEST).chain(['|']).collect()
}

/// The words of a PROJ string.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn find(&self, name: &str) -> Option<&'a str> {
        self.0.split_whitespace().find_map(|word| {
            let word = word.strip_prefix('+')?;
            let (found, value) = word.split_once('=').unwrap_or((word, ""));
            (found == name).then_some(value)
        })
    }

    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.find(name)?
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite())
    }
}

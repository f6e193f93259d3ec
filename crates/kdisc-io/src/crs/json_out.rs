//! A definition as PROJJSON.
//!
//! Readers such as PROJ take every part of PROJJSON literally, so what is built here is complete:
//! datum or ensemble, method, parameters and axes, with EPSG's names and codes. The axes are in the
//! order of the authority, as PROJ compares them; the coordinates in `GeoParquet` and `GeoArrow` are
//! x, y all the same, as those formats lay down.

use serde_json::{Map, Value, json};

use super::datum::same_datum;
use super::definition::{Base, Conversion, Definition, Id, Unit, close};
use super::method::{Kind, plain};

const SCHEMA: &str = "https://proj.org/schemas/v0.7/projjson.schema.json";

/// The whole definition. A shift of the datum that no code stands for is kept as a bound system.
pub(super) fn projjson(definition: &Definition) -> Value {
    let system = system(definition);
    let mut object = Map::new();
    object.insert("$schema".to_owned(), json!(SCHEMA));
    if let (None, Some(shift)) = (definition.epsg(), definition.base.to_wgs84) {
        object.extend(bound(&definition.base.name, system, shift));
    } else {
        object.extend(system);
    }
    Value::Object(object)
}

fn system(definition: &Definition) -> Map<String, Value> {
    let mut object = Map::new();
    let base = &definition.base;
    match &definition.conversion {
        None => {
            object.insert("type".to_owned(), json!("GeographicCRS"));
            geographic(base, definition.axes.len() > 2, &mut object);
        }
        Some(conversion) => {
            object.insert("type".to_owned(), json!("ProjectedCRS"));
            object.insert("name".to_owned(), json!(definition.name));
            let mut base_crs = Map::new();
            geographic(base, false, &mut base_crs);
            object.insert("base_crs".to_owned(), Value::Object(base_crs));
            object.insert(
                "conversion".to_owned(),
                conversion_json(definition, conversion),
            );
            object.insert(
                "coordinate_system".to_owned(),
                json!({"subtype": "Cartesian", "axis": axes(definition, conversion)}),
            );
            insert_id(&mut object, definition.id.as_ref());
        }
    }
    object
}

fn geographic(base: &Base, heights: bool, object: &mut Map<String, Value>) {
    object.insert("name".to_owned(), json!(base.name));
    let (key, datum) = datum(base);
    object.insert(key.to_owned(), datum);
    let unit = angular_unit(&base.unit);
    let mut axes = vec![
        json!({"name": "Geodetic latitude", "abbreviation": "Lat", "direction": "north", "unit": unit}),
        json!({"name": "Geodetic longitude", "abbreviation": "Lon", "direction": "east", "unit": unit}),
    ];
    if heights {
        axes.push(json!({
            "name": "Ellipsoidal height", "abbreviation": "h", "direction": "up", "unit": "metre",
        }));
    }
    object.insert(
        "coordinate_system".to_owned(),
        json!({"subtype": "ellipsoidal", "axis": axes}),
    );
    insert_id(object, base.id.as_ref());
}

/// WGS 84 and ETRS89 are ensembles of realisations in EPSG's present data; other datums are given
/// under the name that EPSG uses where WKT1 has another.
fn datum(base: &Base) -> (&'static str, Value) {
    let code = base.datum_id.as_ref().and_then(Id::epsg);
    let mut ellipsoid = json!({
        "name": base.ellipsoid.name,
        "semi_major_axis": base.ellipsoid.major,
        "inverse_flattening": base.ellipsoid.inverse_flattening,
    });
    if base.ellipsoid.inverse_flattening == 0.0 {
        ellipsoid = json!({"name": base.ellipsoid.name, "radius": base.ellipsoid.major});
    }
    let ensemble = ENSEMBLES
        .iter()
        .find(|ensemble| Some(ensemble.code) == code || same_datum(ensemble.name, &base.datum));
    if let Some(ensemble) = ensemble {
        let members: Vec<Value> = ensemble
            .members
            .iter()
            .map(|(code, member)| {
                json!({
                    "name": format!("{} {member}", ensemble.of),
                    "id": {"authority": "EPSG", "code": code},
                })
            })
            .collect();
        return (
            "datum_ensemble",
            json!({
                "name": ensemble.name,
                "members": members,
                "ellipsoid": ellipsoid,
                "accuracy": ensemble.accuracy,
                "id": {"authority": "EPSG", "code": ensemble.code},
            }),
        );
    }
    let name = PROPER_NAMES
        .iter()
        .find(|(known, _)| Some(*known) == code)
        .map_or_else(
            || {
                let name = base.datum.strip_prefix("D_").unwrap_or(&base.datum);
                name.replace('_', " ")
            },
            |(_, name)| (*name).to_owned(),
        );
    let mut datum = Map::new();
    datum.insert("type".to_owned(), json!("GeodeticReferenceFrame"));
    datum.insert("name".to_owned(), json!(name));
    datum.insert("ellipsoid".to_owned(), ellipsoid);
    if base.meridian.degrees != 0.0 {
        let longitude = base.meridian.degrees;
        datum.insert(
            "prime_meridian".to_owned(),
            json!({"name": base.meridian.name, "longitude": longitude}),
        );
    }
    insert_id(&mut datum, base.datum_id.as_ref());
    ("datum", Value::Object(datum))
}

fn conversion_json(definition: &Definition, conversion: &Conversion) -> Value {
    let name = if conversion.name.is_empty() {
        // "Amersfoort / RD New" is the conversion RD New on the datum Amersfoort.
        definition.name.rsplit(" / ").next().unwrap_or_default()
    } else {
        &conversion.name
    };
    let linear = linear_unit(&conversion.unit);
    let parameters: Vec<Value> = conversion
        .method
        .parameters
        .iter()
        .zip(&conversion.values)
        .map(|((parameter, _), &value)| {
            let (value, unit) = match parameter.kind {
                Kind::Angle => (value, json!("degree")),
                Kind::Length => (value / conversion.unit.factor, linear.clone()),
                Kind::Scale => (value, json!("unity")),
            };
            // EPSG corrected the last digits of this angle; old descriptions have it as it was.
            let corrected = parameter.code == 1036 && (value - 30.288_139_72).abs() < 1e-7;
            json!({
                "name": parameter.name,
                "value": fifteen_digits(if corrected { 30.288_139_752_777_8 } else { value }),
                "unit": unit,
                "id": {"authority": "EPSG", "code": parameter.code},
            })
        })
        .collect();
    json!({
        "name": name,
        "method": {
            "name": conversion.method.name,
            "id": {"authority": "EPSG", "code": conversion.method.code},
        },
        "parameters": parameters,
    })
}

/// WKT1 leaves the axes out where they are north, east in the catalogue; anywhere else no axes mean
/// east, north.
fn axes(definition: &Definition, conversion: &Conversion) -> Value {
    let unit = linear_unit(&conversion.unit);
    let directions: Vec<&str> = match definition.axes.as_slice() {
        [first, second, ..] => vec![&first.direction, &second.direction],
        _ if definition.epsg().is_some() => vec!["north", "east"],
        _ => vec!["east", "north"],
    };
    let pole = conversion.pole();
    let axis = |direction| {
        let (name, short, direction) = match direction {
            "north" => ("Northing", "N", "north"),
            "south" => ("Southing", "S", "south"),
            "west" => ("Westing", "W", "west"),
            _ => ("Easting", "E", "east"),
        };
        let mut axis =
            json!({"name": name, "abbreviation": short, "direction": direction, "unit": unit});
        // Away from a pole every direction is south, or north: the meridian tells which.
        if let Some(pole) = &pole {
            let meridian = if direction == "north" {
                pole.along_y
            } else {
                pole.along_x
            };
            let meridian = meridian - 360.0 * ((meridian - 180.0) / 360.0).ceil();
            axis["direction"] = json!(pole.away);
            axis["meridian"] = json!({"longitude": fifteen_digits(meridian)});
        }
        axis
    };
    directions.into_iter().map(axis).collect()
}

fn bound(name: &str, source: Map<String, Value>, shift: [f64; 7]) -> Map<String, Value> {
    let names = [
        "X-axis translation",
        "Y-axis translation",
        "Z-axis translation",
        "X-axis rotation",
        "Y-axis rotation",
        "Z-axis rotation",
        "Scale difference",
    ];
    let second = json!({
        "type": "AngularUnit", "name": "arc-second", "conversion_factor": 4.848_136_811_095_36e-6,
    });
    let million = json!({
        "type": "ScaleUnit", "name": "parts per million", "conversion_factor": 1e-6,
    });
    let units = [&json!("metre"), &second, &million];
    let parameters: Vec<Value> = names
        .iter()
        .zip(shift)
        .enumerate()
        .map(|(index, (name, value))| {
            json!({
                "name": name,
                "value": value,
                "unit": units[index / 3],
                "id": {"authority": "EPSG", "code": 8605 + index},
            })
        })
        .collect();
    let target = super::Crs::wgs84().projjson();
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("BoundCRS"));
    object.insert("source_crs".to_owned(), Value::Object(source));
    object.insert("target_crs".to_owned(), json!(target));
    object.insert(
        "transformation".to_owned(),
        json!({
            "name": format!("{name} to WGS 84"),
            "method": {
                "name": "Position Vector transformation (geog2D domain)",
                "id": {"authority": "EPSG", "code": 9606},
            },
            "parameters": parameters,
        }),
    );
    object
}

fn angular_unit(unit: &Unit) -> Value {
    if close(unit.factor, 1_f64.to_radians()) {
        return json!("degree");
    }
    json!({"type": "AngularUnit", "name": unit.name, "conversion_factor": unit.factor})
}

fn linear_unit(unit: &Unit) -> Value {
    if unit.factor == 1.0 {
        return json!("metre");
    }
    let name = match plain(&unit.name).as_str() {
        "footus" => "US survey foot",
        _ => &unit.name,
    };
    json!({"type": "LinearUnit", "name": name, "conversion_factor": fifteen_digits(unit.factor)})
}

fn insert_id(object: &mut Map<String, Value>, id: Option<&Id>) {
    if let Some(id) = id {
        let code = id
            .code
            .parse::<u64>()
            .map_or_else(|_| json!(id.code), |code| json!(code));
        object.insert(
            "id".to_owned(),
            json!({"authority": id.authority, "code": code}),
        );
    }
}

/// Without the noise of units converted there and back.
fn fifteen_digits(value: f64) -> Value {
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    if rounded.fract() == 0.0 && rounded.abs() < 1e15 {
        json!(rounded as i64)
    } else {
        json!(rounded)
    }
}

struct Ensemble {
    code: u32,
    name: &'static str,
    of: &'static str,
    accuracy: &'static str,
    members: &'static [(u32, &'static str)],
}

const ENSEMBLES: &[Ensemble] = &[
    Ensemble {
        code: 6326,
        name: "World Geodetic System 1984 ensemble",
        of: "World Geodetic System 1984",
        accuracy: "2.0",
        members: &[
            (1166, "(Transit)"),
            (1152, "(G730)"),
            (1153, "(G873)"),
            (1154, "(G1150)"),
            (1155, "(G1674)"),
            (1156, "(G1762)"),
            (1309, "(G2139)"),
        ],
    },
    Ensemble {
        code: 6258,
        name: "European Terrestrial Reference System 1989 ensemble",
        of: "European Terrestrial Reference Frame",
        accuracy: "0.1",
        members: &[
            (1178, "1989"),
            (1179, "1990"),
            (1180, "1991"),
            (1181, "1992"),
            (1182, "1993"),
            (1183, "1994"),
            (1184, "1996"),
            (1185, "1997"),
            (1186, "2000"),
            (1204, "2005"),
            (1206, "2014"),
        ],
    },
];

/// Datums whose names in WKT1 and in EPSG's present data differ by more than separators.
const PROPER_NAMES: &[(u32, &str)] = &[
    (
        6156,
        "System of the Unified Trigonometrical Cadastral Network",
    ),
    (6151, "Swiss Terrestrial Reference System 1995"),
    (6312, "Militar-Geographische Institut"),
    (6737, "Korean Geodetic Datum 2002"),
    (1064, "SIRGAS-Chile realization 1 epoch 2002"),
    (6171, "Reseau Geodesique Francais 1993 v1"),
    (6277, "Ordnance Survey of Great Britain 1936"),
];

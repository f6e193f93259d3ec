//! From PROJJSON to a definition.
//!
//! PROJJSON is WKT2 in other brackets: the names and codes are EPSG's, each value has its unit. A
//! compound system is read for its horizontal part, a bound one for its source and shift.

use serde_json::Value;

use super::CrsError;
use super::definition::{
    Axis, Base, Conversion, Definition, Ellipsoid, Id, Meridian, Unit, standard,
};
use super::method::{Kind, Method};
use super::wkt::{defaults, shift_from};

/// Reads a system; the definition is of its horizontal part.
pub(super) fn definition(json: &Value) -> Result<Definition, CrsError> {
    definition_at(json, 0)
}

fn definition_at(json: &Value, depth: usize) -> Result<Definition, CrsError> {
    match text(json, "type") {
        "ProjectedCRS" | "DerivedProjectedCRS" => projected(json),
        "GeographicCRS" | "GeodeticCRS" => geographic(json),
        "CompoundCRS" if depth < 4 => definition_at(&json["components"][0], depth + 1),
        "BoundCRS" if depth < 4 => {
            let mut definition = definition_at(&json["source_crs"], depth + 1)?;
            let transformation = &json["transformation"];
            let values = parameters(transformation).filter_map(|p| Some((code(p)?, value(p)?)));
            definition.base.to_wgs84 = code(&transformation["method"])
                .and_then(|method| shift_from(method, values, false));
            Ok(definition)
        }
        "" => Err(missing("a type")),
        other => Err(CrsError::Unsupported {
            name: text(json, "name").to_owned(),
            problem: format!("{other} is neither a projected nor a geographic system"),
        }),
    }
}

fn projected(json: &Value) -> Result<Definition, CrsError> {
    let name = text(json, "name").to_owned();
    let base = base(&json["base_crs"])?;
    let conversion = &json["conversion"];
    let method = &conversion["method"];
    let method = code(method)
        .and_then(Method::by_code)
        .or_else(|| Method::by_name(text(method, "name")))
        .ok_or_else(|| CrsError::Unsupported {
            name: name.clone(),
            problem: format!("its projection {:?} is not built in", text(method, "name")),
        })?;
    let mut values = defaults(method);
    for parameter in parameters(conversion) {
        let position = method.position(text(parameter, "name"), code(parameter));
        if let (Some(position), Some(value)) = (position, value(parameter)) {
            let kind = method.parameters[position].0.kind;
            let unit = unit(&parameter["unit"]).map_or(1.0, |unit| unit.factor);
            values[position] = standard(kind, value, unit);
        }
    }
    Ok(Definition {
        name,
        id: id(json),
        base,
        conversion: Some(Conversion {
            name: text(conversion, "name").to_owned(),
            method,
            values,
            unit: axis_unit(json).ok_or_else(|| missing("the unit of an axis"))?,
        }),
        axes: axes(json),
    })
}

fn geographic(json: &Value) -> Result<Definition, CrsError> {
    if text(&json["coordinate_system"], "subtype").eq_ignore_ascii_case("cartesian") {
        return Err(CrsError::Unsupported {
            name: text(json, "name").to_owned(),
            problem: "it is geocentric".to_owned(),
        });
    }
    let base = base(json)?;
    Ok(Definition {
        name: base.name.clone(),
        id: base.id.clone(),
        base,
        conversion: None,
        axes: axes(json),
    })
}

fn base(json: &Value) -> Result<Base, CrsError> {
    let datum = [&json["datum"], &json["datum_ensemble"]]
        .into_iter()
        .find(|datum| datum.is_object())
        .ok_or_else(|| missing("a datum"))?;
    let meridian = &datum["prime_meridian"];
    Ok(Base {
        name: text(json, "name").to_owned(),
        id: id(json),
        datum: text(datum, "name").to_owned(),
        datum_id: id(datum),
        ellipsoid: ellipsoid(&datum["ellipsoid"])?,
        meridian: if meridian.is_object() {
            let longitude = &meridian["longitude"];
            let unit = unit(&longitude["unit"]).map_or(1_f64.to_radians(), |unit| unit.factor);
            let degrees = longitude
                .as_f64()
                .or_else(|| Some(standard(Kind::Angle, longitude["value"].as_f64()?, unit)));
            Meridian {
                name: text(meridian, "name").to_owned(),
                degrees: degrees.ok_or_else(|| missing("the longitude of the prime meridian"))?,
            }
        } else {
            Meridian {
                name: "Greenwich".to_owned(),
                degrees: 0.0,
            }
        },
        unit: axis_unit(json).unwrap_or_else(|| Unit {
            name: "degree".to_owned(),
            factor: 1_f64.to_radians(),
        }),
        to_wgs84: None,
    })
}

fn ellipsoid(json: &Value) -> Result<Ellipsoid, CrsError> {
    let metres = |key: &str| {
        let length = &json[key];
        length.as_f64().or_else(|| {
            let unit = unit(&length["unit"]).map_or(1.0, |unit| unit.factor);
            Some(length["value"].as_f64()? * unit)
        })
    };
    let name = text(json, "name").to_owned();
    let sphere = metres("radius").map(|radius| (radius, 0.0));
    let flattened = || {
        Some((
            metres("semi_major_axis")?,
            json["inverse_flattening"].as_f64()?,
        ))
    };
    let with_minor = || {
        let (major, minor) = (metres("semi_major_axis")?, metres("semi_minor_axis")?);
        let difference = major - minor;
        Some((
            major,
            if difference == 0.0 {
                0.0
            } else {
                major / difference
            },
        ))
    };
    let (major, inverse_flattening) = sphere
        .or_else(flattened)
        .or_else(with_minor)
        .ok_or_else(|| missing("the axes of the ellipsoid"))?;
    Ok(Ellipsoid {
        name,
        major,
        inverse_flattening,
    })
}

fn axis_unit(json: &Value) -> Option<Unit> {
    unit(&json["coordinate_system"]["axis"][0]["unit"])
}

fn unit(json: &Value) -> Option<Unit> {
    let named = |name: &str, factor| {
        Some(Unit {
            name: name.to_owned(),
            factor,
        })
    };
    match json.as_str() {
        Some("degree") => named("degree", 1_f64.to_radians()),
        Some("metre") => named("metre", 1.0),
        Some("unity") => named("unity", 1.0),
        Some(_) => None,
        None => {
            let factor = json["conversion_factor"].as_f64().filter(|&f| f > 0.0)?;
            named(text(json, "name"), factor)
        }
    }
}

fn axes(json: &Value) -> Vec<Axis> {
    let axes = json["coordinate_system"]["axis"].as_array();
    axes.into_iter()
        .flatten()
        .map(|axis| Axis {
            name: text(axis, "name").to_owned(),
            direction: text(axis, "direction").to_ascii_lowercase(),
        })
        .collect()
}

fn parameters(json: &Value) -> impl Iterator<Item = &Value> {
    json["parameters"].as_array().into_iter().flatten()
}

fn value(json: &Value) -> Option<f64> {
    json["value"].as_f64()
}

fn text<'a>(json: &'a Value, key: &str) -> &'a str {
    json[key].as_str().unwrap_or_default()
}

fn id(json: &Value) -> Option<Id> {
    let id = json.get("id").or_else(|| json.get("ids")?.get(0))?;
    let code = match &id["code"] {
        Value::String(code) => code.clone(),
        Value::Number(code) => code.to_string(),
        _ => return None,
    };
    Some(Id {
        authority: text(id, "authority").to_owned(),
        code,
    })
}

fn code(json: &Value) -> Option<u32> {
    id(json)?.epsg()
}

fn missing(what: &str) -> CrsError {
    CrsError::Malformed {
        language: "PROJJSON",
        problem: format!("it lacks {what}"),
    }
}

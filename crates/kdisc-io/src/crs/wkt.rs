//! From well-known text to a definition.
//!
//! WKT1 (OGC's, GDAL's and ESRI's) and WKT2 differ in keywords, in the names of projections and
//! parameters, and in where units stand: in WKT1 after what they apply to, in WKT2 mostly inside
//! it. A compound system is read for its horizontal part, a bound one for its source and shift.

use super::CrsError;
use super::definition::{
    Axis, Base, Conversion, Definition, Ellipsoid, Id, Meridian, Unit, standard,
};
use super::method::{Kind, Method};
use super::tree::{Item, Node};

const PROJECTED: &[&str] = &["PROJCS", "PROJCRS", "PROJECTEDCRS"];
const GEOGRAPHIC: &[&str] = &[
    "GEOGCS",
    "GEOGCRS",
    "GEOGRAPHICCRS",
    "GEODCRS",
    "GEODETICCRS",
    "BASEGEOGCRS",
    "BASEGEODCRS",
];
const UNIT: &[&str] = &["UNIT", "ANGLEUNIT", "LENGTHUNIT", "SCALEUNIT"];
const ID: &[&str] = &["AUTHORITY", "ID"];

/// Reads a system; the definition is of its horizontal part.
pub(super) fn definition(node: &Node) -> Result<Definition, CrsError> {
    let keyword = node.keyword.as_str();
    if PROJECTED.contains(&keyword) {
        projected(node)
    } else if GEOGRAPHIC.contains(&keyword) {
        geographic(node)
    } else if ["COMPD_CS", "COMPOUNDCRS"].contains(&keyword) {
        let part = node
            .items
            .iter()
            .find_map(|item| match item {
                Item::Node(part) => Some(part),
                _ => None,
            })
            .ok_or_else(|| missing(node, "a horizontal system"))?;
        definition(part)
    } else if keyword == "BOUNDCRS" {
        let source = node
            .child(&["SOURCECRS"])
            .and_then(|source| source.items.first());
        let Some(Item::Node(source)) = source else {
            return Err(missing(node, "SOURCECRS"));
        };
        let mut definition = definition(source)?;
        definition.base.to_wgs84 = bound_shift(node);
        Ok(definition)
    } else {
        Err(CrsError::Unsupported {
            name: node.name().unwrap_or_default().to_owned(),
            problem: format!("{keyword} is neither a projected nor a geographic system"),
        })
    }
}

fn projected(node: &Node) -> Result<Definition, CrsError> {
    let base_node = node
        .child(GEOGRAPHIC)
        .ok_or_else(|| missing(node, "a geographic system"))?;
    let base = base(base_node)?;
    let unit = coordinate_unit(node).ok_or_else(|| missing(node, "a unit"))?;
    let axes = axes(node);
    let conversion = match node.child(&["CONVERSION"]) {
        Some(conversion) => wkt2_conversion(node, conversion, unit, &base)?,
        None => wkt1_conversion(node, unit, &base, &axes)?,
    };
    Ok(Definition {
        name: node.name().unwrap_or_default().to_owned(),
        id: id(node),
        base,
        conversion: Some(conversion),
        axes,
    })
}

fn geographic(node: &Node) -> Result<Definition, CrsError> {
    if node
        .child(&["CS"])
        .and_then(Node::name)
        .is_some_and(|kind| kind.eq_ignore_ascii_case("cartesian"))
    {
        return Err(CrsError::Unsupported {
            name: node.name().unwrap_or_default().to_owned(),
            problem: "it is geocentric".to_owned(),
        });
    }
    let base = base(node)?;
    Ok(Definition {
        name: base.name.clone(),
        id: base.id.clone(),
        base,
        conversion: None,
        axes: axes(node),
    })
}

fn base(node: &Node) -> Result<Base, CrsError> {
    let datum = node
        .child(&["DATUM", "GEODETICDATUM", "TRF", "ENSEMBLE"])
        .ok_or_else(|| missing(node, "a datum"))?;
    let ellipsoid = datum
        .child(&["SPHEROID", "ELLIPSOID"])
        .ok_or_else(|| missing(datum, "an ellipsoid"))?;
    let (Some(major), Some(inverse_flattening)) = (ellipsoid.number(1), ellipsoid.number(2)) else {
        return Err(missing(ellipsoid, "axis and inverse flattening"));
    };
    let metres = ellipsoid
        .child(UNIT)
        .and_then(unit)
        .map_or(1.0, |u| u.factor);
    let unit = coordinate_unit(node).unwrap_or_else(|| Unit {
        name: "degree".to_owned(),
        factor: 1_f64.to_radians(),
    });
    Ok(Base {
        name: node.name().unwrap_or_default().to_owned(),
        id: id(node),
        datum: datum.name().unwrap_or_default().to_owned(),
        datum_id: id(datum),
        ellipsoid: Ellipsoid {
            name: ellipsoid.name().unwrap_or_default().to_owned(),
            major: major * metres,
            inverse_flattening,
        },
        meridian: meridian(node),
        unit,
        to_wgs84: datum.child(&["TOWGS84"]).and_then(shift),
    })
}

/// In WKT1 as written in practice the meridian is in degrees even beside a unit of grads.
fn meridian(node: &Node) -> Meridian {
    let Some(meridian) = node.child(&["PRIMEM", "PRIMEMERIDIAN"]) else {
        return Meridian {
            name: "Greenwich".to_owned(),
            degrees: 0.0,
        };
    };
    let value = meridian.number(1).unwrap_or(0.0);
    let degrees = match meridian.child(UNIT).and_then(unit) {
        Some(unit) => standard(Kind::Angle, value, unit.factor),
        None => value,
    };
    Meridian {
        name: meridian.name().unwrap_or_default().to_owned(),
        degrees,
    }
}

fn wkt1_conversion(
    node: &Node,
    unit: Unit,
    base: &Base,
    axes: &[Axis],
) -> Result<Conversion, CrsError> {
    let projection = node
        .child(&["PROJECTION"])
        .and_then(Node::name)
        .ok_or_else(|| missing(node, "PROJECTION"))?;
    let value = |name: &str| {
        node.all(&["PARAMETER"])
            .find(|p| p.name().is_some_and(|n| n.eq_ignore_ascii_case(name)))
            .and_then(|p| p.number(1))
    };
    let pseudo_mercator = node
        .child(&["EXTENSION"])
        .and_then(|extension| extension.text(1))
        .is_some_and(|proj| proj.contains("+proj=merc") && proj.contains("+nadgrids=@null"));
    let points_south = axes.first().is_some_and(|axis| axis.direction == "south");
    let method = Method::by_wkt1(projection, value, pseudo_mercator, points_south)
        .ok_or_else(|| unsupported_method(node, projection))?;
    let values = method
        .parameters
        .iter()
        .map(|(parameter, _)| {
            let given = parameter.wkt1.iter().find_map(|name| value(name));
            let given = given.or_else(|| match parameter.code {
                // Left out by ESRI where it equals the azimuth.
                8814 => value("azimuth"),
                // Written by ESRI for one standard parallel.
                8801 if method.code == 9801 => value("standard_parallel_1"),
                _ => None,
            });
            match (given, parameter.kind) {
                (Some(value), Kind::Angle) => standard(Kind::Angle, value, base.unit.factor),
                (Some(value), kind) => standard(kind, value, unit.factor),
                (None, Kind::Scale) => 1.0,
                (None, _) => 0.0,
            }
        })
        .collect();
    let scaled = method.parameters.iter().any(|(p, _)| p.kind == Kind::Scale);
    if !scaled && value("scale_factor").is_some_and(|scale| scale != 1.0) && !pseudo_mercator {
        return Err(unsupported_method(
            node,
            &format!("{projection} with a scale factor"),
        ));
    }
    Ok(Conversion {
        name: String::new(),
        method,
        values,
        unit,
    })
}

fn wkt2_conversion(
    node: &Node,
    conversion: &Node,
    unit_of_axes: Unit,
    base: &Base,
) -> Result<Conversion, CrsError> {
    let named = conversion
        .child(&["METHOD", "PROJECTION"])
        .ok_or_else(|| missing(conversion, "METHOD"))?;
    let name = named.name().unwrap_or_default();
    let method = id(named)
        .and_then(|id| id.epsg())
        .and_then(Method::by_code)
        .or_else(|| Method::by_name(name))
        .ok_or_else(|| unsupported_method(node, name))?;
    let mut values: Vec<f64> = defaults(method);
    for parameter in conversion.all(&["PARAMETER"]) {
        let code = id(parameter).and_then(|id| id.epsg());
        let position = method.position(parameter.name().unwrap_or_default(), code);
        if let (Some(position), Some(value)) = (position, parameter.number(1)) {
            let kind = method.parameters[position].0.kind;
            let factor = match (parameter.child(UNIT).and_then(unit), kind) {
                (Some(unit), _) => unit.factor,
                (None, Kind::Angle) => base.unit.factor,
                (None, _) => unit_of_axes.factor,
            };
            values[position] = standard(kind, value, factor);
        }
    }
    Ok(Conversion {
        name: conversion.name().unwrap_or_default().to_owned(),
        method,
        values,
        unit: unit_of_axes,
    })
}

/// What a parameter is when it is not given.
pub(super) fn defaults(method: &Method) -> Vec<f64> {
    let unset = |kind| if kind == Kind::Scale { 1.0 } else { 0.0 };
    method
        .parameters
        .iter()
        .map(|(p, _)| unset(p.kind))
        .collect()
}

/// Of the coordinates: after the axes in WKT1, with each axis in WKT2.
fn coordinate_unit(node: &Node) -> Option<Unit> {
    let of_axis = node.child(&["AXIS"]).and_then(|axis| axis.child(UNIT));
    of_axis.or_else(|| node.child(UNIT)).and_then(unit)
}

fn unit(node: &Node) -> Option<Unit> {
    let factor = node.number(1).filter(|&factor| factor > 0.0)?;
    Some(Unit {
        name: node.name()?.to_owned(),
        factor,
    })
}

fn axes(node: &Node) -> Vec<Axis> {
    node.all(&["AXIS"])
        .map(|axis| Axis {
            name: axis.name().unwrap_or_default().to_owned(),
            direction: axis.text(1).unwrap_or_default().to_ascii_lowercase(),
        })
        .collect()
}

fn id(node: &Node) -> Option<Id> {
    let id = node.child(ID)?;
    let code = match id.items.get(1)? {
        Item::Text(code) | Item::Word(code) => code.clone(),
        Item::Number(code) => code.to_string(),
        Item::Node(_) => return None,
    };
    Some(Id {
        authority: id.name()?.to_owned(),
        code,
    })
}

fn shift(node: &Node) -> Option<[f64; 7]> {
    let mut shift = [0.0; 7];
    for (index, value) in shift.iter_mut().enumerate() {
        match node.number(index) {
            Some(number) => *value = number,
            None if index == 3 => break,
            None => return None,
        }
    }
    Some(shift)
}

/// The shift of a bound system: EPSG's parameters 8605 to 8611.
fn bound_shift(node: &Node) -> Option<[f64; 7]> {
    let transformation = node.child(&["ABRIDGEDTRANSFORMATION"])?;
    let method = id(transformation.child(&["METHOD"])?)?;
    let values = transformation.all(&["PARAMETER"]).filter_map(|parameter| {
        let code = id(parameter)?.epsg()?;
        Some((code, parameter.number(1)?))
    });
    shift_from(method.epsg()?, values, true)
}

/// Puts parameters by their EPSG codes in the order of TOWGS84. WKT2 writes scale in `abridged`
/// form, as a ratio.
pub(super) fn shift_from(
    method: u32,
    values: impl Iterator<Item = (u32, f64)>,
    abridged: bool,
) -> Option<[f64; 7]> {
    // Geocentric translations, and rotations in either sense.
    let sense = match method {
        9603 | 1031 | 9606 | 1033 => 1.0,
        9607 | 1032 => -1.0,
        _ => return None,
    };
    let mut shift = [0.0; 7];
    for (code, value) in values {
        match code {
            8605..=8607 => shift[code as usize - 8605] = value,
            8608..=8610 => shift[code as usize - 8605] = value * sense,
            8611 if abridged => shift[6] = (value - 1.0) * 1e6,
            8611 => shift[6] = value,
            _ => {}
        }
    }
    Some(shift)
}

fn missing(node: &Node, what: &str) -> CrsError {
    CrsError::Malformed {
        language: "WKT",
        problem: format!("{} lacks {what}", node.keyword),
    }
}

fn unsupported_method(node: &Node, method: &str) -> CrsError {
    CrsError::Unsupported {
        name: node.name().unwrap_or_default().to_owned(),
        problem: format!("its projection {method:?} is not built in"),
    }
}

//! Geometries: JSON to parts, and parts to JSON.
//!
//! The text is known to be JSON when it comes here, and its depth to be bounded.

use serde_json::value::RawValue;

use super::object::{self, Object};
use crate::geometry::{DEEPEST, Kind, Parts};
use crate::json::list;

/// The names of the kinds.
const NAMES: [(&str, Kind); 7] = [
    ("Point", Kind::Point),
    ("LineString", Kind::Line),
    ("Polygon", Kind::Polygon),
    ("MultiPoint", Kind::MultiPoint),
    ("MultiLineString", Kind::MultiLine),
    ("MultiPolygon", Kind::MultiPolygon),
    ("GeometryCollection", Kind::Collection),
];

/// The kind of a geometry, of which nothing else is looked at.
pub(super) fn kind(text: &str) -> Option<Kind> {
    named(&serde_json::from_str(text).ok()?)
}

fn named(object: &Object) -> Option<Kind> {
    let name = object::text(object.get("type")?.get())?.ok()?;
    let found = NAMES.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind)
}

/// Takes a geometry apart, or says what is wrong with it.
pub(super) fn read(text: &str, parts: &mut Parts) -> Result<(), String> {
    collection(text, parts, 0)
}

fn collection(text: &str, parts: &mut Parts, depth: usize) -> Result<(), String> {
    if depth > DEEPEST {
        return Err(format!("a geometry nested more than {DEEPEST} deep"));
    }
    let object: Object = serde_json::from_str(text)
        .map_err(|_| format!("expected a geometry, found {}", short(text)))?;
    let Some(kind) = named(&object) else {
        let found = object.get("type").map_or("none", RawValue::get);
        return Err(format!(
            "expected the type of a geometry, found {}",
            short(found)
        ));
    };
    parts.clear(kind);
    if kind == Kind::Collection {
        let Some(members) = object.get("geometries") else {
            return Err("a GeometryCollection without geometries".to_owned());
        };
        let members: Vec<&RawValue> = serde_json::from_str(members.get())
            .map_err(|_| format!("expected geometries, found {}", short(members.get())))?;
        for member in members {
            let mut inner = Parts::default();
            collection(member.get(), &mut inner, depth + 1)?;
            parts.members.push(inner);
        }
        // One dimension for all, as in WKB.
        let z = parts.members.iter().any(|member| member.z);
        lift(parts, z);
        return Ok(());
    }
    let Some(text) = object.get("coordinates") else {
        return Err("a geometry without coordinates".to_owned());
    };
    let mut cursor = Cursor(text.get());
    cursor.geometry(parts)
}

fn lift(parts: &mut Parts, z: bool) {
    parts.z = z;
    for member in &mut parts.members {
        lift(member, z);
    }
}

/// The start of a value, for a message.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}

/// JSON that is taken from the front.
struct Cursor<'a>(&'a str);

impl Cursor<'_> {
    fn geometry(&mut self, parts: &mut Parts) -> Result<(), String> {
        match parts.kind {
            Kind::Point => {
                let start = self.0;
                if self.opens("a position")? && self.closes() {
                    return Ok(());
                }
                self.0 = start;
                self.position(parts)
            }
            Kind::Line => self.line(parts, 2, "a line"),
            Kind::MultiPoint => self.line(parts, 0, "points"),
            Kind::Polygon => self.rings(parts),
            Kind::MultiLine => self.each("lines", |cursor| {
                cursor.line(parts, 2, "a line")?;
                parts.end_line();
                Ok(())
            }),
            Kind::MultiPolygon => self.each("polygons", |cursor| {
                cursor.rings(parts)?;
                parts.end_polygon();
                Ok(())
            }),
            Kind::Collection => Ok(()),
        }
    }

    fn rings(&mut self, parts: &mut Parts) -> Result<(), String> {
        self.each("rings", |cursor| {
            cursor.line(parts, 4, "a ring")?;
            parts.end_line();
            Ok(())
        })
    }

    fn line(&mut self, parts: &mut Parts, least: usize, what: &str) -> Result<(), String> {
        let before = parts.positions.len();
        self.each("positions", |cursor| cursor.position(parts))?;
        let found = parts.positions.len() - before;
        // Only a whole geometry may be empty.
        if found < least && (found > 0 || parts.kind != Kind::Line) {
            return Err(format!("{what} of {found} positions; it needs {least}"));
        }
        Ok(())
    }

    fn position(&mut self, parts: &mut Parts) -> Result<(), String> {
        let mut at = [0.0; 4];
        let mut found = 0;
        let whole = self.0;
        self.each("a position", |cursor| {
            let number = cursor.number()?;
            if found < 3 {
                at[found] = number;
            }
            found += 1;
            Ok(())
        })?;
        if found < 2 {
            let text = &whole[..whole.len() - self.0.len()];
            return Err(format!(
                "expected a position of at least two numbers, found {}",
                short(text)
            ));
        }
        parts.z |= found > 2;
        parts.positions.push(at);
        Ok(())
    }

    fn number(&mut self) -> Result<f64, String> {
        self.space();
        let end = self.0.find([',', ']', '}', ' ', '\t', '\r', '\n']);
        let (text, rest) = self.0.split_at(end.unwrap_or(self.0.len()));
        let number = text.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
        match text.parse::<f64>() {
            Ok(value) if number && value.is_finite() => {
                self.0 = rest;
                Ok(value)
            }
            _ => Err(format!(
                "expected a number as coordinate, found {}",
                short(text)
            )),
        }
    }

    /// Every element of an array.
    fn each(
        &mut self,
        what: &str,
        mut element: impl FnMut(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        if !self.opens(what)? {
            return Err(format!("expected {what}, found {}", short(self.0)));
        }
        if self.closes() {
            return Ok(());
        }
        loop {
            element(self)?;
            if self.closes() {
                return Ok(());
            }
            match self.0.strip_prefix(',') {
                Some(rest) => self.0 = rest,
                None => return Err(format!("expected {what}, found {}", short(self.0))),
            }
        }
    }

    fn opens(&mut self, what: &str) -> Result<bool, String> {
        self.space();
        match self.0.strip_prefix('[') {
            Some(rest) => {
                self.0 = rest;
                Ok(true)
            }
            None => Err(format!("expected {what}, found {}", short(self.0))),
        }
    }

    fn closes(&mut self) -> bool {
        self.space();
        let rest = self.0.strip_prefix(']');
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn space(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\r', '\n']);
    }
}

/// Whether all positions can be written: JSON has only finite numbers.
pub(super) fn is_finite(parts: &Parts) -> bool {
    let finite = |at: &[f64; 4]| at[0].is_finite() && at[1].is_finite();
    parts.positions.iter().all(finite) && parts.members.iter().all(is_finite)
}

/// Writes a geometry whose positions are finite.
pub(super) fn write(parts: &Parts, out: &mut Vec<u8>, buffer: &mut zmij::Buffer) {
    let name = NAMES.iter().find(|(_, kind)| *kind == parts.kind);
    out.extend_from_slice(b"{\"type\":\"");
    out.extend_from_slice(name.map_or("", |(name, _)| name).as_bytes());
    if parts.kind == Kind::Collection {
        out.extend_from_slice(b"\",\"geometries\":");
        list(&parts.members, out, |member, out| {
            write(member, out, buffer);
        });
    } else {
        out.extend_from_slice(b"\",\"coordinates\":");
        coordinates(parts, out, buffer);
    }
    out.push(b'}');
}

fn coordinates(parts: &Parts, out: &mut Vec<u8>, buffer: &mut zmij::Buffer) {
    let mut position = |at: &[f64; 4], out: &mut Vec<u8>| {
        // Elsewhere, a height that is not known is not a number; here it is left out.
        let size = if parts.z && at[2].is_finite() { 3 } else { 2 };
        list(&at[..size], out, |number, out| {
            out.extend_from_slice(buffer.format_finite(*number).as_bytes());
        });
    };
    let lines: Vec<_> = Parts::ranges(&parts.lines).collect();
    match parts.kind {
        Kind::Point => match parts.positions.first() {
            Some(at) => position(at, out),
            None => out.extend_from_slice(b"[]"),
        },
        Kind::Line | Kind::MultiPoint => list(&parts.positions, out, position),
        Kind::Polygon | Kind::MultiLine => list(&lines, out, |range, out| {
            list(&parts.positions[range.clone()], out, &mut position);
        }),
        _ => {
            let polygons: Vec<_> = Parts::ranges(&parts.polygons).collect();
            list(&polygons, out, |rings, out| {
                list(&lines[rings.clone()], out, |range, out| {
                    list(&parts.positions[range.clone()], out, &mut position);
                });
            });
        }
    }
}

//! Geometries as well-known text, two-dimensional.

use std::fmt::Write;

use super::read::{Bytes, Head, Kind, WkbError};

/// A geometry in words: `POLYGON((0 0,1 0,0 1,0 0))`.
///
/// # Errors
/// The bytes are no geometry.
pub fn text(wkb: &[u8]) -> Result<String, WkbError> {
    let mut out = String::new();
    geometry(&mut Bytes::new(wkb), &mut out, true, 0)?;
    Ok(out)
}

fn geometry(
    bytes: &mut Bytes,
    out: &mut String,
    named: bool,
    depth: usize,
) -> Result<(), WkbError> {
    let head = bytes.nested(depth)?;
    if named {
        out.push_str(match head.kind {
            Kind::Point => "POINT",
            Kind::Line => "LINESTRING",
            Kind::Polygon => "POLYGON",
            Kind::MultiPoint => "MULTIPOINT",
            Kind::MultiLine => "MULTILINESTRING",
            Kind::MultiPolygon => "MULTIPOLYGON",
            Kind::Collection => "GEOMETRYCOLLECTION",
        });
    }
    match head.kind {
        Kind::Point => {
            let point = bytes.coordinates(head)?;
            if point.x.is_nan() && point.y.is_nan() {
                out.push_str(" EMPTY");
            } else {
                let _ = write!(out, "({} {})", point.x, point.y);
            }
            Ok(())
        }
        Kind::Line => line(bytes, head, out),
        Kind::Polygon => list(bytes, head, out, &mut |bytes, out| line(bytes, head, out)),
        kind => {
            let named = kind == Kind::Collection;
            list(bytes, head, out, &mut |bytes, out| {
                geometry(bytes, out, named, depth + 1)
            })
        }
    }
}

fn line(bytes: &mut Bytes, head: Head, out: &mut String) -> Result<(), WkbError> {
    list(bytes, head, out, &mut |bytes, out| {
        let point = bytes.coordinates(head)?;
        let _ = write!(out, "{} {}", point.x, point.y);
        Ok(())
    })
}

fn list(
    bytes: &mut Bytes,
    head: Head,
    out: &mut String,
    item: &mut dyn FnMut(&mut Bytes, &mut String) -> Result<(), WkbError>,
) -> Result<(), WkbError> {
    let count = bytes.count(head)?;
    if count == 0 {
        out.push_str(" EMPTY");
        return Ok(());
    }
    out.push('(');
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        item(bytes, out)?;
    }
    out.push(')');
    Ok(())
}

//! Writing WKB: little-endian, two dimensions.

use kdisc::Point;
use kdisc::region::Region;

use super::parts::Parts;
use super::read::Kind;

/// A point.
#[must_use]
pub fn point(at: Point) -> [u8; 21] {
    let mut wkb = [0; 21];
    wkb[0] = 1;
    wkb[1] = 1;
    wkb[5..13].copy_from_slice(&at.x.to_le_bytes());
    wkb[13..].copy_from_slice(&at.y.to_le_bytes());
    wkb
}

/// A polygon without holes for each ring, which is closed here; several make a multipolygon.
#[must_use]
pub fn polygons(rings: &[Vec<Point>]) -> Vec<u8> {
    let mut wkb = Vec::new();
    if rings.len() != 1 {
        wkb.extend_from_slice(&[1, 6, 0, 0, 0]);
        wkb.extend_from_slice(&(rings.len() as u32).to_le_bytes());
    }
    for ring in rings {
        wkb.extend_from_slice(&[1, 3, 0, 0, 0, 1, 0, 0, 0]);
        let closed = ring.iter().chain(ring.first());
        wkb.extend_from_slice(&(closed.clone().count() as u32).to_le_bytes());
        for corner in closed {
            wkb.extend_from_slice(&corner.x.to_le_bytes());
            wkb.extend_from_slice(&corner.y.to_le_bytes());
        }
    }
    wkb
}

/// A region: a polygon, or several.
#[must_use]
pub fn region(region: &Region) -> Vec<u8> {
    let mut parts = Parts::default();
    parts.clear(match region.parts() {
        [_] => Kind::Polygon,
        _ => Kind::MultiPolygon,
    });
    for part in region.parts() {
        for ring in part.rings() {
            let closed = ring.iter().chain(ring.first());
            parts
                .positions
                .extend(closed.map(|at| [at.x, at.y, 0.0, 0.0]));
            parts.end_line();
        }
        parts.end_polygon();
    }
    let mut wkb = Vec::new();
    parts.write(&mut wkb);
    wkb
}

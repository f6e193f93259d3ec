//! The smallest box round a geometry.

use super::read::{Bytes, Head, Kind, WkbError};

/// Least and greatest x, then y, of a geometry; `None` if it is empty.
///
/// # Errors
/// The bytes are no geometry.
pub fn bounds(wkb: &[u8]) -> Result<Option<[f64; 4]>, WkbError> {
    let mut found = None;
    geometry(&mut Bytes::new(wkb), 0, &mut found)?;
    Ok(found)
}

/// The smallest box round two of them.
#[must_use]
pub fn union(one: Option<[f64; 4]>, other: Option<[f64; 4]>) -> Option<[f64; 4]> {
    match (one, other) {
        (Some(a), Some(b)) => Some([
            a[0].min(b[0]),
            a[1].max(b[1]),
            a[2].min(b[2]),
            a[3].max(b[3]),
        ]),
        (found, None) | (None, found) => found,
    }
}

fn geometry(bytes: &mut Bytes, depth: usize, found: &mut Option<[f64; 4]>) -> Result<(), WkbError> {
    let head = bytes.nested(depth)?;
    match head.kind {
        Kind::Point => corners(bytes, head, 1, found)?,
        Kind::Line => {
            let count = bytes.count(head)?;
            corners(bytes, head, count, found)?;
        }
        Kind::Polygon => {
            for _ in 0..bytes.count(head)? {
                let count = bytes.count(head)?;
                corners(bytes, head, count, found)?;
            }
        }
        _ => {
            for _ in 0..bytes.count(head)? {
                geometry(bytes, depth + 1, found)?;
            }
        }
    }
    Ok(())
}

fn corners(
    bytes: &mut Bytes,
    head: Head,
    count: u32,
    found: &mut Option<[f64; 4]>,
) -> Result<(), WkbError> {
    for _ in 0..count {
        let at = bytes.coordinates(head)?;
        // An empty point is one that is not a number.
        if !at.x.is_nan() && !at.y.is_nan() {
            *found = union(*found, Some([at.x, at.x, at.y, at.y]));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use kdisc::Point;

    use super::*;
    use crate::geometry::{point, polygons};

    #[test]
    fn points_and_polygons() {
        let at = bounds(&point(Point::new(1.0, 2.0)));
        assert_eq!(at, Ok(Some([1.0, 1.0, 2.0, 2.0])));
        let corners = [(0.0, 5.0), (4.0, -1.0), (2.0, 2.0)];
        let triangle = polygons(&[corners.map(|(x, y)| Point::new(x, y)).to_vec()]);
        assert_eq!(bounds(&triangle), Ok(Some([0.0, 4.0, -1.0, 5.0])));
    }

    #[test]
    fn the_empty_have_none() {
        let nowhere = point(Point::new(f64::NAN, f64::NAN));
        assert_eq!(bounds(&nowhere), Ok(None));
        assert_eq!(bounds(&[1, 7, 0, 0, 0, 0, 0, 0, 0]), Ok(None));
    }

    #[test]
    fn lengths_are_believed_only_as_far_as_there_are_bytes() {
        let line = [1, 2, 0, 0, 0, 255, 255, 255, 255];
        assert_eq!(bounds(&line), Err(WkbError::Short));
        let nested = [1, 7, 0, 0, 0, 1, 0, 0, 0].repeat(40);
        assert_eq!(bounds(&nested), Err(WkbError::Deep));
    }
}

//! How far apart two locations can be that share a pixel.
//!
//! Only corners of the convex hull can be farthest apart, and these are met in pairs when two
//! parallel lines turn once round the hull. So a pixel of n locations takes O(n log n), also when
//! the whole country is in one pixel. A pixel whose box has no longer diagonal than the largest
//! distance so far is left out; at detailed levels that is nearly all of them.

use crate::Point;

/// The largest distance between two of `points` in the same pixel; 0 if none share one.
/// `pixel_of` tells the pixel of each point, from 0 to `pixels`.
///
/// # Panics
/// When a pixel is out of range.
#[must_use]
pub fn overlap(points: &[Point], pixel_of: &[u32], pixels: usize) -> f64 {
    let mut firsts = vec![0u32; pixels + 1];
    for &pixel in pixel_of {
        firsts[pixel as usize + 1] += 1;
    }
    for pixel in 0..pixels {
        firsts[pixel + 1] += firsts[pixel];
    }
    let mut next = firsts.clone();
    let mut sorted = vec![Point::default(); points.len()];
    for (point, &pixel) in points.iter().zip(pixel_of) {
        let at = &mut next[pixel as usize];
        sorted[*at as usize] = *point;
        *at += 1;
    }
    let mut largest = 0.0f64;
    for range in firsts.windows(2) {
        let members = &mut sorted[range[0] as usize..range[1] as usize];
        if diagonal(members) > largest {
            largest = largest.max(diameter(members));
        }
    }
    largest
}

fn diagonal(points: &[Point]) -> f64 {
    let span = |of: fn(&Point) -> f64| {
        let ends = points.iter().map(of);
        let ends = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        (ends.1 - ends.0).max(0.0)
    };
    // Room for the rounding of what it is compared with.
    distance(span(|p| p.x), span(|p| p.y)) * (1.0 + 1e-12)
}

fn diameter(points: &mut [Point]) -> f64 {
    let hull = hull(points);
    let corners = hull.len();
    if corners < 2 {
        return 0.0;
    }
    let apart = |i: usize, j: usize| distance(hull[i].x - hull[j].x, hull[i].y - hull[j].y);
    let mut largest = 0.0f64;
    let mut other = 1;
    for corner in 0..corners {
        let next = (corner + 1) % corners;
        // The corner farthest from this side, which moves on as the side turns. A few steps more
        // do no harm where rounding hides which is farthest.
        while cross(hull[corner], hull[next], hull[(other + 1) % corners])
            > cross(hull[corner], hull[next], hull[other])
        {
            other = (other + 1) % corners;
        }
        for near in [
            other,
            (other + 1) % corners,
            (other + corners - 1) % corners,
        ] {
            largest = largest.max(apart(corner, near)).max(apart(next, near));
        }
    }
    largest
}

/// The corners of the convex hull, counter-clockwise.
fn hull(points: &mut [Point]) -> Vec<Point> {
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut corners: Vec<Point> = Vec::new();
    let mut half = |points: &mut dyn Iterator<Item = &Point>| {
        let first = corners.len();
        for &point in points {
            while let [.., a, b] = corners[first..]
                && cross(a, b, point) <= 0.0
            {
                corners.pop();
            }
            if corners.get(first..).and_then(<[Point]>::last) != Some(&point) {
                corners.push(point);
            }
        }
        // It is the first of the other half.
        corners.pop();
    };
    half(&mut points.iter());
    half(&mut points.iter().rev());
    if corners.is_empty() {
        corners.extend(points.first());
    }
    corners
}

fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn distance(dx: f64, dy: f64) -> f64 {
    (dx * dx + dy * dy).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_pairs(points: &[Point], pixel_of: &[u32]) -> f64 {
        let mut largest = 0.0f64;
        for (i, a) in points.iter().enumerate() {
            for (j, b) in points.iter().enumerate().take(i) {
                if pixel_of[i] == pixel_of[j] {
                    largest = largest.max(distance(a.x - b.x, a.y - b.y));
                }
            }
        }
        largest
    }

    #[test]
    fn nobody_shares_a_pixel_with_himself() {
        let points = [Point::new(0.0, 0.0), Point::new(5.0, 5.0)];
        assert_eq!(overlap(&points, &[0, 1], 2), 0.0);
        assert_eq!(overlap(&points, &[1, 1], 2), 50f64.sqrt());
        assert_eq!(overlap(&[points[1]; 3], &[0, 0, 0], 1), 0.0);
        assert_eq!(overlap(&[], &[], 0), 0.0);
    }

    fn places() -> impl Strategy<Value = Vec<(Point, u32)>> {
        let lattice = (0..6i32, 0..6i32).prop_map(|(x, y)| Point::new(x.into(), y.into()));
        let line = (0..40i32).prop_map(|i| Point::new(f64::from(i), 2.0 * f64::from(i)));
        let circle = (0.0..std::f64::consts::TAU)
            .prop_map(|turn| Point::new(1e5 + turn.cos(), 4e5 + turn.sin()));
        let any = (-1e3..1e3, -1e3..1e3).prop_map(|(x, y)| Point::new(x, y));
        let of = |place: BoxedStrategy<Point>| prop::collection::vec((place, 0..3u32), 0..60);
        prop_oneof![
            of(lattice.boxed()),
            of(line.boxed()),
            of(circle.boxed()),
            of(any.boxed())
        ]
    }

    proptest! {
        #[test]
        fn the_hull_has_the_farthest_pair(places in places()) {
            let (points, pixel_of): (Vec<_>, Vec<_>) = places.into_iter().unzip();
            let (found, expected) = (overlap(&points, &pixel_of, 3), by_pairs(&points, &pixel_of));
            prop_assert!((found - expected).abs() <= 1e-12 * expected, "{found} {expected}");
        }
    }
}

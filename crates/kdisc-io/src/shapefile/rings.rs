//! Which rings of a polygon are its outsides, and which are holes in which.
//!
//! By the format outsides go clockwise and holes the other way; which hole is in which outside it
//! does not say. A hole belongs to the smallest outside that holds one of its corners.

/// A corner of a ring.
pub(super) type Corner = (f64, f64);

/// More comparisons than this are not made: then a hole belongs to the outside before it.
const COMPARISONS: usize = 100_000_000;

/// Rings by their index, grouped into polygons: each an outside and its holes.
pub(super) fn polygons(rings: &[Vec<Corner>]) -> Vec<Vec<usize>> {
    let areas: Vec<f64> = rings.iter().map(|ring| area(ring)).collect();
    let (mut outsides, mut holes): (Vec<_>, Vec<_>) =
        (0..rings.len()).partition(|&ring| areas[ring] < 0.0);
    if outsides.is_empty() {
        // Wrongly turned; nothing tells holes from outsides but their order.
        outsides = (0..rings.len().min(1)).collect();
        holes = (1..rings.len()).collect();
    }
    let mut groups: Vec<Vec<usize>> = outsides.iter().map(|&ring| vec![ring]).collect();
    let compare = holes.len().saturating_mul(outsides.len()) <= COMPARISONS;
    let boxes: Vec<[f64; 4]> = outsides.iter().map(|&ring| bounds(&rings[ring])).collect();
    for hole in holes {
        let before = outsides
            .partition_point(|&ring| ring < hole)
            .saturating_sub(1);
        let owner = if groups.len() == 1 || !compare {
            Some(before)
        } else {
            let within = bounds(&rings[hole]);
            let around = (0..groups.len()).filter(|&group| {
                holds(&boxes[group], &within)
                    && rings[hole]
                        .iter()
                        .any(|&at| is_inside(at, &rings[outsides[group]]))
            });
            around.min_by(|&a, &b| areas[outsides[b]].total_cmp(&areas[outsides[a]]))
        };
        match owner {
            Some(group) => groups[group].push(hole),
            None => groups.push(vec![hole]),
        }
    }
    groups
}

/// Positive if it turns to the left. Relative to the first corner, for the sake of digits.
fn area(ring: &[Corner]) -> f64 {
    let Some(&(x, y)) = ring.first() else {
        return 0.0;
    };
    let sides = ring.windows(2).map(|side| {
        let [(a, b), (c, d)] = [side[0], side[1]];
        (a - x) * (d - y) - (c - x) * (b - y)
    });
    sides.sum::<f64>() / 2.0
}

fn bounds(ring: &[Corner]) -> [f64; 4] {
    let start = [
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    ring.iter()
        .fold(start, |[left, right, low, high], &(x, y)| {
            [left.min(x), right.max(x), low.min(y), high.max(y)]
        })
}

fn holds(outer: &[f64; 4], inner: &[f64; 4]) -> bool {
    outer[0] <= inner[0] && outer[1] >= inner[1] && outer[2] <= inner[2] && outer[3] >= inner[3]
}

/// Whether a ray to the right crosses the ring an odd number of times.
fn is_inside((x, y): Corner, ring: &[Corner]) -> bool {
    let crossed = ring.windows(2).filter(|side| {
        let [(a, b), (c, d)] = [side[0], side[1]];
        (b > y) != (d > y) && x < a + (y - b) / (d - b) * (c - a)
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clockwise, as an outside.
    fn square(x: f64, y: f64, side: f64) -> Vec<Corner> {
        let (right, top) = (x + side, y + side);
        vec![(x, y), (x, top), (right, top), (right, y), (x, y)]
    }

    fn hole(x: f64, y: f64, side: f64) -> Vec<Corner> {
        square(x, y, side).into_iter().rev().collect()
    }

    #[test]
    fn holes_go_to_the_smallest_outside_around_them() {
        let rings = [
            hole(5.5, 5.5, 1.0),
            square(0.0, 0.0, 20.0),
            square(100.0, 0.0, 20.0),
            hole(4.0, 4.0, 10.0),
            square(5.0, 5.0, 3.0),
            hole(110.0, 10.0, 1.0),
        ];
        assert_eq!(polygons(&rings), [vec![1, 3], vec![2, 5], vec![4, 0]]);
    }

    #[test]
    fn one_outside_has_all_holes_and_lost_holes_stand_alone() {
        let rings = [
            square(0.0, 0.0, 9.0),
            hole(1.0, 1.0, 1.0),
            hole(0.0, 5.0, 1.0),
        ];
        assert_eq!(polygons(&rings), [vec![0, 1, 2]]);
        let rings = [
            square(0.0, 0.0, 1.0),
            square(5.0, 0.0, 1.0),
            hole(50.0, 50.0, 1.0),
        ];
        assert_eq!(polygons(&rings), [vec![0], vec![1], vec![2]]);
    }

    #[test]
    fn wrongly_turned_polygons_are_polygons() {
        assert_eq!(polygons(&[hole(0.0, 0.0, 1.0)]), [vec![0]]);
        assert!(polygons(&[]).is_empty());
    }
}

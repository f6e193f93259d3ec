//! How far the k-th unit is from each location, for all locations of a leaf together.
//!
//! Neighbours have the same neighbours: what is near a leaf is collected once, and each of it is
//! shown to all locations of the leaf, which sit side by side in vectors (crate pulp: the widest
//! that the processor has). Each keeps the distances of its *k* nearest units in order; to put one
//! more among them takes no branch. Where *k* is large, or a leaf has much round it, as beside a
//! town, its locations ask one by one.
//!
//! Cost: O(k²) per location on even data, in a few steps for each vector.

use pulp::Simd;

use super::tree::LEAF;
use super::{Bounds, Near, Nearest, SLACK, Tree};
use crate::Point;

/// Larger *k* is too large.
const MOST_UNITS: usize = 24;
/// More than this is too much round a leaf.
const CROWD: usize = 512;

/// The unit that is the k-th by its distance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kth {
    pub squared: f64,
    pub location: u32,
    /// Units up to that distance, as far as doubles tell.
    pub units: u64,
    /// Whether another location is as far, up to rounding.
    pub tied: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Together {
    nearest: Nearest,
    around: Vec<Neighbour>,
    nodes: Vec<u32>,
    /// The last place that asked alone, and the distance of its k-th unit.
    previous: Option<(Point, f64)>,
}

/// A location with units.
#[derive(Debug, Clone, Copy, Default)]
struct Neighbour {
    point: Point,
    weight: f64,
    location: u32,
}

/// A number for each location of a leaf.
type Each = [f64; LEAF];

/// What a leaf was told.
struct Told {
    squared: Each,
    location: Each,
    units: Each,
    /// Locations that may be as far as the k-th unit.
    ties: Each,
}

impl Together {
    /// Tells the k-th unit of each wanted location under a node, given that there are *k* units.
    pub fn tell(
        &mut self,
        tree: &Tree,
        node: usize,
        k: u64,
        wants: impl Fn(usize) -> bool,
        mut tell: impl FnMut(usize, Kth),
    ) {
        for leaf in tree.leaves_under(node) {
            if !tree.run(leaf).any(&wants) {
                continue;
            }
            if k as usize <= MOST_UNITS && self.collect(tree, leaf, k) {
                let told = self.told(tree, leaf, k);
                for (lane, location) in tree.run(leaf).enumerate() {
                    if wants(location) {
                        tell(location, told.of(lane));
                    }
                }
                continue;
            }
            for location in tree.run(leaf).filter(|&location| wants(location)) {
                if let Some(kth) = self.alone(tree, tree.points()[location], k) {
                    tell(location, kth);
                }
            }
        }
    }

    /// The k-th unit of one place by a search of its own. From one place to the next, the distance of
    /// the k-th unit changes no more than by the step between the two.
    fn alone(&mut self, tree: &Tree, at: Point, k: u64) -> Option<Kth> {
        let [inner, bound] = self
            .previous
            .map_or([0.0, f64::INFINITY], |(other, radius)| {
                let (dx, dy) = (other.x - at.x, other.y - at.y);
                let step = (dx * dx + dy * dy).sqrt();
                let inner = (radius * (1.0 - 4.0 * SLACK) - step * (1.0 + 4.0 * SLACK)).max(0.0);
                let bound = radius + step;
                [inner * inner, bound * bound * (1.0 + 4.0 * SLACK)]
            });
        // What is nearer are too few, of a small k, to be worth another look at every box.
        let inner = if k as usize > MOST_UNITS { inner } else { 0.0 };
        let (mut units, near) = self.nearest.find_beyond(tree, at, k, inner, bound);
        let weight = |n: &Near| tree.weights()[n.location as usize];
        let last = near.iter().position(|n| {
            units += weight(n);
            units >= k
        })?;
        let kth = near[last];
        let equal = near[last + 1..].iter();
        let equal = equal.take_while(|n| n.squared <= kth.squared);
        let ties = near
            .iter()
            .filter(|n| (n.squared - kth.squared).abs() <= 2.0 * SLACK * kth.squared);
        self.previous = Some((at, kth.squared.sqrt()));
        Some(Kth {
            squared: kth.squared,
            location: kth.location,
            units: units + equal.map(weight).sum::<u64>(),
            tied: ties.count() > 1,
        })
    }

    /// Collects what may be as near to a location of the leaf as its k-th unit, unless that is too
    /// much.
    fn collect(&mut self, tree: &Tree, leaf: usize, k: u64) -> bool {
        let region = *tree.bounds(leaf);
        let middle = Point::new(
            f64::midpoint(region.low.x, region.high.x),
            f64::midpoint(region.low.y, region.high.y),
        );
        let Some(kth) = self.alone(tree, middle, k) else {
            return false;
        };
        let corner = Bounds::at(middle).squared_span(&region);
        let reach = kth.squared.sqrt() + corner.sqrt();
        let limit = reach * reach * (1.0 + 4.0 * SLACK);
        self.around.resize(CROWD + LEAF, Neighbour::default());
        let mut len = 0;
        self.nodes.clear();
        self.nodes.push(1);
        while let Some(node) = self.nodes.pop() {
            if tree.bounds(node as usize).squared_gap(&region) > limit {
                continue;
            }
            if !tree.is_leaf(node as usize) {
                self.nodes.extend([2 * node, 2 * node + 1]);
                continue;
            }
            for location in tree.run(node as usize) {
                let (point, weight) = (tree.points()[location], tree.weights()[location]);
                // No branch: it would be a guess each time.
                self.around[len] = Neighbour {
                    point,
                    weight: weight as f64,
                    location: location as u32,
                };
                let near = Bounds::at(point).squared_gap(&region) <= limit;
                len += usize::from(near && weight > 0);
            }
            if len > CROWD {
                return false;
            }
        }
        self.around.truncate(len);
        true
    }

    /// What the locations of a leaf are told by what was collected.
    fn told(&self, tree: &Tree, leaf: usize, k: u64) -> Told {
        let points = &tree.points()[tree.run(leaf)];
        let mut told = Told {
            squared: [0.0; LEAF],
            location: [0.0; LEAF],
            units: [0.0; LEAF],
            ties: [0.0; LEAF],
        };
        pulp::Arch::new().dispatch(Tell {
            around: &self.around,
            x: std::array::from_fn(|lane| points[lane.min(points.len() - 1)].x),
            y: std::array::from_fn(|lane| points[lane.min(points.len() - 1)].y),
            k: k as usize,
            told: &mut told,
        });
        told
    }
}

impl Told {
    fn of(&self, lane: usize) -> Kth {
        Kth {
            squared: self.squared[lane],
            location: self.location[lane] as u32,
            units: self.units[lane] as u64,
            tied: self.ties[lane] > 1.0,
        }
    }
}

/// Shows what is round a leaf to its locations.
struct Tell<'a> {
    around: &'a [Neighbour],
    x: Each,
    y: Each,
    k: usize,
    told: &'a mut Told,
}

impl pulp::WithSimd for Tell<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (x, y) = (S::as_simd_f64s(&self.x).0, S::as_simd_f64s(&self.y).0);
        for v in 0..x.len() {
            let at = [x[v], y[v]];
            let kth = kth(simd, self.around, at, self.k);
            let [location, units, ties] = up_to(simd, self.around, at, kth);
            S::as_mut_simd_f64s(&mut self.told.squared).0[v] = kth;
            S::as_mut_simd_f64s(&mut self.told.location).0[v] = location;
            S::as_mut_simd_f64s(&mut self.told.units).0[v] = units;
            S::as_mut_simd_f64s(&mut self.told.ties).0[v] = ties;
        }
    }
}

/// Squared distances between a neighbour and some places.
#[inline(always)]
fn squared<S: Simd>(simd: S, neighbour: &Neighbour, [x, y]: [S::f64s; 2]) -> S::f64s {
    let Point { x: to_x, y: to_y } = neighbour.point;
    let dx = simd.sub_f64s(simd.splat_f64s(to_x), x);
    let dy = simd.sub_f64s(simd.splat_f64s(to_y), y);
    simd.add_f64s(simd.mul_f64s(dx, dx), simd.mul_f64s(dy, dy))
}

/// The squared distances of the k-th units.
#[inline(always)]
fn kth<S: Simd>(simd: S, around: &[Neighbour], at: [S::f64s; 2], k: usize) -> S::f64s {
    let mut nearest = [simd.splat_f64s(f64::INFINITY); MOST_UNITS];
    let nearest = &mut nearest[..k];
    for neighbour in around {
        let squared = squared(simd, neighbour, at);
        let mut units = neighbour.weight.min(k as f64);
        while units > 0.0 {
            for i in (1..nearest.len()).rev() {
                let after = simd.max_f64s(nearest[i - 1], squared);
                nearest[i] = simd.min_f64s(nearest[i], after);
            }
            nearest[0] = simd.min_f64s(nearest[0], squared);
            units -= 1.0;
        }
    }
    nearest[k - 1]
}

/// A location at each of these squared distances, the units up to there, and how many locations may
/// be as far but for rounding.
#[inline(always)]
fn up_to<S: Simd>(simd: S, around: &[Neighbour], at: [S::f64s; 2], kth: S::f64s) -> [S::f64s; 3] {
    let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
    let low = simd.mul_f64s(kth, simd.splat_f64s(1.0 - 2.0 * SLACK));
    let high = simd.mul_f64s(kth, simd.splat_f64s(1.0 + 2.0 * SLACK));
    let [mut location, mut units, mut ties] = [zero; 3];
    for neighbour in around {
        let squared = squared(simd, neighbour, at);
        let inside = simd.less_than_or_equal_f64s(squared, kth);
        let weight = simd.splat_f64s(neighbour.weight);
        units = simd.add_f64s(units, simd.select_f64s(inside, weight, zero));
        let name = simd.splat_f64s(f64::from(neighbour.location));
        location = simd.select_f64s(simd.equal_f64s(squared, kth), name, location);
        let above = simd.greater_than_or_equal_f64s(squared, low);
        let tied = simd.and_m64s(above, simd.less_than_or_equal_f64s(squared, high));
        ties = simd.add_f64s(ties, simd.select_f64s(tied, one, zero));
    }
    [location, units, ties]
}

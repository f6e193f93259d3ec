//! 0 < δ < ∞, where no disc of radius δ or less will do: the centre is at most δ from the location.
//!
//! The radius exceeds δ, so the location is inside by itself, and the answer is the minimum of f
//! (see `search`) over the closed disc of radius δ round the location. Inside that disc it is a
//! local minimum of f: a circle through two or three units. On its rim, x = s + δu, the squared
//! distance to q is |q−s|² + δ² − 2δ(q−s)·u; a minimum of the k-th of these is where u points at
//! one q, or where two are equal: u on their bisector.
//!
//! Such centres are irrational, so radii are good to 1e-12 and ties are decided to that: of all
//! offers within it of the smallest, the one with the fewest units, then the first centre. The
//! offers for a location do not depend on the order in which parts are searched, and so neither
//! does the choice.

use std::cmp::Ordering;

use pulp::Simd;

use super::bounds::UpperBounds;
use super::circle::{Circle, SLACK};
use super::content::{Content, support};
use super::list::List;
use super::search::{Circles, Part};
use super::shards::{SHARD, Shards};
use crate::index::{Bounds, Surroundings, Tree};
use crate::predicates::rounded;
use crate::{Disc, Point};

/// Radii that differ by less, relatively, are tied: 1e-12, less what rounding may add.
const TIED: f64 = 0.999e-12;
/// Room for the rounding of a radius, relatively.
const ROUNDING: f64 = 1e-14;

/// A disc, and its centre as seen from the location that it is for.
#[derive(Debug, Clone, Copy)]
struct Offer {
    disc: Disc,
    step: Point,
}

/// For each location, the offers that are tied with its smallest.
pub(crate) struct Offers<'a> {
    tree: &'a Tree,
    bounds: &'a UpperBounds,
    tied: Shards<Vec<Vec<Offer>>>,
}

impl<'a> Offers<'a> {
    pub fn new(tree: &'a Tree, bounds: &'a UpperBounds) -> Self {
        let locations = tree.points().len();
        let firsts = (0..locations).step_by(SHARD);
        let tied = firsts.map(|first| vec![Vec::new(); SHARD.min(locations - first)]);
        Self {
            tree,
            bounds,
            tied: Shards::new(tied),
        }
    }

    fn offer(&self, location: usize, offer: Offer) {
        self.tied.change([location], |location, tied, place| {
            let offers = &mut tied[place];
            let smallest = offers
                .iter()
                .map(|o| o.disc.radius)
                .fold(offer.disc.radius, f64::min);
            let tied = |o: &Offer| o.disc.radius - smallest <= TIED * smallest;
            if tied(&offer) && offers.iter().all(|o| o.disc != offer.disc) {
                offers.push(offer);
                offers.retain(tied);
                self.bounds.lower(location, smallest * (1.0 + SLACK));
            }
        });
    }

    /// Replaces the answers of the locations that have offers.
    pub fn choose(self, discs: &mut [Option<Disc>]) {
        let tied = self.tied.into_shards().flatten();
        for (disc, offers) in discs.iter_mut().zip(tied) {
            if let Some(offer) = choice(offers) {
                *disc = Some(offer.disc);
            }
        }
    }
}

/// Fewest units, then smallest x, then smallest y, up to 1e-9 of the radius.
fn choice(mut offers: Vec<Offer>) -> Option<Offer> {
    let fewest = offers.iter().map(|o| o.disc.units).min()?;
    offers.retain(|o| o.disc.units == fewest);
    for along in [|o: &Offer| o.step.x, |o: &Offer| o.step.y] {
        let first = offers.iter().map(along).fold(f64::INFINITY, f64::min);
        offers.retain(|o| along(o) <= first + SLACK * o.disc.radius);
    }
    // The same disc, found in several ways.
    let order = |o: &Offer| [o.disc.radius, o.disc.center.x, o.disc.center.y];
    offers.into_iter().min_by(|a, b| {
        let pairs = order(a).into_iter().zip(order(b));
        pairs.fold(Ordering::Equal, |o, (a, b)| o.then(a.total_cmp(&b)))
    })
}

/// Looks at suggested circles, one thread's worth.
pub(crate) struct Bounded<'a> {
    offers: &'a Offers<'a>,
    k: u64,
    delta: f64,
    content: Content,
    around: Surroundings,
    anchors: Vec<u32>,
    held: Held,
}

impl<'a> Bounded<'a> {
    pub fn new(offers: &'a Offers<'a>, k: u64, delta: f64) -> Self {
        Self {
            offers,
            k,
            delta,
            content: Content::default(),
            around: Surroundings::default(),
            anchors: Vec::new(),
            held: Held::default(),
        }
    }

    /// A centre as seen from the anchor, at the distance `radius` from what holds it.
    fn try_center(&mut self, list: &List, part: &Part, anchor: u32, step: Point, radius: f64) {
        let at = self.offers.tree.points()[anchor as usize];
        let center = Point::new(at.x + step.x, at.y + step.y);
        if radius > self.offers.bounds.of(anchor as usize) || !part.bounds.hold(center) {
            return;
        }
        let tree = self.offers.tree;
        let reach = radius * (1.0 + ROUNDING);
        let weight = |l: u32| {
            let inside = squared(tree, l, at, step) <= reach * reach;
            // No branch: it would be a guess each time.
            tree.weights()[l as usize] * u64::from(inside)
        };
        if list.locations().map(weight).sum::<u64>() >= self.k {
            self.offer(anchor, at, step, center, radius);
        }
    }

    /// Offers the disc, with the units within 1e-9 of its radius.
    fn offer(&mut self, anchor: u32, at: Point, step: Point, center: Point, radius: f64) {
        let tree = self.offers.tree;
        let reach = radius * (1.0 + SLACK);
        let rounding = f64::EPSILON * center.x.abs().max(center.y.abs());
        self.around
            .collect(tree, &Bounds::at(center), reach + 2.0 * rounding);
        let inside = |&&l: &&u32| squared(tree, l, at, step) <= reach * reach;
        let inside = self.around.location.iter().filter(inside);
        let units = inside.map(|&l| tree.weights()[l as usize]).sum();
        let disc = Disc {
            center,
            radius,
            units,
        };
        let offer = Offer { disc, step };
        self.offers.offer(anchor as usize, offer);
    }

    /// The disc centred on the anchor.
    fn try_anchor(&mut self, list: &List, part: &Part, anchor: u32) {
        let tree = self.offers.tree;
        let at = tree.points()[anchor as usize];
        if !part.bounds.hold(at) {
            return;
        }
        let step = Point::default();
        let places = list.locations().map(|l| (squared(tree, l, at, step), l));
        let mut places: Vec<(f64, u32)> = places.collect();
        places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut units = 0;
        let kth = places.iter().find(|(_, l)| {
            units += tree.weights()[*l as usize];
            units >= self.k
        });
        if let Some(&(squared, _)) = kth {
            self.try_center(list, part, anchor, step, squared.sqrt());
        }
    }

    /// Centres on the rim round one anchor: in line with a unit, and equally far from two.
    fn rim_of(&mut self, list: &List, part: &Part, anchor: u32, held: &Held) {
        let delta = self.delta;
        let at = self.offers.tree.points()[anchor as usize];
        let from = |p: Point| Point::new(p.x - at.x, p.y - at.y);
        for &q in &held.units {
            let q = from(q);
            let distance = length(q.x, q.y);
            if distance > delta {
                let step = Point::new(delta * (q.x / distance), delta * (q.y / distance));
                self.try_center(list, part, anchor, step, distance - delta);
            }
        }
        for &Pair { q, r, way } in &held.pairs {
            let (ex, ey) = (way.x, way.y);
            let (q, r) = (from(q), from(r));
            let along = f64::midpoint(q.x, r.x) * ex + f64::midpoint(q.y, r.y) * ey;
            if along.abs() <= delta * (1.0 + TIED) {
                let across = ((delta - along) * (delta + along)).max(0.0).sqrt();
                for across in [across, -across] {
                    let step = Point::new(along * ex - across * ey, along * ey + across * ex);
                    if !part.bounds.hold(Point::new(at.x + step.x, at.y + step.y)) {
                        continue;
                    }
                    let radius = [q, r].map(|z| length(z.x - step.x, z.y - step.y));
                    self.try_center(list, part, anchor, step, radius[0].max(radius[1]));
                }
            }
        }
    }
}

/// What can hold a centre on a rim.
#[derive(Default)]
struct Held {
    /// Units that can lie on the circles of the part.
    units: Vec<Point>,
    /// Those of them whose bisector crosses the part.
    pairs: Vec<Pair>,
}

/// Two units, and the direction from one to the other.
struct Pair {
    q: Point,
    r: Point,
    way: Point,
}

impl Held {
    fn collect(&mut self, tree: &Tree, list: &List, part: &Part, supports: &[u32]) {
        self.units.clear();
        self.pairs.clear();
        for &place in supports {
            let location = list.location(place) as usize;
            if tree.weights()[location] > 0 {
                self.units.push(tree.points()[location]);
            }
        }
        let Bounds { low, high } = part.bounds;
        let (half_x, half_y) = ((high.x - low.x) / 2.0, (high.y - low.y) / 2.0);
        for (i, &q) in self.units.iter().enumerate() {
            // From the middle of the part, so that its size is not lost in rounding.
            let (qx, qy) = (q.x - low.x - half_x, q.y - low.y - half_y);
            for &r in &self.units[..i] {
                let (ux, uy) = (r.x - q.x, r.y - q.y);
                let off = (qx + ux / 2.0) * ux + (qy + uy / 2.0) * uy;
                let size = (qx.abs() + ux.abs()) * ux.abs() + (qy.abs() + uy.abs()) * uy.abs();
                if off.abs() <= half_x * ux.abs() + half_y * uy.abs() + ROUNDING * size {
                    let apart = length(ux, uy);
                    let way = Point::new(ux / apart, uy / apart);
                    self.pairs.push(Pair { q, r, way });
                }
            }
        }
    }
}

impl Circles for Bounded<'_> {
    // Two of them may hold a centre on the rim round any anchor.
    const FEW: usize = 8;

    fn start(&mut self, list: &List, part: &Part, supports: &[u32]) {
        let Offers { tree, bounds, .. } = *self.offers;
        let mut anchors = std::mem::take(&mut self.anchors);
        anchors.clear();
        anchors.extend(list.locations().filter(|&location| {
            let place = Bounds::at(tree.points()[location as usize]);
            let (near, far) = (self.delta * (1.0 + SLACK), self.delta * (1.0 - SLACK));
            bounds.of(location as usize) > 0.0
                && place.squared_gap(&part.bounds) <= near * near
                && (place.squared_span(&part.bounds) >= far * far || part.bounds.hold(place.low))
        }));
        let mut held = std::mem::take(&mut self.held);
        if !anchors.is_empty() {
            held.collect(tree, list, part, supports);
        }
        for &anchor in &anchors {
            self.try_anchor(list, part, anchor);
            self.rim_of(list, part, anchor, &held);
        }
        (self.anchors, self.held) = (anchors, held);
    }

    #[inline(always)]
    fn check<S: Simd>(&mut self, simd: S, list: &List, part: &Part, places: [u32; 3]) {
        let Offers { tree, bounds, .. } = *self.offers;
        let names = places.map(|place| list.location(place));
        // Where there is no unit, nothing holds a disc: one that passes there by chance may be tied
        // with the smallest, and would be told or not with the location.
        if names.iter().any(|&name| tree.weights()[name as usize] == 0) {
            return;
        }
        let support = support(names, tree);
        let Some(circle) = Circle::of(&support) else {
            return;
        };
        if !part.bounds.hold(circle.center()) {
            return;
        }
        self.content.collect(simd, tree, list, &circle, places[0]);
        if self.content.units < self.k {
            return;
        }
        self.content.decide(tree, &support, self.k);
        if self.content.units < self.k {
            return;
        }
        let (center, radius) = rounded(tree.grain(), &support);
        let limit = self.delta.min(radius) * (1.0 + TIED);
        for i in 0..self.content.members.len() {
            let anchor = self.content.members[i];
            let at = tree.points()[anchor as usize];
            let step = circle.center_from(at);
            if radius <= bounds.of(anchor as usize) && length(step.x, step.y) <= limit {
                self.offer(anchor, at, step, center, radius);
            }
        }
    }
}

/// The squared distance from a location to the centre that is `step` away from `at`.
fn squared(tree: &Tree, location: u32, at: Point, step: Point) -> f64 {
    let p = tree.points()[location as usize];
    let (x, y) = (p.x - at.x - step.x, p.y - at.y - step.y);
    x * x + y * y
}

/// Coordinates are such that squares neither overflow nor vanish.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

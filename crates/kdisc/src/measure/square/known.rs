//! What is known of the locations that are done, and what that saves their neighbours.
//!
//! A square with at least k units that holds a location q has at least q's own smallest side. So
//! when an anchor looks for a square smaller than `best`, a location q with a known side ≥ `best`
//! is an *obstacle*: no such square holds it. Neither does it hold a location p that lies beyond
//! q, in the sense that the box of the anchor and p holds q. As most anchors lie in the square of
//! one of their neighbours, and have the same answer, mostly little is left to search.
//!
//! Which neighbours are done already depends on the threads. That decides how much is searched,
//! never what is found: what is left out is in no smaller square.
//!
//! Cost: O(m) for m spots sorted by v; 8 bytes per location.

use std::sync::atomic::{AtomicU64, Ordering};

use super::smallest::Spot;
use super::whole::Whole;

/// For each location a lower bound on its smallest side at δ = ∞; 0 where nothing is known yet.
pub(super) struct Known(Vec<AtomicU64>);

impl Known {
    pub fn new(locations: usize) -> Self {
        Self((0..locations).map(|_| AtomicU64::new(0)).collect())
    }

    pub fn get(&self, location: usize) -> f64 {
        f64::from_bits(self.0[location].load(Ordering::Relaxed))
    }

    pub fn set(&self, location: usize, side: f64) {
        self.0[location].store(side.to_bits(), Ordering::Relaxed);
    }
}

/// The spots that matter, and work space to find them.
#[derive(Debug, Default)]
pub(super) struct Open<T> {
    sorted: Vec<Spot<T>>,
    open: Vec<Spot<T>>,
}

impl<T: Whole> Open<T> {
    /// The spots within `reach` that a square smaller than `best` can hold, sorted by v: no
    /// obstacles, and nothing that an obstacle shuts off from the anchor. A few too many may stay:
    /// spots on one line do not all see each other's obstacles.
    pub fn select(&mut self, spots: &[Spot<T>], best: T, reach: T) -> &[Spot<T>] {
        // The nearest obstacles spare most of the sorting.
        let nearest = nearest_obstacles(spots, best);
        let within = |c: T| -reach <= c && c <= reach;
        let kept = |s: &&Spot<T>| {
            within(s.u) && within(s.v) && !nearest.iter().flatten().any(|o| s.is_beyond(o))
        };
        self.sorted.clear();
        self.sorted.extend(spots.iter().filter(kept));
        self.sorted.sort_unstable_by_key(|s| s.v);

        let sorted = &self.sorted;
        let line = sorted.partition_point(|s| s.v < T::ZERO);
        let above = sorted.partition_point(|s| s.v <= T::ZERO);
        self.open.clear();
        let mut view = View::new(best);
        let down = sorted[..above].iter().rev();
        self.open.extend(down.filter(|s| view.sees(s)));
        self.open.reverse();
        // The anchor's own line belongs to both half-planes.
        let mut view = View::new(best);
        for spot in &sorted[line..above] {
            view.sees(spot);
        }
        self.open
            .extend(sorted[above..].iter().filter(|s| view.sees(s)));
        &self.open
    }
}

/// The nearest obstacle in each quadrant.
fn nearest_obstacles<T: Whole>(spots: &[Spot<T>], best: T) -> [Option<Spot<T>>; 4] {
    let mut nearest: [Option<Spot<T>>; 4] = [None; 4];
    for spot in spots.iter().filter(|s| s.known >= best) {
        let quadrant = usize::from(spot.u > T::ZERO) + 2 * usize::from(spot.v > T::ZERO);
        let place = &mut nearest[quadrant];
        if place.is_none_or(|other| spot.distance() < other.distance()) {
            *place = Some(*spot);
        }
    }
    nearest
}

/// How far one sees from the anchor to the left and to the right, past the obstacles so far, when
/// looking along v away from the anchor.
struct View<T> {
    best: T,
    left: Option<T>,
    right: Option<T>,
}

impl<T: Whole> View<T> {
    fn new(best: T) -> Self {
        Self {
            best,
            left: None,
            right: None,
        }
    }

    /// Whether a spot is open; an obstacle narrows the view of those that follow.
    fn sees(&mut self, spot: &Spot<T>) -> bool {
        let u = spot.u;
        let shut_right = u >= T::ZERO && self.right.is_some_and(|right| u >= right);
        let shut_left = u <= T::ZERO && self.left.is_some_and(|left| u <= left);
        if shut_right || shut_left {
            return false;
        }
        let obstacle = spot.known >= self.best;
        if obstacle && u >= T::ZERO {
            self.right = Some(u);
        }
        if obstacle && u <= T::ZERO {
            self.left = Some(u);
        }
        !obstacle
    }
}

//! Among all smallest squares of one anchor: the one with the fewest units.
//!
//! With the smallest side w, no region of positions (a, b) can hold k units throughout: the
//! members would lie strictly inside, and a smaller square would do. So where the members stay
//! the same, a square slides along one axis at most; on the other it is *pinned*: a member on its
//! lower edge, or the position at its upper limit, keeps it from rising, and a member on its
//! upper edge, or the lower limit, from sinking. So it is enough to slide along u at every
//! pinned b, and along v at every pinned a. Along a row, squares are closed: a location enters at
//! u − w and is still inside at u. That cuts the row into the longest intervals with one set of
//! members, some of them single points. The answer is the midpoint of such an interval: the one
//! with the fewest units, then with the smallest centre (x, then y).
//!
//! A single point in a row may lie on a longer interval of a column (its members do not pin it
//! in the row); then it is no interval of its own.
//!
//! Cost: O(m log m) for m locations in reach, and O(m) for each pin. Pins are few where
//! coordinates have many digits; on whole metres or a lattice any two locations that happen to be
//! w apart make one.

use super::smallest::{Spot, Wanted};
use super::whole::Whole;

/// A square's centre in eighths of the unit of the spots, and its units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found<T> {
    pub units: u64,
    pub x: T,
    pub y: T,
}

/// Work space, kept from anchor to anchor.
#[derive(Debug, Default)]
pub(super) struct Slide<T> {
    by_v: Vec<Spot<T>>,
    /// The same with u and v exchanged.
    by_u: Vec<Spot<T>>,
    row: Vec<Spot<T>>,
}

/// The squares of one size that are allowed, and the best of them so far. Positions are doubled,
/// as limits may be halves.
struct Squares<T> {
    k: u64,
    twice_side: T,
    /// The lowest and the highest allowed position, the same on both axes.
    low: T,
    high: T,
    /// Whether u and v stand on a corner of x and y.
    diamond: bool,
    /// Whether u and v are exchanged.
    turned: bool,
    best: Option<Found<T>>,
}

impl<T: Whole> Slide<T> {
    /// The best square with the smallest side. The spots are sorted by v.
    pub fn best(
        &mut self,
        spots: &[Spot<T>],
        wanted: &Wanted<T>,
        side: T,
        diamond: bool,
    ) -> Found<T> {
        let mut squares = Squares {
            k: wanted.k,
            twice_side: side.twice(),
            low: (-side.twice()).max(-(side + wanted.twice_delta)),
            high: T::ZERO.min(wanted.twice_delta - side),
            diamond,
            turned: false,
            best: None,
        };
        // Locations without units neither pin nor count.
        self.by_v.clear();
        self.by_v.extend(spots.iter().filter(|s| s.units > 0));
        self.by_u.clear();
        self.by_u.extend(self.by_v.iter().map(|s| Spot {
            u: s.v,
            v: s.u,
            ..*s
        }));
        self.by_u.sort_unstable_by_key(|s| s.v);
        rows(&self.by_v, &self.by_u, &mut self.row, &mut squares);
        squares.turned = true;
        rows(&self.by_u, &self.by_v, &mut self.row, &mut squares);
        squares.best.expect("some square has the smallest side")
    }
}

/// Slides along u at every pinned b. The spots are sorted by v; `turned`, the same with u and v
/// exchanged, are sorted by their own v, which is u here.
fn rows<T: Whole>(
    spots: &[Spot<T>],
    turned: &[Spot<T>],
    row: &mut Vec<Spot<T>>,
    squares: &mut Squares<T>,
) {
    let mut partner = 0;
    let mut last = None;
    for spot in spots {
        let b = spot.v.twice();
        if b > squares.high {
            break;
        }
        let above = b + squares.twice_side;
        while partner < spots.len() && spots[partner].v.twice() < above {
            partner += 1;
        }
        let top = partner < spots.len() && spots[partner].v.twice() == above;
        let pinned = b >= squares.low && (b == squares.low || top);
        if pinned && last != Some(b) {
            last = Some(b);
            squares.slide(b, turned, row);
        }
    }
    let above = squares.high + squares.twice_side;
    if last != Some(squares.high) && spots.iter().any(|s| s.v.twice() == above) {
        squares.slide(squares.high, turned, row);
    }
}

impl<T: Whole> Squares<T> {
    /// Slides along u at one b.
    fn slide(&mut self, b: T, turned: &[Spot<T>], row: &mut Vec<Spot<T>>) {
        let twice_side = self.twice_side;
        row.clear();
        row.extend(turned.iter().filter_map(|s| {
            let v = s.u.twice();
            let inside = b <= v && v <= b + twice_side;
            inside.then_some(Spot {
                u: s.v,
                v: s.u,
                ..*s
            })
        }));
        if !self.is_enough(row) {
            return;
        }
        let enters = |s: &Spot<T>| s.u.twice() - twice_side;
        let leaves = |s: &Spot<T>| s.u.twice();
        let (mut entered, mut left, mut units) = (0, 0, 0);
        while entered < row.len() && enters(&row[entered]) <= self.low {
            units += row[entered].units;
            entered += 1;
        }
        while left < row.len() && leaves(&row[left]) < self.low {
            units -= row[left].units;
            left += 1;
        }
        let mut start = self.low;
        // Whether the interval holds its own first point: not after a location has left there.
        let mut closed = true;
        // What is left leaves last, so there is a next event as long as anything is inside.
        while left < row.len() {
            let next = row.get(entered).map(enters);
            let event = leaves(&row[left]).min(next.unwrap_or(leaves(&row[left])));
            if event > self.high {
                break;
            }
            if next == Some(event) {
                self.offer(start, event, b, units, &row[left..entered]);
                (start, closed) = (event, true);
                while entered < row.len() && enters(&row[entered]) == event {
                    units += row[entered].units;
                    entered += 1;
                }
            }
            if leaves(&row[left]) == event {
                self.offer(start, event, b, units, &row[left..entered]);
                (start, closed) = (event, false);
                while left < row.len() && leaves(&row[left]) == event {
                    units -= row[left].units;
                    left += 1;
                }
            }
        }
        if closed || start < self.high {
            self.offer(start, self.high, b, units, &row[left..entered]);
        }
    }

    /// Whether any square along the row holds k units: a quick look before all its events.
    fn is_enough(&self, row: &[Spot<T>]) -> bool {
        let mut left = 0;
        let mut units = 0;
        row.iter().any(|right| {
            units += right.units;
            while row[left].u.twice() + self.twice_side < right.u.twice() {
                units -= row[left].units;
                left += 1;
            }
            units >= self.k
        })
    }

    /// Takes the midpoint of an interval of a row if it is the best so far.
    fn offer(&mut self, start: T, end: T, b: T, units: u64, members: &[Spot<T>]) {
        if units < self.k || self.best.is_some_and(|best| units > best.units) {
            return;
        }
        if start == end && !self.pinned(members) {
            return;
        }
        let mut u = start + end + self.twice_side;
        let mut v = b.twice() + self.twice_side;
        if self.turned {
            (u, v) = (v, u);
        }
        let (x, y) = if self.diamond {
            (u + v, u - v)
        } else {
            (u.twice(), v.twice())
        };
        let found = Found { units, x, y };
        self.best = Some(self.best.map_or(found, |best| best.min(found)));
    }

    /// Whether these members allow only one b.
    fn pinned(&self, members: &[Spot<T>]) -> bool {
        let coordinates = || members.iter().map(|s| s.v.twice());
        let highest = coordinates().max().unwrap_or(T::ZERO);
        let lowest = coordinates().min().unwrap_or(T::ZERO);
        self.low.max(highest - self.twice_side) == self.high.min(lowest)
    }
}

//! The few places of a list that can lie on a circle with its centre in a given cell.

use pulp::Simd;

use super::cell::{Cell, MARGIN, dot};
use super::list::{Inside, List, of};
use crate::Point;

/// One vector of the widest processors: there are seldom more such places.
pub(crate) const ROW: usize = 8;

pub(crate) type Row = [f64; ROW];

/// Places as indices into the list and as columns.
#[derive(Default)]
pub(crate) struct Supports {
    pub index: Vec<u32>,
    pub places: Vec<Places>,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Places {
    /// Relative to the middle of the cell.
    pub x: Row,
    pub y: Row,
    /// The number of the place.
    pub rank: Row,
    pub weight: Row,
    pub bound: Row,
}

const VACANT: Places = Places {
    x: [f64::INFINITY; ROW],
    y: [f64::INFINITY; ROW],
    rank: [-1.0; ROW],
    weight: [0.0; ROW],
    bound: [0.0; ROW],
};

/// A place that can lie on a circle.
pub(crate) struct Place {
    pub x: f64,
    pub y: f64,
}

/// The discs that matter.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    /// None larger than this.
    pub reach: f64,
    /// None smaller than this.
    pub least: f64,
    /// None with fewer units than this.
    pub k: f64,
    /// What is inside all of them.
    pub inside: Inside,
}

impl Supports {
    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.index.len()
    }

    #[inline(always)]
    pub fn place(&self, i: u32) -> Place {
        let (places, lane) = (&self.places[i as usize / ROW], i as usize % ROW);
        Place {
            x: places.x[lane],
            y: places.y[lane],
        }
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.index.clear();
        self.places.clear();
    }

    /// Adds a place, given relative to the middle of the cell.
    #[inline(always)]
    fn push(&mut self, index: u32, x: f64, y: f64, bound: f64, weight: f64) {
        let lane = self.index.len() % ROW;
        if lane == 0 {
            self.places.push(VACANT);
        }
        if let Some(places) = self.places.last_mut() {
            places.x[lane] = x;
            places.y[lane] = y;
            places.rank[lane] = self.index.len() as f64;
            places.weight[lane] = weight;
            places.bound[lane] = bound;
        }
        self.index.push(index);
    }

    /// Takes the marked places of the list.
    #[inline(always)]
    pub fn collect(&mut self, list: &List, cell: &Cell) {
        self.clear();
        list.supports(|i, x, y, bound, weight| {
            self.push(i, x - cell.x, y - cell.y, bound, weight);
        });
    }

    /// Takes away the marks of collected places that are never on the circle of a disc round a
    /// centre in the cell, as its radius is the distance of the k-th unit: those to which k units
    /// are always nearer, and those with fewer than k up to their distance. The latter count as
    /// inside.
    ///
    /// Which of two places is nearer depends on the side of their bisector, and that is known for
    /// most pairs even if the cell is much larger than the distance between them: a far cluster is
    /// told apart from afar.
    #[inline(always)]
    pub fn sift<S: Simd>(
        &self,
        simd: S,
        list: &mut List,
        cell: &Cell,
        inside: &mut Inside,
        k: f64,
    ) {
        let given = inside.units;
        for (i, &index) in self.index.iter().enumerate() {
            let (sure, may) = self.nearer(simd, i, cell.half + MARGIN);
            let is_outside = given + sure >= k;
            let is_inside = given + may < k;
            if is_inside {
                let (places, lane) = (&self.places[i / ROW], i % ROW);
                inside.units += places.weight[lane];
                inside.bound = inside.bound.max(places.bound[lane]);
            }
            if is_inside || is_outside {
                list.unmark(index);
            }
        }
    }

    /// Whether a line parts the cell from all of them, and from `others`, given relative to the
    /// middle of the cell, by more than `room`.
    pub fn lie_aside(&self, cell: &Cell, room: f64, others: &[Point]) -> bool {
        let all = || {
            let places = (0..self.index.len() as u32).map(|i| self.place(i));
            places
                .map(|place| Point::new(place.x, place.y))
                .chain(others.iter().copied())
        };
        let Some(way) = middle_of(all()) else {
            return false;
        };
        let room = room + 4.0 * MARGIN;
        let room = (cell.half + room) * (way.x.abs() + way.y.abs());
        all().all(|place| place.x * way.x + place.y * way.y > room)
    }

    /// The units that are nearer than a place from everywhere in the cell, and those that are as
    /// near from somewhere.
    #[inline(always)]
    fn nearer<S: Simd>(&self, simd: S, i: usize, half: f64) -> (f64, f64) {
        let place = self.place(i as u32);
        let (x, y) = (simd.splat_f64s(place.x), simd.splat_f64s(place.y));
        let square = simd.splat_f64s(place.x * place.x + place.y * place.y);
        let (twice, margin) = (simd.splat_f64s(2.0 * half), simd.splat_f64s(8.0 * MARGIN));
        let zero = simd.splat_f64s(0.0);
        let (mut sure, mut may) = (zero, zero);
        for places in &self.places {
            let (qx, qy) = (of::<S>(&places.x), of::<S>(&places.y));
            let weight = of::<S>(&places.weight);
            for v in 0..qx.len() {
                let squares = dot(simd, qx[v], qx[v], qy[v], qy[v]);
                // From the middle of the cell, and how much it may change in the cell.
                let farther = simd.sub_f64s(square, squares);
                let dx = simd.abs_f64s(simd.sub_f64s(qx[v], x));
                let dy = simd.abs_f64s(simd.sub_f64s(qy[v], y));
                let room = simd.mul_f64s(twice, simd.add_f64s(dx, dy));
                let room = simd.add_f64s(room, margin);
                let always = simd.greater_than_f64s(farther, room);
                let never = simd.less_than_f64s(farther, simd.neg_f64s(room));
                sure = simd.add_f64s(sure, simd.select_f64s(always, weight[v], zero));
                may = simd.add_f64s(may, simd.select_f64s(never, zero, weight[v]));
            }
        }
        (simd.reduce_sum_f64s(sure), simd.reduce_sum_f64s(may))
    }
}

/// The direction in the middle of all places as seen from the origin, unless they are all round it.
fn middle_of(mut places: impl Iterator<Item = Point>) -> Option<Point> {
    let cross = |a: Point, b: Point| a.x * b.y - a.y * b.x;
    let first = places.next()?;
    let (mut left, mut right) = (first, first);
    for place in places {
        match (cross(right, place) >= 0.0, cross(left, place) > 0.0) {
            (true, true) => left = place,
            (false, false) => right = place,
            (true, false) => {}
            (false, true) => return None,
        }
    }
    let [left, right] = [left, right].map(|Point { x, y }| {
        let length = (x * x + y * y).sqrt();
        Point::new(x / length, y / length)
    });
    let (x, y) = (left.x + right.x, left.y + right.y);
    let length = (x * x + y * y).sqrt();
    Some(Point::new(x / length, y / length))
}

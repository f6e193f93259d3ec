//! Places one by one, δ = ∞: each has a search of its own, which knows the units round it but no
//! other place.
//!
//! Searched together, as locations without units, places would stand in each other's way: the wide
//! disc of a place in empty land has hundreds of others near its circle, none of which matters to
//! it. By itself a place costs a question for its k nearest units and some dozens of cells with the
//! units within twice the first bound. That comes from those k units, or from the discs of the places
//! before, which mostly are neighbours.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::blocks::Question;
use super::bounds::UpperBounds;
use super::cell::{Cell, MARGIN};
use super::circle::squared;
use super::enclosing::enclosing;
use super::exact::{Answers, Best, Exact};
use super::list::Entry;
use super::search::Search;
use super::square::{Frame, SAFE};
use crate::index::{Bounds, Nearest, Surroundings, Tree};
use crate::measure::MeasureError;
use crate::measure::job::Job;
use crate::{Disc, Point};

/// Places in a task.
const TASK: usize = 256;
/// Most steps by which a first disc shrinks.
const STEPS: usize = 4;
/// Discs of places before that are remembered.
const RECENT: usize = 4;
/// They are tried when they could be as good as the first disc, or nearly so.
const NEARLY: f64 = 1.05;

/// The units, and where they and the places are when put together.
pub(crate) struct Both<'a> {
    pub units: &'a Tree,
    pub merged: &'a Tree,
    /// The merged location of each location of the units.
    pub names: &'a [u32],
}

/// The discs of the merged locations that `job` wants: places without units.
pub(crate) fn solve(
    both: &Both<'_>,
    k: u64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let locations = both.merged.points().len();
    let bounds = UpperBounds::new(locations, |l| job.wants(l));
    let mut best = Best::new(locations);
    let answers = Answers::new(both.merged, &bounds, &mut best);
    let tasks: Vec<usize> = (0..locations).step_by(TASK).collect();
    tasks.par_iter().try_for_each(|&first| {
        let mut lone = Lone::new(both, k, &bounds, &answers);
        let task = first..locations.min(first + TASK);
        for location in task.clone().filter(|&l| job.wants(l)) {
            lone.solve(location);
        }
        job.advance(task.len())
    })?;
    Ok(best.discs)
}

struct Lone<'a, 'b> {
    both: &'a Both<'a>,
    k: u64,
    bounds: &'a UpperBounds,
    search: Search<'a, Exact<'a, 'b>>,
    answers: &'a Answers<'b>,
    nearest: Nearest,
    around: Surroundings,
    points: Vec<Point>,
    /// Squared distances, and units of `around`.
    near: Vec<(f64, u32)>,
    /// The discs of the places before, and what they hold: with a little more radius, one of them
    /// mostly holds the next as well.
    recent: VecDeque<(Disc, Vec<Point>)>,
}

impl<'a, 'b> Lone<'a, 'b> {
    fn new(both: &'a Both<'a>, k: u64, bounds: &'a UpperBounds, answers: &'a Answers<'b>) -> Self {
        let question = Question {
            k,
            delta: f64::INFINITY,
        };
        let circles = Exact::new(answers, k);
        Self {
            both,
            k,
            bounds,
            search: Search::new(both.merged, question, bounds, &[], circles),
            answers,
            nearest: Nearest::default(),
            around: Surroundings::default(),
            points: Vec::new(),
            near: Vec::new(),
            recent: VecDeque::with_capacity(RECENT),
        }
    }

    fn solve(&mut self, location: usize) {
        let at = self.both.merged.points()[location];
        let Some((rough, distance)) = self.bound(at) else {
            return;
        };
        let reach = 2.0 * rough.radius * SAFE;
        self.around.collect(self.both.units, &Bounds::at(at), reach);
        let bound = self.tighten(at, rough);
        self.bounds.lower(location, bound);
        let shrink = 1.0 / bound;
        let reach = 2.0 * bound * SAFE;
        let list = self.search.list();
        list.clear(bound);
        let place = Entry {
            x: 0.0,
            y: 0.0,
            bound: 1.0 + MARGIN,
            weight: 0.0,
            location: location as u32,
        };
        list.push(&place, true);
        let Surroundings { x, y, weight, .. } = &self.around;
        for (i, &unit) in self.around.location.iter().enumerate() {
            let (dx, dy) = (x[i] - at.x, y[i] - at.y);
            let unit = Entry {
                x: dx * shrink,
                y: dy * shrink,
                bound: MARGIN,
                weight: weight[i],
                location: self.both.names[unit as usize],
            };
            list.push(&unit, weight[i] > 0.0 && dx * dx + dy * dy <= reach * reach);
        }
        list.vacate();
        let frame = Frame {
            origin: at,
            scale: bound,
        };
        let cell = Cell {
            x: 0.0,
            y: 0.0,
            half: 1.0 + 4.0 * MARGIN,
            most: distance * shrink + MARGIN,
        };
        self.search.run_listed(frame, cell);
        self.remember(location);
    }

    fn remember(&mut self, location: usize) {
        let Some(disc) = self.answers.of(location) else {
            return;
        };
        let mut members = Vec::new();
        if self.recent.len() == RECENT
            && let Some(oldest) = self.recent.pop_back()
        {
            members = oldest.1;
            members.clear();
        }
        let reach = disc.radius * SAFE;
        let mut units = 0.0;
        for (i, &weight) in self.around.weight.iter().enumerate() {
            let p = Point::new(self.around.x[i], self.around.y[i]);
            if weight > 0.0 && squared(p, disc.center) <= reach * reach {
                members.push(p);
                units += weight;
            }
        }
        // The centre is rounded, and may have lost some of a small disc.
        if units >= self.k as f64 {
            self.recent.push_front((disc, members));
        }
    }

    /// A disc that holds the place and k units, and the distance of the k-th unit from the place.
    fn bound(&mut self, at: Point) -> Option<(Rough, f64)> {
        let tree = self.both.units;
        let near = self.nearest.find(tree, at, self.k, f64::INFINITY);
        let mut units = 0;
        let count = 1 + near.iter().position(|n| {
            units += tree.weights()[n.location as usize];
            units >= self.k
        })?;
        let distance = near[count - 1].squared.sqrt() * SAFE;
        let nearest = near[..count].iter().rev();
        let nearest = nearest.map(|n| tree.points()[n.location as usize]);
        let mut rough = Rough::round(at, nearest, &mut self.points);
        for (disc, members) in &self.recent {
            let apart = squared(disc.center, at).sqrt();
            if 0.5 * (apart + disc.radius) > NEARLY * rough.radius {
                continue;
            }
            let other = Rough::round(at, members.iter().copied(), &mut self.points);
            if other.radius < rough.radius {
                rough = other;
            }
        }
        Some((rough, distance))
    }

    /// Shrinks a disc as long as it holds more units than it needs: round the k nearest to its
    /// middle, and the place. Returns the radius.
    fn tighten(&mut self, at: Point, mut rough: Rough) -> f64 {
        for _ in 0..STEPS {
            let limit = rough.radius * rough.radius;
            self.near.clear();
            for (i, (&x, &y)) in self.around.x.iter().zip(&self.around.y).enumerate() {
                let squared = squared(Point::new(x - at.x, y - at.y), rough.center);
                if squared <= limit && self.around.weight[i] > 0.0 {
                    self.near.push((squared, i as u32));
                }
            }
            self.near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut units = 0.0;
            let enough = self.near.iter().position(|&(_, i)| {
                units += self.around.weight[i as usize];
                units >= self.k as f64
            });
            let Some(enough) = enough.filter(|&last| last + 1 < self.near.len()) else {
                break;
            };
            let nearest = self.near[..=enough].iter().rev();
            let nearest = nearest
                .map(|&(_, i)| Point::new(self.around.x[i as usize], self.around.y[i as usize]));
            let smaller = Rough::round(at, nearest, &mut self.points);
            if smaller.radius >= rough.radius {
                break;
            }
            rough = smaller;
        }
        rough.radius
    }
}

/// A disc, no smaller than the smallest round a place and others.
#[derive(Clone, Copy)]
struct Rough {
    /// As seen from the place.
    center: Point,
    radius: f64,
}

impl Rough {
    fn round(at: Point, others: impl Iterator<Item = Point>, points: &mut Vec<Point>) -> Self {
        points.clear();
        points.extend(others.map(|p| Point::new(p.x - at.x, p.y - at.y)));
        points.push(Point::default());
        let (center, farthest) = enclosing(points);
        Self {
            center,
            radius: farthest * SAFE,
        }
    }
}

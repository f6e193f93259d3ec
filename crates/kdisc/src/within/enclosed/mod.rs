//! Discs that lie inside a region: for a location s, the smallest disc that holds s and at least k
//! units of its group, and lies in one part of the region's polygon.
//!
//! A part is closed: a disc that touches its border, the rings of holes included, lies inside. In
//! numbers: no edge is nearer to the centre than r(1 − 10⁻¹²).
//!
//! **δ = 0.** The disc is the one of the plain measure, centred on s, if it lies inside.
//!
//! **δ = ∞.** A smallest enclosed disc has at least two locations (units or s) on its circle: with
//! one only, move the centre straight towards it. The distance to it falls by the length of the
//! step, and the distance to the border by no more, so that the disc that it needs shrinks, and
//! still lies inside. With two, move the centre along their bisector towards the middle between
//! them, which shrinks the circle, until that is reached (the two are a diameter), or a third
//! location would be left out or let in, or the border is in the way. So these circles suffice:
//! those with two locations as diameter, those through three, and those through two that touch an
//! edge or pass through a corner. Where the disc of the plain measure lies inside, it is the
//! answer: nothing is smaller. Elsewhere [`search`] looks for the circles, first among discs up to
//! twice the size of the plain one, then twice that, and so on, up to the largest that could fit
//! in the box round the part.
//!
//! Circles that touch an edge have irrational centres, so doubles decide, relative to s: radii
//! are good to 10⁻⁹ relative (10⁻¹² but for very thin triangles), radii within 10⁻¹² tie, and a
//! location counts as inside up to 10⁻¹² of the radius. Each location is solved by itself, so the
//! answer depends on nothing but the group, its region and the location.
//!
//! Cost: O(log n + log e) for a location whose plain disc lies inside, with n units and e edges;
//! else the units and edges within four answers' reach, times the logarithm of what they must be
//! told apart by. A location without any disc takes all units and edges of its part.

mod border;
mod choice;
mod circles;
mod frame;
mod search;

use rayon::prelude::*;

use self::border::{Border, Edge, Standing};
use self::choice::{Choice, TIED};
use self::circles::Spot;
use self::frame::{Frame, Side, length};
use self::search::Search;
use crate::index::{Bounds, Surroundings, Tree};
use crate::measure::Job;
use crate::region::Region;
use crate::{Anonymity, Delta, Disc, MeasureError, Point};

/// Locations in a task: few, as some take long.
const TASK: usize = 64;

/// Replaces the discs of the plain measure by enclosed ones.
pub(super) fn refine(
    tree: &Tree,
    region: &Region,
    anonymity: Anonymity,
    discs: &mut [Option<Disc>],
    job: &Job<'_>,
) -> Result<(), MeasureError> {
    if discs.iter().all(Option::is_none) {
        return job.advance(discs.len());
    }
    let borders: Vec<Border> = region.parts().iter().map(Border::new).collect();
    let solver = Solver {
        tree,
        borders: &borders,
        k: anonymity.k(),
    };
    let tasks = discs.par_chunks_mut(TASK).enumerate();
    tasks.try_for_each(|(task, discs)| {
        for (location, disc) in (task * TASK..).zip(discs.iter_mut()) {
            let at = tree.points()[location];
            *disc = disc.and_then(|plain| {
                if plain.radius == 0.0 {
                    solver.parts(at).next().map(|_| plain)
                } else if anonymity.delta() == Delta::ZERO {
                    solver.centred(at, plain.radius).then_some(plain)
                } else if solver.clearly_fits(&plain) {
                    Some(plain)
                } else {
                    solver.search(at, plain.radius)
                }
            });
        }
        job.advance(discs.len())
    })
}

struct Solver<'a> {
    tree: &'a Tree,
    borders: &'a [Border],
    k: u64,
}

impl Solver<'_> {
    /// The parts that hold a place, and whether it is off their border.
    fn parts(&self, place: Point) -> impl Iterator<Item = (&Border, bool)> {
        let candidates = self.borders.iter().filter(move |b| b.bounds().hold(place));
        candidates.filter_map(move |border| match border.standing(place) {
            Standing::Outside => None,
            standing => Some((border, standing == Standing::Inside)),
        })
    }

    /// Whether the disc round a location lies inside.
    fn centred(&self, at: Point, radius: f64) -> bool {
        let frame = Frame::new(at, radius);
        let clear = frame.length(radius) * (1.0 - TIED);
        let mut parts = self.parts(at).filter(|(_, interior)| *interior);
        parts.any(|(border, _)| {
            let near = border.near(at, radius);
            let mut sides = near.into_iter().map(|edge| Side::new(&frame, edge));
            sides.all(|side| side.distance(Point::default()) >= clear)
        })
    }

    /// Whether a disc lies inside beyond the doubt that its rounded centre leaves.
    fn clearly_fits(&self, disc: &Disc) -> bool {
        let doubt = 1e-15 * (disc.center.x.abs() + disc.center.y.abs());
        self.borders.iter().any(|border| {
            border.bounds().hold(disc.center)
                && border.distance(disc.center)
                    > disc.radius * (1.0 + TIED) + doubt + border.slack()
                && border.holds(disc.center)
        })
    }

    /// The smallest enclosed disc of a location; none is smaller than `least`.
    fn search(&self, at: Point, least: f64) -> Option<Disc> {
        let parts: Vec<(&Border, bool)> = self.parts(at).collect();
        let widths = parts.iter().map(|(border, _)| {
            let Bounds { low, high } = border.bounds();
            (high.x - low.x).min(high.y - low.y)
        });
        let largest = widths.fold(0.0, f64::max) / 2.0 * (1.0 + TIED);
        let mut limit = least;
        while limit < largest {
            limit = (2.0 * limit).min(largest);
            let frame = Frame::new(at, limit);
            let mut choice = Choice::default();
            for &(border, interior) in &parts {
                self.task(&frame, at, border, interior, [least, limit])
                    .run(&mut choice);
            }
            if !choice.is_empty() {
                return choice.disc(&frame);
            }
        }
        None
    }

    /// The search for discs of these sizes.
    fn task<'a>(
        &self,
        frame: &Frame,
        at: Point,
        border: &'a Border,
        interior: bool,
        [least, limit]: [f64; 2],
    ) -> Search<'a> {
        let reach = 2.0 * limit;
        let mut found = Surroundings::default();
        found.collect(self.tree, &Bounds::at(at), reach);
        let spots = found.location.iter().filter_map(|&location| {
            let place = self.tree.points()[location as usize];
            let units = self.tree.weights()[location as usize];
            let local = frame.local(place);
            let of_use =
                (units > 0 || place == at) && length(local) <= frame.length(reach) * (1.0 + TIED);
            of_use.then_some(Spot {
                place,
                local,
                units,
            })
        });
        // Farther along an edge than any disc reaches.
        let window = 4.0 * frame.length(reach);
        let edges = border.near(at, reach).into_iter().map(|edge: Edge| {
            let ends = edge.map(|end| frame.local(end));
            let short = ends.iter().all(|&end| length(end) <= window);
            if short {
                (edge, ends)
            } else {
                (edge, Side::new(frame, edge).clipped(window))
            }
        });
        Search {
            frame: *frame,
            border,
            interior,
            k: self.k,
            least: frame.length(least) * (1.0 - TIED),
            limit: frame.length(limit),
            slack: 1e-15 * window,
            edges: edges.collect(),
            spots: spots.collect(),
        }
    }
}

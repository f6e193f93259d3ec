//! Discs whose centre may lie beside the location: δ > 0, straight-line distance.

mod blocks;
mod bounded;
mod bounds;
mod cell;
mod circle;
mod content;
mod enclosing;
mod exact;
mod grid;
mod kth;
mod lanes;
mod list;
pub(crate) mod lone;
mod pencil;
mod quick;
mod search;
mod shards;
mod square;
mod start;
mod supports;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::Disc;
use crate::index::{Together, Tree};
use blocks::{Block, Question};
use bounded::{Bounded, Offers};
use bounds::UpperBounds;
pub(crate) use circle::SLACK;
use exact::{Answers, Best, Exact};
use search::{Circles, Search};
use square::{SAFE, Square};
use start::Start;

/// Passes over the locations that [`cluster`] makes.
pub(crate) const CLUSTER_PASSES: usize = 2;
/// Passes over the locations that [`within`] makes.
pub(crate) const BOUNDED_PASSES: usize = 2 * CLUSTER_PASSES;
/// Most locations in a task: enough to be worth one, few enough for smooth progress.
const TASK: usize = 2048;

/// Cluster-oriented (δ = ∞): the disc only has to hold the location.
pub(crate) fn cluster(
    tree: &Tree,
    k: u64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let bounds = UpperBounds::new(tree.points().len(), |l| job.wants(l));
    Ok(clusters(tree, k, &bounds, job)?.discs)
}

fn clusters(
    tree: &Tree,
    k: u64,
    bounds: &UpperBounds,
    job: &Job<'_>,
) -> Result<Best, MeasureError> {
    let mut best = Best::new(tree.points().len());
    let answers = Answers::new(tree, bounds, &mut best);
    for (location, &weight) in tree.weights().iter().enumerate() {
        if weight >= k && bounds.of(location) > 0.0 {
            answers.alone(location);
        }
    }
    let question = Question {
        k,
        delta: f64::INFINITY,
    };
    bounds.lower_by_boxes(tree, k);
    let tasks = start(tree, question, bounds, job, tasks_of(tree))?;
    search(tree, question, bounds, job, tasks, || {
        Exact::new(&answers, k)
    })?;
    // Whoever lost a disc should hear of it, rather than of a unit without one.
    let is_found = |l: usize| bounds.of(l) == 0.0 || best.discs[l].is_some();
    assert!(
        (0..tree.points().len()).all(is_found),
        "every location has a disc, as there are k units"
    );
    Ok(best)
}

/// 0 < δ < ∞: the centre is at most δ from the location. Where the disc at δ = ∞ is no larger
/// than δ, it is the answer.
pub(crate) fn within(
    tree: &Tree,
    k: u64,
    delta: f64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let locations = tree.points().len();
    let near = UpperBounds::new(locations, |l| job.wants(l));
    stay(tree, k, &near, job)?;
    // The radius at δ = ∞ is at least half of that at δ = 0.
    let surely = |l: usize| near.of(l) > 2.0 * delta * SAFE * SAFE;
    let is_unsure = |l: usize| job.wants(l) && !job.beyond && !surely(l);
    let (beyond, mut discs) = if (0..locations).any(is_unsure) {
        let unsure = UpperBounds::new(locations, is_unsure);
        let best = clusters(tree, k, &unsure, job)?;
        (best.beyond(tree, delta), best.discs)
    } else {
        job.advance(CLUSTER_PASSES * locations)?;
        (vec![false; locations], vec![None; locations])
    };
    let is_open = |l: usize| beyond[l] || (job.wants(l) && discs[l].is_none());
    let bounds = UpperBounds::new(locations, is_open);
    for location in 0..locations {
        bounds.lower(location, near.of(location));
    }
    drop(near);
    let question = Question { k, delta };
    let offers = Offers::new(tree, &bounds);
    search(tree, question, &bounds, job, tasks_of(tree), || {
        Bounded::new(&offers, k, delta)
    })?;
    offers.choose(&mut discs);
    Ok(discs)
}

/// First upper bounds, δ < ∞: discs centred on the locations.
fn stay(tree: &Tree, k: u64, bounds: &UpperBounds, job: &Job<'_>) -> Result<(), MeasureError> {
    tree.tasks().into_par_iter().try_for_each(|node| {
        let wants = |location| bounds.of(location) > 0.0;
        Together::default().tell(tree, node, k, wants, |location, kth| {
            bounds.lower(location, kth.squared.sqrt() * SAFE);
        });
        job.advance(tree.run(node).len())
    })
}

/// Blocks in which centres are looked for, and how many locations lie there.
struct Task {
    blocks: Vec<Block>,
    size: usize,
}

/// First upper bounds, δ = ∞. Returns the tasks with their blocks, as they were divided.
fn start(
    tree: &Tree,
    question: Question,
    bounds: &UpperBounds,
    job: &Job<'_>,
    tasks: Vec<Task>,
) -> Result<Vec<Task>, MeasureError> {
    let maxima = bounds.maxima(tree);
    let start = |Task { blocks, size }| {
        let blocks = Start::new(tree, question, bounds, &maxima).run(blocks);
        job.advance(size).map(|()| Task { blocks, size })
    };
    tasks.into_par_iter().map(start).collect()
}

/// Looks at all discs that are of use.
fn search<C: Circles>(
    tree: &Tree,
    question: Question,
    bounds: &UpperBounds,
    job: &Job<'_>,
    tasks: Vec<Task>,
    circles: impl Fn() -> C + Sync,
) -> Result<(), MeasureError> {
    let maxima = bounds.maxima(tree);
    tasks.into_par_iter().try_for_each(|Task { blocks, size }| {
        Search::new(tree, question, bounds, &maxima, circles()).run(blocks);
        job.advance(size)
    })
}

/// Squares that cover all centres.
fn tasks_of(tree: &Tree) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut stack = vec![Square::around(tree.bounds(1))];
    while let Some(square) = stack.pop() {
        let size = tree.count(&square.bounds());
        if size > TASK && !square.is_atom() {
            stack.extend(square.quarters());
        } else {
            let blocks = vec![square.into()];
            tasks.push(Task { blocks, size });
        }
    }
    tasks
}

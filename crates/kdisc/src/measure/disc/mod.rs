//! Discs whose centre may lie beside the location: δ > 0, straight-line distance.

mod blocks;
mod bounded;
mod bounds;
mod circle;
mod content;
mod descent;
mod enclosing;
mod exact;
mod grid;
mod list;
mod pencil;
mod search;
mod square;
mod start;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::Disc;
use crate::index::Tree;
use bounded::{Bounded, Offers};
use bounds::UpperBounds;
use descent::Descent;
use exact::{Answers, Exact};
use blocks::Question;
use search::{Circles, Search};
use square::Square;

/// Passes over the locations that [`cluster`] makes.
pub(crate) const CLUSTER_PASSES: usize = 2;
/// Passes over the locations that [`within`] makes.
pub(crate) const BOUNDED_PASSES: usize = 2 * CLUSTER_PASSES;
/// Enough locations for a task, few enough for smooth progress.
const TASK: usize = 512;

/// Cluster-oriented (δ = ∞): the disc only has to hold the location.
pub(crate) fn cluster(
    tree: &Tree,
    k: u64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let bounds = UpperBounds::new(tree.points().len(), |l| job.wants(l));
    Ok(clusters(tree, k, &bounds, job)?.into_discs())
}

fn clusters<'a>(
    tree: &'a Tree,
    k: u64,
    bounds: &'a UpperBounds,
    job: &Job<'_>,
) -> Result<Answers<'a>, MeasureError> {
    let answers = Answers::new(tree, bounds);
    if tree.units() < k {
        return Ok(answers);
    }
    for location in 0..tree.points().len() {
        if bounds.of(location) > 0.0 && tree.weights()[location] >= k {
            answers.alone(location);
        }
    }
    let question = Question {
        k,
        delta: f64::INFINITY,
    };
    let locations = tree.points().len();
    let maxima = bounds.maxima(tree);
    let t=std::time::Instant::now();
    let tasks = tasks_of(tree).into_par_iter();
    tasks.try_for_each(|(square, size)| {
        start::Start::new(tree, question, bounds, &maxima).run(square);
        job.advance(size)
    })?;
    eprintln!("start {:.3} mean {}",t.elapsed().as_secs_f64()/locations as f64*1e6, (0..locations).map(|l|bounds.of(l)).sum::<f64>());
    if std::env::var("SPREAD").is_ok() {
    (0..locations)
        .into_par_iter()
        .step_by(TASK)
        .for_each(|first| bounds.spread(tree, first..locations.min(first + TASK)));
    eprintln!("spread {:.3} mean {}",t.elapsed().as_secs_f64()/locations as f64*1e6, (0..locations).map(|l|bounds.of(l)).sum::<f64>());
    }
    let t=std::time::Instant::now();
    search(tree, question, bounds, job, || Exact::new(&answers, k))?;
    eprintln!("search {:.3}",t.elapsed().as_secs_f64()/locations as f64*1e6);
    for _ in 0..std::env::var("TWICE").map_or(0,|v|v.parse().unwrap()) {
        let answers = Answers::new(tree, bounds);
        for c in &crate::CNT { c.store(0,std::sync::atomic::Ordering::Relaxed); }
        let t=std::time::Instant::now();
        search(tree, question, bounds, job, || Exact::new(&answers, k))?;
        eprintln!("again {:.3}",t.elapsed().as_secs_f64()/locations as f64*1e6);
    }
    Ok(answers)
}

/// 0 < δ < ∞: the centre is at most δ from the location. Where the disc at δ = ∞ is no larger
/// than δ, it is the answer.
pub(crate) fn within(
    tree: &Tree,
    k: u64,
    delta: f64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let bounds = UpperBounds::new(tree.points().len(), |l| job.wants(l));
    let answers = clusters(tree, k, &bounds, job)?;
    let beyond = answers.beyond(delta);
    let mut discs = answers.into_discs();
    let bounds = UpperBounds::new(tree.points().len(), |l| beyond[l]);
    bound(tree, k, &bounds, job, |descent, location| {
        descent.stay(location, &bounds);
    })?;
    let offers = Offers::new(tree, &bounds);
    let question = Question { k, delta };
    search(tree, question, &bounds, job, || {
        Bounded::new(&offers, k, delta)
    })?;
    offers.choose(&mut discs);
    Ok(discs)
}

/// First upper bounds for all locations that are asked for.
fn bound(
    tree: &Tree,
    k: u64,
    bounds: &UpperBounds,
    job: &Job<'_>,
    start: impl Fn(&mut Descent<'_>, usize) + Sync,
) -> Result<(), MeasureError> {
    let locations = tree.points().len();
    let tasks: Vec<usize> = (0..locations).step_by(TASK).collect();
    tasks.par_iter().try_for_each(|&first| {
        let mut descent = Descent::new(tree, k);
        let task = first..locations.min(first + TASK);
        for location in task.clone() {
            if bounds.of(location) > 0.0 {
                start(&mut descent, location);
            }
        }
        job.advance(task.len())
    })
}

/// Looks at all discs that are of use.
fn search<C: Circles>(
    tree: &Tree,
    question: Question,
    bounds: &UpperBounds,
    job: &Job<'_>,
    circles: impl Fn() -> C + Sync,
) -> Result<(), MeasureError> {
    let maxima = bounds.maxima(tree);
    let tasks = tasks_of(tree).into_par_iter();
    tasks.try_for_each(|(square, size)| {
        Search::new(tree, question, bounds, &maxima, circles()).run(square);
        job.advance(size)
    })
}

/// Squares that cover all centres, each with a few hundred locations at most, and their number.
fn tasks_of(tree: &Tree) -> Vec<(Square, usize)> {
    let mut tasks = Vec::new();
    let mut stack = vec![Square::around(tree.bounds(1))];
    while let Some(square) = stack.pop() {
        let size = tree.count(&square.bounds());
        if size > 4 * TASK && !square.is_atom() {
            stack.extend(square.quarters());
        } else {
            tasks.push((square, size));
        }
    }
    tasks
}

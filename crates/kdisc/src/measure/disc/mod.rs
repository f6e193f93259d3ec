//! Discs whose centre may lie beside the location: δ > 0, straight-line distance.

mod bounds;
mod circle;
mod descent;
mod enclosing;
mod exact;
mod list;
mod pencil;
mod search;
mod square;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::Disc;
use crate::index::Tree;
use bounds::UpperBounds;
use descent::Descent;
use exact::{Answers, Exact};
use search::{Question, Search};
use square::Square;

/// Passes over the locations that [`cluster`] makes.
pub(crate) const CLUSTER_PASSES: usize = 2;
/// Enough locations for a task, few enough for smooth progress.
const TASK: usize = 512;

/// Cluster-oriented (δ = ∞): the disc only has to hold the location.
pub(crate) fn cluster(
    tree: &Tree,
    k: u64,
    job: &Job<'_>,
) -> Result<Vec<Option<Disc>>, MeasureError> {
    let locations = tree.points().len();
    if tree.units() < k {
        return Ok(vec![None; locations]);
    }
    let bounds = UpperBounds::new(locations, |l| job.wants(l));
    let answers = Answers::new(tree, &bounds);
    let tasks: Vec<usize> = (0..locations).step_by(TASK).collect();
    tasks.par_iter().try_for_each(|&start| {
        let mut descent = Descent::new(tree, k);
        let task = start..locations.min(start + TASK);
        for location in task.clone().filter(|&l| job.wants(l)) {
            if tree.weights()[location] >= k {
                answers.alone(location);
            } else {
                descent.slide(location, &bounds);
            }
        }
        job.advance(task.len())
    })?;
    let question = Question {
        k,
        delta: f64::INFINITY,
    };
    tasks
        .par_iter()
        .for_each(|&start| bounds.spread(tree, start..locations.min(start + TASK)));
    let maxima = bounds.maxima(tree);
    tasks_of(tree)
        .into_par_iter()
        .try_for_each(|(square, size)| {
            Search::new(tree, question, &bounds, &maxima, Exact::new(&answers, k)).run(square);
            job.advance(size)
        })?;
    Ok(answers.into_discs())
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

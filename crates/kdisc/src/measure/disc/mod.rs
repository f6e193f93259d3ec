//! Discs whose centre may lie beside the location.

mod answers;
mod candidates;
mod descent;
mod enclosing;
mod list;
mod search;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::Disc;
use crate::index::Tree;
use answers::{Answers, Found};
use descent::Descent;
use search::{Search, Square};

pub(crate) fn solve(tree: &Tree, k: u64, job: &Job<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
    let locations = tree.points().len();
    if tree.units() < k {
        return Ok(vec![None; locations]);
    }
    let answers = Answers::new(tree);
    let t0 = cpu();
    for l in 0..locations {
        if job.wants(l) {
            answers.set_bound(l, f64::INFINITY);
        }
    }
    let tasks: Vec<usize> = (0..locations).step_by(512).collect();
    tasks.par_iter().try_for_each(|&start| {
        let mut descent = Descent::new(tree, k);
        let end = (start + 512).min(locations);
        for location in start..end {
            if !job.wants(location) {
                continue;
            }
            if tree.weights()[location] >= k {
                let disc = Disc { center: tree.points()[location], radius: 0.0, units: tree.weights()[location] };
                answers.offer(&Found { disc, support: [location as u32; 3] }, std::iter::once(location as u32));
            } else {
                descent.start(location, &answers);
            }
        }
        job.advance(end - start)
    })?;
    let sumu: f64 = (0..locations).map(|l| answers.bound(l)).sum();
    let t1 = cpu();
    let mut reach = vec![0.0f64; 2 * tree.leaves()];
    for node in (1..reach.len()).rev() {
        reach[node] = if tree.is_leaf(node) {
            tree.run(node).map(|l| answers.bound(l)).fold(0.0, f64::max)
        } else {
            reach[2 * node].max(reach[2 * node + 1])
        };
    }
    let mut search = Search::new(tree, k, f64::INFINITY, &answers, &reach);
    run(&mut search, Square::around(tree.bounds(1)));
    let st = search.stats;
    let t2 = cpu();
    let n = locations as f64;
    eprintln!("bounds {:.3}us cells {:.3}us | loose {sumu:.0} wide {:.3} blocks {:.3} list {:.1} narrow {:.3} alive {:.3} enum {:.3} supports {:.2} checks {:.3} pre {:.3} passed {:.3} exact {:.3} offered {:.3}", (t1-t0)/n*1e6, (t2-t1)/n*1e6, st[0] as f64 / n, st[1] as f64 / n, st[2] as f64 / st[1] as f64, st[3] as f64 / n, st[4] as f64 / n, st[5] as f64 / n, st[6] as f64 / st[5] as f64, st[7] as f64 / n, st[11] as f64/n, st[8] as f64 / n, st[9] as f64 / n, st[10] as f64 / n);
    Ok(answers.into_discs())
}

fn run(search: &mut Search<'_>, square: Square) {
    struct Task<'a, 'b>(&'a mut Search<'b>, Square);
    impl pulp::WithSimd for Task<'_, '_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: pulp::Simd>(self, simd: S) {
            self.0.run(simd, self.1);
        }
    }
    pulp::Arch::new().dispatch(Task(search, square));
}

fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9 * if rayon::current_num_threads() == 1 { 1.0 } else { 1.0 }
}

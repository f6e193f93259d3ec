//! Cluster-oriented (δ = ∞): the disc only has to hold the location.

mod answers;
mod cells;
mod descent;
mod enclosing;
mod pivot;
mod sectors;

use rayon::prelude::*;

use super::MeasureError;
use super::job::Job;
use crate::index::Tree;
use crate::Disc;
use answers::{Answers, Found};
use descent::Descent;
use pivot::{Around, Pivot};

pub(crate) fn solve(tree: &Tree, k: u64, job: &Job<'_>) -> Result<Vec<Option<Disc>>, MeasureError> {
    let locations = tree.points().len();
    if tree.units() < k {
        return Ok(vec![None; locations]);
    }
    let answers = Answers::new(tree);
    let t0 = std::time::Instant::now();
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
    eprintln!("bounds {:.3}s sum {sumu}", t0.elapsed().as_secs_f64());
    let mut reach = vec![0.0f64; 2 * tree.leaves()];
    for node in (1..reach.len()).rev() {
        reach[node] = if tree.is_leaf(node) {
            tree.run(node).map(|l| answers.bound(l)).fold(0.0, f64::max)
        } else {
            reach[2 * node].max(reach[2 * node + 1])
        };
    }
    if std::env::var("PROBE").is_ok() {
        let mut ratios = vec![];
        for l in (0..locations).step_by(7) {
            let p = tree.points()[l];
            let here = crate::index::Bounds { low: p, high: p };
            let mut radius = 0.0f64;
            let mut stack = vec![1usize];
            while let Some(node) = stack.pop() {
                if reach[node] <= radius || tree.bounds(node).squared_gap(&here) > 4.0 * reach[node] * reach[node] { continue; }
                if tree.is_leaf(node) { for m in tree.run(node) { let q = tree.points()[m]; let u = answers.bound(m); if (q.x-p.x).hypot(q.y-p.y) <= 2.0*u { radius = radius.max(u); } } } else { stack.push(2 * node); stack.push(2 * node + 1); }
            }
            ratios.push(radius / answers.bound(l));
        }
        ratios.sort_by(f64::total_cmp);
        for q in [5, 10, 25, 50, 60,70,75, 80, 90, 95, 99] { eprint!("{q}%: {:.2}  ", ratios[ratios.len() * q / 100]); }
        eprintln!();
        return Ok(vec![None; locations]);
    }
    let b = *tree.bounds(1);
    let half = ((b.high.x - b.low.x).max(b.high.y - b.low.y) / 2.0).max(1e-140) * (1.0 + 1e-9);
    let mut search = cells::Search::new(tree, k, &answers, &reach);
    search.run((b.low.x + b.high.x) / 2.0, (b.low.y + b.high.y) / 2.0, half);
    let st = search.stats;
    eprintln!("cells {:.3}s wide {:.3} blocks {:.3} list {:.1} narrow {:.3} alive {:.3} enum {:.3} supports {:.2} checks {:.3} pre {:.3} passed {:.3} exact {:.3} offered {:.3}", t0.elapsed().as_secs_f64(), st[0] as f64 / locations as f64, st[1] as f64 / locations as f64, st[2] as f64 / st[1] as f64, st[3] as f64 / locations as f64, st[4] as f64 / locations as f64, st[5] as f64 / locations as f64, st[6] as f64 / st[5] as f64, st[7] as f64 / locations as f64, st[11] as f64/locations as f64, st[8] as f64 / locations as f64, st[9] as f64 / locations as f64, st[10] as f64 / locations as f64);
    let sumu: f64 = (0..locations).map(|l| answers.bound(l)).sum();
    eprintln!("sum {sumu}");
    let stats = std::sync::Mutex::new(([0u64; 8], 0u64, 0u64, 0u64));
    (tree.leaves()..2 * tree.leaves()).into_par_iter().try_for_each_init(
        || (Pivot::default(), Around::default()),
        |(pivot, around), leaf| {
            #[allow(unsafe_code)]
            unsafe { run_leaf(tree, k, &answers, &reach, pivot, around, leaf, &stats) };
            job.advance(tree.run(leaf).len())
        },
    )?;
    let (s, a, b, c) = stats.into_inner().unwrap();
    let n = s[0] as f64;
    eprintln!("all {:.3}s pivots {} checked {:.3} open {:.3} cand {:.2} pairs {:.2} scanned {:.2} emit {:.3} offered {:.3}; gather {:.1} solo {:.3} slow {:.3}", t0.elapsed().as_secs_f64(), s[0], s[1] as f64 / n, s[2] as f64 / n, s[3] as f64 / n, s[4] as f64 / n, s[5] as f64 / n, s[6] as f64 / n, s[7] as f64 / n, a as f64 / n, b as f64/n, c as f64/n);
    let bs: Vec<f64> = (0..locations).map(|l| answers.bound(l)).collect();
    let d = answers.into_discs();
    for l in 0..locations { if d[l].is_none_or(|d| d.radius > bs[l]) { eprintln!("LOST {l} {:?} {} {:?}", tree.points()[l], bs[l], d[l]); } }
    Ok(d)
}

const SPREAD: f64 = 1.0;

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2"))]
fn run_leaf(tree: &Tree, k: u64, answers: &Answers<'_>, reach: &[f64], pivot: &mut Pivot, around: &mut Around, leaf: usize, stats: &std::sync::Mutex<([u64; 8], u64, u64, u64)>) {
    let (mut a, mut b, mut c) = (0, 0, 0);
    // farthest reach
    let mut farthest = 0.0f64;
    let mut stack = vec![1usize];
    while let Some(node) = stack.pop() {
        if reach[node] <= farthest || tree.bounds(node).squared_gap(tree.bounds(leaf)) > 4.0 * reach[node] * reach[node] * (1.0 + 1e-9) { continue; }
        if tree.is_leaf(node) { farthest = reach[node]; } else { stack.push(2 * node); stack.push(2 * node + 1); }
    }
    if farthest == 0.0 { return; }
    let run = tree.run(leaf);
    let mut scales: Vec<f64> = run.clone().map(|l| answers.bound(l)).collect();
    scales.sort_by(f64::total_cmp);
    let common = scales[scales.len() * 3 / 4] * SPREAD;
    around.collect(tree, answers, tree.bounds(leaf), 2.0 * common.min(farthest));
    pivot.stats = [0; 8];
    for location in run.clone() {
        if tree.weights()[location] >= k { continue; }
        let scale = answers.bound(location) * SPREAD;
        if scale > common { continue; }
        a += around.places.x.len() as u64;
        let open = pivot.run(tree, k, answers, around, location, scale, farthest);
        if open != 0 { c += 1; }
    }
    for location in run {
        if tree.weights()[location] >= k { continue; }
        let scale = answers.bound(location) * SPREAD;
        if scale <= common { continue; }
        b += 1;
        let p = tree.points()[location];
        around.collect(tree, answers, &crate::index::Bounds { low: p, high: p }, 2.0 * scale);
        a += around.places.x.len() as u64;
        let open = pivot.run(tree, k, answers, around, location, scale, farthest);
        if open != 0 { c += 1; }
    }
    let mut s = stats.lock().unwrap();
    for i in 0..8 { s.0[i] += pivot.stats[i]; }
    s.1 += a; s.2 += b; s.3 += c;
}

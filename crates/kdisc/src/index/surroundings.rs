//! All locations within reach of a box, side by side in memory.

use super::{Bounds, Tree};

/// Locations as columns, so that loops over them use the full width of the processor.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub location: Vec<u32>,
    pub weight: Vec<f64>,
    stack: Vec<u32>,
}

impl Surroundings {
    /// Collects the locations within `reach` of `region`, and some beyond.
    pub fn collect(&mut self, tree: &Tree, region: &Bounds, reach: f64) {
        self.x.clear();
        self.y.clear();
        self.location.clear();
        self.weight.clear();
        let limit = reach * reach * (1.0 + 1e-9);
        self.stack.push(1);
        while let Some(node) = self.stack.pop() {
            let node = node as usize;
            if tree.bounds(node).squared_gap(region) > limit {
                continue;
            }
            if tree.is_leaf(node) {
                let run = tree.run(node);
                self.location.extend(run.clone().map(|l| l as u32));
                self.x
                    .extend(tree.points()[run.clone()].iter().map(|p| p.x));
                self.y
                    .extend(tree.points()[run.clone()].iter().map(|p| p.y));
                self.weight
                    .extend(tree.weights()[run].iter().map(|&w| w as f64));
            } else {
                self.stack.push(2 * node as u32 + 1);
                self.stack.push(2 * node as u32);
            }
        }
    }
}

//! What a restriction to regions changes: the same question, asked with and without it.

use kdisc::Disc;
use kdisc::statistics::{Figures, figures, sorted};

use super::regional::Regional;

/// Counts of units, or of places where these are measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// All that were measured.
    pub compared: u64,
    /// Those with another disc, or none any more.
    pub changed: u64,
    /// Those that have none any more.
    pub lost: u64,
    /// New radius / old radius of those with another disc, where the old one is not 0.
    pub ratio: Option<Figures>,
}

impl Change {
    pub fn new(regional: &Regional, discs: &[Option<Disc>], plain: &[Option<Disc>]) -> Self {
        let weights = regional.weights();
        let mut change = Self {
            compared: 0,
            changed: 0,
            lost: 0,
            ratio: None,
        };
        let mut ratios = Vec::new();
        for (i, (new, old)) in discs.iter().zip(regional.plain(plain)).enumerate() {
            let weight = weights.map_or(1, |weights| weights[i]);
            change.compared += weight;
            match (old, new) {
                (Some(_), None) => {
                    change.changed += weight;
                    change.lost += weight;
                }
                (Some(old), Some(new)) if old != *new => {
                    change.changed += weight;
                    if old.radius > 0.0 {
                        ratios.push((new.radius / old.radius, weight));
                    }
                }
                _ => {}
            }
        }
        change.ratio = figures(&sorted(ratios), |weight| weight);
        change
    }
}

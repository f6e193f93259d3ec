//! How many units are unsafe at every k.
//!
//! A larger disc is not always a safer one: it may take in a giant. So each k is measured by itself,
//! and the first k from which all are safe is read off at the end.

use super::plan::Plan;
use super::prepare::Prepared;
use super::{assess, measure};
use crate::interrupt::Interrupt;

/// Where all k take no longer than people wait.
const MOST_LOCATIONS: usize = 20_000;

/// Unsafe units by k.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// Each k from 2, and how many units are unsafe.
    pub points: Vec<(u64, u64)>,
}

impl Curve {
    /// Tries every k; `None` where that would take long and nobody asked for it.
    pub fn new(
        plan: &Plan,
        prepared: &Prepared,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Option<Self>> {
        let locations = prepared.base.population.locations().len();
        if locations > MOST_LOCATIONS && !plan.every_k {
            return Ok(None);
        }
        let weights = prepared.base.weights().unwrap_or_default();
        let mut points = Vec::new();
        for k in 2..=plan.max_k {
            let asked = kdisc::Anonymity::new(k)?
                .with_delta(plan.anonymity.delta())
                .with_metric(plan.anonymity.metric());
            let name = format!("k = {k} of {}", plan.max_k);
            let discs = measure(plan, prepared, asked, &name, interrupt)?;
            let found = assess(plan, prepared, asked, &discs, 0, interrupt)?;
            let found = found.findings.iter().zip(weights);
            let bad = found.filter(|(found, _)| !found.broken.is_safe());
            points.push((k, bad.map(|(_, &units)| units).sum()));
        }
        Ok(Some(Self { points }))
    }

    /// The first k from which no unit is unsafe, up to the last that was tried.
    pub fn safe_from(&self) -> Option<u64> {
        let safe = self.points.iter().rev();
        let safe = safe.take_while(|(_, unsafe_units)| *unsafe_units == 0);
        safe.last().map(|(k, _)| *k)
    }
}

#[cfg(test)]
mod tests {
    use super::Curve;

    #[test]
    fn safety_counts_from_the_end() {
        let from = |points: &[(u64, u64)]| {
            let points = points.to_vec();
            Curve { points }.safe_from()
        };
        assert_eq!(from(&[(2, 5), (3, 0), (4, 1), (5, 0), (6, 0)]), Some(5));
        assert_eq!(from(&[(2, 0), (3, 0)]), Some(2));
        assert_eq!(from(&[(2, 0), (3, 1)]), None);
        assert_eq!(from(&[]), None);
    }
}

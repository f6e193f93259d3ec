//! Figures that describe many numbers, the same for any order of the rows and any number of
//! threads: everything is taken from the sorted numbers.
//!
//! Quantiles are those of R and `NumPy` by default (type 7: linear between the two nearest). Sums
//! are compensated (Neumaier), so that ten million radii lose nothing visible.

/// What describes a set of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// The smallest.
    pub min: f64,
    /// A quarter is smaller.
    pub p25: f64,
    /// Half are smaller.
    pub median: f64,
    /// Three quarters are smaller.
    pub p75: f64,
    /// Nine tenths are smaller.
    pub p90: f64,
    /// All but a hundredth are smaller.
    pub p99: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The sum.
    pub sum: f64,
}

const PERCENTS: [u128; 7] = [0, 25, 50, 75, 90, 99, 100];

/// The figures of `sorted` numbers, each of which counts `weight` times; `None` when none counts.
#[must_use]
pub fn figures(sorted: &[(f64, u64)], weight: impl Fn(u64) -> u64) -> Option<Figures> {
    let count: u64 = sorted.iter().map(|&(_, w)| weight(w)).sum();
    let last = u128::from(count.checked_sub(1)?);
    let mut quantiles = [0.0; PERCENTS.len()];
    let mut wanted = PERCENTS.iter().map(|p| last * p).zip(&mut quantiles);
    let mut next = wanted.next();
    let mut sum = Sum::default();
    let mut seen = 0;
    let mut below: Option<f64> = None;
    for &(value, w) in sorted.iter().filter(|&&(_, w)| weight(w) > 0) {
        sum.add(value * weight(w) as f64);
        // Positions `seen` up to but without `seen + weight` hold this value; `below` holds one less.
        seen += u128::from(weight(w));
        while let Some((position, quantile)) = next.take_if(|(p, _)| *p <= (seen - 1) * 100) {
            let first = (seen - u128::from(weight(w))) * 100;
            *quantile = match below {
                // Between the last position before and the first of this value.
                Some(below) if position < first => {
                    let part = (100 - (first - position)) as f64 / 100.0;
                    below + (value - below) * part
                }
                _ => value,
            };
            next = wanted.next();
        }
        below = Some(value);
    }
    let [min, p25, median, p75, p90, p99, max] = quantiles;
    let sum = sum.total();
    Some(Figures {
        min,
        p25,
        median,
        p75,
        p90,
        p99,
        max,
        mean: sum / count as f64,
        sum,
    })
}

/// Numbers in the one order that depends on nothing else.
#[must_use]
pub fn sorted(mut numbers: Vec<(f64, u64)>) -> Vec<(f64, u64)> {
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    numbers
}

#[derive(Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_r() {
        // quantile(c(1, 2, 4, 8), c(0, .25, .5, .75, .9, .99, 1))
        let numbers = [(1.0, 1), (2.0, 1), (4.0, 1), (8.0, 1)];
        let f = figures(&numbers, |_| 1).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        for (found, expected) in [
            (f.min, 1.0),
            (f.p25, 1.75),
            (f.median, 3.0),
            (f.p75, 5.0),
            (f.p90, 6.8),
            (f.p99, 7.88),
            (f.max, 8.0),
            (f.mean, 3.75),
            (f.sum, 15.0),
        ] {
            close(found, expected);
        }
    }

    #[test]
    fn a_weight_is_that_many_copies() {
        let weighted = [(0.5, 0), (1.0, 3), (2.0, 1), (5.0, 2), (9.0, 0)];
        let copies = [1.0, 1.0, 1.0, 2.0, 5.0, 5.0].map(|v| (v, 1));
        assert_eq!(figures(&weighted, |w| w), figures(&copies, |w| w));
    }

    #[test]
    fn nothing_has_no_figures() {
        assert_eq!(figures(&[], |w| w), None);
        assert_eq!(figures(&[(1.0, 0)], |w| w), None);
    }

    #[test]
    fn sums_do_not_lose_small_numbers() {
        let mut numbers = vec![(1e16, 1)];
        numbers.extend([(1.0, 1); 1000]);
        let f = figures(&sorted(numbers), |w| w).unwrap();
        assert_eq!(f.sum, 1e16 + 1000.0);
    }
}

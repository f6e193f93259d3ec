//! Classes of values with breaks that can be read.
//!
//! Risk has a heavy tail: most units are about as safe as each other, a few stand out a
//! hundredfold, and these few are what the map is for. Equal steps would put nearly all units in
//! the first class; equal shares would put the few into one class with thousands of others. So
//! where values are skewed, breaks are round numbers (1, 2, 5 and their powers of ten) near shares
//! that narrow towards the top: a quarter, a half, three quarters, 90, 99 and 99.9 percent. Where
//! they are not skewed, equal round steps read best.

use crate::round;

/// Shares of the values near which breaks are sought in skewed ones.
const SHARES: [f64; 6] = [0.25, 0.5, 0.75, 0.9, 0.99, 0.999];
/// Values whose largest exceeds the median so many times are skewed.
const SKEWED: f64 = 4.0;
/// About so many equal steps.
const STEPS: f64 = 5.0;

/// Classes of values: up to the first break, from there to the second, and so on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Classes {
    breaks: Vec<f64>,
    /// The least and the largest value, for which there may be no break at all.
    range: Option<(f64, f64)>,
}

impl Classes {
    /// With breaks that suit values; those that are not finite are left out. O(n).
    #[must_use]
    pub fn fit(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        let order = f64::total_cmp;
        let Some(low) = values.iter().copied().min_by(order) else {
            return Self::default();
        };
        let high = values.iter().copied().max_by(order).unwrap_or(low);
        let mut share = |share: f64| {
            let rank = ((values.len() - 1) as f64 * share) as usize;
            *values.select_nth_unstable_by(rank, order).1
        };
        let breaks = if high > SKEWED * share(0.5) && low >= 0.0 {
            let shares = SHARES.map(&mut share).into_iter();
            let mut breaks: Vec<f64> = shares.filter(|at| *at > 0.0).map(round::nearest).collect();
            // When more than 99.9% are at 0.
            if breaks.is_empty() {
                breaks.push(round::at_most(high / 2.0));
            }
            breaks
        } else {
            round::multiples(round::at_least((high - low) / STEPS), low, high)
        };
        let mut breaks: Vec<f64> = breaks;
        breaks.retain(|at| low < *at && *at < high);
        breaks.dedup();
        Self {
            breaks,
            range: Some((low, high)),
        }
    }

    /// With these breaks, in increasing order.
    #[must_use]
    pub fn with_breaks(breaks: Vec<f64>) -> Self {
        Self {
            breaks,
            range: None,
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.breaks.len() + 1
    }

    /// Never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The class of a value. A break belongs to the class below it.
    #[must_use]
    pub fn of(&self, value: f64) -> u8 {
        self.breaks.partition_point(|at| *at < value) as u8
    }

    /// What they are called, from the lowest.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        let text = |value: &f64| round::text(*value);
        let (Some(first), Some(last)) = (self.breaks.first(), self.breaks.last()) else {
            return vec![match self.range {
                None => "none".to_owned(),
                Some((low, high)) if low == high => round::text(low),
                Some((low, high)) => format!("{} to {}", round::text(low), round::text(high)),
            }];
        };
        let between = self.breaks.windows(2);
        let between = between.map(|ends| format!("{} to {}", text(&ends[0]), text(&ends[1])));
        std::iter::once(format!("up to {}", text(first)))
            .chain(between)
            .chain(std::iter::once(format!("over {}", text(last))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn heavy_tails_get_breaks_that_narrow_upwards() {
        // Shaped as the risk of the built-in example: most about 4, a tail to 72.
        let tail = (0..1000).map(|i| 3.0 + f64::from(i) * 0.003);
        let tail = tail.chain((0..200).map(|i| 8.0 + f64::from(i) * 0.07));
        let tail = tail.chain((0..30).map(|i| 22.0 + f64::from(i) * 1.7));
        let classes = Classes::fit(tail);
        assert_eq!(
            classes.labels(),
            ["up to 5", "5 to 20", "20 to 50", "over 50"]
        );
    }

    #[test]
    fn even_values_get_even_steps() {
        let classes = Classes::fit((100..=110).map(f64::from));
        let labels = [
            "up to 102",
            "102 to 104",
            "104 to 106",
            "106 to 108",
            "over 108",
        ];
        assert_eq!(classes.labels(), labels);
        assert_eq!((classes.of(102.0), classes.of(102.1)), (0, 1));
    }

    #[test]
    fn little_to_classify() {
        assert_eq!(Classes::fit(std::iter::empty()).labels(), ["none"]);
        assert_eq!(Classes::fit([f64::NAN, 7.5].into_iter()).labels(), ["7.5"]);
        assert_eq!(Classes::fit([0.0; 9].into_iter()).labels(), ["0"]);
        let one = Classes::fit(std::iter::repeat_n(0.0, 5000).chain([80.0]));
        assert_eq!(one.labels(), ["up to 20", "over 20"]);
    }

    #[test]
    fn one_far_off_value_does_not_hide_the_others() {
        let values = (1..=1000).map(|i| f64::from(i) / 100.0);
        let classes = Classes::fit(values.clone().chain([1e6]));
        let seen: std::collections::BTreeSet<u8> = values.map(|v| classes.of(v)).collect();
        assert!(seen.len() >= 3, "{:?}", classes.labels());
        assert!(classes.of(1e6) > classes.of(9.0));
    }

    proptest! {
        #[test]
        fn breaks_are_round_few_and_inside(
            values in prop::collection::vec(0.0f64..1e6, 1..200),
            power in -140i32..140,
        ) {
            let values: Vec<f64> = values.iter().map(|v| v * 10f64.powi(power)).collect();
            let classes = Classes::fit(values.iter().copied());
            let (low, high) = classes.range.unwrap();
            prop_assert!(classes.len() <= 7);
            prop_assert!(classes.breaks.is_sorted_by(|a, b| a < b));
            prop_assert!(classes.breaks.iter().all(|at| low < *at && *at < high));
            // The first and the last class are in use.
            prop_assert_eq!(classes.of(low), 0);
            prop_assert_eq!(usize::from(classes.of(high)), classes.len() - 1);
        }
    }
}

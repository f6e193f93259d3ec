//! Rules, and which of them a set breaks.

use thiserror::Error;

use super::contributions::Contributions;

/// Most contributions that dominance may ask for.
const MOST_DOMINANT: usize = 100;
/// As many as there are bits for, less one for sets that do not exist.
const MOST_RULES: usize = 31;

/// When a set is unsafe; see [`super`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The p%-rule, in percent.
    P(f64),
    /// The `n` largest have more than `percent` of the total.
    Dominance {
        /// How many of the largest.
        n: usize,
        /// The part of the total that they may have, in percent.
        percent: f64,
    },
    /// Fewer contributors than this.
    MinCount(u64),
    /// One category has more than this share, or all.
    Share(f64),
    /// The largest has more than this share of the total.
    External(f64),
    /// The largest has more than this share of the total without the second largest.
    Internal(f64),
    /// The category that is asked about has more than this share.
    Discrete(f64),
}

/// Rules that can be applied together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// Which rules a set breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Broken(u32);

impl Broken {
    const NO_DISC: Self = Self(1 << MOST_RULES);

    /// Whether nothing is broken.
    #[must_use]
    pub fn is_safe(self) -> bool {
        self.0 == 0
    }

    /// Whether there is no disc, so that every rule counts as broken.
    #[must_use]
    pub fn has_no_disc(self) -> bool {
        self == Self::NO_DISC
    }

    /// Whether the rule with this number, in the order of [`Rules::all`], is broken.
    #[must_use]
    pub fn has(self, rule: usize) -> bool {
        rule < MOST_RULES && self.0 & (1 << rule) != 0
    }
}

impl Rules {
    /// Checks the rules.
    ///
    /// # Errors
    /// When one is out of range, or there are too many.
    pub fn new(rules: Vec<Rule>) -> Result<Self, RuleError> {
        if rules.len() > MOST_RULES {
            return Err(RuleError::TooMany(rules.len()));
        }
        rules.iter().try_for_each(|rule| rule.check())?;
        Ok(Self { rules })
    }

    /// The rules, in their order.
    #[must_use]
    pub fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// How many of the largest contributions the rules need to know.
    #[must_use]
    pub fn needed(&self) -> usize {
        let needed = self.rules.iter().map(|rule| match rule {
            Rule::Dominance { n, .. } => *n,
            _ => 2,
        });
        needed.fold(2, usize::max)
    }

    /// Which of them this set breaks.
    #[must_use]
    pub fn broken(&self, set: &Contributions) -> Broken {
        let broken = self.rules.iter().enumerate();
        let broken = broken.filter(|(_, rule)| rule.is_broken(set));
        Broken(broken.fold(0, |bits, (i, _)| bits | 1 << i))
    }

    /// What there is to say where there is no disc: it breaks every rule.
    #[must_use]
    pub fn without_disc() -> Broken {
        Broken::NO_DISC
    }
}

impl Rule {
    fn check(self) -> Result<(), RuleError> {
        // Not a number is in no range.
        let share = |share: f64| share > 0.0 && share <= 1.0;
        match self {
            Self::P(p) if !(p > 0.0 && p <= 100.0) => Err(RuleError::P(p)),
            Self::Dominance { n, .. } if !(1..=MOST_DOMINANT).contains(&n) => {
                Err(RuleError::DominanceCount(n))
            }
            Self::Dominance { percent, .. } if !(percent > 0.0 && percent < 100.0) => {
                Err(RuleError::DominancePercent(percent))
            }
            Self::MinCount(0) => Err(RuleError::MinCount),
            Self::Share(limit) if !share(limit) => Err(RuleError::Share(limit)),
            Self::External(limit) | Self::Internal(limit) | Self::Discrete(limit)
                if !share(limit) =>
            {
                Err(RuleError::Risk(limit))
            }
            _ => Ok(()),
        }
    }

    fn is_broken(self, set: &Contributions) -> bool {
        let largest = set.largest();
        match self {
            Self::P(p) => largest > 0.0 && 100.0 * set.rest(2) < p * largest,
            Self::Dominance { n, percent } => {
                largest > 0.0 && 100.0 * set.top(n) > percent * set.total()
            }
            Self::MinCount(least) => set.units > 0 && set.contributors < least,
            Self::Share(limit) => set.commonest.is_some_and(|(_, units)| {
                units == set.categorised || units as f64 > limit * set.categorised as f64
            }),
            Self::External(limit) | Self::Internal(limit) | Self::Discrete(limit) => {
                self.risk(set).is_some_and(|risk| risk > limit)
            }
        }
    }

    /// The number that a limit is put to, for the rules of rasters.
    #[must_use]
    pub fn risk(self, set: &Contributions) -> Option<f64> {
        let largest = set.largest();
        match self {
            Self::External(_) if largest > 0.0 => Some(largest / set.total()),
            // At least the largest is left, but for the rounding of the sum.
            Self::Internal(_) if largest > 0.0 => Some((largest / set.without_second()).min(1.0)),
            Self::Discrete(_) if set.categorised > 0 => {
                Some(set.asked as f64 / set.categorised as f64)
            }
            _ => None,
        }
    }
}

/// Why rules cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RuleError {
    /// The percentage of the p%-rule.
    #[error("p = {0} is out of range: above 0 and at most 100 (percent)")]
    P(f64),
    /// The number of contributions of dominance.
    #[error("dominance of the {0} largest is out of range: 1 to {MOST_DOMINANT}")]
    DominanceCount(usize),
    /// The percentage of dominance.
    #[error("dominance of {0} % is out of range: above 0 and below 100")]
    DominancePercent(f64),
    /// The number of contributors.
    #[error("at least one contributor must be asked for")]
    MinCount,
    /// The share of a category.
    #[error("the share {0} is out of range: above 0 and at most 1")]
    Share(f64),
    /// The risk of a cell.
    #[error("the risk {0} is out of range: above 0 and at most 1")]
    Risk(f64),
    /// More rules than can be told apart.
    #[error("{0} rules: at most {MOST_RULES} are possible")]
    TooMany(usize),
}

//! Attribute disclosure: what the values of the units in a disc, or in any other set, give away.
//!
//! Whoever knows that a unit is among these few, and what they have in all, may learn what each of
//! them has. The disc of a unit is the natural set to ask this of: it belongs to the unit, and no
//! border can hide it. The same questions can be put to the cells of a map.
//!
//! **Contributions.** x₁ ≥ x₂ ≥ … ≥ 0 are the contributions in a set and X is their sum. A row
//! contributes its value, without its sign; a row without value, or that stands for no unit,
//! nothing. A row that stands for several units is one contribution, as nothing says how its value
//! is shared out: so the largest is never too small. With owners, the rows of one owner add up
//! first. [`Contributions::contributors`] counts the units behind them, and each owner once; where
//! there are categories but no values at all, the units with a category.
//!
//! **Rules** ([`Rule`]). Each says when a set is unsafe:
//!
//! | rule | unsafe when |
//! |---|---|
//! | [`Rule::P`] | X − x₁ − x₂ < p/100 · x₁: the second largest knows the largest to within p % |
//! | [`Rule::Dominance`] | x₁ + … + xₙ > k/100 · X |
//! | [`Rule::MinCount`] | there are fewer contributors than that, and at least one unit |
//! | [`Rule::Share`] | one category has more than that share of the units, or all of them |
//! | [`Rule::External`] | x₁ / X > limit |
//! | [`Rule::Internal`] | x₁ / (X − x₂) > limit |
//! | [`Rule::Discrete`] | the share of a category > limit |
//!
//! Rules on values do not apply where x₁ = 0. The last three are sdcSpatial's risks of the cells of
//! a raster.
//!
//! **The same to the last bit.** Sums are made of pairs of doubles, in an order that depends on the
//! set alone: places in their order, and at one place by size. So neither the order of the rows nor
//! the threads show. x₁ to xₙ are taken from the sum in the same pairs, so that what remains is
//! right also where it is small beside them.
//!
//! Cost: O(rows in it) for a set, and O(rows log rows) with owners. Discs that neighbours share are
//! assessed once.

mod assess;
mod contributions;
mod holdings;
mod rule;

pub use assess::{Assess, Assessment, Finding};
pub use contributions::Contributions;
pub use holdings::{Holdings, HoldingsError, Rows};
pub use rule::{Broken, Rule, RuleError, Rules};

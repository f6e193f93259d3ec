//! The rules on what the units in every disc hold, beside the measure that finds the discs.

use kdisc::rules::{Assess, Holdings, Rows, Rule, Rules};
use kdisc::{Anonymity, example};

use crate::Plan;
use crate::clock::{discs, effort, in_turns, kdisc, pool};
use crate::knn::units;
use crate::table::{Required, Row, each, ratio, thousands};

const K: u64 = 10;

/// The row of the table for this part.
pub fn row(plan: &Plan) -> Row {
    eprintln!("rules ...");
    let points = units(plan.units);
    let town = example::town(plan.units, example::SEED);
    let values: Vec<_> = town.iter().map(|e| Some(e.production)).collect();
    drop(town);
    let rules = vec![
        Rule::P(10.0),
        Rule::Dominance {
            n: 1,
            percent: 75.0,
        },
        Rule::Dominance {
            n: 2,
            percent: 85.0,
        },
        Rule::MinCount(10),
    ];
    let rules = Rules::new(rules).expect("the rules are in range");
    let asked = Anonymity::new(K).expect("k is valid");
    // From rows to verdicts: index, measure, and all that the rules need.
    let ruled = || {
        let (population, discs) = discs(&points, K, f64::INFINITY, 1);
        let places = population.location_of_row().iter();
        let places: Vec<_> = places.map(|&location| Some(location)).collect();
        let rows = Rows {
            values: Some(&values),
            ..Rows::default()
        };
        let locations = population.locations().len();
        let holdings = Holdings::new(&rows, &places, locations).expect("the values are valid");
        let all: Vec<u32> = (0..locations as u32).collect();
        let assess = Assess::new(&holdings, &rules).threads(1);
        let found = assess.discs(&population, asked, &all, &discs);
        found.expect("nobody cancels")
    };
    let [with, without] = in_turns(
        plan.rounds,
        [
            Box::new(|| pool(1).install(|| effort(ruled))),
            Box::new(|| kdisc(&points, K, f64::INFINITY)),
        ],
    );
    Row {
        what: format!("rules in discs, δ=∞, k=10, {} units", thousands(plan.units)),
        kdisc: each(with, plan.units),
        peer: format!("the measure alone: {}", each(without, plan.units)),
        ratio: ratio(with, without),
        required: Required::AtMost(1.5),
    }
}

//! The engine against oracles, properties, the paper's numbers, and its own bugs of the past.
//!
//! One program, as each links everything, and programs are run one after another.

#[path = "../oracle/mod.rs"]
mod oracle;

mod areal;
mod bandwidth;
mod centred;
mod density;
mod determinism;
mod enclosed;
mod enterprises;
mod exact_small;
mod example;
mod finite_delta;
mod invariances;
mod medium;
mod members;
mod oracle_checks;
mod oracle_checks_finite;
mod paper;
mod properties;
mod regions;
mod regressions;
mod rules;
mod squares;
mod survey;
mod within;

//! The terms of a report, for those who meet them for the first time.

use kdisc_report::page::{Block, Section};

const TERMS: [(&str, &str); 16] = [
    (
        "areal risk",
        "1 divided by the number of units in a region: the chance to guess right who is meant. It belongs to the region, not to the unit.",
    ),
    (
        "cell",
        "A square (or hexagon) of a grid that is laid over the map.",
    ),
    (
        "cluster-oriented",
        "The disc may lie anywhere as long as it holds the unit (δ = ∞): how tight is the smallest group that the unit is part of?",
    ),
    (
        "disc",
        "The smallest circle that holds the unit and at least k units. In other metrics it is a square.",
    ),
    (
        "dominance",
        "A rule on values: a total is unsafe when the n largest contributors have more than a given part of it.",
    ),
    (
        "k",
        "How many units a disc must hold. The larger, the more company is asked for.",
    ),
    (
        "MAUP",
        "The modifiable areal unit problem: counts in regions change when borders are moved, reshaped or resized, though nobody has moved.",
    ),
    (
        "multiplicity",
        "How many units share exactly one location, as in a block of flats.",
    ),
    (
        "p%-rule",
        "A rule on values: a total is unsafe when the second largest contributor could use it to work out the largest value to within p percent.",
    ),
    (
        "pixel",
        "A dot of the screen, or a square on the ground that is drawn as one.",
    ),
    (
        "point-oriented",
        "The disc is centred on the unit (δ = 0): how far is it to the k-th nearest?",
    ),
    (
        "radius",
        "That of the unit's disc, in metres. 0 where k units share the location.",
    ),
    (
        "risk",
        "The radius divided by the number of units in the disc: metres per unit. High where one is alone. It is a length, not a probability.",
    ),
    (
        "rules",
        "Rules of statistical disclosure control on the values of those who contribute to a total, such as the [[p%-rule]] and [[dominance]].",
    ),
    (
        "zoom level",
        "How detailed a web map is: each level has twice as many pixels to the kilometre as the one before.",
    ),
    (
        "δ",
        "How far the centre of the disc may lie from the unit: 0 is [[point-oriented]], ∞ is [[cluster-oriented]].",
    ),
];

pub fn section() -> Section {
    Section {
        id: "glossary",
        title: "Glossary".to_owned(),
        blocks: vec![Block::Glossary(TERMS.to_vec())],
    }
}

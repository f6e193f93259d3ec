//! How many enterprises share an address, as in the paper's data set: nearly all are alone, a few
//! addresses hold two or three, and one office building holds 68.

use super::UNITS;
use super::random::Random;
use super::site::{Location, Setting};

/// Multiplicities above 1 and the number of addresses with them, among [`UNITS`] enterprises.
const SHARED: [(usize, usize); 10] = [
    (68, 1),
    (25, 1),
    (23, 1),
    (10, 1),
    (9, 3),
    (8, 1),
    (5, 3),
    (4, 10),
    (3, 9),
    (2, 80),
];

/// From this many on, an address is an office building, and stands in a town or a business park.
const OFFICES: usize = 8;

/// The multiplicities above 1 among `units` enterprises, in the same shares, largest first.
pub(super) fn shared(units: usize) -> Vec<usize> {
    SHARED
        .iter()
        .flat_map(|&(multiplicity, count)| {
            let count = (count * units + UNITS / 2) / UNITS;
            std::iter::repeat_n(multiplicity, count)
        })
        .collect()
}

/// How many enterprises each location gets: the `shared` ones at random fitting locations, 1
/// elsewhere.
pub(super) fn assign(shared: &[usize], locations: &[Location], random: &mut Random) -> Vec<usize> {
    let mut multiplicities = vec![1; locations.len()];
    for &multiplicity in shared {
        // The tries are bounded, for a tiny example may lack a fitting location.
        for attempt in 0.. {
            let at = random.below(locations.len());
            let fits = match locations[at].setting {
                Setting::Town | Setting::Park => true,
                Setting::Village => multiplicity < OFFICES,
                Setting::Farm => false,
            };
            if multiplicities[at] == 1 && (fits || attempt > 1000) {
                multiplicities[at] = multiplicity;
                break;
            }
        }
    }
    multiplicities
}

//! How easily could a point on a map be picked out?
//!
//! For each unit (a person, an enterprise, a patient) kdisc finds the smallest disc that holds the
//! unit and at least *k* units. In a busy street that disc is small: one must know the place to
//! within metres before the unit stands out. On a lonely farm it is large: a rough idea of the
//! area is enough. So the **radius** of the disc measures how isolated the unit is, and the
//! **risk** is the radius divided by the number of units in the disc. Both belong to the unit, not
//! to a grid or a district: moving a boundary cannot change them.
//!
//! The measure is that of P.P. de Wolf, "Disclosure risk in a geo-spatial setting" (2026).
//!
//! ```
//! use kdisc::{Anonymity, Measure, Point, Population};
//!
//! let points = [(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, -2.5)].map(|(x, y)| Point::new(x, y));
//! let population = Population::new(&points)?;
//! let discs = Measure::new(&population, Anonymity::new(3)?).all()?;
//!
//! // Answers come per location. Rows are looked up, as rows with equal coordinates are one.
//! let first = population.location_of_row()[0] as usize;
//! let disc = discs[first].expect("there are at least 3 units");
//! assert_eq!(disc.radius, 10.25_f64.sqrt() / 2.0);
//! assert_eq!((disc.center, disc.units), (Point::new(-1.0, -1.25), 3));
//! assert_eq!(disc.risk(), disc.radius / 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This is the paper's counterexample. The three units nearest to (0, 0) lie in a disc of radius 2,
//! but a smaller disc, which holds the far unit (0, −2.5) instead of a near one, does as well.
//!
//! # The paper's symbols
//!
//! | paper | here |
//! |---|---|
//! | 𝒰, the units | [`Population`], made from one [`Point`] per row; [`Population::units`] is their number |
//! | S, their distinct locations sᵢ | [`Population::locations`] |
//! | mᵢ, the multiplicity of sᵢ | [`Population::multiplicities`]; given by [`Population::with_weights`], or by repeating rows |
//! | k | [`Anonymity::new`] |
//! | δ, how far the centre may lie from s | [`Delta`], with [`Anonymity::with_delta`] |
//! | the distance | [`Metric`], with [`Anonymity::with_metric`] |
//! | B(x\*, r\*), the smallest disc | [`Disc`] |
//! | F_{k,δ}(s) = r\* | [`Disc::radius`] |
//! | x\* | [`Disc::center`] |
//! | N(B(x\*, r\*)) | [`Disc::units`] |
//! | R_{k,δ}(s) = F_{k,δ}(s) / N(B(x\*, r\*)) | [`Disc::risk`] |
//! | for all s in S | [`Measure::all`] |
//! | for some s in S | [`Measure::locations`] |
//! | for s outside S | [`Measure::places`] |
//! | R(A) = 1/N(A), the areal risk | [`areal::areal_risk`], of the cells of a [`areal::Grid`] or of [`region::Regions`] |
//! | `π_Z`, the zoom projection | [`zoom::Raster::pixels`]; a [`Population`] of them merges what overlaps |
//! | δ(Z), as far as visually overlapping locations are apart | [`zoom::overlap`] |
//!
//! In full, with N(A) the number of units in A:
//!
//! ```text
//! F_{k,δ}(s) = min { r : N(B(x, r)) ≥ k and |x − s| ≤ min(r, δ), for some x in the plane }
//! ```
//!
//! # What is asked, what is answered
//!
//! [`Delta`] is what an attacker knows. At [`Delta::ZERO`] the disc is centred on the unit: its
//! exact location is known. At [`Delta::INFINITE`], the default, the disc only has to hold the
//! unit: its surroundings are not known. In between, they are known up to that distance. The
//! smaller δ, the larger the radius, so the default is the mildest answer: show the one for δ = 0
//! beside it.
//!
//! - Discs are **closed**: a unit on the circle is inside, and [`Disc::units`] counts all that are,
//!   so it may exceed *k*.
//! - When *k* units share a location, its radius and risk are 0.
//! - With fewer than *k* units in all there is **no disc**: the answer is `None`. Such a unit
//!   exceeds every limit. Count it as unsafe, never as 0.
//! - Of several smallest discs, the one with the fewest units is reported (the higher risk), then
//!   the one with the smallest centre x, then y. In L1 and L∞, where discs are squares that can
//!   slide without changing size, it is the middle of the first stretch with the fewest units.
//! - The risk is a length per unit, **not a probability**. It does not compare across *k*, metrics
//!   or units of length. Only the radius is monotone: it never grows with δ, with smaller *k*, or
//!   with added units. The risk may.
//!
//! Coordinates must be projected (metres, usually): degrees are no lengths.
//!
//! ## Weights
//!
//! A row may stand for several units, as in a table of grid cells, or for none: then it is measured
//! but never counted.
//!
//! ```
//! use kdisc::{Anonymity, Delta, Measure, Point, Population};
//!
//! let cells = [Point::new(0.0, 0.0), Point::new(100.0, 0.0), Point::new(0.0, 50.0)];
//! let population = Population::with_weights(&cells, &[7, 2, 0])?;
//! let asked = Anonymity::new(5)?.with_delta(Delta::ZERO);
//! let discs = Measure::new(&population, asked).all()?;
//!
//! let radius = |row: usize| {
//!     let location = population.location_of_row()[row] as usize;
//!     discs[location].map(|disc| (disc.radius, disc.units))
//! };
//! assert_eq!(radius(0), Some((0.0, 7)));
//! assert_eq!(radius(1), Some((100.0, 9)));
//! assert_eq!(radius(2), Some((50.0, 7)));
//!
//! let too_many = Measure::new(&population, Anonymity::new(10)?).all()?;
//! assert!(too_many.iter().all(Option::is_none));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Places outside the population
//!
//! How isolated would a newcomer be? A place that is no location of the population counts for no
//! unit, but must lie in its own disc.
//!
//! ```
//! use kdisc::{Anonymity, Measure, Metric, Point, Population};
//!
//! let population = Population::new(&[Point::new(1.0, 0.0), Point::new(3.0, 0.0)])?;
//! let asked = Anonymity::new(2)?;
//! let places = [Point::new(0.0, 0.0), Point::new(2.0, 0.5)];
//! let discs = Measure::new(&population, asked).places(&places)?;
//! assert_eq!(discs[0].map(|disc| disc.radius), Some(1.5));
//! assert_eq!(discs[1].map(|disc| disc.radius), Some(1.0));
//!
//! // The same question for squares along the axes: the first needs a side of 3.
//! let squares = Measure::new(&population, asked.with_metric(Metric::Linf)).places(&places)?;
//! assert_eq!(squares[0].map(|square| square.radius), Some(1.5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Within regions
//!
//! In a table by region, only units of one's own region count ([`within`]). The disc itself may be
//! asked to lie in the region's polygon, too (discs, δ = 0 and δ = ∞).
//!
//! ```
//! use kdisc::region::{Part, Region};
//! use kdisc::within::{Groups, Within};
//! use kdisc::{Anonymity, Point};
//!
//! let points = [(4.0, 0.5), (6.0, 0.5), (5.0, -1.0)].map(|(x, y)| Point::new(x, y));
//! let groups = Groups::new(&points, None, &[Some(0), Some(0), None])?;
//! let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
//! let outer = corners.map(|(x, y)| Point::new(x, y)).to_vec();
//! let regions = [Region::new(vec![Part { outer, holes: vec![] }])?];
//!
//! let asked = Within::new(&groups, Anonymity::new(2)?);
//! assert_eq!(asked.all()?[0].map(|disc| disc.radius), Some(1.0));
//! // Inside, it is lifted until it touches the border.
//! let inside = asked.enclosed(&regions)?;
//! assert_eq!(inside.all()?[0].map(|disc| disc.radius), Some(1.25));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## What a map shows
//!
//! Zoomed out, locations share pixels and their units add up: the perceived risk is that of the
//! pixels ([`zoom`]).
//!
//! ```
//! use kdisc::zoom::Raster;
//! use kdisc::{Anonymity, Delta, Measure, Point, Population};
//!
//! let points = [(3.0, 1.0), (8.0, 9.0), (41.0, 5.0)].map(|(x, y)| Point::new(x, y));
//! let pixels = Population::new(&Raster::new(10.0)?.pixels(&points)?)?;
//! assert_eq!(pixels.locations().len(), 2);
//!
//! let asked = Anonymity::new(2)?.with_delta(Delta::new(1.0)?);
//! let discs = Measure::new(&pixels, asked).all()?;
//! let radius = |row: usize| discs[pixels.location_of_row()[row] as usize].map(|disc| disc.radius);
//! // Two in one pixel hide each other; the third is four pixels away, less one for the centre.
//! assert_eq!((radius(0), radius(1), radius(2)), (Some(0.0), Some(0.0), Some(3.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ## Threads, progress, stopping
//!
//! A measurement uses all cores unless told otherwise, on threads of its own. It tells how far it
//! is, and stops soon after a flag is raised. [`example::town`] makes data of any size to try.
//!
//! ```
//! use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
//!
//! use kdisc::{Anonymity, Measure, MeasureError, Point, Population, example};
//!
//! let town = example::town(2000, example::SEED);
//! let points: Vec<Point> = town.iter().map(|e| Point::new(e.x, e.y)).collect();
//! let population = Population::new(&points)?;
//!
//! let percent = AtomicUsize::new(0);
//! // Called from any of the threads.
//! let progress = |done: usize, of: usize| {
//!     percent.fetch_max(100 * done / of, Ordering::Relaxed);
//! };
//! let stop = AtomicBool::new(false);
//! let measure = Measure::new(&population, Anonymity::new(10)?)
//!     .threads(2)
//!     .progress(&progress)
//!     .cancel(&stop);
//! let discs = measure.all()?;
//! assert_eq!(discs.len(), population.locations().len());
//! assert_eq!(percent.load(Ordering::Relaxed), 100);
//!
//! // In earnest another thread, or the handler of a signal, raises the flag.
//! stop.store(true, Ordering::Relaxed);
//! assert_eq!(measure.all(), Err(MeasureError::Cancelled));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What "exact" means
//!
//! Coordinates are taken for the numbers that they are as doubles; there is no tolerance to choose.
//! For δ = 0 and δ = ∞, and in L1 and L∞ for every δ, it is decided without rounding which
//! locations are inside, which disc is smaller and which discs tie. Radius and centre are rounded
//! once, at the very end, to the nearest double. So the answer does not depend on the order of the
//! rows, on the number of threads, or on which other locations are measured: it is the same to the
//! last bit.
//!
//! For discs with 0 < δ < ∞: where the radius for δ = ∞ is at most δ, that disc is the answer,
//! exactly. Elsewhere the centre is irrational in general. Radii are then good to 10⁻¹² relative,
//! a location counts as inside up to 10⁻⁹ of the radius, and radii within 10⁻¹² tie.
//!
//! Discs that must lie inside a region: that of the measure without that condition, exactly, if it
//! does. Elsewhere radii are good to 10⁻⁹ relative (nearly always 10⁻¹²) and tie within 10⁻¹², and
//! a disc lies inside if no edge is nearer to its centre than the radius less 10⁻¹² of it.
//!
//! Coordinates that are not finite, beyond [`LARGEST_COORDINATE`], or nearer to 0 than
//! [`SMALLEST_COORDINATE`] are refused ([`PopulationError`]), and so are more than 2⁵³ units.
//!
//! # What it costs
//!
//! With n rows, per measured location unless said otherwise:
//!
//! | | method | time |
//! |---|---|---|
//! | [`Population`] | a packed k-d tree | O(n log n) in all |
//! | δ = 0 | the nearest units | O(log n + k²) in vectors up to k = 24, O(log n + √k) typically beyond |
//! | δ = ∞ | branch and bound over the centres | about k² on evenly spread data |
//! | 0 < δ < ∞ | δ = ∞ first; where that does not do, the same search within δ | one to five times that of δ = ∞, most for small δ |
//! | L1, L∞, δ > 0 | sweeps over the units in reach | O(log n + k²) at worst, ties apart; usually much less |
//!
//! On clustered points ([`example::town`] with a million units) and k = 10, one thread of an AMD EPYC
//! (Zen 5) took 0.4 µs per location for δ = 0 and 1.4 µs for δ = ∞; with 200,000, 3.5 µs for squares at
//! δ = ∞.
//!
//! For δ = ∞ neighbours share most of the work, as one disc is the answer for many of the locations
//! in it; measuring some locations costs more per location than measuring all. There is no useful
//! bound for the worst case: many locations on one circle, as on a lattice, take longest.
//!
//! A [`Population`] keeps 28 bytes per row (about 60 while it is made), the answers take 40 per
//! location, and δ = ∞ some 60 more per location while it runs.

#![forbid(unsafe_code)]

mod anonymity;
pub mod areal;
pub mod density;
mod disc;
pub mod example;
mod index;
mod measure;
mod point;
mod population;
mod predicates;
pub mod region;
pub mod rules;
pub mod statistics;
pub mod within;
pub mod zoom;

pub use anonymity::{Anonymity, AnonymityError, Delta, Metric};
pub use disc::Disc;
pub(crate) use measure::Side;
pub use measure::{Measure, MeasureError, Members, Progress};
pub use point::Point;
pub use population::{
    LARGEST_COORDINATE, Population, PopulationError, SMALLEST_COORDINATE, check_coordinate,
    count_units,
};

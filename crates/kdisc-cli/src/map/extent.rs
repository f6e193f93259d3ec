//! What part of the ground a map shows.

use kdisc::Point;
use kdisc_report::frame::Extent;
use kdisc_report::map::Mark;
use kdisc_report::round;

use super::look::{Seen, Shown};
use super::plan::Plan;
use super::prepare::Prepared;
use crate::failure::Refusal;

/// Space around the data, as a part of their extent.
const ROOM: f64 = 0.03;
/// Metres around a single location that has no disc to go by.
const AROUND: f64 = 500.0;
/// Cells along the longer side of a map for publication.
const CELLS: f64 = 40.0;
/// One location in so many may be far off at each end of the extent; not where there are so few in all.
const FAR_OFF: usize = 50;
const FEW: usize = 10;
/// The longer side of a map for publication is about so many of the steps that its ends are
/// multiples of.
const STEPS: f64 = 10.0;

/// The part that the units take, or that was asked for.
pub fn of_units(plan: &Plan, prepared: &Prepared) -> Extent {
    let nowhere = Extent {
        min: Point::new(0.0, 0.0),
        max: Point::new(0.0, 0.0),
    };
    let units = Extent::of(prepared.population.locations().iter().copied());
    plan.looks
        .extent
        .unwrap_or_else(|| roomy(units.unwrap_or(nowhere), AROUND))
}

/// The units in the part that was asked for, if these are not all.
pub fn units_shown(plan: &Plan, prepared: &Prepared) -> Option<u64> {
    let asked = plan.looks.extent?;
    let population = &prepared.population;
    let all = population
        .locations()
        .iter()
        .zip(population.multiplicities());
    let shown = all.filter(|(at, _)| asked.holds(**at));
    let shown = shown.map(|(_, units)| units).sum();
    (shown < population.units()).then_some(shown)
}

/// The part that a map shows, with the discs of its marks.
pub fn of_map(
    plan: &Plan,
    prepared: &Prepared,
    seen: &[Seen],
    marks: &[Vec<Mark>],
) -> Result<Extent, Refusal> {
    let locations = prepared.population.locations();
    if let Some(asked) = plan.looks.extent {
        if !locations.iter().any(|at| asked.holds(*at)) {
            return Err(Refusal::new(
                "there is nothing to draw: no unit lies in --extent",
                format!("give ends in {}", prepared.ground.system()),
            ));
        }
        return Ok(asked);
    }
    if plan.public.is_some() {
        return published(seen)
            .ok_or_else(|| Refusal::new("there is nothing to draw", "use larger cells"));
    }
    let rings = marks.iter().flatten().flat_map(around);
    let cells = seen.iter().filter_map(|seen| match &seen.shown {
        Shown::Areas { outlines, .. } | Shown::Counts { outlines, .. } => Some(outlines),
        _ => None,
    });
    let cells = cells.flatten().flatten().copied();
    let found = Extent::of(locations.iter().copied().chain(rings).chain(cells));
    // A single location shows its surroundings as far as its disc would reach, if it had one.
    let discs = seen.iter().filter_map(|seen| seen.discs.as_ref()).flatten();
    let reach = discs
        .flatten()
        .map(|disc| 1.2 * disc.radius)
        .fold(0.0, f64::max);
    let reach = if reach > 0.0 { reach } else { AROUND };
    found.map(|found| roomy(found, reach)).ok_or_else(|| {
        Refusal::new(
            "there is nothing to draw",
            "give a file with at least one row",
        )
    })
}

/// The size of cells that suits locations: round, and about forty along the longer side of where
/// nearly all of them are. The few that are far off neither make the cells of the others useless nor
/// show in their size.
pub fn cell_size(locations: &[Point]) -> f64 {
    let far_off = match locations.len() {
        ..FEW => 0,
        all => all.div_ceil(FAR_OFF),
    };
    let whole = longer_side(locations, 0);
    let side = Some(longer_side(locations, far_off)).filter(|side| *side > 0.0);
    match side.unwrap_or(whole) {
        0.0 => AROUND,
        side => round::at_least(side / CELLS),
    }
}

/// The longer side of the extent without so many locations at each of its ends.
fn longer_side(locations: &[Point], without: usize) -> f64 {
    let across = |of: fn(&Point) -> f64| {
        let mut all: Vec<f64> = locations.iter().map(of).collect();
        let Some(last) = all.len().checked_sub(1 + without) else {
            return 0.0;
        };
        let mut at = |rank| *all.select_nth_unstable_by(rank, f64::total_cmp).1;
        at(last) - at(without)
    };
    across(|at| at.x).max(across(|at| at.y))
}

/// The cells that are drawn, to round ends: the far-off ones that are not drawn must not show in
/// the frame either.
fn published(seen: &[Seen]) -> Option<Extent> {
    let corners = seen.iter().filter_map(|seen| match &seen.shown {
        Shown::Areas { outlines, .. } | Shown::Counts { outlines, .. } => Some(outlines),
        _ => None,
    });
    let extent = Extent::of(corners.flatten().flatten().copied())?;
    let side = extent.width().max(extent.height());
    Some(extent.snapped(round::at_least(side / STEPS)))
}

/// With room around it; around a single place at least this much.
fn roomy(extent: Extent, around: f64) -> Extent {
    let side = extent.width().max(extent.height());
    if side > 0.0 {
        return extent.widened(ROOM * side);
    }
    // Metres may be less than coordinates can tell.
    let far = extent.min.x.abs().max(extent.min.y.abs());
    extent.widened(around.max(far * 1e-12))
}

/// The corners of the box around a mark and its disc.
fn around(mark: &Mark) -> Vec<Point> {
    let mut corners = vec![mark.place];
    if let Some(ring) = &mark.ring {
        let Point { x, y } = ring.center;
        corners.push(Point::new(x - ring.radius, y - ring.radius));
        corners.push(Point::new(x + ring.radius, y + ring.radius));
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_far_off_does_not_show_in_the_size_of_cells() {
        let town =
            (0..200).map(|i| Point::new(f64::from(i % 20) * 100.0, f64::from(i / 20) * 50.0));
        let town: Vec<Point> = town.collect();
        let size = cell_size(&town);
        assert_eq!(size, 50.0);
        for far in [1e4, 1e6, -1e9] {
            let mut with_hermits = town.clone();
            with_hermits.extend([Point::new(far, 0.0), Point::new(500.0, far)]);
            assert_eq!(cell_size(&with_hermits), size, "{far}");
        }
    }

    #[test]
    fn cells_for_little() {
        assert_eq!(cell_size(&[Point::new(5.0, 5.0)]), AROUND);
        assert_eq!(
            cell_size(&[Point::new(0.0, 0.0), Point::new(0.0, 400.0)]),
            10.0
        );
        // All but one at one place.
        let mut place = vec![Point::new(7.0, 7.0); 30];
        place.push(Point::new(7.0, 87.0));
        assert_eq!(cell_size(&place), 2.0);
    }
}

//! How far data reach, on a globe that closes upon itself.
//!
//! Longitudes of neighbours can be a turn apart: 179.9 and −179.9 in Fiji, 359.9 and 0.1 in London
//! where they are counted from 0 to 360. The extent of such data is the short way round, all but the
//! largest gap between longitudes, and goes on beyond the end of the count. What is answered is
//! counted as the data are. Web Mercator closes likewise, after 40,075 km.
//!
//! The gap comes from the first and last longitude in each of many sectors: one pass, no sorting,
//! the same for any order of the rows. A gap within a sector is missed, but data without a wider one
//! lie all round.

use kdisc::Point;

use super::Crs;

const SECTORS: usize = 3600;

/// How far the places of one input reach.
#[derive(Debug, Clone)]
pub struct Extent {
    /// Of the numbers as they are.
    plain: [f64; 4],
    /// Of the places: x may go on beyond the count.
    continued: [f64; 4],
    count: Option<Count>,
}

/// How longitudes are counted: where that begins, and what a turn round the globe is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    pub start: f64,
    pub turn: f64,
}

impl Extent {
    /// None if there are no points.
    #[must_use]
    pub fn new(crs: Option<&Crs>, points: &[Point]) -> Option<Self> {
        let plain = bounds(points)?;
        let turn = crs.and_then(Crs::turn);
        let count = turn.map(|turn| Count::new(plain, turn));
        let mut continued = plain;
        if let Some(turn) = turn
            && plain.iter().all(|bound| bound.is_finite())
            && plain[2] - plain[0] > turn / 2.0
            && let Some((west, east)) = short_way(crs, points, turn)
        {
            (continued[0], continued[2]) = (west, east);
        }
        Some(Self {
            plain,
            continued,
            count,
        })
    }

    /// `[min_x, min_y, max_x, max_y]` of the numbers as they are.
    #[must_use]
    pub fn plain(&self) -> [f64; 4] {
        self.plain
    }

    /// West, south, east and north end. East comes before west where the data lie on both sides of
    /// the end of the count, as in the boxes of GeoJSON.
    #[must_use]
    pub fn ends(&self) -> [f64; 4] {
        let [west, south, east, north] = self.continued;
        [self.counted(west), south, self.counted(east), north]
    }

    pub(super) fn continued(&self) -> [f64; 4] {
        self.continued
    }

    pub(super) fn count(&self) -> Option<Count> {
        self.count
    }

    /// The same place, counted as the data are.
    pub(super) fn counted(&self, x: f64) -> f64 {
        match self.count {
            Some(Count { start, turn }) if x < start || x > start + turn => {
                x - turn * ((x - start) / turn).floor()
            }
            _ => x,
        }
    }
}

impl Count {
    /// From −180 or from 0, as these data are. Those that go beyond both are in the middle.
    fn new([min, _, max, _]: [f64; 4], turn: f64) -> Self {
        let room = 1e-9 * turn;
        let mut starts = [-turn / 2.0, 0.0, -turn].into_iter();
        let found = starts.find(|start| min >= start - room && max <= start + turn + room);
        let start = found.unwrap_or_else(|| f64::midpoint(min, max) - turn / 2.0);
        Self { start, turn }
    }
}

impl Crs {
    /// What x grows by in one turn round the globe, where x is a longitude or grows like it.
    fn turn(&self) -> Option<f64> {
        let proj = self.build().ok()?;
        let radian = if proj.is_latlong() {
            1.0 / self.angular_unit()
        } else if self.is_web_mercator() {
            proj.ellipse_parameters().0
        } else {
            return None;
        };
        Some(std::f64::consts::TAU * radian)
    }
}

fn bounds(points: &[Point]) -> Option<[f64; 4]> {
    let first = points.first()?;
    let around = |[min_x, min_y, max_x, max_y]: [f64; 4], place: &Point| {
        [
            min_x.min(place.x),
            min_y.min(place.y),
            max_x.max(place.x),
            max_y.max(place.y),
        ]
    };
    let start = [first.x, first.y, first.x, first.y];
    Some(points.iter().fold(start, around))
}

/// All but the largest gap between longitudes: west, and east beyond it. At a pole all longitudes
/// are the same, so that those given there say nothing.
fn short_way(crs: Option<&Crs>, points: &[Point], turn: f64) -> Option<(f64, f64)> {
    let pole = if crs.is_some_and(Crs::is_geographic) {
        turn / 4.0 * (1.0 - 1e-12)
    } else {
        f64::INFINITY
    };
    let mut sectors = vec![None::<(f64, f64)>; SECTORS];
    for place in points.iter().filter(|place| place.y.abs() < pole) {
        // Into ±half a turn, where most data are already and stay as they are.
        let x = place.x - turn * (place.x / turn).round();
        let sector = ((x / turn + 0.5) * SECTORS as f64) as usize;
        let sector = &mut sectors[sector.min(SECTORS - 1)];
        let (min, max) = sector.unwrap_or((x, x));
        *sector = Some((min.min(x), max.max(x)));
    }
    let found: Vec<(f64, f64)> = sectors.into_iter().flatten().collect();
    let (first, last) = (found.first()?, found.last()?);
    let mut best = (first.0, last.1);
    for pair in found.windows(2) {
        let (west, east) = (pair[1].0, pair[0].1 + turn);
        if east - west < best.1 - best.0 {
            best = (west, east);
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(system: &str, longitudes: &[f64]) -> Extent {
        let points: Vec<_> = longitudes.iter().map(|&x| Point::new(x, 10.0)).collect();
        Extent::new(Some(&Crs::parse(system).unwrap()), &points).unwrap()
    }

    fn x(of: [f64; 4]) -> (f64, f64) {
        (of[0], of[2])
    }

    #[test]
    fn the_short_way_round_in_any_count() {
        for (longitudes, continued, ends) in [
            (&[5.0, 7.0][..], (5.0, 7.0), (5.0, 7.0)),
            (
                &[177.0, -178.0, 180.0, -180.0],
                (177.0, 182.0),
                (177.0, -178.0),
            ),
            (&[359.5, 0.5, 1.0], (-0.5, 1.0), (359.5, 1.0)),
            (&[179.0, 181.0], (179.0, 181.0), (179.0, 181.0)),
            (&[-181.0, -179.0], (-181.0, -179.0), (-181.0, -179.0)),
            (&[-10.0, 190.0], (-170.0, -10.0), (190.0, -10.0)),
            (&[-90.0, 0.0, 90.0, 170.0], (-90.0, 170.0), (-90.0, 170.0)),
            (&[42.0], (42.0, 42.0), (42.0, 42.0)),
        ] {
            let found = extent("EPSG:4326", longitudes);
            assert_eq!(x(found.continued()), continued, "{longitudes:?}");
            assert_eq!(x(found.ends()), ends, "{longitudes:?}");
        }
    }

    #[test]
    fn the_gap_is_that_of_sorted_longitudes() {
        let mut state = 7_u64;
        for round in 0..200 {
            let few = 2 + round % 20;
            let longitudes: Vec<f64> = (0..few)
                .map(|_| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    ((state >> 33) % 36_000) as f64 / 100.0 - 180.0
                })
                .collect();
            let mut sorted = longitudes.clone();
            sorted.sort_by(f64::total_cmp);
            let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
            let gap = gaps.fold(sorted[0] + 360.0 - sorted[few - 1], f64::max);
            let (west, east) = x(extent("EPSG:4326", &longitudes).continued());
            assert!((east - west - (360.0 - gap)).abs() < 1e-9, "{longitudes:?}");
        }
    }

    #[test]
    fn other_systems_close_elsewhere_or_never() {
        // Grads: 400 make a turn.
        let grads = extent("EPSG:4807", &[199.0, -199.0]);
        let (west, east) = x(grads.continued());
        assert!(west == 199.0 && (east - 201.0).abs() < 1e-9, "{east}");
        let web = extent("EPSG:3857", &[2.0e7, -2.0e7]);
        let (west, east) = x(web.continued());
        assert!((east - west - 75_016.0).abs() < 1.0, "{west} {east}");
        let plane = extent("EPSG:28992", &[-1e7, 1e7]);
        assert_eq!(x(plane.continued()), (-1e7, 1e7));
        assert_eq!(plane.counted(1e9), 1e9);
    }

    #[test]
    fn the_longitude_of_a_pole_says_nothing() {
        let wgs = Crs::wgs84();
        let points = [(-170.0, 89.0), (170.0, 89.0), (0.0, 90.0)];
        let points = points.map(|(x, y)| Point::new(x, y));
        let extent = Extent::new(Some(&wgs), &points).unwrap();
        assert_eq!(extent.continued(), [170.0, 89.0, 190.0, 90.0]);
        let pole = [Point::new(-170.0, 90.0), Point::new(170.0, 90.0)];
        assert!(Extent::new(Some(&wgs), &pole).is_some());
        assert!(Extent::new(Some(&wgs), &[]).is_none());
    }

    #[test]
    fn hostile_numbers_do_no_harm() {
        for value in [f64::NAN, f64::INFINITY, -1e300, 1e300, 5e-324] {
            let found = extent("EPSG:4326", &[value, -value, 1.0]);
            let _ = (found.ends(), found.counted(value));
        }
    }
}

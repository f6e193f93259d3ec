//! The discs themselves as a layer: each distinct one once, as a polygon round it.
//!
//! The sides of the polygon touch the circle from outside, so that a location on the circle is in
//! the polygon, and [`Ground::outline`](kdisc_io::crs::Ground::outline) sees to it that it stays so
//! on the map of the input.

use std::cmp::Ordering;
use std::f64::consts::PI;
use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use kdisc::{Disc, Metric, Point};
use kdisc_io::crs::Crs;
use kdisc_io::export::CONFIDENTIAL;
use kdisc_io::geometry;
use kdisc_io::layer::{BATCH, Encoding, Geometry, Layer, Shape, wkb_field};
use rayon::prelude::*;

use super::prepare::Prepared;
use crate::sheet::Sheet;

const SIDES: usize = 64;
/// Metres; a disc of radius 0 is drawn this large, so that it can be seen and selected.
const SMALLEST: f64 = 0.001;

/// A disc, and how many units have it as their own.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Distinct {
    disc: Disc,
    serves: u64,
}

/// The discs of all answers.
pub struct Discs<'a> {
    prepared: &'a Prepared,
    metric: Metric,
    found: Vec<Distinct>,
}

impl<'a> Discs<'a> {
    pub fn new(prepared: &'a Prepared, metric: Metric, answers: &[Option<Disc>]) -> Self {
        Self {
            prepared,
            metric,
            found: distinct(answers, prepared.weights()),
        }
    }

    fn rings(&self, found: &Distinct) -> Vec<Vec<Point>> {
        let corners = corners(&found.disc, self.metric);
        self.prepared.ground.outline(found.disc.center, &corners)
    }
}

impl Sheet for Discs<'_> {
    fn layer(&self) -> Layer {
        // A disc across the antimeridian is two polygons.
        let is_cut = self
            .found
            .par_iter()
            .any(|found| self.rings(found).len() > 1);
        let shape = if is_cut { Shape::Any } else { Shape::Polygon };
        Layer {
            rows: Some(self.found.len()),
            ..layer(self.prepared.table.crs.clone(), shape)
        }
    }

    fn rows(&self, put: &mut dyn FnMut(&RecordBatch) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let schema = layer(None, Shape::Any).schema;
        for chunk in self.found.chunks(BATCH) {
            let polygons = chunk.par_iter();
            let polygons = polygons.map(|found| geometry::polygons(&self.rings(found)));
            let polygons = BinaryArray::from_iter_values(polygons.collect::<Vec<_>>());
            let mut columns = columns(chunk, self.prepared);
            columns.push(Arc::new(polygons));
            put(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
        }
        Ok(())
    }
}

fn layer(crs: Option<Crs>, shape: Shape) -> Layer {
    let number = |name| Field::new(name, DataType::Float64, true);
    let whole = |name| Field::new(name, DataType::Int64, true);
    let fields = vec![
        number("radius"),
        whole("units"),
        whole("serves"),
        number("risk"),
        number("center_x"),
        number("center_y"),
        wkb_field("geometry"),
    ];
    let column = fields.len() - 1;
    let metadata = [("description".to_owned(), CONFIDENTIAL.to_owned())];
    Layer {
        name: "discs".to_owned(),
        schema: Arc::new(Schema::new_with_metadata(fields, metadata.into())),
        geometry: Some(Geometry {
            column,
            encoding: Encoding::Wkb,
            shape,
        }),
        crs,
        rows: None,
    }
}

/// The largest first, so that smaller ones are drawn over them.
fn distinct(answers: &[Option<Disc>], weights: Option<&[u64]>) -> Vec<Distinct> {
    let found = answers.iter().enumerate().filter_map(|(i, disc)| {
        Some(Distinct {
            disc: (*disc)?,
            serves: weights.map_or(1, |weights| weights[i]),
        })
    });
    let mut found: Vec<_> = found.collect();
    let order = |a: &Distinct, b: &Distinct| -> Ordering {
        let (a, b) = (&a.disc, &b.disc);
        b.radius
            .total_cmp(&a.radius)
            .then(a.center.x.total_cmp(&b.center.x))
            .then(a.center.y.total_cmp(&b.center.y))
            .then(a.units.cmp(&b.units))
    };
    found.sort_unstable_by(order);
    found.dedup_by(|next, first| {
        let same = next.disc == first.disc;
        if same {
            first.serves += next.serves;
        }
        same
    });
    found
}

/// All but the polygons.
fn columns(discs: &[Distinct], prepared: &Prepared) -> Vec<ArrayRef> {
    let number = |of: &dyn Fn(&Distinct) -> f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(discs.iter().map(of)))
    };
    let whole = |of: fn(&Distinct) -> u64| -> ArrayRef {
        let values = discs.iter().map(|found| of(found).cast_signed());
        Arc::new(Int64Array::from_iter_values(values))
    };
    let center = |found: &Distinct| prepared.in_input(found.disc.center);
    vec![
        number(&|found| found.disc.radius),
        whole(|found| found.disc.units),
        whole(|found| found.serves),
        number(&|found| found.disc.risk()),
        number(&|found| center(found).x),
        number(&|found| center(found).y),
    ]
}

/// Corners of a polygon that holds the disc, counter-clockwise.
fn corners(disc: &Disc, metric: Metric) -> Vec<Point> {
    let radius = disc.radius.max(SMALLEST);
    let (sides, first) = match metric {
        Metric::L2 => (SIDES, 0.5),
        Metric::Linf => (4, 0.5),
        Metric::L1 => (4, 0.0),
    };
    let reach = match metric {
        Metric::L2 | Metric::Linf => radius / (PI / sides as f64).cos(),
        Metric::L1 => radius,
    };
    let corner = |i: usize| {
        let turn = (i as f64 + first) * 2.0 * PI / sides as f64;
        let reach = reach * (1.0 + 1e-9);
        Point::new(
            disc.center.x + reach * turn.cos(),
            disc.center.y + reach * turn.sin(),
        )
    };
    (0..sides).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(radius: f64, x: f64) -> Disc {
        Disc {
            center: Point::new(x, 450_000.0),
            radius,
            units: 10,
        }
    }

    /// How far outside of the polygon a place is.
    fn outside(corners: &[Point], place: Point) -> f64 {
        let sides = corners.iter().zip(corners.iter().cycle().skip(1));
        let beyond = sides.map(|(a, b)| {
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            ((place.x - a.x) * dy - (place.y - a.y) * dx) / dx.hypot(dy)
        });
        beyond.fold(f64::NEG_INFINITY, f64::max)
    }

    #[test]
    fn no_place_on_the_circle_is_lost() {
        let disc = disc(120.0, 155_000.0);
        let corners = corners(&disc, Metric::L2);
        assert_eq!(corners.len(), 64);
        for i in 0..1000 {
            let turn = f64::from(i) * 2.0 * PI / 1000.0;
            let place = Point::new(
                disc.center.x + 120.0 * turn.cos(),
                disc.center.y + 120.0 * turn.sin(),
            );
            assert!(outside(&corners, place) <= 0.0);
        }
    }

    #[test]
    fn squares_are_drawn_as_squares() {
        let disc = disc(2.0, 0.0);
        let reach = |metric: Metric, x: f64, y: f64| {
            let place = Point::new(disc.center.x + x, disc.center.y + y);
            outside(&corners(&disc, metric), place)
        };
        assert!(reach(Metric::Linf, 2.0, 2.0) <= 0.0);
        assert!(reach(Metric::Linf, 2.001, 0.0) > 0.0);
        assert!(reach(Metric::L1, 2.0, 0.0) <= 0.0);
        assert!(reach(Metric::L1, 1.001, 1.001) > 0.0);
    }

    #[test]
    fn equal_discs_are_one_and_serve_the_units_of_all() {
        let answers = [
            Some(disc(1.0, 5.0)),
            None,
            Some(disc(2.0, 5.0)),
            Some(disc(1.0, 5.0)),
        ];
        let found = distinct(&answers, Some(&[3, 9, 1, 4]));
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].disc.radius, found[0].serves), (2.0, 1));
        assert_eq!((found[1].disc.radius, found[1].serves), (1.0, 7));
    }
}

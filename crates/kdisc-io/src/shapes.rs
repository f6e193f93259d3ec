//! Shapes out of a layer, for looking at: points, lines and rings, whatever a row holds.
//!
//! Unlike regions, shapes need not be valid: a border that crosses itself can still be drawn. Rows
//! without a geometry have nothing to show.

use arrow_array::Array;
use kdisc::Point;

use crate::InputError;
use crate::csv::Progress;
use crate::geometry::{self, Kind, Parts};
use crate::input::Input;

/// The shapes of a layer, in its own system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShapeTable {
    /// Points.
    pub points: Vec<Point>,
    /// Lines.
    pub lines: Vec<Vec<Point>>,
    /// The rings of polygons, of borders and holes alike.
    pub polygons: Vec<Vec<Vec<Point>>>,
    /// Rows, with or without a geometry.
    pub rows: usize,
}

impl ShapeTable {
    /// Reads every row of a layer with geometries.
    ///
    /// # Errors
    /// It cannot be read, has no geometries, or one that is broken.
    pub fn read(input: &Input, progress: Progress) -> Result<Self, InputError> {
        let file = input.name();
        let reader = input.reader()?;
        let layer = reader.layer();
        let none = || InputError::unsupported(file, "it has no geometries");
        let column = layer.geometry.ok_or_else(none)?;
        let mut table = Self::default();
        let mut parts = Parts::default();
        for batch in reader.batches(&[column.column])? {
            let batch = batch?;
            let wkb = geometry::wkb_column(batch.column(0), column.encoding)
                .map_err(|error| InputError::unsupported(file, error.to_string()))?;
            for row in 0..batch.num_rows() {
                table.rows += 1;
                if wkb.is_null(row) {
                    continue;
                }
                parts.read(wkb.value(row)).map_err(|error| {
                    InputError::unsupported(file, format!("row {}: {error}", table.rows))
                })?;
                table.take(&parts);
            }
            if layer.rows.is_some() {
                progress(table.rows, layer.rows);
            }
        }
        Ok(table)
    }

    fn take(&mut self, parts: &Parts) {
        let place = |at: &[f64; 4]| Point::new(at[0], at[1]);
        let lines = || {
            Parts::ranges(&parts.lines)
                .map(|line| parts.positions[line].iter().map(place).collect::<Vec<_>>())
        };
        match parts.kind {
            Kind::Point | Kind::MultiPoint => {
                self.points.extend(parts.positions.iter().map(place));
            }
            Kind::Line => self.lines.push(parts.positions.iter().map(place).collect()),
            Kind::MultiLine => self.lines.extend(lines()),
            Kind::Polygon => self.polygons.push(lines().collect()),
            Kind::MultiPolygon => {
                let rings: Vec<_> = lines().collect();
                let polygons = Parts::ranges(&parts.polygons);
                self.polygons.extend(polygons.map(|of| rings[of].to_vec()));
            }
            Kind::Collection => {
                for member in &parts.members {
                    self.take(member);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Options;

    #[test]
    fn every_kind_of_shape() {
        let features = [
            r#"{"type":"Point","coordinates":[1,2]}"#,
            r#"{"type":"MultiPoint","coordinates":[[3,4],[5,6]]}"#,
            r#"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#,
            r#"{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3],[4,4]]]}"#,
            r#"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[2,1],[3,1],[3,2],[2,1]]]}"#,
            r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#,
            r#"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[7,8]}]}"#,
            "null",
        ];
        let features = features.map(|geometry| {
            format!(r#"{{"type":"Feature","properties":{{}},"geometry":{geometry}}}"#)
        });
        let json = format!(
            r#"{{"type":"FeatureCollection","features":[{}]}}"#,
            features.join(",")
        );
        let input = Input::from_bytes("t.geojson", json.into_bytes(), &Options::default());
        let table = ShapeTable::read(&input.unwrap(), &|_, _| {}).unwrap();
        assert_eq!(table.rows, 8);
        let points = [(1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)];
        assert_eq!(table.points, points.map(|(x, y)| Point::new(x, y)));
        let lengths = |lines: &[Vec<Point>]| lines.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(&table.lines), [2, 2, 3]);
        let polygons = table.polygons.iter().map(|rings| lengths(rings));
        assert_eq!(polygons.collect::<Vec<_>>(), [vec![4, 4], vec![4], vec![4]]);
    }
}

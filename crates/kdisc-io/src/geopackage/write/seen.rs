//! What geometries a layer turned out to hold: whoever opens the file is told no more than that.

use crate::geometry::{Kind, WkbError, head};
use crate::layer::Shape;

/// What was seen so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    kind: Option<Kind>,
    is_mixed: bool,
    /// In some geometries, and missed in others.
    heights: [bool; 2],
    measures: [bool; 2],
}

impl Seen {
    pub fn add(&mut self, wkb: &[u8]) -> Result<(), WkbError> {
        let (kind, has_height, has_measure) = head(wkb)?;
        self.is_mixed |= *self.kind.get_or_insert(kind) != kind;
        self.heights[usize::from(!has_height)] = true;
        self.measures[usize::from(!has_measure)] = true;
        Ok(())
    }

    /// The name of their type.
    pub fn shape(self, promised: Option<Shape>) -> &'static str {
        match (promised, self.kind) {
            (Some(Shape::Point), _) => "POINT",
            (Some(Shape::Polygon), _) => "POLYGON",
            (_, Some(kind)) if !self.is_mixed => match kind {
                Kind::Point => "POINT",
                Kind::Line => "LINESTRING",
                Kind::Polygon => "POLYGON",
                Kind::MultiPoint => "MULTIPOINT",
                Kind::MultiLine => "MULTILINESTRING",
                Kind::MultiPolygon => "MULTIPOLYGON",
                Kind::Collection => "GEOMETRYCOLLECTION",
            },
            _ => "GEOMETRY",
        }
    }

    /// Whether heights and measures are forbidden (0), in all (1) or in some (2).
    pub fn dimensions(self) -> [u8; 2] {
        let code = |[with, without]: [bool; 2]| match (with, without) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        let found = [code(self.heights), code(self.measures)];
        // Geometries of any type that all have heights are a type that GDAL's readers do not know.
        if self.is_mixed && found != [0, 0] {
            [2, 2]
        } else {
            found
        }
    }
}

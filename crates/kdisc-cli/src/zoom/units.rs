//! What each unit looks like at one level.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_schema::{DataType, Field};
use kdisc::{Disc, Point};

use super::look::Sight;
use super::plan::Plan;
use crate::delivery::Delivery;
use crate::joined::{Added, Joined};
use crate::outputs::Output;
use crate::register::Register;

/// The rows of the input, and the pixels of a level with their discs.
pub struct Units<'a> {
    pub register: &'a Register,
    pub sight: &'a Sight,
    pub discs: &'a [Option<Disc>],
}

/// What there is to say of a usable row.
#[derive(Clone, Copy)]
struct Seen {
    pixel: Point,
    multiplicity: u64,
    disc: Option<Disc>,
}

impl Units<'_> {
    pub fn write(
        &self,
        plan: &Plan,
        output: &Output,
        delivery: &mut Delivery,
    ) -> anyhow::Result<()> {
        let added = || -> Added {
            let mut numbers = self.register.units.numbers();
            Box::new(move |rows| {
                let block = numbers.by_ref().take(rows);
                let seen = block.map(|number| number.map(|usable| self.seen(usable)));
                self.columns(&seen.collect::<Vec<_>>())
            })
        };
        let fields = self.fields(&plan.added);
        let joined = Joined::beside(self.register, fields, &added);
        delivery.write(output, &joined)
    }

    fn seen(&self, usable: usize) -> Seen {
        let pixels = &self.sight.pixels;
        let pixel = pixels.location_of_row()[usable] as usize;
        Seen {
            pixel: pixels.locations()[pixel],
            multiplicity: pixels.multiplicities()[pixel],
            disc: self.discs[pixel],
        }
    }

    fn columns(&self, rows: &[Option<Seen>]) -> Vec<ArrayRef> {
        let metres = self.sight.level.metres_per_pixel;
        let number = |of: &dyn Fn(&Seen) -> Option<f64>| -> ArrayRef {
            let values = rows.iter().map(|row| row.as_ref().and_then(of));
            Arc::new(values.collect::<Float64Array>())
        };
        let whole = |of: &dyn Fn(&Seen) -> Option<i64>| -> ArrayRef {
            let values = rows.iter().map(|row| row.as_ref().and_then(of));
            Arc::new(values.collect::<Int64Array>())
        };
        // Pixels are below 2^53, and so are sums of weights.
        let pixel = |of: fn(&Point) -> f64| {
            if self.is_whole() {
                whole(&|seen| Some(of(&seen.pixel) as i64))
            } else {
                number(&|seen| Some(of(&seen.pixel)))
            }
        };
        let status = rows.iter().map(|row| match row {
            None => "invalid",
            Some(Seen { disc: None, .. }) => "no_disc",
            Some(_) => "ok",
        });
        vec![
            pixel(|pixel| pixel.x),
            pixel(|pixel| pixel.y),
            whole(&|seen| Some(seen.multiplicity.cast_signed())),
            number(&|seen| Some(seen.disc?.radius)),
            number(&|seen| Some(seen.disc?.radius * metres)),
            whole(&|seen| Some(seen.disc?.units.cast_signed())),
            number(&|seen| Some(seen.disc?.risk())),
            Arc::new(StringArray::from_iter_values(status)),
        ]
    }

    /// Whether all pixels are whole numbers; dots may be of one and a half.
    fn is_whole(&self) -> bool {
        self.sight.level.raster.dot().fract() == 0.0
    }

    fn fields(&self, names: &[String; 8]) -> Vec<Field> {
        use DataType::{Float64, Int64, Utf8};
        let pixel = if self.is_whole() { Int64 } else { Float64 };
        let types = [
            pixel.clone(),
            pixel,
            Int64,
            Float64,
            Float64,
            Int64,
            Float64,
            Utf8,
        ];
        let fields = names.iter().zip(types);
        fields
            .map(|(name, data_type)| Field::new(name, data_type, true))
            .collect()
    }
}

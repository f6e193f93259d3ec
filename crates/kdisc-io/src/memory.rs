//! A table in memory, for programs that have their rows at hand: nothing of it is copied.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::layer::{Batches, Layer, Reader};
use crate::{InputError, geoarrow};

/// A table in memory.
#[derive(Debug, Clone)]
pub struct MemoryTable {
    layer: Layer,
    batches: Vec<RecordBatch>,
}

impl MemoryTable {
    /// A table called `name` in messages, with these rows. A column of geometries is known by its
    /// mark as GeoArrow.
    ///
    /// # Errors
    /// When that mark makes no sense.
    pub fn new(
        name: &str,
        schema: SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> Result<Self, InputError> {
        let (geometry, crs) = match geoarrow::read(name, &schema)? {
            Some((geometry, crs)) => (Some(geometry), crs),
            None => (None, None),
        };
        let layer = Layer {
            name: name.to_owned(),
            schema,
            geometry,
            crs,
            rows: Some(batches.iter().map(RecordBatch::num_rows).sum()),
        };
        Ok(Self { layer, batches })
    }

    /// These rows of a layer, whose geometries get their mark.
    #[must_use]
    pub fn of_layer(mut layer: Layer, batches: Vec<RecordBatch>) -> Self {
        layer.schema = geoarrow::marked(&layer);
        layer.rows = Some(batches.iter().map(RecordBatch::num_rows).sum());
        Self { layer, batches }
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.layer.name
    }

    /// Its columns.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.layer.schema
    }

    /// Its rows.
    #[must_use]
    pub fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }
}

impl Reader for MemoryTable {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let columns = columns.to_vec();
        let project = move |batch: &RecordBatch| {
            let chosen = batch.project(&columns);
            chosen.map_err(|error| InputError::broken(self.name(), "Arrow", error.to_string()))
        };
        Ok(Box::new(self.batches.iter().map(project)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::crs::Crs;
    use crate::geoparquet::samples::layer;
    use crate::input::Input;

    #[test]
    fn columns_come_in_the_order_asked_for_and_are_not_copied() {
        let held = layer();
        let schema = Arc::clone(&held.layer.schema);
        let table = MemoryTable::new("data", schema, held.rows.clone()).unwrap();
        let found = Reader::batches(&table, &[1, 0]).unwrap();
        let found: Vec<_> = found.collect::<Result<_, _>>().unwrap();
        assert_eq!(found[0], held.rows[0].project(&[1, 0]).unwrap());
        assert!(Arc::ptr_eq(found[0].column(1), held.rows[0].column(0)));
        let wrong = Reader::batches(&table, &[9]).unwrap().next().unwrap();
        assert!(matches!(wrong, Err(InputError::Broken { .. })));
    }

    #[test]
    fn geometries_are_known_by_their_mark() {
        let mut held = layer();
        held.layer.crs = Some(Crs::from_epsg(28992).unwrap());
        let marked = MemoryTable::of_layer(held.layer.clone(), held.rows.clone());
        let schema = Arc::clone(marked.schema());
        let again = MemoryTable::new("data", schema, held.rows).unwrap();
        let input = Input::from_table(Arc::new(again));
        let found = input.layer().unwrap();
        assert_eq!(found.geometry, held.layer.geometry);
        assert_eq!(found.crs.as_ref().and_then(Crs::epsg), Some(28992));
        assert_eq!(found.rows, Some(marked.batches()[0].num_rows()));
        assert_eq!(input.name(), "data");
    }
}

//! The second pass: rows, in batches.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use super::decode::Column;
use super::open::{self, GeoJson, Problem};
use super::scan::Scanner;
use crate::InputError;
use crate::layer;

pub(super) struct Rows<'a> {
    file: &'a GeoJson,
    scanner: Scanner,
    schema: SchemaRef,
    columns: Vec<Column>,
    /// For every column of the layer, where it is asked for.
    slots: Vec<Option<usize>>,
    /// Rows that were read.
    read: usize,
}

impl<'a> Rows<'a> {
    pub fn new(file: &'a GeoJson, asked: &[usize]) -> Result<Self, InputError> {
        let schema = file.layer.project(&file.file, asked)?;
        let slots = file.layer.slots(&file.file, asked)?;
        let reader = file
            .content
            .reader()
            .map_err(InputError::read(&file.file))?;
        Ok(Self {
            file,
            scanner: Scanner::new(reader),
            columns: schema
                .fields()
                .iter()
                .map(|field| Column::new(field))
                .collect(),
            schema,
            slots,
            read: 0,
        })
    }

    pub fn batch(&mut self) -> Result<Option<RecordBatch>, InputError> {
        let most = layer::rows_at_most(self.columns.len());
        let (mut rows, mut bytes, mut done) = (0, 0, false);
        while rows < most && bytes < layer::BATCH_BYTES {
            let more = self.scanner.advance();
            if !more.map_err(|trouble| open::failure(trouble, &self.file.file, self.read))? {
                done = true;
                break;
            }
            let added = add(
                self.file,
                &mut self.columns,
                &self.slots,
                self.scanner.text(),
            );
            added
                .map_err(|problem| problem.at(self.scanner.begin(), &self.file.file, self.read))?;
            bytes += self.scanner.text().len();
            rows += 1;
            self.read += 1;
        }
        if done && Some(self.read) != self.file.layer.rows {
            let begin = self.scanner.begin();
            return Err(open::changed().at(begin, &self.file.file, self.read));
        }
        if rows == 0 {
            return Ok(None);
        }
        let arrays: Vec<ArrayRef> = self.columns.iter_mut().map(Column::finish).collect();
        let batch = layer::batch_of(&self.schema, arrays, rows);
        batch
            .map(Some)
            .map_err(|error| InputError::broken(&self.file.file, super::FORMAT, error.to_string()))
    }
}

fn add(
    file: &GeoJson,
    columns: &mut [Column],
    slots: &[Option<usize>],
    text: &[u8],
) -> Result<(), Problem> {
    let row = open::row(text)?;
    let mut values: Vec<Option<&str>> = vec![None; columns.len()];
    let mut set = |column: usize, value| {
        if let Some(slot) = slots[column] {
            values[slot] = value;
        }
    };
    if let Some(id) = file.id {
        set(id, row.id);
    }
    if let Some(geometry) = file.layer.geometry {
        set(geometry.column, row.geometry);
    }
    for (name, value) in row.properties.iter().flat_map(|found| &found.0) {
        let column = file.properties.get(&**name).ok_or_else(open::changed)?;
        set(*column, Some(value.get()));
    }
    for (column, value) in columns.iter_mut().zip(values) {
        column.push(value)?;
    }
    Ok(())
}

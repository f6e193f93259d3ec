//! Features to rows, in batches.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;

use super::Type;
use super::decode::Column;
use super::frame::{self, Frames};
use super::geometry::{self, NoGeometry};
use super::open::FlatGeobuf;
use super::table::{Table, Wrong, fixed};
use crate::InputError;
use crate::geometry::Parts;
use crate::layer;

pub(super) struct Rows<'a> {
    file: &'a FlatGeobuf,
    frames: Frames,
    schema: SchemaRef,
    columns: Vec<Column>,
    /// For every column of the layer, where it is asked for.
    slots: Vec<Option<usize>>,
    parts: Parts,
    wkb: Vec<u8>,
}

impl<'a> Rows<'a> {
    pub fn new(file: &'a FlatGeobuf, asked: &[usize]) -> Result<Self, InputError> {
        let schema = file.layer.project(&file.file, asked)?;
        let slots = file.layer.slots(&file.file, asked)?;
        let frames = Frames::open(&file.content, &file.file)?;
        if frames.header.columns.len() + 1 != slots.len() {
            return Err(frame::broken(&file.file, "it changed while it was read"));
        }
        Ok(Self {
            file,
            frames,
            columns: schema
                .fields()
                .iter()
                .map(|field| Column::new(field))
                .collect(),
            schema,
            slots,
            parts: Parts::default(),
            wkb: Vec::new(),
        })
    }

    pub fn batch(&mut self) -> Result<Option<RecordBatch>, InputError> {
        let most = layer::rows_at_most(self.columns.len());
        let (mut rows, mut bytes) = (0, 0);
        while rows < most && bytes < layer::BATCH_BYTES {
            if !self.frames.advance()? {
                break;
            }
            self.row()?;
            bytes += self.frames.feature.len();
            rows += 1;
        }
        if rows == 0 {
            return Ok(None);
        }
        let arrays: Vec<ArrayRef> = self.columns.iter_mut().map(Column::finish).collect();
        let batch = layer::batch_of(&self.schema, arrays, rows);
        batch
            .map(Some)
            .map_err(|error| frame::broken(&self.file.file, &error.to_string()))
    }

    fn row(&mut self) -> Result<(), InputError> {
        let Self { frames, slots, .. } = self;
        let mut values: Vec<Option<&[u8]>> = vec![None; self.columns.len()];
        let found = properties(
            &frames.feature,
            &frames.header.columns,
            |column, _, value| {
                if let Some(slot) = slots[column] {
                    values[slot] = Some(value);
                }
            },
        );
        found.map_err(|wrong| frames.wrong(wrong))?;
        if let Some(slot) = slots.last().copied().flatten() {
            let kind = frames.header.kind;
            let size = frames.feature.len();
            let table = Table::root(&frames.feature).and_then(|feature| feature.table(0));
            if let Some(table) = table.map_err(|wrong| frames.wrong(wrong))? {
                geometry::read(table, kind, size, &mut self.parts).map_err(
                    |error| match error {
                        NoGeometry::Wrong(wrong) => frames.wrong(wrong),
                        NoGeometry::Kind(code) => InputError::unsupported(
                            &self.file.file,
                            format!(
                                "feature {} is a curve or surface (type {code} of FlatGeobuf), \
                             which kdisc does not read",
                                frames.read
                            ),
                        ),
                    },
                )?;
                self.wkb.clear();
                self.parts.write(&mut self.wkb);
                values[slot] = Some(&self.wkb);
            }
        }
        for (slot, value) in values.into_iter().enumerate() {
            self.columns[slot].push(value).map_err(|wrong| {
                let name = self.schema.field(slot).name();
                frames.wrong(&format!("column {name:?}: {wrong}"))
            })?;
        }
        Ok(())
    }
}

/// Goes over the properties of a feature: a number of a column and a value, again and again.
pub(super) fn properties<'a>(
    feature: &'a [u8],
    columns: &[(String, Type)],
    mut each: impl FnMut(usize, Type, &'a [u8]),
) -> Result<(), Wrong> {
    const SHORT: Wrong = "a property ends too early";
    let table = Table::root(feature)?;
    if table.tables(2)?.len() > 0 {
        return Err("it has columns of its own, which kdisc does not read");
    }
    let mut rest = table.vector(1, 1)?.map_or(&[][..], |found| found.bytes);
    while !rest.is_empty() {
        let column = usize::from(u16::from_le_bytes(fixed(rest, 0).map_err(|_| SHORT)?));
        let (_, kind) = columns
            .get(column)
            .ok_or("a property of a column that is not there")?;
        rest = &rest[2..];
        let size = if let Some(size) = kind.size() {
            size
        } else {
            let size = u32::from_le_bytes(fixed(rest, 0).map_err(|_| SHORT)?);
            rest = &rest[4..];
            size as usize
        };
        let (value, after) = rest.split_at_checked(size).ok_or(SHORT)?;
        each(column, *kind, value);
        rest = after;
    }
    Ok(())
}

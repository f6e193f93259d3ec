//! A table of text as a layer: each column in the type that all its values have.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Float64Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::number::Decimal;
use super::records::Records;
use super::table::Table;
use super::types::Kind;
use super::values;
use crate::InputError;
use crate::layer::{BATCH, Batches, Layer, Reader};
use crate::moment::{self, Form};

/// A table with types.
pub struct Typed<'t> {
    table: &'t Table,
    kinds: Vec<Kind>,
    decimal: Decimal,
    layer: Layer,
}

impl<'t> Typed<'t> {
    /// Looks at all values of `table`.
    ///
    /// # Errors
    /// When a quote never closes.
    pub fn new(table: &'t Table, stem: &str) -> Result<Self, InputError> {
        let decimal = table.decimal();
        let kinds = table.kinds(decimal)?;
        let fields = table.columns().iter().zip(&kinds);
        let fields: Vec<_> = fields
            .map(|(name, kind)| Field::new(name, arrow_type(*kind), true))
            .collect();
        Ok(Self {
            table,
            kinds,
            decimal,
            layer: Layer {
                name: stem.to_owned(),
                schema: Arc::new(Schema::new(fields)),
                geometry: None,
                crs: None,
                rows: None,
            },
        })
    }
}

fn arrow_type(kind: Kind) -> DataType {
    match kind {
        Kind::Whole => DataType::Int64,
        Kind::Number => DataType::Float64,
        Kind::Truth => DataType::Boolean,
        Kind::Date => DataType::Date32,
        Kind::LocalTime => DataType::Timestamp(TimeUnit::Microsecond, None),
        Kind::ZonedTime => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        Kind::Text => DataType::Utf8,
    }
}

impl Reader for Typed<'_> {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let schema = self.layer.project(self.table.name(), columns)?;
        Ok(Box::new(Rows {
            typed: self,
            records: self.table.records(),
            columns: columns.to_vec(),
            schema,
        }))
    }
}

struct Rows<'a> {
    typed: &'a Typed<'a>,
    records: Records<'a>,
    columns: Vec<usize>,
    schema: SchemaRef,
}

impl Iterator for Rows<'_> {
    type Item = Result<RecordBatch, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        let typed = self.typed;
        let mut columns: Vec<_> = self
            .columns
            .iter()
            .map(|&column| (column, Column::new(typed.kinds[column])))
            .collect();
        let mut rows = 0;
        while rows < BATCH {
            match self.records.advance() {
                Ok(Some(record)) => {
                    for (column, values) in &mut columns {
                        // A row that is too short has no values there.
                        let field = (*column < record.fields()).then(|| record.field(*column));
                        values.push(field.as_deref().unwrap_or_default(), typed.decimal);
                    }
                }
                Ok(None) => break,
                Err(quote) => return Some(Err(typed.table.open_quote(quote))),
            }
            rows += 1;
        }
        if rows == 0 {
            return None;
        }
        let columns = columns.into_iter().map(|(_, values)| values.finish());
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns.collect());
        Some(batch.map_err(|error| InputError::unsupported(typed.table.name(), error.to_string())))
    }
}

/// The values of a column so far.
enum Column {
    Whole(Int64Builder),
    Number(Float64Builder),
    Truth(BooleanBuilder),
    Date(Date32Builder),
    Time(TimestampMicrosecondBuilder, bool),
    Text(StringBuilder),
}

impl Column {
    fn new(kind: Kind) -> Self {
        match kind {
            Kind::Whole => Self::Whole(Int64Builder::new()),
            Kind::Number => Self::Number(Float64Builder::new()),
            Kind::Truth => Self::Truth(BooleanBuilder::new()),
            Kind::Date => Self::Date(Date32Builder::new()),
            Kind::LocalTime => Self::Time(TimestampMicrosecondBuilder::new(), false),
            Kind::ZonedTime => Self::Time(TimestampMicrosecondBuilder::new(), true),
            Kind::Text => Self::Text(StringBuilder::new()),
        }
    }

    fn push(&mut self, field: &str, decimal: Decimal) {
        match self {
            Self::Whole(values) => values.append_option(values::whole(field)),
            Self::Number(values) => values.append_option(values::number(field, decimal)),
            Self::Truth(values) => values.append_option(values::truth(field)),
            Self::Date(values) => values.append_option(moment::date(field)),
            Self::Time(values, _) => {
                let time = moment::moment(field, Form::Exact);
                values.append_option(time.map(|time| time.micros));
            }
            Self::Text(values) => values.append_option((!field.is_empty()).then_some(field)),
        }
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Whole(mut values) => Arc::new(values.finish()),
            Self::Number(mut values) => Arc::new(values.finish()),
            Self::Truth(mut values) => Arc::new(values.finish()),
            Self::Date(mut values) => Arc::new(values.finish()),
            Self::Time(mut values, false) => Arc::new(values.finish()),
            Self::Time(mut values, true) => Arc::new(values.finish().with_timezone("UTC")),
            Self::Text(mut values) => Arc::new(values.finish()),
        }
    }
}

//! Writing a `GeoPackage` of one layer.
//!
//! The database is made in the place that the [`Sink`] gives it, in one transaction and without a
//! journal: a file that fails half-way is thrown away anyway.
//!
//! What is lost: `SQLite` has no number for NaN and makes it null; times are told in milliseconds
//! of UTC, as the standard has it.

mod seen;
mod tables;

use std::io;

use arrow_array::{ArrayRef, RecordBatch};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, params};

use super::blob;
use super::convert::Values;
use super::names::{self, Key};
use seen::Seen;

use crate::WriteError;
use crate::geometry::{WkbError, bounds, union, wkb_column};
use crate::layer::{Layer, Writer};
use crate::output::Sink;

const FORMAT: &str = "GeoPackage";
struct File {
    sink: Sink,
    connection: Connection,
    layer: Layer,
    system: i32,
    key: Key,
    insert: String,
    add_to_index: Option<String>,
    bounds: Option<[f64; 4]>,
    seen: Seen,
    rows: i64,
}

/// Begins a `GeoPackage` with this layer. The schema's metadata may hold a `description` of it.
///
/// # Errors
/// When the target is no file, the system refuses, or a column cannot be held.
pub fn create(sink: Sink, layer: &Layer) -> Result<Box<dyn Writer>, WriteError> {
    let Some(path) = sink.path() else {
        let problem = "it can be written to files only, not to a device or a pipe";
        return Err(io::Error::new(io::ErrorKind::Unsupported, problem).into());
    };
    names::check(layer).map_err(cannot_hold)?;
    let connection = Connection::open(path).map_err(failure)?;
    for (setting, value) in [
        ("journal_mode", "OFF"),
        ("synchronous", "OFF"),
        ("locking_mode", "EXCLUSIVE"),
        ("temp_store", "MEMORY"),
        // 64 MiB, in KiB: the index is filled all over, and pages that leave memory come back.
        ("cache_size", "-65536"),
    ] {
        let set = connection.pragma_update(None, setting, value);
        set.map_err(failure)?;
    }
    let mut file = File {
        sink,
        connection,
        layer: layer.clone(),
        system: tables::UNKNOWN_SYSTEM,
        key: Key::of(layer),
        insert: String::new(),
        add_to_index: None,
        bounds: None,
        seen: Seen::default(),
        rows: 0,
    };
    file.begin()?;
    Ok(Box::new(file))
}

impl File {
    fn new_key(&self) -> Option<&str> {
        match &self.key {
            Key::New(name) => Some(name),
            Key::Own(_) => None,
        }
    }

    fn run(&self, sql: &str) -> Result<(), WriteError> {
        self.connection.execute_batch(sql).map_err(failure)
    }

    fn values(&self, batch: &RecordBatch, column: usize) -> Result<Values, WriteError> {
        let array = batch.column(column);
        let name = self.layer.schema.field(column).name();
        let cannot = |problem| cannot_hold(format!("column {name:?}: {problem}"));
        match self.layer.geometry {
            Some(geometry) if geometry.column == column => {
                let wkb = wkb_column(array, geometry.encoding);
                let wkb = wkb.map_err(|error| cannot(error.to_string()))?;
                Values::of(&(std::sync::Arc::new(wkb) as ArrayRef)).map_err(cannot)
            }
            _ => Values::of(array).map_err(cannot),
        }
    }
}

impl Writer for File {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        let columns = 0..self.layer.schema.fields().len();
        let columns: Result<Vec<_>, _> = columns.map(|i| self.values(batch, i)).collect();
        let columns = columns?;
        let mut insert = self
            .connection
            .prepare_cached(&self.insert)
            .map_err(failure)?;
        let mut add_to_index = match &self.add_to_index {
            Some(add) => Some(self.connection.prepare_cached(add).map_err(failure)?),
            None => None,
        };
        let first = 1 + usize::from(self.new_key().is_some());
        let mut blob = Vec::new();
        for row in 0..batch.num_rows() {
            let number = self.rows + 1;
            let key = match &self.key {
                Key::New(_) => number,
                Key::Own(column) => match columns[*column].get(row) {
                    ValueRef::Integer(key) => key,
                    _ => return Err(cannot_hold(format!("row {number} without a key"))),
                },
            };
            if first == 2 {
                insert.raw_bind_parameter(1, key).map_err(failure)?;
            }
            let mut bounds_of_row = None;
            for (i, column) in columns.iter().enumerate() {
                let mut value = column.get(row);
                if let (true, ValueRef::Blob(wkb)) = (self.layer.is_geometry(i), value) {
                    let wrong = |error: WkbError| {
                        cannot_hold(format!("the geometry of row {number}: {error}"))
                    };
                    bounds_of_row = bounds(wkb).map_err(wrong)?;
                    self.seen.add(wkb).map_err(wrong)?;
                    blob::fill(&mut blob, wkb, self.system, bounds_of_row);
                    value = ValueRef::Blob(&blob);
                }
                let bound = insert.raw_bind_parameter(first + i, ToSqlOutput::Borrowed(value));
                bound.map_err(failure)?;
            }
            insert.raw_execute().map_err(|error| {
                if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) {
                    cannot_hold(format!("row {number}: its key {key} occurs more than once"))
                } else {
                    failure(error)
                }
            })?;
            if let (Some(add), Some([left, right, low, high])) = (&mut add_to_index, bounds_of_row)
            {
                add.execute(params![key, left, right, low, high])
                    .map_err(failure)?;
            }
            self.bounds = union(self.bounds, bounds_of_row);
            self.rows = number;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Sink, WriteError> {
        self.end()?;
        let Self {
            sink, connection, ..
        } = *self;
        connection.close().map_err(|(_, error)| failure(error))?;
        Ok(sink)
    }
}

fn cannot_hold(what: String) -> WriteError {
    WriteError::CannotHold {
        format: FORMAT,
        what,
    }
}

fn failure(error: rusqlite::Error) -> WriteError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => io::Error::from(io::ErrorKind::StorageFull).into(),
        Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::ReadOnly) => {
            io::Error::other(error).into()
        }
        Some(ErrorCode::TooBig) => cannot_hold("a value of more than a gigabyte".to_owned()),
        _ => WriteError::Failed {
            format: FORMAT,
            problem: error.to_string(),
        },
    }
}

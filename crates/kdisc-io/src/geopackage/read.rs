//! Reading a layer, batch by batch.
//!
//! A statement lives no longer than its connection, and neither may wander between threads: so
//! one thread has both, runs ahead by one batch, and ends when nobody listens any more.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use rusqlite::Connection;

use super::connection::{self, failure};
use super::contents::{self, Listed};
use super::values::Column;
use super::{FORMAT, Quoted, types};
use crate::InputError;
use crate::layer::{
    self, BATCH, Batches, Encoding, Geometry, JSON, Layer, PRIMARY_KEY, Reader, with_extension,
    wkb_field,
};

/// A batch ends early when its texts and blobs take so many bytes. With the largest value that
/// `SQLite` can hold added, they stay below the 2 GiB of an Arrow column.
const BATCH_BYTES: usize = 1 << 26;

struct Table {
    path: PathBuf,
    file: String,
    layer: Layer,
    /// The column that tells the order of the rows, quoted; views have none.
    order: Option<String>,
}

/// Opens a layer of a `GeoPackage`: the one asked for, or the only one. `name` is for messages.
///
/// # Errors
/// When the file cannot be read, is no `GeoPackage`, or has not exactly one such layer.
pub fn open(
    path: &Path,
    name: &str,
    layer: Option<&str>,
) -> Result<impl Reader + use<>, InputError> {
    let connection = connection::open(path, name)?;
    let listed = contents::choose(&connection, name, layer)?;
    let (schema, geometry) = columns(&connection, name, &listed)?;
    let crs = match &listed.geometry {
        Some((_, _, system)) => contents::system(&connection, name, *system)?,
        None => None,
    };
    let fail = |error: rusqlite::Error| failure(name, &error);
    let count = format!("SELECT count(*) FROM {}", Quoted(&listed.table));
    let rows: i64 = connection
        .query_row(&count, [], |row| row.get(0))
        .map_err(fail)?;
    let order = order(&connection, &listed.table, &schema);
    Ok(Table {
        path: path.to_owned(),
        file: name.to_owned(),
        order,
        layer: Layer {
            name: listed.table,
            schema,
            geometry,
            crs,
            rows: usize::try_from(rows).ok(),
        },
    })
}

fn columns(
    connection: &Connection,
    file: &str,
    listed: &Listed,
) -> Result<(SchemaRef, Option<Geometry>), InputError> {
    let fail = |error: rusqlite::Error| failure(file, &error);
    let broken = |problem| InputError::broken(file, FORMAT, problem);
    let query = "SELECT name, type, pk, (SELECT max(pk) FROM pragma_table_xinfo(?1))
        FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid";
    let mut statement = connection.prepare(query).map_err(fail)?;
    let found = statement.query_map([&listed.table], |row| {
        let only_key = row.get::<_, i64>(2)? == 1 && row.get::<_, i64>(3)? == 1;
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?, only_key))
    });
    let found: Result<Vec<_>, _> = found.map_err(fail)?.collect();
    let found = found.map_err(fail)?;
    if found.is_empty() {
        let problem = format!("its layer {:?} has no table", listed.table);
        return Err(broken(problem));
    }
    let json = json_columns(connection, &listed.table).map_err(fail)?;
    let mut geometry = None;
    let mut fields = Vec::new();
    for (name, kind, only_key) in found {
        if let Some((column, shape, _)) = &listed.geometry
            && column.eq_ignore_ascii_case(&name)
        {
            geometry = Some(Geometry {
                column: fields.len(),
                encoding: Encoding::Wkb,
                shape: *shape,
            });
            fields.push(wkb_field(&name));
            continue;
        }
        let data_type = match types::declared(&kind) {
            Some(DataType::Timestamp(unit, _))
                if is_without_zone(connection, &listed.table, &name).map_err(fail)? =>
            {
                DataType::Timestamp(unit, None)
            }
            Some(known) => known,
            None => by_values(connection, &listed.table, &name).map_err(fail)?,
        };
        let key = only_key && kind.eq_ignore_ascii_case("INTEGER");
        let mut field = Field::new(&name, data_type, !key);
        if key {
            let mark = (PRIMARY_KEY.to_owned(), "true".to_owned());
            field = field.with_metadata(HashMap::from([mark]));
        } else if *field.data_type() == DataType::Utf8 && json.contains(&name) {
            field = with_extension(field, JSON);
        }
        fields.push(field);
    }
    match &listed.geometry {
        Some((column, ..)) if geometry.is_none() => Err(broken(format!(
            "its layer {:?} has no column {column:?}, where its geometries should be",
            listed.table
        ))),
        _ => Ok((Arc::new(Schema::new(fields)), geometry)),
    }
}

/// Whether no time in a column says in which zone it is. The standard wants UTC everywhere; GDAL
/// writes times without a zone all the same, and tells them apart.
fn is_without_zone(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    let (column, table) = (Quoted(column), Quoted(table));
    let query = format!(
        "SELECT count(*) > 0 AND count(*) = count(CASE WHEN {column} NOT GLOB '*[Zz]'
            AND substr({column}, 12) NOT GLOB '*[+-]*' THEN 1 END)
        FROM {table} WHERE {column} IS NOT NULL"
    );
    connection.query_row(&query, [], |row| row.get(0))
}

fn by_values(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<DataType> {
    let (column, table) = (Quoted(column), Quoted(table));
    let query = format!("SELECT DISTINCT typeof({column}) FROM {table}");
    let mut statement = connection.prepare(&query)?;
    let kinds: rusqlite::Result<Vec<String>> = statement.query_map([], |row| row.get(0))?.collect();
    Ok(types::of_values(&kinds?))
}

/// Columns that hold JSON, as far as the file says.
fn json_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    if !contents::has_table(connection, "gpkg_data_columns")? {
        return Ok(Vec::new());
    }
    let query = "SELECT column_name FROM gpkg_data_columns
        WHERE lower(table_name) = lower(?1) AND mime_type = 'application/json'";
    let mut statement = connection.prepare(query)?;
    statement.query_map([table], |row| row.get(0))?.collect()
}

/// The rows' own number, under the first name that no column has taken.
fn order(connection: &Connection, table: &str, schema: &Schema) -> Option<String> {
    let key = |field: &&Arc<Field>| field.metadata().contains_key(PRIMARY_KEY);
    if let Some(key) = schema.fields().iter().find(key) {
        return Some(Quoted(key.name()).to_string());
    }
    let taken = |name: &str| {
        let mut fields = schema.fields().iter();
        fields.any(|field| field.name().eq_ignore_ascii_case(name))
    };
    let name = ["rowid", "_rowid_", "oid"]
        .into_iter()
        .find(|name| !taken(name))?;
    let query = format!("SELECT {name} FROM {} LIMIT 0", Quoted(table));
    connection.prepare(&query).is_ok().then(|| name.to_owned())
}

impl Reader for Table {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let connection = connection::open(&self.path, &self.file)?;
        let schema = self.layer.project(&self.file, columns)?;
        let fields = schema.fields().iter();
        let names: Vec<_> = fields
            .map(|field| Quoted(field.name()).to_string())
            .collect();
        let scan = Scan {
            file: self.file.clone(),
            layer: self.layer.name.clone(),
            query: format!(
                "SELECT {} FROM {}{}",
                if names.is_empty() {
                    "NULL".to_owned()
                } else {
                    names.join(", ")
                },
                Quoted(&self.layer.name),
                self.order
                    .as_ref()
                    .map_or(String::new(), |order| format!(" ORDER BY {order}")),
            ),
            geometries: columns
                .iter()
                .map(|&column| self.layer.is_geometry(column))
                .collect(),
            schema,
        };
        let (sender, receiver) = sync_channel(1);
        let thread = thread::spawn(move || scan.run(&connection, &sender));
        Ok(Box::new(Stream {
            file: self.file.clone(),
            receiver,
            thread: Some(thread),
        }))
    }
}

type Sent = Result<RecordBatch, InputError>;

struct Stream {
    file: String,
    receiver: Receiver<Sent>,
    thread: Option<JoinHandle<()>>,
}

impl Iterator for Stream {
    type Item = Sent;

    fn next(&mut self) -> Option<Sent> {
        if let Ok(batch) = self.receiver.recv() {
            return Some(batch);
        }
        // Rows must not be lost in silence.
        let failed = self.thread.take()?.join().is_err();
        failed.then(|| Err(InputError::broken(&self.file, FORMAT, "reading it failed")))
    }
}

/// What the thread needs.
struct Scan {
    file: String,
    layer: String,
    query: String,
    schema: SchemaRef,
    geometries: Vec<bool>,
}

impl Scan {
    fn run(&self, connection: &Connection, sender: &SyncSender<Sent>) {
        if let Err(error) = self.send(connection, sender) {
            // If nobody listens, nobody misses it.
            let _ = sender.send(Err(error));
        }
    }

    fn send(&self, connection: &Connection, sender: &SyncSender<Sent>) -> Result<(), InputError> {
        let fail = |error: rusqlite::Error| failure(&self.file, &error);
        let mut statement = connection.prepare(&self.query).map_err(fail)?;
        let mut found = statement.query([]).map_err(fail)?;
        let fields = self.schema.fields().iter().zip(&self.geometries);
        let mut columns: Vec<_> = fields
            .map(|(field, &geometry)| Column::new(field.data_type(), geometry))
            .collect();
        let (mut rows, mut bytes, mut before) = (0, 0, 0);
        while let Some(row) = found.next().map_err(fail)? {
            for (i, column) in columns.iter_mut().enumerate() {
                let value = row.get_ref(i).map_err(fail)?;
                let added = column.add(value);
                bytes += added.map_err(|problem| self.wrong(before + rows + 1, i, &problem))?;
            }
            rows += 1;
            if rows == BATCH || bytes >= BATCH_BYTES {
                if sender.send(self.batch(&mut columns, rows)).is_err() {
                    return Ok(());
                }
                before += rows;
                (rows, bytes) = (0, 0);
            }
        }
        if rows > 0 {
            // If nobody listens, nobody misses it.
            let _ = sender.send(self.batch(&mut columns, rows));
        }
        Ok(())
    }

    fn batch(&self, columns: &mut [Column], rows: usize) -> Sent {
        let arrays = columns.iter_mut().map(Column::finish).collect();
        let batch = layer::batch_of(&self.schema, arrays, rows);
        batch.map_err(|error| {
            InputError::broken(
                &self.file,
                FORMAT,
                format!("layer {:?}: {error}", self.layer),
            )
        })
    }

    fn wrong(&self, row: usize, column: usize, problem: &str) -> InputError {
        let (layer, column) = (&self.layer, self.schema.field(column).name());
        InputError::broken(
            &self.file,
            FORMAT,
            format!("layer {layer:?}, row {row}, column {column:?}: {problem}"),
        )
    }
}

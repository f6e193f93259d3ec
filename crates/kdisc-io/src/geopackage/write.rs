//! Writing a `GeoPackage` of one layer.
//!
//! The database is made in the place that the [`Sink`] gives it, in one transaction and without a
//! journal: a file that fails half-way is thrown away anyway.
//!
//! What is lost: `SQLite` has no number for NaN and makes it null; times are told in milliseconds
//! of UTC, as the standard has it.

use std::io;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Field;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, params};

use super::convert::Values;
use super::names::{self, Key};
use super::schema::{self, Index};
use super::{Quoted, blob, types};
use crate::WriteError;
use crate::crs::Crs;
use crate::geometry::{WkbError, bounds, dimensions, union, wkb_column};
use crate::layer::{JSON, Layer, Shape, Writer, extension};
use crate::output::Sink;

const FORMAT: &str = "GeoPackage";
/// A coordinate system without a code gets this one.
const OWN_SYSTEM: i32 = 100_000;
/// As GDAL has it for a system of which nothing is known.
const UNKNOWN_SYSTEM: i32 = 99_999;

struct File {
    sink: Sink,
    connection: Connection,
    layer: Layer,
    system: i32,
    key: Key,
    insert: String,
    add_to_index: Option<String>,
    bounds: Option<[f64; 4]>,
    /// Which geometries have heights, and which have measures.
    dimensions: [Seen; 2],
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
        system: UNKNOWN_SYSTEM,
        key: Key::of(layer),
        insert: String::new(),
        add_to_index: None,
        bounds: None,
        dimensions: [Seen::default(); 2],
        rows: 0,
    };
    file.begin()?;
    Ok(Box::new(file))
}

/// Whether something was seen in some geometries, and missed in others.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    with: bool,
    without: bool,
}

impl Seen {
    fn add(&mut self, is_there: bool) {
        self.with |= is_there;
        self.without |= !is_there;
    }

    /// Forbidden (0), in all (1), or in some (2), as GeoPackage counts.
    fn code(self) -> u8 {
        match (self.with, self.without) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        }
    }
}

impl File {
    fn begin(&mut self) -> Result<(), WriteError> {
        let start = format!(
            "PRAGMA application_id = {}; PRAGMA user_version = {}; BEGIN; {}",
            schema::APPLICATION,
            schema::VERSION,
            schema::CORE
        );
        self.run(&start)?;
        if self.layer.geometry.is_some() {
            self.system = self.add_system()?;
        }
        let table = Quoted(&self.layer.name);
        let create = format!("CREATE TABLE {table} ({})", self.columns()?.join(", "));
        self.run(&create)?;
        let columns = self.layer.schema.fields().len() + usize::from(self.new_key().is_some());
        let places: Vec<_> = (1..=columns).map(|i| format!("?{i}")).collect();
        self.insert = format!("INSERT INTO {table} VALUES ({})", places.join(", "));
        if let Some(index) = self.index() {
            let name = index.name();
            let add = format!("INSERT INTO {} VALUES (?1, ?2, ?3, ?4, ?5)", Quoted(&name));
            self.run(&index.table())?;
            self.add_to_index = Some(add);
        }
        Ok(())
    }

    /// The definitions of the columns.
    fn columns(&self) -> Result<Vec<String>, WriteError> {
        let mut columns = Vec::new();
        if let Some(name) = self.new_key() {
            columns.push(format!("{} INTEGER PRIMARY KEY NOT NULL", Quoted(name)));
        }
        for (i, field) in self.layer.schema.fields().iter().enumerate() {
            let kind = match &self.key {
                Key::Own(key) if *key == i => "INTEGER PRIMARY KEY NOT NULL",
                _ if self.layer.is_geometry(i) => self.shape(),
                _ => types::sql(field.data_type()).unwrap_or("TEXT"),
            };
            columns.push(format!("{} {kind}", Quoted(field.name())));
        }
        // The library's own word would be about syntax.
        if columns.len() > 2000 {
            return Err(cannot_hold(format!("{} columns", columns.len())));
        }
        Ok(columns)
    }

    fn new_key(&self) -> Option<&str> {
        match &self.key {
            Key::New(name) => Some(name),
            Key::Own(_) => None,
        }
    }

    fn shape(&self) -> &'static str {
        match self.layer.geometry.map(|geometry| geometry.shape) {
            Some(Shape::Point) => "POINT",
            Some(Shape::Polygon) => "POLYGON",
            _ => "GEOMETRY",
        }
    }

    fn index(&self) -> Option<Index<'_>> {
        let field = |column: usize| self.layer.schema.field(column).name().as_str();
        let geometry = self.layer.geometry?;
        Some(Index {
            table: &self.layer.name,
            geometry: field(geometry.column),
            key: match &self.key {
                Key::Own(column) => field(*column),
                Key::New(name) => name,
            },
        })
    }

    /// Writes down the layer's coordinate system, and tells its number.
    fn add_system(&self) -> Result<i32, WriteError> {
        let code = |system: &Crs| system.epsg().and_then(|code| i32::try_from(code).ok());
        let (number, organization, name, definition) = match &self.layer.crs {
            None => (
                UNKNOWN_SYSTEM,
                "NONE",
                "Undefined SRS".to_owned(),
                "undefined".to_owned(),
            ),
            Some(system) => {
                let definition = system.wkt();
                let name = system.name().to_owned();
                match (code(system), definition) {
                    (Some(4326), _) => return Ok(4326),
                    (Some(code), definition) => {
                        let definition = definition.unwrap_or_else(|| "undefined".to_owned());
                        (code, "EPSG", name, definition)
                    }
                    (None, Some(definition)) => (OWN_SYSTEM, "NONE", name, definition),
                    (None, None) => {
                        let what = format!("the coordinate system {name:?}, which has no WKT");
                        return Err(cannot_hold(what));
                    }
                }
            }
        };
        let insert = "INSERT INTO gpkg_spatial_ref_sys VALUES (?1, ?2, ?3, ?2, ?4, NULL)";
        let values = params![name, number, organization, definition];
        self.connection.execute(insert, values).map_err(failure)?;
        Ok(number)
    }

    fn run(&self, sql: &str) -> Result<(), WriteError> {
        self.connection.execute_batch(sql).map_err(failure)
    }

    /// Completes the tables that tell of the layer.
    fn end(&self) -> Result<(), WriteError> {
        let name = &self.layer.name;
        let description = self.layer.schema.metadata().get("description");
        let kind = if self.layer.geometry.is_some() {
            "features"
        } else {
            "attributes"
        };
        let system = self.layer.geometry.is_some().then_some(self.system);
        let sides = self.bounds.map_or([None; 4], |sides| sides.map(Some));
        let [left, right, low, high] = sides;
        let insert = "INSERT INTO gpkg_contents VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let description = description.map_or("", String::as_str);
        let change = schema::LAST_CHANGE;
        let values = params![
            name,
            kind,
            description,
            change,
            left,
            low,
            right,
            high,
            system
        ];
        self.connection.execute(insert, values).map_err(failure)?;
        if let Some(index) = self.index() {
            let insert = "INSERT INTO gpkg_geometry_columns VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let [z, m] = self.dimensions.map(Seen::code);
            let values = params![name, index.geometry, self.shape(), self.system, z, m];
            self.connection.execute(insert, values).map_err(failure)?;
            let insert = "INSERT INTO gpkg_extensions VALUES (?1, ?2, 'gpkg_rtree_index',
                'http://www.geopackage.org/spec130/#extension_rtree', 'write-only')";
            let values = params![name, index.geometry];
            self.connection.execute(insert, values).map_err(failure)?;
            self.run(&index.triggers())?;
        }
        let fields = self.layer.schema.fields().iter().enumerate();
        let fields = fields.filter(|(i, _)| !self.layer.is_geometry(*i));
        let json: Vec<_> = fields.filter(|(_, field)| is_json(field)).collect();
        if !json.is_empty() {
            self.run(schema::DATA_COLUMNS)?;
        }
        for (_, field) in json {
            let insert = "INSERT INTO gpkg_data_columns
                VALUES (?1, ?2, NULL, NULL, NULL, 'application/json', NULL)";
            let values = params![name, field.name()];
            self.connection.execute(insert, values).map_err(failure)?;
        }
        self.run("COMMIT")
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
                    let dimensions = dimensions(wkb).map_err(wrong)?;
                    for (seen, has) in self.dimensions.iter_mut().zip(dimensions) {
                        seen.add(has);
                    }
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

fn is_json(field: &Field) -> bool {
    extension(field) == Some(JSON) || field.data_type().is_nested()
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

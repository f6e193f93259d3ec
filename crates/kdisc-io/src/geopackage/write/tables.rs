//! The tables of a `GeoPackage` that tell of its layer.

use arrow_schema::Field;
use rusqlite::params;

use super::super::names::Key;
use super::super::schema::{self, Index};
use super::super::{Quoted, types};
use super::{File, cannot_hold, failure};
use crate::WriteError;
use crate::crs::Crs;
use crate::layer::{JSON, extension};

/// A coordinate system without a code gets this one.
const OWN_SYSTEM: i32 = 100_000;
/// As GDAL has it for a system of which nothing is known.
pub(super) const UNKNOWN_SYSTEM: i32 = 99_999;

impl File {
    /// Makes the tables.
    pub(super) fn begin(&mut self) -> Result<(), WriteError> {
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

    fn shape(&self) -> &'static str {
        self.seen
            .shape(self.layer.geometry.map(|geometry| geometry.shape))
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

    /// Completes the tables that tell of the layer.
    pub(super) fn end(&self) -> Result<(), WriteError> {
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
            let [z, m] = self.seen.dimensions();
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
}

fn is_json(field: &Field) -> bool {
    extension(field) == Some(JSON) || field.data_type().is_nested()
}

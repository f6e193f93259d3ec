//! The tables that make a database a `GeoPackage` (version 1.3).

use std::fmt::Write;

use super::Quoted;

/// "GPKG"
pub(super) const APPLICATION: i32 = 0x4750_4B47;
/// Version 1.3: what it lacks against 1.4 is not used here, and older programs know it.
pub(super) const VERSION: i32 = 10_300;

/// The same rows must give the same bytes: the time of writing is not told.
pub(super) const LAST_CHANGE: &str = "2000-01-01T00:00:00.000Z";

pub(super) const CORE: &str = r#"
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL PRIMARY KEY,
  organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL,
  definition TEXT NOT NULL,
  description TEXT
);
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined',
   'undefined Cartesian coordinate reference system'),
  ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined',
   'undefined geographic coordinate reference system'),
  ('WGS 84', 4326, 'EPSG', 4326,
   'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]',
   'longitude and latitude on the WGS 84 spheroid');
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY,
  data_type TEXT NOT NULL,
  identifier TEXT UNIQUE,
  description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  min_x DOUBLE,
  min_y DOUBLE,
  max_x DOUBLE,
  max_y DOUBLE,
  srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
);
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL,
  column_name TEXT NOT NULL,
  geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL,
  z TINYINT NOT NULL,
  m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
  CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
);
CREATE TABLE gpkg_extensions (
  table_name TEXT,
  column_name TEXT,
  extension_name TEXT NOT NULL,
  definition TEXT NOT NULL,
  scope TEXT NOT NULL,
  CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
);
"#;

/// For columns that hold JSON.
pub(super) const DATA_COLUMNS: &str = "
CREATE TABLE gpkg_data_columns (
  table_name TEXT NOT NULL,
  column_name TEXT NOT NULL,
  name TEXT,
  title TEXT,
  description TEXT,
  mime_type TEXT,
  constraint_name TEXT,
  CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
  CONSTRAINT gdc_tn UNIQUE (table_name, name)
);
CREATE TABLE gpkg_data_column_constraints (
  constraint_name TEXT NOT NULL,
  constraint_type TEXT NOT NULL,
  value TEXT,
  min NUMERIC,
  min_is_inclusive BOOLEAN,
  max NUMERIC,
  max_is_inclusive BOOLEAN,
  description TEXT,
  CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value)
);
INSERT INTO gpkg_extensions VALUES
  ('gpkg_data_columns', NULL, 'gpkg_schema',
   'http://www.geopackage.org/spec130/#extension_schema', 'read-write'),
  ('gpkg_data_column_constraints', NULL, 'gpkg_schema',
   'http://www.geopackage.org/spec130/#extension_schema', 'read-write');
";

/// A spatial index of a table, by the standard's extension.
pub(super) struct Index<'a> {
    pub table: &'a str,
    pub geometry: &'a str,
    pub key: &'a str,
}

impl Index<'_> {
    /// What its table is called.
    pub fn name(&self) -> String {
        format!("rtree_{}_{}", self.table, self.geometry)
    }

    /// Its table.
    pub fn table(&self) -> String {
        let name = self.name();
        let name = Quoted(&name);
        format!("CREATE VIRTUAL TABLE {name} USING rtree(id, minx, maxx, miny, maxy)")
    }

    /// What other programs must do when they change rows: the standard has it done by triggers,
    /// with functions that such programs bring along.
    pub fn triggers(&self) -> String {
        let name = self.name();
        let (index, table) = (Quoted(&name), Quoted(self.table));
        let (c, i) = (Quoted(self.geometry), Quoted(self.key));
        let full = format!("(NEW.{c} NOTNULL AND NOT ST_IsEmpty(NEW.{c}))");
        let empty = format!("(NEW.{c} ISNULL OR ST_IsEmpty(NEW.{c}))");
        let add = format!(
            "INSERT OR REPLACE INTO {index} VALUES (NEW.{i}, ST_MinX(NEW.{c}), ST_MaxX(NEW.{c}), \
             ST_MinY(NEW.{c}), ST_MaxY(NEW.{c}));"
        );
        let remove = format!("DELETE FROM {index} WHERE id = OLD.{i};");
        let remove_both = format!("DELETE FROM {index} WHERE id IN (OLD.{i}, NEW.{i});");
        let (same, other) = (format!("OLD.{i} = NEW.{i}"), format!("OLD.{i} != NEW.{i}"));
        let triggers = [
            ("insert", "INSERT".to_owned(), full.clone(), add.clone()),
            (
                "update1",
                format!("UPDATE OF {c}"),
                format!("{same} AND {full}"),
                add.clone(),
            ),
            (
                "update2",
                format!("UPDATE OF {c}"),
                format!("{same} AND {empty}"),
                remove.clone(),
            ),
            (
                "update3",
                "UPDATE".to_owned(),
                format!("{other} AND {full}"),
                format!("{remove} {add}"),
            ),
            (
                "update4",
                "UPDATE".to_owned(),
                format!("{other} AND {empty}"),
                remove_both,
            ),
            (
                "delete",
                "DELETE".to_owned(),
                format!("OLD.{c} NOTNULL"),
                remove,
            ),
        ];
        let mut sql = String::new();
        for (suffix, event, condition, action) in triggers {
            let trigger = format!("{name}_{suffix}");
            let trigger = Quoted(&trigger);
            writeln!(
                sql,
                "CREATE TRIGGER {trigger} AFTER {event} ON {table} WHEN {condition} \
                 BEGIN {action} END;"
            )
            .expect("writing to a string does not fail");
        }
        sql
    }
}

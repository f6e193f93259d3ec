//! What a `GeoPackage` says it holds: its layers, their geometries and coordinate systems.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use super::FORMAT;
use super::connection::{self, failure};
use crate::InputError;
use crate::crs::Crs;
use crate::layer::Shape;
use crate::nearest::{nearest, plain};

/// A layer, as the table of contents tells of it.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub table: String,
    /// The column of the geometries, their type, and their system.
    pub geometry: Option<(String, Shape, i64)>,
    features: bool,
}

/// The names of all layers.
///
/// # Errors
/// When the file cannot be read or is no `GeoPackage`.
pub fn layers(path: &Path) -> Result<Vec<String>, InputError> {
    let name = path.display().to_string();
    let connection = connection::open(path, &name)?;
    let listed = listed(&connection, &name)?;
    Ok(listed.into_iter().map(|layer| layer.table).collect())
}

/// The layer asked for, or the only one there is.
pub(super) fn choose(
    connection: &Connection,
    file: &str,
    asked: Option<&str>,
) -> Result<Listed, InputError> {
    let listed = listed(connection, file)?;
    let names = |of: &[Listed]| of.iter().map(|layer| layer.table.clone()).collect();
    if let Some(asked) = asked {
        let layers: Vec<String> = names(&listed);
        let found = listed.into_iter().find(|layer| layer.table == asked);
        return found.ok_or_else(|| InputError::MissingLayer {
            file: file.to_owned(),
            layer: asked.to_owned(),
            nearest: nearest(asked, &layers, plain),
            layers,
        });
    }
    let features: Vec<_> = listed.iter().filter(|layer| layer.features).collect();
    match (&features[..], &listed[..]) {
        ([only], _) => Ok((*only).clone()),
        ([], [only]) => Ok(only.clone()),
        ([], []) => Err(InputError::unsupported(
            file,
            "a GeoPackage without layers of features or attributes",
        )),
        _ => Err(InputError::SeveralLayers {
            file: file.to_owned(),
            layers: names(&listed),
        }),
    }
}

fn listed(connection: &Connection, file: &str) -> Result<Vec<Listed>, InputError> {
    let fail = |error: rusqlite::Error| failure(file, &error);
    if !has_table(connection, "gpkg_contents").map_err(fail)? {
        return Err(InputError::NotThat {
            file: file.to_owned(),
            expected: FORMAT,
            found: "it is an SQLite database without the table gpkg_contents".to_owned(),
        });
    }
    let geometries = if has_table(connection, "gpkg_geometry_columns").map_err(fail)? {
        "SELECT table_name AS name, column_name, geometry_type_name, srs_id
         FROM gpkg_geometry_columns"
    } else {
        "SELECT NULL AS name, NULL AS column_name, NULL AS geometry_type_name, NULL AS srs_id"
    };
    let query = format!(
        "SELECT c.table_name, lower(c.data_type) = 'features', column_name, geometry_type_name,
             g.srs_id
         FROM gpkg_contents AS c LEFT JOIN ({geometries}) AS g ON lower(name) = lower(c.table_name)
         WHERE lower(c.data_type) IN ('features', 'attributes', 'aspatial') ORDER BY c.rowid"
    );
    let mut statement = connection.prepare(&query).map_err(fail)?;
    let rows = statement.query_map([], |row| {
        let column: Option<String> = row.get(2)?;
        let kind: Option<String> = row.get(3)?;
        let shape = match kind.unwrap_or_default().to_ascii_uppercase().as_str() {
            "POINT" => Shape::Point,
            "POLYGON" => Shape::Polygon,
            _ => Shape::Any,
        };
        let system = row.get::<_, Option<i64>>(4)?.unwrap_or_default();
        Ok(Listed {
            table: row.get(0)?,
            geometry: column.map(|column| (column, shape, system)),
            features: row.get(1)?,
        })
    });
    let rows = rows.map_err(fail)?;
    let mut listed: Vec<Listed> = rows.collect::<Result<_, _>>().map_err(fail)?;
    // A second column of geometries is against the standard, and does not make a second layer.
    listed.dedup_by(|second, first| second.table == first.table);
    Ok(listed)
}

/// The coordinate system with this number in the file.
pub(super) fn system(
    connection: &Connection,
    file: &str,
    number: i64,
) -> Result<Option<Crs>, InputError> {
    // By the standard: not defined, in a plane and on a globe.
    if number == -1 || number == 0 {
        return Ok(None);
    }
    let fail = |error: rusqlite::Error| failure(file, &error);
    let newer =
        has_column(connection, "gpkg_spatial_ref_sys", "definition_12_063").map_err(fail)?;
    let query = format!(
        "SELECT organization, organization_coordsys_id, definition, {}
         FROM gpkg_spatial_ref_sys WHERE srs_id = ?1",
        if newer { "definition_12_063" } else { "NULL" }
    );
    let found = connection.query_row(&query, [number], |row| {
        let organization: Option<String> = row.get(0)?;
        let code: Option<i64> = row.get(1)?;
        let definitions: [Option<String>; 2] = [row.get(2)?, row.get(3)?];
        Ok((organization.unwrap_or_default(), code, definitions))
    });
    let Some((organization, code, definitions)) = found.optional().map_err(fail)? else {
        return Err(InputError::broken(
            file,
            FORMAT,
            format!("its coordinate system {number} is not in gpkg_spatial_ref_sys"),
        ));
    };
    let code = code.and_then(|code| u32::try_from(code).ok());
    let code = code.filter(|_| organization.eq_ignore_ascii_case("EPSG"));
    let by_code = code.map(Crs::from_epsg);
    if let Some(Ok(system)) = by_code {
        return Ok(Some(system));
    }
    let mut problem = by_code.and_then(Result::err);
    for definition in definitions.iter().flatten().filter(|text| is_defined(text)) {
        match Crs::from_wkt(definition) {
            Ok(system) => return Ok(Some(system)),
            Err(error) => problem = Some(error),
        }
    }
    match problem {
        None => Ok(None),
        Some(source) => Err(InputError::crs(file)(source)),
    }
}

/// Whether it says anything. GDAL has a definition that says that there is none.
fn is_defined(definition: &str) -> bool {
    let plain = definition.trim().to_ascii_lowercase();
    let named = plain.split('"').nth(1).unwrap_or_default();
    !plain.is_empty() && !plain.starts_with("undefined") && !named.starts_with("undefined")
}

pub(super) fn has_table(connection: &Connection, table: &str) -> rusqlite::Result<bool> {
    let query = "SELECT 1 FROM sqlite_schema WHERE lower(name) = ?1";
    let found = connection.query_row(query, [table], |_| Ok(()));
    Ok(found.optional()?.is_some())
}

fn has_column(connection: &Connection, table: &str, column: &str) -> rusqlite::Result<bool> {
    let query = "SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2";
    let found = connection.query_row(query, [table, column], |_| Ok(()));
    Ok(found.optional()?.is_some())
}

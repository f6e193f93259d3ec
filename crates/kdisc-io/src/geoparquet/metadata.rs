//! What `GeoParquet` says of its geometry columns: a piece of JSON under the key `geo`.

use arrow_schema::SchemaRef;
use serde_json::{Map, Value, json};

use crate::InputError;
use crate::crs::Crs;
use crate::geoarrow;
use crate::geometry::holds_wkb;
use crate::layer::{Encoding, Geometry, Layer, Shape};

/// The key of the metadata.
pub(super) const KEY: &str = "geo";

/// The primary geometry column and its coordinate system; `None` if there is no metadata.
pub(super) fn read(
    file: &str,
    schema: &SchemaRef,
) -> Result<Option<(Geometry, Option<Crs>)>, InputError> {
    let Some(text) = schema.metadata().get(KEY) else {
        return Ok(None);
    };
    let wrong = |problem: String| InputError::broken(file, "GeoParquet", problem);
    let geo: Value = serde_json::from_str(text)
        .map_err(|error| wrong(format!("its metadata \"geo\" are not JSON: {error}")))?;
    let name = geo["primary_column"]
        .as_str()
        .ok_or_else(|| wrong("its metadata \"geo\" name no primary column".to_owned()))?;
    let column = schema
        .index_of(name)
        .map_err(|_| wrong(format!("its primary column {name:?} is not there")))?;
    let about = &geo["columns"][name];
    let found = schema.field(column).data_type();
    let encoding = match about["encoding"].as_str() {
        Some("WKB") if holds_wkb(found) => Encoding::Wkb,
        Some("WKB") => {
            return Err(wrong(format!(
                "column {name:?} should hold WKB, but is {found}"
            )));
        }
        Some("point") => geoarrow::native(found).ok_or_else(|| {
            wrong(format!(
                "column {name:?} should hold points, but is {found}"
            ))
        })?,
        other => {
            return Err(InputError::unsupported(
                file,
                format!(
                    "column {name:?} holds geometries in the encoding {}, and kdisc reads WKB and point",
                    other.unwrap_or("(none)")
                ),
            ));
        }
    };
    let crs = match about.get("crs") {
        // By the specification; a null is what says that it is unknown.
        None => Some(Crs::wgs84()),
        Some(Value::Null) => None,
        Some(json) => Some(Crs::from_projjson(json).map_err(InputError::crs(file))?),
    };
    let geometry = Geometry {
        column,
        encoding,
        shape: shape(&about["geometry_types"]),
    };
    Ok(Some((geometry, crs)))
}

fn shape(types: &Value) -> Shape {
    let types: Vec<_> = types.as_array().into_iter().flatten().collect();
    let all = |name: &str| {
        let is = |found: &&Value| found.as_str().is_some_and(|found| found.starts_with(name));
        !types.is_empty() && types.iter().all(is)
    };
    if all("Point") {
        Shape::Point
    } else if all("Polygon") {
        Shape::Polygon
    } else {
        Shape::Any
    }
}

/// The metadata of a layer: those it came with, or new ones.
pub(crate) fn write(layer: &Layer, geometry: Geometry) -> String {
    if let Some(known) = known(layer) {
        return known;
    }
    let name = layer.schema.field(geometry.column).name();
    let encoding = match geometry.encoding {
        Encoding::Wkb => "WKB",
        Encoding::Separated | Encoding::Interleaved => "point",
    };
    let types = match geometry.shape {
        Shape::Point => json!(["Point"]),
        Shape::Polygon => json!(["Polygon"]),
        Shape::Any => json!([]),
    };
    let crs = layer.crs.as_ref().and_then(Crs::projjson);
    let mut columns = Map::new();
    columns.insert(
        name.clone(),
        json!({ "encoding": encoding, "geometry_types": types, "crs": crs }),
    );
    json!({ "version": "1.1.0", "primary_column": name, "columns": columns }).to_string()
}

/// The metadata that a layer came with, in which only the coordinate system may be another now.
fn known(layer: &Layer) -> Option<String> {
    let text = layer.schema.metadata().get(KEY)?;
    let (geometry, crs) = read("", &layer.schema).ok()??;
    if layer.geometry.map(|found| found.column) != Some(geometry.column) {
        return None;
    }
    if crs == layer.crs {
        return Some(text.clone());
    }
    let mut geo: Value = serde_json::from_str(text).ok()?;
    let name = layer.schema.field(geometry.column).name();
    let about = geo.get_mut("columns")?.get_mut(name)?.as_object_mut()?;
    let crs = layer.crs.as_ref().and_then(Crs::projjson);
    about.insert("crs".to_owned(), json!(crs));
    Some(geo.to_string())
}

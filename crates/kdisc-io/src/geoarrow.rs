//! Geometries in Arrow columns, as `GeoArrow` marks them: the extension `geoarrow.wkb` or
//! `geoarrow.point`, and the coordinate system in the extension's metadata.

use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde_json::{Value, json};

use crate::InputError;
use crate::crs::Crs;
use crate::geometry::holds_wkb;
use crate::layer::{
    EXTENSION_METADATA, Encoding, Geometry, Layer, POINT, Shape, WKB, extension, with_extension,
};

/// The first geometry column and its coordinate system, if there is one.
pub(crate) fn read(
    file: &str,
    schema: &SchemaRef,
) -> Result<Option<(Geometry, Option<Crs>)>, InputError> {
    for (column, field) in schema.fields().iter().enumerate() {
        let encoding = match extension(field) {
            Some(WKB | "ogc.wkb") => holds_wkb(field.data_type()).then_some(Encoding::Wkb),
            Some(POINT) => native(field.data_type()),
            _ => continue,
        };
        let Some(encoding) = encoding else {
            return Err(InputError::broken(
                file,
                "Arrow",
                format!(
                    "column {:?} is marked as geometries, but is {}",
                    field.name(),
                    field.data_type()
                ),
            ));
        };
        let crs = crs(field).map_err(InputError::crs(file))?;
        let shape = if encoding == Encoding::Wkb {
            Shape::Any
        } else {
            Shape::Point
        };
        let geometry = Geometry {
            column,
            encoding,
            shape,
        };
        return Ok(Some((geometry, crs)));
    }
    Ok(None)
}

/// How a column of this type holds points as coordinates, if it does.
pub(crate) fn native(found: &DataType) -> Option<Encoding> {
    use DataType::{FixedSizeList, Float64, Struct};
    match found {
        Struct(fields) if fields.len() >= 2 => {
            let is = |i: usize, name| fields[i].name() == name && *fields[i].data_type() == Float64;
            (is(0, "x") && is(1, "y")).then_some(Encoding::Separated)
        }
        FixedSizeList(item, size) if *size >= 2 && *item.data_type() == Float64 => {
            Some(Encoding::Interleaved)
        }
        _ => None,
    }
}

fn crs(field: &Field) -> Result<Option<Crs>, crate::crs::CrsError> {
    let Some(metadata) = field.metadata().get(EXTENSION_METADATA) else {
        return Ok(None);
    };
    let metadata: Value = serde_json::from_str(metadata).unwrap_or(Value::Null);
    match &metadata["crs"] {
        Value::Null => Ok(None),
        Value::String(text) => Crs::parse(text).map(Some),
        json => Crs::from_projjson(json).map(Some),
    }
}

/// The schema of a layer with its geometries marked, and in which system they are.
pub(crate) fn marked(layer: &Layer) -> SchemaRef {
    let Some(geometry) = layer.geometry else {
        return Arc::clone(&layer.schema);
    };
    let name = match geometry.encoding {
        Encoding::Wkb => WKB,
        Encoding::Separated | Encoding::Interleaved => POINT,
    };
    let fields = layer.schema.fields().iter().enumerate().map(|(i, field)| {
        let field = field.as_ref().clone();
        let has_metadata = field.metadata().contains_key(EXTENSION_METADATA);
        let same = has_metadata && crs(&field).is_ok_and(|crs| crs == layer.crs);
        if i != geometry.column || same {
            return field;
        }
        let field = with_extension(field, name);
        let mut metadata = field.metadata().clone();
        metadata.remove(EXTENSION_METADATA);
        if let Some(crs) = layer.crs.as_ref().and_then(Crs::projjson) {
            let about = json!({ "crs": crs, "crs_type": "projjson" });
            metadata.insert(EXTENSION_METADATA.to_owned(), about.to_string());
        }
        field.with_metadata(metadata)
    });
    let fields: Vec<_> = fields.collect();
    Arc::new(Schema::new_with_metadata(
        fields,
        layer.schema.metadata().clone(),
    ))
}

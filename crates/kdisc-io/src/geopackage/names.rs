//! Names of columns: which `SQLite` takes, and which is that of the key.

use std::collections::HashMap;

use arrow_schema::DataType;

use crate::layer::{Layer, PRIMARY_KEY};

/// The column that numbers the rows.
pub(super) enum Key {
    /// A column of the layer.
    Own(usize),
    /// Made up here, under this name.
    New(String),
}

impl Key {
    /// The layer's own key, if it has a usable one; else a name that no column has.
    pub fn of(layer: &Layer) -> Self {
        let fields = layer.schema.fields();
        let own = fields.iter().position(|field| {
            field.metadata().contains_key(PRIMARY_KEY) && *field.data_type() == DataType::Int64
        });
        if let Some(own) = own {
            return Self::Own(own);
        }
        let taken = |name: &str| {
            fields
                .iter()
                .any(|field| field.name().eq_ignore_ascii_case(name))
        };
        let names = (2..).map(|i| format!("fid_{i}"));
        let mut names = std::iter::once("fid".to_owned()).chain(names);
        let free = names.find(|name| !taken(name));
        Self::New(free.unwrap_or_default())
    }
}

/// Names that `SQLite` takes for the same, or not at all.
pub(super) fn check(layer: &Layer) -> Result<(), String> {
    let mut seen = HashMap::new();
    for field in layer.schema.fields() {
        let name = field.name();
        if name.contains('\0') {
            return Err(format!("a column named {name:?}"));
        }
        if let Some(other) = seen.insert(name.to_ascii_lowercase(), name) {
            let what = format!("both column {other:?} and column {name:?}: case does not count");
            return Err(what);
        }
    }
    let name = layer.name.to_ascii_lowercase();
    let reserved = ["sqlite_", "gpkg_", "rtree_"];
    if name.is_empty() || name.contains('\0') || reserved.iter().any(|word| name.starts_with(word))
    {
        return Err(format!("a layer named {:?}", layer.name));
    }
    Ok(())
}

//! The first pass: which columns there are, and how many rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{Field, Schema};

use super::kinds::{Kinds, is_text};
use super::object::{self, Object};
use super::rows::Rows;
use super::scan::{At, Head, Scanner, Trouble};
use super::{FEATURE_ID, FORMAT, geometry};
use crate::InputError;
use crate::content::Content;
use crate::crs::Crs;
use crate::geometry::Kind;
use crate::layer::{self, Batches, Encoding, Geometry, Layer, Reader, Shape};

/// An open file of `GeoJSON`.
#[derive(Debug)]
pub struct GeoJson {
    pub(super) content: Content,
    pub(super) file: String,
    pub(super) layer: Layer,
    /// The column of each property.
    pub(super) properties: HashMap<String, usize>,
    /// The column of the features' `id`.
    pub(super) id: Option<usize>,
}

/// Opens `GeoJSON`; `name` is for messages, `stem` names the layer if the file does not.
///
/// # Errors
/// When it cannot be read or is no `GeoJSON`.
pub fn open(content: Content, name: &str, stem: &str) -> Result<GeoJson, InputError> {
    let mut survey = Survey::default();
    let reader = content.reader().map_err(InputError::read(name))?;
    let mut scanner = Scanner::new(reader);
    let mut crs = None;
    let mut named = None;
    let mut description = None;
    loop {
        let more = match scanner.advance() {
            Ok(more) => more,
            Err(trouble) => return Err(failure(trouble, name, survey.rows)),
        };
        // Only what was first counts: of many features a line, each may have a name of its own.
        let head = scanner.head();
        if survey.rows == 0 || crs.is_none() {
            crs.clone_from(&head.crs);
        }
        if is_collection(head) {
            named = named.or_else(|| head.name.clone());
            description = description.or_else(|| head.description.clone());
        }
        if !more {
            break;
        }
        let problem = survey.row(scanner.text());
        problem.map_err(|problem| problem.at(scanner.begin(), name, survey.rows))?;
        survey.rows += 1;
    }
    if survey.rows == 0 && !is_collection(scanner.head()) {
        return Err(InputError::Empty {
            file: name.to_owned(),
        });
    }
    let crs = system(crs.as_deref(), name)?;
    let text = |json: Option<Vec<u8>>| json.and_then(|json| serde_json::from_slice(&json).ok());
    let layer_name: Option<String> = text(named);
    let layer_name = layer_name.filter(|found| !found.is_empty());
    let layer_name = layer_name.unwrap_or_else(|| stem.to_owned());
    Ok(survey.finish(content, name, layer_name, crs, text(description)))
}

fn is_collection(head: &Head) -> bool {
    head.kind.as_deref() == Some(b"\"FeatureCollection\"")
}

impl Reader for GeoJson {
    fn layer(&self) -> &Layer {
        &self.layer
    }

    fn batches(&self, columns: &[usize]) -> Result<Batches<'_>, InputError> {
        let mut rows = Rows::new(self, columns)?;
        Ok(layer::in_turn(move || rows.batch()))
    }
}

/// What is wrong with a feature.
pub(super) enum Problem {
    /// It is no JSON.
    Json(serde_json::Error),
    /// It is something else.
    NoFeature(String),
    /// It is a feature, but wrong.
    Other(String),
}

impl Problem {
    /// The same, with the place: where the feature begins, the file, and how many went before.
    pub fn at(self, begin: At, file: &str, before: usize) -> InputError {
        match self {
            Self::Json(error) => {
                let first = error.line() <= 1;
                let at = At {
                    line: begin.line + error.line().saturating_sub(1),
                    column: error.column() + if first { begin.column - 1 } else { 0 },
                };
                // Without the place that serde_json gives, which is within the feature.
                let text = error.to_string();
                let what = text
                    .rsplit_once(" at line ")
                    .map_or(&*text, |(what, _)| what);
                broken(at, what, file, before)
            }
            Self::NoFeature(found) if before == 0 => not_that(found, file),
            Self::NoFeature(problem) | Self::Other(problem) => {
                broken(begin, &problem, file, before)
            }
        }
    }
}

/// In the words of the crate; `before` features were in order.
pub(super) fn failure(trouble: Trouble, file: &str, before: usize) -> InputError {
    match trouble {
        Trouble::Io(source) => InputError::read(file)(source),
        Trouble::Broken(At { line: 1, column: 1 }, found) => not_that(found, file),
        Trouble::Broken(at, problem) => broken(at, &problem, file, before),
    }
}

fn not_that(found: String, file: &str) -> InputError {
    InputError::NotThat {
        file: file.to_owned(),
        expected: FORMAT,
        found,
    }
}

fn broken(at: At, problem: &str, file: &str, before: usize) -> InputError {
    let At { line, column } = at;
    let feature = before + 1;
    InputError::broken(
        file,
        FORMAT,
        format!("feature {feature}, line {line}, column {column}: {problem}"),
    )
}

/// A row: a feature, or a geometry by itself.
pub(super) struct Row<'a> {
    pub geometry: Option<&'a str>,
    pub properties: Option<Object<'a>>,
    pub id: Option<&'a str>,
}

/// Takes the text of a row apart.
pub(super) fn row(text: &[u8]) -> Result<Row<'_>, Problem> {
    let object: Object = serde_json::from_slice(text).map_err(Problem::Json)?;
    let kind = object.get("type").map(serde_json::value::RawValue::get);
    let not_null = |name| {
        let value = object.get(name).map(serde_json::value::RawValue::get);
        value.filter(|value| *value != "null")
    };
    match kind {
        Some(kind) if is_text(kind, "Feature") => {
            let properties = match not_null("properties") {
                None => None,
                Some(text) => Some(serde_json::from_str(text).map_err(|_| {
                    let found = geometry::short(text);
                    Problem::Other(format!("expected properties in an object, found {found}"))
                })?),
            };
            Ok(Row {
                geometry: not_null("geometry"),
                properties,
                id: not_null("id"),
            })
        }
        Some(_)
            if object
                .get("coordinates")
                .or(object.get("geometries"))
                .is_some() =>
        {
            let text = std::str::from_utf8(text);
            Ok(Row {
                geometry: Some(text.map_err(|error| Problem::Other(error.to_string()))?),
                properties: None,
                id: None,
            })
        }
        other => {
            let found = other.map_or("none".to_owned(), geometry::short);
            Err(Problem::NoFeature(format!(
                "expected the type \"Feature\" or that of a geometry, found {found}"
            )))
        }
    }
}

/// What the first pass has seen.
#[derive(Default)]
struct Survey {
    rows: usize,
    names: Vec<String>,
    kinds: Vec<Kinds>,
    /// The row, from 1, in which each was last seen.
    seen: Vec<usize>,
    known: HashMap<String, usize>,
    id: Option<Kinds>,
    points: usize,
    polygons: usize,
    others: usize,
}

impl Survey {
    fn row(&mut self, text: &[u8]) -> Result<(), Problem> {
        let row = row(text)?;
        if let Some(text) = row.geometry {
            match geometry::kind(text) {
                Some(Kind::Point) => self.points += 1,
                Some(Kind::Polygon) => self.polygons += 1,
                // What is none at all is told when it is read.
                _ => self.others += 1,
            }
        }
        if let Some(id) = row.id {
            self.id.get_or_insert_default().see(id);
        }
        let members = row.properties.map_or_else(Vec::new, |found| found.0);
        let mut columns = Vec::with_capacity(members.len());
        for (name, _) in &members {
            columns.push(self.column(name));
        }
        // Backwards, because of members with the same name only the last one counts.
        for (column, (_, value)) in columns.into_iter().zip(members).rev() {
            let row = self.rows + 1;
            if std::mem::replace(&mut self.seen[column], row) != row {
                self.kinds[column].see(value.get());
            }
        }
        Ok(())
    }

    /// The column of a property, new if need be.
    fn column(&mut self, name: &str) -> usize {
        if let Some(&column) = self.known.get(name) {
            return column;
        }
        let column = self.names.len();
        self.names.push(name.to_owned());
        self.kinds.push(Kinds::default());
        self.seen.push(0);
        self.known.insert(name.to_owned(), column);
        column
    }

    fn finish(
        mut self,
        content: Content,
        file: &str,
        name: String,
        crs: Option<Crs>,
        description: Option<String>,
    ) -> GeoJson {
        let mut fields: Vec<Field> = Vec::new();
        // First, as GDAL has it.
        let id = self.id.take().map(|kinds| {
            let taken = self.names.iter().map(String::as_str);
            let free = layer::free_name(["id", "feature_id"], taken);
            let field = kinds.field(&free);
            let mut metadata = field.metadata().clone();
            metadata.insert(FEATURE_ID.to_owned(), "true".to_owned());
            self.known.values_mut().for_each(|column| *column += 1);
            fields.push(field.with_metadata(metadata));
            0
        });
        let properties = self.names.iter().zip(&self.kinds);
        fields.extend(properties.map(|(name, kinds)| kinds.field(name)));
        let column = fields.len();
        let taken = fields.iter().map(|field| field.name().as_str());
        let geometry = layer::free_name(layer::GEOMETRY, taken);
        fields.push(layer::wkb_field(&geometry));
        let shape = match (self.points, self.polygons, self.others) {
            (1.., 0, 0) => Shape::Point,
            (0, 1.., 0) => Shape::Polygon,
            _ => Shape::Any,
        };
        let metadata = description.map(|text| ("description".to_owned(), text));
        let schema = Schema::new(fields).with_metadata(metadata.into_iter().collect());
        let geometry = Geometry {
            column,
            encoding: Encoding::Wkb,
            shape,
        };
        GeoJson {
            content,
            file: file.to_owned(),
            layer: Layer {
                name,
                schema: Arc::new(schema),
                geometry: Some(geometry),
                crs,
                rows: Some(self.rows),
            },
            properties: self.known,
            id,
        }
    }
}

/// The coordinate system of a `crs` member; WGS 84 if there is none.
fn system(json: Option<&[u8]>, file: &str) -> Result<Option<Crs>, InputError> {
    let crs = |found: Result<Crs, _>| found.map(Some).map_err(InputError::crs(file));
    let Some(json) = json else {
        return crs(Crs::from_epsg(4326));
    };
    let found: serde_json::Value = serde_json::from_slice(json).map_err(|error| {
        InputError::broken(file, FORMAT, format!("the member \"crs\": {error}"))
    })?;
    // By the older standard: nothing can be assumed.
    if found.is_null() {
        return Ok(None);
    }
    let properties = &found["properties"];
    if let Some(name) = properties["name"].as_str() {
        if name.starts_with("urn:ogc:def:crs:OGC:") && name.ends_with(":CRS84") {
            return crs(Crs::from_epsg(4326));
        }
        return crs(Crs::parse(name));
    }
    let code = properties["code"].as_u64();
    if let Some(code) = code.and_then(|code| u32::try_from(code).ok()) {
        return crs(Crs::from_epsg(code));
    }
    Err(InputError::unsupported(
        file,
        format!(
            "expected a coordinate system by its name, found {}",
            geometry::short(&found.to_string())
        ),
    ))
}

/// The text of a value in quotes.
pub(super) fn content_of(value: &str) -> Result<std::borrow::Cow<'_, str>, Problem> {
    match object::text(value) {
        Some(text) => text.map_err(|error| {
            let text = error.to_string();
            let what = text
                .rsplit_once(" at line ")
                .map_or(&*text, |(what, _)| what);
            Problem::Other(format!("{} is no text: {what}", geometry::short(value)))
        }),
        None => Err(changed()),
    }
}

/// The first pass saw something else.
pub(super) fn changed() -> Problem {
    Problem::Other("the file changed while it was read".to_owned())
}

//! Opening an input, whatever its format.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use crate::content::Content;
use crate::csv::{self, Progress};
use crate::format::Format;
use crate::labels::Labels;
use crate::layer::{Layer, Reader};
use crate::memory::MemoryTable;
use crate::nearest::{nearest, plain};
use crate::numbers::Column;
use crate::points::{self, Place, Wanted};
use crate::units::{RowState, Units};
use crate::values::Texts;
use crate::{
    InputError, arrow_file, flatgeobuf, geojson, geopackage, geoparquet, sha256, shapefile,
};

/// How much of a file tells its format.
const START: u64 = 64;
/// How much is read between two looks at the progress.
const CHUNK: u64 = 1 << 20;

/// How an input is to be read, where it does not say itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Its format; by its name and content when absent.
    pub format: Option<Format>,
    /// The layer to be read; the only one when absent.
    pub layer: Option<String>,
}

/// An input: text that is kept as it came, or a layer of another format.
pub struct Input {
    name: String,
    stem: String,
    format: Format,
    kind: Kind,
    content: Content,
}

enum Kind {
    Csv(csv::Table),
    Layer(Box<dyn Reader>),
}

impl Input {
    /// Opens a file; `-` is standard input. Text is read at once, telling `progress` of it.
    ///
    /// # Errors
    /// When it cannot be read, or is not what its name or the options say.
    pub fn open(path: &Path, options: &Options, progress: Progress) -> Result<Self, InputError> {
        let is_stdin = path == Path::new("-");
        let name = if is_stdin {
            "standard input".to_owned()
        } else {
            path.display().to_string()
        };
        let failed = |source| cannot_read(&name, path, source);
        // What can be read only once is taken whole.
        if is_stdin || !fs::metadata(path).map_err(failed)?.is_file() {
            let bytes = if is_stdin {
                whole(io::stdin().lock(), progress)
            } else {
                File::open(path).and_then(|file| whole(file, progress))
            };
            return Self::from_bytes(&name, bytes.map_err(failed)?, options);
        }
        let mut start = Vec::new();
        File::open(path)
            .and_then(|file| file.take(START).read_to_end(&mut start))
            .map_err(failed)?;
        let format = match options.format {
            Some(format) => format,
            None if start.is_empty() => return Err(InputError::Empty { file: name }),
            None if is_part_of_shapefile(path) => {
                return Err(InputError::PartOfShapefile {
                    shapes: path.with_extension("shp").display().to_string(),
                    file: name,
                });
            }
            None => Format::of(path, &start)?,
        };
        let stem = stem(path);
        if format == Format::Csv {
            let table = csv::Table::read(path, progress)?;
            refuse_layer(&name, options)?;
            return Ok(Self::csv_of(
                name,
                stem,
                table,
                Content::File(path.to_owned()),
            ));
        }
        let content = Content::File(path.to_owned());
        Self::layer_of(name, stem, format, content, options)
    }

    /// Takes these bytes for the content of a file called `name`.
    ///
    /// # Errors
    /// When they are not what they seem to be, or what the options say.
    pub fn from_bytes(name: &str, bytes: Vec<u8>, options: &Options) -> Result<Self, InputError> {
        let format = options.format.or_else(|| Format::of_content(&bytes));
        let (name, stem) = (name.to_owned(), "rows".to_owned());
        match format.unwrap_or(Format::Csv) {
            Format::Csv => {
                let table = csv::Table::from_bytes(&name, bytes)?;
                refuse_layer(&name, options)?;
                Ok(Self::csv_of(name, stem, table, Content::Memory([].into())))
            }
            format => Self::layer_of(name, stem, format, Content::Memory(bytes.into()), options),
        }
    }

    /// Takes a table that is in memory already. It has no bytes, so their SHA-256 says nothing.
    #[must_use]
    pub fn from_table(table: Arc<MemoryTable>) -> Self {
        Self {
            name: table.name().to_owned(),
            stem: table.name().to_owned(),
            format: Format::Arrow,
            kind: Kind::Layer(Box::new(table)),
            content: Content::Memory([].into()),
        }
    }

    fn csv_of(name: String, stem: String, table: csv::Table, content: Content) -> Self {
        Self {
            name,
            stem,
            format: Format::Csv,
            kind: Kind::Csv(table),
            content,
        }
    }

    fn layer_of(
        name: String,
        stem: String,
        format: Format,
        content: Content,
        options: &Options,
    ) -> Result<Self, InputError> {
        let layer = options.layer.as_deref();
        let reader: Box<dyn Reader> = match (format, &content) {
            (Format::GeoPackage, Content::File(path)) => {
                Box::new(geopackage::open(path, &name, layer)?)
            }
            (Format::Shapefile, Content::File(path)) => {
                Box::new(shapefile::open(path, &name, layer)?)
            }
            (Format::GeoPackage | Format::Shapefile, Content::Memory(_)) => {
                return Err(InputError::Unsupported {
                    file: name,
                    what: format!("{} cannot be read from a stream", format.with_article()),
                });
            }
            (Format::Parquet | Format::GeoParquet, _) => {
                Box::new(geoparquet::open(content.clone(), &name, &stem)?)
            }
            (Format::GeoJson | Format::GeoJsonLines, _) => {
                Box::new(geojson::open(content.clone(), &name, &stem)?)
            }
            (Format::FlatGeobuf, _) => Box::new(flatgeobuf::open(content.clone(), &name, &stem)?),
            (Format::Arrow | Format::Csv, _) => {
                Box::new(arrow_file::open(content.clone(), &name, &stem)?)
            }
        };
        let found = &reader.layer().name;
        if let Some(layer) = layer
            && found != layer
        {
            return Err(InputError::MissingLayer {
                file: name,
                layer: layer.to_owned(),
                nearest: Vec::new(),
                layers: vec![found.clone()],
            });
        }
        Ok(Self {
            name,
            stem,
            format,
            kind: Kind::Layer(reader),
            content,
        })
    }

    /// What the input is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The text of the input, if it is text.
    #[must_use]
    pub fn csv(&self) -> Option<&csv::Table> {
        match &self.kind {
            Kind::Csv(table) => Some(table),
            Kind::Layer(_) => None,
        }
    }

    /// The layer, if it is not text.
    #[must_use]
    pub fn layer(&self) -> Option<&Layer> {
        match &self.kind {
            Kind::Csv(_) => None,
            Kind::Layer(reader) => Some(reader.layer()),
        }
    }

    /// The names of the columns.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        match &self.kind {
            Kind::Csv(table) => table.columns().to_vec(),
            Kind::Layer(reader) => reader.layer().columns(),
        }
    }

    /// Its rows with types; for text, all values are looked at first.
    ///
    /// # Errors
    /// When the text cannot be read.
    pub fn reader(&self) -> Result<Box<dyn Reader + '_>, InputError> {
        Ok(match &self.kind {
            Kind::Csv(table) => Box::new(csv::Typed::new(table, &self.stem)?),
            Kind::Layer(reader) => Box::new(&**reader),
        })
    }

    /// Takes places and weights out of it, telling `progress` how much is done.
    ///
    /// # Errors
    /// When it cannot be read, or at the first row that cannot be used unless those are skipped.
    pub fn units(&self, wanted: &Wanted, progress: Progress) -> Result<Units, InputError> {
        match (&self.kind, wanted.place) {
            (Kind::Csv(table), Place::Columns { x, y }) => {
                let weight = wanted.weight;
                let columns = csv::Columns { x, y, weight };
                csv::read_units(table, columns, wanted.only, wanted.on_invalid, progress)
            }
            (Kind::Csv(_), Place::Geometry) => Err(InputError::NoCoordinates {
                file: self.name.clone(),
                columns: self.columns(),
            }),
            (Kind::Layer(reader), _) => {
                let rows = reader.layer().rows;
                points::read(&**reader, &self.name, wanted, &|done| {
                    if rows.is_some() {
                        progress(done, rows);
                    }
                })
            }
        }
    }

    /// Which rows say the same in a column.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn labels(&self, column: usize) -> Result<Labels, InputError> {
        match &self.kind {
            Kind::Csv(table) => {
                let found = Labels::of_text(table, column);
                found.map_err(|quote| table.open_quote(quote))
            }
            Kind::Layer(reader) => Labels::of_layer(&**reader, column),
        }
    }

    /// The numbers of a column, in the rows that can be used so far. `decimal` is the mark of the
    /// other numbers in a text.
    ///
    /// # Errors
    /// When it cannot be read, or has numbers with another decimal mark.
    pub fn numbers(
        &self,
        column: usize,
        rows: &[RowState],
        decimal: csv::Decimal,
    ) -> Result<Column, InputError> {
        match &self.kind {
            Kind::Csv(table) => csv::read_numbers(table, column, rows, decimal),
            Kind::Layer(reader) => Column::of_layer(&**reader, &self.name, column, rows),
        }
    }

    /// The SHA-256 of the input as it came.
    ///
    /// # Errors
    /// When it cannot be read again.
    pub fn sha256(&self) -> Result<String, InputError> {
        if let Kind::Csv(table) = &self.kind {
            return Ok(table.sha256());
        }
        let hash = self.content.reader().and_then(sha256::of);
        hash.map_err(InputError::read(&self.name))
    }

    /// The first value of a column that is `wanted` but for case and outer spaces.
    #[must_use]
    pub fn similar_value(&self, column: usize, wanted: &str) -> Option<String> {
        let plain = |text: &str| text.trim().to_lowercase();
        if let Kind::Csv(table) = &self.kind {
            let mut records = table.records();
            while let Ok(Some(record)) = records.advance() {
                if column < record.fields() && plain(&record.field(column)) == plain(wanted) {
                    return Some(record.field(column).into_owned());
                }
            }
            return None;
        }
        let reader = self.reader().ok()?;
        for batch in reader.batches(&[column]).ok()? {
            let batch = batch.ok()?;
            let texts = Texts::new(batch.column(0));
            let values = (0..batch.num_rows()).filter_map(|row| texts.get(row));
            if let Some(found) = values.into_iter().find(|text| plain(text) == plain(wanted)) {
                return Some(found);
            }
        }
        None
    }
}

/// All that comes, telling `progress` how much it is.
fn whole(mut from: impl Read, progress: Progress) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while from.by_ref().take(CHUNK).read_to_end(&mut bytes)? > 0 {
        progress(bytes.len(), None);
    }
    Ok(bytes)
}

/// By its name; its content tells nothing.
fn is_part_of_shapefile(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let parts = ["dbf", "shx", "prj", "cpg", "qix", "sbn", "sbx"];
    parts
        .iter()
        .any(|part| extension.eq_ignore_ascii_case(part))
}

fn refuse_layer(name: &str, options: &Options) -> Result<(), InputError> {
    match &options.layer {
        None => Ok(()),
        Some(layer) => Err(InputError::unsupported(
            name,
            format!("a CSV file has no layers, so none is called {layer:?}"),
        )),
    }
}

/// The name of a file without its directory and extensions.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.split_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.into_owned(),
    }
}

/// Why the file at `path`, which people call `name`, cannot be read.
#[must_use]
pub fn cannot_read(name: &str, path: &Path, source: io::Error) -> InputError {
    match source.kind() {
        io::ErrorKind::NotFound => InputError::Missing {
            nearest: files_like(path),
            file: name.to_owned(),
        },
        _ => InputError::read(name)(source),
    }
}

/// Files in the directory of `path` whose names are similar.
fn files_like(path: &Path) -> Vec<String> {
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty());
    let entries = fs::read_dir(directory.unwrap_or(Path::new(".")));
    let files = entries.into_iter().flatten().flatten();
    let files = files.filter(|entry| entry.path().is_file());
    let names: Vec<_> = files
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    let name = path.file_name().unwrap_or_default();
    // That both end in .csv does not make them similar.
    let stem = |name: &str| {
        Path::new(name)
            .file_stem()
            .map(|s| plain(&s.to_string_lossy()))
    };
    nearest(&name.to_string_lossy(), &names, |name| {
        stem(name).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests;

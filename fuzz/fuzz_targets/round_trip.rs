//! What the targets of formats that are read and written have in common.

use std::path::{Path, PathBuf};

use kdisc_io::content::Content;
use kdisc_io::layer::{Layer, Reader, Writer};
use kdisc_io::output::{Sink, Target};
use kdisc_io::{InputError, WriteError};

/// Reads the bytes, which must not panic; what is accepted must be the same after it was written.
pub fn check<R: Reader>(
    bytes: &[u8],
    open: impl Fn(Content) -> Result<R, InputError>,
    create: impl Fn(Sink, &Layer) -> Result<Box<dyn Writer>, WriteError>,
) {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("out");
    let again =
        |bytes: &[u8]| rewritten(&open(Content::Memory(bytes.into())).ok()?, &create, &path);
    if let Some(first) = again(bytes) {
        let second = again(&first).expect("what was written is read");
        assert!(first == second, "what was written is written alike");
    }
}

/// The rows written anew; `None` if they are refused.
fn rewritten(
    reader: &impl Reader,
    create: &impl Fn(Sink, &Layer) -> Result<Box<dyn Writer>, WriteError>,
    path: &Path,
) -> Option<Vec<u8>> {
    let columns: Vec<usize> = (0..reader.layer().schema.fields().len()).collect();
    let batches: Result<Vec<_>, _> = reader.batches(&columns).ok()?.collect();
    let batches = batches.ok()?;
    let rows: usize = batches.iter().map(|batch| batch.num_rows()).sum();
    assert!(reader.layer().rows.is_none_or(|told| told == rows));
    // Definitions of coordinate systems need not be told in the words they came in.
    let layer = Layer {
        crs: None,
        ..reader.layer().clone()
    };
    let sink = Target::check(path).unwrap().open().unwrap();
    let mut writer = create(sink, &layer).ok()?;
    for batch in &batches {
        writer.write(batch).ok()?;
    }
    // It is not committed: forcing it to disk takes longer than all the rest.
    let sink = writer.finish().unwrap();
    Some(std::fs::read(sink.path().unwrap()).unwrap())
}

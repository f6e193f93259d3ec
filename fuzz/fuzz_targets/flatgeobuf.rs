//! The FlatGeobuf reader never panics, and what it accepts is the same after it was written.

#![no_main]

use std::path::Path;

use kdisc_io::content::Content;
use kdisc_io::flatgeobuf;
use kdisc_io::layer::{Layer, Reader};
use kdisc_io::output::Target;
use libfuzzer_sys::fuzz_target;

/// What is read from the bytes, written anew; `None` if they are refused.
fn again(bytes: &[u8], path: &Path) -> Option<Vec<u8>> {
    let reader = flatgeobuf::open(Content::Memory(bytes.into()), "fuzz", "fuzz").ok()?;
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
    let mut writer = flatgeobuf::create(sink, &layer).ok()?;
    for batch in &batches {
        writer.write(batch).ok()?;
    }
    // It is not committed: forcing it to disk takes longer than all the rest.
    let sink = writer.finish().unwrap();
    Some(std::fs::read(sink.path().unwrap()).unwrap())
}

fuzz_target!(|bytes: &[u8]| {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("out");
    if let Some(first) = again(bytes, &path) {
        let second = again(&first, &path).expect("what was written is read");
        assert!(first == second, "what was written is written alike");
    }
});

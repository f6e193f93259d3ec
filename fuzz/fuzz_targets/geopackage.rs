//! What GeoPackage puts before a geometry never panics, and what is accepted is the same after it was
//! written. The tables are SQLite's to read.

#![no_main]

use kdisc_io::geometry;
use kdisc_io::geopackage::blob;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // Few inputs begin like a geometry by chance.
    let likely = [b"GP\0", bytes].concat();
    for blob in [bytes, &likely] {
        let Ok(Some(wkb)) = blob::wkb(blob) else {
            continue;
        };
        assert!(blob.ends_with(wkb));
        let Ok(bounds) = geometry::bounds(wkb) else {
            continue;
        };
        let mut written = Vec::new();
        blob::fill(&mut written, wkb, 4326, bounds);
        assert_eq!(blob::wkb(&written), Ok(bounds.map(|_| wkb)));
    }
});

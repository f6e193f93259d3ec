//! The GeoJSON reader never panics, and what it accepts is the same after it was written.

#![no_main]

mod round_trip;

use kdisc_io::geojson;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    round_trip::check(
        bytes,
        |content| geojson::open(content, "fuzz", "fuzz"),
        |sink, layer| geojson::create(sink, layer, false),
    );
});

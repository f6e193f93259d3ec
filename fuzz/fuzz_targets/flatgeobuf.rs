//! The FlatGeobuf reader never panics, and what it accepts is the same after it was written.

#![no_main]

mod round_trip;

use kdisc_io::flatgeobuf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    round_trip::check(
        bytes,
        |content| flatgeobuf::open(content, "fuzz", "fuzz"),
        flatgeobuf::create,
    );
});

//! The bytes, read again by a reader that knows no more than it must; what GDAL makes of them is
//! tested with the command.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};

use flate2::read::ZlibDecoder;

use super::*;
use crate::output::Target;

fn raster<'a>(columns: usize, bands: &[&'a [f64]], crs: Option<&'a Crs>) -> GeoTiff<'a> {
    let names = ["first", "second", "third"];
    GeoTiff {
        columns,
        corner: Point::new(1000.0, 2000.0),
        side: 50.0,
        crs,
        bands: bands
            .iter()
            .zip(names)
            .map(|(cells, name)| Band {
                name,
                unit: "1/m2".to_owned(),
                cells,
            })
            .collect(),
        notes: vec![("NOTE", "a < b & \"c\"".to_owned())],
    }
}

fn written(raster: &GeoTiff) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tif");
    let sink = Target::check(&path).unwrap().open().unwrap();
    let told = AtomicUsize::new(0);
    let go_on = |done, total| {
        assert!(done < total);
        told.fetch_add(1, Ordering::Relaxed) < total
    };
    raster.write(sink, &go_on).unwrap().commit().unwrap();
    assert!(told.into_inner() >= raster.bands.len());
    fs::read(path).unwrap()
}

/// The values of all tags of a little-endian TIFF, as bytes.
fn tags(file: &[u8]) -> BTreeMap<u16, Vec<u8>> {
    let number = |at: usize, width: usize| -> usize {
        let bytes = file[at..at + width].iter().rev();
        bytes.fold(0, |n, &byte| n << 8 | usize::from(byte))
    };
    assert_eq!(&file[..2], b"II");
    let big = number(2, 2) == 43;
    let (field, count, entry) = if big { (8, 8, 20) } else { (4, 2, 12) };
    let start = number(if big { 8 } else { 4 }, field);
    let mut found = BTreeMap::new();
    for i in 0..number(start, count) {
        let at = start + count + i * entry;
        let width = match number(at + 2, 2) {
            2 => 1,
            3 => 2,
            4 => 4,
            12 | 16 => 8,
            other => panic!("type {other}"),
        };
        let length = width * number(at + 4, field);
        let place = at + 4 + field;
        let place = if length <= field {
            place
        } else {
            number(place, field)
        };
        found.insert(number(at, 2) as u16, file[place..place + length].to_vec());
    }
    found
}

fn longs(bytes: &[u8]) -> Vec<u32> {
    let groups = bytes.chunks_exact(4);
    groups
        .map(|four| u32::from_le_bytes(four.try_into().unwrap()))
        .collect()
}

#[test]
fn strips_hold_what_was_written() {
    let columns = 300;
    let one: Vec<f64> = (0..columns * 501).map(|i| i as f64 / 7.0).collect();
    let mut two = one.clone();
    two[17] = f64::NAN;
    let file = written(&raster(columns, &[&one, &two], None));
    let tags = tags(&file);
    let (offsets, sizes) = (longs(&tags[&273]), longs(&tags[&279]));
    assert_eq!(offsets.len(), 2 * 501usize.div_ceil(STRIP / columns));
    let mut cells = Vec::new();
    for (at, size) in offsets.iter().zip(&sizes) {
        let strip = &file[*at as usize..][..*size as usize];
        let mut bytes = Vec::new();
        ZlibDecoder::new(strip).read_to_end(&mut bytes).unwrap();
        let numbers = bytes.chunks_exact(8);
        cells.extend(numbers.map(|eight| f64::from_le_bytes(eight.try_into().unwrap())));
    }
    assert_eq!(&cells[..one.len()], one);
    assert!(cells[one.len() + 17].is_nan());
    assert_eq!(&cells[one.len() + 18..], &two[18..]);
    // The last strip ends where the file does.
    assert_eq!(
        (offsets.last().unwrap() + sizes.last().unwrap()) as usize,
        file.len()
    );
    assert!(!tags.contains_key(&34735), "a system that nobody named");
    let metadata = String::from_utf8(tags[&42112].clone()).unwrap();
    assert!(
        metadata.contains("a &lt; b &amp; &quot;c&quot;"),
        "{metadata}"
    );
}

#[test]
fn a_long_file_has_long_offsets() {
    let mut small = Directory::default();
    small.set(256, Value::Long(vec![1]));
    let head = small.bytes(&[4_000_000_000, 10]).unwrap();
    assert_eq!(head[2], 42);
    let mut large = Directory::default();
    large.set(256, Value::Long(vec![1]));
    large.set(305, Value::Ascii("a text of some length".to_owned()));
    let sizes = [4_000_000_000, 4_000_000_000, 5];
    let head = large.bytes(&sizes).unwrap();
    let tags = tags(&head);
    let long = |bytes: &[u8]| -> Vec<u64> {
        let groups = bytes.chunks_exact(8);
        groups
            .map(|eight| u64::from_le_bytes(eight.try_into().unwrap()))
            .collect()
    };
    let first = head.len() as u64;
    let expected = [first, first + 4_000_000_000, first + 8_000_000_000];
    assert_eq!(long(&tags[&273]), expected);
    assert_eq!(long(&tags[&279]), sizes);
    assert!(Directory::default().bytes(&[u64::MAX, 1]).is_none());
}

#[test]
fn systems_by_code_or_spelt_out() {
    let keys = |text: &str| keys::Keys::new(&Crs::parse(text).unwrap());
    for known in [
        "EPSG:28992",
        "EPSG:3035",
        "EPSG:4326",
        "+proj=tmerc +lat_0=52.2 +lon_0=5.3 +k_0=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m",
        "+proj=lcc +lat_1=40 +lat_2=60 +lat_0=50 +lon_0=9 +x_0=0 +y_0=0 +datum=WGS84 +units=us-ft",
        "+proj=stere +lat_0=-90 +lon_0=5 +k_0=0.99 +x_0=0 +y_0=0 +a=6378388 +b=6356911.9 +units=m",
    ] {
        assert!(keys(known).is_complete, "{known}");
    }
    let cone = "+proj=eqearth +lon_0=9 +datum=WGS84 +units=m";
    assert!(!keys(cone).is_complete);
}

#[test]
fn what_is_no_raster_is_refused() {
    let sink = || Sink::scratch().unwrap();
    let (one, two) = ([1.0; 6], [1.0; 5]);
    for (columns, bands) in [
        (0, vec![&one[..]]),
        (3, vec![]),
        (4, vec![&one]),
        (3, vec![&one, &two]),
    ] {
        let refused = raster(columns, &bands, None).write(sink(), &|_, _| true);
        assert!(matches!(refused, Err(WriteError::CannotHold { .. })));
    }
    let stopped = raster(3, &[&one], None).write(sink(), &|_, _| false);
    assert!(matches!(stopped, Err(WriteError::Io(_))));
}

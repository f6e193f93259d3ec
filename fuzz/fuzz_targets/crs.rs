//! No description of a coordinate system makes a panic, neither by itself nor in use.
//!
//! Random text is hardly ever a system. So the input is either the text itself, or changes to one
//! that is right: each change replaces a stretch of it.

#![no_main]

use kdisc::Point;
use kdisc_io::crs::{Crs, Extent, Ground};
use libfuzzer_sys::fuzz_target;

/// As a user would type them, and the codes of which WKT and PROJJSON are taken.
const TYPED: [&str; 6] = [
    "EPSG:28992",
    "urn:ogc:def:crs:OGC:1.3:CRS84",
    "http://www.opengis.net/def/crs/EPSG/0/4326",
    "+proj=utm +zone=31 +datum=WGS84 +units=m +no_defs",
    "+proj=sterea +lat_0=52.1 +lon_0=5.4 +k=0.99 +x_0=155000 +y_0=463000 +ellps=bessel",
    "+init=epsg:27700",
];
const CODES: [u32; 8] = [4326, 3857, 28992, 27700, 2154, 3035, 2056, 32631];

fuzz_target!(|bytes: &[u8]| {
    let [choice, changes @ ..] = bytes else {
        return;
    };
    let choice = usize::from(*choice);
    let mut text = match choice % 4 {
        0 => String::new(),
        1 => TYPED[choice / 4 % TYPED.len()].to_owned(),
        2 => known(choice / 4).wkt().unwrap_or_default(),
        _ => {
            let json = known(choice / 4).projjson();
            json.map(|json| json.to_string()).unwrap_or_default()
        }
    };
    if text.is_empty() {
        text = String::from_utf8_lossy(changes).into_owned();
    } else {
        text = changed(&text, changes);
    }
    let Ok(crs) = Crs::parse(&text) else {
        return;
    };
    let _ = (crs.to_string(), crs.wkt(), crs.is_web_mercator());
    if let Some(json) = crs.projjson() {
        let _ = Crs::from_projjson(&json);
    }
    let places = if crs.is_geographic() {
        [(179.8, 52.0), (-179.8, 52.4)]
    } else {
        [(150_000.0, 450_000.0), (160_000.0, 470_000.0)]
    };
    let mut places = places.map(|(x, y)| Point::new(x, y));
    let Some(extent) = Extent::new(Some(&crs), &places) else {
        return;
    };
    if let Ok(ground) = Ground::new(Some(&crs), None, &extent)
        && ground.to_metres(&mut places).is_ok()
    {
        let [center, ..] = places;
        let _ = ground.from_metres(center);
        let corners = [(1e3, 0.0), (0.0, 1e3), (-1e3, 0.0), (0.0, -1e3)];
        let corners = corners.map(|(x, y)| Point::new(center.x + x, center.y + y));
        let _ = ground.outline(center, &corners);
    }
    let wgs = Crs::wgs84();
    if let Some(extent) = Extent::new(Some(&wgs), &[Point::new(4.8, 52.0), Point::new(5.2, 52.4)]) {
        let _ = Ground::new(Some(&wgs), Some(&crs), &extent);
    }
});

fn known(choice: usize) -> Crs {
    Crs::from_epsg(CODES[choice % CODES.len()]).expect("the catalogue has it")
}

/// Each change: where, how many bytes go, how many of the next come.
fn changed(text: &str, mut changes: &[u8]) -> String {
    let mut text = text.as_bytes().to_vec();
    while let [high, low, gone, come, rest @ ..] = changes {
        let at = usize::from(u16::from_be_bytes([*high, *low])) % (text.len() + 1);
        let end = (at + usize::from(gone % 32)).min(text.len());
        let (new, rest) = rest.split_at(usize::from(come % 32).min(rest.len()));
        text.splice(at..end, new.iter().copied());
        changes = rest;
    }
    String::from_utf8_lossy(&text).into_owned()
}

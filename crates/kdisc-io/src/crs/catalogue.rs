//! The systems that have an EPSG code.
//!
//! `crs-definitions` brings some six thousand of them as WKT1 and as PROJ strings. The PROJ strings
//! are used as they are, but for these points, where they would differ from PROJ by more than the
//! data deserve or need files that are not there:
//!
//! - Web Mercator is told by its own name, as otherwise the datum of the other system is ignored;
//! - the shifts of Amersfoort (the Netherlands) and S-JTSK (Czechia and Slovakia) are the later, better ones;
//! - Clarke's ellipsoid of 1880 is EPSG's, not the one that PROJ strings mean by it;
//! - axes to the south and west of Krovak's projection, which its string leaves out;
//! - grids for NAD27 and NZGD49 are replaced by EPSG's shifts for the mainland.
//!
//! A description without a code, as in the `.prj` of a Shapefile, is looked up by its contents.

use super::datum::same_datum;
use super::definition::{Definition, Id};
use super::method::plain;
use super::tree::Node;
use super::wkt;

/// Web Mercator, which other systems can be shifted to and from.
pub(super) const WEB_MERCATOR: &str = "+proj=webmerc +datum=WGS84";

/// What stands in the crate's PROJ strings, and what is used instead.
const CORRECTIONS: &[(&str, &str)] = &[
    (
        "+towgs84=565.2369,50.0087,465.658,-0.406857,0.350733,-1.87035,4.0812",
        "+towgs84=565.4171,50.3319,465.5524,-0.398957388243134,0.343987817378283,-1.87740163998045,4.0725",
    ),
    (
        "+towgs84=589,76,480,0,0,0,0",
        "+towgs84=572.213,85.334,461.94,4.9732,1.529,5.2484,3.5378",
    ),
    ("+ellps=clrk80 ", "+a=6378249.145 +rf=293.465 "),
    ("+datum=NAD27", "+ellps=clrk66 +towgs84=-8,160,176"),
    (
        "+nadgrids=nzgd2kgrid0005.gsb",
        "+towgs84=59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993",
    ),
    (
        "+datum=nzgd49",
        "+ellps=intl +towgs84=59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993",
    ),
];

/// What EPSG has changed since: the last digits of an angle, and the name of a datum.
const WKT_CORRECTIONS: &[(&str, &str)] = &[
    ("30.28813972222222", "30.28813975277778"),
    (
        "Militar_Geographische_Institute",
        "Militar-Geographische_Institut",
    ),
];

/// What is known of a code.
pub(super) struct Entry {
    pub proj: String,
    /// None where the WKT is missing or says what [`Definition`] cannot.
    pub definition: Option<Definition>,
}

/// The system with this code, if it is built in.
pub(super) fn entry(code: u32) -> Option<Entry> {
    let known = crs_definitions::from_code(u16::try_from(code).ok()?)?;
    let definition = definition(&known);
    let conversion = definition
        .as_ref()
        .and_then(|definition| definition.conversion.as_ref());
    let points_south = conversion.is_some_and(|conversion| conversion.method.code == 9819);
    let mut proj = if known.proj4.contains("+nadgrids=@null") {
        WEB_MERCATOR.to_owned()
    } else {
        CORRECTIONS
            .iter()
            .fold(known.proj4.to_owned(), |proj, (old, new)| {
                proj.replace(old, new)
            })
    };
    if points_south {
        proj.push_str(" +axis=swu");
    }
    Some(Entry { proj, definition })
}

/// The WKT of this code as PROJ would write it: without a shift to WGS 84, which is no part of the
/// system and would make it another one, and with the axes that the crate leaves out.
pub(super) fn wkt(code: u32) -> Option<String> {
    let known = crs_definitions::from_code(u16::try_from(code).ok()?)?;
    if let Some(bound) = known.wkt.strip_prefix("BOUNDCRS[SOURCECRS[") {
        let (source, _) = bound.split_once("],TARGETCRS[")?;
        return Some(source.to_owned());
    }
    let mut wkt = match known.wkt.split_once(",TOWGS84[") {
        Some((before, rest)) => format!("{before}{}", rest.split_once(']')?.1),
        None if known.wkt.is_empty() => return None,
        None => known.wkt.to_owned(),
    };
    for (old, new) in WKT_CORRECTIONS {
        wkt = wkt.replace(old, new);
    }
    let conversion = definition(&known).and_then(|definition| definition.conversion);
    if conversion.is_some() && !wkt.contains(",AXIS[") {
        let end = wkt.rfind(",AUTHORITY[")?;
        wkt.insert_str(end, r#",AXIS["Northing",NORTH],AXIS["Easting",EAST]"#);
    }
    if let Some(pole) = conversion.and_then(|conversion| conversion.pole()) {
        let away = format!(",{}]", pole.away.to_uppercase());
        wkt = wkt.replace(",EAST]", &away).replace(",NORTH]", &away);
    }
    Some(wkt)
}

/// The code of the system with the same projection, ellipsoid, units and datum, and among several
/// the one whose name is most alike. None unless the datum is certain.
pub(super) fn identify(definition: &Definition) -> Option<u32> {
    let name = plain(
        definition
            .name
            .strip_prefix("GCS_")
            .unwrap_or(&definition.name),
    );
    let alike = |candidate: &Definition| {
        let current = if candidate.name.contains("(deprecated)") {
            0.0
        } else {
            1.0
        };
        current + strsim::sorensen_dice(&name, &plain(&candidate.name))
    };
    all()
        .filter(|candidate| {
            candidate.axes.len() < 3
                && candidate.same_shape(definition)
                && same_datum(&candidate.base.datum, &definition.base.datum)
        })
        .map(|candidate| (alike(&candidate), candidate))
        // The first of equals: older codes are the better known.
        .rev()
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .and_then(|(_, candidate)| candidate.epsg())
}

/// The shift to WGS 84 of the datum with this name, for descriptions that lack it.
pub(super) fn shift(definition: &Definition) -> Option<[f64; 7]> {
    let base = &definition.base;
    all()
        .filter(|candidate| candidate.conversion.is_none())
        .find(|candidate| {
            candidate.base.ellipsoid.major == base.ellipsoid.major
                && same_datum(&candidate.base.datum, &base.datum)
        })
        .and_then(|candidate| {
            let proj = entry(candidate.epsg()?)?.proj;
            let shift = proj.split("+towgs84=").nth(1)?.split(' ').next()?;
            let mut values = [0.0; 7];
            for (value, text) in values.iter_mut().zip(shift.split(',')) {
                *value = text.parse().ok()?;
            }
            Some(values)
        })
}

/// EPSG now has the Polish grids on a realisation of ETRS89 of their own, centimetres away.
fn move_to_poland(definition: &mut Definition) {
    let id = |code: &str| {
        Some(Id {
            authority: "EPSG".to_owned(),
            code: code.to_owned(),
        })
    };
    let base = &mut definition.base;
    "ETRF2000-PL".clone_into(&mut base.name);
    base.id = id("9702");
    "ETRF2000 Poland".clone_into(&mut base.datum);
    base.datum_id = id("1305");
}

fn all() -> impl DoubleEndedIterator<Item = Definition> {
    (0..=u16::MAX)
        .filter_map(crs_definitions::from_code)
        .filter_map(|known| definition(&known))
}

fn definition(known: &crs_definitions::Def) -> Option<Definition> {
    let mut definition = wkt::definition(&Node::parse(known.wkt).ok()?).ok()?;
    if (2176..=2180).contains(&known.code) {
        move_to_poland(&mut definition);
    }
    Some(definition)
}

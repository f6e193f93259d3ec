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

use crs_definitions::Def;

use super::datum::same_datum;
use super::definition::Definition;
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

/// EPSG now has the Polish grids on a realisation of ETRS89 of their own, centimetres away.
const POLISH: std::ops::RangeInclusive<u16> = 2176..=2180;
const POLISH_NAMES: &[(&str, &str)] = &[
    ("\"ETRS89\"", "\"ETRF2000-PL\""),
    (
        "European_Terrestrial_Reference_System_1989",
        "ETRF2000_Poland",
    ),
    ("\"6258\"", "\"1305\""),
    ("\"4258\"", "\"9702\""),
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
    let conversion = definition.as_ref().and_then(|d| d.conversion.as_ref());
    let method = conversion.map(|conversion| conversion.method.code);
    let mut proj = CORRECTIONS
        .iter()
        .fold(known.proj4.to_owned(), |proj, (old, new)| {
            proj.replace(old, new)
        });
    if method == Some(1024) || proj.contains("+nadgrids=@null") {
        WEB_MERCATOR.clone_into(&mut proj);
    } else if method == Some(9819) {
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
    let mut wkt = corrected(&known);
    if wkt.is_empty() {
        return None;
    }
    if let Some((before, rest)) = wkt.split_once(",TOWGS84[") {
        wkt = format!("{before}{}", rest.split_once(']')?.1);
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

fn all() -> impl DoubleEndedIterator<Item = Definition> {
    (0..=u16::MAX)
        .filter_map(crs_definitions::from_code)
        .filter_map(|known| definition(&known))
}

fn definition(known: &Def) -> Option<Definition> {
    wkt::definition(&Node::parse(&corrected(known)).ok()?).ok()
}

fn corrected(known: &Def) -> String {
    let polish: &[_] = if POLISH.contains(&known.code) {
        POLISH_NAMES
    } else {
        &[]
    };
    let corrections = WKT_CORRECTIONS.iter().chain(polish);
    corrections.fold(known.wkt.to_owned(), |wkt, (old, new)| {
        wkt.replace(old, new)
    })
}

#[cfg(test)]
mod tests {
    use proj4rs::Proj;

    use super::super::transform::{geographic, project};
    use super::*;

    /// Where a system near its origin puts a place, in metres, without regard to the datum.
    fn image(proj: &str) -> Option<(f64, f64)> {
        let plane = Proj::from_proj_string(proj).ok()?;
        let step = 1_f64.to_radians();
        let lon = plane.longitude_of_origin() + plane.from_greenwich() + step;
        let lat = (plane.latitude_of_origin() + step).clamp(-80.0 * step, 80.0 * step);
        let (x, y) = project(&geographic(&plane)?, &plane, (lon, lat)).ok()?;
        Some((x * plane.to_meter(), y * plane.to_meter()))
    }

    /// The WKT and the PROJ strings of the catalogue come from different places: so a description
    /// without a code is projected like the same system with one.
    #[test]
    fn descriptions_project_like_codes() {
        let mut compared = 0;
        let mut different = Vec::new();
        for code in 0..=u32::from(u16::MAX) {
            let Some(Entry { proj, definition }) = entry(code) else {
                continue;
            };
            let Some(definition) = definition.filter(|d| d.conversion.is_some()) else {
                continue;
            };
            let described = image(&definition.proj_string().unwrap());
            compared += 1;
            let same = match (image(&proj), described) {
                (Some(a), Some(b)) => (a.0 - b.0).hypot(a.1 - b.1) < 1e-3,
                (a, b) => a == b,
            };
            if !same {
                different.push(code);
            }
        }
        assert!(compared > 5000, "{compared}");
        assert!(different.is_empty(), "{different:?}");
    }
}

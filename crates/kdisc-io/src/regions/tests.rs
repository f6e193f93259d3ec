//! Regions out of `GeoJSON`, as the other formats give the same WKB.

use super::*;
use crate::input::Options;

fn feature(name: &str, kind: &str, coordinates: &str) -> String {
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{\"name\":{name}}},\
         \"geometry\":{{\"type\":\"{kind}\",\"coordinates\":{coordinates}}}}}"
    )
}

const SQUARE: &str = "[[0,0],[4,0],[4,4],[0,4],[0,0]]";
const HOLE: &str = "[[1,1],[1,2],[2,2],[2,1],[1,1]]";
const BOW_TIE: &str = "[[9,9],[8,8],[8,9],[9,8],[9,9]]";

fn read(features: &[String], id: Option<&str>) -> Result<RegionTable, InputError> {
    let lines = features.join("\n") + "\n";
    let input = Input::from_bytes("areas", lines.into(), &Options::default()).unwrap();
    RegionTable::read(&input, id, &|_, _| {})
}

fn problem(features: &[String], id: Option<&str>) -> String {
    read(features, id).unwrap_err().to_string()
}

#[test]
fn polygons_with_holes_and_parts() {
    let one = feature("\"a\"", "Polygon", &format!("[{SQUARE},{HOLE}]"));
    let two = feature(
        "\"7\"",
        "MultiPolygon",
        &format!("[[{HOLE}],[[[5,5],[6,5],[5,6],[5,5]]]]"),
    );
    let found = read(&[one.clone(), two.clone()], Some("name")).unwrap();
    assert_eq!(found.ids, ["a", "7"]);
    let areas: Vec<_> = found.regions.iter().map(Region::area).collect();
    assert_eq!(areas, [15.0, 1.5]);
    let extent = found.extent().map(|extent| extent.plain());
    assert_eq!(extent, Some([0.0, 0.0, 6.0, 6.0]));
    assert_eq!(read(&[one, two], None).unwrap().ids, ["1", "2"]);
}

#[test]
fn wrong_rows_are_named() {
    let fine = feature("\"a\"", "Polygon", &format!("[{SQUARE}]"));
    let tie = feature("\"tie\"", "Polygon", &format!("[{BOW_TIE}]"));
    let found = problem(&[fine.clone(), tie], Some("name"));
    assert_eq!(
        found,
        "areas, row 2, region \"tie\": its border crosses itself at (9, 9)"
    );
    let nothing = fine.replace(&format!("\"coordinates\":[{SQUARE}]"), "\"coordinates\":[]");
    assert_eq!(problem(&[nothing], None), "areas, row 1: it is empty");
    let absent = "{\"type\":\"Feature\",\"properties\":{\"name\":1},\"geometry\":null}";
    let found = problem(&[fine.clone(), absent.to_owned()], None);
    assert_eq!(found, "areas, row 2: there is no geometry");
    let point = feature("1", "Point", "[1,2]");
    let found = problem(&[fine.clone(), point], None);
    assert_eq!(found, "areas: regions are polygons, and row 2 is a point");
    let found = problem(&[fine.clone(), fine.clone()], Some("name"));
    assert_eq!(found, "areas: rows 1 and 2 are both called \"a\"");
    let unnamed = feature("null", "Polygon", &format!("[{SQUARE}]"));
    let found = problem(&[fine.clone(), unnamed], Some("name"));
    assert_eq!(found, "areas, row 2: it has no name");
    let found = problem(&[fine], Some("nmae"));
    assert!(
        found.starts_with("areas has no column \"nmae\" (nearest: \"name\")"),
        "{found}"
    );
}

#[test]
fn text_has_no_polygons() {
    let input = Input::from_bytes("areas", b"x,y\n1,2\n".to_vec(), &Options::default()).unwrap();
    let found = RegionTable::read(&input, None, &|_, _| {});
    assert_eq!(
        found.unwrap_err().to_string(),
        "areas has no column of polygons"
    );
}

#[test]
fn regions_follow_the_units_to_their_ground() {
    let dutch = Crs::from_epsg(28992).unwrap();
    let ends = [(150_000.0, 450_000.0), (160_000.0, 460_000.0)].map(|(x, y)| Point::new(x, y));
    let extent = Extent::new(Some(&dutch), &ends).unwrap();
    let ground = Ground::new(Some(&dutch), None, &extent).unwrap();
    // A square of the same places, in degrees.
    let world = Crs::wgs84();
    let back = crate::crs::Transformation::new(&dutch, &world).unwrap();
    let corners = [(0.0, 0.0), (1000.0, 0.0), (1000.0, 1000.0), (0.0, 1000.0)];
    let corners = corners.map(|(x, y)| Point::new(155_000.0 + x, 463_000.0 + y));
    let ring: Vec<String> = corners
        .iter()
        .chain(&corners[..1])
        .map(|&corner| {
            let at = back.apply(corner).unwrap();
            format!("[{},{}]", at.x, at.y)
        })
        .collect();
    let square = feature("1", "Polygon", &format!("[[{}]]", ring.join(",")));
    let table = read(&[square], None).unwrap();
    assert_eq!(table.crs.as_ref().and_then(Crs::epsg), Some(4326));
    let extent = table.extent().unwrap();
    let other = ground.of_other(&world, &extent).unwrap();
    let found = table.on_ground(&other).unwrap();
    assert!((found[0].area() - 1e6).abs() < 1.0, "{}", found[0].area());
    for (found, expected) in found[0].parts()[0].outer.iter().zip(corners) {
        let off = (found.x - expected.x).hypot(found.y - expected.y);
        assert!(off < 1e-3, "{found:?} {expected:?}");
    }
    // Of the same system they stay as they are, to the last bit.
    let same = ground.of_other(&dutch, &extent).unwrap();
    assert!(same.is_identity());
    assert_eq!(table.on_ground(&same).unwrap(), table.regions);
}

//! Systems as they are written, and coordinates with reference numbers of PROJ 9.5.

use kdisc::Point;
use proptest::prelude::*;
use serde_json::json;

use super::*;

const RD_PRJ: &str = r#"PROJCS["RD_New",GEOGCS["GCS_Amersfoort",DATUM["D_Amersfoort",SPHEROID["Bessel_1841",6377397.155,299.1528128]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Double_Stereographic"],PARAMETER["False_Easting",155000.0],PARAMETER["False_Northing",463000.0],PARAMETER["Central_Meridian",5.38763888888889],PARAMETER["Scale_Factor",0.9999079],PARAMETER["Latitude_Of_Origin",52.1561605555556],UNIT["Meter",1.0]]"#;

#[test]
fn one_system_in_many_spellings() {
    let rd = Crs::from_epsg(28992).unwrap();
    assert_eq!(rd.to_string(), "EPSG:28992 (Amersfoort / RD New)");
    for text in [
        "EPSG:28992",
        "epsg:28992",
        " 28992 ",
        "urn:ogc:def:crs:EPSG::28992",
        "urn:ogc:def:crs:EPSG:9.9:28992",
        "http://www.opengis.net/def/crs/EPSG/0/28992",
        "+init=epsg:28992",
    ] {
        assert_eq!(Crs::parse(text), Ok(rd.clone()), "{text}");
    }
    assert_eq!(Crs::parse("OGC:CRS84"), Ok(Crs::wgs84()));
    assert_eq!(
        Crs::parse("urn:ogc:def:crs:OGC:1.3:CRS84"),
        Ok(Crs::wgs84())
    );
}

#[test]
fn web_mercator_under_all_its_names() {
    for text in [
        "3857",
        "EPSG:900913",
        "ESRI:102100",
        "EPSG:3785",
        "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs",
        r#"PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]"#,
    ] {
        let crs = Crs::parse(text).unwrap();
        assert!(crs.is_web_mercator() && !crs.is_geographic(), "{text}");
    }
    assert!(!Crs::from_epsg(3395).unwrap().is_web_mercator());
}

#[test]
fn what_cannot_be_used_is_refused_with_the_reason() {
    let refusal = |text| Crs::parse(text).unwrap_err().to_string();
    assert_eq!(
        refusal("EPSG:99999"),
        "EPSG:99999 is not among the coordinate systems that are built in"
    );
    assert_eq!(
        refusal("ESRI:54009"),
        "coordinate systems of the authority \"ESRI\" are not built in, only those of EPSG"
    );
    assert!(refusal("Rijksdriehoek").starts_with("\"Rijksdriehoek\" names no coordinate system"));
    assert!(refusal("").contains("names no coordinate system"));
    assert!(refusal("{").contains("not well-formed PROJJSON"));
    assert!(refusal("{}").contains("lacks a type"));
    assert!(refusal("PROJCS[\"x\"").contains("not well-formed WKT"));
    assert!(refusal("EPSG:4978").contains("not a map in two dimensions"));
    assert!(refusal(r#"LOCAL_CS["x",UNIT["m",1]]"#).contains("neither a projected nor"));
    assert!(refusal("+proj=nonsense").contains("cannot be used"));
}

#[test]
fn a_prj_file_without_codes_is_recognised() {
    let crs = Crs::from_wkt(RD_PRJ).unwrap();
    assert_eq!(crs.epsg(), Some(28992));
    assert_eq!(crs.name(), "RD_New");
    assert_eq!(crs.wkt().as_deref(), Some(RD_PRJ));
    assert_eq!(crs.projjson(), Crs::from_epsg(28992).unwrap().projjson());
}

#[test]
fn another_datum_or_origin_is_another_system() {
    let other = RD_PRJ.replace("D_Amersfoort", "D_Elsewhere");
    let crs = Crs::from_wkt(&other).unwrap();
    assert_eq!(crs.epsg(), None);
    assert_eq!(crs.to_string(), "RD_New");
    let json = crs.projjson().unwrap();
    assert_eq!(json["base_crs"]["datum"]["name"], "Elsewhere");
    let moved = RD_PRJ.replace("155000.0", "155001.0");
    let moved = Crs::from_wkt(&moved).unwrap();
    assert_eq!(moved.epsg(), None);
    // The shift of the datum is known all the same.
    assert!(moved.proj_string().contains("+towgs84=565.4171"));
}

#[test]
fn projjson_is_kept_and_read_like_the_code() {
    let rd = Crs::from_epsg(28992).unwrap();
    let mut json = rd.projjson().unwrap();
    json["remark"] = json!("kept");
    let read = Crs::from_projjson(&json).unwrap();
    assert_eq!(read.epsg(), Some(28992));
    assert_eq!(read.projjson(), Some(json.clone()));
    // Without its code, by its contents.
    json.as_object_mut().unwrap().remove("id");
    assert_eq!(Crs::from_projjson(&json).unwrap().epsg(), Some(28992));
    assert!(
        read.wkt()
            .unwrap()
            .starts_with("PROJCS[\"Amersfoort / RD New\"")
    );
}

fn transformed(from: &str, to: &str, x: f64, y: f64) -> Point {
    let transformation = Transformation::new(&Crs::parse(from).unwrap(), &Crs::parse(to).unwrap());
    transformation.unwrap().apply(Point::new(x, y)).unwrap()
}

#[track_caller]
fn assert_near(point: Point, x: f64, y: f64, tolerance: f64) {
    assert!(
        (point.x - x).abs() < tolerance && (point.y - y).abs() < tolerance,
        "{point:?} is not {x}, {y}"
    );
}

#[test]
fn transformations_agree_with_proj() {
    assert_near(
        transformed("4326", "32631", 5.0, 52.0),
        REF_UTM.0,
        REF_UTM.1,
        1e-3,
    );
    assert_near(
        transformed("4326", "3035", 5.0, 52.0),
        REF_LAEA.0,
        REF_LAEA.1,
        1e-3,
    );
    assert_near(
        transformed("4326", "3857", 5.0, 52.0),
        REF_WEB.0,
        REF_WEB.1,
        1e-3,
    );
    assert_near(
        transformed("4326", "28992", 5.0, 52.0),
        REF_RD.0,
        REF_RD.1,
        1e-3,
    );
    assert_near(
        transformed("4326", "27700", -1.0, 52.0),
        REF_BNG.0,
        REF_BNG.1,
        1e-2,
    );
    assert_near(
        transformed("4326", "2263", -74.0, 40.7),
        REF_NY.0,
        REF_NY.1,
        1e-2,
    );
    assert_near(
        transformed("3857", "28992", REF_WEB.0, REF_WEB.1),
        REF_RD.0,
        REF_RD.1,
        1e-3,
    );
}

// What PROJ makes of the places above.
const REF_UTM: (f64, f64) = (637_294.365_894, 5_762_926.812_914);
const REF_LAEA: (f64, f64) = (3_977_921.175_908, 3_221_773.634_434);
const REF_WEB: (f64, f64) = (556_597.453_966, 6_800_125.454_397);
const REF_RD: (f64, f64) = (128_410.085_371, 445_806.508_833);
const REF_BNG: (f64, f64) = (468_748.555_747, 233_978.338_772);
const REF_NY: (f64, f64) = (984_250.000_000, 194_305.338_941);
/// The geodesic between the two places, by Karney's algorithm.
const REF_GEODESIC: f64 = 6_814.111_398;

fn ground(system: &str, bounds: [f64; 4]) -> Result<Ground, CrsError> {
    let crs = Crs::parse(system).unwrap();
    Ground::new(Some(&crs), None, &extent(&crs, bounds))
}

/// That of places all over a box.
fn extent(crs: &Crs, bounds: [f64; 4]) -> Extent {
    let points: Vec<_> = scale::grid(bounds).map(|(x, y)| Point::new(x, y)).collect();
    Extent::new(Some(crs), &points).unwrap()
}

#[test]
fn metres_stay_as_they_are() {
    let ground = ground("28992", [10_000.0, 310_000.0, 280_000.0, 620_000.0]).unwrap();
    assert!(ground.is_identity());
    let point = Point::new(155_000.1, 463_000.7);
    let mut points = [point];
    ground.to_metres(&mut points).unwrap();
    assert_eq!((points[0], ground.from_metres(point)), (point, point));
    // 0.9999079 in the middle, over 1 at the edges.
    let error = ground.scale_error().unwrap();
    assert!((9e-5..3e-4).contains(&error), "{error}");
    assert_eq!(ground.system(), "EPSG:28992 (Amersfoort / RD New)");
}

#[test]
fn without_a_system_nothing_is_known() {
    let extent = Extent::new(None, &[Point::new(0.0, 1.0)]).unwrap();
    let ground = Ground::new(None, None, &extent).unwrap();
    assert!(ground.is_identity());
    assert_eq!(ground.scale_error(), None);
    let rd = Crs::from_epsg(28992).unwrap();
    let refused = Ground::new(None, Some(&rd), &extent).err();
    assert!(matches!(refused, Some(CrsError::ComputeFromNothing { .. })));
}

#[test]
fn feet_become_metres() {
    let ground = ground("2263", [912_000.0, 120_000.0, 1_067_000.0, 272_000.0]).unwrap();
    let mut points = [Point::new(1_000_000.0, 200_000.0)];
    ground.to_metres(&mut points).unwrap();
    assert_near(points[0], 304_800.609_601, 60_960.121_920, 1e-5);
    assert_near(ground.from_metres(points[0]), 1_000_000.0, 200_000.0, 1e-8);
}

/// The distance between two places in metres, and both of them there and back.
fn measured(ground: &Ground, a: Point, b: Point) -> f64 {
    let mut points = [a, b];
    ground.to_metres(&mut points).unwrap();
    for (there, here) in points.iter().zip([a, b]) {
        assert_near(
            ground.from_metres(*there),
            here.x,
            here.y,
            1e-9 * here.x.abs().max(1.0),
        );
    }
    (points[0].x - points[1].x).hypot(points[0].y - points[1].y)
}

#[test]
fn degrees_and_web_mercator_are_measured_on_the_ground() {
    let degrees = ground("4326", [4.9, 52.3, 5.0, 52.4]).unwrap();
    assert!(!degrees.is_identity());
    assert!(degrees.scale_error().unwrap() < 1e-6);
    let east = measured(&degrees, Point::new(4.9, 52.35), Point::new(5.0, 52.35));
    assert!((east - REF_GEODESIC).abs() < 0.02, "{east}");
    let (a, b) = (
        transformed("4326", "3857", 4.9, 52.35),
        transformed("4326", "3857", 5.0, 52.35),
    );
    let web = ground("3857", [a.x, a.y, b.x, b.y]).unwrap();
    let east = measured(&web, a, b);
    assert!((east - REF_GEODESIC).abs() < 0.02, "{east}");
}

#[test]
fn grads_from_paris_are_degrees_too() {
    // 3 grads east of Paris is 5.037 degrees east of Greenwich.
    let ground = ground("4807", [2.9, 52.0, 3.1, 52.2]).unwrap();
    let north = measured(&ground, Point::new(3.0, 52.0), Point::new(3.0, 52.1));
    assert!((north - 10_000.0).abs() < 20.0, "{north}");
    assert!(ground.system().contains("lon_0=5"), "{}", ground.system());
}

#[test]
fn longitudes_beyond_the_antimeridian_stay_there() {
    let ground = ground("4326", [179.0, -18.0, 181.0, -16.0]).unwrap();
    let across = measured(&ground, Point::new(179.9, -17.0), Point::new(180.1, -17.0));
    assert!((across - 21_300.0).abs() < 50.0, "{across}");
}

#[test]
fn data_on_both_sides_of_the_end_of_the_count_are_neighbours() {
    let (a, b) = (Point::new(179.0, -17.0), Point::new(-179.0, -17.0));
    let wgs = Crs::wgs84();
    let across = |crs: &Crs, a: Point, b: Point| {
        let extent = Extent::new(Some(crs), &[a, b]).unwrap();
        let ground = Ground::new(Some(crs), None, &extent).unwrap();
        assert!(ground.scale_error().unwrap() < 1e-4);
        measured(&ground, a, b)
    };
    // Karney's algorithm again.
    let expected = 212_972.156;
    let found = across(&wgs, a, b);
    assert!((found / expected - 1.0).abs() < 1e-4, "{found}");
    let greenwich = across(&wgs, Point::new(359.0, -17.0), Point::new(1.0, -17.0));
    assert!((greenwich / expected - 1.0).abs() < 1e-4, "{greenwich}");
    let web = Crs::from_epsg(3857).unwrap();
    let there = |p: Point| transformed("4326", "3857", p.x, p.y);
    let found = across(&web, there(a), there(b));
    assert!((found / expected - 1.0).abs() < 1e-4, "{found}");
}

#[test]
fn centres_are_counted_as_the_data_are() {
    for (west, east, expected) in [
        (179.0, -178.0, -179.5),
        (179.0, 182.0, 180.5),
        (-181.0, -178.0, -179.5),
        (178.0, -179.0, 179.5),
        (359.0, 2.0, 0.5),
        (358.0, 1.0, 359.5),
        (-1.0, 2.0, 0.5),
    ] {
        let wgs = Crs::wgs84();
        let ends = [Point::new(west, 1.0), Point::new(east, 1.0)];
        let ground = Ground::new(Some(&wgs), None, &Extent::new(Some(&wgs), &ends).unwrap());
        let ground = ground.unwrap();
        let mut points = ends;
        ground.to_metres(&mut points).unwrap();
        let middle = Point::new(
            f64::midpoint(points[0].x, points[1].x),
            f64::midpoint(points[0].y, points[1].y),
        );
        assert_near(ground.from_metres(middle), expected, 1.0, 1e-3);
    }
}

#[test]
fn round_a_pole_all_longitudes_are_neighbours() {
    for latitude in [88.0, -88.0] {
        let wgs = Crs::wgs84();
        let points: Vec<_> = (0..36)
            .map(|i| Point::new(f64::from(i) * 10.0 - 180.0, latitude))
            .collect();
        let extent = Extent::new(Some(&wgs), &points).unwrap();
        let ground = Ground::new(Some(&wgs), None, &extent).unwrap();
        assert!(
            ground.system().contains("stereographic"),
            "{}",
            ground.system()
        );
        assert!(ground.scale_error().unwrap() < 1e-3);
        // Two degrees to the pole and two beyond.
        let across = measured(&ground, points[1], points[19]);
        assert!((across / 446_773.0 - 1.0).abs() < 1e-3, "{across}");
    }
}

#[test]
fn a_plane_that_is_cut_between_neighbours_is_refused() {
    let wgs = Crs::wgs84();
    // Mercator is cut at the antimeridian, and near the equator its lengths are fine.
    let mercator = Crs::from_epsg(3395).unwrap();
    let torn = |longitudes: [f64; 2]| {
        let points = longitudes.map(|x| Point::new(x, 2.0));
        let extent = Extent::new(Some(&wgs), &points).unwrap();
        let ground = Ground::new(Some(&wgs), Some(&mercator), &extent);
        matches!(ground, Err(CrsError::Torn { .. }))
    };
    assert!(torn([179.0, -179.0]));
    assert!(torn([179.0, -178.2]));
    assert!(!torn([1.0, -1.0]));
    assert!(!torn([100.0, 140.0]));
    let on_the_plane = ground("3395", [-2e7, 0.0, 2e7, 1e5]).err();
    assert!(matches!(on_the_plane, Some(CrsError::Torn { .. })));
}

#[test]
fn a_chosen_system_is_used_and_comes_back_exactly() {
    let (wgs, rd) = (Crs::wgs84(), Crs::from_epsg(28992).unwrap());
    let here = extent(&wgs, [4.0, 51.0, 6.0, 53.0]);
    let ground = Ground::new(Some(&wgs), Some(&rd), &here).unwrap();
    assert_eq!(ground.system(), rd.to_string());
    let mut points = [Point::new(5.0, 52.0)];
    ground.to_metres(&mut points).unwrap();
    assert_near(points[0], REF_RD.0, REF_RD.1, 1e-3);
    assert_near(ground.from_metres(points[0]), 5.0, 52.0, 1e-10);
    let here = extent(&rd, [0.0, 3e5, 1e5, 4e5]);
    let degrees = Ground::new(Some(&rd), Some(&wgs), &here).err();
    assert!(matches!(degrees, Some(CrsError::ComputeInDegrees { .. })));
    let itself = Ground::new(Some(&rd), Some(&rd), &here).unwrap();
    assert!(itself.is_identity());
}

#[test]
fn distortion_is_refused() {
    let too = |system, extent| matches!(ground(system, extent), Err(CrsError::TooDistorted { .. }));
    assert!(too("4326", [-180.0, -80.0, 180.0, 80.0]));
    let everywhere: Vec<_> = (-1800..1800)
        .map(|i| Point::new(f64::from(i) / 10.0, f64::from(i) / 20.0))
        .collect();
    let wgs = Crs::wgs84();
    let everywhere = Extent::new(Some(&wgs), &everywhere).unwrap();
    let globe = Ground::new(Some(&wgs), None, &everywhere).err();
    assert!(
        matches!(globe, Some(CrsError::TooDistorted { .. })),
        "{globe:?}"
    );
    // Mercator in Scandinavia.
    assert!(too("3395", [1e6, 8e6, 2e6, 9e6]));
    assert!(!too("4326", [-10.0, 35.0, 30.0, 70.0]));
}

#[test]
fn what_is_no_degrees_is_told_apart() {
    let refusal = |extent| ground("4326", extent).err().unwrap();
    assert!(matches!(
        refusal([50.0, 80.0, 53.0, 107.0]),
        CrsError::Swapped { .. }
    ));
    assert!(matches!(
        refusal([10_000.0, 300_000.0, 280_000.0, 620_000.0]),
        CrsError::NotDegrees { axis: 'x', .. }
    ));
    assert!(matches!(refusal([f64::NAN; 4]), CrsError::Outside { .. }));
}

#[test]
fn the_first_bad_location_is_named() {
    let ground = ground("4326", [4.0, 51.0, 6.0, 53.0]).unwrap();
    let mut points = vec![Point::new(5.0, 52.0); 100_000];
    points[77_777].y = 91.0;
    points[99_999].y = 92.0;
    let error = ground.to_metres(&mut points).unwrap_err();
    assert_eq!(error.index, 77_777);
    assert!(error.to_string().contains("latitude"), "{error}");
}

proptest! {
    /// Whatever a file says, the answer is a system or an error.
    #[test]
    fn hostile_descriptions_do_no_harm(
        cut in 0..RD_PRJ.len(),
        length in 0..40_usize,
        put in r#"[-+0-9eE.,\[\]()"A-Z]{0,8}"#,
        x in -1e7..1e7_f64,
        y in -1e7..1e7_f64,
    ) {
        let end = (cut + length).min(RD_PRJ.len());
        let text = format!("{}{put}{}", &RD_PRJ[..cut], &RD_PRJ[end..]);
        if let Ok(crs) = Crs::from_wkt(&text) {
            let _ = crs.projjson();
            let _ = Ground::new(Some(&crs), None, &extent(&crs, [x, y, x + 1e4, y + 1e4]));
            let way = Transformation::new(&crs, &Crs::wgs84()).unwrap();
            let _ = way.apply(Point::new(x, y));
            let _ = way.inverse().apply(Point::new(x / 1e5, y / 1e5));
        }
    }

    /// Nor do parameters beyond all reason.
    #[test]
    fn hostile_parameters_do_no_harm(
        proj in prop::sample::select(vec![
            "tmerc", "utm", "lcc", "laea", "aea", "eqdc", "aeqd", "sterea", "stere", "merc", "webmerc",
            "omerc", "somerc", "krovak", "cass", "poly", "cea", "eqearth", "longlat", "eqc",
        ]),
        keys in prop::collection::vec((
            prop::sample::select(vec![
                "lat_0", "lon_0", "lat_1", "lat_2", "lat_ts", "lonc", "alpha", "gamma", "k_0", "x_0",
                "y_0", "to_meter", "a", "rf", "b", "R", "pm", "zone", "towgs84",
            ]),
            prop::sample::select(vec![
                "0", "1", "-1", "45", "90", "-90", "180", "1e-300", "1e300", "-1e9", "6378137", "inf",
                "nan", "", "1,2,3", "298.2",
            ]),
        ), 0..8),
        x in prop::sample::select(vec![0.0, -1e-300, 1.0, 90.0, -180.0, 400.0, 1e6, -1e12, 1e300]),
        y in prop::sample::select(vec![0.0, -1e-300, 1.0, 90.0, -90.0, 1e6, -1e12, 1e300]),
    ) {
        let keys = keys.iter().map(|(key, value)| format!(" +{key}={value}"));
        let text = format!("+proj={proj}{}", keys.collect::<String>());
        if let Ok(crs) = Crs::parse(&text) {
            let extent = extent(&crs, [x, y, x + 1.0, y + 1.0]);
            if let Ok(ground) = Ground::new(Some(&crs), None, &extent) {
                let mut points = [Point::new(x, y)];
                let _ = ground.to_metres(&mut points);
                let _ = ground.from_metres(Point::new(x, y));
                let corners = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
                let corners = corners.map(|(dx, dy)| Point::new(x + dx, y + dy));
                let _ = ground.outline(Point::new(x, y), &corners);
            }
            let way = Transformation::new(&crs, &Crs::from_epsg(28992).unwrap()).unwrap();
            let _ = way.apply(Point::new(x, y));
            let _ = way.inverse().apply(Point::new(x, y));
        }
    }
}

//! `kdisc risk --within` and `--regions`: units among those of their own region.

use crate::common::{self, Folder, assert_says, shuffled};

/// Two groups that take turns, one of a single unit, and one place in two groups.
const GROUPS: &str = "x,y,g\n0,0,a\n1,0,b\n2,0,a\n3,0,b\n9,0,c\n2,0,b\n";

/// Squares of 10 side by side, in metres of the Dutch grid.
const SQUARES: &str = r#"{"type":"FeatureCollection",
"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::28992"}},
"features":[
{"type":"Feature","properties":{"code":"west"},"geometry":{"type":"Polygon","coordinates":
[[[1000,1000],[1010,1000],[1010,1010],[1000,1010],[1000,1000]]]}},
{"type":"Feature","properties":{"code":"east"},"geometry":{"type":"Polygon","coordinates":
[[[1010,1000],[1020,1000],[1020,1010],[1010,1010],[1010,1000]]]}}]}"#;

/// Two near the bottom of the west, two on either side of the border between them, one in the
/// east, one beyond both.
const UNITS: &str =
    "id,x,y\na,1004,1000.5\nb,1006,1000.5\nc,1009,1005\nd,1011,1005\ne,1015,1005\nf,1025,1005\n";

fn folder() -> Folder {
    Folder::new()
        .with("groups.csv", GROUPS)
        .with("units.csv", UNITS)
        .with("squares.geojson", SQUARES)
}

fn table(folder: &Folder, args: &str) -> String {
    common::table(folder, &format!("risk {args}"))
}

#[track_caller]
fn refused(folder: &Folder, args: &str, parts: &[&str]) {
    let ran = folder.run(&format!("risk {args} -o out.csv"));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    for part in parts {
        assert_says(&ran.stderr, part);
    }
    assert!(!folder.names().contains(&"out.csv".to_owned()));
}

#[test]
fn only_units_of_the_same_group_count() {
    let found = table(&folder(), "groups.csv --within g --k 2 --delta 0");
    insta::assert_snapshot!(found, @r"
    x,y,g,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,a,1,2,2,1,0,0,ok
    1,0,b,1,1,2,0.5,1,0,ok
    2,0,a,1,2,2,1,2,0,ok
    3,0,b,1,1,2,0.5,3,0,ok
    9,0,c,1,,,,,,no_disc
    2,0,b,1,1,3,0.3333333333333333,2,0,ok
    ");
}

#[test]
fn only_units_in_the_same_polygon_count() {
    let found = table(
        &folder(),
        "units.csv --regions squares.geojson --k 2 --delta 0",
    );
    insta::assert_snapshot!(found, @r"
    id,x,y,multiplicity,radius,units,risk,center_x,center_y,status
    a,1004,1000.5,1,2,2,1,1004,1000.5,ok
    b,1006,1000.5,1,2,2,1,1006,1000.5,ok
    c,1009,1005,1,5.408326913195984,2,2.704163456597992,1009,1005,ok
    d,1011,1005,1,4,2,2,1011,1005,ok
    e,1015,1005,1,4,2,2,1015,1005,ok
    f,1025,1005,1,,,,,,outside
    ");
}

/// a and b touch the bottom: r² = 1 + (r − 1/2)². The disc with b and c as diameter would leave to
/// the east; through both and touching x = 1010, its centre is r from all three.
#[test]
fn discs_can_be_asked_to_lie_inside() {
    let args = "units.csv --regions squares.geojson --enclosed --k 2";
    insta::assert_snapshot!(table(&folder(), args), @r"
    id,x,y,multiplicity,radius,units,risk,center_x,center_y,status
    a,1004,1000.5,1,1.25,2,0.625,1005,1001.25,ok
    b,1006,1000.5,1,1.25,2,0.625,1005,1001.25,ok
    c,1009,1005,1,2.716673086804016,2,1.358336543402008,1007.283326913196,1002.894448724536,ok
    d,1011,1005,1,2,2,1,1013,1005,ok
    e,1015,1005,1,2,2,1,1013,1005,ok
    f,1025,1005,1,,,,,,outside
    ");
    insta::assert_snapshot!(table(&folder(), &format!("{args} --delta 0")), @r"
    id,x,y,multiplicity,radius,units,risk,center_x,center_y,status
    a,1004,1000.5,1,,,,,,not_enclosed
    b,1006,1000.5,1,,,,,,not_enclosed
    c,1009,1005,1,,,,,,not_enclosed
    d,1011,1005,1,,,,,,not_enclosed
    e,1015,1005,1,4,2,2,1015,1005,ok
    f,1025,1005,1,,,,,,outside
    ");
}

#[test]
fn the_summary_says_what_the_restriction_changes() {
    let folder = folder();
    let args = "units.csv --regions squares.geojson --enclosed --k 2 --region-id code";
    let ran = folder.run(&format!("risk {args} -o out.csv --summary s.json"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| !line.starts_with("time"))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    asked      the smallest disc with at least 2 units, anywhere around the unit (delta = inf)
    input      units.csv: 6 rows, coordinates in "x" and "y"
    system     EPSG:28992 (Amersfoort / RD New), taken to be that of the other input
    lengths    at most 0.14% off anywhere
    regions    squares.geojson, layer "squares": 2 rows, coordinates in "geometry"
    system     EPSG:28992 (Amersfoort / RD New), as the file says
    population 6 units at 6 locations
    within     only units in the same region count, and discs lie inside: 2 regions with units
    outside    1 unit in no region, the first: line 7
    changed    5 of 6 units: radius times 1.6250 at the median, 2.7167 at most; 1 without a disc now

    units at one location  1
    locations              6

    per unit                 min       25%    median       75%       90%       99%       max
    radius                1.2500    1.2500    2.0000    2.0000    2.4300    2.6880    2.7167
    risk                 0.62500   0.62500    1.0000    1.0000    1.2150    1.3440    1.3583
    radius, delta = 0     4.0000    4.0000    4.0000    4.0000    4.0000    4.0000    4.0000
    risk, delta = 0       2.0000    2.0000    2.0000    2.0000    2.0000    2.0000    2.0000

    no disc    1 unit: in no region, in one with fewer than k units, or none lies inside; they exceed every limit
    radius 0   0 units at a location of k or more
    isolated   line 7 (row 6): no disc
               line 4 (row 3): radius 2.7167, 2 units
               line 5 (row 4): radius 2.0000, 2 units
               line 6 (row 5): radius 2.0000, 2 units
               line 2 (row 1): radius 1.2500, 2 units
    CONFIDENTIAL: out.csv holds exact locations; keep it as safe as the input
    "#);
    let json = folder.json("s.json");
    insta::assert_snapshot!(format!("{:#}", json["within"]), @r#"
    {
      "column": null,
      "enclosed": true,
      "regions_with_units": 2,
      "regions_below_k": 0,
      "outside": 1,
      "compared": 6,
      "changed": 5,
      "lost": 1,
      "radius_ratio": {
        "min": 1.25,
        "p25": 1.25,
        "median": 1.625,
        "p75": 2.179168271701004,
        "p90": 2.501671160762811,
        "p99": 2.695172894199896,
        "max": 2.716673086804016,
        "mean": 1.804168271701004,
        "sum": 7.216673086804016
      }
    }
    "#);
    assert_eq!(json["inputs"].as_array().unwrap().len(), 2);
    assert_eq!(json["inputs"][1]["path"], "squares.geojson");
    assert_eq!(json["per_unit"]["no_disc"], 1);
    let verified = folder.run("verify s.json");
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);

    let moved = SQUARES.replace("1000],[1010,1000]", "1000.25],[1010,1000]");
    let folder = folder.with("squares.geojson", moved);
    let verified = folder.run("verify s.json");
    assert_eq!(verified.code, Some(1), "{}", verified.stdout);
    assert_says(&verified.stdout, "input   squares.geojson: DIFFERENT");
}

#[test]
fn a_group_is_told_in_words_too() {
    let folder = folder();
    let args = "risk groups.csv --within g --k 2 --delta 0 --summary s.json -o out.csv";
    let ran = folder.run(args);
    assert_says(
        &ran.stderr,
        "within     only units with the same \"g\" count: 3 groups with units, 1 of them with fewer than k\n",
    );
    assert_says(&ran.stderr, "changed    ");
    assert_says(
        &ran.stderr,
        "no disc    1 unit: fewer than k units in their group",
    );
    let json = folder.json("s.json");
    assert_eq!(json["within"]["column"], "g");
    assert_eq!(json["within"]["lost"], 1);
    let verified = folder.run("verify s.json");
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn some_rows_can_be_measured_within_regions() {
    let folder = folder();
    let all = table(
        &folder,
        "units.csv --regions squares.geojson --k 2 --enclosed",
    );
    for id in ["a", "c", "f"] {
        let args = "units.csv --regions squares.geojson --k 2 --enclosed --only";
        let some = table(&folder, &format!("{args} id={id}"));
        let line = |table: &str| {
            let mut lines = table.lines();
            let start = format!("{id},");
            lines
                .find(|line| line.starts_with(&start))
                .unwrap()
                .to_owned()
        };
        assert_eq!(line(&some), line(&all));
        assert_eq!(some.matches("not_measured").count(), 5);
    }
}

#[test]
fn places_are_measured_in_their_own_region() {
    let folder = folder().with("places.csv", "x,y\n1005,1000.5\n1015,1005\n1030,1030\n");
    let args =
        "units.csv --at places.csv --regions squares.geojson --k 2 --delta 0 --summary s.json";
    insta::assert_snapshot!(table(&folder, args), @r"
    x,y,multiplicity,radius,units,risk,center_x,center_y,status
    1005,1000.5,0,1,2,0.5,1005,1000.5,ok
    1015,1005,1,4,2,2,1015,1005,ok
    1030,1030,0,,,,,,outside
    ");
    assert_eq!(folder.json("s.json")["within"]["outside"], 1);
    let verified = folder.run("verify s.json");
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_do_not_matter() {
    let [one, other] = shuffled();
    let folder = Folder::new().with("a.csv", one).with("b.csv", other);
    let sorted = |file: &str, threads: &str| {
        let out = table(
            &folder,
            &format!("{file} --within fined --threads {threads}"),
        );
        let mut lines: Vec<_> = out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted("a.csv", "1"), sorted("b.csv", "2"));
}

#[test]
fn rows_without_a_group_cannot_be_used() {
    let rows = "x,y,g,n\n0,0,a,1\n1,0,,7\n2,0,a,2\nbad,0,a,1\n3,0,a,1\n";
    let folder = Folder::new().with("t.csv", rows);
    let ran = folder.run("risk t.csv --within g --k 2 --on-invalid error");
    assert_eq!(ran.code, Some(2));
    let args = "t.csv --within g --k 3 --delta 0 --weight n --on-invalid skip";
    insta::assert_snapshot!(table(&folder, args), @r"
    x,y,g,n,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,a,1,1,2,3,0.6666666666666666,0,0,ok
    1,0,,7,,,,,,,invalid
    2,0,a,2,2,1,3,0.3333333333333333,2,0,ok
    bad,0,a,1,,,,,,,invalid
    3,0,a,1,1,1,3,0.3333333333333333,3,0,ok
    ");
    let ran = folder.run(&format!("risk {args} -o out.csv"));
    assert_says(
        &ran.stderr,
        "2 left out as invalid, the first: t.csv, line 5, column \"x\": \"bad\" is not a number",
    );
    let only = Folder::new().with("t.csv", "x,y,g\n0,0,a\n1,0,\n");
    refused(
        &only,
        "t.csv --within g --k 2",
        &[
            "t.csv, line 3, column \"g\": the value is missing",
            "--on-invalid skip",
        ],
    );
}

#[test]
fn what_cannot_be_asked_is_refused_before_reading() {
    let folder = folder();
    for (args, part) in [
        (
            "--regions none.gpkg --enclosed --delta 5",
            "delta 0 and inf only",
        ),
        (
            "--regions none.gpkg --enclosed --metric l1",
            "only discs (l2) can be enclosed",
        ),
        ("--enclosed", "--regions <FILE>"),
        ("--region-id code", "--regions <FILE>"),
        (
            "--within g --regions squares.geojson",
            "cannot be used with",
        ),
        ("--within g --at units.csv", "cannot be used with"),
    ] {
        refused(&folder, &format!("groups.csv {args}"), &[part]);
    }
    refused(
        &folder,
        "- --regions -",
        &["more than one input is to come from standard input"],
    );
}

#[test]
fn regions_that_cannot_be_used_are_refused() {
    let twisted = SQUARES.replace(
        "[1010,1000],[1010,1010],[1000,1010]",
        "[1010,1010],[1010,1000],[1000,1010]",
    );
    let overlapping = SQUARES.replace(
        "[1010,1010],[1000,1010],[1000,1000]]]}},",
        "[1014,1010],[1000,1010],[1000,1000]]]}},",
    );
    let far = SQUARES.replace("10", "90");
    let folder = folder()
        .with("twisted.geojson", twisted)
        .with("overlapping.geojson", overlapping)
        .with("far.geojson", far);
    let units = |regions: &str| format!("units.csv --k 2 --regions {regions}");
    refused(&folder, &units("none.geojson"), &["none.geojson"]);
    refused(
        &folder,
        &units("units.csv"),
        &["units.csv has no column of polygons", "help"],
    );
    refused(
        &folder,
        &units("twisted.geojson"),
        &["twisted.geojson, row 1", "help: repair"],
    );
    refused(
        &folder,
        &units("squares.geojson --region-id name"),
        &["name"],
    );
    refused(
        &folder,
        &units("overlapping.geojson --region-id code"),
        &[
            "units.csv, line 5: it lies in two regions of overlapping.geojson, \"west\" and \"east\"",
        ],
    );
    refused(
        &folder,
        &units("far.geojson"),
        &[
            "no row of units.csv lies in any region of far.geojson",
            "coordinate systems",
        ],
    );
    refused(&folder, "units.csv --within nothing", &["nothing", "help"]);
}

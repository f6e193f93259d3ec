//! `kdisc areal`: grids, polygons, moved grids.

use serde_json::{Value, json};

use crate::common::{self, Folder, assert_says, told};

/// The units of the paper's figures.
const PAPER: &str = "x,y\n2.2,0.2\n2.9,1.7\n3.2,1.8\n-0.2,2.0\n";

fn table(folder: &Folder, args: &str) -> String {
    common::table(folder, &format!("areal {args}"))
}

fn polygon(name: &str, rings: &str) -> String {
    format!(
        "{{\"type\":\"Feature\",\"properties\":{{\"name\":\"{name}\"}},\
         \"geometry\":{{\"type\":\"Polygon\",\"coordinates\":[{rings}]}}}}\n"
    )
}

fn square(name: &str, x: f64, y: f64, side: f64) -> String {
    let (east, north) = (x + side, y + side);
    let ring = format!("[[{x},{y}],[{east},{y}],[{east},{north}],[{x},{north}],[{x},{y}]]");
    polygon(name, &ring)
}

/// Features of the Netherlands, in metres.
fn collection(features: &str) -> String {
    let features = features.trim_end().replace('\n', ",");
    format!(
        "{{\"type\":\"FeatureCollection\",\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\
         \"urn:ogc:def:crs:EPSG::28992\"}}}},\"features\":[{features}]}}"
    )
}

#[test]
fn the_paper_s_square_resized_moved_and_reshaped() {
    let folder = Folder::new().with("paper.csv", PAPER);
    insta::assert_snapshot!(table(&folder, "paper.csv --grid 4"), @r"
    region,x,y,count,area,density,areal_risk
    -1_0,-4,0,1,16,0.0625,1
    0_0,0,0,3,16,0.1875,0.3333333333333333
    ");
    insta::assert_snapshot!(table(&folder, "paper.csv --grid 2"), @r"
    region,x,y,count,area,density,areal_risk
    -1_1,-2,2,1,4,0.25,1
    1_0,2,0,3,4,0.75,0.3333333333333333
    ");
    insta::assert_snapshot!(table(&folder, "paper.csv --grid 4 --origin 0.3,0.4"), @r"
    region,x,y,count,area,density,areal_risk
    -1_0,-3.7,0.4,1,16,0.0625,1
    0_-1,0.3,-3.6,1,16,0.0625,1
    0_0,0.3,0.4,2,16,0.125,0.5
    ");
    insta::assert_snapshot!(table(&folder, "paper.csv --hex 4 --origin 2,2"), @r"
    region,x,y,count,area,density,areal_risk
    0_0,2,2,4,16,0.25,0.25
    ");
}

#[test]
fn units_are_joined_with_their_cells_and_what_moving_does() {
    let folder = Folder::new().with("paper.csv", PAPER);
    let args = "paper.csv --grid 4 --min-count 3 --maup --shifts 4 --k 2 --units units.csv";
    insta::assert_snapshot!(table(&folder, args), @r"
    region,x,y,count,area,density,areal_risk,enough,radius_max,radius_mean,units_above
    -1_0,-4,0,1,16,0.0625,1,FALSE,1.5,1.5,
    0_0,0,0,3,16,0.1875,0.3333333333333333,TRUE,0.8276472678623423,0.38129167795972685,
    ");
    insta::assert_snapshot!(folder.read("units.csv"), @r"
    x,y,region,count,area,density,areal_risk,enough,radius,count_min,count_max,areal_risk_min,areal_risk_max,flips
    2.2,0.2,0_0,3,16,0.1875,0.3333333333333333,TRUE,0.8276472678623423,1,3,0.3333333333333333,1,TRUE
    2.9,1.7,0_0,3,16,0.1875,0.3333333333333333,TRUE,0.1581138830084191,2,3,0.3333333333333333,0.5,TRUE
    3.2,1.8,0_0,3,16,0.1875,0.3333333333333333,TRUE,0.1581138830084191,1,3,0.3333333333333333,1,TRUE
    -0.2,2.0,-1_0,1,16,0.0625,1,FALSE,1.5,1,3,0.3333333333333333,1,TRUE
    ");
    let ran = folder.run(&format!("areal {args}"));
    insta::assert_snapshot!(told(&ran), @r#"
    regions    squares of 4 m, a corner at (0, 0); each owns its west and south edges
    input      paper.csv: 4 rows, coordinates in "x" and "y"
    system     unknown; coordinates are taken as metres
    counted    4 units in 2 cells

                               min       25%    median       75%       90%       99%       max
    units per cell               1    1.5000         2    2.5000    2.8000    2.9800         3
    areal risk per unit    0.33333   0.33333   0.33333   0.50000   0.80000   0.98000         1
    radius per unit        0.15811   0.15811   0.49288   0.99574    1.2983    1.4798    1.5000

    verdict    1 cell with fewer than 3 units: 1 unit in all
    moved      the same units in other cells, and whether at least 3 share one:
               in 16 places                 4 units (100.0%) pass here and fail there
               as hexagons of the same area 3 units (75.0%) pass here and fail there
               at half the side             0 units (0.0%) pass here and fail there
               at double the side           0 units (0.0%) pass here and fail there
               any of these                 4 units (100.0%) pass here and fail there
               areal risk changes by a factor of 3 (median), 3 (99%), 3 (most)
               line 2 (row 1): 3 here, 1 to 3; its radius stays 0.82765
               line 4 (row 3): 3 here, 1 to 3; its radius stays 0.15811
               line 5 (row 4): 1 here, 1 to 3; its radius stays 1.5000
               line 3 (row 2): 3 here, 2 to 3; its radius stays 0.15811
    radius     of the smallest disc with at least 2 units, anywhere around the unit (delta = inf), wherever borders run
    time       [...]
    WARNING: paper.csv: nothing says what the coordinates are, so they are taken as metres; but all of them could be degrees: then say --crs EPSG:4326
    CONFIDENTIAL: the output counts units also where they are few, and units.csv holds exact locations; keep both as safe as the input
    "#);
}

#[test]
fn weights_invalid_rows_and_units_outside() {
    let rows = "id,x,y,n\na,150001,450001,5\nb,150001,450003,0\nc,oops,1,1\nd,150009,450009,2\n\
                e,150002,450002,1\n";
    let areas = square("north", 150_000.0, 450_002.0, 2.0)
        + &square("south", 150_000.0, 450_000.0, 2.0)
        + &square("empty", 150_050.0, 450_050.0, 1.0);
    let folder = Folder::new()
        .with("rows.csv", rows)
        .with("areas.geojson", collection(&areas));
    let args = "rows.csv --weight n --on-invalid skip --regions areas.geojson --region-id name \
                --min-count 2 --k 3 --delta 0 --max-radius 2 --units units.csv";
    insta::assert_snapshot!(table(&folder, args), @r"
    region,x,y,count,area,density,areal_risk,enough,radius_max,radius_mean,units_above
    north,150001,450003,1,4,0.25,1,FALSE,1.4142135623730951,1.4142135623730951,0
    south,150001,450001,5,4,1.25,0.2,TRUE,0,0,0
    empty,150050.5,450050.5,0,1,0,0,TRUE,,,0
    ");
    insta::assert_snapshot!(folder.read("units.csv"), @r"
    id,x,y,n,region,count,area,density,areal_risk,enough,radius
    a,150001,450001,5,south,5,4,1.25,0.2,TRUE,0
    b,150001,450003,0,north,1,4,0.25,1,FALSE,2
    c,oops,1,1,,,,,,,
    d,150009,450009,2,,,,,,,9.899494936611665
    e,150002,450002,1,north,1,4,0.25,1,FALSE,1.4142135623730951
    ");
    let ran = folder.run(&format!("areal {args} --summary run.json"));
    insta::assert_snapshot!(told(&ran), @r#"
    regions    polygons; each owns its west and south borders
    input      rows.csv: 5 rows, coordinates in "x" and "y"
    system     EPSG:28992 (Amersfoort / RD New), taken to be that of the other input
    lengths    at most 0.01% off anywhere
               1 left out as invalid, the first: rows.csv, line 4, column "x": "oops" is not a number
    polygons   areas.geojson, layer "areas": 3 rows, coordinates in "geometry"
    system     EPSG:28992 (Amersfoort / RD New), as the file says
    counted    6 units in 2 regions; 1 more without any
    outside    2 units in none, the first on line 5

                               min       25%    median       75%       90%       99%       max
    units per region             1         2         3         4    4.6000    4.9600         5
    areal risk per unit    0.20000   0.20000   0.20000   0.20000   0.60000   0.96000         1
    radius per unit              0         0         0    3.5355    9.8995    9.8995    9.8995

    verdict    1 region with fewer than 2 units: 1 unit in all
    radius     of the smallest disc with at least 3 units, centred on the unit (delta = 0), wherever borders run
    above      2 units of a radius above 2 m, or without a disc
    time       [...]
    CONFIDENTIAL: the output counts units also where they are few, and units.csv holds exact locations; keep both as safe as the input
    "#);
    let summary = folder.json("run.json");
    assert_eq!(summary["units"], 8);
    assert_eq!(summary["units_outside"], 2);
    assert_eq!(summary["verdict"]["units_below"], 1);
    assert_eq!(summary["measure"]["units_above"], 2);
}

#[test]
fn without_a_limit_nothing_is_above_it_nor_below() {
    let folder = Folder::new().with("paper.csv", PAPER);
    let judged = |args: &str| {
        let rows = table(&folder, &format!("{args} --summary run.json"));
        let ends = rows.lines().skip(1);
        let ends: Vec<_> = ends
            .map(|row| row.rsplit(',').next().unwrap().to_owned())
            .collect();
        (
            ends,
            folder.json("run.json")["measure"]["units_above"].clone(),
        )
    };
    let empty = vec![String::new(); 2];
    assert_eq!(judged("paper.csv --grid 4 --k 2"), (empty, Value::Null));
    // Nobody has a disc: that is above every limit, but only if there is one.
    let none = || vec![String::new(); 2];
    assert_eq!(judged("paper.csv --grid 4 --k 9"), (none(), Value::Null));
    let all = vec!["1".to_owned(), "3".to_owned()];
    assert_eq!(
        judged("paper.csv --grid 4 --k 9 --max-radius 5"),
        (all, json!(4))
    );
}

#[test]
fn the_order_of_the_rows_and_the_threads_do_not_matter() {
    let folder = Folder::new();
    folder.run("example --units 3000 -o town.csv");
    let town = folder.read("town.csv");
    let mut lines: Vec<_> = town.lines().collect();
    lines[1..].reverse();
    let folder = folder.with("turned.csv", lines.join("\n"));
    let args = "--hex 300 --maup --shifts 3 --max-radius 100";
    let first = table(&folder, &format!("town.csv {args} --threads 1"));
    assert_eq!(
        first,
        table(&folder, &format!("turned.csv {args} --threads 3"))
    );
}

#[test]
fn a_run_can_be_verified() {
    let folder = Folder::new()
        .with("paper.csv", PAPER)
        .with("areas.geojsonl", square("a", 0.0, 0.0, 4.0));
    for args in [
        "--grid 4 --maup --units units.parquet",
        "--regions areas.geojsonl --units units.csv",
    ] {
        let ran = folder.run(&format!(
            "areal paper.csv {args} -o out.csv --summary run.json"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ran = folder.run("verify run.json");
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        assert_says(&ran.stdout, "verified");
    }
    let folder = folder.with("areas.geojsonl", square("b", 0.0, 0.0, 4.0));
    let ran = folder.run("verify run.json");
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.stdout, "areas.geojsonl: DIFFERENT");
}

#[test]
fn one_division_at_a_time() {
    let folder = Folder::new().with("paper.csv", PAPER);
    let ran = folder.run("areal paper.csv --grid 4 --hex 4");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "cannot be used with");
    let ran = folder.run("areal paper.csv");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "--grid <M>");
}

/// Every refusal: exit code 2, a message, a way out, and nothing written.
#[test]
fn what_cannot_be_counted_is_refused() {
    let bow_tie = "[[0,0],[2,2],[2,0],[0,2],[0,0]]";
    let overlapping = square("one", 0.0, 0.0, 4.0) + &square("other", 2.0, 0.0, 4.0);
    let folder = Folder::new()
        .with("paper.csv", PAPER)
        .with("places.csv", "lon,lat\n5.1,52.0\n5.2,52.1\n")
        .with("tie.geojsonl", polygon("tie", bow_tie))
        .with("two.geojsonl", overlapping)
        .with(
            "same.geojsonl",
            square("a", 0.0, 0.0, 1.0) + &square("a", 5.0, 5.0, 1.0),
        );
    let names = folder.names();
    let refused = |args: &str, message: &str, help: &str| {
        let ran = folder.run(&format!("areal {args} -o out.csv --units units.csv"));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert_says(&ran.stderr, message);
        assert_says(&ran.stderr, help);
        assert_eq!(folder.names(), names);
    };
    refused(
        "paper.csv --grid 0",
        "a cell cannot be 0 wide",
        "--grid 200",
    );
    refused(
        "paper.csv --grid -5",
        "a cell cannot be -5 wide",
        "--grid 200",
    );
    refused(
        "paper.csv --hex nan",
        "a cell cannot be NaN wide",
        "--grid 200",
    );
    refused(
        "paper.csv --grid 1e-100",
        "more than 1,099,511,627,776",
        "use larger cells",
    );
    refused(
        "places.csv --grid 200",
        "a grid is laid in metres",
        "--compute-crs",
    );
    refused(
        "paper.csv --grid 4 --origin 1",
        "two numbers with a comma",
        "",
    );
    refused(
        "paper.csv --grid 4 --maup --shifts 0",
        "0 is not in 1..=256",
        "",
    );
    refused("paper.csv --grid 4 --max-radius -1", "0 or more", "");
    refused(
        "paper.csv --regions two.geojsonl --maup",
        "cannot be used with",
        "",
    );
    refused(
        "paper.csv --regions tie.geojsonl --region-id name",
        "tie.geojsonl, row 1, region \"tie\": its border crosses itself at (0, 0)",
        "Fix geometries",
    );
    refused(
        "paper.csv --crs EPSG:4326 --regions two.geojsonl --region-id name",
        "paper.csv, line 2: it lies in two regions of two.geojsonl, \"one\" and \"other\"",
        "must not overlap",
    );
    refused(
        "paper.csv --regions same.geojsonl --region-id name",
        "rows 1 and 2 are both called \"a\"",
        "--region-id COL",
    );
    refused(
        "paper.csv --regions two.geojsonl --region-id nam",
        "has no column \"nam\" (nearest: \"name\")",
        "as the header has it",
    );
    refused(
        "paper.csv --regions paper.csv",
        "has no column of polygons",
        "GeoPackage",
    );
    refused(
        "paper.csv --regions absent.gpkg",
        "there is no such file",
        "check the name",
    );
    refused(
        "paper.csv --grid 4 --prefix _ --weight w",
        "no column \"w\"",
        "",
    );
    refused(
        "- --regions -",
        "both the units and the regions",
        "from a file",
    );
}

#[test]
fn columns_of_the_same_name_are_refused() {
    let folder = Folder::new().with("rows.csv", "x,y,count\n1,1,7\n");
    let ran = folder.run("areal rows.csv --grid 4 --units units.csv");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "rows.csv already has a column \"count\"");
    let ran = folder.run("areal rows.csv --grid 4 --units units.csv --prefix areal_ -q");
    assert_eq!(ran.code, Some(0));
    insta::assert_snapshot!(folder.read("units.csv"), @r"
    x,y,count,areal_region,areal_count,areal_area,areal_density,areal_areal_risk
    1,1,7,0_0,1,16,0.0625,1
    ");
}

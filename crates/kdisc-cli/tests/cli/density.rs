//! `kdisc density`: what it says and what it refuses. That the map is right is tested in the core,
//! and that GDAL reads it by the tests with peers.

use crate::common::{Folder, assert_says, done, shuffled, told};

const TOWN: &str = "x,y,sales,kind\n10,10,5,a\n30,15,7,b\n95,95,,c\n12,14,1,d\n";

fn refused(folder: &Folder, args: &str) -> String {
    let before = folder.names();
    let ran = folder.run(args);
    assert_eq!(ran.code, Some(2), "{args}: {}", ran.stderr);
    assert_eq!(folder.names(), before, "{args}");
    ran.stderr
}

#[test]
fn a_map_of_the_example() {
    let folder = Folder::new();
    let ran = folder.run("density --cell 100 --bandwidth 500 --value production -o map.tif");
    insta::assert_snapshot!(told(&ran));
    assert_eq!(folder.names(), ["map.tif"]);
    let ran = folder
        .run("density --cell 250 --adaptive --kernel quartic --exact --mask-unsafe -o map.tif");
    insta::assert_snapshot!(told(&ran));
}

#[test]
fn the_summary_for_machines() {
    let folder = Folder::new().with("town.csv", TOWN);
    done(
        &folder,
        "density town.csv --cell 10 --bandwidth 20 --value sales -o map.tif --summary run.json",
    );
    let summary = folder.json("run.json");
    assert_eq!(summary["units"], 4);
    assert_eq!(summary["units_on_map"], 3);
    assert_eq!(summary["units_without_value"], 1);
    assert_eq!(summary["bandwidth"], 20);
    assert_eq!(summary["raster"]["cell"], 10);
    // From 10 - 80 to 95 + 80, and the cell of the latter: where a unit without a value is, too.
    assert_eq!(summary["raster"]["columns"], 25);
    assert_eq!(summary["rule"]["min_contributors"], 10);
    assert_eq!(summary["rule"]["masked"], false);
    assert_eq!(summary["rule"]["cells_unsafe"], summary["cells_reached"]);
    let ran = done(&folder, "verify run.json");
    assert_says(&ran.stdout, "verified: the run gives the same output");
}

#[test]
fn the_same_bytes_for_any_order_of_rows_and_any_threads() {
    let [one, other] = shuffled();
    let folder = Folder::new().with("one.csv", one).with("other.csv", other);
    for args in [
        "--bandwidth 300 --value production",
        "--adaptive --exact --kernel epanechnikov --value production",
    ] {
        done(
            &folder,
            &format!("density one.csv --cell 50 {args} -o one.tif --threads 1"),
        );
        done(
            &folder,
            &format!("density other.csv --cell 50 {args} -o other.tif --threads 4"),
        );
        let read = |name| std::fs::read(folder.path(name)).unwrap();
        assert!(read("one.tif") == read("other.tif"), "{args}");
    }
}

#[test]
fn a_study_region_takes_only_its_own() {
    let ring = "[[0,0],[50,0],[50,50],[0,50],[0,0]]";
    let region = format!(
        r#"{{"type":"FeatureCollection","crs":{{"type":"name","properties":{{"name":"urn:ogc:def:crs:EPSG::28992"}}}},
        "features":[{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{ring}]}}}}]}}"#
    );
    let folder = Folder::new()
        .with("town.csv", TOWN)
        .with("land.geojson", region);
    let command = "density town.csv --cell 10 --bandwidth 20 --regions land.geojson -o map.tif --summary run.json";
    let ran = done(&folder, command);
    assert_says(&ran.stderr, "1 unit outside the map: left out");
    let summary = folder.json("run.json");
    assert_eq!(summary["units_on_map"], 3);
    assert_eq!(summary["raster"]["columns"], 5);
    assert_says(&done(&folder, "verify run.json").stdout, "verified");
}

#[test]
fn degrees_are_projected_and_the_map_says_so() {
    let folder = Folder::new().with("town.csv", "lon,lat\n5.1,52.1\n5.11,52.1\n5.12,52.11\n");
    let ran = done(
        &folder,
        "density town.csv --cell 100 --bandwidth 300 -o map.tif",
    );
    assert_says(&ran.stderr, "fitted to the data: +proj=lcc");
}

#[test]
fn a_bandwidth_below_a_cell_is_told() {
    let folder = Folder::new().with("town.csv", TOWN);
    let ran = done(
        &folder,
        "density town.csv --cell 10 --bandwidth 5 -o map.tif",
    );
    assert_says(
        &ran.stderr,
        "WARNING: the bandwidth (5.0000 m) is smaller than a cell (10.000 m)",
    );
    let ran = done(
        &folder,
        "density town.csv --cell 10 --adaptive --k 2 --min-bandwidth 1 -o map.tif",
    );
    assert_says(&ran.stderr, "is smaller than a cell");
}

#[test]
fn what_makes_no_map_is_refused() {
    let folder = Folder::new()
        .with("town.csv", TOWN)
        .with("zero.csv", "x,y,v,w\n1,1,0,\n2,2,0,\n")
        .with("empty.csv", "x,y\n");
    for (args, part, help) in [
        (
            "town.csv --cell 0.01 --bandwidth 5 -o m.tif",
            "more than --max-memory 4.0 GiB",
            "--cell",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 --max-memory 1K -o m.tif",
            "more than --max-memory 1.0 KiB",
            "--extent",
        ),
        (
            "town.csv --cell 1e-9 --bandwidth 5 -o m.tif",
            "no map has cells of",
            "larger cells",
        ),
        (
            "zero.csv --cell 1 --bandwidth 5 --value v -o m.tif",
            "every value is 0",
            "--value COL",
        ),
        (
            "zero.csv --cell 1 --bandwidth 5 --value w -o m.tif",
            "no unit has a value",
            "--value COL",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 --value kind -o m.tif",
            "\"kind\"",
            "--on-invalid",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 --value none -o m.tif",
            "none",
            "name a column",
        ),
        (
            "town.csv --cell 1 --adaptive --k 5 -o m.tif",
            "fewer than --k",
            "--k N",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 --extent 500,500,600,600 -o m.tif",
            "lies on the map",
            "--extent",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 -o m.csv",
            "the map is a GeoTIFF",
            "-o map.tif",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 -o -",
            "the map is a GeoTIFF",
            "-o map.tif",
        ),
        (
            "empty.csv --cell 1 --bandwidth 5 -o m.tif",
            "empty.csv has no rows",
            "at least one row",
        ),
        (
            "town.csv --cell 1 --bandwidth 5 -o no/m.tif",
            "does not exist",
            "make the directory",
        ),
    ] {
        let said = refused(&folder, &format!("density {args}"));
        assert_says(&said, part);
        assert_says(&said, help);
    }
    // What clap says.
    for (args, part) in [
        ("--cell 0 --bandwidth 5", "above 0"),
        ("--cell -3 --bandwidth 5", "above 0"),
        ("--cell nan --bandwidth 5", "above 0"),
        ("--cell 1 --bandwidth 0", "above 0"),
        ("--cell 1 --bandwidth inf", "above 0"),
        ("--cell 1", "--bandwidth"),
        ("--cell 1 --bandwidth 5 --adaptive", "cannot be used with"),
        (
            "--cell 1 --bandwidth 5 --kernel box",
            "gaussian, uniform, quartic or epanechnikov",
        ),
        ("--cell 1 --bandwidth 5 --max-share 2", "up to 1"),
        ("--cell 1 --bandwidth 5 --min-contributors 0", "1 or more"),
        ("--cell 1 --bandwidth 5 --extent 1,2,3", "least x and y"),
        (
            "--cell 1 --bandwidth 5 --max-memory lots",
            "number of bytes",
        ),
    ] {
        assert_says(
            &refused(&folder, &format!("density town.csv {args} -o m.tif")),
            part,
        );
    }
}

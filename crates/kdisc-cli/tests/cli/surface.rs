//! `kdisc surface`: that its cells are what `kdisc risk --at` says is tested with peers, which read
//! the map.

use crate::common::{Folder, assert_says, done, shuffled, told};

#[test]
fn a_surface_of_the_example() {
    let folder = Folder::new();
    insta::assert_snapshot!(told(&folder.run("surface --cell 500 --k 5 -o map.tif")));
    assert_eq!(folder.names(), ["map.tif"]);
}

#[test]
fn the_same_bytes_again() {
    let [one, other] = shuffled();
    let folder = Folder::new().with("one.csv", one).with("other.csv", other);
    done(
        &folder,
        "surface one.csv --cell 100 -o one.tif --threads 1 --summary run.json",
    );
    done(
        &folder,
        "surface other.csv --cell 100 -o other.tif --threads 3",
    );
    let read = |name| std::fs::read(folder.path(name)).unwrap();
    assert!(read("one.tif") == read("other.tif"));
    assert_says(&done(&folder, "verify run.json").stdout, "verified");
    let summary = folder.json("run.json");
    assert_eq!(
        (&summary["k"], &summary["delta"]),
        (&10.into(), &"inf".into())
    );
}

#[test]
fn with_fewer_than_k_units_there_is_no_disc_anywhere() {
    let folder = Folder::new().with("town.csv", "x,y\n0,0\n30,40\n");
    let ran = done(
        &folder,
        "surface town.csv --cell 10 --k 3 -o map.tif --summary run.json",
    );
    assert_says(&ran.stderr, "radius     none: fewer than k units in all");
    assert!(folder.json("run.json")["radius"].is_null());
}

#[test]
fn what_makes_no_surface_is_refused() {
    let folder = Folder::new().with("town.csv", "x,y\n0,0\n30,40\n");
    for (args, part) in [
        ("--cell 0.001 -o m.tif", "more than --max-memory"),
        ("--cell 1 --delta -1 -o m.tif", "delta is -1"),
        ("--cell 1 --k 0 -o m.tif", "k is 0"),
        ("--cell 1 -o m.gpkg", "the map is a GeoTIFF"),
        ("--cell 1", "--output"),
        ("-o m.tif", "--cell"),
    ] {
        let ran = folder.run(&format!("surface town.csv {args}"));
        assert_eq!(ran.code, Some(2), "{args}");
        assert_says(&ran.stderr, part);
        assert_eq!(folder.names(), ["town.csv"]);
    }
}

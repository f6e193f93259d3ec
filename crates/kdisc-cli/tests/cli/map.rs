//! `kdisc map`: pictures of the risk.

use std::fs;

use crate::common::{Folder, assert_says, done, shuffled, told};

/// Five units close together and one far away.
const ROWS: &str = "x,y\n0,0\n30,40\n10,0\n20,20\n0,30\n2000,1500\n";

fn refused(folder: &Folder, command: &str) -> String {
    let before = folder.names();
    let ran = folder.run(command);
    assert_eq!(ran.code, Some(2), "{command}: {}", ran.stderr);
    assert_eq!(folder.names(), before, "{command} left something behind");
    assert_says(&ran.stderr, "help: ");
    ran.stderr
}

/// Words as they are labelled: the letters are outlines.
fn labels(svg: &str) -> Vec<&str> {
    let parts = svg.split("aria-label=\"").skip(1);
    parts.filter_map(|part| part.split('"').next()).collect()
}

#[test]
fn a_map_of_six_units() {
    let folder = Folder::new().with("t.csv", ROWS);
    let ran = done(
        &folder,
        "map t.csv --crs EPSG:28992 --k 3 --delta 0,inf --color radius --highlight top:2 -o m.svg",
    );
    insta::assert_snapshot!(told(&ran));
    insta::assert_snapshot!(labels(&folder.read("m.svg")).join("\n"));
}

/// Units on a circle of 5 m whose distances from its centre come out as more than that. With top:3
/// one disc was drawn three times.
#[test]
fn those_on_one_circle_are_marked_once() {
    let rows = "x,y\n600000.1,5700000.3\n600008.1,5700006.3\n600000.1,5700006.3\n600008.1,5700000.3\n\
                600900.0,5700000.0\n600903.3,5700007.7\n600901.0,5700003.0\n600902.0,5700004.0\n";
    let folder = Folder::new().with("t.csv", rows);
    for delta in ["inf", "0,inf", "inf,0"] {
        done(
            &folder,
            &format!("map t.csv --k 4 --delta {delta} --highlight top:9 -o m.svg"),
        );
        let svg = folder.read("m.svg");
        let rings: Vec<&str> = svg
            .lines()
            .filter(|line| line.starts_with("<circle"))
            .collect();
        let rings = || {
            rings
                .iter()
                .filter(|line| line.contains("stroke-width=\"1.5\""))
        };
        let mut distinct: Vec<_> = rings().collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), rings().count(), "{delta}");
        let said = labels(&svg)
            .into_iter()
            .filter(|label| label.ends_with(" m"))
            .count();
        // And the bar in the legend.
        assert_eq!(said, rings().count() + 1, "{delta}");
    }
}

#[test]
fn a_part_counts_what_it_shows() {
    let folder = Folder::new().with("t.csv", ROWS);
    let part = "--extent 0,0,31,41";
    let shown = |what: &str| {
        let ran = done(
            &folder,
            &format!("map t.csv --k 3 {what} -o m.svg --summary m.json"),
        );
        let svg = folder.read("m.svg");
        let summary: serde_json::Value = serde_json::from_str(&folder.read("m.json")).unwrap();
        let classes = summary["classes"].as_array().unwrap().iter();
        let counts = classes.map(|class| class["units"].as_u64().unwrap());
        let units = summary["units_shown"].as_u64().unwrap();
        let note = format!("Only a part is shown: {units} of 6 units are in this extent.");
        assert_eq!(svg.contains(&note), units < 6);
        let said = format!("shown      {units} units in this extent");
        assert_eq!(ran.stderr.contains(&said), units < 6);
        (counts.sum::<u64>(), units)
    };
    for what in [
        "",
        "--pixel 10",
        "--grid 50",
        "--hex 50",
        "--grid 50 --maup",
    ] {
        assert_eq!(shown(what), (6, 6), "{what}");
        assert_eq!(shown(&format!("{what} {part}")), (5, 5), "{what}");
    }
    assert_eq!(shown("--extent 0,0,2000,1500"), (6, 6));
    // A cell on the border is drawn, with all of its units; one beyond it is not.
    assert_eq!(shown("--grid 4000 --extent 0,0,30,40"), (6, 5));
    assert_eq!(shown("--grid 20 --extent 0,0,20,40"), (3, 4));
    // Parts of a public map could be subtracted from each other.
    done(
        &folder,
        &format!("map t.csv --crs EPSG:28992 --k 3 --public --cell 100 {part} -o p.svg"),
    );
    let public = folder.read("p.svg");
    assert_says(&public, "Only a part is shown.");
    assert!(!public.contains("5 of 6"));
}

#[test]
fn every_kind_of_map_in_every_kind_of_file() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", &rows);
    let border =
        r#"{"type":"Polygon","coordinates":[[[5.2,51.9],[5.6,51.9],[5.6,52.1],[5.2,51.9]]]}"#;
    let folder = folder.with("b.geojson", border);
    let first: Vec<&str> = rows.lines().take(3).collect();
    let folder = folder.with("p.csv", first.join("\n"));
    for what in [
        "",
        "--delta 0,inf --metric linf --highlight top:3 --axes",
        "--k 5,10 --under b.geojson --theme dark",
        "--highlight p.csv --over b.geojson",
        "--zoom 10,12 --delta overlap",
        "--pixel 500 --marker 2 --palette viridis",
        "--grid 1000 --over b.geojson",
        "--hex 500,1000",
        "--grid 1000 --maup",
        "--surface 500 --highlight top:1",
        "--public",
        "--public --hex 2000 --k 3",
        "--public --cell 3000 --k 3,5",
        "--size 120x90mm --dpi 150",
        "--size 360",
    ] {
        for kind in ["png", "svg", "pdf"] {
            let map = format!("map t.csv --crs EPSG:28992 {what} -o m.{kind} --summary m.json");
            done(&folder, &map);
            assert!(
                fs::metadata(folder.path(&format!("m.{kind}")))
                    .unwrap()
                    .len()
                    > 2000
            );
            if kind == "svg" {
                let said = done(&folder, "verify m.json").stdout;
                assert_says(&said, "verified");
            }
        }
    }
}

/// No picture may change without somebody looking at it again.
#[test]
fn the_pictures_of_the_example() {
    let folder = Folder::new();
    let pictures = [
        "-o m.png",
        "-o m.pdf --delta 0,inf --highlight top:6 --size 180mm",
        "-o m.png --k 5,10,50 --theme dark --axes",
        "-o m.png --zoom 12",
        "-o m.svg --hex 300",
        "-o m.png --grid 200 --maup",
        "-o m.png --surface 200 --palette viridis",
        "-o m.png --public",
        "-o m.png --public --grid 500",
    ]
    .map(|what| {
        done(&folder, &format!("map {what} --summary m.json"));
        let summary = folder.read("m.json");
        let hash = summary.split("\"output_sha256\": \"").nth(1).unwrap();
        format!("{} kdisc map {what}", &hash[..64])
    });
    insta::assert_snapshot!(pictures.join("\n"));
}

#[test]
fn the_same_bytes_for_any_order_and_number_of_threads() {
    let [one, other] = shuffled();
    let maps: Vec<Vec<u8>> = [(one, 1), (other, 2)]
        .into_iter()
        .map(|(rows, threads)| {
            let folder = Folder::new().with("t.csv", rows);
            let map = format!(
                "map t.csv --delta 0,inf --highlight top:4 -o m.png --threads {threads} -q"
            );
            done(&folder, &map);
            fs::read(folder.path("m.png")).unwrap()
        })
        .collect();
    assert!(maps[0] == maps[1]);
}

#[test]
fn maps_say_how_to_keep_them() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", rows);
    for kind in ["png", "svg", "pdf"] {
        let has = |name: &str, text: &[u8]| {
            let bytes = fs::read(folder.path(name)).unwrap();
            bytes.windows(text.len()).any(|part| part == text)
        };
        let ran = done(&folder, &format!("map t.csv -o inside.{kind}"));
        assert_says(
            &ran.stderr,
            &format!("CONFIDENTIAL: exact locations; keep inside.{kind} as safe"),
        );
        assert!(has(
            &format!("inside.{kind}"),
            b"CONFIDENTIAL: exact locations"
        ));
        let ran = done(
            &folder,
            &format!("map t.csv --k 3 --public -o public.{kind}"),
        );
        assert_says(&ran.stderr, "left out: ");
        assert!(!has(&format!("public.{kind}"), b"CONFIDENTIAL"));
        assert!(has(&format!("public.{kind}"), b"Prepared for publication"));
    }
}

#[test]
fn a_map_for_publication_shows_no_locations() {
    let folder = Folder::new().with("t.csv", ROWS);
    let ran = done(&folder, "map t.csv --k 3 --public --grid 100 -o m.svg");
    assert_says(
        &ran.stderr,
        "1 cell with fewer than 3 units (1 unit in all)",
    );
    let svg = folder.read("m.svg");
    assert!(!svg.contains("h.01"), "a dot");
    assert!(!svg.contains("<circle"), "a disc");
    // The far unit is not to be guessed from the extent either: the only cell fills it.
    let bar = labels(&svg).into_iter().find(|label| label.ends_with(" m"));
    assert_eq!(bar, Some("10 m"));
    let refusal = refused(&folder, "map t.csv --k 3 --public --under t.csv -o n.svg");
    assert_says(&refusal, "it has points");
    let refusal = refused(&folder, "map t.csv --k 9 --public -o n.svg");
    assert_says(&refusal, "nothing to draw");
}

#[test]
fn awkward_units() {
    let rows: Vec<String> = (0..30_000).map(|i| format!("{i},7")).collect();
    let line = format!("x,y\n{}\n", rows.join("\n"));
    for (name, rows) in [
        ("one location", "x,y\n5,5\n"),
        ("all at one place", "x,y\n5,5\n5,5\n5,5\n"),
        ("two", "x,y\n5,5\n6,5\n"),
        ("a line", &line),
        ("huge", "x,y\n-1e149,0\n1e149,3\n"),
        ("tiny", "x,y\n1e-100,0\n3e-100,1e-100\n"),
        (
            "far and close",
            "x,y\n1000000000000000,1\n1000000000000001,1\n",
        ),
    ] {
        let folder = Folder::new().with("t.csv", rows);
        for what in [
            "",
            "--k 2 --highlight top:2 --axes",
            "--k 1,2 --delta 0,inf",
        ] {
            for kind in ["png", "svg"] {
                let ran = folder.run(&format!("map t.csv {what} -o m.{kind}"));
                assert_eq!(ran.code, Some(0), "{name} {what}: {}", ran.stderr);
            }
            let svg = folder.read("m.svg");
            assert!(
                !svg.contains("NaN") && !svg.contains("inf\""),
                "{name} {what}"
            );
        }
    }
}

#[test]
fn questions_that_make_no_sense() {
    let folder = Folder::new().with("t.csv", ROWS).with("e.csv", "x,y\n");
    let folder = folder.with("d.csv", "lon,lat\n5.1,52\n5.2,52\n");
    let said: Vec<String> = [
        "map e.csv -o m.png",
        "map t.csv -o m.jpg",
        "map t.csv -o m",
        "map t.csv -o m.png --breaks 5,3",
        "map t.csv -o m.png --extent 5000,5000,6000,6000",
        "map t.csv -o m.png --size 20x20",
        "map t.csv -o m.png --size 100000x100000",
        "map t.csv -o m.png --size 2000mm --dpi 1200",
        "map t.csv -o m.png --k 1,2,3,4,5 --delta 0,1,2",
        "map t.csv -o m.png --k 2,2",
        "map t.csv -o m.png --delta pixel",
        "map t.csv -o m.png --grid 10 --delta 0",
        "map t.csv -o m.png --maup",
        "map d.csv -o m.png --grid 100",
        "map t.csv -o m.png --surface 0.001",
        "map t.csv -o m.png --zoom 12",
        "map t.csv -o m.png --highlight nowhere.csv",
        "map t.csv -o m.png --under nowhere.gpkg",
        "map t.csv -o nowhere/m.png",
        "map t.csv -o m.png --public --grid 10,20",
        "map t.csv -o m.png --public --k 2,10",
    ]
    .into_iter()
    .map(|command| format!("{command}\n{}", refused(&folder, command)))
    .collect();
    insta::assert_snapshot!(said.join("\n"));
    for usage in [
        "map t.csv",
        "map t.csv -o m.png --to csv",
        "map t.csv -o m.png --extent 5,5,1,1",
        "map t.csv -o m.png --size 0",
        "map t.csv -o m.png --k 0",
        "map t.csv -o m.png --highlight top:0",
        "map t.csv -o m.png --grid 10 --zoom 3",
        "map t.csv -o m.png --public --highlight top:3",
        "map t.csv -o m.png --cell 100",
        "map t.csv -o m.png --public --cell 100 --grid 100",
        "map t.csv -o m.png --breaks -1",
    ] {
        assert_eq!(folder.run(usage).code, Some(2), "{usage}");
    }
    assert_eq!(folder.names(), ["d.csv", "e.csv", "t.csv"]);
}

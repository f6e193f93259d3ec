//! `kdisc zoom`: what a map shows at its levels.

use crate::common::{Folder, assert_says, done};

/// The columns of these names, row by row.
fn columns(text: &str, names: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let index = |name: &&str| headers.iter().position(|header| header == *name);
    let indices: Vec<_> = names.iter().map(|name| index(name).unwrap()).collect();
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| indices.iter().map(|&i| row[i].to_owned()).collect())
        .collect()
}

#[test]
fn five_units_by_hand() {
    // Pixels of 10 m: (0,0) twice, (1,0), (3,0) and, far away, (103,0).
    let rows = "x,y\n0,0\n9.9,3\n10,0\n35,5\n1030,0\n";
    let folder = Folder::new().with("t.csv", rows);
    let table = done(
        &folder,
        "zoom t.csv --pixel 10 --k 2 --delta 0 --units u.csv --max-radius 2",
    )
    .stdout;
    assert_eq!(
        table.lines().next().unwrap(),
        "level,metres_per_pixel,locations,max_multiplicity,radius_px_median,radius_px_p99,\
         radius_px_max,risk_px_max,units_above,intrinsic_radius_median,intrinsic_radius_p99,\
         intrinsic_radius_max,intrinsic_risk_max,delta_px,delta"
    );
    let names = [
        "level",
        "metres_per_pixel",
        "locations",
        "max_multiplicity",
        "radius_px_median",
        "radius_px_max",
        "risk_px_max",
        "units_above",
        "delta",
    ];
    // The far unit needs 100 pixels for one more; 35 + 5 is 25.49… from 10.
    assert_eq!(
        columns(&table, &names),
        [["10", "10", "4", "2", "1", "100", "50", "1", "0"]]
    );
    let units = "x,y,pixel_x,pixel_y,multiplicity,radius_px,radius,units,risk_px,status\n\
                 0,0,0,0,2,0,0,2,0,ok\n\
                 9.9,3,0,0,2,0,0,2,0,ok\n\
                 10,0,1,0,1,1,10,3,0.3333333333333333,ok\n\
                 35,5,3,0,1,2,20,2,1,ok\n\
                 1030,0,103,0,1,100,1000,2,50,ok\n";
    assert_eq!(folder.read("u.csv"), units);
}

#[test]
fn it_is_the_risk_of_the_table_of_pixels() {
    let folder = Folder::new();
    for (map, delta, on_pixels) in [
        ("--pixel 200", "pixel", "1"),
        ("--pixel 30", "0", "0"),
        ("--pixel 75", "inf", "inf"),
        ("--pixel 40 --marker 3", "pixel", "3"),
        ("--levels 11", "pixel", "1"),
        ("--levels 12 --tile 512 --dpr 2", "2.5", "2.5"),
        ("--screen 300x200", "inf", "inf"),
    ] {
        let zoom = format!("zoom {map} --delta {delta} --units u.csv -o l.csv --quiet");
        done(&folder, &zoom);
        let units = folder.read("u.csv");
        let pixels = columns(&units, &["pixel_x", "pixel_y"]);
        let rows = pixels.iter().map(|row| format!("{},{}\n", row[0], row[1]));
        let folder = Folder::new().with("p.csv", format!("x,y\n{}", rows.collect::<String>()));
        let risk = format!("risk p.csv --delta {on_pixels} --quiet");
        let expected = done(&folder, &risk).stdout;
        let found = columns(&units, &["multiplicity", "radius_px", "units", "risk_px"]);
        let expected = columns(&expected, &["multiplicity", "radius", "units", "risk"]);
        assert!(found == expected, "{map} {delta}");
    }
}

#[test]
fn the_table_has_the_figures_of_the_units() {
    let folder = Folder::new();
    let table = done(
        &folder,
        "zoom --levels 10-13 --max-radius 15 --max-risk-px 4 --quiet",
    )
    .stdout;
    let names = [
        "locations",
        "max_multiplicity",
        "radius_px_median",
        "radius_px_p99",
        "radius_px_max",
        "risk_px_max",
        "units_above",
    ];
    let together = columns(&table, &names);
    for (i, level) in (10..=13).enumerate() {
        let zoom = format!("zoom --levels {level} --units u.csv --quiet -o l.csv");
        done(&folder, &zoom);
        let units = folder.read("u.csv");
        let number = |text: &String| text.parse::<f64>().unwrap();
        let rows = columns(&units, &["radius_px", "risk_px", "multiplicity"]);
        let mut radii: Vec<f64> = rows.iter().map(|row| number(&row[0])).collect();
        radii.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            let at = share * (radii.len() - 1) as f64;
            let (low, high) = (radii[at.floor() as usize], radii[at.ceil() as usize]);
            low + (high - low) * at.fract()
        };
        let largest = |column: usize| rows.iter().map(|r| number(&r[column])).fold(0.0, f64::max);
        let above = rows
            .iter()
            .filter(|row| number(&row[0]) > 15.0 || number(&row[1]) > 4.0);
        let mut pixels = columns(&units, &["pixel_x", "pixel_y"]);
        pixels.sort();
        pixels.dedup();
        let expected = [
            pixels.len() as f64,
            largest(2),
            quantile(0.5),
            quantile(0.99),
            largest(0),
            largest(1),
            above.count() as f64,
        ];
        let found: Vec<f64> = together[i].iter().map(number).collect();
        for (found, expected) in found.iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-9 * expected,
                "{level}: {found} {expected}"
            );
        }
    }
}

#[test]
fn intrinsic_figures_are_those_of_risk_at_the_same_delta() {
    let folder = Folder::new();
    for (zoom, delta) in [
        ("--pixel 50", "50"),
        ("--pixel 25 --delta 3", "75"),
        ("--pixel 25 --delta 0", "0"),
        ("--pixel 25 --delta inf", "inf"),
        ("--pixel 25 --marker 2", "50"),
    ] {
        let table = done(&folder, &format!("zoom {zoom} --quiet")).stdout;
        let names = [
            "intrinsic_radius_median",
            "intrinsic_radius_p99",
            "intrinsic_radius_max",
            "intrinsic_risk_max",
        ];
        let found = columns(&table, &names);
        done(
            &folder,
            &format!("risk --delta {delta} --quiet -o r.csv --summary r.json"),
        );
        let summary = folder.json("r.json");
        let (radius, risk) = (
            &summary["per_unit"]["radius"],
            &summary["per_unit"]["risk"]["max"],
        );
        let expected = [&radius["median"], &radius["p99"], &radius["max"], risk];
        for (found, expected) in found[0].iter().zip(expected) {
            assert_eq!(
                found.parse::<f64>().unwrap(),
                expected.as_f64().unwrap(),
                "{zoom}"
            );
        }
    }
}

#[test]
fn delta_may_be_the_distance_of_what_overlaps() {
    let folder = Folder::new().with("t.csv", "x,y\n1,1\n4,5\n12,1\n");
    let zoom = "zoom t.csv --pixel 10,2 --k 2 --delta overlap --quiet";
    let table = done(&folder, zoom).stdout;
    let names = ["level", "delta_px", "delta"];
    assert_eq!(
        columns(&table, &names),
        [["10", "0.5", "5"], ["2", "0", "0"]]
    );
}

#[test]
fn pixels_of_web_maps_are_counted_from_the_top_left() {
    let places = "lon,lat\n0,0\n-180,85.05\n179.999,-85.05\n4.895,52.37\n";
    let folder = Folder::new().with("t.csv", places);
    // So large an extent cannot be measured in metres; each by itself can.
    for (row, level, x, y) in [
        ("0,0", 0, "128", "128"),
        ("-180,85.05", 1, "0", "0"),
        ("179.999,-85.05", 1, "511", "511"),
        ("4.895,52.37", 14, "2154182", "1378410"),
    ] {
        let folder = Folder::new().with("one.csv", format!("lon,lat\n{row}\n"));
        done(
            &folder,
            &format!("zoom one.csv --k 1 --levels {level} --units u.csv -q"),
        );
        let units = columns(&folder.read("u.csv"), &["pixel_x", "pixel_y"]);
        assert_eq!(units, [[x, y]], "{row}");
    }
    assert_eq!(folder.run("zoom t.csv --levels 3").code, Some(2));
}

#[test]
fn the_verdict_is_told() {
    let folder = Folder::new();
    let told = |args: &str| done(&folder, &format!("zoom -o l.csv {args}")).stderr;
    assert_says(
        &told("--levels 9-10"),
        "verdict    none: nobody said what is too much",
    );
    let text = told("--levels 9-12 --max-radius 20");
    assert_says(&text, "SAFE up to level 10: no unit above 20 pixels");
    assert_says(&text, "broken     level 11 by 13 units");
    assert_says(
        &text,
        "zooming out hides units behind each other but protects none",
    );
    let text = told("--levels 9-12 --max-radius 20 --allow 1%");
    assert_says(
        &text,
        "SAFE up to level 11: at most 1.0000% of the units above 20 pixels",
    );
    let text = told("--levels 16-18 --max-risk-px 1");
    assert_says(&text, "NONE of the levels is safe");
    let text = told("--levels 9-10 --max-radius 20 --k 9999");
    assert_says(&text, "NONE of the levels is safe");
    assert_says(&text, "no disc, fewer than k units in all");
    assert!(!text.contains(", at "), "no coordinates unless asked for");
    let text = told("--levels 11 --max-radius 20 --show-locations");
    assert_says(&text, "29.000 pixels, at ");
}

#[test]
fn a_run_can_be_repeated() {
    let folder = Folder::new();
    let zoom = "zoom --levels 12 --max-radius 20 -o l.csv --units u.gpkg --summary s.json -q";
    done(&folder, zoom);
    let said = done(&folder, "verify s.json").stdout;
    assert_says(&said, "units   of the repeated run: same");
    assert_says(&said, "verified");
    let summary = folder.json("s.json");
    assert!(summary["verdict"]["most_detailed_safe"].is_null());
    assert_eq!(summary["breaking"]["level"], 12);
    let threads = folder.read("l.csv");
    done(
        &folder,
        "zoom --levels 12 --max-radius 20 -o l.csv -q --threads 1",
    );
    assert_eq!(folder.read("l.csv"), threads);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::new()
        .with("t.csv", "x,y\n1,2\n3,4\n")
        .with("polar.csv", "lon,lat\n0,86\n0.01,86\n")
        .with("taken.csv", "x,y,pixel_x\n1,2,3\n");
    for (args, part) in [
        ("--levels 31", "is not a level: give 0 to 30"),
        ("--levels 18-6", "give the coarser level first"),
        ("--levels six", "is not a level"),
        ("--pixel 0", "give a number above 0"),
        ("--pixel 50,20,50", "--pixel has 50 twice"),
        ("--screen 1200", "as in 1200x800"),
        ("--levels 3 --pixel 50", "cannot be used with"),
        (
            "--delta -1",
            "give pixel, overlap, 0, inf, or a number of pixels",
        ),
        ("--allow 2", "give a share of the units"),
        ("--max-radius -1", "give a number, 0 or more"),
        ("--tile 300", "possible values: 256, 512"),
        (
            "--units u.csv",
            "--units is about one level, but 13 are asked for",
        ),
        (
            "t.csv",
            "levels of a web map need a known coordinate system",
        ),
        (
            "t.csv --pixel 1e-17",
            "ask for larger pixels, or a coarser level",
        ),
        (
            "polar.csv",
            "polar.csv, line 2: its latitude is beyond 85.05°",
        ),
        (
            "taken.csv --pixel 1 --units u.csv",
            "already has a column \"pixel_x\"",
        ),
    ] {
        let ran = folder.run(&format!("zoom {args} -o out.csv"));
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.stderr);
        assert_says(&ran.stderr, part);
        assert!(!folder.path("out.csv").exists(), "{args}");
    }
}

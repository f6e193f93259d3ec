//! `--public`: what leaves the house.

use std::fmt::Write;

use serde_json::Value;

use crate::common::{Folder, assert_says, done, shuffled};
use crate::report::{refused, text};

/// Fails where one of these counts is of a few units; counts those that were seen.
fn visit(value: &Value, counts: &[&str], seen: &mut usize) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if counts.contains(&name.as_str()) {
                    *seen += 1;
                    assert!(
                        !value.as_u64().is_some_and(|n| (1..7).contains(&n)),
                        "{name}: {value}"
                    );
                }
                visit(value, counts, seen);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| visit(value, counts, seen)),
        _ => {}
    }
}

/// Whoever reads a public report learns of no unit.
#[test]
fn nothing_in_a_public_report_points_at_a_unit() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", &rows);
    let options =
        "--k 7 --max-radius 600 --grid 2000 --levels 9-13 --max-radius-px 20 --value production";
    done(
        &folder,
        &format!("report t.csv --crs EPSG:28992 {options} -o in.html"),
    );
    done(
        &folder,
        &format!("report t.csv --crs EPSG:28992 {options} --public -o out.html"),
    );
    let page = folder.read("out.html");
    assert!(!page.contains("CONFIDENTIAL"));
    assert_says(&page, "Prepared for publication");
    assert!(!page.contains("<figure class=\"explorer\""));
    let (inside, public) = (folder.json("in.json"), folder.json("out.json"));
    let told = format!("{public} {}", text(&page));
    for row in rows.lines().skip(1) {
        for cell in row.split(',').take(3).filter(|cell| cell.len() > 4) {
            assert!(!told.contains(cell), "{cell} is a value of a unit");
        }
    }
    for figure in ["min", "max", "sum", "p99"] {
        for path in [
            "/risk/per_unit/radius/",
            "/risk/per_unit/risk/",
            "/risk/delta_zero/per_unit/radius/",
        ] {
            let path = format!("{path}{figure}");
            assert_eq!(public.pointer(&path), None, "{path}");
            let value = inside.pointer(&path).unwrap().as_f64().unwrap();
            let digits = format!("{value}");
            assert!(
                value == 0.0 || !told.contains(&digits),
                "{path} = {digits} is told"
            );
        }
    }
    for gone in [
        "most_isolated",
        "breaking",
        "worst",
        "largest_unsafe",
        "max_multiplicity",
        "radius_max",
    ] {
        assert!(!public.to_string().contains(gone), "{gone}");
        assert_says(&inside.to_string(), gone);
    }
    // No count of units from 1 to k - 1.
    let counts = [
        "units_exceeding",
        "units_above",
        "unsafe",
        "units_below",
        "zero_radius",
    ];
    let mut seen = 0;
    visit(&public, &counts, &mut seen);
    assert!(seen > 5, "{seen}");
    let said = done(&folder, "verify out.json").stdout;
    assert_says(&said, "verified");
}

/// Nor does whoever subtracts what it tells: counts that may hold one another are equal or at least k apart.
#[test]
fn no_count_of_few_can_be_worked_out() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", &rows);
    let mut hidden = 0;
    for limits in [
        "--max-radius 500 --p 10",
        "--max-radius 400 --dominance 1,50",
    ] {
        done(
            &folder,
            &format!(
                "report t.csv --crs EPSG:28992 {limits} --min-count 8 --value production --category fined \
                 --levels 10-18 --max-radius-px 20 --public -o r.html"
            ),
        );
        let told = folder.json("r.json");
        let list = |path: &str, name: &str| -> Vec<u64> {
            let rows = told.pointer(path).unwrap();
            let counts: Vec<&Value> = match rows {
                Value::Array(rows) => rows.iter().map(|row| &row[name]).collect(),
                Value::Object(rows) => rows.values().collect(),
                _ => vec![rows],
            };
            counts.into_iter().filter_map(Value::as_u64).collect()
        };
        let mut dots = list("/zoom/levels", "locations");
        dots.extend([list("/units", ""), list("/locations", "")].concat());
        let mut by_k = list("/rules/by_k", "units_unsafe");
        by_k.extend(list("/rules/discs/unsafe", ""));
        let mut limits = list("/verdict/limits", "units_exceeding");
        limits.extend(list("/verdict/units_exceeding", ""));
        let mut rules = list("/rules/discs/by_rule", "");
        rules.extend(list("/rules/discs/unsafe", ""));
        let cells = [
            list("/map/left_out/units", ""),
            list("/areal/verdict/units_below", ""),
        ];
        let above = list("/zoom/levels", "units_above");
        for counts in [dots, by_k, limits, rules, cells.concat(), above] {
            for (one, other) in counts
                .iter()
                .flat_map(|one| counts.iter().map(move |o| (one, o)))
            {
                assert!(!(1..10).contains(&one.abs_diff(*other)), "{counts:?}");
            }
        }
        hidden += told.to_string().matches("not told").count();
        let page = text(&folder.read("r.html"));
        assert_says(&page, "begin and end where fewer than 10 units lie beyond");
        assert_says(&page, "not told");
    }
    assert!(hidden > 4, "{hidden}");
}

/// From metres in the town to coordinates.
type Place = fn(f64, f64) -> (f64, f64);

/// A town of two thousand, and one who lives at some other place.
fn town_and_hermit(hermit: (f64, f64), place: Place) -> String {
    let mut rows = String::from("x,y\n");
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f64 / f64::from(1 << 24) * 5000.0
    };
    for _ in 0..2000 {
        let (x, y) = place(random(), random());
        let _ = writeln!(rows, "{x},{y}");
    }
    let (x, y) = place(hermit.0, hermit.1);
    let _ = writeln!(rows, "{x},{y}");
    rows
}

/// An intruder who knows everybody but one learns nothing of that one from what is published: wherever the
/// hermit lives, the files are the same to the byte.
#[test]
fn a_hermit_leaves_no_trace_in_public() {
    let metres: Place = |x, y| (150_000.0 + x.round(), 440_000.0 + y.round());
    let degrees: Place = |x, y| (5.0 + x / 70_000.0, 52.0 + y / 111_000.0);
    let options =
        "--k 5 --max-radius 300 --max-risk 20 --levels 8-16 --max-radius-px 20 --public -q";
    for (system, place) in [
        ("--crs EPSG:28992", metres),
        ("", metres),
        ("--crs EPSG:4326 --compute-crs EPSG:28992", degrees),
    ] {
        let published = |hermit| {
            let folder = Folder::new().with("t.csv", town_and_hermit(hermit, place));
            done(
                &folder,
                &format!("report t.csv {system} {options} -o r.html"),
            );
            done(
                &folder,
                &format!("map t.csv {system} --k 5 --public -o m.svg -q"),
            );
            let mut figures = folder.json("r.json");
            figures["timings_s"] = Value::Null;
            [
                folder.read("r.html"),
                figures.to_string(),
                folder.read("m.svg"),
            ]
        };
        let north = published((2000.0, 30_000.0));
        let east = published((60_000.0, -9000.0));
        assert_eq!(north[1], east[1], "{system}");
        assert!(north == east, "{system}: the page or the map differs");
        assert!(north[0].len() > 20_000);
    }
    // The middle of a plane that is fitted to the data would be a trace.
    let folder = Folder::new().with("t.csv", town_and_hermit((0.0, 0.0), degrees));
    for command in [
        "report t.csv --crs EPSG:4326 --public -o r.html",
        "map t.csv --crs EPSG:4326 --public -o m.svg",
    ] {
        assert_says(&refused(&folder, command), "--compute-crs");
    }
}

/// What a path or a fingerprint gives away stays inside.
#[test]
fn folders_and_fingerprints_are_not_published() {
    let [rows, _] = shuffled();
    let folder = Folder::new();
    std::fs::create_dir(folder.path("ward7")).unwrap();
    let folder = folder.with("ward7/t.csv", rows);
    let report = "report ward7/t.csv --crs EPSG:28992 --k 7 --max-radius 600";
    done(&folder, &format!("{report} -o ward7/in.html"));
    done(&folder, &format!("{report} -o ward7/out.html --public"));
    let inside = folder.json("ward7/in.json");
    let fingerprint = inside["inputs"][0]["sha256"].as_str().unwrap();
    for file in ["ward7/out.html", "ward7/out.json"] {
        let told = folder.read(file);
        assert!(!told.contains("ward7"), "{file} names a folder");
        assert!(!told.contains(fingerprint), "{file} has a fingerprint");
    }
    assert_says(
        &folder.read("ward7/out.html"),
        "kdisc report t.csv --crs EPSG:28992 --k 7 --max-radius 600 -o out.html --public",
    );
    let said = done(&folder, "verify ward7/out.json").stdout;
    assert_says(&said, "the output will tell");
    assert_says(&said, "verified");
    // The output does tell.
    let other = folder.read("ward7/t.csv").replacen('1', "2", 3);
    let folder = folder.with("ward7/t.csv", other);
    assert_eq!(folder.run("verify ward7/out.json").code, Some(1));
    // Elsewhere a fingerprint must not be missing.
    let mut bare = inside.clone();
    bare["inputs"][0]["sha256"] = Value::Null;
    let folder = folder.with("ward7/in.json", bare.to_string());
    let ran = folder.run("verify ward7/in.json");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "has no \"sha256\"");
}

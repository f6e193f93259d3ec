//! `kdisc report`: one page and its figures.

use serde_json::Value;

use crate::common::{Folder, assert_says, done, shuffled, told};

/// Nine units in a village, one far away, two at one place.
const ROWS: &str = "x,y,turnover\n100,0,5\n130,40,7\n110,0,3\n120,20,9\n100,30,4\n140,10,6\n105,15,8\n\
                    2000,1500,90\n115,15,2\n115,15,2\n";

fn town() -> Folder {
    Folder::new().with("t.csv", ROWS)
}

pub(crate) fn refused(folder: &Folder, command: &str) -> String {
    let before = folder.names();
    let ran = folder.run(command);
    assert_eq!(ran.code, Some(2), "{command}: {}", ran.stderr);
    assert_eq!(folder.names(), before, "{command} left something behind");
    assert_says(&ran.stderr, "help: ");
    ran.stderr
}

/// What the page says, without its pictures, its data and its marks.
pub(crate) fn text(html: &str) -> String {
    let mut out = String::new();
    let body = html.split("<body>").nth(1).unwrap();
    let mut inside = true;
    for part in body.split_inclusive(['<', '>']) {
        if inside {
            out.push_str(part.trim_end_matches('<'));
        }
        inside = part.ends_with('>') || (!part.ends_with('<') && inside);
    }
    out
}

#[test]
fn a_report_on_ten_units() {
    let folder = town();
    let ran = done(
        &folder,
        "report t.csv --crs EPSG:28992 --k 3 --max-radius 100 --max-risk 20 --min-count 3 --grid 500 \
         --allow 5% --levels 10-14 --max-radius-px 20 --value turnover --p 10 -o r.html",
    );
    insta::assert_snapshot!(told(&ran));
    assert_eq!(folder.names(), ["r.html", "r.json", "t.csv"]);
    let page = folder.read("r.html");
    let sections: Vec<&str> = page
        .split("<section id=\"")
        .skip(1)
        .filter_map(|part| part.split('"').next())
        .collect();
    assert_eq!(
        sections,
        [
            "verdict", "about", "maps", "spread", "curves", "zoom", "areal", "rules", "glossary"
        ]
    );
    assert_says(&page, "CONFIDENTIAL");
    assert_says(&page, "kdisc report t.csv --crs EPSG:28992 --k 3");
    let said = done(&folder, "verify r.json").stdout;
    assert_says(&said, "verified");
}

/// Every figure is what the command by itself says, and the page shows what the JSON has.
#[test]
fn figures_are_those_of_the_commands() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", rows);
    let common = "t.csv --crs EPSG:28992 --k 5";
    done(
        &folder,
        &format!(
            "report {common} -o r.html --grid 1000 --levels 9-13 --max-radius-px 20 --value production"
        ),
    );
    let report = folder.json("r.json");
    done(
        &folder,
        &format!("risk {common} -o o.csv --summary risk.json"),
    );
    done(
        &folder,
        &format!("zoom {common} --levels 9-13 --max-radius 20 -o o.csv --summary zoom.json"),
    );
    done(
        &folder,
        "areal t.csv --crs EPSG:28992 --grid 1000 --min-count 5 --maup -o o.csv --summary areal.json",
    );
    done(
        &folder,
        &format!("rules {common} --value production -o o.csv --summary rules.json"),
    );
    let risk = folder.json("risk.json");
    for field in ["per_unit", "per_location", "delta_zero", "units"] {
        assert_eq!(report["risk"][field], risk[field], "{field}");
    }
    let locations = |rows: &Value| -> Vec<Value> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row["locations"].clone()).collect()
    };
    assert_eq!(
        locations(&report["multiplicities"]),
        locations(&risk["multiplicities"])
    );
    assert_eq!(report["inputs"], risk["inputs"]);
    let zoom = folder.json("zoom.json");
    assert_eq!(report["zoom"]["levels"], zoom["levels"]);
    assert_eq!(report["zoom"]["verdict"], zoom["verdict"]);
    let areal = folder.json("areal.json");
    assert_eq!(report["areal"]["maup"]["flips"], areal["maup"]["flips"]);
    assert_eq!(report["areal"]["verdict"], areal["verdict"]);
    assert_eq!(report["rules"]["discs"], folder.json("rules.json")["discs"]);

    let page = folder.read("r.html");
    let radius = &risk["per_unit"]["radius"];
    let summary = done(&folder, &format!("risk {common} -o o.csv")).stderr;
    for figure in ["min", "p25", "median", "p75", "p90", "p99", "max"] {
        let value = radius[figure].as_f64().unwrap();
        // As the summary of the command writes it, to five digits.
        let digits = summary.split_whitespace().find(|word| {
            word.parse::<f64>()
                .is_ok_and(|w| (w - value).abs() <= value * 1e-4)
        });
        let digits: f64 = digits.unwrap().parse().unwrap();
        // On the page, zeros at the end are those that the column needs.
        let mut shown = page
            .split("</td>")
            .filter_map(|cell| cell.rsplit('>').next());
        assert!(
            shown.any(|cell| cell.parse() == Ok(digits)),
            "{figure}: {digits}"
        );
    }
    // Curves at the k and δ asked for are the measure itself.
    let at = |list: &str, key: &str, wanted: Value| {
        let points = report["curves"][list].as_array().unwrap();
        let point = points.iter().find(|point| point[key] == wanted).unwrap();
        point["radius"]["median"].clone()
    };
    assert_eq!(at("by_k", "k", 5.into()), radius["median"]);
    assert_eq!(at("by_delta", "delta", "inf".into()), radius["median"]);
    let zero = &risk["delta_zero"]["per_unit"]["radius"]["median"];
    assert_eq!(at("by_delta", "delta", 0.into()), *zero);
    for delta in report["curves"]["by_delta"].as_array().unwrap() {
        let value = delta["delta"].to_string();
        done(
            &folder,
            &format!(
                "risk {common} --delta {} -o o.csv --summary d.json",
                value.trim_matches('"')
            ),
        );
        for (of, figure) in [("radius", "p90"), ("risk", "max")] {
            let alone = &folder.json("d.json")["per_unit"][of][figure];
            assert_eq!(&delta[of][figure], alone, "delta {value}");
        }
    }
}

/// All numbers in a value.
fn numbers(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| numbers(value, found)),
        _ => {}
    }
}

/// What stands between these two, wherever they are.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let parts = text.split(start).skip(1);
    parts.filter_map(|part| part.split(end).next()).collect()
}

/// Tables, charts and the marks of the maps show no figure that the JSON does not hold.
#[test]
fn the_json_holds_every_figure_shown() {
    let [rows, _] = shuffled();
    let folder = Folder::new().with("t.csv", rows);
    for (public, least) in [("", 250), ("--public", 60)] {
        done(
            &folder,
            &format!(
                "report t.csv --crs EPSG:28992 --k 5 -o r.html --levels 9-13 --max-radius 600 --max-risk 100 \
                 --min-count 3 --allow 1% --max-radius-px 20 --max-risk-px 3 --value production --p 10 {public}"
            ),
        );
        let (page, report) = (folder.read("r.html"), folder.json("r.json"));
        let mut held = Vec::new();
        numbers(&report, &mut held);
        let in_tables = between(&page, "data-value=\"", "\"");
        for shown in &in_tables {
            let value: f64 = shown.parse().unwrap();
            let is_held = held
                .iter()
                .any(|held| (held - value).abs() <= 1e-12 * value.abs());
            assert!(is_held, "{shown} of a table");
        }
        // Charts round to five digits, and tell shares in percent.
        let tips = between(&page, "data-tip=\"", "\"");
        let mut in_tips = 0;
        for tip in tips {
            let words = tip.split([' ', ':', '(', ')']);
            for shown in words.filter_map(|word| word.replace(',', "").parse::<f64>().ok()) {
                let is = |held: &f64| (held - shown).abs() <= 1e-4 * shown.abs();
                let is_held = held.iter().any(|held| is(held) || is(&(held * 100.0)));
                // The lines of charts are those of so many percent.
                assert!(is_held || [90.0, 99.0].contains(&shown), "{shown} of {tip}");
                in_tips += 1;
            }
        }
        assert!(
            in_tables.len() + in_tips > least,
            "{} {in_tips}",
            in_tables.len()
        );
        if public.is_empty() {
            let marked = |panel: usize| report["map"]["panels"][panel]["marked_radii"].as_array();
            assert_eq!(marked(0).unwrap().len(), 6);
            assert_eq!(marked(1).unwrap().len(), 6);
        }
    }
}

#[test]
fn verdicts_and_exit_codes() {
    let folder = town();
    let verdict = |options: &str, code: i32| {
        let ran = folder.run(&format!(
            "report t.csv --crs EPSG:28992 --k 3 -o r.html {options}"
        ));
        assert_eq!(ran.code, Some(code), "{options}: {}", ran.stderr);
        (
            folder.json("r.json")["verdict"].clone(),
            text(&folder.read("r.html")),
        )
    };
    let (none, page) = verdict("", 0);
    assert_eq!(none, Value::Null);
    assert_says(&page, "No verdict");
    assert!(!page.contains("Safe by"), "no limits are not safe");
    let (judged, page) = verdict("--max-radius 100 --fail-on-unsafe", 3);
    assert_eq!(judged["units_exceeding"], 1);
    assert_says(&page, "Not safe");
    let (judged, page) = verdict("--max-radius 100 --allow 10% --fail-on-unsafe", 0);
    assert_eq!(judged["safe"], true);
    assert_says(&page, "Safe by the limits given");
    let (judged, _) = verdict("--max-radius 100", 0);
    assert_eq!(judged["safe"], false);
    let (judged, page) = verdict("--min-count 3 --grid 500 --fail-on-unsafe", 3);
    assert_eq!(judged["units_exceeding"], 1);
    assert_says(&page, "in cells of 500 m, as given");
    let (judged, _) = verdict("--value turnover --p 10", 0);
    assert_eq!(judged["limits"][0]["limit"], "rules");
    // A rule that nobody gave as a limit does not hide behind a verdict.
    let (judged, page) = verdict("--value turnover --max-radius 5000", 0);
    assert_eq!(judged["safe"], true);
    assert_says(&page, "were not given as limits");
}

/// Twenty in a village, three about a giant elsewhere, and a hermit with so much turnover.
fn giant_and_hermit(turnover: u32) -> Folder {
    let village = (0..20).map(|i| format!("{},{},10\n", 10 * (i % 5), 10 * (i / 5)));
    let rows = village.collect::<String>();
    let giant = "5000,0,1000\n5010,0,1\n5000,10,1\n";
    let rows = format!("x,y,turnover\n{rows}{giant}0,3000,{turnover}\n");
    Folder::new().with("t.csv", rows)
}

/// One unit beyond the radius and three others beyond a rule are four units beyond a limit, not one and three.
#[test]
fn whoever_exceeds_any_limit_counts_once_towards_one_allowance() {
    let options = "--k 3 --max-radius 500 --value turnover --p 10 --fail-on-unsafe -o r.html";
    let judge = |folder: &Folder, allow: &str, code: i32| {
        let ran = folder.run(&format!("report t.csv {options} --allow {allow}"));
        assert_eq!(ran.code, Some(code), "{allow}: {}", ran.stderr);
        let judged = folder.json("r.json")["verdict"].clone();
        let own = |limit: usize| judged["limits"][limit]["units_exceeding"].clone();
        let found = [own(0), own(1), judged["units_exceeding"].clone()];
        (found, ran.stderr)
    };
    let apart = giant_and_hermit(10);
    let (found, said) = judge(&apart, "15%", 3);
    assert_eq!(found, [1, 3, 4]);
    assert_says(
        &said,
        "4 of 24 units (16.7 %) exceed at least one of the limits",
    );
    assert_says(&said, "rules on what is in the disc: 3 units beyond");
    assert_says(
        &text(&apart.read("r.html")),
        "any of them, each unit counted once",
    );
    judge(&apart, "17%", 0);
    // A hermit beyond both is one unit all the same.
    let (found, _) = judge(&giant_and_hermit(1000), "17%", 0);
    assert_eq!(found, [1, 4, 4]);
}

/// Rows whose values cannot be used are left out of the rules alone: those who remain are found by their places.
#[test]
fn rules_are_limits_where_rows_are_left_out_of_them() {
    let folder = giant_and_hermit(10);
    let rows = folder.read("t.csv").replacen("0,0,10\n", "0,0,what\n", 1);
    let folder = folder.with("t.csv", rows);
    done(
        &folder,
        "report t.csv --k 3 --max-radius 500 --value turnover --p 10 --on-invalid skip -o r.html",
    );
    assert_eq!(folder.json("r.json")["verdict"]["units_exceeding"], 4);
}

#[test]
fn whoever_has_no_disc_exceeds_every_limit() {
    let folder = Folder::new().with("t.csv", "x,y,turnover\n5,5,1\n9,9,1\n");
    let limits = "--max-radius 1000 --min-count 2 --value turnover --dominance 2,90";
    done(
        &folder,
        &format!("report t.csv {limits} --grid 100 -o r.html"),
    );
    let judged = folder.json("r.json")["verdict"].clone();
    assert_eq!(judged["units_exceeding"], 2);
    for row in judged["limits"].as_array().unwrap() {
        assert_eq!(row["units_exceeding"], 2, "{row}");
    }
    assert_says(&folder.read("r.html"), ">no disc</td>");
}

/// Who judges by cells that nobody asked for says which they are.
#[test]
fn the_cells_of_a_verdict_are_named() {
    let folder = town();
    let ran = done(&folder, "report t.csv --k 3 --min-count 3 -o r.html");
    let report = folder.json("r.json");
    let limit = &report["verdict"]["limits"][0];
    assert_eq!(limit["cell_size"], report["areal"]["division"]["size"]);
    assert_eq!(limit["cell_size_chosen"], true);
    let named = format!("in cells of {} m, chosen by kdisc", limit["cell_size"]);
    assert_says(&ran.stderr, &named);
    assert_says(&text(&folder.read("r.html")), &named);
}

/// Files without lines have no empty column for them, and maps without a place in the world no zoom levels.
#[test]
fn words_fit_what_there_is() {
    let folder = town();
    done(&folder, "convert t.csv t.gpkg --crs EPSG:28992");
    done(&folder, "report t.csv --k 3 -o csv.html --levels 10-11");
    done(&folder, "report t.gpkg --k 3 -o gpkg.html --levels 10-11");
    let (csv, gpkg) = (
        text(&folder.read("csv.html")),
        text(&folder.read("gpkg.html")),
    );
    assert_says(&csv, "Line of the file");
    assert!(!gpkg.contains("Line of the file"));
    assert_says(&csv, "Perceived radius by size of the pixel");
    assert!(!csv.contains("by zoom level"));
    assert_says(&gpkg, "Perceived radius by zoom level");
    let [rows, _] = shuffled();
    let folder = folder.with("s.csv", rows);
    done(&folder, "report s.csv --category fined -o r.html");
    let page = text(&folder.read("r.html"));
    assert_says(&page, "not all units in one category");
    assert!(!page.contains("no category with more than"));
}

#[test]
fn questions_that_make_no_sense() {
    let folder = town();
    let errors = [
        "--fail-on-unsafe",
        "--allow 1%",
        "--allow 100% --max-radius 5",
        "--max-radius -5",
        "--max-risk nan",
        "--min-count 0",
        "--min-count 1",
        "--grid 0",
        "--p 10",
        "--value nothing",
        "--public --k 2",
        "--levels 20-10",
    ]
    .map(|options| {
        let ran = folder.run(&format!(
            "report t.csv --crs EPSG:28992 -o r.html {options}"
        ));
        assert_eq!(ran.code, Some(2), "{options}: {}", ran.stderr);
        assert_eq!(folder.names(), ["t.csv"], "{options} left something behind");
        let first = ran
            .stderr
            .lines()
            .take_while(|line| !line.starts_with("Usage"));
        format!(
            "{options}\n{}",
            first.collect::<Vec<_>>().join("\n").trim_end()
        )
    });
    insta::assert_snapshot!(errors.join("\n\n"));
    refused(&folder, "report t.csv -o -");
    refused(&folder, "report t.csv -o report.pdf");
    refused(&folder, "report nowhere.csv -o r.html");
    refused(&folder, "report t.csv -o r.html --summary t.csv");
}

/// Where there is little to say, the page says it.
#[test]
fn little_to_report_on() {
    let line: Vec<String> = (0..200)
        .map(|i| format!("{},2000\n", 1000 + 10 * i))
        .collect();
    let line = line.concat();
    let same = "5,5\n".repeat(30);
    for (what, rows, options) in [
        ("one location", "5,5\n", "--max-radius 10"),
        ("fewer than k", "5,5\n9,9\n", "--max-risk 10"),
        (
            "all at one place",
            same.as_str(),
            "--max-radius 10 --min-count 5 --public",
        ),
        ("a line", line.as_str(), "--max-radius 10 --metric linf"),
        (
            "a line, known where",
            line.as_str(),
            "--crs EPSG:28992 --max-radius 10 --delta 50",
        ),
    ] {
        let folder = Folder::new().with("t.csv", format!("x,y\n{rows}"));
        let public = options.contains("--public");
        let ran = folder.run(&format!("report t.csv -o r.html {options}"));
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
        let page = folder.read("r.html");
        for wrong in ["\"NaN", ">NaN", " NaN", "MNaN", "LNaN", ">inf"] {
            assert!(!page.contains(wrong), "{what}: {wrong}");
        }
        assert_eq!(page.contains("CONFIDENTIAL"), !public, "{what}");
        let said = done(&folder, "verify r.json").stdout;
        assert_says(&said, "verified");
    }
    let empty = Folder::new().with("t.csv", "x,y\n");
    assert_says(&refused(&empty, "report t.csv -o r.html"), "no rows");
    // Too few for any cell of k: there is nothing to draw for everybody.
    let few = Folder::new().with("t.csv", "x,y\n5,5\n9000,9\n");
    assert_says(
        &refused(&few, "report t.csv --k 3 -o r.html --public"),
        "nothing to draw",
    );
}

#[test]
fn degrees_have_no_grid_unless_told() {
    let rows: Vec<String> = (0..40)
        .map(|i| {
            format!(
                "{},{}\n",
                5.0 + f64::from(i) * 1e-3,
                52.0 + f64::from(i % 7) * 1e-3
            )
        })
        .collect();
    let folder = Folder::new().with("t.csv", format!("lon,lat\n{}", rows.concat()));
    let ran = done(&folder, "report t.csv --k 3 -o r.html");
    assert_says(&ran.stderr, "left out   kdisc areal");
    assert_says(&text(&folder.read("r.html")), "--compute-crs");
    refused(&folder, "report t.csv --k 3 -o s.html --min-count 3");
    done(
        &folder,
        "report t.csv --k 3 -o s.html --min-count 3 --compute-crs EPSG:28992",
    );
}

#[test]
fn what_can_be_read_only_once_is_read_once() {
    let folder = town();
    let options = "--crs EPSG:28992 --k 3 --max-radius 100";
    done(&folder, &format!("report t.csv {options} -o file.html"));
    let ran = folder.run_with(&format!("report - {options} -o pipe.html"), ROWS);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let (file, pipe) = (folder.json("file.json"), folder.json("pipe.json"));
    for part in ["verdict", "spread", "curves"] {
        assert_eq!(file[part], pipe[part], "{part}");
    }
    assert_eq!(file["inputs"][0]["sha256"], pipe["inputs"][0]["sha256"]);
}

/// Names from outside are text, whatever they look like.
#[test]
fn hostile_names_stay_names() {
    let folder = Folder::new().with("<img>[[x]].csv", ROWS);
    done(
        &folder,
        "report <img>[[x]].csv --k 3 --title <script>`1`</script> -o r.html",
    );
    let page = folder.read("r.html");
    assert_says(&page, "&lt;img&gt;&#91;&#91;x&#93;&#93;.csv");
    assert_says(&page, "&lt;script&gt;&#96;1&#96;&lt;/script&gt;");
    assert!(!page.contains("<img>") && !page.contains("<script>`"));
}

#[test]
fn large_data_are_sampled_for_curves() {
    let folder = Folder::new();
    done(&folder, "example --units 25000 -o t.csv");
    done(
        &folder,
        "report t.csv --crs EPSG:28992 -o r.html --levels 10-11",
    );
    let curves = &folder.json("r.json")["curves"];
    assert_eq!(
        (&curves["units"], &curves["is_sample"]),
        (&20_000.into(), &true.into())
    );
    assert_says(
        &text(&folder.read("r.html")),
        "Measured on a random sample of 20,000 units",
    );
    done(
        &folder,
        "report t.csv --crs EPSG:28992 -o s.html --levels 10-11 --seed 2",
    );
    let other = &folder.json("s.json")["curves"];
    assert_ne!(curves["by_k"][0], other["by_k"][0], "another sample");
    let whole = &folder.json("r.json")["risk"]["per_unit"]["radius"]["median"];
    let sampled = curves["by_k"]
        .as_array()
        .unwrap()
        .iter()
        .find(|point| point["k"] == 10)
        .unwrap();
    let ratio = sampled["radius"]["median"].as_f64().unwrap() / whole.as_f64().unwrap();
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}

//! The summary in JSON, and `kdisc verify` of it.

use crate::common::{Folder, assert_says};
use serde_json::{Value, json};

fn folder() -> Folder {
    Folder::new().with("t.csv", "x,y\n0,0\n3,4\n6,8\n6,8\n")
}

fn summarised(args: &str) -> (Folder, Value) {
    let folder = folder();
    let ran = folder.run(&format!("risk t.csv --quiet --summary s.json {args}"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = folder.json("s.json");
    (folder, json)
}

#[test]
fn it_has_all_that_was_promised() {
    let (_, mut json) = summarised("--k 2 --delta 0 --threads 1 -o out.csv");
    for phase in [
        "read",
        "hash",
        "index",
        "measure",
        "measure_delta_zero",
        "measure_plain",
        "write",
    ] {
        let seconds = json["timings_s"][phase].take();
        assert!(seconds.as_f64().unwrap() >= 0.0, "{phase}");
    }
    json["version"] = json!("[version]");
    insta::assert_snapshot!(format!("{json:#}"));
}

#[test]
fn infinity_is_a_word_and_distances_are_numbers() {
    assert_eq!(summarised("--k 2").1["delta"], "inf");
    assert_eq!(summarised("--k 2 --delta 0").1["delta"], 0);
    assert_eq!(summarised("--k 2 --delta 2.5").1["delta"], 2.5);
}

#[test]
fn the_hashes_are_those_of_the_files() {
    let (folder, json) = summarised("-o out.csv");
    for (file, hash) in [
        ("t.csv", &json["inputs"][0]["sha256"]),
        ("out.csv", &json["output_sha256"]),
    ] {
        let bytes = folder.read(file).into_bytes();
        assert_eq!(*hash, kdisc_io::sha256::hex(&bytes), "{file}");
    }
    let (folder, json) = summarised("");
    let out = folder.run("risk t.csv --quiet").stdout;
    assert_eq!(json["output_sha256"], kdisc_io::sha256::hex(out.as_bytes()));
}

#[test]
fn standard_input_and_the_example_are_named() {
    let folder = folder();
    folder.run_with("risk - --quiet --summary s.json", "x,y\n0,0\n");
    let json = folder.json("s.json");
    assert_eq!(json["inputs"][0]["path"], "-");
    let ran = folder.run_with("verify s.json", "x,y\n0,0\n");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = folder.run_with("verify s.json", "x,y\n0,1\n");
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.stdout, "DIFFERENT in inputs.1.sha256");

    folder.run("risk --quiet --delta 0 --summary s.json");
    let json = folder.json("s.json");
    assert!(json["inputs"][0]["path"].is_null());
    assert_eq!(json["inputs"][0]["rows"], 8348);
    assert_eq!(folder.run("verify s.json").code, Some(0));
}

#[test]
fn the_same_run_is_verified() {
    let (folder, _) = summarised("--k 2 -o out.csv");
    let ran = folder.run("verify s.json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let last = ran.stdout.lines().last();
    assert_eq!(
        last,
        Some("verified: the run gives the same output, to the byte")
    );
    assert_eq!(folder.names(), ["out.csv", "s.json", "t.csv"]);
}

#[test]
fn a_changed_input_is_found() {
    let (folder, _) = summarised("--k 2");
    let folder = folder.with("t.csv", "x,y\n0,0\n3,4\n6,8\n6,8.0\n");
    let ran = folder.run("verify s.json");
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.stdout, "input   t.csv: DIFFERENT");
    assert_says(&ran.stdout, "so the run was not repeated");
}

#[test]
fn a_changed_output_is_found() {
    let (folder, mut json) = summarised("--k 2 -o out.csv");
    let folder = folder.with("out.csv", "tampered");
    let ran = folder.run("verify s.json");
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.stdout, "output  out.csv: DIFFERENT");
    // The file is another; the run is not.
    assert_says(&ran.stdout, "of the repeated run: same");
    assert_says(
        &ran.stdout,
        "the run gives what was recorded, but that file is another",
    );

    json["output_sha256"] = json!("00");
    let folder = Folder::new()
        .with("t.csv", folder.read("t.csv"))
        .with("s.json", json.to_string());
    let ran = folder.run("verify s.json");
    assert_eq!(ran.code, Some(1));
    assert_says(&ran.stdout, "out.csv: not here");
    assert_says(&ran.stdout, "of the repeated run: DIFFERENT");
}

#[test]
fn inputs_and_output_are_looked_for_beside_the_summary() {
    let (folder, _) = summarised("--k 2 -o out.csv");
    let summary = folder.path("s.json");
    let elsewhere = Folder::new()
        .with("t.csv", "another table of that name")
        .with("out.csv", "another output");
    let ran = elsewhere.run(&format!("verify {}", summary.display()));
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn folders_may_be_moved_with_all_that_is_in_them() {
    let folder = folder();
    std::fs::create_dir(folder.path("a")).unwrap();
    std::fs::rename(folder.path("t.csv"), folder.path("a/t.csv")).unwrap();
    let absolute = folder.path("a/t.csv");
    for input in ["a/t.csv", absolute.to_str().unwrap()] {
        let args = format!("risk {input} --k 2 --quiet -o a/o.csv --summary a/s.json");
        assert_eq!(folder.run(&args).code, Some(0));
        let elsewhere = Folder::new();
        let moved = elsewhere.path("b");
        std::fs::create_dir(&moved).unwrap();
        for file in ["t.csv", "o.csv", "s.json"] {
            let name = folder.path("a").join(file);
            std::fs::rename(&name, moved.join(file)).unwrap();
        }
        let ran = elsewhere.run("verify b/s.json");
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert_says(&ran.stdout, "o.csv: same");
        std::fs::rename(moved.join("t.csv"), folder.path("a/t.csv")).unwrap();
    }
}

#[test]
fn figures_that_were_changed_are_found() {
    let (folder, json) = summarised("--k 2 -o out.csv");
    let changes = [
        ("/k", json!(5), "k"),
        ("/delta", json!(0), "delta"),
        ("/units", json!(1), "units"),
        ("/per_unit/radius/max", json!(1.5), "per_unit.radius.max"),
        ("/most_isolated", json!([]), "most_isolated"),
        ("/columns_used/x", json!("y"), "columns_used.x"),
        ("/inputs/0/rows", json!(3), "inputs.1.rows"),
    ];
    for (place, value, name) in changes {
        let mut other = json.clone();
        *other.pointer_mut(place).unwrap() = value;
        std::fs::write(folder.path("other.json"), other.to_string()).unwrap();
        let ran = folder.run("verify other.json");
        assert_eq!(ran.code, Some(1), "{name}: {}{}", ran.stdout, ran.stderr);
        assert_says(&ran.stdout, &format!("DIFFERENT in {name}"));
    }
    for inputs in [json!([]), json!([{ "path": "out.csv", "sha256": "00" }])] {
        let mut other = json.clone();
        other["inputs"] = inputs;
        std::fs::write(folder.path("other.json"), other.to_string()).unwrap();
        let ran = folder.run("verify other.json");
        assert_eq!(ran.code, Some(2), "{}", ran.stdout);
        assert_says(
            &ran.stderr,
            "its \"inputs\" are not those of its \"command\"",
        );
    }
}

#[test]
fn places_are_verified_too() {
    let folder = folder().with("p.csv", "x,y\n1,1\n");
    let args = "risk t.csv --at p.csv --quiet --summary s.json";
    assert_eq!(folder.run(args).code, Some(0));
    let json = folder.json("s.json");
    assert_eq!(json["inputs"][1]["path"], "p.csv");
    assert!(json["per_unit"].is_null());
    assert_eq!(folder.run("verify s.json").code, Some(0));
    let folder = folder.with("p.csv", "x,y\n1,2\n");
    assert_eq!(folder.run("verify s.json").code, Some(1));
}

#[test]
fn what_cannot_be_repeated_is_said() {
    let (folder, mut json) = summarised("--k 2");
    json["version"] = json!("0.0.0");
    let folder = folder
        .with("old.json", json.to_string())
        .with("no.json", "{}")
        .with("cut.json", "{\"version\":")
        .with("text.json", "hello");
    let ran = folder.run("verify old.json");
    assert_eq!(ran.code, Some(0));
    assert_says(&ran.stderr, "the summary is by kdisc 0.0.0");
    for (file, part) in [
        (
            "no.json",
            "is not a summary of kdisc: it has no \"version\"",
        ),
        ("text.json", "is not a summary of kdisc: line 1 is not JSON"),
        (
            "cut.json",
            "is not a summary of kdisc: it is empty or ends too early",
        ),
        ("gone.json", "cannot read gone.json: there is no such file"),
        (".", "cannot read ."),
    ] {
        let ran = folder.run(&format!("verify {file}"));
        assert_eq!(ran.code, Some(2), "{file}");
        assert_says(&ran.stderr, part);
        assert_says(
            &ran.stderr,
            "help: give what --summary wrote, or the JSON beside a report",
        );
    }
    std::fs::remove_file(folder.path("t.csv")).unwrap();
    let ran = folder.run("verify s.json");
    assert_eq!(ran.code, Some(2));
    assert_says(
        &ran.stderr,
        "cannot read t.csv, nor such a file beside the summary",
    );
}

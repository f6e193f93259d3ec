//! Input that cannot be used: one message with the place and a way out, exit code 2, and no file
//! created or changed.

use std::fmt::Write;

use crate::common::{Folder, assert_says};

/// Runs the command on `content` and checks what must hold for every refusal.
fn refusal(content: &[u8], args: &str) -> String {
    let folder = Folder::new()
        .with("in.csv", content)
        .with("out.csv", "old")
        .with("old.json", "old");
    let before = folder.names();
    let args = format!("risk {args} -o out.csv --summary old.json");
    let ran = folder.run(&args);
    assert_eq!(ran.code, Some(2), "{args}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{args}");
    assert_eq!(folder.read("out.csv"), "old", "{args}");
    assert_eq!(folder.read("old.json"), "old", "{args}");
    assert_eq!(folder.names(), before, "{args}");
    ran.stderr
}

fn collected(cases: &[(&str, &[u8], &str)]) -> String {
    let mut all = String::new();
    for (name, content, args) in cases {
        let message = refusal(content, &format!("in.csv {args}"));
        let _ = write!(all, "== {name}\n{message}\n");
    }
    all
}

#[test]
fn files_that_are_no_table() {
    let messages = collected(&[
        ("empty", b"", ""),
        ("only a byte-order mark", b"\xef\xbb\xbf", ""),
        ("only a header", b"x,y\n", ""),
        ("Latin-1", b"name,x,y\nok,1,2\ncaf\xe9,3,4\n", ""),
        ("UTF-16", b"\xff\xfex\0,\0y\0\n\0", ""),
        (
            "a quote that never closes",
            b"x,y,n\n1,2,a\n3,4,\"b\n5,6,c\n",
            "",
        ),
        ("no coordinates", b"name,value\na,1\n", ""),
        ("one column", b"x|y\n1|2\n", ""),
    ]);
    insta::assert_snapshot!(messages);
}

#[test]
fn columns_that_cannot_be_used() {
    let messages = collected(&[
        ("missing", b"x,y,production\n1,2,3\n", "--weight prodution"),
        ("missing, other case", b"X,Y,z\n1,2,3\n", "--x x --y y"),
        (
            "missing, nothing near",
            b"x,y\n1,2\n",
            "--weight inhabitants",
        ),
        (
            "missing for only",
            b"x,y,fined\n1,2,TRUE\n",
            "--only find=TRUE",
        ),
        ("twice", b"x,y,n,n\n1,2,3,4\n", "--weight n"),
        ("ambiguous", b"x,X,y\n1,2,3\n", ""),
        (
            "degrees the wrong way round",
            b"lon,lat\n5,52\n",
            "--x lat --y lon",
        ),
        ("degrees with metres", b"x,lat\n5,52\n", "--x x --y lat"),
        ("no degrees", b"lon,lat\n5000,52\n", ""),
        ("already there", b"x,y,risk\n1,2,3\n", ""),
        (
            "no row matches",
            b"x,y,fined\n1,2,Yes\n",
            "--only fined=yes",
        ),
    ]);
    insta::assert_snapshot!(messages);
}

#[test]
fn rows_that_cannot_be_used() {
    let messages = collected(&[
        ("short", b"x,y,n\n1,2,3\n4,5\n", ""),
        ("long", b"x,y\n1,2\n3,4,5\n", ""),
        ("decimal commas between commas", b"x,y\n1,5,2,5\n", ""),
        ("not a number", b"x,y\n1,2\n3,12abc\n", ""),
        (
            "after a quoted line end",
            b"x,y,n\n1,2,\"a\nb\"\n3,oops,c\n",
            "",
        ),
        ("missing value", b"x,y\n1,\n", ""),
        ("NaN", b"x,y\nNaN,2\n", ""),
        ("infinite", b"x,y\n1,-inf\n", ""),
        ("too large", b"x,y\n1,2e150\n", ""),
        ("too small", b"x,y\n1,1e-200\n", ""),
        ("negative weight", b"x,y,n\n1,2,-3\n", "--weight n"),
        ("fractional weight", b"x,y,n\n1,2,1.5\n", "--weight n"),
        ("all weights 0", b"x,y,n\n1,2,0\n3,4,0\n", "--weight n"),
        (
            "weights beyond counting",
            b"x,y,n\n1,2,9007199254740991\n3,4,2\n",
            "--weight n",
        ),
        (
            "a weight beyond counting",
            b"x,y,n\n1,2,9007199254740993\n",
            "--weight n",
        ),
        ("decimal comma in quotes", b"x,y\n\"1,5\",2\n", ""),
        ("thousands", b"x;y\n1.234,5;2\n", ""),
        ("mixed decimals", b"x;y\n1,5;2\n3;4.5\n", ""),
        ("nothing left", b"x,y\na,b\n", "--on-invalid skip"),
        (
            "long value",
            b"x,y\n1,0123456789012345678901234567890123456789012345678901z\n",
            "",
        ),
    ]);
    insta::assert_snapshot!(messages);
}

#[test]
fn questions_that_make_no_sense() {
    let rows = b"x,y\n1,2\n";
    let messages = collected(&[
        ("k = 0", rows, "--k 0"),
        ("k < 0", rows, "--k -1"),
        ("k not whole", rows, "--k 2.5"),
        ("delta < 0", rows, "--delta -5"),
        ("delta no number", rows, "--delta far"),
        ("delta NaN", rows, "--delta nan"),
        ("metric", rows, "--metric l3"),
        ("threads", rows, "--threads 0"),
        ("threads without end", rows, "--threads 65535"),
        ("x without y", rows, "--x x"),
        ("one column for both", rows, "--x x --y x"),
        ("only without value", rows, "--only x"),
        ("only and at", rows, "--only x=1 --at in.csv"),
    ]);
    insta::assert_snapshot!(messages);
}

#[test]
fn files_that_are_not_there() {
    let mut all = String::new();
    for (name, args) in [
        ("input", "towns.csv"),
        ("input, with a near one", "oud.csv"),
        ("places", "in.csv --at places.csv"),
        ("a folder", "."),
        ("standard input twice", "- --at -"),
        ("the input as output", "./old.json"),
    ] {
        let _ = write!(all, "== {name}\n{}\n", refusal(b"x,y\n1,2\n", args));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn targets_that_cannot_be_written() {
    let folder = Folder::new().with("in.csv", "x,y\n1,2\n");
    let mut all = String::new();
    for (name, args) in [
        ("a folder", "-o ."),
        ("in no folder", "-o no/such/out.csv"),
        ("under a file", "-o in.csv/out.csv"),
        ("summary in no folder", "--summary no/s.json"),
        ("the input", "-o in.csv"),
        ("summary to standard output", "--summary -"),
        ("summary to standard output", "--summary /dev/stdout"),
    ] {
        let ran = folder.run(&format!("risk in.csv {args}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{name}");
        let _ = write!(all, "== {name}\n{}\n", ran.stderr);
    }
    let ran = folder.run("risk in.csv -o new --summary ./new");
    assert_eq!(ran.code, Some(2));
    let _ = write!(all, "== table and summary in one\n{}", ran.stderr);
    insta::assert_snapshot!(all);
    assert_eq!(folder.names(), ["in.csv"]);
    assert_eq!(folder.read("in.csv"), "x,y\n1,2\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new();
    let ran = folder.run("risk --quiet -o /dev/full");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "cannot write /dev/full: No space left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_takes_no_files_is_told_under_the_name_that_was_given() {
    let folder = Folder::new().with("in.csv", "x,y\n1,2\n");
    for target in ["-o /proc/out", "--summary /proc/out"] {
        let ran = folder.run(&format!("risk in.csv {target}"));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{target}");
        assert_says(&ran.stderr, "error: cannot write /proc/out: ");
        assert_says(&ran.stderr, "help: ");
        assert!(!ran.stderr.contains(".kdisc-"), "{}", ran.stderr);
    }
    let ran = folder.run("example -o /proc/out");
    assert_eq!(ran.code, Some(2));
    assert!(!ran.stderr.contains(".kdisc-"), "{}", ran.stderr);
}

#[test]
fn a_row_with_too_many_fields_does_not_shift_what_is_added() {
    let rows = "x,y,n\n0,0,a\n1,1,b,\"c,d\"\n2,2,e\n";
    let folder = Folder::new().with("t.csv", rows);
    let ran = folder.run("risk t.csv --k 2 --delta 0 --on-invalid skip --quiet");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[2], "1,1,\"b,c,d\",,,,,,,invalid");
    assert!(lines[1].starts_with("0,0,a,1,"));
}

#[test]
fn points_that_may_separate_thousands_are_told() {
    let warning = "if the point separates thousands, take it out";
    for (rows, args, is_told) in [
        ("x;y\n155.000;463.000\n155.100;463.200\n", "", true),
        (
            "x;y;w\n155000;463000;1.000\n155001;463001;2.000\n",
            "--weight w",
            true,
        ),
        ("x;y\n155000.125;463000.500\n155001;463001\n", "", false),
        ("x;y\n155.25;463.5\n155.1;463.2\n", "", false),
        ("x,y\n155.000,463.000\n155.100,463.200\n", "", false),
    ] {
        let folder = Folder::new().with("t.csv", rows);
        let ran = folder.run(&format!("risk t.csv --k 2 {args} -o out.csv"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(
            ran.stderr.contains(warning),
            is_told,
            "{rows}: {}",
            ran.stderr
        );
    }
}

#[test]
fn metres_do_not_become_degrees_because_places_are() {
    let folder = Folder::new()
        .with("t.csv", "x,y\n1,2\n3,4\n9,9\n")
        .with("p.csv", "lon,lat\n2,3\n")
        .with("none.csv", "x,y\n");
    let ran = folder.run("risk t.csv --k 2 --at p.csv -o out.csv");
    assert_eq!(ran.code, Some(2));
    assert_says(
        &ran.stderr,
        "t.csv does not say in which coordinate system it is",
    );
    assert_says(&ran.stderr, "--crs EPSG:n");
    let ran = folder.run("risk t.csv --k 2 --at p.csv --crs EPSG:4326 -o out.csv");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = folder.run("risk t.csv --k 2 --at none.csv -o out.csv");
    assert_eq!(ran.code, Some(2));
    assert_says(&ran.stderr, "none.csv has no rows");
}

#[cfg(target_os = "linux")]
#[test]
fn a_summary_does_not_replace_the_table_on_standard_output() {
    let folder = Folder::new().with("t.csv", "x,y\n0,0\n3,4\n");
    let run = format!(
        "'{}' risk t.csv --k 2 --quiet --summary out > out",
        env!("CARGO_BIN_EXE_kdisc")
    );
    let ran = std::process::Command::new("sh")
        .args(["-c", &run])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let told = String::from_utf8(ran.stderr).unwrap();
    assert_says(
        &told,
        "cannot write out: it is also the standard output of this run",
    );
}

#[test]
fn rows_that_stand_for_nobody_are_not_the_most_isolated() {
    let rows = "x,y,w\n0,0,1\n1,0,1\n0,9,1\n500,500,0\n";
    let folder = Folder::new().with("t.csv", rows);
    let ran = folder.run("risk t.csv --k 2 --weight w --summary s.json -o out.csv");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = folder.json("s.json");
    let worst = json["most_isolated"].as_array().unwrap();
    assert_eq!(worst.len(), 3);
    assert_eq!(worst[0]["line"], 4);
    // All rows may be without units: then there is no disc at all.
    assert_eq!(folder.read("out.csv").lines().count(), 5);
}

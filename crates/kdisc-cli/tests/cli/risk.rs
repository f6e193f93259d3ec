//! `kdisc risk` on tables that it can read.

use crate::common::{self, Folder, assert_says, shuffled, told};

/// Four on a line and one far off.
const LINE: &str = "id,x,y\na,0,0\nb,3,4\nc,6,8\nd,9,12\ne,300,400\n";

fn table(folder: &Folder, args: &str) -> String {
    common::table(folder, &format!("risk {args}"))
}

#[test]
fn every_row_is_kept_and_answered() {
    let folder = Folder::new().with("line.csv", LINE);
    insta::assert_snapshot!(table(&folder, "line.csv --k 2 --delta 0"), @r"
    id,x,y,multiplicity,radius,units,risk,center_x,center_y,status
    a,0,0,1,5,2,2.5,0,0,ok
    b,3,4,1,5,3,1.6666666666666667,3,4,ok
    c,6,8,1,5,3,1.6666666666666667,6,8,ok
    d,9,12,1,5,2,2.5,9,12,ok
    e,300,400,1,485,2,242.5,300,400,ok
    ");
}

/// The paper's counterexample: the nearest three of the first unit need a radius of 2, but a disc
/// with the far one instead has √10.25/2.
#[test]
fn by_default_the_disc_only_has_to_hold_the_unit() {
    let folder = Folder::new().with("paper.csv", "x,y\n0,0\n2,0\n-2,0\n0,-2.5\n");
    let found = table(&folder, "paper.csv --k 3");
    insta::assert_snapshot!(found, @r"
    x,y,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,1,1.6007810593582121,3,0.5335936864527374,-1,-1.25,ok
    2,0,1,1.6007810593582121,3,0.5335936864527374,1,-1.25,ok
    -2,0,1,1.6007810593582121,3,0.5335936864527374,-1,-1.25,ok
    0,-2.5,1,1.6007810593582121,3,0.5335936864527374,-1,-1.25,ok
    ");
    let asked = "paper.csv --k 3 --delta inf";
    assert_eq!(found, table(&folder, asked));
}

#[test]
fn the_centre_lies_no_farther_than_delta() {
    let folder = Folder::new().with("t.csv", "x,y\n0,0\n10,0\n");
    insta::assert_snapshot!(table(&folder, "t.csv --k 2 --delta 2"), @r"
    x,y,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,1,8,2,4,2,0,ok
    10,0,1,8,2,4,8,0,ok
    ");
    let far = table(&folder, "t.csv --k 2 --delta 5");
    assert_says(&far, "\n0,0,1,5,2,2.5,5,0,ok\n");
}

#[test]
fn squares_are_measured_too() {
    let folder = Folder::new().with("t.csv", "x,y\n0,0\n2,0\n0,3\n");
    let last = |metric: &str| {
        let found = table(&folder, &format!("t.csv --k 2 --metric {metric}"));
        found.lines().nth(3).unwrap().to_owned()
    };
    assert_eq!(last("l1"), "0,3,1,1.5,2,0.75,0,1.5,ok");
    // It can slide along x: halfway between where (0, 3) leaves and where (2, 0) enters.
    assert_eq!(last("linf"), "0,3,1,1.5,2,0.75,-0.5,1.5,ok");
}

#[test]
fn the_summary_tells_people() {
    let folder = Folder::new().with("line.csv", LINE);
    let ran = folder.run("risk line.csv --k 2 --delta 0 -o out.csv --threads 1");
    assert_eq!(ran.stdout, "");
    insta::assert_snapshot!(told(&ran));
}

#[test]
fn locations_are_told_only_when_asked() {
    let folder = Folder::new().with("line.csv", LINE);
    let args = "risk line.csv --k 2 --delta 0 --summary s.json";
    let silent = told(&folder.run(args));
    assert!(
        !silent.contains("300") && !silent.contains("400"),
        "{silent}"
    );
    let open = told(&folder.run(&format!("{args} --show-locations")));
    assert_says(&open, "line 6 (row 5): radius 485.00, 2 units, at 300 400");
    let mut json = folder.json("s.json");
    // Digits that may be anything.
    json["timings_s"].take();
    json["output_sha256"].take();
    json["inputs"].take();
    let json = json.to_string();
    assert!(!json.contains("300") && !json.contains("400"), "{json}");
}

#[test]
fn one_unit_is_not_units() {
    let folder = Folder::new().with("t.csv", "x,y\n1,2\n");
    let text = told(&folder.run("risk t.csv --k 1"));
    assert_says(&text, "at least 1 unit, anywhere");
    assert_says(&text, "line 2 (row 1): radius 0, 1 unit\n");
}

#[test]
fn the_built_in_example_runs_without_input() {
    let folder = Folder::new();
    let ran = folder.run("risk --delta 0 -o out.csv");
    let text = told(&ran);
    assert_says(&text, "population 8348 units at 8055 locations");
    assert_says(
        &text,
        "units at one location     1   2  3   4  5  8  9  10  23  25  68\n\
                       locations              7945  80  9  10  3  1  3   1   1   1   1\n",
    );
    assert_eq!(folder.read("out.csv").lines().count(), 8349);
    assert_eq!(folder.names(), ["out.csv"]);
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let folder = Folder::new().with("line.csv", LINE);
    let args = "--k 2 --delta 0";
    let piped = folder.run_with(&format!("risk - --quiet {args}"), LINE);
    assert_eq!(piped.stdout, table(&folder, &format!("line.csv {args}")));
}

#[test]
fn fewer_than_k_units_have_no_disc() {
    let folder = Folder::new().with("line.csv", LINE);
    let ran = folder.run("risk line.csv --k 6 --delta 0 --summary s.json");
    assert_says(&ran.stdout, "\na,0,0,1,,,,,,no_disc\n");
    let text = told(&ran);
    assert_says(&text, "no disc    5 units: fewer than k");
    assert_says(&text, "isolated   line 2 (row 1): no disc");
    let json = folder.json("s.json");
    assert_eq!(json["per_unit"]["no_disc"], 5);
    assert!(json["per_unit"]["radius"].is_null());
}

#[test]
fn weights_are_units_and_a_weight_of_0_is_measured_only() {
    let folder = Folder::new().with("cells.csv", "x,y,n\n0,0,7\n100,0,0\n100,0,2\n0,50,0\n");
    insta::assert_snapshot!(table(&folder, "cells.csv --weight n --k 5 --delta 0"), @r"
    x,y,n,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,7,7,0,7,0,0,0,ok
    100,0,0,2,100,9,11.11111111111111,100,0,ok
    100,0,2,2,100,9,11.11111111111111,100,0,ok
    0,50,0,0,50,7,7.142857142857143,0,50,ok
    ");
}

#[test]
fn empty_cells_alone_are_told_per_location() {
    let folder = Folder::new().with("cells.csv", "x,y,n\n0,0,7\n0,50,0\n0,50,0\n");
    let args = "risk cells.csv --weight n --only n=0 --k 5 --delta 0";
    let text = told(&folder.run(args));
    assert_says(
        &text,
        "population 7 units at 2 locations\nmeasured   1 location with n=0",
    );
    assert_says(&text, "per location ");
}

#[test]
fn only_some_rows_are_measured_but_all_count() {
    let rows = "x,y,fined\n0,0,FALSE\n1,0,\"TRUE\"\n1,0,FALSE\n5,0,true\n";
    let folder = Folder::new().with("t.csv", rows);
    let args = "t.csv --only fined=TRUE --k 3 --delta 0 --summary s.json";
    insta::assert_snapshot!(table(&folder, args), @r#"
    x,y,fined,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,FALSE,1,,,,,,not_measured
    1,0,"TRUE",2,1,3,0.3333333333333333,1,0,ok
    1,0,FALSE,2,,,,,,not_measured
    5,0,true,1,4,3,1.3333333333333333,5,0,ok
    "#);
    let json = folder.json("s.json");
    assert_eq!(
        (&json["units"], &json["per_unit"]["count"]),
        (&4.into(), &2.into())
    );
}

#[test]
fn places_need_not_be_units() {
    let folder = Folder::new().with("line.csv", LINE).with(
        "places.csv",
        "northing;easting;name\n0;0;a\n-0;-0,0;again\n0;1,5;b\n",
    );
    insta::assert_snapshot!(table(&folder, "line.csv --at places.csv --k 1 --delta 0"), @r"
    northing;easting;name;multiplicity;radius;units;risk;center_x;center_y;status
    0;0;a;1;0;1;0;0;0;ok
    -0;-0,0;again;1;0;1;0;0;0;ok
    0;1,5;b;0;1,5;1;1,5;1,5;0;ok
    ");
}

#[test]
fn isolated_places_are_named_with_their_file_and_line() {
    // An empty line, and a line end inside quotes.
    let places = "name,x,y\n\"two\nlines\",0,0\n\nfar,900,0\n";
    let folder = Folder::new().with("line.csv", LINE).with("p.csv", places);
    let text = told(&folder.run("risk line.csv --at p.csv --k 1 --delta 0"));
    assert_says(&text, "isolated   line 5 (row 2) of p.csv: radius ");
    assert_says(&text, "           line 2 (row 1) of p.csv: radius 0,");
}

#[test]
fn named_columns_are_used_in_the_places_where_they_are() {
    let folder = Folder::new()
        .with("u.csv", "oost,noord,x,y\n0,0,9,9\n3,4,9,9\n")
        .with("same.csv", "oost,noord,x,y\n0,0,5,5\n")
        .with("other.csv", "x,y\n0,0\n");
    let args = "u.csv --x oost --y noord --k 2 --delta 0 --at";
    let same = table(&folder, &format!("{args} same.csv"));
    assert!(same.ends_with("\n0,0,5,5,1,5,2,2.5,0,0,ok\n"), "{same}");
    let other = table(&folder, &format!("{args} other.csv"));
    assert!(other.ends_with("\n0,0,1,5,2,2.5,0,0,ok\n"), "{other}");
}

#[test]
fn bad_rows_can_be_skipped_and_stay_in_the_table() {
    let rows = "x,y,n\n0,0,1\nabc,1,1\n1e200,0,1\n7\n0,nan,1\n0,0,-1\n0,0,0.5\n3,4,1\n1,2,3,4\n";
    let folder = Folder::new().with("t.csv", rows);
    let args = "risk t.csv --weight n --k 2 --delta 0 --on-invalid skip --summary s.json";
    let ran = folder.run(args);
    insta::assert_snapshot!(ran.stdout, @r#"
    x,y,n,multiplicity,radius,units,risk,center_x,center_y,status
    0,0,1,1,5,2,2.5,0,0,ok
    abc,1,1,,,,,,,invalid
    1e200,0,1,,,,,,,invalid
    7,,,,,,,,,invalid
    0,nan,1,,,,,,,invalid
    0,0,-1,,,,,,,invalid
    0,0,0.5,,,,,,,invalid
    3,4,1,1,5,2,2.5,3,4,ok
    1,2,"3,4",,,,,,,invalid
    "#);
    let text = told(&ran);
    let expected =
        "7 left out as invalid, the first: t.csv, line 3, column \"x\": \"abc\" is not a number";
    assert_says(&text, expected);
    let json = folder.json("s.json");
    assert_eq!(json["inputs"][0]["rows"], 9);
    assert_eq!(json["inputs"][0]["bad_rows"], 7);
    assert_eq!(json["units"], 2);
}

#[test]
fn bytes_stay_as_they_were() {
    // A byte-order mark, CRLF, quotes, a line end and a separator inside quotes, odd numbers,
    // letters beyond ASCII, and no end of line at the end.
    let text =
        "\u{feff}\"naïve, \"\"größe\"\"\",X, y \r\n\"two\r\nlines\",0.00,+1e0\r\né,1.0e0,\"1\"";
    let folder = Folder::new().with("t.csv", text);
    assert_eq!(
        table(&folder, "t.csv --k 2 --delta 0"),
        "\u{feff}\"naïve, \"\"größe\"\"\",X, y ,multiplicity,radius,units,risk,center_x,center_y,status\r\n\
         \"two\r\nlines\",0.00,+1e0,1,1,2,0.5,0,1,ok\r\n\
         é,1.0e0,\"1\",1,1,2,0.5,1,1,ok\r\n"
    );
}

#[test]
fn decimal_commas_come_back_as_decimal_commas() {
    let folder = Folder::new().with("t.csv", "x;y\n0,5;0\n0,75;0\n");
    assert_eq!(
        table(&folder, "t.csv --k 2 --delta 0"),
        "x;y;multiplicity;radius;units;risk;center_x;center_y;status\n\
         0,5;0;1;0,25;2;0,125;0,5;0;ok\n\
         0,75;0;1;0,25;2;0,125;0,75;0;ok\n"
    );
}

#[test]
fn whole_coordinates_get_the_decimal_marks_of_the_other_columns() {
    for (prices, answer) in [
        (["1,5", "2"], "2;3;0;1;1,5;2;0,75;1,5;0;ok"),
        (["1.5", "2"], "2;3;0;1;1.5;2;0.75;1.5;0;ok"),
        (["1.5", "2,5"], "2,5;3;0;1;1.5;2;0.75;1.5;0;ok"),
        (["1", "2"], "2;3;0;1;1.5;2;0.75;1.5;0;ok"),
    ] {
        let rows = format!("price;x;y\n{};0;0\n{};3;0\n", prices[0], prices[1]);
        let folder = Folder::new().with("t.csv", rows);
        let out = table(&folder, "t.csv --k 2");
        assert_eq!(out.lines().last(), Some(answer));
    }
}

#[test]
fn a_table_without_decimals_may_have_tabs() {
    let folder = Folder::new().with("t.tsv", "größe\tx\ty\n1,5\t0\t0\n2\t0\t4\n");
    let out = table(&folder, "t.tsv --k 2 --delta 0");
    assert!(out.ends_with("2\t0\t4\t1\t4\t2\t2\t0\t4\tok\n"), "{out}");
}

#[test]
fn a_prefix_makes_room_for_a_second_measure() {
    let folder = Folder::new().with("line.csv", LINE);
    let first = table(&folder, "line.csv --k 2 --delta 0");
    let folder = folder.with("first.csv", first);
    let refused = folder.run("risk first.csv --k 3");
    assert_eq!(refused.code, Some(2));
    assert_says(&refused.stderr, "already has a column \"multiplicity\"");
    let second = table(&folder, "first.csv --k 3 --delta 0 --prefix k3_");
    let header = second.lines().next().unwrap();
    assert!(header.ends_with(
        ",status,k3_multiplicity,k3_radius,k3_units,k3_risk,k3_center_x,k3_center_y,k3_status"
    ));
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_do_not_matter() {
    let [one, other] = shuffled();
    let folder = Folder::new().with("a.csv", one).with("b.csv", other);
    let sorted = |file: &str, threads: &str, summary: &str| {
        let out = table(
            &folder,
            &format!("{file} --threads {threads} --summary {summary}"),
        );
        let mut lines: Vec<_> = out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(
        sorted("a.csv", "1", "a.json"),
        sorted("b.csv", "2", "b.json")
    );
    let (a, b) = (folder.json("a.json"), folder.json("b.json"));
    for key in ["per_location", "per_unit", "delta_zero", "multiplicities"] {
        assert_eq!(a[key], b[key], "{key}");
    }
}

#[test]
fn standard_output_has_three_names() {
    let folder = Folder::new().with("line.csv", LINE);
    let plain = table(&folder, "line.csv --delta 0");
    for name in ["-", "/dev/stdout"] {
        assert_eq!(
            table(&folder, &format!("line.csv --delta 0 -o {name}")),
            plain
        );
    }
    assert_eq!(folder.names(), ["line.csv"]);
}

#[test]
fn places_that_are_all_invalid_have_no_answers() {
    let folder = Folder::new()
        .with("line.csv", LINE)
        .with("p.csv", "x,y\na,b\n");
    let args = "line.csv --delta 0 --at p.csv --on-invalid skip";
    let out = table(&folder, args);
    assert!(out.ends_with("\na,b,,,,,,,invalid\n"), "{out}");
}

#[test]
fn every_file_that_gives_locations_away_is_named() {
    let folder = Folder::new();
    let command = "risk --delta 500 -o r.csv --discs d.gpkg";
    let told = folder.run(command).stderr;
    assert_says(
        &told,
        "CONFIDENTIAL: r.csv holds exact locations, and d.gpkg holds discs that give them away; \
         keep both as safe as the input\n",
    );
    // Distances have a unit, and what is built in is in no file.
    assert_says(&told, "within 500 m of the unit (delta = 500)");
    assert_says(&told, "that of the example");
}

//! `kdisc rules`: values in discs and in regions.

use crate::common::{self, Folder, assert_says, done, shuffled, told};

/// Two towns: a giant among dwarfs, and equals.
const TOWNS: &str = "\
id,x,y,v,owner,kind
1,0,0,1000,a,yes
2,1,0,10,b,yes
3,0,1,20,b,yes
4,1,1,30,c,yes
5,100,0,10,d,no
6,101,0,10,e,yes
7,100,1,10,f,no
8,101,1,10,g,no
";

fn table(folder: &Folder, args: &str) -> String {
    common::table(folder, &format!("rules {args}"))
}

/// The rows of a table by the names of their columns.
struct Sheet {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    fn new(text: &str) -> Self {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect();
        let mut lines = text.lines();
        Self {
            names: cells(lines.next().unwrap()),
            rows: lines.map(cells).collect(),
        }
    }

    fn text(&self, row: usize, name: &str) -> &str {
        let column = self.names.iter().position(|other| other == name);
        &self.rows[row][column.unwrap_or_else(|| panic!("no {name} in {:?}", self.names))]
    }

    fn number(&self, row: usize, name: &str) -> f64 {
        self.text(row, name).parse().unwrap()
    }

    fn column(&self, name: &str) -> Vec<&str> {
        (0..self.rows.len())
            .map(|row| self.text(row, name))
            .collect()
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * b.abs().max(1e-300)
}

#[test]
fn two_towns_by_hand() {
    let folder = Folder::new().with("t.csv", TOWNS);
    let found = Sheet::new(&table(&folder, "t.csv --value v --k 4"));
    let expected = "multiplicity radius units risk center_x center_y status contributors total largest \
                    second own_share p_margin unsafe";
    let names: Vec<_> = expected.split(' ').collect();
    assert_eq!(found.names[6..], names);
    for row in 0..4 {
        assert_eq!(found.text(row, "contributors"), "4");
        assert_eq!(found.number(row, "total"), 1060.0);
        assert_eq!(found.number(row, "largest"), 1000.0);
        assert_eq!(found.number(row, "second"), 30.0);
        assert!(close(
            found.number(row, "own_share"),
            found.number(row, "v") / 1060.0
        ));
        assert_eq!(found.number(row, "p_margin"), 3.0);
        assert_eq!(found.text(row, "unsafe"), "p");
    }
    for row in 4..8 {
        assert_eq!(found.number(row, "total"), 40.0);
        assert_eq!(found.number(row, "p_margin"), 200.0);
        assert_eq!(found.text(row, "unsafe"), "");
    }
}

#[test]
fn several_rules_at_once_and_no_disc() {
    let folder = Folder::new().with("t.csv", TOWNS);
    let args = "t.csv --value v --k 4 --p 3 --dominance 1,75 --dominance 2,97 --min-count 5";
    let found = Sheet::new(&table(&folder, args));
    // 30 is not less than 3 % of 1000.
    assert_eq!(
        found.text(0, "unsafe"),
        "dominance_1_75 dominance_2_97 min_count"
    );
    assert_eq!(found.text(7, "unsafe"), "min_count");
    let found = Sheet::new(&table(&folder, "t.csv --value v --k 9"));
    assert_eq!(found.column("unsafe"), ["no_disc"; 8]);
    assert_eq!(found.column("total"), [""; 8]);
    assert_eq!(found.column("status"), ["no_disc"; 8]);
}

#[test]
fn units_of_one_owner_add_up_first() {
    let one = TOWNS
        .replace(",d,", ",h,")
        .replace(",e,", ",h,")
        .replace(",f,", ",h,");
    let folder = Folder::new().with("t.csv", one);
    let found = Sheet::new(&table(&folder, "t.csv --value v --k 4 --group owner"));
    assert_eq!(found.text(0, "contributors"), "3");
    assert_eq!(found.number(0, "second"), 30.0);
    assert_eq!(found.text(4, "contributors"), "2");
    assert_eq!(
        (found.number(4, "largest"), found.number(4, "second")),
        (30.0, 10.0)
    );
    assert_eq!(found.text(4, "unsafe"), "p");
    assert_eq!(found.number(4, "own_share"), 0.25);
}

#[test]
fn what_everybody_says_is_known_of_each() {
    let folder = Folder::new().with("t.csv", TOWNS);
    let found = Sheet::new(&table(&folder, "t.csv --category kind --k 4"));
    assert_eq!(found.text(0, "top_category"), "yes");
    assert_eq!(found.text(0, "unsafe"), "share");
    assert_eq!(
        (found.number(4, "share_no"), found.number(4, "share_yes")),
        (0.75, 0.25)
    );
    assert_eq!(
        (found.number(4, "top_share"), found.text(4, "unsafe")),
        (0.75, "")
    );
    let found = Sheet::new(&table(
        &folder,
        "t.csv --category kind --k 4 --max-share 0.7",
    ));
    assert_eq!(found.column("unsafe"), ["share"; 8]);
    let args = "t.csv --category kind --k 4 --raster-risk discrete --sensitive no --max-risk 0.5 --min-count 1";
    let found = Sheet::new(&table(&folder, args));
    assert_eq!(found.text(0, "raster_risk"), "0");
    assert_eq!(
        (found.text(0, "unsafe"), found.text(4, "unsafe")),
        ("", "discrete")
    );
}

#[test]
fn missing_and_negative_values_and_weights() {
    let rows = "x,y,w,v\n0,0,3,-50\n0,1,1,\n1,0,0,1000\n1,1,1,10\n";
    let folder = Folder::new().with("t.csv", rows);
    let args = "t.csv --value v --weight w --k 5";
    let found = Sheet::new(&table(&folder, args));
    assert_eq!(found.column("units"), ["5"; 4]);
    // Three units behind one contribution, and one more; the missing and the weightless are none.
    assert_eq!(found.column("contributors"), ["4"; 4]);
    assert_eq!(found.column("total"), ["60"; 4]);
    assert_eq!(found.column("largest"), ["50"; 4]);
    assert_eq!(
        (found.text(1, "own_share"), found.text(2, "own_share")),
        ("", "")
    );
    let ran = done(
        &folder,
        &format!("rules {args} -o o.csv --summary s.json --max-k 6"),
    );
    assert_says(
        &ran.stderr,
        "1 row without a value contribute nothing, 1 row below 0",
    );
    let json = folder.json("s.json");
    assert_eq!(
        (&json["rows_without_value"], &json["rows_negative"]),
        (&1.into(), &1.into())
    );
    assert_eq!(json["discs"]["units"], 5);
    assert_eq!(json["discs"]["unsafe"], 5);
    assert_eq!(json["discs"]["value_unsafe"], 60);
    assert_eq!(json["by_k"].as_array().unwrap().len(), 5);
}

#[test]
fn the_summary_tries_every_k() {
    let folder = Folder::new().with("t.csv", TOWNS);
    done(
        &folder,
        "rules t.csv --value v --k 4 --max-k 8 --min-count 2 -o o.csv --summary s.json",
    );
    let json = folder.json("s.json");
    let units: Vec<_> = json["by_k"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| at["units_unsafe"].clone())
        .collect();
    assert_eq!(units, [0, 0, 0, 0, 0, 0, 0].map(serde_json::Value::from));
    assert_eq!(json["safe_from_k"], 2);
    let ran = done(
        &folder,
        "rules t.csv --value v --k 4 --max-k 9 -o o.csv --summary s.json",
    );
    let json = folder.json("s.json");
    let last = json["by_k"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&last["k"], &last["units_unsafe"]), (&9.into(), &8.into()));
    assert_eq!(json["safe_from_k"], serde_json::Value::Null);
    let told = told(&ran);
    assert_says(&told, "discs      UNSAFE: 4 of 8 units (50.0%)");
    assert_says(&told, "they hold 1060.0 of 1100.0 (96.4%)");
    assert_says(&told, "k=9: 8");
    assert_says(&told, "at no k up to 9");
    assert_says(&told, "largest    unsafe: line 2 (row 1): p");
    assert_says(&told, "CONFIDENTIAL: o.csv holds exact locations");
}

/// Every disc again by a plain loop over all rows, on part of the example.
#[test]
fn as_a_loop_over_all_rows_finds() {
    let [example, other] = shuffled();
    let folder = Folder::new().with("t.csv", &example).with("s.csv", other);
    for (question, norm) in [
        ("--k 7", 2.0),
        ("--k 7 --delta 0", 2.0),
        ("--k 5 --delta 40", 2.0),
        ("--k 6 --metric linf", f64::INFINITY),
        ("--k 6 --metric l1 --delta 30", 1.0),
    ] {
        let rules = "--value production --p 20 --dominance 3,90 --category fined";
        let text = table(&folder, &format!("t.csv {question} {rules}"));
        let found = Sheet::new(&text);
        let number = |row: usize, name: &str| found.number(row, name);
        for row in 0..found.rows.len() {
            let (x, y, r) = (
                number(row, "center_x"),
                number(row, "center_y"),
                number(row, "radius"),
            );
            let inside = |other: &usize| {
                let (dx, dy) = (
                    (number(*other, "x") - x).abs(),
                    (number(*other, "y") - y).abs(),
                );
                let distance = match norm {
                    1.0 => dx + dy,
                    2.0 => dx.hypot(dy),
                    _ => dx.max(dy),
                };
                distance <= r * (1.0 + 1e-9) + 1e-9
            };
            let set: Vec<usize> = (0..found.rows.len()).filter(inside).collect();
            let mut values: Vec<_> = set.iter().map(|&i| number(i, "production")).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            let total: f64 = values.iter().sum();
            let fined = set
                .iter()
                .filter(|&&i| found.text(i, "fined") == "TRUE")
                .count();
            assert_eq!(
                number(row, "contributors") as usize,
                set.len(),
                "{question}, row {row}"
            );
            assert!(close(number(row, "total"), total));
            assert_eq!(
                (number(row, "largest"), number(row, "second")),
                (values[0], values[1])
            );
            assert!(
                close(number(row, "share_TRUE"), fined as f64 / set.len() as f64) || fined == 0
            );
            let margin = 100.0 * (total - values[0] - values[1]) / values[0];
            assert!(close(number(row, "p_margin"), margin));
            let mut broken = Vec::new();
            broken.extend((margin < 20.0).then_some("p"));
            let top: f64 = values.iter().take(3).sum();
            broken.extend((top > 0.9 * total).then_some("dominance_3_90"));
            broken.extend((fined == 0 || fined == set.len()).then_some("share"));
            assert_eq!(
                found.text(row, "unsafe"),
                broken.join(" "),
                "{question}, row {row}"
            );
        }
        let sorted = |text: &str| {
            let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
            lines[1..].sort();
            lines
        };
        let other = table(&folder, &format!("s.csv {question} {rules} --threads 1"));
        assert_eq!(sorted(&text), sorted(&other), "{question}");
    }
}

#[test]
fn the_same_rules_in_cells() {
    let folder = Folder::new().with("t.csv", TOWNS);
    let args = "rules t.csv --value v --k 4 --grid 50 -o c.csv --units u.csv --summary s.json";
    let ran = done(&folder, args);
    insta::assert_snapshot!(folder.read("c.csv"), @r"
    region,x,y,count,contributors,total,largest,second,p_margin,unsafe,units_unsafe
    0_0,0,0,4,4,1060,1000,30,3,p,4
    2_0,100,0,4,4,40,10,10,200,,0
    ");
    let units = Sheet::new(&folder.read("u.csv"));
    assert_eq!(
        units.column("region")[..5],
        ["0_0", "0_0", "0_0", "0_0", "2_0"]
    );
    assert_eq!(units.column("region_unsafe")[3..5], ["p", ""]);
    let regions = &folder.json("s.json")["regions"];
    assert_eq!(
        (&regions["regions"], &regions["unsafe"]),
        (&2.into(), &1.into())
    );
    assert_eq!(regions["units"]["unsafe_in_both"], 4);
    assert_eq!(regions["units"]["safe_in_both"], 4);
    assert_says(&ran.stderr, "UNSAFE: 1 of 2 cells (50.0%)");
    let verified = done(&folder, "verify s.json").stdout;
    assert_says(&verified, "verified: the run gives the same output");
    // The line between the towns runs through one of them.
    done(
        &folder,
        "rules t.csv --value v --k 4 --grid 1 -o c.csv --summary s.json",
    );
    let regions = &folder.json("s.json")["regions"];
    assert_eq!(regions["units"]["unsafe_in_region_only"], 4);
}

#[test]
fn a_run_can_be_verified() {
    let folder = Folder::new().with("t.csv", TOWNS);
    done(
        &folder,
        "rules t.csv --value v --k 4 -o o.parquet --summary s.json --quiet",
    );
    let verified = done(&folder, "verify s.json --threads 1").stdout;
    assert_says(
        &verified,
        "verified: the run gives the same output, to the byte",
    );
}

#[test]
fn sdc_spatial_s_sensitive_cells() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/data/enterprises.csv"
    );
    if !std::path::Path::new(file).exists() {
        let required = std::env::var("KDISC_REQUIRE_SHARED").is_ok_and(|v| v == "1");
        assert!(!required, "../shared/data/enterprises.csv is absent");
        return;
    }
    let folder = Folder::new();
    let args =
        format!("{file} --value production --grid 200 --edges north-west --raster-risk external");
    let found = Sheet::new(&table(&folder, &args));
    let is_sensitive = |broken: &&&str| !broken.is_empty();
    let broken = found.column("unsafe");
    assert_eq!(
        (broken.iter().filter(is_sensitive).count(), broken.len()),
        (1234, 1438)
    );
}

#[test]
fn constant_columns_are_told_but_do_no_harm() {
    let rows = |v: &str| format!("x,y,v\n0,0,{v}\n0,1,{v}\n1,1,{v}\n");
    let folder = Folder::new()
        .with("0.csv", rows("0"))
        .with("7.csv", rows("7"));
    let folder = folder.with("n.csv", rows("NA")).with("m.csv", rows("-1"));
    let warned = |file: &str| {
        done(
            &folder,
            &format!("rules {file} --value v --k 3 -o o.csv --max-k 2"),
        )
        .stderr
    };
    assert_says(
        &warned("0.csv"),
        "WARNING: every value in column \"v\" is 0: rules on values do not apply",
    );
    assert_says(&warned("0.csv"), "SAFE: none of 3 units breaks a rule");
    assert_says(
        &warned("7.csv"),
        "WARNING: every value in column \"v\" is 7",
    );
    assert_says(
        &warned("n.csv"),
        "WARNING: column \"v\" has no values at all",
    );
    assert_says(
        &warned("m.csv"),
        "WARNING: 3 negative values count without their sign",
    );
    let ran = done(&folder, "rules 7.csv --category v --k 3 -o o.csv --max-k 2");
    assert_says(
        &ran.stderr,
        "every row says \"7\" in column \"v\": there is nothing left to disclose",
    );
}

#[test]
fn what_cannot_be_asked() {
    let folder = Folder::new()
        .with("t.csv", TOWNS)
        .with("b.csv", "x,y,v\n0,0,1e300\n1,1,1e300\n");
    for (args, says) in [
        (
            "t.csv --value kind",
            "t.csv, line 2, column \"kind\": \"yes\" is not a number",
        ),
        ("t.csv --value turnover", "turnover"),
        ("t.csv --value v --group boss", "boss"),
        ("t.csv --category colour", "colour"),
        ("t.csv --value v --p 0", "p = 0 is out of range"),
        ("t.csv --value v --p -5", "p = -5 is out of range"),
        ("t.csv --value v --p nan", "p = NaN is out of range"),
        (
            "t.csv --value v --dominance 0,75",
            "dominance of the 0 largest is out of range",
        ),
        (
            "t.csv --value v --dominance 1,100",
            "dominance of 100 % is out of range",
        ),
        (
            "t.csv --value v --dominance 75",
            "give a number and a percentage, such as 1,75",
        ),
        ("t.csv --value v --min-count 0", "at least one contributor"),
        (
            "t.csv --category kind --max-share 1.5",
            "the share 1.5 is out of range",
        ),
        (
            "t.csv --value v --raster-risk external --max-risk 0",
            "the risk 0 is out of range",
        ),
        (
            "t.csv --value v --raster-risk discrete",
            "no column of these is named",
        ),
        (
            "t.csv --category kind --raster-risk discrete --sensitive maybe",
            "no row has \"maybe\"",
        ),
        ("t.csv --k 4", "--value"),
        (
            "t.csv --value v --units u.csv",
            "--units goes with a table of regions",
        ),
        ("t.csv --value v --grid 0", "a cell cannot be 0 wide"),
        ("t.csv --value v --max-k 1", "1 is not in 2..=10000"),
        ("b.csv --value v", "the values add up to more than 1e300"),
    ] {
        let ran = folder.run(&format!("rules {args} -o out.csv"));
        assert_eq!(ran.code, Some(2), "{args}: {}", ran.stderr);
        assert_says(&ran.stderr, says);
        assert!(!folder.names().contains(&"out.csv".to_owned()), "{args}");
    }
    let mixed = Folder::new().with("m.csv", "x,y,v\n0,0,1\n0,1,x\n1,1,2\n");
    let found = Sheet::new(&table(&mixed, "m.csv --value v --k 2 --on-invalid skip"));
    assert_eq!(found.column("status"), ["ok", "invalid", "ok"]);
    assert_eq!(found.column("total"), ["3", "", "3"]);
}

#[test]
fn decimal_commas_come_and_go() {
    let folder = Folder::new().with("t.csv", "x;y;v\n0,5;0;1,25\n0;0,5;2,5\n");
    let found = table(&folder, "t.csv --value v --k 2");
    let row = found.lines().nth(1).unwrap();
    assert!(row.contains(";3,75;2,5;1,25;"), "{row}");
}

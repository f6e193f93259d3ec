//! `kdisc bandwidth`: the curve, the rule of thumb, bandwidths of units.

use crate::common::{Folder, assert_says, done, shuffled, table, told};

/// Three near each other, and one far away; the last row stands for nobody.
const TOWN: &str = "x,y,n\n0,0,1\n3,4,1\n0,6,1\n100,0,1\n50,0,0\n";

#[test]
fn the_curve_of_a_few_units() {
    let folder = Folder::new().with("town.csv", TOWN);
    // Distances to the nearest other: 5, 3.6, 3.6 and 97.1 (to the second).
    insta::assert_snapshot!(
        table(&folder, "bandwidth town.csv --k 2 --weight n --shares 0.25,0.5,0.75,1"), @r"
    share,bandwidth,units
    0.25,3.605551275463989,2
    0.5,3.605551275463989,2
    0.75,5,3
    1,97.082439194738,4
    ");
    // Nobody has six.
    insta::assert_snapshot!(table(&folder, "bandwidth town.csv --k 6 --shares 0.5"), @r"
    share,bandwidth,units
    0.5,,
    ");
}

#[test]
fn the_example_and_the_rule_of_thumb() {
    let folder = Folder::new();
    insta::assert_snapshot!(told(&folder.run("bandwidth --kernel quartic")));
}

#[test]
fn units_get_their_own_bandwidth() {
    let folder = Folder::new().with("town.csv", TOWN);
    let command = "bandwidth town.csv --k 2 --weight n --cell 4 --units units.csv -o curve.csv --summary run.json";
    let ran = done(&folder, command);
    assert_says(&ran.stderr, "CONFIDENTIAL: units.csv holds exact locations");
    insta::assert_snapshot!(folder.read("units.csv"), @r"
    x,y,n,bandwidth
    0,0,1,5
    3,4,1,4
    0,6,1,4
    100,0,1,97.082439194738
    50,0,0,50
    ");
    let summary = folder.json("run.json");
    assert_eq!(summary["units"], 4);
    assert_eq!(summary["min_bandwidth"], 4);
    assert_eq!(summary["scott"]["units_exposed"], 2);
    assert_says(&done(&folder, "verify run.json").stdout, "verified");
    let ran = folder.run("bandwidth town.csv --units out.csv --prefix x_ --k 9");
    assert_says(&ran.stderr, "no disc    5 units");
    assert_says(&folder.read("out.csv"), "100,0,1,\n");
}

#[test]
fn the_same_curve_for_any_order_of_rows() {
    let [one, other] = shuffled();
    let folder = Folder::new().with("one.csv", one).with("other.csv", other);
    let of = |name: &str| {
        done(
            &folder,
            &format!("bandwidth {name}.csv -o {name}.out.csv --summary {name}.json"),
        );
        (
            folder.read(&format!("{name}.out.csv")),
            folder.json(&format!("{name}.json"))["scott"].clone(),
        )
    };
    assert_eq!(of("one"), of("other"));
}

#[test]
fn what_is_asked_wrongly_is_refused() {
    let folder = Folder::new().with("town.csv", "x,y,bandwidth\n0,0,1\n");
    for (args, part) in [
        ("--shares 0", "above 0 and up to 1"),
        ("--shares 1.5", "above 0 and up to 1"),
        ("--shares 0.5,x", "above 0 and up to 1"),
        ("--k 0", "k is 0"),
        ("--units u.csv", "already has a column \"bandwidth\""),
        ("--min-bandwidth -1", "above 0"),
    ] {
        let ran = folder.run(&format!("bandwidth town.csv {args}"));
        assert_eq!(ran.code, Some(2), "{args}");
        assert_says(&ran.stderr, part);
        assert_eq!(folder.names(), ["town.csv"]);
    }
}

use super::*;

fn published(mut facts: Value) -> Value {
    publish(&mut facts, 10);
    facts
}

#[test]
fn what_nobody_thought_about_is_left_out() {
    let told = published(json!({
        "units": 5000,
        "new": 7,
        "risk": { "k": 10, "new": { "x": 1.5 }, "per_unit": { "radius": { "max": 9.0, "p99": 1.23456 } } },
        "inputs": [{ "path": "/secret/a.csv", "sha256": "abc", "scale_error": 0.001 }],
    }));
    let kept = json!({
        "units": 5000,
        "risk": { "k": 10, "per_unit": { "radius": { "p99": 1.23 } } },
        "inputs": [{ "path": "a.csv" }],
    });
    assert_eq!(told, kept);
}

#[test]
fn few_and_all_but_few_are_not_counted() {
    let count = |units: u64| {
        let told = published(json!({
            "units": 100,
            "verdict": { "units_exceeding": units, "share_exceeding": 0.5 },
        }));
        let verdict = &told["verdict"];
        (
            verdict["units_exceeding"].clone(),
            !verdict["share_exceeding"].is_null(),
        )
    };
    assert_eq!(count(0), (json!(0), true));
    assert_eq!(count(1), (json!("<10"), false));
    assert_eq!(count(9), (json!("<10"), false));
    assert_eq!(count(10), (json!(10), true));
    assert_eq!(count(90), (json!(90), true));
    assert_eq!(count(91), (json!(">90"), false));
    assert_eq!(count(100), (json!(100), true));
}

#[test]
fn no_two_counts_differ_by_few() {
    let any = |all: u64, parts: [u64; 2]| {
        let limits = parts.map(|units| json!({ "limit": "max_radius", "units_exceeding": units }));
        let flips = parts.map(|units| json!({ "units": units, "share": 0.1 }));
        published(json!({
            "units": 5000,
            "verdict": { "units_exceeding": all, "share_exceeding": 0.1, "limits": limits },
            "areal": { "maup": { "flips": {
                "moved": flips[0], "halved": flips[1], "any": { "units": all, "share": 0.1 },
            } } },
            "rules": { "discs": { "unsafe": all, "by_rule": { "p": parts[0], "min_count": parts[1] } } },
        }))
    };
    let apart = any(200, [150, 100]);
    assert_eq!(apart["verdict"]["units_exceeding"], 200);
    assert_eq!(apart["areal"]["maup"]["flips"]["any"]["units"], 200);
    assert_eq!(apart["rules"]["discs"]["by_rule"]["p"], 150);
    let close = any(200, [197, 100]);
    assert_eq!(close["verdict"]["units_exceeding"], UNTOLD);
    assert!(close["verdict"]["share_exceeding"].is_null());
    assert_eq!(close["verdict"]["limits"][0]["units_exceeding"], 197);
    assert_eq!(
        close["areal"]["maup"]["flips"]["any"],
        json!({ "units": UNTOLD })
    );
    assert_eq!(close["areal"]["maup"]["flips"]["moved"]["units"], 197);
    assert_eq!(close["rules"]["discs"]["unsafe"], 200);
    assert_eq!(
        close["rules"]["discs"]["by_rule"],
        json!({ "p": UNTOLD, "min_count": UNTOLD })
    );
    // One limit is all limits.
    assert_eq!(any(200, [200, 200])["verdict"]["units_exceeding"], 200);
}

#[test]
fn rows_of_multiplicities_have_enough_locations() {
    let rows = |all: &[(u64, u64)]| {
        let rows = all.iter().map(
            |(units, locations)| json!({ "from": units, "to": units, "locations": locations }),
        );
        let told = published(json!({ "units": 5000, "multiplicities": rows.collect::<Vec<_>>() }));
        let rows = told["multiplicities"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let row = |row: &Value| {
            (
                row["from"].as_u64(),
                row["to"].as_u64(),
                row["locations"].as_u64(),
            )
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let some = |from, to, locations| (Some(from), to, Some(locations));
    assert_eq!(
        rows(&[
            (1, 7945),
            (2, 80),
            (3, 9),
            (4, 10),
            (5, 3),
            (8, 1),
            (9, 3),
            (68, 4)
        ]),
        [
            some(1, Some(1), 7945),
            some(2, Some(2), 80),
            some(3, Some(4), 19),
            some(5, None, 11)
        ]
    );
    assert_eq!(rows(&[(1, 500), (2, 3)]), [some(1, None, 503)]);
    assert_eq!(rows(&[(1, 500)]), [some(1, Some(1), 500)]);
    assert_eq!(rows(&[(30, 1)]), [some(30, None, 1)]);
}

#[test]
fn curves_end_where_few_are_beyond() {
    let shares = [0.01, 0.02, 0.5, 0.98, 0.99, 1.0];
    let told = published(json!({
        "units": 500,
        "spread": { "shares": shares, "radius": [0.0, 1.23456, 2.0, null, 4.0, 5.0] },
    }));
    assert_eq!(
        told["spread"],
        json!({ "shares": [0.02, 0.5, 0.98], "radius": [1.23, 2.0, null] })
    );
}

#[test]
fn why_a_part_is_left_out_may_name_a_row() {
    let told = published(json!({
        "units": 500,
        "zoom": { "left_out": "t.csv, line 7: too near to a pole", "help": "leave out line 7" },
    }));
    let left_out = json!({ "left_out": "it cannot be made of these data" });
    assert_eq!(told["zoom"], left_out);
}

/// 38 break one rule, 122 another, 159 any: so one unit breaks both.
#[test]
fn no_two_sets_share_a_few() {
    let by_rule = |all: u64| {
        let told = published(json!({
            "units": 5000,
            "rules": { "discs": { "unsafe": all, "by_rule": { "p": 38, "share": 122 } } },
        }));
        assert_eq!(told["rules"]["discs"]["unsafe"], all);
        told["rules"]["discs"]["by_rule"]["p"].clone()
    };
    assert_eq!(by_rule(159), UNTOLD);
    assert_eq!(by_rule(160), 38);
    assert_eq!(by_rule(150), 38);
    // The same of limits, where it is the count of all that is not told.
    let limits = |units: [u64; 3], all: u64| {
        let limits = units.map(|units| json!({ "limit": "max_radius", "units_exceeding": units }));
        let told = published(json!({
            "units": 5000,
            "verdict": { "units_exceeding": all, "share_exceeding": 0.1, "limits": limits },
        }));
        told["verdict"]["units_exceeding"].clone()
    };
    assert_eq!(limits([84, 159, 0], 243), 243);
    assert_eq!(limits([84, 159, 0], 242), UNTOLD);
    // Six who are in all three are counted twelve times too much.
    assert_eq!(limits([100, 200, 300], 588), UNTOLD);
    assert_eq!(limits([100, 200, 300], 500), 500);
}

/// 8,055 dots at one level and 8,052 at the one before: three stand beside others.
#[test]
fn no_two_steps_differ_by_few() {
    let levels = |all: &[(u64, u64)], locations: u64| {
        let level = |(dots, units): &(u64, u64)| json!({ "locations": dots, "units_above": units });
        let levels: Vec<Value> = all.iter().map(level).collect();
        let told = published(json!({
            "units": 8348,
            "locations": locations,
            "multiplicities": [{ "from": 1, "to": 1, "locations": locations, "share": 1.0 }],
            "zoom": { "levels": levels },
        }));
        let of = |name: &str| -> Vec<Value> {
            let levels = told["zoom"]["levels"].as_array().unwrap().iter();
            levels.map(|level| level[name].clone()).collect()
        };
        let has_rows = !told["multiplicities"].as_array().unwrap().is_empty();
        let locations = told["locations"].clone();
        (of("locations"), of("units_above"), locations, has_rows)
    };
    let untold = json!(UNTOLD);
    let (dots, units, locations, has_rows) = levels(
        &[
            (1, 0),
            (4, 5),
            (7000, 90),
            (8052, 99),
            (8055, 100),
            (8055, 8340),
        ],
        8055,
    );
    assert_eq!(
        dots,
        [
            json!(1),
            untold.clone(),
            json!(7000),
            untold.clone(),
            json!(8055),
            json!(8055)
        ]
    );
    assert_eq!(
        units,
        [
            json!(0),
            json!("<10"),
            json!(90),
            untold.clone(),
            json!(100),
            json!(">8338")
        ]
    );
    assert_eq!((locations, has_rows), (json!(8055), true));
    // Two who live together, of all.
    let (dots, _, locations, has_rows) = levels(&[(8000, 0), (8347, 0)], 8347);
    assert_eq!(dots, [json!(8000), untold.clone()]);
    assert_eq!((locations, has_rows), (untold, false));
}

#[test]
fn what_breaks_rules_at_one_k_and_not_at_the_next_is_not_counted() {
    let told = published(json!({
        "units": 5000,
        "rules": {
            "discs": { "unsafe": 159 },
            "by_k": [
                { "k": 9, "units_unsafe": 161 },
                { "k": 10, "units_unsafe": 159 },
                { "k": 11, "units_unsafe": 149 },
                { "k": 12, "units_unsafe": 3 },
            ],
        },
    }));
    let units = told["rules"]["by_k"].as_array().unwrap().iter();
    let units: Vec<_> = units.map(|point| point["units_unsafe"].clone()).collect();
    assert_eq!(units, [json!(UNTOLD), json!(159), json!(149), json!("<10")]);
}

/// Cells that the map leaves out may be those that hold too few.
#[test]
fn what_is_counted_twice_is_not_told_apart() {
    let told = published(json!({
        "units": 5000,
        "map": { "left_out": { "units": 104 } },
        "areal": { "verdict": { "units_below": 100 } },
        "verdict": { "units_exceeding": 300, "limits": [
            { "limit": "max_radius", "units_exceeding": 250 },
            { "limit": "min_count", "units_exceeding": 100 },
        ] },
    }));
    assert_eq!(told["areal"]["verdict"]["units_below"], UNTOLD);
    assert_eq!(told["verdict"]["limits"][1]["units_exceeding"], UNTOLD);
    assert_eq!(told["map"]["left_out"]["units"], 104);
    // Rows that rules leave out are not counted either.
    let told = published(json!({
        "units": 5000,
        "rules": { "discs": { "unsafe": 100 } },
        "verdict": { "units_exceeding": 103, "limits": [{ "limit": "rules", "units_exceeding": 103 }] },
    }));
    assert_eq!(told["rules"]["discs"]["unsafe"], 100);
    assert_eq!(told["verdict"]["units_exceeding"], UNTOLD);
    assert_eq!(told["verdict"]["limits"][0]["units_exceeding"], UNTOLD);
}

//! The result, as a Markdown table for the README.

use std::time::Duration;

/// What a ratio must be.
#[derive(Clone, Copy)]
pub enum Required {
    AtMost(f64),
    AtLeast(f64),
}

/// One comparison.
pub struct Row {
    pub what: String,
    pub kdisc: String,
    pub peer: String,
    pub ratio: f64,
    pub required: Required,
}

impl Required {
    fn holds(self, ratio: f64) -> bool {
        match self {
            Self::AtMost(limit) => ratio <= limit,
            Self::AtLeast(limit) => ratio >= limit,
        }
    }
}

/// The time for one of `count` things, in microseconds.
pub fn each(time: Duration, count: usize) -> String {
    let micros = time.as_secs_f64() * 1e6 / count as f64;
    if micros < 100.0 {
        format!("{micros:.2} µs")
    } else {
        format!("{micros:.0} µs")
    }
}

/// A count with its thousands apart.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits are text"))
        .collect();
    groups.join(",")
}

/// How many times as long `a` takes as `b`.
pub fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

/// The head of the table.
pub const HEADER: &str = "\
| what | kdisc | peer | ratio | required | holds |
|---|---:|---:|---:|---:|:---:|";

/// Prints rows of the table.
pub fn print(rows: &[Row]) {
    for row in rows {
        let required = match row.required {
            Required::AtMost(limit) => format!("≤ {limit}"),
            Required::AtLeast(limit) => format!("≥ {limit}"),
        };
        let holds = if row.required.holds(row.ratio) {
            "yes"
        } else {
            "**no**"
        };
        let digits = if row.ratio < 20.0 { 2 } else { 0 };
        println!(
            "| {} | {} | {} | {:.digits$} | {required} | {holds} |",
            row.what, row.kdisc, row.peer, row.ratio,
        );
    }
}

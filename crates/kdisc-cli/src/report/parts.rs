//! The commands whose answers a report is made of.
//!
//! Each is put into words as it would be typed, parsed, and run without writing anything. So what a
//! report says is what the command says, and everybody can repeat a part of it.

use clap::{Args, Command as Definition, Parser};
use kdisc::Delta;
use kdisc_report::round;
use kdisc_report::theme::Theme;
use serde_json::{Value, json};

use super::plan::Plan;
use crate::args::{Cli, Command, UnitsArgs};
use crate::failure::Refusal;
use crate::interrupt::Interrupt;
use crate::map::extent::cell_size;
use crate::risk::Measured;
use crate::rules::Found;
use crate::source::Source;
use crate::{areal, map, risk, rules, zoom};

/// Units that are pointed out on maps, and rows that are named.
const MARKED: &str = "top:6";
pub const NAMED: usize = 20;
/// The width of pictures for a desk and for a phone.
const WIDE: f64 = 1000.0;
const NARROW: f64 = 400.0;
/// Sizes of pixels that are looked at where nothing is known of a web map.
const PIXELS: usize = 9;
/// Up to so many locations the rules are tried at every k, up to this one.
const FEW: usize = 20_000;
const MAX_K: &str = "20";

/// What is run, and on what.
pub struct Parts<'a> {
    pub plan: &'a Plan,
    pub source: Source,
    pub interrupt: &'a Interrupt,
}

/// A picture in all its looks: light and dark, for a desk and for a phone.
pub struct Pictures {
    pub wide: [String; 2],
    pub narrow: [String; 2],
    pub alt: String,
    /// The figures on it, and the command that makes it.
    pub figures: Value,
}

impl Parts<'_> {
    /// What would be typed to get one of the parts.
    fn words(&self, name: &str, own: &[String]) -> Vec<String> {
        let mut words = vec!["kdisc".to_owned(), name.to_owned()];
        words.extend(self.plan.typed_input.clone());
        words.extend(reading(&self.plan.command));
        words.extend_from_slice(own);
        words
    }

    /// The command of these words, to be run on the input of the report.
    fn parsed(&self, words: &[String]) -> anyhow::Result<Command> {
        let mut command = Cli::try_parse_from(words)
            .map_err(|error| Refusal::new(error.to_string(), "see kdisc report --help"))?
            .command;
        if let Some(conduct) = command.conduct() {
            let own = &self.plan.conduct;
            conduct.threads = own.threads;
            conduct.quiet = own.quiet;
            conduct.program.clone_from(&own.program);
            conduct.rehearsal = true;
        }
        Ok(command)
    }

    fn question(&self) -> Vec<String> {
        let asked = self.plan.asked;
        typed(&[
            "--k",
            &asked.k().to_string(),
            "--delta",
            &asked.delta().to_string(),
            "--metric",
            &asked.metric().to_string(),
        ])
    }

    pub fn risk(&self) -> anyhow::Result<Measured> {
        let words = self.words("risk", &self.question());
        match self.parsed(&words)? {
            Command::Risk(args) => risk::figures(*args, &self.source, NAMED, words, self.interrupt),
            _ => Err(not_what_was_typed()),
        }
    }

    pub fn map(&self, measured: &Measured) -> anyhow::Result<Pictures> {
        let asked = self.plan.asked;
        let mut own = typed(&[
            "--k",
            &asked.k().to_string(),
            "--metric",
            &asked.metric().to_string(),
        ]);
        own.extend(typed(&["--delta", "0,inf", "-o", "map.svg"]));
        own.extend(if self.plan.public {
            typed(&["--public"])
        } else {
            typed(&["--highlight", MARKED])
        });
        let words = self.words("map", &own);
        let Command::Map(args) = self.parsed(&words)? else {
            return Err(not_what_was_typed());
        };
        let (light, dark) = (Theme::light(), Theme::dark());
        let looks = [(light, WIDE), (dark, WIDE), (light, NARROW), (dark, NARROW)];
        let known = map::Known {
            population: &measured.prepared.population,
            answers: [
                (asked, &measured.discs),
                (asked.with_delta(Delta::ZERO), &measured.at_zero),
            ],
        };
        let shown = map::pictures(*args, &self.source, &known, &looks, self.interrupt)?;
        let Ok([wide_light, wide_dark, narrow_light, narrow_dark]) =
            <[String; 4]>::try_from(shown.pictures)
        else {
            return Err(not_what_was_typed());
        };
        let mut figures = shown.figures;
        figures["command"] = json!(words);
        Ok(Pictures {
            wide: [wide_light, wide_dark],
            narrow: [narrow_light, narrow_dark],
            alt: shown.description,
            figures,
        })
    }

    /// On a web map, if it is known where the units are; on pixels of sizes that suit them, if not.
    pub fn zoom(&self, measured: &Measured) -> anyhow::Result<Value> {
        let limits = &self.plan.limits;
        let asked = self.plan.asked;
        let mut own = typed(&[
            "--k",
            &asked.k().to_string(),
            "--metric",
            &asked.metric().to_string(),
        ]);
        if measured.prepared.table.crs.is_some() {
            own.extend(typed(&["--levels", &self.plan.levels]));
        } else {
            own.extend(typed(&["--pixel", &pixels(measured)]));
        }
        let of_pixels = [
            ("--max-radius", limits.radius_px),
            ("--max-risk-px", limits.risk_px),
        ];
        for (option, limit) in of_pixels {
            if let Some(limit) = limit {
                own.extend(typed(&[option, &limit.to_string()]));
            }
        }
        if of_pixels.iter().any(|(_, limit)| limit.is_some()) {
            own.extend(typed(&["--allow", &limits.allow.to_string()]));
        }
        let words = self.words("zoom", &own);
        optional(|| match self.parsed(&words)? {
            Command::Zoom(args) => {
                zoom::figures(*args, &self.source, words.clone(), self.interrupt)
            }
            _ => Err(not_what_was_typed()),
        })
    }

    pub fn areal(&self, grid: f64) -> anyhow::Result<Value> {
        let least = self.plan.limits.count.unwrap_or(self.plan.asked.k());
        let own = typed(&[
            "--grid",
            &grid.to_string(),
            "--min-count",
            &least.to_string(),
            "--maup",
        ]);
        let words = self.words("areal", &own);
        let answer = || match self.parsed(&words)? {
            Command::Areal(args) => {
                areal::figures(*args, &self.source, words.clone(), self.interrupt)
            }
            _ => Err(not_what_was_typed()),
        };
        // A limit that cannot be judged must not be passed over.
        if self.plan.limits.count.is_some() || self.plan.grid.is_some() {
            return answer();
        }
        optional(answer)
    }

    /// Without columns of values there is nothing to say.
    pub fn rules(&self, measured: &Measured) -> anyhow::Result<Found> {
        let Some(mut own) = self.plan.rules.clone() else {
            return Ok(Found::default());
        };
        // Where all k are tried, fewer of them tell as much.
        if measured.prepared.population.locations().len() <= FEW {
            own.extend(typed(&["--max-k", MAX_K]));
        }
        let words = self.words("rules", &[self.question(), own].concat());
        match self.parsed(&words)? {
            Command::Rules(args) => rules::figures(*args, &self.source, words, self.interrupt),
            _ => Err(not_what_was_typed()),
        }
    }
}

/// The side of the cells that units are counted in.
pub fn grid(plan: &Plan, measured: &Measured) -> f64 {
    let usual = || cell_size(measured.prepared.population.locations());
    plan.grid.unwrap_or_else(usual)
}

/// A part that the data may not allow: it says why, and the report goes on without.
fn optional(answer: impl FnOnce() -> anyhow::Result<Value>) -> anyhow::Result<Value> {
    match answer() {
        Ok(value) => Ok(value),
        Err(error) => match error.downcast::<Refusal>() {
            Ok(refusal) => Ok(json!({ "left_out": refusal.message, "help": refusal.help })),
            Err(error) => Err(error),
        },
    }
}

fn not_what_was_typed() -> anyhow::Error {
    anyhow::anyhow!("a part of the report is not what was typed for it")
}

fn typed(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Round sizes from a hundredth of the extent down.
fn pixels(measured: &Measured) -> String {
    let mut size = cell_size(measured.prepared.population.locations()) * 0.5;
    let mut sizes = Vec::new();
    for _ in 0..PIXELS {
        size = round::at_most(size);
        sizes.push(size.to_string());
        size *= 0.6;
    }
    sizes.join(",")
}

/// What was typed on how to read the input.
fn reading(command: &[String]) -> Vec<String> {
    let known = UnitsArgs::augment_args(Definition::new("units"));
    let mut kept = Vec::new();
    let mut words = command.iter();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--") else {
            continue;
        };
        let (name, value) = option
            .split_once('=')
            .map_or((option, None), |(name, value)| (name, Some(value)));
        let found = known
            .get_arguments()
            .find(|argument| argument.get_long() == Some(name));
        let Some(found) = found else {
            continue;
        };
        kept.push(word.clone());
        if value.is_none() && found.get_action().takes_values() {
            kept.extend(words.next().cloned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_how_to_read_is_kept() {
        let command = typed(&[
            "kdisc",
            "report",
            "a.csv",
            "--x",
            "easting",
            "--y=northing",
            "--max-radius",
            "5",
            "--centroid",
            "--crs",
            "EPSG:28992",
            "-o",
            "r.html",
        ]);
        let kept = typed(&[
            "--x",
            "easting",
            "--y=northing",
            "--centroid",
            "--crs",
            "EPSG:28992",
        ]);
        assert_eq!(reading(&command), kept);
    }
}

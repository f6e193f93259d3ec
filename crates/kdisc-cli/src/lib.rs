//! The `kdisc` command: disclosure risk of points on a map.
//!
//! Arguments as typed (`args`) become a checked plan that is then carried out (`risk`,
//! `zoom`, `areal`, `rules`, `bandwidth`, `density`, `surface`, `map`, `report`, `verify`, `convert`, `info`,
//! `example`). Commands share how units are read (`register`) and how files are written (`outputs`,
//! `delivery`).
//!
//! It is a library so that other programs can run a command within themselves ([`call`]), on tables
//! in memory, with the same options, defaults and messages.

mod areal;
mod args;
mod arrays;
mod audience;
mod bandwidth;
mod convert;
mod delivery;
mod density;
mod districts;
mod example;
mod failure;
mod info;
mod interrupt;
mod joined;
mod map;
mod measuring;
mod outputs;
mod progress;
mod raster;
mod reading;
mod register;
mod report;
mod risk;
mod rules;
mod sheet;
mod source;
mod summary;
mod surface;
mod verify;
mod zoom;

use std::process::ExitCode;
use std::sync::Arc;

use args::{Cli, Command};
use clap::CommandFactory;
use rayon::ThreadPoolBuilder;

pub use audience::{Cells, Outcome, Program, Progress};
pub use failure::Failure;

/// Runs the command that was typed.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let done = run(cli.command, recorded_command());
    done.unwrap_or_else(|error| failure::report(&error))
}

/// Runs a command within a program: `words` are what would be typed after `kdisc`. What would have
/// been printed, and files called `-`, wait in the program's outcome.
///
/// # Errors
/// When the command would have ended with an error.
pub fn call(words: &[String], program: &Arc<Program>) -> Result<ExitCode, Failure> {
    let name = || std::iter::once("kdisc".to_owned());
    let typed: Vec<String> = name().chain(words.iter().cloned()).collect();
    let mut command = Cli::read(&typed)?.command;
    let mut threads = 0;
    if let Some(conduct) = command.conduct() {
        conduct.program = Some(Arc::clone(program));
        threads = conduct.threads.map_or(0, usize::from);
    }
    // Threads that all runs share would be lost to the children of a program that forks, which
    // would wait for them for ever.
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(anyhow::Error::from)?;
    Ok(pool.install(|| run(command, typed))?)
}

/// Options by name, each with its usual values.
pub type Options = Vec<(String, Vec<String>)>;

/// The options of every command: for programs that offer the same.
#[must_use]
pub fn options() -> Vec<(String, Options)> {
    let cli = Cli::command();
    let commands = cli.get_subcommands().map(|command| {
        let arguments = command.get_arguments().map(|argument| {
            let usual = argument.get_default_values().iter();
            let usual = usual.map(|value| value.to_string_lossy().into_owned());
            let name = argument.get_long().map(str::to_owned);
            let name = name.unwrap_or_else(|| argument.get_id().to_string());
            (name, usual.collect())
        });
        (command.get_name().to_owned(), arguments.collect())
    });
    commands.collect()
}

fn run(command: Command, words: Vec<String>) -> anyhow::Result<ExitCode> {
    match command {
        Command::Risk(args) => risk::run(*args, words),
        Command::Zoom(args) => zoom::run(*args, words),
        Command::Areal(args) => areal::run(*args, words),
        Command::Rules(args) => rules::run(*args, words),
        Command::Bandwidth(args) => bandwidth::run(*args, words),
        Command::Density(args) => density::run(*args, words),
        Command::Surface(args) => surface::run(*args, words),
        Command::Map(args) => map::run(*args, words),
        Command::Report(args) => report::run(*args, words),
        Command::Verify(args) => verify::run(&args),
        Command::Convert(args) => convert::run(args),
        Command::Info(args) => info::run(args),
        Command::Example(args) => example::run(&args),
    }
}

/// The arguments as typed, under the name of the command wherever it is installed.
fn recorded_command() -> Vec<String> {
    let arguments = std::env::args_os().skip(1);
    std::iter::once("kdisc".to_owned())
        .chain(arguments.map(|argument| argument.to_string_lossy().into_owned()))
        .collect()
}

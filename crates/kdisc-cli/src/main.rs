//! The `kdisc` command: disclosure risk of points on a map.
//!
//! Arguments as typed ([`args`]) become a checked plan that is then carried out ([`risk`],
//! [`zoom`], [`areal`], [`rules`], [`verify`], [`convert`], [`info`], [`example`]). Commands share how
//! units are read ([`register`]) and how files are written ([`outputs`], [`delivery`]).

mod areal;
mod args;
mod arrays;
mod convert;
mod delivery;
mod districts;
mod example;
mod failure;
mod info;
mod interrupt;
mod joined;
mod outputs;
mod progress;
mod reading;
mod register;
mod risk;
mod rules;
mod sheet;
mod source;
mod summary;
mod verify;
mod zoom;

use std::process::ExitCode;

use args::{Cli, Command};
use clap::Parser;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Risk(args) => risk::run(*args, recorded_command()),
        Command::Zoom(args) => zoom::run(*args, recorded_command()),
        Command::Areal(args) => areal::run(*args, recorded_command()),
        Command::Rules(args) => rules::run(*args, recorded_command()),
        Command::Verify(args) => verify::run(&args),
        Command::Convert(args) => convert::run(args),
        Command::Info(args) => info::run(args),
        Command::Example(args) => example::run(&args),
    };
    done.unwrap_or_else(|error| failure::report(&error))
}

/// The arguments as typed, under the name of the command wherever it is installed.
fn recorded_command() -> Vec<String> {
    let arguments = std::env::args_os().skip(1);
    std::iter::once("kdisc".to_owned())
        .chain(arguments.map(|argument| argument.to_string_lossy().into_owned()))
        .collect()
}

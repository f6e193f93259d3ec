//! Options that a command does not have.
//!
//! Whoever mistypes an option is told the nearest by clap. Where none is near, clap says how to pass
//! the word as the name of a file, which nobody means; another command may have it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Parser};

use super::Cli;

impl Cli {
    /// The command that was typed, its program first.
    pub fn read<W>(words: impl IntoIterator<Item = W>) -> Result<Self, clap::Error>
    where
        W: Into<OsString> + Clone,
    {
        Self::try_parse_from(words).map_err(|mut error| {
            if error.kind() == ErrorKind::UnknownArgument
                && error.get(ContextKind::SuggestedArg).is_none()
            {
                error.remove(ContextKind::Suggested);
                if let Some(tip) = error.get(ContextKind::InvalidArg).and_then(elsewhere) {
                    let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
                    error.insert(ContextKind::Suggested, tips);
                }
            }
            error
        })
    }
}

/// Which commands have an option.
fn elsewhere(option: &ContextValue) -> Option<String> {
    let ContextValue::String(option) = option else {
        return None;
    };
    let name = option.strip_prefix("--")?;
    let has = |command: &&Command| {
        let mut options = command.get_arguments();
        options.any(|known| known.get_long() == Some(name))
    };
    let cli = Cli::command();
    let found = cli.get_subcommands().filter(has);
    let found: Vec<_> = found
        .map(|command| format!("'kdisc {}'", command.get_name()))
        .collect();
    let (last, others) = found.split_last()?;
    let found = match others {
        [] => last.clone(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    Some(format!("'{option}' is an option of {found}"))
}

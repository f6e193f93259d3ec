//! A folder of its own for each test, in which the built command runs.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::Value;
use tempfile::TempDir;

pub struct Folder(TempDir);

/// What a run of the command left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).unwrap();
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The content of a file that the command wrote as JSON.
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Runs the command with these arguments, separated by spaces.
    pub fn run(&self, args: &str) -> Ran {
        self.run_with(args, "")
    }

    pub fn run_with(&self, args: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        self.run_in(None, args, stdin)
    }

    /// The same, in a window of so many columns.
    pub fn run_in(&self, columns: Option<usize>, args: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        let mut command = cargo_bin_cmd!("kdisc");
        match columns {
            Some(columns) => command.env("COLUMNS", columns.to_string()),
            None => command.env_remove("COLUMNS"),
        };
        let output = command
            .args(args.split_whitespace())
            .current_dir(self.0.path())
            .write_stdin(stdin)
            .output()
            .unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The command, running, with pipes to all its streams.
    pub fn spawn(&self, args: &str) -> std::process::Child {
        std::process::Command::new(env!("CARGO_BIN_EXE_kdisc"))
            .args(args.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// Fails, showing all of `text`, unless `part` is in it.
#[track_caller]
pub fn assert_says(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in\n{text}");
}

/// Runs a command that must succeed.
#[track_caller]
pub fn done(folder: &Folder, command: &str) -> Ran {
    let ran = folder.run(command);
    assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
    ran
}

/// The table that a command prints, which must succeed and say nothing else.
#[track_caller]
pub fn table(folder: &Folder, command: &str) -> String {
    let Ran {
        code,
        stdout,
        stderr,
    } = folder.run(&format!("{command} --quiet"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    stdout
}

/// The summary as text, without what differs from run to run.
pub fn told(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines = ran
        .stderr
        .lines()
        .map(|line| match line.split_once("read ") {
            Some((before, _)) if line.starts_with("time") => format!("{before}[...]"),
            _ => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// A small part of the built-in example, and the same rows in another order.
pub fn shuffled() -> [String; 2] {
    let example = Folder::new().run("example --units 600").stdout;
    let (header, rows) = example.split_once('\n').unwrap();
    let mut rows: Vec<_> = rows.lines().collect();
    rows.reverse();
    rows.rotate_left(217);
    let shuffled = format!("{header}\n{}\n", rows.join("\n"));
    [example, shuffled]
}

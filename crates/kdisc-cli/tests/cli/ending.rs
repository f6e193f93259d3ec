//! How the command behaves around its work: help, pipes, signals, the example.

use std::io::{BufRead, BufReader, Read};
#[cfg(unix)]
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Folder, assert_says};

#[test]
fn help_teaches_by_example() {
    let folder = Folder::new();
    for (name, args) in [
        ("help", "--help"),
        ("help_risk", "risk --help"),
        ("help_verify", "verify --help"),
        ("help_example", "example --help"),
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(0));
        insta::assert_snapshot!(name, ran.stdout);
    }
    assert_eq!(folder.run("").code, Some(2));
}

#[test]
fn a_reader_who_stops_early_is_no_error() {
    let folder = Folder::new();
    for args in ["risk --delta 0", "example --units 50000"] {
        let mut child = folder.spawn(args);
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert!(line.starts_with("x,y,production,fined"));
        drop(out);
        let mut told = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut told)
            .unwrap();
        assert_eq!((child.wait().unwrap().code(), told.as_str()), (Some(0), ""));
    }
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    // The shell's own kill: a bare machine may have no other.
    let kill = format!("kill {signal} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status();
    assert!(sent.unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_even_while_it_waits_for_input() {
    let folder = Folder::new().with("out.csv", "old");
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && hangups_are_ignored() {
            println!("NOTE: started with nohup, so what a hangup does is not tested");
            continue;
        }
        let mut child = folder.spawn("risk - -o out.csv");
        sleep(Duration::from_millis(300));
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        assert_eq!(folder.names(), ["out.csv"]);
        assert_eq!(folder.read("out.csv"), "old");
    }
}

/// Whether this process was started with `nohup`: what it starts will not listen.
#[cfg(unix)]
fn hangups_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    bits.is_some_and(|bits| u64::from_str_radix(bits.trim(), 16).unwrap() & 1 == 1)
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_to_survive_the_terminal_does() {
    let folder = Folder::new();
    let run = format!(
        "trap '' HUP; exec '{}' risk - -o out.csv",
        env!("CARGO_BIN_EXE_kdisc")
    );
    let mut child = Command::new("sh")
        .args(["-c", &run])
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    sleep(Duration::from_millis(300));
    send("-HUP", &child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[cfg(unix)]
#[test]
fn an_interrupt_at_any_time_leaves_the_old_file_or_the_new_one() {
    let folder = Folder::new().with("out.csv", "old");
    folder.run("example --units 100000 -o in.csv");
    let args = "risk in.csv --delta 0 --quiet -o out.csv";
    let whole = {
        let out = folder.run("risk in.csv --delta 0 --quiet").stdout;
        assert!(out.lines().count() == 100_001);
        out
    };
    let mut interrupted = 0;
    for delay in [20, 60, 120, 180, 250, 330, 420, 520, 700, 1000] {
        let folder = Folder::new()
            .with("out.csv", "old")
            .with("in.csv", folder.read("in.csv"));
        let mut child = folder.spawn(args);
        sleep(Duration::from_millis(delay));
        let running = child.try_wait().unwrap().is_none();
        if running {
            send("-INT", &child);
        }
        let code = child.wait().unwrap().code();
        let old = folder.read("out.csv") == "old";
        assert_eq!(folder.names(), ["in.csv", "out.csv"], "after {delay} ms");
        assert!(old || folder.read("out.csv") == whole, "after {delay} ms");
        assert!(!old || code != Some(0), "after {delay} ms");
        interrupted += usize::from(code == Some(130));
    }
    assert!(interrupted > 0);
}

#[test]
fn the_example_is_the_same_in_a_file_and_on_standard_output() {
    let folder = Folder::new();
    let ran = folder.run("example -o town.csv");
    let told = "coordinates are metres of EPSG:28992: use --crs EPSG:28992\n";
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(0), "", told)
    );
    let town = folder.read("town.csv");
    assert_eq!(town, folder.run("example").stdout);
    assert_eq!(town.lines().count(), 8349);
    assert!(town.starts_with("x,y,production,fined\n"));
    assert!(town.contains(",TRUE\n") && town.contains(",FALSE\n"));
    assert_ne!(town, folder.run("example --seed 1").stdout);
    assert_eq!(folder.run("example --units 12").stdout.lines().count(), 13);
    assert_eq!(folder.run("example --units 0").code, Some(2));
}

#[test]
fn an_example_in_another_format_is_refused() {
    let folder = Folder::new();
    for (args, part) in [
        ("example -o town.gpkg", "town.gpkg names another"),
        (
            "example -o town.parquet",
            "kdisc convert town.csv town.parquet --crs EPSG:28992",
        ),
        (
            "example --units 4294967295 -o town.csv",
            "from 1 to 100000000",
        ),
        ("example --units -1", "from 1 to 100000000"),
        ("risk --threads -1", "from 1 to 1024"),
        ("risk --threads 0", "from 1 to 1024"),
    ] {
        let ran = folder.run(args);
        assert_eq!(ran.code, Some(2), "{args}");
        assert_says(&ran.stderr, part);
    }
    assert!(folder.names().is_empty());
}

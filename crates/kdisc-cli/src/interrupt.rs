//! Ctrl-C, a polite kill, and a terminal that is closed.
//!
//! While there is nothing to tidy up, a signal ends the process at once, even if it waits for
//! standard input. While temporary files may exist or threads are at work, it only raises a flag;
//! the work looks at it often, unwinds, and so removes its files.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use kdisc::MeasureError;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::audience::{Audience, Program};

/// How long work may take to notice a signal.
const GRACE: Duration = Duration::from_secs(1);

/// The signals received, and whether they end the process at once.
#[derive(Debug)]
pub struct Interrupt {
    at_once: Arc<AtomicBool>,
    stop: Arc<AtomicBool>,
    exit_code: Arc<AtomicUsize>,
    /// Whether the process is ours to end.
    ends_process: bool,
}

/// The user wants it to stop.
#[derive(Debug)]
pub struct Interrupted {
    pub exit_code: u8,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted; nothing was written")
    }
}

impl std::error::Error for Interrupted {}

impl Interrupt {
    /// Listens from now on. Within a program, that is told to stop by the program alone.
    pub fn listen(audience: &Audience) -> io::Result<Self> {
        if let Some(program) = audience.program() {
            return Ok(Self::of_program(program));
        }
        let interrupt = Self {
            at_once: Arc::new(AtomicBool::new(true)),
            stop: Arc::default(),
            exit_code: Arc::default(),
            ends_process: true,
        };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if is_ignored(signal) {
                continue;
            }
            let code = 128 + signal;
            flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.at_once))?;
            flag::register_usize(signal, Arc::clone(&interrupt.exit_code), code as usize)?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        Ok(interrupt)
    }

    fn of_program(program: &Program) -> Self {
        Self {
            at_once: Arc::default(),
            stop: Arc::clone(&program.stop),
            exit_code: Arc::default(),
            ends_process: false,
        }
    }

    /// Runs `work`, which promises to look at [`Interrupt::flag`] often.
    pub fn cooperate<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.at_once.swap(false, Ordering::SeqCst);
        let done = work();
        self.at_once.store(before, Ordering::SeqCst);
        done
    }

    /// Runs `work` like [`Interrupt::cooperate`], but ends the process if it does not stop soon
    /// after a signal. For work that leaves nothing behind.
    pub fn cooperate_or_end<T>(&self, work: impl FnOnce() -> T) -> T {
        if !self.ends_process {
            return work();
        }
        thread::scope(|scope| {
            let (working, ended) = mpsc::channel::<()>();
            scope.spawn(move || self.end_the_unwilling(&ended));
            let done = self.cooperate(work);
            drop(working);
            done
        })
    }

    /// Runs a measurement that looks at [`Interrupt::flag`].
    pub fn measured<T>(&self, work: impl FnOnce() -> Result<T, MeasureError>) -> anyhow::Result<T> {
        let done = self.cooperate_or_end(work);
        self.check()?;
        Ok(done?)
    }

    fn end_the_unwilling(&self, ended: &Receiver<()>) {
        let mut signalled: Option<Instant> = None;
        while ended.recv_timeout(GRACE / 10) == Err(RecvTimeoutError::Timeout) {
            if self.check().is_ok() {
                continue;
            }
            if signalled.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let error = self.error();
                let _ = writeln!(io::stderr(), "\n{error}");
                process::exit(error.exit_code.into());
            }
        }
    }

    /// True once the user wants it to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// An error once the user wants it to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.stop.load(Ordering::Relaxed) {
            Err(self.error())
        } else {
            Ok(())
        }
    }

    /// What to end with when a part of the work was cancelled.
    pub fn error(&self) -> Interrupted {
        Interrupted {
            exit_code: self.exit_code.load(Ordering::Relaxed) as u8,
        }
    }
}

/// Whether whoever started this process wanted it to go on in spite of a signal, as `nohup` does.
/// Only Linux tells.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits >> (signal - 1) & 1 == 1)
}

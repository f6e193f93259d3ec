//! Following a command while it runs on a thread of its own.
//!
//! The calling thread looks ten times a second whether the user pressed Ctrl-C, and tells how far the
//! run is. Work that measures looks often whether it should stop; other work (putting ten million
//! rows in order, say) does not, and would keep the user waiting. So a run that has not ended soon
//! after it was told to is left behind: its thread ends by itself at the next look.
//!
//! What it borrows from Python must not be given back by that thread, perhaps while the interpreter
//! shuts down. It is kept here until a later run finds the thread ended.

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use kdisc_cli::{Failure, Program};
use pyo3::prelude::*;

use crate::refused;

/// Time between two looks at the user and at the progress.
const PACE: Duration = Duration::from_millis(100);
/// Time that a run has to stop by itself.
const GRACE: Duration = Duration::from_millis(600);

type Worker = JoinHandle<Result<ExitCode, Failure>>;

/// Runs that were left behind, with what they borrow.
static LEFT: Mutex<Vec<(Worker, Arc<Program>)>> = Mutex::new(Vec::new());

/// Runs a command and waits for it to end.
pub fn follow(
    py: Python,
    words: Vec<String>,
    program: &Arc<Program>,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<ExitCode> {
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    left.retain(|(worker, _)| !worker.is_finished());
    drop(left);
    let (ended, mut end) = mpsc::channel();
    let worker = thread::spawn({
        let program = Arc::clone(program);
        move || {
            let done = kdisc_cli::call(&words, &program);
            // Nobody listens to a run that was left behind.
            let _ = ended.send(());
            done
        }
    });
    let mut told = None;
    loop {
        let waited;
        (end, waited) = py.detach(move || {
            let waited = end.recv_timeout(PACE);
            (end, waited)
        });
        if waited != Err(RecvTimeoutError::Timeout) {
            break;
        }
        if let Err(stopped) = look(py, program, progress, &mut told) {
            stop(py, program, worker);
            return Err(stopped);
        }
    }
    let done = py.detach(|| worker.join());
    let done = done.unwrap_or_else(|_| {
        Err(Failure {
            message: "kdisc came to an end that it should not have come to".to_owned(),
            help: Some("this is a fault of kdisc; please report it".to_owned()),
            interrupted: false,
        })
    });
    done.map_err(|failure| refused(py, &failure))
}

/// Tells a run to stop, and waits for a moment.
fn stop(py: Python, program: &Arc<Program>, worker: Worker) {
    program.stop.store(true, Ordering::Relaxed);
    let until = Instant::now() + GRACE;
    while !worker.is_finished() && Instant::now() < until {
        py.detach(|| thread::sleep(PACE / 10));
    }
    if !worker.is_finished() {
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        left.push((worker, Arc::clone(program)));
    }
}

/// Looks whether the user wants it to stop, and tells how far it is.
fn look(
    py: Python,
    program: &Program,
    progress: Option<&Bound<PyAny>>,
    told: &mut Option<kdisc_cli::Progress>,
) -> PyResult<()> {
    py.check_signals()?;
    let now = program.progress();
    if now == *told {
        return Ok(());
    }
    if let (Some(callback), Some(now)) = (progress, &now) {
        callback.call1((&now.phase, now.done, now.total))?;
    }
    *told = now;
    Ok(())
}

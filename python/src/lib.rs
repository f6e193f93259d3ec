//! The native half of the Python package: runs a command of kdisc on tables that Python holds.
//!
//! Tables come and go through the Arrow interface, so that their columns are not copied. A command
//! runs on a thread of its own, without the lock of the interpreter; the calling thread looks ten
//! times a second whether the user pressed Ctrl-C, and tells how far the run is.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch};
use kdisc::example::{Enterprise, SEED, town};
use kdisc_cli::{Failure, Program};
use kdisc_io::memory::MemoryTable;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyTable;
use pyo3_arrow::error::PyArrowError;

/// Time between two looks at the user and at the progress.
const PACE: Duration = Duration::from_millis(100);

/// Runs `kdisc WORDS` on these tables and gives what it came to.
#[pyfunction]
fn run<'py>(
    py: Python<'py>,
    words: Vec<String>,
    tables: Vec<(String, PyTable)>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let tables = tables.into_iter().map(|(name, table)| {
        let (batches, schema) = table.into_inner();
        MemoryTable::new(&name, schema, batches)
    });
    let tables = tables.collect::<Result<Vec<_>, _>>();
    let tables = tables.map_err(|error| refused(py, &Failure::from(error)))?;
    let program = Arc::new(Program::new(tables));
    let code = follow(py, words, &program, progress)?;
    let outcome = std::mem::take(&mut *program.outcome());
    let results = PyDict::new(py);
    for (role, table) in outcome.tables {
        let table = PyTable::try_new(table.batches().to_vec(), Arc::clone(table.schema()))?;
        results.set_item(role, table.into_pyarrow(py)?)?;
    }
    results.set_item("summary", outcome.summary)?;
    results.set_item("text", outcome.text)?;
    results.set_item("warnings", outcome.warnings)?;
    results.set_item("is_success", code == ExitCode::SUCCESS)?;
    Ok(results)
}

/// Waits for the command to end.
fn follow(
    py: Python,
    words: Vec<String>,
    program: &Arc<Program>,
    progress: Option<&Bound<PyAny>>,
) -> PyResult<ExitCode> {
    let (ended, mut end) = mpsc::channel();
    let worker = thread::spawn({
        let program = Arc::clone(program);
        move || {
            let done = kdisc_cli::call(&words, &program);
            // The receiver stays until the thread has ended.
            let _ = ended.send(());
            done
        }
    });
    let mut stopped = Ok(());
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
        if stopped.is_ok() {
            stopped = look(py, program, progress, &mut told);
        }
        if stopped.is_err() {
            program.stop.store(true, Ordering::Relaxed);
        }
    }
    let done = py.detach(|| worker.join());
    stopped?;
    let done = done.unwrap_or_else(|_| {
        Err(Failure {
            message: "kdisc came to an end that it should not have come to".to_owned(),
            help: Some("this is a fault of kdisc; please report it".to_owned()),
            interrupted: false,
        })
    });
    done.map_err(|failure| refused(py, &failure))
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

/// The exception for a command that was refused.
fn refused(py: Python, failure: &Failure) -> PyErr {
    let class = py.import("kdisc._errors").and_then(|module| {
        let class = module.getattr("InputError")?;
        class.call1((&failure.message, &failure.help))
    });
    class.map_or_else(|error| error, PyErr::from_value)
}

/// The built-in example of this size.
#[pyfunction]
fn example(py: Python, units: usize, seed: Option<u64>) -> PyResult<Bound<PyAny>> {
    let town = py.detach(|| town(units, seed.unwrap_or(SEED)));
    let number = |of: fn(&Enterprise) -> f64| -> ArrayRef {
        Arc::new(town.iter().map(of).collect::<Float64Array>())
    };
    let fined = town.iter().map(|unit| Some(unit.fined));
    let columns: [(&str, ArrayRef); 4] = [
        ("x", number(|unit| unit.x)),
        ("y", number(|unit| unit.y)),
        ("production", number(|unit| unit.production)),
        ("fined", Arc::new(fined.collect::<BooleanArray>())),
    ];
    let batch = RecordBatch::try_from_iter(columns).map_err(PyArrowError::from)?;
    PyTable::try_new(vec![batch.clone()], batch.schema())?.into_pyarrow(py)
}

/// The options of every command: names without dashes, with the usual values where they have some.
#[pyfunction]
fn options() -> Vec<(String, kdisc_cli::Options)> {
    kdisc_cli::options()
}

/// The version of kdisc.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(example, module)?)?;
    module.add_function(wrap_pyfunction!(options, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)
}

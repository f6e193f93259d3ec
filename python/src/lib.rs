//! The native half of the Python package: runs a command of kdisc on tables that Python holds.
//!
//! Tables come and go through the Arrow interface, so that their columns are not copied. A command
//! runs on a thread of its own, without the lock of the interpreter (`follow`).

mod cells;
mod follow;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch};
use follow::follow;
use kdisc::example::{Enterprise, SEED, town};
use kdisc_cli::{Failure, Program};
use kdisc_io::OutputError;
use kdisc_io::memory::MemoryTable;
use kdisc_io::output::Target;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use pyo3_arrow::error::PyArrowError;
use pyo3_arrow::{PyArray, PyTable};
use rayon::ThreadPoolBuilder;

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
    for (role, bytes) in outcome.files {
        results.set_item(format!("{role} file"), PyBytes::new(py, &bytes))?;
    }
    if let Some(cells) = outcome.cells {
        let corner = (cells.west, cells.north);
        results.set_item("cells", (cells.columns, corner, cells.side, cells.crs))?;
    }
    results.set_item("summary", outcome.summary)?;
    results.set_item("text", outcome.text)?;
    results.set_item("warnings", outcome.warnings)?;
    results.set_item("is_success", code == ExitCode::SUCCESS)?;
    Ok(results)
}

/// The exception for a command that was refused.
fn refused(py: Python, failure: &Failure) -> PyErr {
    let refused = py.import("kdisc._errors").and_then(|module| {
        let refused = module.getattr("refused")?;
        refused.call1((&failure.message, &failure.help))
    });
    refused.map_or_else(|error| error, PyErr::from_value)
}

/// The cells of a map as PNG: their values, how many there are from west to east, where they begin
/// in west and north, and their side in metres.
#[pyfunction]
#[pyo3(signature = (values, columns, corner, side, title, legend, notice, without))]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
fn picture(
    py: Python<'_>,
    values: PyArray,
    columns: usize,
    corner: (f64, f64),
    side: f64,
    title: String,
    legend: String,
    notice: Option<String>,
    without: String,
) -> PyResult<Bound<'_, PyBytes>> {
    let (values, _) = values.into_inner();
    let values = values.as_primitive_opt::<Float64Type>();
    let values = values.ok_or_else(|| PyTypeError::new_err("these are no doubles"))?;
    let grid = cells::Grid {
        columns,
        west: corner.0,
        north: corner.1,
        side,
    };
    let words = cells::Words {
        title,
        legend,
        notice,
        without,
    };
    let pool = ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let drawn = py.detach(|| pool.install(|| cells::png(values.values(), grid, words)));
    let drawn = drawn.map_err(|error| {
        refused(
            py,
            &Failure {
                message: error.to_string(),
                help: None,
                interrupted: false,
            },
        )
    })?;
    Ok(PyBytes::new(py, &drawn))
}

/// Writes a file whole or not at all.
#[pyfunction]
fn save(py: Python, path: PathBuf, bytes: &[u8]) -> PyResult<()> {
    let written = || -> Result<(), OutputError> {
        let mut sink = Target::check(&path)?.open()?;
        let written = sink.write_all(bytes);
        written.map_err(|source| OutputError::Write { path, source })?;
        sink.commit()
    };
    written().map_err(|error| refused(py, &Failure::from(error)))
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

/// The columns that hold coordinates, as far as their names tell.
#[pyfunction]
fn coordinates(mut columns: Vec<String>) -> Vec<String> {
    match kdisc_io::columns::coordinates("", &columns) {
        Ok(found) => [found.x, found.y]
            .map(|at| std::mem::take(&mut columns[at]))
            .into(),
        Err(_) => Vec::new(),
    }
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
    module.add_function(wrap_pyfunction!(picture, module)?)?;
    module.add_function(wrap_pyfunction!(save, module)?)?;
    module.add_function(wrap_pyfunction!(example, module)?)?;
    module.add_function(wrap_pyfunction!(coordinates, module)?)?;
    module.add_function(wrap_pyfunction!(options, module)?)?;
    module.add_function(wrap_pyfunction!(version, module)?)
}

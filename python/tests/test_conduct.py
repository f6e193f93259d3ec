"""How the package behaves: the options it has, its progress, its ways to stop, its threads."""

import inspect
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kdisc
from kdisc import _native
from kdisc._run import typed

#: Options of the command line that mean nothing here: what is read and where it goes.
OF_A_SHELL = {"fail_on_unsafe", "input", "format", "layer", "output", "to", "quiet", "help", "version"}
#: Commands about files: the libraries that hold the data read, show and write it; a summary of data in
#: memory names no file that a run could be repeated on.
FOR_FILES = {"verify", "convert", "info", "help"}
#: What is usual where nothing is said.
NOTHING = (None, False, "", inspect.Parameter.empty)

COMMANDS = [(name, options) for name, options in _native.options() if name not in FOR_FILES]


@pytest.mark.parametrize(("command", "options"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_every_command_and_option_is_here_under_its_name(command, options):
    function = getattr(kdisc, command)
    parameters = dict(inspect.signature(function).parameters)
    options = {name.replace("-", "_"): usual for name, usual in options}
    # A command's further tables come with the result, or from a function of their own.
    names = set(options) - OF_A_SHELL - {"discs", "summary"}
    # Where the data is, and how the run behaves.
    assert set(parameters) - {"data", "summary", "progress"} == names
    for name in names:
        usual, default = options[name], parameters[name].default
        if not usual or usual == [""]:
            assert default in NOTHING, f"kdisc.{command}({name}={default})"
        else:
            same = [typed(default)] == usual
            assert same, f"kdisc.{command}({name}={default}), but {usual} by default"


def test_discs_take_what_risk_takes():
    risk = inspect.signature(kdisc.risk).parameters
    discs = inspect.signature(kdisc.discs).parameters
    # The command has no discs of other places than the units.
    assert set(risk) - set(discs) == {"at", "at_layer", "prefix", "show_locations", "summary"}
    for name, found in discs.items():
        assert (found.default, found.annotation) == (risk[name].default, risk[name].annotation), name


def test_every_command_is_a_function_and_every_function_a_command():
    functions = {name for name in kdisc.__all__ if inspect.isfunction(getattr(kdisc, name))}
    assert functions == {name for name, _ in COMMANDS} | {"discs"}


#: A run is looked at ten times a second, and this one takes longer on any machine.
SECONDS = {"data": np.random.default_rng(1).normal(0, 1000, size=(300_000, 2)), "k": 50, "threads": 1}


def test_progress_is_told():
    told = []
    kdisc.risk(**SECONDS, progress=lambda *step: told.append(step))
    phases = {phase for phase, _, _ in told}
    assert any("measuring" in phase for phase in phases), phases
    assert all(done <= total for _, done, total in told)


def test_an_error_in_the_callback_ends_the_run():
    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kdisc.risk(**SECONDS, progress=fail)


def test_tqdm_draws_a_bar(capsys):
    kdisc.risk(**SECONDS, progress=True)
    assert "measuring" in capsys.readouterr().err


#: Runs of many seconds, and what they are at when they are stopped. Putting rows in order does not
#: look whether it should stop.
LONG = {
    "measuring": "kdisc.risk(points(2_000_000), k=200, progress=told)",
    "indexing": "kdisc.risk(points(8_000_000), threads=1, progress=told)",
    "smoothing": "kdisc.density(points(200_000), 5, 500, exact=True, progress=told)",
    "measuring, surface": "kdisc.surface(points(100_000), 5, k=100, progress=told)",
    "measuring, map": "kdisc.map(points(1_000_000), k=200, progress=told)",
    "measuring, rules": "kdisc.rules(values(500_000), 'value', k=100, p=10, progress=told)",
    "measuring, zoom": "kdisc.zoom(points(1_000_000), pixel=[5, 2, 1], k=100, progress=told)",
    "measuring, report": "kdisc.report(points(1_000_000), k=100, progress=told)",
}


@pytest.mark.parametrize("phase", LONG)
def test_ctrl_c_stops_it_within_a_second(phase):
    program = textwrap.dedent(f"""
        import time
        import numpy as np
        import pyarrow as pa
        import kdisc
        def points(count):
            return np.random.default_rng(1).normal(0, 1000, size=(count, 2))
        def values(count):
            x, y = points(count).T
            return pa.table({{"x": x, "y": y, "value": x * x}})
        def told(phase, *_):
            if {phase.split(",")[0]!r} in phase:
                print("at it", flush=True)
        try:
            {LONG[phase]}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
    """)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "at it\n"
        process.send_signal(signal.SIGINT)
        # One clock for all processes.
        asked = time.monotonic()
        last = process.stdout.read().splitlines()[-1]
    assert process.returncode == 0
    assert float(last) - asked < 1


def test_after_a_run_was_stopped_the_next_one_is_right(town, measured):
    points = np.random.default_rng(1).normal(0, 1000, size=(3_000_000, 2))

    def fail(*_):
        raise RuntimeError("enough")

    for _ in range(3):
        with pytest.raises(RuntimeError, match="enough"):
            kdisc.risk(points, threads=1, progress=fail)
    assert kdisc.risk(town)["radius"].equals(measured["radius"])


def test_other_threads_of_python_go_on():
    counted = 0
    worker = threading.Thread(target=kdisc.risk, kwargs=SECONDS)
    worker.start()
    while worker.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20


def test_two_threads_may_ask_at_once(town, measured):
    found = {}
    workers = [
        threading.Thread(target=lambda i=i: found.update({i: kdisc.risk(town)})) for i in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for answers in found.values():
        assert answers["radius"].equals(measured["radius"])


def test_columns_of_numbers_are_not_copied(town):
    from kdisc._frames import frame

    x = np.arange(10.0)
    given = frame((x, x)).table.column("x").chunk(0)
    assert given.buffers()[1].address == x.ctypes.data
    table = pa.table({"x": x, "y": x})
    assert frame(table).table.column("x").chunk(0).buffers()[1].address == x.ctypes.data
    single = town[["x"]].assign(y=0.0)
    held = single["x"].to_numpy()
    assert frame(single).table.column("x").chunk(0).buffers()[1].address == held.ctypes.data
    series = pl.DataFrame({"x": x, "y": x})
    given = frame(series).table.column("x").chunk(0).buffers()[1].address
    assert given == series["x"].to_numpy(allow_copy=False).ctypes.data


def test_whatever_arrow_can_hold_is_not_copied(town):
    from kdisc._frames import frame

    def address(data, column="x"):
        return frame(data).table.column(column).chunk(0).buffers()[1].address

    points = np.asfortranarray(town[["x", "y"]].to_numpy())
    assert address(points) == points.ctypes.data
    assert address(points, "y") == points[:, 1].ctypes.data
    short = points.astype("f4", order="F")
    assert address(short) == short.ctypes.data
    held = pa.array(points[:, 0])
    arrow = pd.DataFrame({"x": pd.arrays.ArrowExtensionArray(held), "y": 0.0})
    assert address(arrow) == held.buffers()[1].address
    assert address(pa.table({"x": held[5:], "y": held[5:]})) == held.buffers()[1].address
    # Columns that are not needed do not cross over, whatever they hold.
    wide = pd.DataFrame(np.zeros((10, 50))).assign(x=0.0, y=0.0)
    assert frame(wide).table.nbytes == 2 * 10 * 8


def test_nothing_is_left_on_disk(town, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    kdisc.risk(town, summary=True)
    kdisc.discs(town)
    kdisc.map(town)
    kdisc.density(town, 100, 300)
    kdisc.surface(town, 500)
    assert os.listdir(tmp_path) == []

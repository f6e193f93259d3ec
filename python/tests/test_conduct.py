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
import pyarrow as pa
import pytest

import kdisc
from kdisc import _native

#: Options of the command line that mean nothing here: what is read and where it goes.
OF_A_SHELL = {"input", "format", "layer", "output", "to", "quiet", "help", "version"}
#: Commands about files, and the example, whose options are those of a shell.
FOR_FILES = {"verify", "convert", "info", "help"}
#: Commands that have no function yet: pictures are files, too.
NOT_YET = {"map"}


def test_every_command_and_option_is_here_under_its_name():
    for command, options in _native.options():
        if command in NOT_YET:
            assert not hasattr(kdisc, command), f"kdisc.{command} is here"
        if command in FOR_FILES | NOT_YET:
            continue
        function = getattr(kdisc, command, None)
        assert function is not None, f"kdisc.{command} is missing"
        parameters = dict(inspect.signature(function).parameters)
        names = {name.replace("-", "_") for name, _ in options} - OF_A_SHELL
        # A command's further tables come with the result, or from a function of their own.
        names -= {"discs", "summary"}
        missing = names - set(parameters)
        assert not missing, f"kdisc.{command}() has no {missing}"
        unknown = set(parameters) - names - {"data", "output", "summary", "progress"}
        assert not unknown, f"kdisc {command} has no {unknown}"
        for name, usual in options:
            name = name.replace("-", "_")
            default = parameters[name].default if name in parameters else None
            # What is absent here is usual there.
            if usual and default is not None:
                same = str(default) == usual[0] or float(default) == float(usual[0])
                assert same, f"kdisc.{command}({name}={default}), but {usual} by default"


def test_progress_is_told():
    told = []
    points = np.random.default_rng(1).normal(0, 1000, size=(60_000, 2))
    kdisc.risk(points, threads=1, progress=lambda *step: told.append(step))
    phases = {phase for phase, _, _ in told}
    assert any("measuring" in phase for phase in phases), phases
    assert all(done <= total for _, done, total in told)


def test_an_error_in_the_callback_ends_the_run():
    points = np.random.default_rng(1).normal(0, 1000, size=(60_000, 2))

    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kdisc.risk(points, threads=1, progress=fail)


def test_tqdm_draws_a_bar(capsys):
    points = np.random.default_rng(1).normal(0, 1000, size=(60_000, 2))
    kdisc.risk(points, threads=1, progress=True)
    assert "measuring" in capsys.readouterr().err


def test_ctrl_c_stops_it_within_a_second():
    program = textwrap.dedent("""
        import sys, time
        import numpy as np
        import kdisc
        points = np.random.default_rng(1).normal(0, 1000, size=(2_000_000, 2))
        def told(phase, *_):
            if "measuring" in phase:
                print("measuring", flush=True)
        try:
            kdisc.risk(points, k=200, progress=told)
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """)
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "measuring\n"
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        rest = process.stdout.read()
        assert time.monotonic() - asked < 3, "a second, and some for a busy machine"
        assert rest.endswith("stopped\n")
    assert process.returncode == 0


def test_other_threads_of_python_go_on():
    points = np.random.default_rng(1).normal(0, 1000, size=(100_000, 2))
    counted = 0
    worker = threading.Thread(target=kdisc.risk, args=(points,))
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


def test_nothing_is_left_on_disk(town, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    kdisc.risk(town, summary=True)
    kdisc.discs(town)
    assert os.listdir(tmp_path) == []

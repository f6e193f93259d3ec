"""The command under test, as a user runs it: its path is in the environment variable KDISC."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def kdisc():
    path = os.environ.get("KDISC")
    assert path and os.path.exists(path), "set KDISC to the path of the built command"

    def run(*arguments, code=0, **options):
        command = [path, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
        assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
        return done

    return run

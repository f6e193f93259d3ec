"""What all tests with other programs share: the command, and a way to compare tables."""

import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def kdisc():
    """Runs the command that the variable KDISC names."""
    program = os.environ.get("KDISC")
    if not program:
        pytest.fail("set KDISC to the path of the command that is to be tested")

    def run(*arguments, check=True):
        command = [program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if check and done.returncode != 0:
            pytest.fail(f"{command} ended with {done.returncode}:\n{done.stderr}")
        return done

    return run

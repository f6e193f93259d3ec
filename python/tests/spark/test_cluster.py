"""A real cluster: a master and two workers, each a process of its own on this machine."""

import os
import re
import signal
import socket
import subprocess
import sys

from pathlib import Path

import pyspark
import pytest

JOB = Path(__file__).with_name("job.py")
SPARK = Path(pyspark.__file__).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """Started by hand: the package on PyPI has no scripts for it."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK),
            "SPARK_LOCAL_DIRS": str(folder),
            "SPARK_WORKER_DIR": str(folder),
            "SPARK_DAEMON_MEMORY": "300m",
        }
        self.environment.pop("PYSPARK_SUBMIT_ARGS")
        self.processes = []
        self.port = free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.start("master", "master.Master", "--port", str(self.port), "--webui-port", "0")
        self.workers = [
            self.start(
                f"worker{n}", "worker.Worker", "-c", "1", "-m", "700m", "--webui-port", "0", self.url
            )
            for n in (1, 2)
        ]

    def start(self, name, what, *arguments):
        log = (self.folder / f"{name}.log").open("wb")
        words = [SPARK / "bin" / "spark-class", f"org.apache.spark.deploy.{what}"]
        process = subprocess.Popen(
            [*words, "--host", "127.0.0.1", *arguments],
            env=self.environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        log.close()
        self.processes.append(process)
        return process

    def lose(self, worker):
        """As when a machine dies: the worker and what it started."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()

    def stop(self):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


@pytest.fixture
def cluster(tmp_path):
    running = Cluster(tmp_path)
    yield running
    running.stop()


def run(cluster, halfway=lambda: None):
    """Runs the job; ``halfway`` is called when some tiles are measured and others are not."""
    log = cluster.folder / "job.log"
    with log.open("wb") as errors:
        job = subprocess.Popen(
            [sys.executable, JOB, cluster.url],
            env=cluster.environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=JOB.parent,
        )
        said = []
        try:
            for line in job.stdout:
                said.append(line.strip())
                if line.startswith("HALFWAY"):
                    halfway()
            job.wait(timeout=60)
        finally:
            job.kill()
            job.stdout.close()
            job.wait()
    assert job.returncode == 0, log.read_text()[-3000:]
    return said


def test_two_workers(cluster):
    said = run(cluster)
    assert re.fullmatch(r"PLAN \d+ .*", said[0]) and int(said[0].split()[1]) >= 20
    assert said[-1] == "SAME 12000 with 2"


def test_a_worker_dies_in_the_middle(cluster):
    killed = []

    def kill():
        cluster.lose(cluster.workers[0])
        killed.append(True)

    said = run(cluster, kill)
    assert killed, said
    done, tiles = map(int, next(line for line in said if line.startswith("HALFWAY")).split()[1:])
    assert 2 <= done < tiles
    assert said[-1] == "SAME 12000 with 1"

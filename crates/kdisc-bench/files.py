"""How fast kdisc reads and writes files, beside DuckDB and Polars: a table of ratios in one run.

Run it with `make bench-files`. It makes ten million units (or as many as the second argument says)
and needs a few gigabytes of disk and memory.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import polars

ROUNDS = 3


def seconds(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def duckdb_reads(path):
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    connection.sql(f"select x, y from read_csv('{path}')").to_arrow_table()


def polars_reads(path):
    polars.read_csv(path, columns=["x", "y"])


def measured(command):
    """The peak of memory in bytes, and the summary of a run of kdisc."""
    with tempfile.NamedTemporaryFile(suffix=".json") as summary:
        process = subprocess.Popen([*command, "--summary", summary.name, "--quiet"])
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, command
        return usage.ru_maxrss * 1024, json.loads(Path(summary.name).read_text())


def main():
    kdisc = sys.argv[1]
    units = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        table, packed, out = folder / "u.csv", folder / "u.parquet", folder / "out.parquet"
        subprocess.run([kdisc, "example", "--units", str(units), "-o", table], check=True)
        subprocess.run([kdisc, "convert", table, packed, "--quiet"], check=True)
        fractions = folder / "f.csv"
        duckdb.sql(
            f"copy (select x + 0.25 + production % 1 / 2 as x, y + 0.5 as y, production, fined "
            f"from '{packed}') to '{fractions}'"
        )
        print(f"| {units:,} units, 2 threads | kdisc | DuckDB | Polars | ratio to the faster |")
        print("|---|---|---|---|---|")
        for name, path in [("whole metres", table), ("fractions", fractions)]:
            ours, ducks, bears = [], [], []
            command = [kdisc, "risk", path, "--delta", "0", "--k", "1", "--threads", "2", "-o", os.devnull]
            for _ in range(ROUNDS):
                ours.append(measured(command)[1]["timings_s"]["read"])
                ducks.append(seconds(lambda: duckdb_reads(path)))
                bears.append(seconds(lambda: polars_reads(path)))
            ours, ducks, bears = min(ours), min(ducks), min(bears)
            ratio = ours / min(ducks, bears)
            print(f"| CSV of {name}, x and y | {ours:.2f} s | {ducks:.2f} s | {bears:.2f} s | {ratio:.2f} |")
        peak, summary = measured([kdisc, "risk", packed, "-o", out])
        spent = summary["timings_s"]
        files, measure = spent["read"] + spent["write"], spent["measure"]
        print()
        print(f"| Parquet in, Parquet out, {units:,} units | |")
        print("|---|---|")
        print(f"| read {spent['read']:.2f} s + write {spent['write']:.2f} s, to the measure's {measure:.2f} s | {files / measure:.2f} |")
        print(f"| peak of memory, bytes per unit | {peak / units:.0f} |")


if __name__ == "__main__":
    main()

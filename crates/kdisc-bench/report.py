"""The report beside the commands that it contains, in processor time and by the clock.

Usage: report.py KDISC
"""

import json
import os
import subprocess
import sys
import tempfile
import time

UNITS = 1_000_000
SYSTEM = ["--crs", "EPSG:28992"]


def taken(*command):
    """Processor seconds and seconds by the clock."""
    before, clock = os.times(), time.perf_counter()
    subprocess.run([*map(str, command), "--quiet"], check=True)
    after = os.times()
    spent = after.children_user + after.children_system
    return spent - before.children_user - before.children_system, time.perf_counter() - clock


def compare(kdisc, folder, units, limit):
    town = os.path.join(folder, "town.csv")
    subprocess.run([kdisc, "example", "--units", str(units), "-o", town], check=True)
    path = lambda name: os.path.join(folder, name)
    report = taken(kdisc, "report", town, *SYSTEM, "-o", path("report.html"))
    with open(path("report.json")) as file:
        cell = json.load(file)["areal"]["division"]["size"]
    parts = [
        taken(kdisc, "risk", town, *SYSTEM, "-o", path("r.csv"), "--summary", path("r.json")),
        taken(kdisc, "map", town, *SYSTEM, "--delta", "0,inf", "--highlight", "top:6", "-o", path("m.svg")),
        taken(kdisc, "zoom", town, *SYSTEM, "--levels", "6-18", "-o", path("z.csv")),
        taken(kdisc, "areal", town, *SYSTEM, "--grid", cell, "--maup", "-o", path("a.csv")),
    ]
    processor, clock = (sum(part[i] for part in parts) for i in (0, 1))
    ratio = report[0] / processor
    holds = "yes" if ratio <= limit else "**no**"
    print(
        f"| a report, {units:,} units | {report[0]:.1f} s ({report[1]:.1f} s by the clock) "
        f"| risk, map, zoom and areal: {processor:.1f} s ({clock:.1f} s) | {ratio:.2f} | ≤ {limit} | {holds} |"
    )


def example(kdisc, folder):
    limits = ["--max-radius", "500", "--value", "production", "--p", "10"]
    _, clock = taken(kdisc, "report", "-o", os.path.join(folder, "example.html"), *limits)
    holds = "yes" if clock <= 5 else "**no**"
    print(f"| a report on the built-in example, by the clock | {clock:.1f} s | | | ≤ 5 s | {holds} |")


def main():
    kdisc = sys.argv[1]
    print("| what | kdisc | peer | ratio | required | holds |")
    print("|---|---:|---:|---:|---:|:---:|")
    with tempfile.TemporaryDirectory() as folder:
        compare(kdisc, folder, UNITS, 1.2)
        example(kdisc, folder)


if __name__ == "__main__":
    main()

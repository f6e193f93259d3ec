"""How long `kdisc.spark.risk` takes on one machine's Spark, beside the engine on the same machine:
from a Parquet file to a Parquet file, ten million units of the built-in example, by the clock.

Run it with `make bench-spark`; another number of units may be given. Both use all cores. Every row
is compared.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import kdisc
import kdisc.spark

UNITS = 10_000_000
MOST_TIMES = 4.0
MOST_SECONDS_MORE = 60.0
MOST_REPLICATION = 1.5
CORES = os.cpu_count()


def timed(work):
    """Seconds by the clock, and what it came to."""
    began = time.monotonic()
    result = work()
    return time.monotonic() - began, result


def alone(units, folder):
    """On one machine without Spark; what Spark reads, and what it should find, are left behind."""
    town = pyarrow.Table.from_pandas(kdisc.example(units), preserve_index=False)
    pyarrow.parquet.write_table(town, folder / "units.parquet", row_group_size=500_000)
    seconds, measured = timed(lambda: kdisc.risk(town, k=10))
    pyarrow.parquet.write_table(measured, folder / "engine.parquet")
    return seconds


def session(folder):
    settings = {
        "spark.master": f"local[{CORES}]",
        "spark.driver.memory": "4g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(folder),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.sql.shuffle.partitions": str(8 * CORES),
    }
    return SparkSession.builder.config(map=settings).getOrCreate()


def fingerprint(data):
    """The same for the same rows in any order."""
    names = ["x", "y", "multiplicity", "radius", "units", "center_x", "center_y", "status"]
    mixed = F.xxhash64(*names).cast("decimal(38, 0)")
    return data.agg(F.count("*"), F.sum(mixed)).first()


def shuffled(folder):
    """Bytes that went from task to task."""
    total = 0
    for log in folder.rglob("events_*"):
        for line in log.open():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                total += event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    return total


def main():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    units = int(sys.argv[1]) if len(sys.argv) > 1 else UNITS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "events").mkdir()
        engine = alone(units, folder)
        spark = session(folder)
        data = spark.read.parquet(str(folder / "units.parquet"))
        planning, plan = timed(lambda: kdisc.spark.plan(data, k=10))
        print(plan, flush=True)
        measured = kdisc.spark.risk(data, k=10, plan=plan)
        measuring, _ = timed(lambda: measured.write.parquet(str(folder / "spark.parquet")))
        # The same answers, or the comparison is worth nothing.
        found = spark.read.parquet(str(folder / "spark.parquet"))
        expected = spark.read.parquet(str(folder / "engine.parquet"))
        assert fingerprint(found) == fingerprint(expected), "not the same answers"
        spark.stop()
        bytes_ = shuffled(folder / "events")
        assert bytes_ > 0
    took, allowed = planning + measuring, MOST_TIMES * engine + MOST_SECONDS_MORE
    holds = took <= allowed and plan.replication <= MOST_REPLICATION
    print()
    print("| what | Spark | the engine alone | required | holds |")
    print("|---|---:|---:|---:|:---:|")
    print(
        f"| {units:,} units, Parquet to Parquet, k=10, {CORES} cores | {took:.0f} s (planning "
        f"{planning:.0f} s), {plan.tiles} tiles, {plan.replication:.2f} rows sent for each, "
        f"{bytes_ / units:.0f} bytes shuffled per unit | {engine:.0f} s | ≤ 4 × engine + 60 s = "
        f"{allowed:.0f} s, ≤ {MOST_REPLICATION} | {'yes' if holds else '**no**'} |"
    )
    if not holds:
        sys.exit("missed")


if __name__ == "__main__":
    main()

"""A job on a cluster: measures a town, and compares every row with one machine.

    python job.py spark://127.0.0.1:7077

It says HALFWAY when some tiles are measured and others are not, and SAME at the end.
"""

import sys
import threading
import time

import rows
from pyspark.sql import SparkSession

import kdisc
import kdisc.spark


def announce(tracker, tiles):
    """Waits until the stage that measures is under way."""
    while True:
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info and info.numTasks == tiles and 2 <= info.numCompletedTasks < tiles - 4:
                print("HALFWAY", info.numCompletedTasks, tiles, flush=True)
                return
        time.sleep(0.02)


def main():
    settings = {
        "spark.ui.enabled": "false",
        "spark.log.level": "ERROR",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "600m",
        "spark.executor.cores": "1",
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master(sys.argv[1])
    spark = builder.config(map=settings).getOrCreate()
    while executors(spark) < 2:
        time.sleep(0.1)
    town = rows.table({"id": range(12_000), **kdisc.example(12_000)})
    data = spark.createDataFrame(town).repartition(7)
    plan = kdisc.spark.plan(data, tile_rows=400, max_replication=float("inf"))
    print("PLAN", plan.tiles, plan.replication, flush=True)
    tracker = spark.sparkContext.statusTracker()
    threading.Thread(target=announce, args=(tracker, plan.tiles), daemon=True).start()
    found = rows.compare(kdisc.spark.risk(data, plan=plan), town)
    print("SAME", len(found), "with", executors(spark), flush=True)
    spark.stop()


def executors(spark):
    """How many are alive; the driver counts as one in Spark's own list."""
    return spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1


if __name__ == "__main__":
    main()

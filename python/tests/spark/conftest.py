"""A Spark on this machine, for all tests but those of clusters."""

from __future__ import annotations

import os
import sys

import pytest
import rows

# Spark starts Python by itself, and reads these when it does.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

#: Nothing but what the tests need: they are small.
SETTINGS = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    "spark.driver.memory": "1g",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "3",
    "spark.ui.showConsoleProgress": "false",
}
arguments = " ".join(f"--conf {name}={value}" for name, value in SETTINGS.items())
os.environ["PYSPARK_SUBMIT_ARGS"] = f"{arguments} pyspark-shell"


@pytest.fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    session = SparkSession.builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def frame(spark):
    """Makes a DataFrame of Spark from columns."""

    def make(columns, partitions=2):
        data = spark.createDataFrame(rows.table(columns))
        return data.repartition(partitions)

    return make

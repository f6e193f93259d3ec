"""What cannot be measured: one clear error, before anything is measured."""

import math
import os
import subprocess
import sys

import pytest

import kdisc
import kdisc.spark


@pytest.fixture
def jobs(spark):
    """How many jobs ran."""
    tracker = spark.sparkContext.statusTracker()
    return lambda: len(tracker.getJobIdsForGroup(None))


def refused(match, *arguments, **options):
    with pytest.raises(kdisc.InputError, match=match) as caught:
        kdisc.spark.risk(*arguments, **options)
    return caught.value


def columns(**more):
    """Three rows; a single value is that of all."""
    more = {name: value if isinstance(value, list) else [value] * 3 for name, value in more.items()}
    return {"x": [1000.0, 2000, 3000], "y": [1000.0, 2000, 3000], **more}


def test_what_names_and_types_tell_needs_no_job(frame, jobs):
    before = jobs()
    data = frame(columns(name=["a", "b", "c"], w=1))
    error = refused('no column "weigth".*nearest: "w"|no column "weigth"', data, weight="weigth")
    assert '"x"' in error.message
    refused('no column "east"', data, x="east", y="y")
    refused("'name' is string, not numbers", data, x="name", y="y")
    refused("'name' is string, not numbers", data, weight="name")
    refused("for 'k': k is 0", data, k=0)
    refused("for 'delta': delta is -1", data, delta=-1)
    refused("for 'delta'", data, delta=math.nan)
    refused("for 'metric'", data, metric="l3")
    refused("for 'on_invalid'", data, on_invalid="ignore")
    refused("tile_rows=0", data, tile_rows=0)
    refused("max_replication=0.5", data, max_replication=0.5)
    error = refused('already has a column "radius"', frame(columns(radius=1)))
    assert "prefix" in error.help
    refused('already has a column "Status"', frame(columns(Status=1)))
    error = refused("degrees", frame({"lon": [4.9], "lat": [52.3]}))
    assert "project" in error.help
    refused("degrees", frame({"id": [1], "lon": [4.9], "lat": [52.3]}), x="lon", y="lat")
    refused("coordinates", frame({"a": [1], "b": [2]}))
    assert jobs() == before


def test_rows_that_cannot_be_used(spark, frame):
    error = refused('1 of 3 rows.*"x" is missing in 1', spark.createDataFrame(
        [(1.0, 1.0), (None, 2.0), (3.0, 3.0)], "x double, y double"))
    assert "skip" in error.help
    refused('"y" is not finite in 2', frame(columns(y=[1.0, -math.inf, math.inf])))
    refused('"x" is not finite in 1', spark.createDataFrame([(math.nan, 1.0), (1.0, 2.0)], ["x", "y"]))
    refused('"x" is beyond 1e150 in 1', frame(columns(x=[1.0, 1e151, 2.0])))
    refused('"x" is nearer to 0 than 1e-130 in 1', frame(columns(x=[1.0, 1e-131, 0.0])))
    refused('"w" is negative in 1', frame(columns(w=[1, -1, 1])), weight="w")
    refused('"w" is not whole in 1', frame(columns(w=[1.0, 0.5, 1.0])), weight="w")
    refused(r'"w" is 2\^53 or more in 1', frame(columns(w=[1, 2**53, 1])), weight="w")
    refused("every weight is 0", frame(columns(w=0)), weight="w")
    refused("more than 2.53 units", frame(columns(w=2**52)), weight="w")
    nowhere = frame(columns(x=math.nan))
    refused("none of the 3 rows", nowhere, on_invalid="skip")


def test_no_rows(frame):
    refused("no rows", frame(columns()).limit(0))


def test_degrees_without_a_name_are_doubted(frame):
    with pytest.warns(kdisc.KdiscWarning, match="could be degrees"):
        kdisc.spark.plan(frame({"x": [4.9, 5.0], "y": [52.3, 52.4]}))


def test_too_large_a_tile(frame, jobs):
    data = frame({"x": [float(i % 37) * 1000 for i in range(900)], "y": [float(i) for i in range(900)]})
    error = refused("needs 900 of 900 locations.*max_rows=500", data, k=800, max_rows=500)
    assert "max_rows" in error.help


def test_another_plan(frame):
    data = frame(columns())
    plan = kdisc.spark.plan(data, 2)
    refused("another question", data, 3, plan=plan)
    bad = frame(columns(x=[1000.0, math.nan, 2000.0]))
    skipping = kdisc.spark.plan(bad, 2, on_invalid="skip")
    refused("1 of 3 rows cannot be used", bad, 2, plan=skipping)


def test_data_that_change(spark, frame):
    """Rows that are not there again, or were not there before, are noticed."""
    data = frame(columns())
    plan = kdisc.spark.plan(data, 2)
    for other in (frame(columns(x=[1000.0, 2000, 9000])), frame(columns()).limit(2)):
        with pytest.raises(Exception, match="not what they were"):
            kdisc.spark.risk(other, 2, plan=plan).collect()


def run(code, **environment):
    """What a Python without something says."""
    clean = {name: value for name, value in os.environ.items() if name not in environment}
    clean.update({name: value for name, value in environment.items() if value is not None})
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=clean, timeout=120
    )


TRY = """
import kdisc
try:
    import kdisc.spark
except kdisc.KdiscError as error:
    print(isinstance(error, ImportError), error)
"""


def test_without_pyspark():
    hidden = "import sys; sys.modules['pyspark'] = None\n" + TRY
    found = run(hidden)
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith("True kdisc.spark needs PySpark")
    assert "pip install" in found.stdout


def test_without_java(tmp_path):
    for environment in ({"PATH": str(tmp_path)}, {"JAVA_HOME": str(tmp_path)}):
        found = run(TRY, **{"JAVA_HOME": None, **environment})
        assert found.stdout.startswith("True Spark needs Java 17"), found.stderr
        assert "openjdk-17" in found.stdout
    assert run(TRY, PATH=str(tmp_path), JAVA_HOME=None, SPARK_REMOTE="sc://elsewhere").stdout == ""

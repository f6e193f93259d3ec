"""Every row has the answer of the single-machine engine, to the last bit."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import rows
from populations import populations

import kdisc
import kdisc.spark

POPULATIONS = populations()
#: Many small tiles, whatever that costs.
MANY = {"tile_rows": 200, "max_replication": math.inf}


def columns_of(points, weights):
    found = {"id": np.arange(len(points)), "x": points[:, 0], "y": points[:, 1]}
    return found if weights is None else {**found, "w": weights}


def compare(data, columns, **options):
    """The measured data, which are those of one machine."""
    alone = {name: value for name, value in options.items() if name not in {*MANY, "plan"}}
    return rows.compare(kdisc.spark.risk(data, **options), rows.table(columns), **alone).to_pandas()


@pytest.mark.filterwarnings("ignore:.*could be degrees")
@pytest.mark.parametrize("partitions", [1, 2, 7])
@pytest.mark.parametrize("name", POPULATIONS)
def test_every_population(frame, name, partitions):
    points, weights = POPULATIONS[name]
    columns = columns_of(points, weights)
    weight = None if weights is None else "w"
    data = frame(columns, partitions)
    plan = kdisc.spark.plan(data, 5, weight=weight, **MANY)
    assert plan.rows == len(points) and plan.tiles > (0 if name == "one location" else 1)
    compare(data, columns, k=5, weight=weight, plan=plan)


#: One δ for each kind, and the metrics: what they do to tiles, test_tiling.py sees to.
@pytest.mark.parametrize(
    "question",
    [
        {"delta": 0.0},
        {"delta": 40.0, "k": 7},
        {"metric": "l1", "k": 3},
        {"metric": "linf", "delta": 25.0},
    ],
)
def test_questions(frame, question):
    columns = columns_of(*POPULATIONS["a town"])
    compare(frame(columns), columns, **question, **MANY)


@pytest.mark.parametrize("k", [1499, 1500])
def test_k_near_the_population(frame, k):
    columns = columns_of(*POPULATIONS["uniform"])
    data = frame(columns)
    plan = kdisc.spark.plan(data, k, 0.0, tile_rows=100)
    assert (plan.tiles, plan.replication) == (1, 1.0)
    compare(data, columns, k=k, delta=0.0, plan=plan)


def test_fewer_than_k(frame):
    columns = columns_of(*POPULATIONS["weights"])
    data = frame(columns)
    plan = kdisc.spark.plan(data, 10**6, weight="w")
    assert plan.tiles == 0 and "nobody has a disc" in repr(plan)
    found = compare(data, columns, k=10**6, weight="w")
    assert (found["status"] == "no_disc").all() and found["radius"].isna().all()
    assert found["multiplicity"].max() > 1


def test_rows_that_cannot_be_used_are_skipped(frame):
    columns = columns_of(*POPULATIONS["a town"])
    columns["x"] = pa.array(columns["x"], mask=columns["id"] % 10 == 3)
    columns["y"] = np.where(columns["id"] % 10 == 4, np.inf, columns["y"])
    found = compare(frame(columns), columns, on_invalid="skip", **MANY)
    assert (found["status"] == "invalid").sum() == 300


def test_other_columns_stay(spark):
    data = spark.createDataFrame(
        [(1.0, 1000.0, "a", [1, 2], None), (2.0, 1000.0, "b", [], 5)],
        "`x coord` double, `y.coord` float, name string, list array<int>, units int",
    )
    found = kdisc.spark.risk(data, k=2, x="x coord", y="y.coord", prefix="kdisc ")
    assert found.schema.fields[:5] == data.schema.fields
    assert [field.name for field in found.schema.fields[5:]] == [
        "kdisc " + name
        for name in ("multiplicity", "radius", "units", "risk", "center_x", "center_y", "status")
    ]
    first = found.orderBy("name").first()
    assert (first["list"], first["units"], first["kdisc radius"]) == ([1, 2], None, 0.5)


def test_numbers_of_every_kind(spark):
    data = spark.createDataFrame(pd.DataFrame({"x": range(1000, 1040), "y": 2000.0, "w": 2.0}))
    data = data.selectExpr("cast(x as decimal(12, 3)) x", "cast(y as int) y", "w")
    found = kdisc.spark.risk(data, k=4, weight="w").toPandas()
    assert (found["radius"] == 0.5).all() and (found["units"] == 4).all()


def test_a_plan_tells(frame):
    columns = columns_of(*POPULATIONS["a town"])
    data = frame(columns)
    plan = kdisc.spark.plan(data, **MANY)
    assert (plan.rows, plan.units) == (1500, 1500)
    assert plan.locations == len(np.unique(POPULATIONS["a town"][0], axis=0))
    assert plan.tiles >= 5 and plan.replication > 1 and plan.widest_border > 0
    assert plan.locations / plan.tiles < plan.largest_tile <= plan.locations
    shown = repr(plan)
    assert f"{plan.tiles}, the largest with {plan.largest_tile} locations" in shown
    assert shown in plan._repr_html_()
    fewer = kdisc.spark.plan(data, tile_rows=200)
    assert fewer.tiles < plan.tiles and fewer.replication <= 1.5


def test_nothing_is_left_behind(spark, frame):
    columns = columns_of(*POPULATIONS["a town"])
    compare(frame(columns), columns, **MANY)
    assert spark.sparkContext._jsc.getPersistentRDDs().size() == 0

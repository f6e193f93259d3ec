"""Bad input: an exception of kdisc, with the sentences of the command line."""

import warnings

import duckdb
import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from shapely import LineString, Point

import kdisc


def refused(match, *arguments, **options):
    with pytest.raises(ValueError, match=match) as caught:
        kdisc.risk(*arguments, **options)
    assert isinstance(caught.value, kdisc.KdiscError)
    return caught.value


def frame(**columns):
    return pd.DataFrame({"x": [1000.0, 2000, 3000], "y": [1000.0, 2000, 3000], **columns})


def test_values():
    error = refused(r'row 2, column "x"', frame(x=[1000.0, np.nan, 3000]))
    assert 'on_invalid="skip"' in error.help
    refused(r'column "y".*inf', frame(y=[1000.0, np.inf, 3000]))
    refused(r'column "x".*"two"', frame(x=["1", "two", "3"]), x="x", y="y")
    refused(r'column "w".*-1', frame(w=[1, -1, 1]), weight="w")
    refused(r'column "w".*0\.5', frame(w=[1, 0.5, 1]), weight="w")
    refused("every weight is 0", frame(w=0), weight="w")
    refused("several kinds", frame(w=[1, "two", 3.0]), weight="w")
    refused("2 weights for 3 rows", frame(), weight=[1, 2])


def test_missing_values_can_be_left_out():
    found = kdisc.risk(frame(x=[1000.0, np.nan, 3000]), k=2, on_invalid="skip")
    assert found["status"].tolist() == ["ok", "invalid", "ok"]
    assert found["radius"].isna().tolist() == [False, True, False]
    assert found["units"].isna().tolist() == [False, True, False]


def test_columns():
    error = refused('no column "weigth"', frame(weight=1), weight="weigth")
    assert '"weight"' in str(error)
    refused('already has a column "radius"', frame(radius="text"))
    assert "new_radius" in kdisc.risk(frame(radius=1), k=1, prefix="new_")
    refused("coordinates", pd.DataFrame({"a": [1], "b": [2]}))


def test_questions():
    refused("'0' for 'k'", frame(), k=0)
    refused("'-1' for 'delta'", frame(), delta=-1)
    refused("'l3' for 'metric'", frame(), metric="l3")
    refused("'0' for 'threads'", frame(), threads=0)
    with pytest.raises(TypeError):
        kdisc.risk(frame(), kk=3)


def test_frames_without_rows():
    refused("no rows", frame().head(0))
    refused("no rows", pl.DataFrame({"x": [], "y": []}, schema={"x": pl.Float64, "y": pl.Float64}))
    refused("no rows", np.empty((0, 2)))


def test_k_larger_than_the_population():
    found, summary = kdisc.risk(frame(), k=4, summary=True)
    assert (found["status"] == "no_disc").all()
    assert summary["per_unit"]["no_disc"] == 3


def test_geometries():
    mixed = geopandas.GeoDataFrame(geometry=[Point(0, 0), LineString([(0, 0), (1, 1)])])
    error = refused("row 2", mixed)
    assert "centroid" in error.help
    with pytest.warns(kdisc.KdiscWarning, match="could be degrees"):
        found = kdisc.risk(mixed, k=1, centroid=True)
    assert found["status"].tolist() == ["ok", "ok"]
    missing = geopandas.GeoDataFrame(geometry=[Point(1000, 0), None], crs="EPSG:28992")
    refused("row 2", missing)
    assert kdisc.risk(missing, k=1, on_invalid="skip")["status"].tolist() == ["ok", "invalid"]


def test_no_system_is_taken_as_metres_and_said():
    points = geopandas.points_from_xy([4.0, 4.1], [52.0, 52.1])
    with pytest.warns(kdisc.KdiscWarning, match="EPSG:4326"):
        kdisc.risk(geopandas.GeoDataFrame(geometry=points), k=1)
    with pytest.warns(kdisc.KdiscWarning) as caught:
        kdisc.map(geopandas.GeoDataFrame(geometry=points), k=1)
    assert caught[0].filename == __file__
    far = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy([1e5, 1e5], [4e5, 5e5]))
    kdisc.risk(far, k=1)


@pytest.mark.parametrize("data", ["towns.csv", None, 3, [1, 2], {"x": [1]}, pd.Series([1.0])])
def test_what_is_no_table(data):
    with pytest.raises(TypeError, match="GeoDataFrame"):
        kdisc.risk(data)


def test_arrays_that_are_no_points():
    refused("shape", np.zeros((4, 3)))
    refused("3 x and 2 y", (np.zeros(3), np.zeros(2)))
    refused("not numbers", np.array([(object(), 1)], dtype=object))
    refused("not numbers", np.zeros((4, 2), dtype=complex))
    refused("not numbers", np.zeros((4, 2), dtype="M8[s]"))
    refused("not numbers", np.zeros(4, dtype=[("x", float), ("y", float, (2,))]))
    refused("one dimension", np.zeros((4, 2), dtype=[("x", float), ("y", float)]))
    masked = np.ma.array(np.ones((4, 2)), mask=[[0, 0], [0, 1], [0, 0], [0, 0]])
    refused(r'row 2, column "y".*missing', masked)


@pytest.mark.parametrize("dtype", [">f8", "<f4", np.longdouble, ">i4", np.uint16, "U12"])
def test_numbers_of_any_kind_are_numbers(dtype):
    points = np.array([(100, 100), (103, 104), (300, 300)]).astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = kdisc.risk(points, k=2)
    assert found["radius"].tolist()[:2] == [2.5, 2.5]


def test_columns_that_hold_something_else_than_numbers():
    texts = frame().astype(str)
    assert kdisc.risk(texts, k=1)["status"].tolist() == ["ok"] * 3
    assert kdisc.risk(frame().astype(object), k=1)["status"].tolist() == ["ok"] * 3
    refused(r'row 2, column "x".*"two"', frame(x=["1000", "two", "3000"]))
    refused(r'row 2, column "x".*"two"', pl.DataFrame(frame(x=["1000", "two", "3000"])))
    refused("several kinds", frame(x=[1000.0, "two", 3000]))
    refused('column "x"', frame(x=pd.to_datetime(["2026-01-01"] * 3)))
    refused('column "x"', frame(x=[True, False, True]))
    nullable = frame().astype("Float64").mask(frame() == 2000)
    refused(r'row 2, column "x".*missing', nullable)
    refused(r'row 2, column "x".*missing', pl.DataFrame({"x": [1e3, None], "y": [1e3, 2e3]}))
    refused(r'row 2, column "x".*missing', pa.table({"x": [1e3, None], "y": [1e3, 2e3]}))


def test_weights_that_are_none():
    refused("several kinds", frame(), weight=[1, "two", 3])
    refused("neither a column nor", frame(), weight=3)
    refused(r'column "weight".*missing', frame(), weight=[1, None, 3])


def test_a_column_that_exists_is_not_replaced_in_any_kind():
    columns = {"x": [1000.0, 2000], "y": [1000.0, 2000], "status": ["a", "b"]}
    points = geopandas.points_from_xy(columns["x"], columns["y"], crs="EPSG:28992")
    for data in (
        pd.DataFrame(columns),
        pl.DataFrame(columns),
        pa.table(columns),
        duckdb.from_df(pd.DataFrame(columns)),
        geopandas.GeoDataFrame({"status": ["a", "b"]}, geometry=points),
        np.full(2, 1000, dtype=[("x", float), ("y", float), ("status", int)]),
    ):
        refused('already has a column "status"', data)
        kdisc.risk(data, k=1, prefix="new_")


def test_messages_are_for_programs():
    assert "--help" not in str(refused("'k'", frame(), k=0))
    assert "Usage" not in str(refused("  y", frame(), x="x"))
    with pytest.raises(kdisc.InputError, match="no places"):
        kdisc.map(frame(), highlight=[1, 2])
    with pytest.raises(kdisc.InputError, match="no example"):
        kdisc.example(-1)


def test_a_lazy_frame_is_to_be_collected():
    with pytest.raises(TypeError, match="collect"):
        kdisc.risk(pl.LazyFrame({"x": [1.0], "y": [1.0]}))

"""Whatever kind the data is of, the answers are the same and come back in that kind."""

import duckdb
import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kdisc
from conftest import ADDED


def test_pandas_keeps_its_index_and_its_columns(town, measured):
    odd = town.set_index(pd.Index([f"row {i}" for i in range(len(town))], name="id"))
    odd = odd.assign(note="text", when=pd.Timestamp("2026-01-01"), thing=[{"a": 1}] * len(odd))
    found = kdisc.risk(odd)
    assert found.index.equals(odd.index)
    pd.testing.assert_frame_equal(found[odd.columns], odd)
    assert list(found.columns) == [*odd.columns, *ADDED]
    np.testing.assert_array_equal(found["radius"], measured["radius"])
    assert found["units"].dtype == "Int64"


def test_geopandas_keeps_its_system(town, measured):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town[["production"]], geometry=points)
    found = kdisc.risk(data)
    assert isinstance(found, geopandas.GeoDataFrame)
    assert found.crs == data.crs
    assert found.geometry.geom_equals(data.geometry).all()
    pd.testing.assert_frame_equal(pd.DataFrame(found[ADDED]), measured[ADDED])


def test_degrees_are_measured_in_metres(town, measured):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    degrees = geopandas.GeoDataFrame(geometry=points).to_crs("EPSG:4326")
    found = kdisc.risk(degrees, compute_crs="EPSG:28992")
    np.testing.assert_allclose(found["radius"], measured["radius"], rtol=1e-3, atol=0.02)
    fitted = kdisc.risk(degrees)
    np.testing.assert_allclose(fitted["radius"], measured["radius"], rtol=1e-2, atol=0.02)
    # Centres are in the system of the data, as on the command line.
    assert fitted["center_x"].between(-180, 180).all()


def test_polars(town, measured):
    data = pl.from_pandas(town).with_columns(pl.lit("text").alias("note"))
    found = kdisc.risk(data)
    assert isinstance(found, pl.DataFrame)
    assert found.columns == [*data.columns, *ADDED]
    assert found["radius"].to_list() == measured["radius"].tolist()
    assert found.select(data.columns).equals(data)


def test_arrow_in_several_chunks(town, measured):
    whole = pa.Table.from_pandas(town, preserve_index=False)
    data = pa.concat_tables([whole.slice(0, 10), whole.slice(10, 0), whole.slice(10)])
    found = kdisc.risk(data)
    assert isinstance(found, pa.Table)
    assert found.column_names == [*data.column_names, *ADDED]
    assert found["radius"].to_pylist() == measured["radius"].tolist()
    batch = kdisc.risk(whole.to_batches()[0])
    assert batch["radius"].to_pylist() == measured["radius"].tolist()


def test_anything_with_the_arrow_interface(town, measured):
    class Foreign:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.Table.from_pandas(town).__arrow_c_stream__(requested_schema)

    found = kdisc.risk(Foreign())
    assert found["radius"].to_pylist() == measured["radius"].tolist()


def test_duckdb(town, measured):
    found = kdisc.risk(duckdb.from_df(town))
    assert isinstance(found, duckdb.DuckDBPyRelation)
    assert found.columns == [*town.columns, *ADDED]
    assert found.df()["radius"].tolist() == measured["radius"].tolist()


def test_a_relation_stays_with_its_connection(town, measured):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE town AS SELECT * FROM town")
        units = connection.sql("SELECT row_number() OVER () AS id, * FROM town WHERE x > 0")
        found = kdisc.risk(units)
        assert isinstance(found, duckdb.DuckDBPyRelation)
        joined = found.set_alias("a").join(units.set_alias("b"), "id").aggregate("count(*)")
        assert joined.fetchall() == [(len(town),)]
        assert sorted(found.df()["radius"]) == sorted(measured["radius"])
        cells = kdisc.areal(units, grid=500).table
        assert cells.aggregate("sum(count)").fetchall() == [(len(town),)]
        assert connection.sql("SHOW TABLES").fetchall() == [("town",)]


def test_a_relation_whose_connection_must_not_look_at_python(town, measured):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE town AS SELECT * FROM town")
        connection.execute("SET python_enable_replacements = false")
        found = kdisc.risk(connection.table("town"))
        assert found.df()["radius"].tolist() == measured["radius"].tolist()


def test_a_relation_of_the_default_connection_can_be_asked_for_again(town):
    units = duckdb.sql("SELECT * FROM town")
    first = kdisc.risk(units, k=5)
    again = kdisc.risk(first, k=10, prefix="ten_")
    assert again.filter("ten_radius < radius").fetchall() == []
    assert kdisc.zoom(first, pixel=50).table.fetchall()


@pytest.mark.parametrize("kind", ["columns", "pair", "strided", "integers", "structured"])
def test_numpy(town, measured, kind):
    x, y = town["x"].to_numpy(), town["y"].to_numpy()
    data = {
        "columns": np.column_stack([x, y]),
        "pair": (x, y),
        "strided": np.asfortranarray(np.column_stack([x, y, x])[:, :2]),
        "integers": np.column_stack([x, y]).astype(np.int64),
        "structured": np.array(list(zip(y, x)), dtype=[("y", "f8"), ("x", "f8")]),
    }[kind]
    found = kdisc.risk(data)
    assert isinstance(found, np.ndarray)
    assert list(found.dtype.names)[-7:] == ADDED
    np.testing.assert_array_equal(found["radius"], measured["radius"])
    np.testing.assert_array_equal(found["x"], x)


def test_tables_of_their_own_are_of_the_kind_of_the_data(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town, geometry=points)
    discs = kdisc.discs(data)
    assert isinstance(discs, geopandas.GeoDataFrame) and discs.crs == data.crs
    cells = kdisc.areal(data, grid=500).table
    assert isinstance(cells, geopandas.GeoDataFrame)
    assert cells["count"].sum() == len(town)
    assert isinstance(kdisc.areal(pl.from_pandas(town), grid=500).table, pl.DataFrame)
    assert isinstance(kdisc.areal(pa.Table.from_pandas(town), grid=500).table, pa.Table)


def test_every_unit_lies_in_its_disc(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(geometry=points)
    joined = data.sjoin(kdisc.discs(data), predicate="within")
    assert joined.index.nunique() == len(data)


def test_regions_from_a_geodataframe(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town, geometry=points)
    cells = kdisc.areal(data, grid=2000).table[["region", "geometry"]]
    counted = kdisc.areal(data, regions=cells, region_id="region", units=True)
    assert counted.table["count"].sum() == len(town)
    assert counted.units["region"].isin(cells["region"]).all()
    within = kdisc.risk(data, regions=cells, region_id="region")
    assert (within["radius"].fillna(np.inf) >= kdisc.risk(data)["radius"]).all()


def test_zoom(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(geometry=points)
    seen = kdisc.zoom(data, "10-14", max_radius=20)
    assert seen.table["level"].astype(str).tolist() == ["10", "11", "12", "13", "14"]
    assert seen.summary["verdict"] is not None
    assert "level" in repr(seen) and "<table" in seen._repr_html_()
    one = kdisc.zoom(data, 14, units=True)
    assert len(one.units) == len(data) and one.units.crs == data.crs
    assert len(kdisc.zoom(data, screen=(1200, 800)).table) == 1

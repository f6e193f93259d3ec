"""What data has besides its coordinates comes back as it was."""

import json
import warnings

import duckdb
import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from shapely import MultiPoint, Point

import kdisc
from conftest import ADDED
from kdisc import _native
from kdisc._errors import in_python


class Own(pd.DataFrame):
    """A DataFrame of somebody's own."""

    @property
    def _constructor(self):
        return Own


INDEXES = {
    "texts": lambda rows: pd.Index([f"row {row}" for row in range(rows)], name="id"),
    "the same for all": lambda rows: pd.Index([7] * rows),
    "missing": lambda rows: pd.Index([np.nan] * rows),
    "shuffled": lambda rows: pd.Index(np.random.default_rng(1).permutation(rows)),
    "levels": lambda rows: pd.MultiIndex.from_arrays([np.arange(rows) // 2, ["a"] * rows], names=["i", "j"]),
    "times": lambda rows: pd.date_range("2026-01-01", periods=rows, tz="Europe/Amsterdam"),
}


@pytest.mark.parametrize("index", INDEXES)
def test_every_index(town, measured, index):
    index = INDEXES[index](len(town))
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    plain = town.set_index(index)
    located = geopandas.GeoDataFrame(town[["production"]].set_index(index), geometry=points)
    for data in (plain, located):
        found = kdisc.risk(data)
        pd.testing.assert_index_equal(found.index, index, exact=True)
        assert found["radius"].tolist() == measured["radius"].tolist()
        pd.testing.assert_frame_equal(found[data.columns], data)


def test_dtypes_attributes_and_class(town, measured):
    data = Own(
        town.assign(
            when=pd.Timestamp("2026-01-01", tz="UTC"),
            kind=pd.Categorical(["b", "a", "c"] * (len(town) // 3), ordered=True),
            whole=pd.array([1, None, 3] * (len(town) // 3), dtype="Int16"),
            word=pd.array(["a", None, "c"] * (len(town) // 3), dtype="string[pyarrow]"),
            thing=[object()] * len(town),
        )
    )
    data.attrs["source"] = "made up"
    before = data.copy()
    found = kdisc.risk(data)
    assert type(found) is Own and found.attrs == {"source": "made up"}
    assert list(found.columns) == [*data.columns, *ADDED]
    pd.testing.assert_frame_equal(found[list(data.columns)], before)
    # The data itself is left alone.
    pd.testing.assert_frame_equal(data, before)
    assert found["radius"].tolist() == measured["radius"].tolist()


@pytest.mark.parametrize(
    "kind", ["Float64", "float64[pyarrow]", "string[pyarrow]", "string", "category", ">f8", "Sparse[float64]"]
)
def test_coordinates_of_any_dtype(town, measured, kind):
    data = town.astype({"x": kind, "y": kind})
    found = kdisc.risk(data)
    assert found["radius"].equals(measured["radius"])
    pd.testing.assert_frame_equal(found[town.columns], data)


def test_groups_of_any_dtype(town):
    side = np.where(town.x > town.x.median(), "east", "west")
    expected = kdisc.risk(town.assign(side=side), within="side")["radius"]
    for dtype in ("category", "string", "string[pyarrow]", object):
        data = town.assign(side=pd.Series(side).astype(dtype))
        assert kdisc.risk(data, within="side")["radius"].equals(expected)
    polars = pl.DataFrame(town).with_columns(side=pl.Series(side))
    for dtype in (pl.String, pl.Categorical, pl.Enum(["west", "east"])):
        data = polars.with_columns(pl.col("side").cast(dtype))
        assert kdisc.risk(data, within="side")["radius"].to_list() == expected.tolist()
        assert kdisc.risk(data, within="side").select(data.columns).equals(data)
    arrow = pa.table({"x": town.x, "y": town.y, "side": pa.array(side).dictionary_encode()})
    assert kdisc.risk(arrow, within="side")["radius"].to_pylist() == expected.tolist()


def test_columns_of_arrow_that_nobody_asked_for(town, measured):
    rows = len(town)
    data = pa.table(
        {
            "x": town.x,
            "y": town.y,
            "view": pa.array(["a"] * rows, pa.string_view()),
            "runs": pa.RunEndEncodedArray.from_arrays([rows], ["a"]),
            "union": pa.UnionArray.from_sparse(pa.array([0] * rows, pa.int8()), [pa.array(range(rows))]),
            "span": pa.array([pa.MonthDayNano([1, 2, 3])] * rows),
            "nested": [[{"a": 1}]] * rows,
            "id": pa.array([b"0" * 16] * rows, pa.uuid()),
        }
    ).replace_schema_metadata({"mine": "kept"})
    found = kdisc.risk(data)
    assert found.select(data.column_names).equals(data, check_metadata=True)
    assert found["radius"].to_pylist() == measured["radius"].tolist()


def test_streams_and_arrays_of_any_origin(town, measured):
    table = pa.Table.from_pandas(town)
    batch = table.to_batches()[0]

    class OnlyArrays:
        def __arrow_c_array__(self, requested_schema=None):
            return batch.__arrow_c_array__(requested_schema)

    three = pa.concat_tables([table, table, table])
    sliced = three.slice(len(town), len(town))
    for data in (table.to_reader(7), OnlyArrays(), sliced, pl.DataFrame(town).rechunk()[:]):
        found = pl.DataFrame(kdisc.risk(data))
        assert found["radius"].to_list() == measured["radius"].tolist()
    assert isinstance(kdisc.risk(batch), pa.RecordBatch)
    chunks = pl.concat([pl.DataFrame(town[:7]), pl.DataFrame(town[7:])], rechunk=False)
    assert kdisc.risk(chunks)["radius"].to_list() == measured["radius"].tolist()
    for single in (pa.array([1.0]), pa.chunked_array([[1.0]])):
        with pytest.raises(kdisc.InputError, match="no table"):
            kdisc.risk(single)


def test_polars_and_duckdb_keep_their_types(town):
    data = pl.DataFrame(town).with_columns(
        a=pl.lit(None), b=pl.lit("x").cast(pl.Categorical), c=pl.lit(1.5).cast(pl.Decimal(10, 2))
    )
    data = data.with_columns(o=pl.Series([object()] * len(town), dtype=pl.Object))
    found = kdisc.risk(data)
    assert found.select(data.columns).schema == data.schema
    with pytest.raises(kdisc.InputError, match="'o'"):
        kdisc.risk(data, within="o")
    relation = duckdb.sql(
        "SELECT x, y, 1::HUGEINT AS h, NULL::INTEGER AS n, {'a': [1]} AS s, 'b'::ENUM('a', 'b') AS e,"
        " INTERVAL 1 DAY AS i, uuid() AS u, '2026-01-01'::TIMESTAMPTZ AS t FROM town"
    )
    found = kdisc.risk(relation)
    assert found.columns == [*relation.columns, *ADDED]
    assert found.count("x").fetchall() == [(len(town),)]


def test_geometries_of_duckdb(town, measured):
    units = duckdb.sql("SELECT fined, ('POINT(' || x || ' ' || y || ')')::GEOMETRY AS place FROM town")
    found = kdisc.risk(units)
    assert found.df()["radius"].tolist() == measured["radius"].tolist()
    assert found.types[:2] == units.types
    assert str(kdisc.discs(units).types[-1]) == "GEOMETRY"


def test_arrays_of_any_layout(town, measured):
    points = town[["x", "y"]].to_numpy()
    backwards = kdisc.risk(points[::-1])
    assert backwards["radius"].tolist() == measured["radius"].tolist()[::-1]
    for data in (np.asfortranarray(points), points.astype(">f8"), points.astype("f4")):
        assert kdisc.risk(data)["radius"].tolist() == measured["radius"].tolist()
    records = town.to_records(index=False)
    found = kdisc.risk(records)
    assert isinstance(found, np.recarray) and found.radius.tolist() == measured["radius"].tolist()
    other = [("when", "M8[D]"), ("thing", object), ("pair", float, (2,)), ("x", ">f4"), ("y", float)]
    odd = np.zeros(len(town), dtype=other)
    odd["x"], odd["y"], odd["thing"], odd["pair"] = town.x, town.y, "a", (1, 2)
    found = kdisc.risk(odd)
    assert found["radius"].tolist() == measured["radius"].tolist()
    assert all((found[name] == odd[name]).all() for name, *_ in other)
    assert found.dtype["x"] == odd.dtype["x"]


def located(town, **options):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    return geopandas.GeoDataFrame(town[["production"]], geometry=points, **options)


def test_geometries_of_any_name_and_number(town, measured):
    data = located(town).rename_geometry("where")
    data = data.assign(round=data.geometry.buffer(10), x=0.0, y=0.0)
    found = kdisc.risk(data)
    assert found.geometry.name == "where" and found["radius"].equals(measured["radius"])
    assert list(found.columns) == [*data.columns, *ADDED]
    assert found["round"].geom_equals(data["round"]).all()
    other = data.set_geometry("round")
    with pytest.raises(kdisc.InputError, match="centroid=True"):
        kdisc.risk(other)
    found = kdisc.risk(other, centroid=True)
    np.testing.assert_allclose(found["radius"], measured["radius"], atol=1e-6)
    assert found.geometry.name == "round"
    # Columns that are named come before geometries, as on the command line.
    named = kdisc.risk(data.assign(a=town.x, b=town.y).to_crs(4326), x="a", y="b")
    assert named["radius"].equals(measured["radius"]) and named.crs == "EPSG:4326"
    none = geopandas.GeoDataFrame({"a": 1, "shape": located(town).geometry})
    with pytest.raises(kdisc.InputError, match="no active geometry") as caught:
        kdisc.risk(none)
    assert "set_geometry('shape')" in caught.value.help


def test_heights_and_single_points(town, measured):
    high = located(town).set_geometry(geopandas.points_from_xy(town.x, town.y, town.x, crs=28992))
    found = kdisc.risk(high)
    assert found["radius"].equals(measured["radius"]) and found.has_z.all()
    single = located(town)
    single = single.set_geometry([MultiPoint([point]) for point in single.geometry], crs=28992)
    assert kdisc.risk(single)["radius"].equals(measured["radius"])
    for bad in (Point(), MultiPoint([(1, 2), (3, 4)])):
        shapes = [bad, *located(town).geometry[1:]]
        data = located(town).set_geometry(shapes, crs=28992)
        with pytest.raises(kdisc.InputError, match="row 1"):
            kdisc.risk(data)


@pytest.mark.parametrize("crs", [4326, 3857, 32631, 4258, 2154, None])
def test_coordinate_systems_are_treated_as_on_the_command_line(town, tmp_path, crs):
    data = located(town)
    data = data.set_crs(None, allow_override=True) if crs is None else data.to_crs(crs)
    file = str(tmp_path / "town.parquet")
    data.to_parquet(file)
    commanded = _native.run(["risk", file, "--summary", "-"], [], None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found, summary = kdisc.risk(data, summary=True)
    assert found.crs == data.crs
    for name in ADDED:
        assert found[name].tolist() == commanded["output"].column(name).to_pylist(), name
    said = [str(one.message) for one in caught]
    assert said == [in_python(one).replace(file, "data") for one in commanded["warnings"]]
    figures = json.loads(commanded["summary"])
    for part in ("units", "crs", "compute_crs", "per_unit"):
        assert summary.get(part) == figures.get(part), part


def test_warnings_of_degrees_are_those_of_the_command_line(tmp_path):
    far = geopandas.points_from_xy([-120, -60, 0, 60, 120], [-50, 10, 40, 60, 20], crs=4326)
    data = geopandas.GeoDataFrame(geometry=far)
    data.to_file(tmp_path / "far.gpkg")
    with pytest.raises(kdisc.InputError) as typed:
        _native.run(["risk", str(tmp_path / "far.gpkg"), "--k", "2"], [], None)
    with pytest.raises(kdisc.InputError, match='compute_crs="EPSG:n"') as caught:
        kdisc.risk(data, k=2)
    assert caught.value.help == typed.value.help
    near = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy([4, 5], [52, 53], crs=4326))
    with pytest.warns(kdisc.KdiscWarning, match="compute_crs names a better system"):
        kdisc.risk(near, k=2, compute_crs=32635)

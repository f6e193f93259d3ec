"""Parquet, GeoParquet and Arrow files: made by pyarrow, GeoPandas and DuckDB, and read by them."""

import datetime as dt
import json

import duckdb
import geopandas as gpd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from shapely.geometry import Point


def rich_table(rows=300):
    """All types in use, each with a missing value."""
    index = np.arange(rows)

    def holey(values, kind):
        values = list(values)
        values[3] = None
        return pa.array(values, kind)

    days = [dt.date(2020, 1, 1) + dt.timedelta(int(i)) for i in index]
    times = [dt.datetime(2020, 1, 1, 12, 30, 15, 250_000) + dt.timedelta(int(i)) for i in index]
    return pa.table(
        {
            "x": pa.array(155_000.0 + 7 * (index % 40)),
            "y": pa.array(463_000.0 + 11 * (index // 20)),
            "int8": holey((index % 100).tolist(), pa.int8()),
            "uint16": holey(index.tolist(), pa.uint16()),
            "int64": holey((index * 10**16).tolist(), pa.int64()),
            "float32": holey((index / 8).tolist(), pa.float32()),
            "truth": holey([bool(i % 3) for i in index], pa.bool_()),
            "select from": holey([f"naïve “{i}” 東京" for i in index], pa.string()),
            "large": holey([f"l{i}" for i in index], pa.large_string()),
            "dictionary": holey([f"d{i % 5}" for i in index], pa.string()).dictionary_encode(),
            "date": holey(days, pa.date32()),
            "time": holey(times, pa.timestamp("us")),
            "utc": holey(times, pa.timestamp("ms", "UTC")),
            "decimal": holey([None if i == 3 else i for i in index.tolist()], pa.int32()).cast(
                pa.decimal128(12, 2)
            ),
            "list": holey([[int(i), int(i) + 1] for i in index], pa.list_(pa.int32())),
            "bytes": holey([bytes([i % 256]) for i in index.tolist()], pa.binary()),
        }
    )


def with_answers(table, columns):
    assert columns[: len(table)] == table
    assert columns[len(table) :] == [
        "multiplicity", "radius", "units", "risk", "center_x", "center_y", "status",
    ]  # fmt: skip


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "brotli", "lz4", "zstd"])
def test_all_columns_survive_in_parquet(kdisc, tmp_path, compression):
    table = rich_table()
    source, target = tmp_path / "in.Parquet", tmp_path / "out.parquet"
    pq.write_table(table, source, compression=compression, row_group_size=100)
    kdisc("risk", source, "-o", target, "--quiet")
    out = pq.read_table(target)
    with_answers(table.column_names, out.column_names)
    assert out.select(table.column_names).equals(table)
    assert out.schema.field("dictionary").type == table.schema.field("dictionary").type
    assert "CONFIDENTIAL" in pq.read_metadata(target).metadata[b"description"].decode()


@pytest.mark.parametrize("suffix", ["arrow", "feather", "arrows"])
def test_all_columns_survive_in_arrow(kdisc, tmp_path, suffix):
    table = rich_table()
    source, target = tmp_path / f"in.{suffix}", tmp_path / "out.arrow"
    if suffix == "arrows":
        with pa.ipc.new_stream(source, table.schema) as writer:
            writer.write_table(table, 64)
    else:
        pa.feather.write_feather(table, source, compression="zstd")
    kdisc("risk", source, "-o", target, "--quiet")
    out = pa.feather.read_table(target)
    with_answers(table.column_names, out.column_names)
    assert out.select(table.column_names).equals(table)


def frame(rows=200, crs=28992):
    rng = np.random.default_rng(1)
    points = [Point(155_000 + x, 463_000 + y) for x, y in rng.integers(0, 900, (rows, 2))]
    if crs == 4326:
        points = [Point(5 + (p.x - 155_000) / 9e4, 52 + (p.y - 463_000) / 9e4) for p in points]
    data = {"name": [f"n{i}" for i in range(rows)], "value": rng.random(rows)}
    return gpd.GeoDataFrame(data, geometry=points, crs=crs)


@pytest.mark.parametrize("crs", [28992, 3035, 4326, 32631, 2263, None])
@pytest.mark.parametrize("encoding", ["WKB", "geoarrow"])
def test_geoparquet_of_geopandas(kdisc, tmp_path, crs, encoding):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    original = frame(crs=crs)
    original.to_parquet(source, geometry_encoding=encoding)
    kdisc("convert", source, target)
    out = gpd.read_parquet(target)
    assert out.crs == original.crs
    pd.testing.assert_frame_equal(pd.DataFrame(out), pd.DataFrame(original))
    geo = json.loads(pq.read_metadata(target).metadata[b"geo"])
    assert geo["columns"]["geometry"]["encoding"] == ("WKB" if encoding == "WKB" else "point")


@pytest.mark.parametrize("crs", [28992, 4326])
def test_geoarrow_in_arrow_files(kdisc, tmp_path, crs):
    original = frame(crs=crs)
    source, target = tmp_path / "in.arrow", tmp_path / "out.parquet"
    pa.feather.write_feather(pa.table(original.to_arrow(index=False)), source)
    kdisc("convert", source, target)
    out = gpd.read_parquet(target)
    assert out.crs == original.crs
    assert out.geometry.geom_equals(original.geometry).all()
    back = tmp_path / "back.arrow"
    kdisc("convert", target, back)
    again = gpd.GeoDataFrame.from_arrow(pa.feather.read_table(back))
    assert again.crs == original.crs
    assert again.geometry.geom_equals(original.geometry).all()


@pytest.fixture(scope="session")
def duck():
    connection = duckdb.connect()
    return connection


def test_parquet_of_duckdb(kdisc, tmp_path, duck):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    duck.execute(
        f"copy (select i as id, 155000.0 + i % 17 as x, 463000.0 + i % 23 as y, "
        f"  case when i % 7 = 0 then null else 'v' || i end as name, "
        f"  date '2024-02-28' + i::int as day, i % 2 = 0 as even, i::hugeint as huge "
        f"from range(500) t(i)) to '{source}' (format parquet)"
    )
    kdisc("risk", source, "-o", target, "--quiet", "--k", "5")
    rows = duck.execute(
        f"select count(*) from (select * exclude (multiplicity, radius, units, risk, center_x, "
        f"center_y, status) from '{target}' except select * from '{source}')"
    ).fetchone()
    assert rows == (0,)
    types = dict(duck.execute(f"select name, type from parquet_schema('{target}')").fetchall())
    assert types["radius"] == "DOUBLE" and types["units"] == "INT64"
    ok = duck.execute(f"select count(*) from '{target}' where status = 'ok' and units >= 5")
    assert ok.fetchone() == (500,)


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_pandas_types_come_back(kdisc, tmp_path, suffix):
    source, target = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0]})
    frame["whole"] = pd.array([1, None, 3], dtype="Int32")
    frame["truth"] = pd.array([True, None, False], dtype="boolean")
    getattr(frame, f"to_{suffix}")(source)
    kdisc("convert", source, target)
    pd.testing.assert_frame_equal(getattr(pd, f"read_{suffix}")(target), frame)


def test_points_become_geoparquet(kdisc, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.geoparquet"
    source.write_text("x,y,code,n\n155000,463000,0031,1\n155010.5,463020,0032,\n")
    kdisc("convert", source, target, "--crs", "EPSG:28992")
    out = gpd.read_parquet(target)
    assert out.crs == "EPSG:28992"
    assert [p.wkt for p in out.geometry] == ["POINT (155000 463000)", "POINT (155010.5 463020)"]
    assert out["code"].tolist() == ["0031", "0032"]
    assert out["n"].isna().tolist() == [False, True]


def test_a_wide_table(kdisc, tmp_path):
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    columns = {f"column {i}": pa.array(range(50)) for i in range(300)}
    columns |= {"x": pa.array(np.arange(50.0)), "y": pa.array(np.arange(50.0))}
    table = pa.table(columns)
    pq.write_table(table, source)
    kdisc("risk", source, "-o", target, "--quiet")
    assert pq.read_table(target).select(table.column_names).equals(table)


def test_types_stay_what_they_are_to_others(kdisc, tmp_path):
    """UUIDs and JSON of DuckDB; times and dates of units that Parquet lacks, from Arrow."""
    source, out, again = (tmp_path / name for name in ("in.parquet", "out.parquet", "again.parquet"))
    query = "SELECT i::DOUBLE x, i::DOUBLE y, uuid() id, {'a': i}::JSON j, TIME '10:11:12' t FROM range(20) r(i)"
    duckdb.sql(f"COPY ({query}) TO '{source}' (FORMAT parquet)")
    kdisc("convert", source, out)
    kdisc("risk", out, "--k", "2", "-o", again, "--quiet")
    columns = "x, y, id, j, t"
    expected = duckdb.sql(f"SELECT {columns} FROM '{source}'")
    assert [str(kind) for kind in expected.types][2:4] == ["UUID", "JSON"]
    for file in (out, again):
        found = duckdb.sql(f"SELECT {columns} FROM '{file}'")
        assert found.types == expected.types
        assert found.fetchall() == expected.fetchall()

    table = pa.table(
        {
            "x": [0.0, 1.0],
            "y": [0.0, 1.0],
            "seconds": pa.array([1, None], pa.time32("s")),
            "day": pa.array([86_400_000, None], pa.date64()),
        }
    )
    pa.feather.write_feather(table, tmp_path / "in.arrow")
    kdisc("convert", tmp_path / "in.arrow", out)
    found = duckdb.sql(f"SELECT seconds, day FROM '{out}'")
    assert [str(kind) for kind in found.types] == ["TIME", "DATE"]
    assert found.fetchall() == [(dt.time(0, 0, 1), dt.date(1970, 1, 2)), (None, None)]
    read = pq.read_table(out)
    assert read["seconds"].to_pylist() == table["seconds"].to_pylist()
    assert read["day"].to_pylist() == table["day"].to_pylist()


def test_interleaved_points_become_geoparquet(kdisc, tmp_path):
    points = frame()
    table = pa.table(points.to_arrow(geometry_encoding="geoarrow", interleaved=True))
    source, out = tmp_path / "in.arrow", tmp_path / "out.parquet"
    with pa.ipc.new_file(source, table.schema) as writer:
        writer.write_table(table)
    kdisc("convert", source, out)
    about = json.loads(pq.read_metadata(out).metadata[b"geo"])
    [column] = about["columns"].values()
    assert column["encoding"] == "WKB"
    found = gpd.read_parquet(out)
    assert found.crs == points.crs
    assert (found.geometry.to_wkb() == points.geometry.to_wkb()).all()

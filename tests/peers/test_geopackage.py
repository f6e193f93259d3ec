"""GeoPackages of GDAL are read, and GDAL reads ours: the same values, types, nulls and order."""

import hashlib
import sqlite3

import geopandas
import numpy
import pandas
import pyogrio
import pytest
from geopandas.testing import assert_geodataframe_equal
from shapely import MultiPoint, Point, Polygon


def read(path, **options):
    return geopandas.read_file(path, engine="pyogrio", **options)


def places(rows, crs="EPSG:28992"):
    points = [Point(100000.5 + i, 400000.25 - i) for i in range(rows)]
    return geopandas.GeoDataFrame({"n": range(rows)}, geometry=points, crs=crs)


def all_types():
    """A null in every column, except that Python has none for whole numbers but by pandas."""
    frame = places(3)
    frame["flag"] = pandas.array([True, None, False], dtype="boolean")
    frame["i16"] = pandas.array([-(2**15), None, 2**15 - 1], dtype="Int16")
    frame["i32"] = pandas.array([-(2**31), None, 2**31 - 1], dtype="Int32")
    frame["i64"] = pandas.array([-(2**63), None, 2**63 - 1], dtype="Int64")
    frame["f32"] = numpy.array([0.1, numpy.nan, 3e38], dtype="float32")
    frame["f64"] = [0.1, numpy.nan, 1e308]
    frame["text"] = ["żółć 🐝", None, "line\nbreak"]
    frame["day"] = [pandas.Timestamp("1899-12-31").date(), None, pandas.Timestamp("2024-02-29").date()]
    frame["time"] = pandas.to_datetime(
        ["1969-12-31T23:59:59.999Z", None, "2024-02-29T12:34:56.789Z"], format="ISO8601"
    ).astype("datetime64[ms, UTC]")
    return frame


def types_in(path, layer):
    """The columns and their types, as GDAL tells them."""
    info = pyogrio.read_info(path, layer=layer)
    return dict(zip(info["fields"], zip(info["dtypes"], info["ogr_types"], info["ogr_subtypes"])))


def same(before, after, layer=None):
    """Both files hold the same, as GDAL sees it."""
    layer = layer or pyogrio.list_layers(before)[0][0]
    assert pyogrio.list_layers(after)[:, 0].tolist() == [layer]
    assert types_in(after, layer) == types_in(before, layer)
    one = read(before, layer=layer, fid_as_index=True)
    other = read(after, layer=layer, fid_as_index=True)
    assert one.crs == other.crs
    assert one.active_geometry_name == other.active_geometry_name
    assert_geodataframe_equal(one, other, check_crs=True)
    # Null and not-a-number are the same in a comparison of frames.
    with sqlite3.connect(before) as a, sqlite3.connect(after) as b:
        query = f'SELECT * FROM "{layer.replace(chr(34), chr(34) * 2)}"'
        names = [column[0] for column in a.execute(query).description]
        geometry = one.active_geometry_name
        plain = [i for i, name in enumerate(names) if name != geometry]
        rows = [[[row[i] for i in plain] for row in c.execute(query)] for c in (a, b)]
        assert normal(rows[0]) == normal(rows[1])


def normal(rows):
    """Times are written with or without their milliseconds."""
    cut = lambda value: value.replace(".000Z", "Z") if isinstance(value, str) else value
    return [[cut(value) for value in row] for row in rows]


def convert(kdisc, frame, tmp_path, layer="places", **options):
    before, after = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    frame.to_file(before, layer=layer, engine="pyogrio", **options)
    kdisc("convert", before, after)
    same(before, after, layer)
    return after


def test_all_types_and_nulls(kdisc, tmp_path):
    convert(kdisc, all_types(), tmp_path)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3035", "EPSG:28992", "EPSG:3857", None])
def test_coordinate_systems(kdisc, tmp_path, crs):
    convert(kdisc, places(3, crs), tmp_path)


def test_layer_is_chosen_among_several(kdisc, tmp_path):
    before, after = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    places(2).to_file(before, layer="first", engine="pyogrio")
    places(5).to_file(before, layer="sécond", engine="pyogrio")
    refused = kdisc("convert", before, after, code=2)
    assert "first" in refused.stderr and "sécond" in refused.stderr
    assert not after.exists()
    kdisc("convert", before, after, "--layer", "sécond")
    same(before, after, "sécond")


def test_index_is_complete(kdisc, tmp_path):
    after = convert(kdisc, places(2000), tmp_path)
    box = (100100, 399800, 100200, 400000)
    assert len(read(after, bbox=box)) == len(read(tmp_path / "in.gpkg", bbox=box)) > 0
    with sqlite3.connect(after) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("SELECT rtreecheck('rtree_places_geom')").fetchone() == ("ok",)
    # GDAL changes the file by the triggers of the index.
    geopandas.GeoDataFrame({"n": [9]}, geometry=[Point(0, 0)], crs="EPSG:28992").to_file(
        after, layer="places", engine="pyogrio", mode="a"
    )
    assert read(after, bbox=(-1, -1, 1, 1))["n"].tolist() == [9]


def test_heights(kdisc, tmp_path):
    frame = places(2)
    frame.geometry = [Point(1, 2, 3), Point(4, 5, 6)]
    after = convert(kdisc, frame, tmp_path)
    assert [point.z for point in read(after).geometry] == [3, 6]


def test_null_geometries(kdisc, tmp_path):
    frame = places(3)
    frame.loc[1, "geometry"] = None
    convert(kdisc, frame, tmp_path)


def test_other_geometries(kdisc, tmp_path):
    frame = places(3)
    frame.geometry = [
        MultiPoint([(1, 2), (3, 4)]),
        Polygon([(0, 0), (9, 0), (9, 9)], [[(5, 1), (6, 1), (6, 2)]]),
        Point(1, 1),
    ]
    convert(kdisc, frame, tmp_path)


def test_empty_layer(kdisc, tmp_path):
    convert(kdisc, all_types().iloc[:0], tmp_path)


def test_odd_names(kdisc, tmp_path):
    frame = places(2)
    for name in ["select", "a b", 'qu"ote', "it's", "żółć", "rowid", "ORDER", "[x]", "a;b--"]:
        frame[name] = [name, None]
    convert(kdisc, frame, tmp_path, layer="group by \"x\" 'żółć'")


def test_three_hundred_columns(kdisc, tmp_path):
    frame = places(4)
    more = {f"c{i}": [i, i + 1, i + 2, i + 3] for i in range(300)}
    frame = geopandas.GeoDataFrame(pandas.concat([frame, pandas.DataFrame(more)], axis=1))
    convert(kdisc, frame, tmp_path)


def test_table_without_geometries(kdisc, tmp_path):
    before, after = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    table = pandas.DataFrame({"a": ["1", None], "x": [5.5, 6.5], "y": [7.5, 8.5]})
    pyogrio.write_dataframe(table, before, layer="plain")
    kdisc("convert", before, after)
    assert pyogrio.list_layers(after)[:, 0].tolist() == ["plain"]
    found = pyogrio.read_dataframe(after)
    pandas.testing.assert_frame_equal(pandas.DataFrame(found)[["a", "x", "y"]], table)


def test_same_rows_same_bytes(kdisc, tmp_path):
    before, once = tmp_path / "in.gpkg", tmp_path / "once.gpkg"
    all_types().to_file(before, layer="places", engine="pyogrio")
    digests = set()
    for name in ["once.gpkg", "again.gpkg"]:
        kdisc("convert", before, tmp_path / name)
        digests.add(hashlib.sha256((tmp_path / name).read_bytes()).hexdigest())
    kdisc("convert", once, tmp_path / "copy.gpkg")
    digests.add(hashlib.sha256((tmp_path / "copy.gpkg").read_bytes()).hexdigest())
    assert len(digests) == 1


def test_reading_leaves_no_trace(kdisc, tmp_path):
    before = tmp_path / "in.gpkg"
    places(3).to_file(before, layer="places", engine="pyogrio")
    with sqlite3.connect(before) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    digest = hashlib.sha256(before.read_bytes()).hexdigest()
    out = tmp_path / "out"
    out.mkdir()
    kdisc("convert", before, out / "out.gpkg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.gpkg", "out"]
    assert hashlib.sha256(before.read_bytes()).hexdigest() == digest
    assert [path.name for path in out.iterdir()] == ["out.gpkg"]


@pytest.mark.parametrize("content", ["nothing", "text", "sqlite", "cut"])
def test_bad_files(kdisc, tmp_path, content):
    before, after = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    after.write_bytes(b"old")
    if content == "sqlite":
        with sqlite3.connect(before) as connection:
            connection.execute("CREATE TABLE t (a)")
        connection.close()
    elif content == "cut":
        places(5000).to_file(before, layer="places", engine="pyogrio")
        whole = before.read_bytes()
        before.write_bytes(whole[: len(whole) // 2])
    else:
        before.write_bytes(b"" if content == "nothing" else b"x,y\n1,2\n")
    refused = kdisc("convert", before, after, code=2)
    assert "in.gpkg" in refused.stderr
    assert "panicked" not in refused.stderr
    assert after.read_bytes() == b"old"


def test_times_keep_their_zone_or_the_lack_of_it(kdisc, tmp_path):
    source, target = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    times = pandas.to_datetime(["2020-01-02T03:04:05.123", None, "1969-12-31T23:59:59"], format="ISO8601")
    data = {"naive": times, "utc": times.tz_localize("UTC")}
    points = geopandas.points_from_xy([1, 2, 3], [4, 5, 6])
    geopandas.GeoDataFrame(data, geometry=points, crs=28992).to_file(source)
    kdisc("convert", source, target)
    expected, found = geopandas.read_file(source), geopandas.read_file(target)
    pandas.testing.assert_frame_equal(pandas.DataFrame(found), pandas.DataFrame(expected))
    assert str(found["naive"].dtype) == "datetime64[ms]"

"""GeoJSON between kdisc and GDAL, through pyogrio and GeoPandas."""

import datetime
import json

import geopandas as gpd
import pandas as pd
import pyogrio
import pytest
import shapely
from geopandas.testing import assert_geodataframe_equal

RD = "urn:ogc:def:crs:EPSG::28992"


def frame(**more):
    return gpd.GeoDataFrame(
        {
            "name": ["één", None, "三", '"q"\n\\'],
            "select": [1, 2, 3, 2**40],
            "Straße nr.": [0.1, None, -1e-300, 1e22],
            "yes": [True, False, True, False],
            "date": [datetime.date(2020, 2, 29), None, datetime.date(1850, 1, 1), None],
            "local": pd.to_datetime(["2020-01-02T03:04:05.678", None, "1969-12-31T23:59:59", None], format="ISO8601"),
            "utc": pd.to_datetime(["2020-01-02T03:04:05Z", None, "2020-07-02T03:04:05Z", None]),
            "east": pd.to_datetime(["2020-01-02T03:04:05+02:00", None, None, None]),
            **more,
        },
        geometry=[shapely.Point(155000.25, 463000, 1.5), None, shapely.Point(1, 2, 3), shapely.Point(0.1, 0.2, 0.3)],
        crs="EPSG:28992",
    )


def collection(features, **members):
    return json.dumps({"type": "FeatureCollection", **members, "features": features})


def feature(properties, geometry=None, **members):
    return {"type": "Feature", "properties": properties, "geometry": geometry, **members}


def same(a, b):
    left, right = gpd.read_file(a), gpd.read_file(b)
    assert_geodataframe_equal(left, right, check_crs=True)
    one, two = pyogrio.read_info(a), pyogrio.read_info(b)
    for key in ["layer_name", "crs", "features", "geometry_type", "ogr_types", "ogr_subtypes"]:
        assert list(one[key]) == list(two[key]) if isinstance(one[key], list) else one[key] == two[key], key
    assert list(one["fields"]) == list(two["fields"])


@pytest.mark.parametrize("suffix", [".geojson", ".GeoJSON"])
def test_what_gdal_writes_comes_back(kdisc, tmp_path, suffix):
    source, target = tmp_path / "layer.geojson", tmp_path / f"out{suffix}"
    frame().to_file(source, driver="GeoJSON")
    if suffix == ".GeoJSON":
        source = source.rename(tmp_path / "layer.GeoJSON")
    kdisc("convert", source, target)
    same(source, target)
    # And once more, to the byte.
    again = tmp_path / "again.geojson"
    kdisc("convert", target, again)
    assert again.read_bytes() == target.read_bytes()


@pytest.mark.parametrize("suffix", [".geojsonl", ".ndjson"])
def test_lines(kdisc, tmp_path, suffix):
    source, target = tmp_path / f"a{suffix}", tmp_path / f"a_out{suffix}"
    wgs = frame().to_crs(4326)
    wgs.to_file(source, driver="GeoJSONSeq")
    kdisc("convert", source, target)
    lines = target.read_text().splitlines()
    assert len(lines) == 4 and all(json.loads(line)["type"] == "Feature" for line in lines)
    left = gpd.read_file(f"GeoJSONSeq:{source}")
    right = gpd.read_file(f"GeoJSONSeq:{target}")
    assert_geodataframe_equal(left, right)


def test_lines_are_wgs_84_or_nothing(kdisc, tmp_path):
    source, target = tmp_path / "a.geojson", tmp_path / "a.geojsonl"
    frame().to_file(source, driver="GeoJSON")
    done = kdisc("convert", source, target, code=2)
    assert "28992" in done.stderr and "WGS 84" in done.stderr
    assert not target.exists()


def test_nested_and_mixed_properties_as_they_were(kdisc, tmp_path):
    source, target = tmp_path / "n.geojson", tmp_path / "m.geojson"
    features = [
        feature({"nested": {"a": [1, 2.5, None, {"b": "ü"}]}, "mixed": 1, "list": ["x"]}, id="a7"),
        feature({"mixed": "text", "list": ["y"], "late": True}, {"type": "Point", "coordinates": [4.5, 52.25]}, id="a8"),
        feature({"mixed": None, "nested": None, "list": []}, id="a9"),
    ]
    source.write_text(collection(features, name="n", description="who knows"), encoding="utf-8")
    kdisc("convert", source, target)
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["name"] == "n" and "crs" not in found
    assert found["description"].splitlines()[-1] == "who knows"
    columns = ["nested", "mixed", "list", "late"]
    for given, got in zip(features, found["features"], strict=True):
        assert list(got["properties"]) == columns
        assert got["properties"] == {name: given["properties"].get(name) for name in columns}
        assert got["geometry"] == given["geometry"] and got["id"] == given["id"]
    same(source, target)


def test_a_layer_without_features(kdisc, tmp_path):
    source, target = tmp_path / "e.geojson", tmp_path / "f.geojson"
    crs = {"type": "name", "properties": {"name": RD}}
    source.write_text(collection([], name="empty", crs=crs))
    kdisc("convert", source, target)
    same(source, target)
    assert pyogrio.read_info(target)["layer_name"] == "empty"


def test_every_geometry(kdisc, tmp_path):
    source, target = tmp_path / "g.geojson", tmp_path / "h.geojson"
    texts = [
        "POINT (1 2)", "LINESTRING (0 0, 1 1, 2 0)",
        "POLYGON ((0 0, 9 0, 9 9, 0 0), (2 1, 3 1, 3 2, 2 1))",
        "MULTIPOINT ((1 2), (3 4))", "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
        "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((20 0, 29 0, 29 9, 20 0), (22 1, 23 1, 23 2, 22 1)))",
        "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))",
    ]
    gpd.GeoDataFrame({"a": range(len(texts))}, geometry=gpd.GeoSeries.from_wkt(texts), crs=4326).to_file(source)
    kdisc("convert", source, target)
    same(source, target)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("", "empty"),
        ("x,y\n1,2\n", "expected `{`"),
        (collection([feature({})])[:-20], "feature 1"),
        (collection([feature({}), feature({}, {"type": "Point", "coordinates": [1, "2"]})]), "feature 2"),
        (collection([feature({}, {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]})]), "a ring of 3 positions"),
        ("[" * 100_000, "expected `{`"),
        ('{"type":"Feature","geometry":null,"properties":{"a":' + "[" * 100_000, "nested more than 128 deep"),
    ],
)
def test_bad_files(kdisc, tmp_path, text, expected):
    source, target = tmp_path / "bad.geojson", tmp_path / "out.geojson"
    source.write_text(text)
    done = kdisc("convert", source, target, code=2)
    assert expected in done.stderr and "bad.geojson" in done.stderr
    assert not target.exists()

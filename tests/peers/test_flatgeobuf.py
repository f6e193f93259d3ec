"""FlatGeobuf between kdisc and GDAL, through pyogrio and GeoPandas."""

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pytest
import shapely
from geopandas.testing import assert_geodataframe_equal
from test_geojson import collection, feature, frame, same


def wide(**more):
    return frame(
        small=np.array([-1, 2, 3, 4], dtype="int16"),
        whole=np.array([-1, 2, 3, 4], dtype="int32"),
        single=np.array([0.1, np.nan, 3, 4], dtype="float32"),
        **more,
    )


def test_what_gdal_writes_comes_back(kdisc, tmp_path):
    source, target = tmp_path / "layer.fgb", tmp_path / "out.FGB"
    # An index has no place for rows without a geometry.
    wide().to_file(source, driver="FlatGeobuf", layer="Läyer", SPATIAL_INDEX="NO")
    kdisc("convert", source, target)
    target = target.rename(tmp_path / "out.fgb")
    same(source, target)
    one, two = pyogrio.read_info(source), pyogrio.read_info(target)
    assert one["layer_name"] == two["layer_name"] == "Läyer"
    assert one["total_bounds"] == two["total_bounds"]
    again = tmp_path / "again.fgb"
    kdisc("convert", target, again)
    assert again.read_bytes() == target.read_bytes()


def test_an_index_is_stepped_over(kdisc, tmp_path):
    source, target = tmp_path / "indexed.fgb", tmp_path / "plain.fgb"
    n = 5000
    places = gpd.points_from_xy(np.arange(n) * 37 % n, np.arange(n) * 91 % n)
    gpd.GeoDataFrame({"row": np.arange(n)}, geometry=places, crs=3035).to_file(source)
    kdisc("convert", source, target)
    left, right = gpd.read_file(source), gpd.read_file(target)
    assert not left["row"].is_monotonic_increasing
    assert_geodataframe_equal(left, right)


def test_from_and_to_geojson(kdisc, tmp_path):
    source, middle, target = (tmp_path / name for name in ["a.geojson", "b.fgb", "c.geojson"])
    frame().to_file(source)
    kdisc("convert", source, middle)
    kdisc("convert", middle, target)
    same(source, target)
    assert pyogrio.read_info(middle)["layer_name"] == "a"


def test_nested_properties_and_the_description(kdisc, tmp_path):
    source, target = tmp_path / "a.geojson", tmp_path / "b.fgb"
    features = [feature({"nested": {"a": [1, None]}}), feature({"nested": None})]
    source.write_text(collection(features, description="a town"))
    kdisc("convert", source, target)
    info = pyogrio.read_info(target)
    told = info["layer_metadata"]["DESCRIPTION"].splitlines()
    assert told[0].startswith("CONFIDENTIAL") and told[1:] == ["a town"]
    # GDAL reads the format's JSON as text; we know what it is.
    found = gpd.read_file(target)["nested"]
    assert json.loads(found[0]) == {"a": [1, None]} and pd.isna(found[1])
    back = tmp_path / "c.geojson"
    kdisc("convert", target, back)
    rows = json.loads(back.read_text())
    assert [row["properties"]["nested"] for row in rows["features"]] == [{"a": [1, None]}, None]
    assert rows["description"].splitlines() == told


def test_every_geometry(kdisc, tmp_path):
    source, target = tmp_path / "a.fgb", tmp_path / "b.fgb"
    texts = [
        "POINT (1 2)", "LINESTRING (0 0, 1 1, 2 0)",
        "POLYGON ((0 0, 9 0, 9 9, 0 0), (2 1, 3 1, 3 2, 2 1))",
        "MULTIPOINT ((1 2), (3 4))", "MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))",
        "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((20 0, 29 0, 29 9, 20 0), (22 1, 23 1, 23 2, 22 1)))",
        "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))",
    ]
    rows = gpd.GeoDataFrame({"a": range(len(texts))}, geometry=gpd.GeoSeries.from_wkt(texts), crs=4326)
    rows.to_file(source, SPATIAL_INDEX="NO")
    kdisc("convert", source, target)
    same(source, target)
    rows.geometry = shapely.force_3d(rows.geometry, 7.0)
    rows.to_file(source, SPATIAL_INDEX="NO")
    kdisc("convert", source, target)
    same(source, target)


def test_a_layer_without_features(kdisc, tmp_path):
    source, target = tmp_path / "a.fgb", tmp_path / "b.fgb"
    wide().iloc[:0].to_file(source, SPATIAL_INDEX="NO", geometry_type="Point")
    kdisc("convert", source, target)
    left, right = gpd.read_file(source), gpd.read_file(target)
    assert len(right) == 0 and list(left.columns) == list(right.columns) and left.crs == right.crs


def test_a_file_cut_off(kdisc, tmp_path):
    source, target = tmp_path / "a.fgb", tmp_path / "b.geojson"
    wide().to_file(source, SPATIAL_INDEX="NO")
    whole = source.read_bytes()
    for end in [5, 10, 200, len(whole) - 1]:
        source.write_bytes(whole[:end])
        done = kdisc("convert", source, target, code=2)
        assert "a.fgb" in done.stderr
        assert not target.exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and so on", b"fgb\x03fgb\x00\xff\xff\xff\xff"])
def test_what_is_none(kdisc, tmp_path, content):
    source, target = tmp_path / "a.fgb", tmp_path / "b.geojson"
    source.write_bytes(content)
    done = kdisc("convert", source, target, code=2)
    assert "a.fgb" in done.stderr and "panicked" not in done.stderr
    assert not target.exists()

"""The measure through every format and coordinate system: the same answers."""

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pyogrio
import pyproj
import pytest
from shapely.geometry import Point

RESULTS = ["multiplicity", "radius", "units", "risk", "center_x", "center_y", "status"]


@pytest.fixture(scope="module")
def town(kdisc, tmp_path_factory):
    """The built-in example: its rows, and the answers in CSV."""
    folder = tmp_path_factory.mktemp("town")
    kdisc("example", "-o", folder / "town.csv")
    kdisc("risk", folder / "town.csv", "-o", folder / "risk.csv", "--quiet")
    rows = pd.read_csv(folder / "town.csv")
    points = gpd.points_from_xy(rows["x"], rows["y"])
    frame = gpd.GeoDataFrame(rows, geometry=points, crs=28992)
    return frame, pd.read_csv(folder / "risk.csv")


def read(path):
    if path.suffix == ".csv":
        return pd.read_csv(path)
    if path.suffix == ".parquet":
        return gpd.read_parquet(path)
    return gpd.read_file(path, engine="pyogrio")


SOURCES = ["gpkg", "shp", "geojson", "geojsonl", "fgb", "parquet"]


def write(frame, path):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".fgb":
        frame.to_file(path, SPATIAL_INDEX="NO")
    elif path.suffix == ".geojsonl":
        # This format knows WGS 84 only.
        frame.set_crs(4326, allow_override=True).to_file(path, driver="GeoJSONSeq")
    else:
        frame.to_file(path)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", ["csv", "gpkg", "geojson", "fgb", "parquet"])
def test_the_same_answers_from_and_to_every_format(kdisc, tmp_path, town, source, target):
    frame, expected = town
    in_path, out_path = tmp_path / f"in.{source}", tmp_path / f"out.{target}"
    write(frame, in_path)
    more = ["--crs", "EPSG:28992"] if source == "geojsonl" else []
    kdisc("risk", in_path, "-o", out_path, "--quiet", *more)
    out = read(out_path)
    assert len(out) == len(expected)
    for column in RESULTS:
        assert (out[column].to_numpy() == expected[column].to_numpy()).all(), column
    assert (out["production"].to_numpy() == frame["production"].to_numpy()).all()
    if target not in ("csv",):
        assert out.crs == frame.crs
        assert (out.geometry.x.to_numpy() == frame.geometry.x.to_numpy()).all()
    if target in ("gpkg", "fgb") and source in ("gpkg", "shp", "fgb"):
        assert pyogrio.read_info(out_path)["geometry_type"] == "Point"


@pytest.mark.parametrize("epsg", [4326, 3857, 4258, 32631, 3035, 2263])
def test_distances_are_metres_on_the_ground(kdisc, tmp_path, epsg):
    """A town in New York or Amsterdam, in several systems, against its own UTM zone."""
    rng = np.random.default_rng(7)
    utm, east, north = (32618, 583_000, 4_507_000) if epsg == 2263 else (32631, 628_000, 5_804_000)
    points = [Point(east + x, north + y) for x, y in rng.normal(0, 3000, (2000, 2))]
    metric = gpd.GeoDataFrame({"id": range(2000)}, geometry=points, crs=utm)
    frame = metric.to_crs(epsg)
    paths = [tmp_path / name for name in ("in.gpkg", "metric.gpkg", "out.gpkg", "expected.gpkg")]
    frame.to_file(paths[0])
    metric.to_file(paths[1])
    summary = tmp_path / "s.json"
    kdisc("risk", paths[0], "-o", paths[2], "--summary", summary, "--quiet")
    kdisc("risk", paths[1], "-o", paths[3], "--quiet")
    out, expected = gpd.read_file(paths[2]), gpd.read_file(paths[3])
    # UTM itself is off by up to 0.04 % here, 3035 by up to 0.5 %.
    tolerance = 0.012 if epsg == 3035 else 0.002
    assert np.allclose(out["radius"], expected["radius"], rtol=tolerance)
    record = json.loads(summary.read_text())["inputs"][0]
    assert record["crs"].startswith(f"EPSG:{epsg} ")
    assert record["scale_error"] < 0.01
    # Centres are in the input's system.
    here = gpd.GeoSeries(gpd.points_from_xy(out["center_x"], out["center_y"]), crs=epsg)
    there = here.to_crs(utm)
    distance = there.distance(metric.geometry)
    assert (distance <= out["radius"] * (1 + tolerance) + 0.01).all()
    assert (distance > 0).any()


@pytest.mark.parametrize("epsg,x,y", [(4326, 4.9, 52.37), (3035, 3_973_000.0, 3_263_000.0)])
def test_x_is_east_whatever_the_authority_says(kdisc, tmp_path, epsg, x, y):
    """Both systems have north first by EPSG, and east first in every file."""
    assert pyproj.CRS.from_epsg(epsg).axis_info[0].direction == "north"
    step = 0.001 if epsg == 4326 else 100.0
    rows = [f"{x + i * step},{y}" for i in range(20)]
    source, out = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("x,y\n" + "\n".join(rows) + "\n")
    kdisc("risk", source, "--crs", f"EPSG:{epsg}", "--k", "2", "-o", out, "--quiet")
    radius = pd.read_csv(out)["radius"]
    geod = pyproj.Geod(ellps="GRS80")
    to_degrees = pyproj.Transformer.from_crs(epsg, 4326, always_xy=True)
    a, b = to_degrees.transform(x, y), to_degrees.transform(x + step, y)
    expected = geod.inv(*a, *b)[2] / 2
    assert np.allclose(radius, expected, rtol=0.01)


@pytest.mark.parametrize("units,places", [(4326, 28992), (3857, 28992), (28992, 4326), (4326, 27700)])
def test_places_in_another_system(kdisc, tmp_path, units, places):
    """The places are the units themselves, so a disc of one unit has hardly a radius."""
    rng = np.random.default_rng(9)
    centre = (-0.1, 51.5) if places == 27700 else (5.4, 52.1)
    points = [Point(centre[0] + x, centre[1] + y) for x, y in rng.normal(0, 0.02, (50, 2))]
    frame = gpd.GeoDataFrame({"id": range(50)}, geometry=points, crs=4326)
    source, at, out = (tmp_path / name for name in ("units.gpkg", "places.gpkg", "out.csv"))
    frame.to_crs(units).to_file(source)
    frame.to_crs(places).to_file(at)
    kdisc("risk", source, "--at", at, "--k", "1", "--delta", "0", "-o", out, "--quiet")
    assert (pd.read_csv(out)["radius"] < 1.0).all()


def test_layers_are_not_lost(kdisc, tmp_path, town):
    frame, _ = town
    target = tmp_path / "two.gpkg"
    frame.head(20).to_file(target, layer="a")
    frame.head(30).to_file(target, layer="b")
    refused = kdisc("risk", "-o", target, code=2)
    assert "2 layers" in refused.stderr
    assert pyogrio.list_layers(target)[:, 0].tolist() == ["a", "b"]


def test_columns_of_degrees(kdisc, tmp_path):
    rows = [f"{i},{4.9 + i / 1000},{52.37 + i / 2000}" for i in range(30)]
    source, out = tmp_path / "in.csv", tmp_path / "out.gpkg"
    source.write_text("id,lon,lat\n" + "\n".join(rows) + "\n")
    done = kdisc("risk", source, "-o", out, "--k", "3")
    assert "WGS 84" in done.stderr
    frame = gpd.read_file(out)
    assert frame.crs == "EPSG:4326"
    assert frame["radius"].between(50, 200).all()
    assert frame["center_x"].between(4.8, 5.0).all()


def test_numbers_that_could_be_degrees_are_warned_about(kdisc, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("x,y\n4.9,52.3\n4.8,52.4\n")
    done = kdisc("risk", source, "--k", "2")
    assert "--crs" in done.stderr and "metres" in done.stderr


@pytest.mark.parametrize("suffix", ["gpkg", "geojson", "fgb", "parquet"])
def test_discs_hold_their_units(kdisc, tmp_path, town, suffix):
    frame, expected = town
    source, out = tmp_path / "in.gpkg", tmp_path / "out.csv"
    frame.to_file(source)
    path = tmp_path / f"discs.{suffix}"
    kdisc("risk", source, "-o", out, "--discs", path, "--quiet")
    discs = read(path)
    assert discs.crs == frame.crs
    assert (discs.geometry.geom_type == "Polygon").all()
    if suffix in ("gpkg", "fgb"):
        assert pyogrio.read_info(path)["geometry_type"] == "Polygon"
    assert discs["serves"].sum() == len(frame)
    assert (discs.geometry.count_coordinates() == 65).all()
    distinct = expected.drop_duplicates(["radius", "units", "center_x", "center_y"])
    assert len(discs) == len(distinct)
    # As many units are in the polygon as the disc says, or a few more in its corners.
    joined = gpd.sjoin(frame, discs, predicate="within")
    inside = joined.groupby("index_right").size().reindex(discs.index, fill_value=0)
    assert (inside >= discs["units"]).all()
    assert (inside == discs["units"]).mean() > 0.95


def test_discs_in_degrees_lose_no_unit(kdisc, tmp_path, town):
    frame, _ = town
    frame = frame.to_crs(4326)
    source, path = tmp_path / "in.gpkg", tmp_path / "discs.gpkg"
    frame.to_file(source)
    kdisc("risk", source, "-o", tmp_path / "out.csv", "--discs", path, "--quiet", "--k", "500")
    discs = gpd.read_file(path)
    joined = gpd.sjoin(frame, discs, predicate="within")
    inside = joined.groupby("index_right").size().reindex(discs.index, fill_value=0)
    assert (inside >= discs["units"]).all()


def test_polygons_need_a_word(kdisc, tmp_path, town):
    frame, _ = town
    shapes = frame.head(50).copy()
    shapes["geometry"] = shapes.buffer(20).envelope
    source, out = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    shapes.to_file(source)
    refused = kdisc("risk", source, "-o", out, code=2)
    assert "polygon" in refused.stderr and "--centroid" in refused.stderr
    assert not out.exists()
    kdisc("risk", source, "-o", out, "--centroid", "--quiet")
    result = gpd.read_file(out)
    assert (result.geometry.geom_type == "Polygon").all()
    points = frame.head(50)
    points.to_file(tmp_path / "points.gpkg")
    kdisc("risk", tmp_path / "points.gpkg", "-o", tmp_path / "p.gpkg", "--quiet")
    expected = gpd.read_file(tmp_path / "p.gpkg")
    assert np.allclose(result["radius"], expected["radius"])


def test_missing_geometries_are_bad_rows(kdisc, tmp_path, town):
    frame, _ = town
    frame = frame.head(40).copy()
    frame.loc[5, "geometry"] = None
    source, out = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    frame.to_file(source)
    refused = kdisc("risk", source, "-o", out, code=2)
    assert "row 6" in refused.stderr
    kdisc("risk", source, "-o", out, "--on-invalid", "skip", "--quiet")
    result = gpd.read_file(out)
    assert result["status"].tolist().count("invalid") == 1
    assert result.geometry.isna().sum() == 1


def test_an_existing_column_needs_a_prefix(kdisc, tmp_path, town):
    frame, _ = town
    frame = frame.head(40).assign(radius=1.0)
    source, out = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    frame.to_file(source)
    refused = kdisc("risk", source, "-o", out, code=2)
    assert "--prefix" in refused.stderr
    kdisc("risk", source, "-o", out, "--quiet", "--prefix", "k_")
    assert {"radius", "k_radius"} <= set(gpd.read_file(out).columns)


@pytest.mark.parametrize("suffix", ["gpkg", "parquet", "geojson", "fgb", "arrow"])
def test_runs_can_be_verified(kdisc, tmp_path, town, suffix):
    frame, _ = town
    source, out, summary = tmp_path / "in.gpkg", tmp_path / f"out.{suffix}", tmp_path / "s.json"
    frame.head(500).to_file(source)
    kdisc("risk", source, "-o", out, "--summary", summary, "--quiet")
    assert "verified" in kdisc("verify", summary).stdout
    out.write_bytes(out.read_bytes()[:-1] + b"?")
    assert "DIFFERENT" in kdisc("verify", summary, code=1).stdout


def test_only_measures_the_rows_that_match(kdisc, tmp_path, town):
    frame, _ = town
    source, out = tmp_path / "in.gpkg", tmp_path / "out.gpkg"
    frame.to_file(source)
    kdisc("risk", source, "-o", out, "--only", "fined=TRUE", "--quiet")
    result = gpd.read_file(out)
    measured = result["status"] == "ok"
    assert (measured == frame["fined"]).all()


def test_info_tells(kdisc, tmp_path, town):
    frame, _ = town
    source = tmp_path / "in.gpkg"
    frame.to_file(source, layer="towns")
    frame.head(3).to_file(source, layer="others")
    told = kdisc("info", source).stdout
    assert "towns" in told and "others" in told
    told = kdisc("info", source, "--layer", "towns").stdout
    for expected in ["8348", "EPSG:28992", "8055", "production", "number", "geom"]:
        assert expected in told, told
    assert pyogrio.list_layers(source)[:, 0].tolist() == ["towns", "others"]

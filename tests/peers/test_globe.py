"""Data across the antimeridian and round the poles: lengths on the ground, and discs that GIS opens."""

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pyproj
import pytest
import shapely

GEOD = pyproj.Geod(ellps="WGS84")
RNG = np.random.default_rng(180)


def turned(lon, count):
    """Longitudes counted from -180 or from 0."""
    lon = np.mod(lon, 360.0)
    return lon if count == 0 else np.where(lon > 180.0, lon - 360.0, lon)


def near_pole(sign, n=400, reach=200_000):
    lon = RNG.uniform(0, 360, n)
    lon, lat, _ = GEOD.fwd(np.zeros(n), np.full(n, sign * 90.0), lon, reach * np.sqrt(RNG.uniform(0, 1, n)))
    return lon, lat


def beside_pole(n=400):
    """A town whose edge comes to the North Pole."""
    lon, lat, _ = GEOD.fwd(np.full(n, 40.0), np.full(n, 89.9), RNG.uniform(0, 360, n), 15_000 * np.sqrt(RNG.uniform(0, 1, n)))
    return lon, lat


PLACES = {
    "Fiji": (RNG.uniform(177, 182, 400), RNG.uniform(-20, -15, 400)),
    "Chukotka": (RNG.uniform(170, 190, 400), RNG.uniform(64, 70, 400)),
    "Greenwich": (RNG.uniform(-0.2, 0.2, 400), RNG.uniform(51.4, 51.6, 400)),
    "the North Pole": near_pole(1),
    "the South Pole": near_pole(-1),
    "beside the North Pole": beside_pole(),
}


def distances(lon, lat, other_lon, other_lat):
    return GEOD.inv(lon, lat, other_lon, other_lat)[2]


def run(kdisc, tmp_path, lon, lat, *more, suffix="gpkg"):
    source, out, discs, summary = (tmp_path / name for name in ("in.csv", "out.csv", f"discs.{suffix}", "s.json"))
    pd.DataFrame({"lon": lon, "lat": lat}).to_csv(source, index=False)
    kdisc("risk", source, "-o", out, "--discs", discs, "--summary", summary, "--quiet", *more)
    polygons = gpd.read_parquet(discs) if suffix == "parquet" else gpd.read_file(discs)
    return pd.read_csv(out), polygons, json.loads(summary.read_text())["inputs"][0]


@pytest.mark.parametrize("count", [0, -180])
@pytest.mark.parametrize("name", PLACES)
def test_lengths_are_those_on_the_ground(kdisc, tmp_path, name, count):
    """Without sharing a disc, the radius is the distance to the k-th nearest."""
    lon, lat = PLACES[name]
    lon = turned(lon, count)
    out, _, facts = run(kdisc, tmp_path, lon, lat, "--delta", "0", "--k", "5")
    n = len(lon)
    away = distances(np.repeat(lon, n), np.repeat(lat, n), np.tile(lon, n), np.tile(lat, n)).reshape(n, n)
    expected = np.sort(away, axis=1)[:, 4]
    # Straight on the plane is not quite straight on the ground.
    assert facts["scale_error"] < 0.02
    tolerance = facts["scale_error"] + 1e-4
    np.testing.assert_allclose(out["radius"], expected, rtol=tolerance)


@pytest.mark.parametrize("suffix", ["gpkg", "geojson", "fgb", "parquet"])
@pytest.mark.parametrize("count", [0, -180])
@pytest.mark.parametrize("name", PLACES)
def test_discs_are_valid_and_lose_nobody(kdisc, tmp_path, name, count, suffix):
    lon, lat = PLACES[name]
    lon = turned(lon, count)
    for more in (["--k", "10"], ["--k", "150"], ["--k", "30", "--metric", "linf"]):
        out, discs, _ = run(kdisc, tmp_path, lon, lat, *more, suffix=suffix)
        low = -180 if lon.min() < 0 or lon.max() <= 180 else 0
        for column in (out["center_x"], discs["center_x"]):
            assert column.between(low, low + 360).all()
        assert discs.geometry.is_valid.all()
        bounds = discs.total_bounds
        assert bounds[0] >= low and bounds[2] <= low + 360
        assert discs.geometry.geom_type.isin(["Polygon", "MultiPolygon"]).all()
        for polygon in discs.geometry.explode():
            assert polygon.exterior.is_ccw
        places = shapely.points(lon, lat)
        inside = shapely.covers(discs.geometry.to_numpy()[:, None], places[None, :]).sum(axis=1)
        assert (inside >= discs["units"]).all()
        # A pole that is just outside of a disc is taken in, and a few may come with it.
        assert (inside == discs["units"]).mean() > 0.9
        assert discs["serves"].sum() == len(lon)
        if more == ["--k", "10"]:
            away = distances(lon, lat, out["center_x"], out["center_y"])
            assert (away <= out["radius"] * 1.02).all()


def test_the_cut_is_where_it_should_be(kdisc, tmp_path):
    lon, lat = PLACES["Fiji"]
    _, discs, _ = run(kdisc, tmp_path, turned(lon, -180), lat, "--k", "40")
    cut = discs[discs.geometry.geom_type == "MultiPolygon"]
    assert 0 < len(cut) < len(discs)
    for polygon in cut.geometry:
        ends = sorted(part.bounds[::2] for part in polygon.geoms)
        assert ends[0][0] == -180 and ends[-1][1] == 180
        assert polygon.bounds[2] - polygon.bounds[0] == 360
    _, discs, _ = run(kdisc, tmp_path, turned(lon, 0), lat, "--k", "40")
    assert (discs.geometry.geom_type == "Polygon").all()
    lon, lat = PLACES["the North Pole"]
    _, discs, _ = run(kdisc, tmp_path, turned(lon, -180), lat, "--k", "350")
    round_pole = discs[discs.geometry.bounds["maxy"] == 90]
    assert len(round_pole) > 0
    assert (round_pole.geometry.geom_type == "Polygon").all()


@pytest.mark.parametrize("epsg", [3857, 4326])
def test_in_any_system_the_same(kdisc, tmp_path, epsg):
    lon, lat = PLACES["Fiji"]
    lon = turned(lon, -180)
    expected, _, _ = run(kdisc, tmp_path, lon, lat)
    frame = gpd.GeoDataFrame(geometry=gpd.points_from_xy(lon, lat), crs=4326).to_crs(epsg)
    source, out, discs = (tmp_path / name for name in ("in.gpkg", "out.gpkg", "d.gpkg"))
    frame.to_file(source)
    kdisc("risk", source, "-o", out, "--discs", discs, "--quiet")
    np.testing.assert_allclose(gpd.read_file(out)["radius"], expected["radius"], rtol=1e-6)
    discs = gpd.read_file(discs)
    assert discs.geometry.is_valid.all()
    inside = shapely.covers(discs.geometry.to_numpy()[:, None], frame.geometry.to_numpy()[None, :]).sum(axis=1)
    assert (inside >= discs["units"]).all()


def test_info_tells_the_short_way_round(kdisc, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("lon,lat\n179,-17\n-178.5,-18\n")
    assert "x 179 to -178.5, y -18 to -17" in kdisc("info", source).stdout


def test_a_system_that_is_cut_there_is_refused(kdisc, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("lon,lat\n179,-1\n-178.5,-2\n")
    refused = kdisc("risk", source, "--compute-crs", "EPSG:3395", "-o", tmp_path / "out.csv", code=2)
    assert "cut open" in refused.stderr and "--compute-crs" in refused.stderr

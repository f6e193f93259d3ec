"""Counting in cells and polygons, beside GeoPandas and shapely."""

import json

import geopandas as gpd
import numpy as np
import pandas as pd
import pytest
import shapely
import shapely.affinity
from shapely.geometry import MultiPolygon, Point, Polygon, box


@pytest.fixture(scope="module")
def town(kdisc, tmp_path_factory):
    """The built-in example as a GeoPackage, and its rows."""
    folder = tmp_path_factory.mktemp("town")
    kdisc("example", "-o", folder / "town.csv")
    kdisc("convert", folder / "town.csv", folder / "town.gpkg", "--crs", "EPSG:28992")
    return folder / "town.gpkg", gpd.read_file(folder / "town.gpkg")


def districts(units):
    """Polygons with holes and several parts, which leave some units outside."""
    west, south, east, north = units.total_bounds
    seeds = units.sample(60, random_state=7).geometry
    cells = shapely.voronoi_polygons(shapely.MultiPoint(list(seeds)), extend_to=box(west, south, east, north))
    cells = [cell.buffer(-3) for cell in shapely.get_parts(cells)]
    holed = [cell.difference(cell.centroid.buffer(150)) for cell in cells[:20]]
    joined = [MultiPolygon([a, b]) for a, b in zip(cells[20:40:2], cells[21:40:2]) if isinstance(a, Polygon)]
    all_cells = [cell for cell in [*holed, *joined, *cells[40:]] if not cell.is_empty]
    names = [f"d{i}" for i in range(len(all_cells))]
    return gpd.GeoDataFrame({"code": names}, geometry=all_cells, crs=28992)


@pytest.mark.parametrize("suffix", ["gpkg", "geojson", "fgb", "shp", "parquet"])
def test_units_are_counted_where_sjoin_puts_them(kdisc, town, tmp_path, suffix):
    path, units = town
    areas = districts(units)
    file = tmp_path / f"areas.{suffix}"
    areas.to_parquet(file) if suffix == "parquet" else areas.to_file(file)
    kdisc("areal", path, "--regions", file, "--region-id", "code", "-o", tmp_path / "out.gpkg",
          "--units", tmp_path / "units.gpkg", "--summary", tmp_path / "run.json")
    found = gpd.read_file(tmp_path / "out.gpkg").set_index("region")
    joined = units.sjoin(areas, predicate="within")
    expected = joined["code"].value_counts().reindex(areas["code"], fill_value=0)
    assert (found.loc[areas["code"], "count"].to_numpy() == expected.to_numpy()).all()
    np.testing.assert_allclose(found.loc[areas["code"], "area"], areas.area, rtol=1e-9)
    centres = areas.centroid
    np.testing.assert_allclose(found.loc[areas["code"], "x"], centres.x, rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.loc[areas["code"], "y"], centres.y, rtol=0, atol=1e-6)
    assert found.crs == areas.crs
    for code, shape in zip(areas["code"], areas.geometry):
        assert found.loc[code, "geometry"].equals(shape), code
    each = gpd.read_file(tmp_path / "units.gpkg")
    first = joined["code"].reindex(units.index)
    assert each["region"].fillna("").tolist() == first.fillna("").tolist()
    summary = json.loads((tmp_path / "run.json").read_text())
    assert summary["units_outside"] == first.isna().sum() > 0


def test_regions_in_another_system(kdisc, town, tmp_path):
    path, units = town
    areas = districts(units).to_crs(4326)
    areas.to_file(tmp_path / "areas.gpkg")
    done = kdisc("areal", path, "--regions", tmp_path / "areas.gpkg", "--region-id", "code",
                 "-o", tmp_path / "out.csv")
    assert "another system" in done.stderr
    found = pd.read_csv(tmp_path / "out.csv").set_index("region")["count"]
    joined = units.to_crs(4326).sjoin(areas, predicate="within")
    expected = joined["code"].value_counts().reindex(areas["code"], fill_value=0)
    assert (found.loc[areas["code"]].to_numpy() == expected.to_numpy()).all()


def test_what_shapely_calls_valid_is_a_region(kdisc, tmp_path):
    """Rings on a small lattice: everything valid is read, everything read is valid or only touches itself."""
    random = np.random.default_rng(5)
    (tmp_path / "u.csv").write_text("x,y\n1.5,1.5\n")
    valid = 0
    shapes = []
    while valid < 150 or len(shapes) < 300:
        shape = Polygon(random.integers(0, 5, (random.integers(3, 8), 2)))
        reason = shapely.is_valid_reason(shape)
        if reason == "Valid Geometry" and shape.area > 0:
            valid += 1
            shapes.append((shape, True))
        elif reason.startswith("Self-intersection") and len(shapes) < 300:
            shapes.append((shape, False))
    good = gpd.GeoDataFrame(geometry=[shape for shape, is_valid in shapes if is_valid], crs=28992)
    for i in range(0, len(good), 50):
        # Far apart, as they must not overlap where a unit is.
        part = good.iloc[i:i + 50].copy()
        part["geometry"] = [shapely.affinity.translate(s, 100 * (j + 1), 0) for j, s in enumerate(part.geometry)]
        part.to_file(tmp_path / "good.gpkg")
        kdisc("areal", tmp_path / "u.csv", "--regions", tmp_path / "good.gpkg", "-o", tmp_path / "out.csv")
        areas = pd.read_csv(tmp_path / "out.csv")["area"]
        np.testing.assert_allclose(areas, part.area, rtol=1e-12)
    bad = [shape for shape, is_valid in shapes if not is_valid][:15]
    for shape in bad:
        gpd.GeoDataFrame(geometry=[shape], crs=28992).to_file(tmp_path / "bad.geojson")
        done = kdisc("areal", tmp_path / "u.csv", "--regions", tmp_path / "bad.geojson", code=2)
        assert "border" in done.stderr and "row 1" in done.stderr, shape


@pytest.mark.parametrize("shape", ["grid", "hex"])
def test_cells_hold_the_units_that_they_count(kdisc, town, tmp_path, shape):
    path, units = town
    kdisc("areal", path, f"--{shape}", "330", "--origin", "17.5,-3.25", "-o", tmp_path / "cells.gpkg",
          "--units", tmp_path / "units.gpkg")
    cells = gpd.read_file(tmp_path / "cells.gpkg")
    assert cells["count"].sum() == len(units)
    np.testing.assert_allclose(cells.area, 330 * 330, rtol=1e-9)
    joined = units.sjoin(cells[["region", "geometry"]], predicate="within")
    each = gpd.read_file(tmp_path / "units.gpkg")
    inside = joined["region"].reindex(units.index)
    known = inside.notna()
    assert known.mean() > 0.99
    assert (each["region"][known] == inside[known]).all()


def test_cells_of_europe_have_their_names(kdisc, tmp_path):
    places = gpd.GeoDataFrame(geometry=[Point(4695123, 2599456), Point(4695999, 2599001)], crs=3035)
    places.to_crs(4326).to_file(tmp_path / "places.geojson")
    kdisc("areal", tmp_path / "places.geojson", "--grid", "1000", "--compute-crs", "EPSG:3035",
          "-o", tmp_path / "cells.gpkg")
    cells = gpd.read_file(tmp_path / "cells.gpkg")
    assert cells["region"].tolist() == ["1kmN2599E4695"]
    assert cells["count"].tolist() == [2]
    assert cells.crs.to_epsg() == 3035
    assert cells.geometry[0].equals(box(4695000, 2599000, 4696000, 2600000))

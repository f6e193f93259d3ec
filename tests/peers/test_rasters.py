"""Maps as GDAL reads them: place, values, no data, coordinate system, names of bands."""

import json

import geopandas
import numpy
import pandas
import pytest
import rasterio
import rasterio.transform
from pyproj import CRS, Transformer
from scipy.stats import gaussian_kde
from shapely.geometry import box


@pytest.fixture(scope="module")
def towns():
    random = numpy.random.default_rng(4)
    middles = random.uniform([150000, 450000], [156000, 455000], (6, 2))
    at = numpy.concatenate([random.normal(middle, 300, (80, 2)) for middle in middles])
    return pandas.DataFrame({"x": at[:, 0].round(1), "y": at[:, 1].round(1), "sales": random.lognormal(3, 2, len(at)).round(2)})


def by_loops(table, raster, kernel, h, values=None):
    """What the cells of an open raster should hold, from units at the centres of their cells."""
    transform = raster.transform
    columns = numpy.floor((table.x - transform.c) / transform.a).astype(int)
    rows = numpy.floor((transform.f - table.y) / transform.a).astype(int)
    # Cells own their south edges.
    rows -= ((transform.f - table.y) % transform.a == 0).astype(int)
    counts = numpy.zeros(raster.shape)
    numpy.add.at(counts, (rows, columns), 1 if values is None else values)
    y, x = numpy.mgrid[: raster.height, : raster.width] * transform.a
    out = numpy.zeros(raster.shape)
    for row, column in zip(*numpy.nonzero(counts)):
        dx, dy = x - x[row, column], y - y[row, column]
        heights = kernel(dx, dy, h)
        out += counts[row, column] * heights / heights.sum()
    return out / transform.a**2


def gaussian(dx, dy, h):
    inside = (abs(dx) <= 4 * h) & (abs(dy) <= 4 * h)
    return numpy.where(inside, numpy.exp(-(dx**2 + dy**2) / (2 * h * h)), 0)


def epanechnikov(dx, dy, h):
    return numpy.maximum(1 - (dx**2 + dy**2) / h**2, 0)


@pytest.mark.parametrize("name, kernel, h", [("gaussian", gaussian, 250), ("epanechnikov", epanechnikov, 700)])
def test_a_density_map(kdisc, towns, tmp_path, name, kernel, h):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    kdisc("density", "towns.csv", "--crs", "EPSG:28992", "--cell", 100, "--bandwidth", h, "--kernel", name,
          "--value", "sales", "-o", "map.tif", cwd=tmp_path)
    with rasterio.open(tmp_path / "map.tif") as raster:
        assert raster.crs.to_epsg() == 28992
        assert raster.descriptions == ("density", "total", "mean", "contributors", "largest_share")
        assert raster.units[:2] == ("1/m2", "sales per m2")
        assert numpy.isnan(raster.nodata) and set(raster.dtypes) == {"float64"}
        assert raster.res == (100, 100)
        bounds = raster.bounds
        assert bounds.left % 100 == 0 and bounds.top % 100 == 0
        assert bounds.left <= towns.x.min() - h and bounds.top >= towns.y.max() + h
        assert "CONFIDENTIAL" in raster.tags() and name in raster.tags()["METHOD"]
        density, total, mean, contributors, share = raster.read()
        expected = by_loops(towns, raster, kernel, h)
        numpy.testing.assert_allclose(density, expected, rtol=1e-9)
        values = by_loops(towns, raster, kernel, h, towns.sales)
        numpy.testing.assert_allclose(total, values, rtol=1e-9)
        assert density.sum() * 1e4 == pytest.approx(len(towns), rel=1e-9)
        assert total.sum() * 1e4 == pytest.approx(towns.sales.sum(), rel=1e-9)
        inhabited = density > 0
        numpy.testing.assert_allclose(mean[inhabited], total[inhabited] / density[inhabited])
        assert numpy.isnan(mean[~inhabited]).all() and numpy.isnan(share[~inhabited]).all()
        assert (contributors[inhabited] >= 1 - 1e-9).all() and (contributors[~inhabited] == 0).all()
        # A share is at least that of equal contributors.
        assert (share[inhabited] * contributors[inhabited] >= 1 - 1e-9).all()


def test_what_is_unsafe_is_masked(kdisc, towns, tmp_path):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    command = ["density", "towns.csv", "--cell", 100, "--bandwidth", 250]
    kdisc(*command, "-o", "all.tif", cwd=tmp_path)
    kdisc(*command, "--mask-unsafe", "--min-contributors", 25, "--max-share", 0.1, "-o", "safe.tif", cwd=tmp_path)
    with rasterio.open(tmp_path / "all.tif") as raster:
        assert raster.crs is None
        density, contributors, share = raster.read()
    with rasterio.open(tmp_path / "safe.tif") as raster:
        assert raster.descriptions == ("density",)
        assert "25" in raster.tags()["DISCLOSURE_CONTROL"] and "CONFIDENTIAL" not in raster.tags()
        shown = raster.read(1, masked=True)
    unsafe = (density > 0) & ((contributors < 25) | (share > 0.1))
    assert 0 < unsafe.sum() < (density > 0).sum()
    assert (shown.mask == unsafe).all()
    assert (shown.data[~unsafe] == density[~unsafe]).all()


def test_nothing_leaves_the_study_region(kdisc, towns, tmp_path):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    region = box(151030, 450540, 154980, 454000).difference(box(152000, 452000, 153000, 453000))
    geopandas.GeoSeries([region], crs=28992).to_file(tmp_path / "land.gpkg")
    kdisc("density", "towns.csv", "--cell", 100, "--bandwidth", 250, "--regions", "land.gpkg", "-o", "map.tif", cwd=tmp_path)
    places = geopandas.GeoSeries.from_xy(towns.x, towns.y, crs=28992)
    inside = places.covered_by(region).sum()
    with rasterio.open(tmp_path / "map.tif") as raster:
        assert raster.crs.to_epsg() == 28992
        density = raster.read(1, masked=True)
        assert density.sum() * 1e4 == pytest.approx(inside, rel=1e-9)
        for row in range(raster.height):
            for column in range(raster.width):
                west, north = rasterio.transform.xy(raster.transform, row, column, offset="ul")
                cell = box(west, north - 100, west + 100, north)
                if density.mask[row, column]:
                    assert not region.intersects(cell.buffer(-0.01))
                else:
                    assert region.intersects(cell.buffer(1))


def test_places_in_degrees_land_where_they_should(kdisc, towns, tmp_path):
    there = Transformer.from_crs(28992, 4326, always_xy=True)
    lon, lat = there.transform(towns.x, towns.y)
    table = pandas.DataFrame({"lon": lon, "lat": lat})
    for middle in [(0, 0), (40, -60), (-100, 36.5), (170, 35)]:
        moved = table + numpy.array([middle[0], middle[1] - 52 if middle[1] else 0])
        moved.to_csv(tmp_path / "towns.csv", index=False)
        kdisc("density", "towns.csv", "--cell", 100, "--bandwidth", 50, "--kernel", "uniform", "-o", "map.tif", cwd=tmp_path)
        with rasterio.open(tmp_path / "map.tif") as raster:
            density = raster.read(1)
            back = Transformer.from_crs(4326, CRS.from_wkt(raster.crs.to_wkt()), always_xy=True)
            x, y = back.transform(moved.lon.to_numpy(), moved.lat.to_numpy())
            # Half a cell in the bandwidth: every unit stays in its cell.
            rows, columns = rasterio.transform.rowcol(raster.transform, x, y)
            counts = numpy.zeros(raster.shape)
            numpy.add.at(counts, (numpy.asarray(rows, int), numpy.asarray(columns, int)), 1)
            assert abs(counts - density * 1e4).sum() <= 2, middle


@pytest.mark.parametrize("crs", [
    "EPSG:28992", "EPSG:3035", "EPSG:2263", "EPSG:27700", "EPSG:7415",
    "+proj=stere +lat_0=52 +lon_0=5 +k_0=0.9999 +x_0=100000 +y_0=200000 +ellps=GRS80 +towgs84=0,0,0 +units=m",
    "+proj=lcc +lat_1=52 +lat_0=52 +lon_0=5 +k_0=0.9999 +x_0=0 +y_0=0 +datum=WGS84 +units=m",
    "+proj=lcc +lat_1=50 +lat_2=54 +lat_0=52 +lon_0=5 +x_0=10000 +y_0=0 +ellps=GRS80 +units=us-ft",
    "+proj=aea +lat_1=50 +lat_2=54 +lat_0=52 +lon_0=5 +x_0=10000 +y_0=0 +ellps=bessel +units=m",
    "+proj=laea +lat_0=52 +lon_0=5 +x_0=0 +y_0=0 +ellps=GRS80 +units=m",
    "+proj=merc +lon_0=5 +k_0=0.6 +x_0=0 +y_0=0 +ellps=GRS80 +units=m",
    "+proj=tmerc +lat_0=52 +lon_0=5 +k_0=0.9999 +x_0=0 +y_0=0 +a=6378388 +b=6356911.946 +units=m",
])
def test_systems_come_through(kdisc, towns, tmp_path, crs):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    # New York has feet; its coordinates are in range there.
    source = crs if crs in ("EPSG:2263", "EPSG:27700", "EPSG:7415") else "EPSG:28992"
    if crs == "EPSG:2263":
        (towns * [1, 0.4, 1] + [850000, 20000, 0]).to_csv(tmp_path / "towns.csv", index=False)
    kdisc("surface", "towns.csv", "--crs", source, "--compute-crs", crs, "--cell", 500, "-o", "map.tif", cwd=tmp_path)
    with rasterio.open(tmp_path / "map.tif") as raster:
        expected = CRS.from_user_input(crs)
        if expected.is_compound:
            expected = expected.sub_crs_list[0]
        found = CRS.from_wkt(raster.crs.to_wkt())
        metres = expected.axis_info[0].unit_conversion_factor
        assert raster.res == pytest.approx((500 / metres, 500 / metres))
        corner = raster.bounds.left, raster.bounds.top
        one = Transformer.from_crs(expected, expected.geodetic_crs, always_xy=True).transform(*corner)
        two = Transformer.from_crs(found, found.geodetic_crs, always_xy=True).transform(*corner)
        assert one == pytest.approx(two, abs=1e-9)
        ellipsoids = found.ellipsoid, expected.ellipsoid
        assert ellipsoids[0].semi_major_metre == pytest.approx(ellipsoids[1].semi_major_metre)
        assert ellipsoids[0].inverse_flattening == pytest.approx(ellipsoids[1].inverse_flattening)


@pytest.mark.parametrize("asked", [["--k", 7], ["--delta", 0], ["--delta", 120, "--metric", "linf"]])
def test_a_surface_is_the_measure_of_places(kdisc, towns, tmp_path, asked):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    kdisc("surface", "towns.csv", "--cell", 400, *asked, "-o", "map.tif", cwd=tmp_path)
    with rasterio.open(tmp_path / "map.tif") as raster:
        assert raster.descriptions == ("radius", "risk")
        radius, risk = raster.read()
        rows, columns = numpy.mgrid[: raster.height, : raster.width]
        x, y = raster.xy(rows.ravel(), columns.ravel())
    pandas.DataFrame({"x": x, "y": y}).to_csv(tmp_path / "places.csv", index=False)
    kdisc("risk", "towns.csv", "--at", "places.csv", *asked, "-o", "out.csv", cwd=tmp_path)
    places = pandas.read_csv(tmp_path / "out.csv")
    assert (places.radius.to_numpy() == radius.ravel()).all()
    assert (places.risk.to_numpy() == risk.ravel()).all()


def test_scotts_rule_is_that_of_scipy(kdisc, towns, tmp_path):
    towns.to_csv(tmp_path / "towns.csv", index=False)
    kdisc("bandwidth", "towns.csv", "-o", "curve.csv", "--summary", "run.json", cwd=tmp_path)
    scott = json.loads((tmp_path / "run.json").read_text())["scott"]
    estimate = gaussian_kde(towns[["x", "y"]].to_numpy().T)
    expected = numpy.sqrt(numpy.diag(estimate.covariance))
    numpy.testing.assert_allclose([scott["x"], scott["y"]], expected, rtol=1e-12)
    near = ((towns[["x", "y"]].to_numpy()[:, None] - towns[["x", "y"]].to_numpy()) / expected) ** 2
    few = ((near.sum(axis=2) <= 1).sum(axis=1) < 10).sum()
    assert scott["units_exposed"] == few

"""Maps from Python: arrays of cells, and pictures."""

import geopandas
import numpy as np
import pandas as pd
import pyproj
import pytest
import rasterio
from shapely import box

import kdisc
from kdisc import _native
from kdisc._frames import frame


@pytest.fixture(scope="module")
def located(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    return geopandas.GeoDataFrame(town[["production"]], geometry=points)


@pytest.fixture(scope="module")
def dense(located):
    return kdisc.density(located, cell=100, bandwidth=300, value="production")


@pytest.fixture(scope="module")
def drawn(located):
    return kdisc.map(located, highlight="top:3")


def commanded(path, data, *words):
    """The file that the command writes to a path."""
    _native.run([*words, "-o", str(path), "--quiet"], [("data", frame(data, {"production"}).table)], None)
    return path.read_bytes()


def test_a_raster_is_what_rasterio_reads_of_the_file_of_the_command(located, dense, tmp_path):
    dense.save(tmp_path / "map.tif")
    words = ["density", "data", "--cell", "100", "--bandwidth", "300", "--value", "production"]
    told = commanded(tmp_path / "command.tif", located, *words)
    assert (tmp_path / "map.tif").read_bytes() == told == dense.geotiff
    with rasterio.open(tmp_path / "map.tif") as found:
        assert list(found.descriptions) == list(dense.bands)
        assert list(found.units) == list(dense.band_units.values())
        assert tuple(found.transform)[:6] == dense.transform
        assert tuple(found.bounds) == dense.extent
        assert found.crs.to_epsg() == pyproj.CRS(dense.crs).to_epsg() == 28992
        assert found.shape == dense.shape
        for number, name in enumerate(dense.bands, start=1):
            np.testing.assert_array_equal(found.read(number), dense[name])


def test_a_density_map_loses_nobody(located, dense):
    assert dense["density"].sum() * 100**2 == pytest.approx(len(located))
    assert dense["total"].sum() * 100**2 == pytest.approx(located["production"].sum())
    assert dense.summary["units"] == len(located)
    assert "map" in repr(dense)


def test_a_surface_is_the_measure_at_the_centres(town):
    found = kdisc.surface(town, cell=500, k=5)
    (rows, columns), (side, _, west, _, _, north) = found.shape, found.transform
    x, y = np.meshgrid(
        west + side * (np.arange(columns) + 0.5), north - side * (np.arange(rows) + 0.5)
    )
    at = pd.DataFrame({"x": x.ravel(), "y": y.ravel()})
    measured = kdisc.risk(town, k=5, at=at)
    np.testing.assert_array_equal(found["radius"].ravel(), measured["radius"])
    np.testing.assert_array_equal(found["risk"].ravel(), measured["risk"])
    assert found.crs is None and not found.is_masked
    assert kdisc.surface(town, cell=500, k=5, extent=found.extent).geotiff == found.geotiff


def test_a_map_of_degrees_is_in_metres(located):
    found = kdisc.surface(located.to_crs("EPSG:4326"), cell=1000, k=5)
    assert pyproj.CRS(found.crs).is_projected
    assert found.transform[0] == 1000


def test_without_enough_units_there_is_no_value():
    found = kdisc.surface(np.array([(0.0, 0), (1000, 1000)]), cell=500)
    assert np.isnan(found["radius"]).all()
    assert found._repr_png_()


def test_masked_cells_have_no_value_and_no_risk_bands(located):
    found = kdisc.density(located, cell=100, bandwidth=300, mask_unsafe=True)
    assert found.is_masked and list(found.bands) == ["density"]
    assert 0 < np.isnan(found["density"]).sum() < found["density"].size


def test_the_study_region_is_a_geodataframe(located, dense):
    west, south, east, north = dense.extent
    region = geopandas.GeoDataFrame(geometry=[box(west, south, east, north)], crs=located.crs)
    found = kdisc.density(located, cell=100, bandwidth=300, regions=region)
    assert found["density"].sum() * 100**2 == pytest.approx(len(located))


def size_of(png):
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def test_a_raster_shows_itself(dense):
    assert dense._repr_png_() == dense.picture("density")
    assert size_of(dense.picture())[0] == 1600
    assert len({dense.picture(band) for band in dense.bands}) == len(dense.bands)
    with pytest.raises(kdisc.InputError, match="no band 'risk'"):
        dense.picture("risk")


def test_a_map_is_the_picture_of_the_command(located, drawn, tmp_path):
    words = ["map", "data", "--highlight", "top:3"]
    for kind in ("svg", "png", "pdf"):
        drawn.save(tmp_path / f"map.{kind}")
        told = commanded(tmp_path / f"command.{kind}", located, *words)
        assert (tmp_path / f"map.{kind}").read_bytes() == told


def test_a_map_shows_itself(drawn, monkeypatch):
    assert drawn._repr_svg_() == drawn.svg and drawn.svg.startswith("<svg")
    assert size_of(drawn._repr_png_())[0] == 1000
    assert drawn.pdf.startswith(b"%PDF")
    assert "CONFIDENTIAL" in repr(drawn) and "CONFIDENTIAL" in drawn.svg
    monkeypatch.setattr("kdisc._results.LARGEST_SVG", 1000)
    assert drawn._repr_svg_() is None


def test_what_a_map_may_be_of(located, town):
    assert kdisc.map(located, k=[5, 10, 20]).summary["color"] == "radius"
    both = kdisc.map(located, delta=[0, np.inf]).summary["maps"]
    assert [found["delta"] for found in both] == [0, "inf"]
    assert kdisc.map(located, zoom=12, delta="overlap").summary["maps"][0]["subject"] == {"zoom": 12}
    assert kdisc.map(located, grid=500, maup=True, min_count=5).summary["classes"][0]["units"] > 0
    assert kdisc.map(located, surface=500).summary["maps"][0]["subject"] == {"surface": 500}
    public = kdisc.map(located, public=True, cell=500)
    assert public.summary["public"] and "CONFIDENTIAL" not in public.svg
    page = kdisc.map(town, size=(640, 480), theme="dark", title="A <town>", breaks=[5, 10])
    assert size_of(page.png) == (640, 480) and "A &lt;town&gt;" in page.svg
    assert len(page.summary["classes"]) == 3


def test_layers_and_places_are_tables(located, town):
    plain = kdisc.map(located)
    marked = kdisc.map(located, highlight=located.head(2))
    assert marked.svg != plain.svg
    pairs = [(town.x[0], town.y[0]), (town.x[1], town.y[1])]
    # Notes and marks are the same, wherever the places came from.
    assert kdisc.map(located, highlight=pairs).png == marked.png
    cells = kdisc.areal(located, grid=2000).table[["geometry"]]
    under, over = kdisc.map(located, under=cells), kdisc.map(located, over=cells)
    assert len({plain.png, under.png, over.png}) == 3


@pytest.mark.parametrize("name", ["map", "map.gif", "map.tif.csv"])
def test_names_that_say_nothing(dense, drawn, tmp_path, name):
    for result in (dense, drawn):
        with pytest.raises(kdisc.InputError, match="does not say"):
            result.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written(drawn, dense, tmp_path):
    with pytest.raises(kdisc.InputError, match="no such|directory"):
        drawn.save(tmp_path / "absent" / "map.png")
    (tmp_path / "map.tif").mkdir()
    with pytest.raises(kdisc.InputError, match="map.tif"):
        dense.save(tmp_path / "map.tif")


def test_questions_that_make_no_map(located):
    with pytest.raises(kdisc.InputError, match="breaks"):
        kdisc.map(located, breaks=[10, 5])
    with pytest.raises(kdisc.InputError, match="bandwidth"):
        kdisc.density(located, cell=100)
    with pytest.raises(kdisc.InputError, match="memory"):
        kdisc.surface(located, cell=1, max_memory="1M")
    with pytest.raises(kdisc.InputError, match="'cell'"):
        kdisc.surface(located, cell=0)

"""A program of a user who wants to know his types: `mypy --strict` passes it, too (see `make python`)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import kdisc


def told(phase: str, done: int, total: int) -> None:
    assert phase and done <= total


def test_every_function_and_what_it_gives(tmp_path: Path) -> None:
    town = kdisc.example(300, seed=1)
    table: Any = kdisc.risk(town, 5, math.inf, "l2", "x", "y", None, None, None, 1, progress=told)
    summary: kdisc.Summary
    table, summary = kdisc.risk(table, prefix="again_", on_invalid="skip", summary=True)
    words: str = summary.text
    assert words and summary["units"] == 300
    polygons: Any = kdisc.discs(town, k=5, delta=0.0, metric="linf", crs="EPSG:28992")
    assert len(polygons)

    seen: kdisc.Result = kdisc.zoom(town, "8-10", crs=28992, max_radius=20, allow="1%", delta="overlap")
    seen = kdisc.zoom(town, pixel=[100, 50], screen=None, tile=512, dpr=1.5)
    seen = kdisc.areal(town, grid=500.0, origin=(0, 0), edges="north-west", units=True)
    assert seen.table is not None and seen.units is not None
    seen = kdisc.rules(town, "production", p=10, dominance=[(1, 75), (2, 85)], raster_risk="external")
    seen = kdisc.bandwidth(town, shares=[0.5, 1], kernel="quartic")

    raster: kdisc.Raster = kdisc.density(town, 100, 300.0, value="production", extent=None)
    raster = kdisc.surface(town, cell=500, k=5, delta=100)
    band: npt.NDArray[np.float64] = raster["radius"]
    rows, columns = raster.shape
    assert band.shape == (rows, columns)
    west, south, east, north = raster.extent
    a, _, c, _, e, f = raster.transform
    assert (west, north, east) == (c, f, c + columns * a) and south == f + rows * e
    crs: str | None = raster.crs
    masked: bool = raster.is_masked
    assert crs is None and not masked and raster.band_units["radius"] == "m"
    raster.save(tmp_path / "map.tif")
    image: bytes = raster.picture("risk")
    assert image and raster.geotiff

    drawn: kdisc.Map = kdisc.map(town, k=[5, 10], size=(600, 400), theme="dark", palette="cividis")
    drawn = kdisc.map(town, highlight=[(0.0, 0.0)], breaks=(5, 10), zoom=None)
    drawn.save(str(tmp_path / "map.pdf"))
    text: str = drawn.svg
    files: list[bytes] = [drawn.png, drawn.pdf]
    assert text and all(files)

    page: kdisc.Report = kdisc.report(town, max_radius=500, levels=10, crs="EPSG:28992")
    verdict: dict[str, Any] | None = page.verdict
    assert verdict is not None and page.json["verdict"] == verdict
    page.save(tmp_path / "report.html")

    try:
        kdisc.risk(town, k=0)
    except kdisc.InputError as error:
        sentence: str = error.message
        help: str | None = error.help
        base: kdisc.KdiscError = error
        assert sentence in str(base) and help is None
    else:
        raise AssertionError("k=0 makes no sense")
    assert kdisc.__version__ and issubclass(kdisc.KdiscWarning, UserWarning)

"""The commands of kdisc as functions: the same names, defaults and meanings. Those about regions are
in ``_regions``, those that draw in ``_maps`` and ``_pages``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import pyarrow as pa

from . import _native
from ._errors import InputError
from ._question import Kernel, Metric, OnInvalid, Question, levels_of, options_of, result_of, sides_of
from ._results import Result
from ._run import Progress


def risk(
    data: Any,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    at: Any | None = None,
    within: str | None = None,
    threads: int | None = None,
    *,
    only: str | None = None,
    at_layer: str | None = None,
    regions: Any | None = None,
    region_id: str | None = None,
    regions_layer: str | None = None,
    enclosed: bool = False,
    prefix: str = "",
    show_locations: bool = False,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    summary: bool = False,
    progress: Progress = False,
) -> Any:
    """Measures every unit: its smallest disc of at least ``k`` units, and its risk.

    ``data`` comes back as what it is, with columns added: ``multiplicity``, the units at the same
    location; ``radius``, ``center_x``, ``center_y`` and ``units`` of the disc; ``risk``, which is
    radius / units in metres per unit; and ``status``: ok, no_disc (fewer than k units in all, or in
    the group), not_enclosed, outside (of all regions), not_measured or invalid. Centres are in the
    coordinate system of the data, radii in metres.

    Parameters
    ----------
    data
        A GeoDataFrame, a DataFrame (pandas, Polars), a pyarrow Table, anything with the Arrow
        PyCapsule interface (a DuckDB relation), or NumPy arrays: of shape (n, 2), two of one length
        as (x, y), or structured.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the unit: 0, a distance in metres, or infinity. It is what
        an attacker knows: at 0 the exact location, at infinity nothing of the surroundings.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    x, y
        Columns of the coordinates (east, north), when their names are not usual ones.
    weight
        How many units a row stands for: a column, or one number per row. 0: measured, never
        counted.
    at
        Measure these places instead of the units: data of any kind, or the name of a file. It comes
        back with the columns added.
    within
        Column of groups: only units with the same text in it count.
    threads
        Threads to use; all cores when absent. The result does not depend on it.
    only
        Measure only the rows with this value in a column: ``"fined=True"``. All rows count towards
        k.
    at_layer
        Layer of the file of places, if it has several.
    regions
        Only units in the same polygon count: a GeoDataFrame, or the name of a file.
    region_id
        Column of ``regions`` with the names of the polygons, for messages.
    regions_layer
        Layer of that file, if it has several.
    enclosed
        The disc must lie inside the polygon, too (metric l2, delta 0 or infinity).
    prefix
        Put before the names of the added columns.
    show_locations
        Name the coordinates of the most isolated rows in the text of the summary.
    crs
        Coordinate system of the data, when it does not say: "EPSG:28992", 28992, a PROJ string,
        WKT, or a CRS of pyproj.
    compute_crs
        Coordinate system in which distances are taken. When absent, that of the data if it is
        metric; degrees and Web Mercator are projected to one fitted to the data.
    centroid
        Let lines and polygons stand for their centroids.
    on_invalid
        What to do with rows that cannot be used: "error" stops at the first, "skip" leaves them
        out.
    summary
        Give the figures of the run too: a pair of the table and a :class:`Summary`.
    progress
        True for a bar of tqdm, if that is installed; or a function that is called with what is
        being done, steps done, and steps in all.

    Examples
    --------
    The counterexample of the paper, in metres:

    >>> import numpy as np
    >>> points = np.array([(0, 0), (2000, 0), (-2000, 0), (0, -2500)])
    >>> found = risk(points, k=3)
    >>> found["radius"].round(3).tolist()
    [1600.781, 1600.781, 1600.781, 1600.781]
    """
    question = Question(data, options_of(risk, locals()))
    question.further("regions")
    places = question.further("at")
    outcome = question.ask("risk", summary=summary, progress=progress)
    answers = (places or question.data).add(outcome.table())
    return (answers, outcome.summary) if summary else answers


def discs(
    data: Any,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    *,
    within: str | None = None,
    threads: int | None = None,
    only: str | None = None,
    regions: Any | None = None,
    region_id: str | None = None,
    regions_layer: str | None = None,
    enclosed: bool = False,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    progress: Progress = False,
) -> Any:
    """The discs of :func:`risk` as polygons: each distinct one once.

    Beside the polygon there are the figures of the disc and how many units it serves. The result is
    a GeoDataFrame where the data is one or a DataFrame of pandas, and a relation with GEOMETRY where
    it is a relation of DuckDB; else a table with the polygons as WKB.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the unit: 0, a distance in metres, or infinity. It is what
        an attacker knows: at 0 the exact location, at infinity nothing of the surroundings.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    x, y
        Columns of the coordinates (east, north), when their names are not usual ones.
    weight
        How many units a row stands for: a column, or one number per row. 0: measured, never
        counted.
    within
        Column of groups: only units with the same text in it count.
    threads
        Threads to use; all cores when absent. The result does not depend on it.
    only
        Only the discs of the rows with this value in a column: ``"fined=True"``.
    regions
        Only units in the same polygon count: a GeoDataFrame, or the name of a file.
    region_id
        Column of ``regions`` with the names of the polygons, for messages.
    regions_layer
        Layer of that file, if it has several.
    enclosed
        The disc must lie inside the polygon, too (metric l2, delta 0 or infinity).
    crs
        Coordinate system of the data, when it does not say: "EPSG:28992", 28992, a PROJ string,
        WKT, or a CRS of pyproj.
    compute_crs
        Coordinate system in which distances are taken. When absent, that of the data if it is
        metric; degrees and Web Mercator are projected to one fitted to the data.
    centroid
        Let lines and polygons stand for their centroids.
    on_invalid
        What to do with rows that cannot be used: "error" stops at the first, "skip" leaves them
        out.
    progress
        True for a bar of tqdm, if that is installed; or a function that is called with what is
        being done, steps done, and steps in all.

    Examples
    --------
    >>> found = discs(example(), k=10)
    >>> bool(found.geometry.area.max() > found.geometry.area.min())
    True
    """
    question = Question(data, options_of(discs, locals()))
    question.further("regions")
    outcome = question.ask("risk", progress=progress, discs=True)
    return question.data.alone(outcome.table("discs"))


def zoom(
    data: Any,
    levels: str | int | Sequence[int] | None = None,
    *,
    pixel: float | Sequence[float] | None = None,
    screen: str | Sequence[int] | None = None,
    tile: Literal[256, 512] = 256,
    dpr: float = 1,
    marker: float = 1,
    k: int = 10,
    delta: float | Literal["pixel", "overlap"] = "pixel",
    metric: Metric = "l2",
    max_radius: float | None = None,
    max_risk_px: float | None = None,
    allow: float | str = 0,
    units: bool = False,
    prefix: str = "",
    show_locations: bool = False,
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Result:
    """Looks at the map: what is perceived at each zoom level, and which is still safe.

    The ``table`` of the result has one row per level; ``summary["verdict"]`` is what people came
    for. With ``units=True`` and a single level, ``units`` is the data with what each unit looks
    like.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    levels
        Levels of a web map: 14, or "6-18", as is usual. The coordinate system must be known.
    pixel
        Sizes of pixels instead of levels, in metres: one, or several.
    screen
        All units on one screen instead: "1200x800" or (1200, 800).
    tile
        Pixels of a tile of the web map: 256 or 512.
    dpr
        Pixels of the device for each of the web map, as on sharp screens.
    marker
        Size of a dot on the map, in pixels.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the dot: "pixel", "overlap" (the largest distance between
        two locations that share a pixel), or a number of pixels.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    max_radius
        A level is safe when no unit needs a disc of more than this many pixels.
    max_risk_px
        A level is safe when no unit has a higher risk, in pixels per unit.
    allow
        Share of the units that may exceed a limit, such as 0.01 or "1%".
    units
        Give the data too, with what each unit looks like at the one level asked for.
    prefix
        Put before the names of the columns that are added to it.
    show_locations
        Name the coordinates of the units that break a level in the text of the summary.
    x, y
        Columns of the coordinates (east, north), when their names are not usual ones.
    weight
        How many units a row stands for: a column, or one number per row. 0: measured, never
        counted.
    crs
        Coordinate system of the data, when it does not say: "EPSG:28992", 28992, a PROJ string,
        WKT, or a CRS of pyproj.
    compute_crs
        Coordinate system in which distances are taken. When absent, that of the data if it is
        metric; degrees and Web Mercator are projected to one fitted to the data.
    centroid
        Let lines and polygons stand for their centroids.
    on_invalid
        What to do with rows that cannot be used: "error" stops at the first, "skip" leaves them
        out.
    threads
        Threads to use; all cores when absent. The result does not depend on it.
    progress
        True for a bar of tqdm, if that is installed; or a function that is called with what is
        being done, steps done, and steps in all.

    Examples
    --------
    >>> seen = zoom(example(), pixel=[200, 50], max_radius=20)
    >>> seen.table["metres_per_pixel"].tolist()
    [200.0, 50.0]
    """
    options = options_of(zoom, {**locals(), "levels": levels_of(levels), "screen": sides_of(screen)})
    return result_of("zoom", Question(data, options), units, progress)


def bandwidth(
    data: Any,
    k: int = 10,
    *,
    shares: Sequence[float] = (0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1),
    kernel: Kernel = "gaussian",
    cell: float | None = None,
    min_bandwidth: float | None = None,
    units: bool = False,
    prefix: str = "",
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Result:
    """Finds the bandwidth at which a density map hides everybody among ``k`` units.

    The ``table`` of the result has one row per share of the units; with ``units=True``, ``units``
    is the data with the adaptive bandwidth of each.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    k
        Units that are to be within reach.
    shares
        Shares of the units, above 0 and up to 1.
    kernel
        For which Scott's rule of thumb is taken: "gaussian", "uniform", "quartic" or
        "epanechnikov".
    cell
        Side of the cells that the map will have, in metres.
    min_bandwidth
        The least adaptive bandwidth, in metres; one cell when absent.
    units
        Give the data too, with the adaptive bandwidth of each unit.
    prefix
        Put before the name of the column that is added to it.
    x, y
        Columns of the coordinates (east, north), when their names are not usual ones.
    weight
        How many units a row stands for: a column, or one number per row. 0: measured, never
        counted.
    crs
        Coordinate system of the data, when it does not say: "EPSG:28992", 28992, a PROJ string,
        WKT, or a CRS of pyproj.
    compute_crs
        Coordinate system in which distances are taken. When absent, that of the data if it is
        metric; degrees and Web Mercator are projected to one fitted to the data.
    centroid
        Let lines and polygons stand for their centroids.
    on_invalid
        What to do with rows that cannot be used: "error" stops at the first, "skip" leaves them
        out.
    threads
        Threads to use; all cores when absent. The result does not depend on it.
    progress
        True for a bar of tqdm, if that is installed; or a function that is called with what is
        being done, steps done, and steps in all.

    Examples
    --------
    >>> curve = bandwidth(example(), shares=[0.5, 1]).table
    >>> len(curve)
    2
    """
    question = Question(data, options_of(bandwidth, locals()))
    return result_of("bandwidth", question, units, progress)


def example(units: int = 8348, seed: int = 2026) -> Any:
    """The built-in example: a made-up town of enterprises, as a DataFrame of pandas if that is
    installed, else as a pyarrow Table. Coordinates are metres in EPSG:28992.

    Parameters
    ----------
    units
        Number of enterprises; more of them make more towns, at the same densities.
    seed
        Of the generator.

    Examples
    --------
    >>> len(example())
    8348
    """
    if not (1 <= units < 2**32 and 0 <= seed < 2**64):
        raise InputError(
            f"there is no example of {units} units, seed {seed}",
            "give at least one unit, fewer than 2**32; and a seed from 0 to 2**64 - 1",
        )
    table: pa.Table = _native.example(units, seed)
    try:
        return table.to_pandas()
    except ImportError:
        return table

"""The commands of kdisc as functions: the same names, defaults and meanings. Those that draw are in
``_maps``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import pyarrow as pa

from . import _native
from ._errors import InputError
from ._question import Kernel, Metric, OnInvalid, Question, options_of, result_of
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

    ``data`` comes back as what it is, with the columns ``multiplicity``, ``radius``, ``units``,
    ``risk``, ``center_x``, ``center_y`` and ``status`` added. With ``summary=True`` the figures of
    the run come too.

    Parameters
    ----------
    data
        A GeoDataFrame, a DataFrame (pandas, Polars), a pyarrow Table, anything with the Arrow
        PyCapsule interface, or NumPy arrays: of shape (n, 2), two of one length, or structured.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the unit: 0, a distance, or infinity.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    x, y
        Columns of the coordinates, when their names are not usual ones.
    weight
        How many units a row stands for: a column, or one number per row. 0: measured, never
        counted.
    at
        Measure these places instead of the units: a table, or the name of a file.
    within
        Count only units with the same text in this column.
    threads
        Threads to use; all cores when absent.
    only
        Measure only the rows with a value in a column: ``"fined=True"``.
    regions, region_id, regions_layer
        Count only units in the same polygon: a GeoDataFrame, or the name of a file.
    enclosed
        The disc must lie inside the polygon, too.
    prefix
        Put before the names of the added columns.
    crs, compute_crs
        Coordinate systems: of the data, when it does not say; and to take distances in.
    centroid
        Let lines and polygons stand for their centroids.
    on_invalid
        Rows that cannot be used: "error", or "skip" them.
    progress
        True for a bar of tqdm, or a function of what is done, steps done, and steps in all.

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
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    progress: Progress = False,
) -> Any:
    """The discs of :func:`risk` as polygons: each distinct one once.

    The arguments are those of :func:`risk`. A GeoDataFrame where the data is one or a DataFrame of
    pandas; else a table with the polygons as WKB.

    Examples
    --------
    >>> found = discs(example(), k=10)
    >>> bool(found.geometry.area.max() > found.geometry.area.min())
    True
    """
    question = Question(data, options_of(discs, locals()))
    question.further("regions")
    question.further("at")
    outcome = question.ask("risk", progress=progress, discs=True)
    return question.data.alone(outcome.table("discs"))


def zoom(
    data: Any,
    levels: str | int | None = None,
    *,
    pixel: float | Sequence[float] | None = None,
    screen: str | tuple[int, int] | None = None,
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
    like. ``screen`` is "1200x800" or (1200, 800); ``pixel`` one size in metres or several.

    Examples
    --------
    >>> seen = zoom(example(), pixel=[200, 50], max_radius=20)
    >>> seen.table["metres_per_pixel"].tolist()
    [200.0, 50.0]
    """
    options = options_of(zoom, locals())
    if isinstance(screen, tuple):
        options["screen"] = "x".join(str(part) for part in screen)
    return result_of("zoom", Question(data, options), units, progress)


def areal(
    data: Any,
    *,
    grid: float | None = None,
    hex: float | None = None,
    regions: Any | None = None,
    region_id: str | None = None,
    regions_layer: str | None = None,
    origin: tuple[float, float] | None = None,
    edges: Literal["south-west", "north-west"] | None = None,
    min_count: int | None = None,
    maup: bool = False,
    shifts: int = 16,
    k: int | None = None,
    delta: float | None = None,
    max_radius: float | None = None,
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
    """Counts units in grid cells or regions, and sees what their borders do to the counts.

    ``regions`` is a GeoDataFrame or the name of a file. With ``maup=True`` the grid is moved,
    reshaped and resized. The ``table`` of the result has one row per region.

    Examples
    --------
    >>> cells = areal(example(), grid=1000, min_count=10)
    >>> int(cells.table["count"].sum())
    8348
    """
    question = Question(data, options_of(areal, locals()))
    question.further("regions")
    return result_of("areal", question, units, progress)


def rules(
    data: Any,
    value: str | None = None,
    *,
    group: str | None = None,
    category: str | None = None,
    p: float | None = None,
    dominance: tuple[int, float] | list[tuple[int, float]] | None = None,
    min_count: int | None = None,
    max_share: float = 1,
    raster_risk: Literal["external", "internal", "discrete"] | None = None,
    max_risk: float = 0.95,
    sensitive: str | None = None,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    max_k: int | None = None,
    only: str | None = None,
    grid: float | None = None,
    hex: float | None = None,
    regions: Any | None = None,
    region_id: str | None = None,
    regions_layer: str | None = None,
    origin: tuple[float, float] | None = None,
    edges: Literal["south-west", "north-west"] | None = None,
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
    """Applies the rules of table disclosure to the values in every unit's disc, or in regions.

    ``dominance`` is (n, percentage), or a list of such. Without a grid, hexagons or regions, the
    ``table`` of the result is the data with columns added; with them it has one row per region, and
    ``units=True`` gives the data too.

    Examples
    --------
    >>> found = rules(example(), "production", p=10, dominance=[(1, 75), (2, 85)])
    >>> list(found.table.columns)[-7:]
    ['contributors', 'total', 'largest', 'second', 'own_share', 'p_margin', 'unsafe']
    """
    question = Question(data, options_of(rules, locals()))
    question.further("regions")
    if grid is not None or hex is not None or regions is not None:
        return result_of("rules", question, units, progress)
    outcome = question.ask("rules", summary=True, progress=progress)
    return Result(question.data.add(outcome.table()), outcome.summary)


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

    Examples
    --------
    >>> len(example())
    8348
    """
    if min(units, seed) < 0:
        raise InputError(f"there is no example of {units} units, seed {seed}", "give none below 0")
    table: pa.Table = _native.example(units, seed)
    try:
        return table.to_pandas()
    except ImportError:
        return table

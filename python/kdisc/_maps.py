"""The commands of kdisc that draw: maps of cells as arrays, pictures, and the report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from ._errors import InputError
from ._question import Kernel, Metric, OnInvalid, Question, options_of
from ._results import Map, Raster, Report
from ._run import Progress


def density(
    data: Any,
    cell: float,
    bandwidth: float | None = None,
    *,
    adaptive: bool = False,
    k: int = 10,
    min_bandwidth: float | None = None,
    kernel: Kernel = "gaussian",
    value: str | None = None,
    exact: bool = False,
    regions: Any | None = None,
    regions_layer: str | None = None,
    mask_unsafe: bool = False,
    min_contributors: float = 10,
    max_share: float = 0.95,
    extent: tuple[float, float, float, float] | None = None,
    max_memory: str = "4G",
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Raster:
    """Draws a density map, and sees which of its cells rest on too few units.

    The bands are ``density`` and, with ``value``, ``total`` and ``mean``; then ``contributors`` and
    ``largest_share``, unless cells that rest on too few units are left out (``mask_unsafe``).

    Parameters
    ----------
    data
        As for :func:`risk`.
    cell
        Side of a cell in metres.
    bandwidth
        How far units are spread, in metres; or ``adaptive=True``: as far as their ``k`` nearest
        units, and at least ``min_bandwidth``.
    kernel
        "gaussian", "uniform", "quartic" or "epanechnikov".
    value
        A column of numbers to be mapped beside the units.
    exact
        Spread units from where they are, not from the middle of their cells.
    regions, regions_layer
        The study region, beyond which nothing is spread: a GeoDataFrame, or the name of a file.
    min_contributors, max_share
        When a cell is safe.
    extent
        How far the map goes: least x and y, greatest x and y.
    max_memory
        Memory that the map may take, such as "500M" or "16G".

    Examples
    --------
    >>> from kdisc import example
    >>> found = density(example(), cell=200, bandwidth=500)
    >>> list(found.bands)
    ['density', 'contributors', 'largest_share']
    >>> round(float(found["density"].sum() * 200 * 200))
    8348
    """
    question = Question(data, options_of(density, locals()))
    question.further("regions")
    return Raster.of(question.draw("density", progress))


def surface(
    data: Any,
    cell: float,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    *,
    extent: tuple[float, float, float, float] | None = None,
    max_memory: str = "4G",
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Raster:
    """Measures every cell of a map, inhabited or not: the disc of a newcomer at its centre.

    The bands are ``radius`` and ``risk``. ``cell`` is the side of a cell in metres; the other
    arguments are those of :func:`risk` and :func:`density`.

    Examples
    --------
    >>> from kdisc import example
    >>> found = surface(example(), cell=500, k=5)
    >>> found["radius"].shape == found.shape
    True
    """
    question = Question(data, options_of(surface, locals()))
    return Raster.of(question.draw("surface", progress))


def map(
    data: Any,
    k: int | Sequence[int] = 10,
    delta: float | str | Sequence[float | str] | None = None,
    metric: Metric = "l2",
    *,
    color: Literal["risk", "radius"] | None = None,
    zoom: int | Sequence[int] | None = None,
    pixel: float | Sequence[float] | None = None,
    marker: float = 1,
    grid: float | Sequence[float] | None = None,
    hex: float | Sequence[float] | None = None,
    maup: bool = False,
    min_count: int | None = None,
    surface: float | None = None,
    highlight: str | Any | None = None,
    under: Any | None = None,
    under_layer: str | None = None,
    over: Any | None = None,
    over_layer: str | None = None,
    public: bool = False,
    cell: float | None = None,
    size: int | str | tuple[int, int] = 1000,
    dpi: int | None = None,
    theme: Literal["light", "dark"] = "light",
    palette: Literal["magma", "viridis", "inferno", "cividis"] = "magma",
    breaks: Sequence[float] | None = None,
    extent: tuple[float, float, float, float] | None = None,
    axes: bool = False,
    title: str | None = None,
    source: str | None = None,
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Map:
    """Draws a map of the risk: points, cells or a surface.

    The result shows itself in a notebook; ``save`` writes it as SVG, PNG or PDF. Several values of
    ``k``, ``delta``, ``zoom``, ``pixel``, ``grid`` or ``hex`` make maps side by side.

    Parameters
    ----------
    data
        As for :func:`risk`.
    k, delta, metric
        What is asked, as in :func:`risk`; with ``zoom`` and ``pixel`` delta is "pixel", "overlap"
        or a number of pixels.
    color
        What colours tell: "risk", or "radius" as is usual for several k.
    zoom, pixel, marker
        What is perceived at a level of a web map, or with pixels of so many metres; and how large a
        dot is, in pixels.
    grid, hex, maup, min_count
        Squares or hexagons by their counts; with ``maup`` the units whose verdict depends on where
        the grid lies.
    surface
        The measure everywhere, in squares of this side.
    highlight
        Units to be marked with their discs: "top:6", a table of places, pairs of coordinates, or
        the name of a file.
    under, under_layer, over, over_layer
        Layers below and above the data: GeoDataFrames, or names of files.
    public, cell
        For publication: cells (of this side) instead of locations, none with fewer than k units.
    size, dpi
        Of the page: 1200, (1200, 900), "180mm" or "180x120mm"; and pixels per inch.
    theme, palette, breaks, extent, axes, title, source
        What it looks like.

    Examples
    --------
    >>> from kdisc import example
    >>> drawn = map(example(), highlight="top:3")
    >>> drawn.svg[:4]
    '<svg'
    >>> drawn.summary["units"]
    8348
    """
    options = options_of(map, locals())
    if isinstance(size, tuple):
        options["size"] = "x".join(str(side) for side in size)
    if isinstance(highlight, (list, tuple)):
        try:
            options["highlight"] = ";".join(f"{float(x)!r},{float(y)!r}" for x, y in highlight)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"highlight={highlight!r} are no places", "give pairs of coordinates: [(x, y)]"
            ) from error
    question = Question(data, options)
    for layer in ("highlight", "under", "over"):
        question.further(layer)
    return Map.of(question.draw("map", progress))


def report(
    data: Any,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    *,
    max_radius: float | None = None,
    max_risk: float | None = None,
    min_count: int | None = None,
    allow: float | str = 0,
    max_radius_px: float | None = None,
    max_risk_px: float | None = None,
    grid: float | None = None,
    levels: str | None = None,
    value: str | None = None,
    group: str | None = None,
    category: str | None = None,
    p: float | None = None,
    dominance: tuple[int, float] | list[tuple[int, float]] | None = None,
    seed: int = 1,
    title: str | None = None,
    public: bool = False,
    x: str | None = None,
    y: str | None = None,
    weight: str | Any | None = None,
    crs: Any | None = None,
    compute_crs: Any | None = None,
    centroid: bool = False,
    on_invalid: OnInvalid = "error",
    threads: int | None = None,
    progress: Progress = False,
) -> Report:
    """Makes a report to file with a release: verdict, maps, charts and figures in one page.

    The result shows itself in a notebook; ``save`` writes the page, ``json`` has every figure shown
    and ``verdict`` says whether the data are safe, if there are limits.

    Parameters
    ----------
    data
        As for :func:`risk`.
    max_radius, max_risk, min_count, allow
        What is safe: the largest radius in metres, the highest risk in metres per unit, the fewest
        units in a cell of the grid; and the share of the units that may exceed any of them.
    max_radius_px, max_risk_px, levels
        What is safe at the levels of a web map, in pixels; and which levels, such as "6-18".
    grid
        Side of the cells in which units are counted, in metres.
    value, group, category, p, dominance
        As for :func:`rules`; rules that are named are limits.
    seed
        Of the random sample, if there are more than 20,000 units.
    public
        Leave out whatever points at a unit.

    Examples
    --------
    >>> from kdisc import example
    >>> found = report(example(), max_radius=500, allow="1%", levels="10-11")
    >>> found.verdict["safe"], found.verdict["units_exceeding"]
    (False, 84)
    >>> found.html[:15]
    '<!doctype html>'
    """
    question = Question(data, options_of(report, locals()))
    return Report.of(question.draw("report", progress))

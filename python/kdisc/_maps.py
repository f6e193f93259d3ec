"""The commands that make maps of cells, as arrays."""

from __future__ import annotations

import math
from typing import Any

from ._question import Kernel, Metric, OnInvalid, Question, options_of
from ._results import Raster
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
        The units, one row each, of any kind that :func:`risk` takes.
    cell
        Side of a cell, in metres; cells begin at whole multiples of it.
    bandwidth
        One bandwidth for all units, in metres.
    adaptive
        A bandwidth for each unit instead: the radius of the disc round it that holds k.
    k
        Units that an adaptive bandwidth reaches.
    min_bandwidth
        The least adaptive bandwidth, in metres; one cell when absent.
    kernel
        "gaussian", "uniform", "quartic" or "epanechnikov".
    value
        Column of a value, whose total and mean are mapped too.
    exact
        Spread units from where they are, not from the centres of their cells.
    regions
        The study region, beyond which nothing is spread: a GeoDataFrame, or the name of a file.
    regions_layer
        Layer of that file, if it has several.
    mask_unsafe
        Leave out cells that rest on too few.
    min_contributors
        Effective contributors that a safe cell has at least.
    max_share
        Share that the largest contribution to a safe cell has at most.
    extent
        How far the map goes: least x and y, greatest x and y, in the system in which distances are
        taken.
    max_memory
        Memory that the map may take, such as "500M" or "16G".
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

    The bands are ``radius``, in metres, and ``risk``, in metres per unit.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    cell
        Side of a cell, in metres; cells begin at whole multiples of it.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the place: 0, a distance in metres, or infinity.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    extent
        How far the map goes: least x and y, greatest x and y, in the system in which distances are
        taken.
    max_memory
        Memory that the map may take, such as "500M" or "16G".
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
    >>> from kdisc import example
    >>> found = surface(example(), cell=500, k=5)
    >>> found["radius"].shape == found.shape
    True
    """
    question = Question(data, options_of(surface, locals()))
    return Raster.of(question.draw("surface", progress))

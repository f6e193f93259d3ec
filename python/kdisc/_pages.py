"""The commands that draw a picture or a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from ._errors import InputError
from ._question import Metric, OnInvalid, Question, levels_of, options_of, sides_of
from ._results import Map, Report
from ._run import Progress


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
    size: int | str | Sequence[int] = 1000,
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
        The units, one row each, of any kind that :func:`risk` takes.
    k
        Units that a disc must hold; several for several maps.
    delta
        How far the centre may lie from the unit: 0, a distance, or infinity, as is usual; with
        ``zoom`` and ``pixel``: "pixel", as is usual, "overlap", or a number of pixels. Several for
        several maps.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    color
        What colours tell: "risk", or "radius" as is usual for several k.
    zoom
        Levels of a web map: what is perceived there.
    pixel
        Sizes of pixels in metres: what is perceived there.
    marker
        Size of a dot at a zoom level, in pixels.
    grid
        Squares with this side, in metres, by their counts.
    hex
        Hexagons of the area of a square with this side, in metres.
    maup
        Colour the units whose verdict depends on where the grid lies.
    min_count
        Units that a cell must have to be safe; k when absent.
    surface
        The measure everywhere, at the middle of squares of this side in metres.
    highlight
        Units to be marked with their discs: "top:6", a table of places, pairs of coordinates, or
        the name of a file.
    under
        A layer to draw under the data, such as coasts: a GeoDataFrame, or the name of a file.
    under_layer
        Layer of that file, if it has several.
    over
        A layer to draw over the data.
    over_layer
        Layer of that file, if it has several.
    public
        For publication: no exact locations, no cell with fewer than k units.
    cell
        Side of the cells that then stand for locations, in metres; a round size that suits when
        absent.
    size
        Size of the page, in pixels or mm: 1200, (1200, 900), "180mm" or "180x120mm".
    dpi
        Pixels per inch; 96, or 300 for a size in mm, when absent.
    theme
        "light" or "dark".
    palette
        "magma", "viridis", "inferno" or "cividis".
    breaks
        Where classes of colour end, such as [5, 10, 20]; round numbers that suit when absent.
    extent
        Show only this part: least x and y, greatest x and y, in the system in which distances are
        taken.
    axes
        Write coordinates along the frame.
    title
        Title; what is shown when absent.
    source
        Where the data come from.
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
    >>> drawn = map(example(), highlight="top:3")
    >>> drawn.svg[:4]
    '<svg'
    >>> drawn.summary["units"]
    8348
    """
    options = options_of(map, {**locals(), "size": sides_of(size)})
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
    levels: str | int | Sequence[int] | None = None,
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
        The units, one row each, of any kind that :func:`risk` takes.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the unit: 0, a distance in metres, or infinity. It is what
        an attacker knows: at 0 the exact location, at infinity nothing of the surroundings.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    max_radius
        Largest radius that is safe, in metres.
    max_risk
        Highest risk that is safe, in metres per unit.
    min_count
        Fewest units that a cell of the grid must have to be safe.
    allow
        Share of the units that may exceed any limit, such as 0.01 or "1%"; each counts once.
    max_radius_px
        Largest radius that is safe at a zoom level, in pixels.
    max_risk_px
        Highest risk that is safe at a zoom level, in pixels per unit.
    grid
        Side of the cells of a grid, in metres; about forty along the longer side when absent.
    levels
        Levels of a web map: 14, or "6-18", as is usual.
    value
        Column of values, for the rules of table disclosure.
    group
        Column of the owners, whose units add up first.
    category
        Column of a category, or of yes and no.
    p
        The p%-rule, in percent: unsafe when the second largest learns the largest to within so many
        percent. 10, if no rule on values is named.
    dominance
        Unsafe when the n largest have more than so many percent of the total: (n, percentage), or a
        list of such.
    seed
        Of the random sample, if there are more than 20,000 units.
    title
        Title of the page.
    public
        Leave out whatever points at a unit.
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
    >>> found = report(example(), max_radius=500, allow="1%", levels="10-11")
    >>> found.verdict["safe"], found.verdict["units_exceeding"]
    (False, 84)
    >>> found.html[:15]
    '<!doctype html>'
    """
    question = Question(data, options_of(report, {**locals(), "levels": levels_of(levels)}))
    return Report.of(question.draw("report", progress))

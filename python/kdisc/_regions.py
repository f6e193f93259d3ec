"""The commands about regions, and about what values give away."""

from __future__ import annotations

import math
from typing import Any, Literal

from ._question import Metric, OnInvalid, Question, options_of, result_of
from ._results import Result
from ._run import Progress


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

    One of ``grid``, ``hex`` and ``regions`` is needed. The ``table`` of the result has one row per
    region: its count, area and density, and its areal risk, which is 1 / count.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    grid
        Squares with this side, in metres.
    hex
        Hexagons of the area of a square with this side, in metres.
    regions
        Polygons: a GeoDataFrame, or the name of a file.
    region_id
        Column of ``regions`` with the names of the polygons; the numbers of their rows when absent.
    regions_layer
        Layer of that file, if it has several.
    origin
        Where the grid begins: (x, y); (0, 0) when absent.
    edges
        Which edges belong to a cell: "south-west" as in INSPIRE's grids, or "north-west" as in
        rasters of R.
    min_count
        Units that a region must have to be safe; with ``maup`` k when absent.
    maup
        Move, reshape and resize the grid, and see how the areal risk changes.
    shifts
        Steps in which the grid moves along each side.
    k
        Measure the units too: their smallest discs with this many.
    delta
        How far the centre of such a disc may lie from the unit: 0, a distance, or infinity.
    max_radius
        Radius, in metres, above which units count as too isolated; without it ``units_above`` is
        empty.
    units
        Give the data too, with the region of each unit.
    prefix
        Put before the names of the columns that are added to it.
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

    Without a grid, hexagons or regions, the
    ``table`` of the result is the data with columns added; with them it has one row per region, and
    ``units=True`` gives the data too.

    Parameters
    ----------
    data
        The units, one row each, of any kind that :func:`risk` takes.
    value
        Column of the values.
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
    min_count
        Fewest contributors; with ``raster_risk`` 10 when absent.
    max_share
        Largest share that one category may have; all is always too much.
    raster_risk
        A risk of rasters, as in sdcSpatial: "external", "internal" or "discrete".
    max_risk
        Largest such risk that is not sensitive.
    sensitive
        The category whose share is the discrete risk; the commonest when absent.
    k
        Units that a disc must hold.
    delta
        How far the centre may lie from the unit: 0, a distance in metres, or infinity. It is what
        an attacker knows: at 0 the exact location, at infinity nothing of the surroundings.
    metric
        "l2": discs; "linf": squares; "l1": squares on a corner.
    max_k
        Try every k up to this one, for the summary; 50 for up to 20,000 locations when absent.
    only
        Tell only of the rows with this value in a column: ``"fined=True"``. All rows count.
    grid
        One row per square with this side, in metres, instead of one per unit.
    hex
        One row per hexagon of the area of a square with this side, in metres.
    regions
        One row per polygon: a GeoDataFrame, or the name of a file.
    region_id
        Column of ``regions`` with the names of the polygons; the numbers of their rows when absent.
    regions_layer
        Layer of that file, if it has several.
    origin
        Where the grid begins: (x, y); (0, 0) when absent.
    edges
        Which edges belong to a cell: "south-west" as in INSPIRE's grids, or "north-west" as in
        rasters of R.
    units
        Give the data too, when the table is one of regions.
    prefix
        Put before the names of the added columns.
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
    >>> found = rules(example(), "production", p=10, dominance=[(1, 75), (2, 85)])
    >>> list(found.table.columns)[-7:]
    ['contributors', 'total', 'largest', 'second', 'own_share', 'p_margin', 'unsafe']
    """
    question = Question(data, options_of(rules, locals()))
    question.further("regions")
    if grid is not None or hex is not None or regions is not None:
        return result_of("rules", question, units, progress)
    outcome = question.ask("rules", summary=True, progress=progress, units=units)
    return Result(question.data.add(outcome.table()), outcome.summary)

"""How data will be measured, from a few passes that count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Any

from pyspark.sql import functions as F

from .._errors import InputError
from .._question import Metric, OnInvalid
from .._tiling.grid import Grid, Ints
from .._tiling.plan import Limits, Question, Tiles, tiles
from .._tiling.survey import survey
from .._tiling.tasks import COUNTED, UNITS, X, Y, counting
from .._tiling.tree import Counts
from ._input import Columns

#: Locations of a tile's own, about: some seconds of work, some ten megabytes to send.
TILE_ROWS = 250_000
#: Locations that one task may be given.
MAX_ROWS = 10_000_000
MAX_REPLICATION = 1.5


@dataclass(frozen=True, repr=False, eq=False)
class Plan:
    """How data will be measured: made by :func:`plan`, taken by :func:`risk`."""

    #: Rows of the data, those that cannot be used, units they stand for, and places they are at.
    rows: int
    invalid: int
    units: int
    locations: int
    #: Tasks that measure; none if there are fewer than k units.
    tiles: int
    #: Locations that are sent to tiles, borders included, for each location there is.
    replication: float
    #: How far beyond its own cells a tile has to look at most, in the unit of the coordinates.
    widest_border: float
    #: Locations in the largest tile, border included.
    largest_tile: int
    #: What was asked: it is the same when the data are measured.
    k: int
    delta: float
    metric: str
    columns: Columns
    _tiles: Tiles | None

    def __repr__(self) -> str:
        unusable = f", {self.invalid} of which cannot be used" if self.invalid else ""
        lines = {
            "asked": f"k = {self.k}, delta = {self.delta:g}, metric = {self.metric}",
            "input": f"{self.rows} rows{unusable}",
            "population": f"{self.units} units at {self.locations} locations",
            "tiles": f"{self.tiles}, the largest with {self.largest_tile} locations",
            "borders": f"{self.widest_border:.6g} wide at most",
            "replication": f"{self.replication:.3f} locations sent for each there is",
        }
        if self._tiles is None:
            lines["tiles"] = "none: there are fewer than k units, so nobody has a disc"
        return "\n".join(f"{name:<12}{text}" for name, text in lines.items())

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"

    @property
    def _question(self) -> Question:
        return Question(self.k, self.delta, self.metric)


def plan(
    data: Any,
    k: int = 10,
    delta: float = math.inf,
    metric: Metric = "l2",
    x: str | None = None,
    y: str | None = None,
    weight: str | None = None,
    *,
    prefix: str = "",
    on_invalid: OnInvalid = "error",
    tile_rows: int = TILE_ROWS,
    max_rows: int = MAX_ROWS,
    max_replication: float = MAX_REPLICATION,
) -> Plan:
    """Looks how a DataFrame of Spark would be measured, and measures nothing.

    The arguments are those of :func:`risk`. Jobs run that look at all rows once, put rows at one
    location together, and count these in cells; only counts come to the driver.

    Raises :class:`kdisc.InputError` if the data or the question cannot be used, or if a tile would
    have more than ``max_rows`` locations.
    """
    limits = _limits(tile_rows, max_rows, max_replication)
    options = dict(
        k=k, delta=delta, metric=metric, x=x, y=y, weight=weight, prefix=prefix, on_invalid=on_invalid
    )
    columns = Columns.of(data, options)
    facts = columns.facts(data, on_invalid)
    grid = Grid.over(*facts.extent)
    # Several passes need them. They do not outlive this function.
    located = locations(columns.located(data)).persist()
    try:
        counts = survey(
            lambda cells, levels: _pass(located, grid, cells, levels),
            facts.rows - facts.invalid,
            limits.tile_rows,
            int(k),
        )
    finally:
        located.unpersist()
    question = Question(int(k), float(delta), metric)
    cut = tiles(grid, counts, question, limits) if facts.units >= k else None
    there_are = int(counts.locations.sum())
    return Plan(
        rows=facts.rows,
        invalid=facts.invalid,
        units=facts.units,
        locations=there_are,
        tiles=0 if cut is None else len(cut.rows),
        replication=0.0 if cut is None else float(cut.rows.sum()) / there_are,
        widest_border=0.0 if cut is None else cut.widest,
        largest_tile=0 if cut is None else int(cut.rows.max()),
        k=question.k,
        delta=question.delta,
        metric=question.metric,
        columns=columns,
        _tiles=cut,
    )


def locations(located: Any) -> Any:
    """Each location once, with its units."""
    usable = located.where(F.col(X).isNotNull())
    return usable.groupBy(X, Y).agg(F.sum(UNITS).alias(UNITS))


def _limits(tile_rows: int, max_rows: int, max_replication: float) -> Limits:
    if min(tile_rows, max_rows) < 1:
        raise InputError(f"tile_rows={tile_rows}, max_rows={max_rows}", "give numbers of 1 or more")
    if not max_replication >= 1:
        raise InputError(f"max_replication={max_replication}", "give 1 or more: 1 for a single tile")
    return Limits(int(tile_rows), int(max_rows), float(max_replication))


def _pass(located: Any, grid: Grid, cells: Counts, levels: Ints) -> Counts:
    """Counts what is in these cells, by cells of these finer levels. Only counts leave Spark."""
    schema = ", ".join(f"{name} long" for name in COUNTED)
    counted = located.mapInArrow(counting(grid, cells, levels), schema)
    sums = [F.sum(name).alias(name) for name in ("units", "locations")]
    table = counted.groupBy("start", "level").agg(*sums).toArrow().sort_by("start")
    return Counts(*(table.column(name).to_numpy() for name in COUNTED))

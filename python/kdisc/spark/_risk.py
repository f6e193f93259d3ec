"""The measure itself: locations to tiles, tiles to the engine, answers to rows."""

from __future__ import annotations

import math
from typing import Any

from pyspark.sql import functions as F

from .._errors import InputError
from .._question import Metric, OnInvalid
from .._tiling.grid import CHANGED
from .._tiling.tasks import UNITS, X, Y, measuring, sending
from ._input import ADDED, Columns, quoted
from ._plan import MAX_REPLICATION, MAX_ROWS, TILE_ROWS, Plan, locations
from ._plan import plan as make_plan


def risk(
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
    plan: Plan | None = None,
    tile_rows: int = TILE_ROWS,
    max_rows: int = MAX_ROWS,
    max_replication: float = MAX_REPLICATION,
) -> Any:
    """Measures every unit of a DataFrame of Spark, exactly as :func:`kdisc.risk` does.

    The data come back as a DataFrame with the columns ``multiplicity``, ``radius``, ``units``,
    ``risk``, ``center_x``, ``center_y`` and ``status`` added. Planning takes a few jobs that count
    (:func:`plan`); the measure itself runs, as always in Spark, when the result is used.

    Parameters
    ----------
    data
        A DataFrame of Spark with coordinates in metres. It is computed more than once, and must be
        the same each time.
    k, delta, metric, x, y, weight, prefix, on_invalid
        As for :func:`kdisc.risk`. The weight is a column.
    plan
        One that was made before, of the same data and question.
    tile_rows
        About how many locations a task measures.
    max_rows
        How many locations a task may be given, border included. If it takes more, this is an
        error, before anything is measured.
    max_replication
        Tiles are put together while more than this many times their own locations would be sent to
        them.
    """
    made = plan
    if made is None:
        made = make_plan(
            data,
            k,
            delta,
            metric,
            x,
            y,
            weight,
            prefix=prefix,
            on_invalid=on_invalid,
            tile_rows=tile_rows,
            max_rows=max_rows,
            max_replication=max_replication,
        )
    else:
        options = dict(k=k, delta=delta, metric=metric, x=x, y=y, weight=weight, prefix=prefix)
        if (made.k, made.delta, made.metric, made.columns) != (
            k,
            delta,
            metric,
            Columns.of(data, options),
        ):
            raise InputError("the plan was made for another question", "plan again")
        if made.invalid and on_invalid != "skip":
            raise InputError(
                f"{made.invalid} of {made.rows} rows cannot be used",
                'leave them out with on_invalid="skip"',
            )
    located = made.columns.located(data)
    answers = _answers(locations(located), made, prefix)
    joined = located.join(answers, [X, Y], "left")
    status = F.col(quoted(prefix + "status"))
    # Every row that can be used has an answer, or the data were not the same the second time.
    status = (
        F.when(F.col(X).isNull(), F.lit("invalid"))
        .when(status.isNull(), F.raise_error(F.lit(CHANGED)).cast("string"))
        .otherwise(status)
    )
    kept = [F.col(quoted(name)) for name in (*data.columns, *(prefix + name for name in ADDED))]
    return joined.select(*kept[:-1], status.alias(prefix + "status"))


def _answers(located: Any, plan: Plan, prefix: str) -> Any:
    """What there is to say of each location."""
    names = {prefix + name: kind for name, kind in ADDED.items()}
    if plan._tiles is None:
        nothing = [F.lit(None).cast(kind).alias(name) for name, kind in names.items()]
        here = F.col(UNITS).alias(prefix + "multiplicity")
        status = F.lit("no_disc").alias(prefix + "status")
        return located.select(X, Y, here, *nothing[1:-1], status)
    sent = located.mapInArrow(
        sending(plan._tiles), f"tile int, own boolean, {X} double, {Y} double, {UNITS} long"
    )
    # A partition, and so a task, for each tile.
    tiles = sent.repartitionById(plan.tiles, "tile").groupBy("tile")
    schema = ", ".join(f"{name} {kind}" for name, kind in ADDED.items())
    found = tiles.applyInArrow(
        measuring(plan._tiles, plan._question), f"{X} double, {Y} double, {schema}"
    )
    return found.toDF(X, Y, *names)

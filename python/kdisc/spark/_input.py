"""What a DataFrame of Spark must be like, and what a look at all of its rows says."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.types import NumericType

from .. import _native
from .._errors import InputError, KdiscWarning
from .._question import DATA
from .._run import words_of
from .._tiling.tasks import UNITS, X, Y

#: What the engine can take (``kdisc::LARGEST_COORDINATE`` and so on).
LARGEST, SMALLEST, MOST_UNITS = 1e150, 1e-130, 2.0**53
#: What a measure adds, and its type in Spark.
ADDED = {
    "multiplicity": "long",
    "radius": "double",
    "units": "long",
    "risk": "double",
    "center_x": "double",
    "center_y": "double",
    "status": "string",
}


@dataclass(frozen=True)
class Facts:
    """What all rows together are."""

    rows: int
    invalid: int
    units: int
    #: West, south, east, north; of the usable rows.
    extent: tuple[float, float, float, float]


@dataclass(frozen=True)
class Columns:
    """Where coordinates and weights are."""

    x: str
    y: str
    weight: str | None

    @classmethod
    def of(cls, data: Any, options: Mapping[str, Any]) -> Columns:
        """Looks at the names and types of the columns, and at the question, without a job."""
        names = list(data.columns)
        asked = {name: options.get(name) for name in ("k", "delta", "metric", "prefix", "on_invalid")}
        given = {name: options.get(name) for name in ("x", "y", "weight")}
        told = _ask(names, {**asked, **given}, [(1.0, 1.0)], 1, given["weight"])
        facts = json.loads(told["summary"])["inputs"][0]
        # The engine has seen that both names are given, or neither.
        named = [str(given["x"]), str(given["y"])]
        x, y = _native.coordinates(names) if given["x"] is None else named
        if facts["crs"] is not None:
            raise InputError(
                f"columns {x!r} and {y!r} are degrees by their names, and degrees are no lengths",
                "project them to metres first, or measure on one machine: kdisc.risk projects",
            )
        types = {field.name: field.dataType for field in data.schema.fields}
        for name in (x, y, given["weight"]):
            if name is not None and not isinstance(types[name], NumericType):
                raise InputError(
                    f"column {name!r} is {types[name].simpleString()}, not numbers",
                    f'cast it: df.withColumn("{name}", df["{name}"].cast("double"))',
                )
        _refuse_same(names, str(options.get("prefix") or ""))
        return cls(x, y, given["weight"])

    def located(self, data: Any) -> Any:
        """The data with coordinates as doubles, without -0, and units. Rows that cannot be used have
        none."""
        x, y = (F.col(quoted(name)).cast("double") for name in (self.x, self.y))
        weight = F.lit(1) if self.weight is None else F.col(quoted(self.weight))
        usable = _usable(x) & _usable(y)
        if self.weight is not None:
            usable = usable & _countable(weight.cast("double"))
        return data.withColumns(
            {
                X: F.when(usable, x + F.lit(0.0)),
                Y: F.when(usable, y + F.lit(0.0)),
                UNITS: F.when(usable, weight.cast("long")),
            }
        )

    def facts(self, data: Any, on_invalid: str) -> Facts:
        """Looks at all rows once, and refuses those that cannot be measured."""
        x, y = (F.col(quoted(name)).cast("double") for name in (self.x, self.y))
        problems = {}
        for name, value in ((self.x, x), (self.y, y)):
            problems[f'"{name}" is missing'] = value.isNull()
            problems[f'"{name}" is not finite'] = F.isnan(value) | (F.abs(value) == math.inf)
            large = (F.abs(value) > LARGEST) & (F.abs(value) < math.inf)
            problems[f'"{name}" is beyond 1e150'] = large
            small = (F.abs(value) < SMALLEST) & (value != 0)
            problems[f'"{name}" is nearer to 0 than 1e-130'] = small
        if self.weight is not None:
            weight = F.col(quoted(self.weight)).cast("double")
            problems[f'"{self.weight}" is missing'] = weight.isNull() | F.isnan(weight)
            problems[f'"{self.weight}" is negative'] = weight < 0
            problems[f'"{self.weight}" is not whole'] = (weight != F.floor(weight)) & (
                F.abs(weight) < MOST_UNITS
            )
            problems[f'"{self.weight}" is 2^53 or more'] = ~F.isnan(weight) & (weight >= MOST_UNITS)
        seen = self.located(data)
        (row,) = seen.agg(
            F.count(F.lit(1)),
            F.count(F.col(X)),
            F.sum(F.col(UNITS).cast("double")),
            F.min(X),
            F.min(Y),
            F.max(X),
            F.max(Y),
            *[F.count_if(problem) for problem in problems.values()],
        ).collect()
        rows, usable, units, west, south, east, north, *counts = row
        if rows == 0:
            raise InputError("data has no rows", "give a DataFrame with rows")
        found = [(count, problem) for count, problem in zip(counts, problems) if count]
        if found and on_invalid != "skip":
            raise InputError(
                f"{rows - usable} of {rows} rows cannot be used: "
                + "; ".join(f"{problem} in {count}" for count, problem in found),
                'correct them, or leave them out with on_invalid="skip"',
            )
        if usable == 0:
            raise InputError(f"none of the {rows} rows can be used", "check the columns of coordinates")
        if units > MOST_UNITS:
            raise InputError("there are more than 2^53 units", "check the column of weights")
        extent = (west, south, east, north)
        corners = [(west, south), (east, north)]
        told = _ask([X, Y, UNITS], {"x": X, "y": Y, "weight": UNITS}, corners, int(units > 0), UNITS)
        if told["warnings"]:
            warnings.warn(
                "all coordinates could be degrees, but they are taken as metres; if they are "
                "degrees, project them first",
                KdiscWarning,
                stacklevel=4,
            )
        return Facts(rows, rows - usable, int(units), extent)


def _usable(value: Any) -> Any:
    """Whether this is a coordinate. False for what is missing and for what is not a number."""
    size = F.abs(value)
    return F.coalesce((value == 0) | ((size >= SMALLEST) & (size <= LARGEST)), F.lit(False))


def _countable(weight: Any) -> Any:
    whole = (weight >= 0) & (weight < MOST_UNITS) & (weight == F.floor(weight))
    return F.coalesce(whole, F.lit(False))


def quoted(name: str) -> str:
    """A name of a column as Spark wants it, whatever is in it."""
    return "`" + name.replace("`", "``") + "`"


def _ask(
    names: list[str],
    options: Mapping[str, Any],
    points: list[tuple[float, float]],
    units: int,
    weight: str | None,
) -> Any:
    """Lets the engine look at a table with these columns and points, so that whatever is wrong is
    said as ``kdisc.risk`` says it."""
    x, y = options.get("x"), options.get("y")
    found = _native.coordinates(names)
    columns = dict(zip(found, ("x", "y")))
    columns.update({name: axis for name, axis in ((x, "x"), (y, "y")) if name is not None})
    values = {"x": [point[0] for point in points], "y": [point[1] for point in points]}
    arrays = []
    for name in names:
        if name == weight:
            arrays.append(pa.array([units] * len(points), pa.int64()))
        elif name in columns:
            arrays.append(pa.array(values[columns[name]], pa.float64()))
        else:
            arrays.append(pa.nulls(len(points)))
    table = pa.Table.from_arrays(arrays, names=names)
    words = ["risk", DATA, *words_of(options), "--threads=1", "--summary", "-"]
    return _native.run(words, [(DATA, table)], None)


def _refuse_same(names: list[str], prefix: str) -> None:
    """For Spark, Radius and radius are one name."""
    added = {(prefix + name).lower(): prefix + name for name in ADDED}
    for name in names:
        if name.lower() in added:
            raise InputError(
                f'data already has a column "{name}", and Spark does not tell it from '
                f'"{added[name.lower()]}"',
                'put something before the new names: prefix="kdisc_"',
            )

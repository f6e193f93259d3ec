"""A question about data: what it is put to, and with which options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from ._arrow import Frame, one_kind
from ._errors import InputError
from ._frames import frame, is_a
from ._pandas import name_of
from ._results import Result
from ._run import Outcome, Progress, listed, named, run

Metric = Literal["l2", "l1", "linf"]
OnInvalid = Literal["error", "skip"]
Kernel = Literal["gaussian", "uniform", "quartic", "epanechnikov"]

#: What the data is called in messages.
DATA = "data"
#: Arguments that name columns, which in pandas need not be texts.
COLUMNS = ("x", "y", "weight", "within", "value", "group", "category", "region_id")
#: Further inputs of commands.
TABLES = ("at", "regions", "highlight", "under", "over")
#: Arguments of functions that are no options of commands.
NOT_OPTIONS = {"data", "units", "summary", "progress"}


class Question:
    """Data of any kind, further tables, and the options of a command."""

    def __init__(self, data: Any, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        for name in COLUMNS:
            label = self.options.get(name)
            if isinstance(label, (int, np.integer, tuple)) and _has(data, label):
                self.options[name] = name_of(label)
        for name in ("crs", "compute_crs"):
            if hasattr(self.options.get(name), "__index__"):
                self.options[name] = f"EPSG:{self.options[name]}"
        weights = self._weights(data)
        coordinates = self.options.get("x") is not None
        self.data = frame(data, named(self.options), coordinates=coordinates)
        table = self.data.table
        if weights is not None:
            if len(weights) != table.num_rows:
                raise InputError(
                    f"there are {len(weights)} weights for {table.num_rows} rows",
                    "give one weight per row, or the name of a column",
                )
            table = _with(table, "weight", weights)
        self.tables = {DATA: Frame(table, self.data.add, self.data.alone)}

    def _weights(self, data: Any) -> pa.Array | pa.ChunkedArray | None:
        """The weights, if they are no column of the data."""
        weight = self.options.get("weight")
        if weight is None or isinstance(weight, str):
            return None
        if not hasattr(weight, "__len__"):
            raise InputError(
                f"weight={weight!r} is neither a column nor a number for each row",
                "give one weight per row, or the name of a column",
            )
        both = is_a(weight, "pandas", "Series") and is_a(data, "pandas", "DataFrame")
        if both and len(weight) == len(data) and not weight.index.equals(data.index):
            raise InputError(
                "the weights have another index than the data",
                "put them in its order: weight.reindex(data.index); or, if they are in that "
                "order, leave out the index: weight.to_numpy()",
            )
        self.options["weight"] = "weight"
        return one_kind("weight", weight)

    def further(self, option: str) -> Frame | None:
        """A further input of the command: a table, or the name of a file."""
        source = self.options.get(option)
        if source is None:
            return None
        if isinstance(source, (str, bytes, os.PathLike)):
            name = os.fsdecode(source)
            if name == "-":
                raise InputError(f"{option}={name!r} names no file", "give a table, or a file")
            # A file may be called as a table is here.
            self.options[option] = os.path.join(".", name) if name in (DATA, *TABLES) else name
            return None
        found = frame(source, named(self.options))
        self.tables[option] = found
        self.options[option] = option
        return found

    def ask(
        self, command: str, *, summary: bool = False, progress: Progress = False, **roles: bool
    ) -> Outcome:
        """Runs the command; ``roles`` are further results that are wanted."""
        asked = {**self.options, **{role: "-" for role, wanted in roles.items() if wanted}}
        return run(command, DATA, self.tables, asked, summary=summary, progress=progress)

    def draw(self, command: str, progress: Progress) -> Outcome:
        """Runs a command whose output is no table."""
        return self.ask(command, summary=True, progress=progress, output=True)


def _has(data: Any, label: Any) -> bool:
    return is_a(data, "pandas", "DataFrame") and label in data.columns


def _with(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, column)
    return table.append_column(name, column)


def result_of(command: str, question: Question, units: bool, progress: Progress) -> Result:
    """Asks for a table, and for the units if they are wanted."""
    outcome = question.ask(command, summary=True, progress=progress, units=units)
    return Result(
        table=question.data.alone(outcome.table()),
        summary=outcome.summary,
        units=question.data.add(outcome.table("units")) if units else None,
    )


def options_of(function: Callable[..., Any], arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function that are options of its command, where they are not usual."""
    options = {}
    for name, found in signature(function).parameters.items():
        value, usual = arguments[name], found.default
        if name in NOT_OPTIONS:
            continue
        if isinstance(value, (bool, np.bool_)) and not isinstance(usual, bool):
            raise InputError(
                f"{name}={value} says nothing: it is no switch", "give a value, or leave it out"
            )
        if not _is_same(value, usual):
            options[name] = value
    return options


def levels_of(levels: Any) -> Any:
    """Levels of a web map as the command has them: one, or a range."""
    numbers = listed(levels)
    if not isinstance(numbers, (list, tuple, range)):
        return levels
    if not numbers or list(numbers) != list(range(numbers[0], numbers[0] + len(numbers))):
        raise InputError(
            f"levels={levels!r} is no range", 'name the first and the last, as in levels="6-18"'
        )
    return f"{numbers[0]}-{numbers[-1]}"


def sides_of(sides: Any) -> Any:
    """Width and height as the command has them."""
    sides = listed(sides)
    return "x".join(str(side) for side in sides) if isinstance(sides, (list, tuple)) else sides


def _is_same(value: Any, usual: Any) -> bool:
    plain = (str, int, float, bool, type(None))
    return value is usual or isinstance(value, plain) and value == usual

"""A question about data: what it is put to, and with which options."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Literal

import pyarrow as pa

from ._errors import InputError
from ._frames import Frame, frame, one_kind
from ._results import Result
from ._run import Outcome, Progress, named, run

Metric = Literal["l2", "l1", "linf"]
OnInvalid = Literal["error", "skip"]
Kernel = Literal["gaussian", "uniform", "quartic", "epanechnikov"]

#: What the data is called in messages.
DATA = "data"
#: Arguments of functions that are no options of commands.
NOT_OPTIONS = {"data", "units", "summary", "progress"}


class Question:
    """Data of any kind, further tables, and the options of a command."""

    def __init__(self, data: Any, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        weight = self.options.get("weight")
        column = None
        if weight is not None and not isinstance(weight, str):
            if not hasattr(weight, "__len__"):
                raise InputError(
                    f"weight={weight!r} is neither a column nor a number for each row",
                    "give one weight per row, or the name of a column",
                )
            column = one_kind("weight", weight)
            self.options["weight"] = "weight"
        coordinates = self.options.get("x") is not None
        self.data = frame(data, named(self.options), coordinates=coordinates)
        table = self.data.table
        if column is not None:
            if len(column) != table.num_rows:
                raise InputError(
                    f"there are {len(column)} weights for {table.num_rows} rows",
                    "give one weight per row, or the name of a column",
                )
            table = _with(table, "weight", column)
        self.tables = {DATA: Frame(table, self.data.add, self.data.alone)}

    def further(self, option: str) -> Frame | None:
        """A further input of the command: a table, or the name of a file."""
        source = self.options.get(option)
        if source is None or isinstance(source, (str, os.PathLike)):
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
    usual = {name: found.default for name, found in signature(function).parameters.items()}
    return {
        name: value
        for name, value in arguments.items()
        if name not in NOT_OPTIONS and not _is_same(value, usual[name])
    }


def _is_same(value: Any, usual: Any) -> bool:
    plain = (str, int, float, bool, type(None))
    return value is usual or isinstance(value, plain) and value == usual

"""A question about data: what it is put to, and with which options."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ._errors import InputError
from ._frames import Frame, frame
from ._run import Outcome, Progress, named, run

#: What the data is called in messages.
DATA = "data"


class Question:
    """Data of any kind, further tables, and the options of a command."""

    def __init__(self, data: Any, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        weight = self.options.get("weight")
        column = None
        if weight is not None and not isinstance(weight, str):
            column = pa.array(weight, from_pandas=True)
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


def _with(table: pa.Table, name: str, column: pa.Array) -> pa.Table:
    if name in table.column_names:
        return table.set_column(table.column_names.index(name), name, column)
    return table.append_column(name, column)

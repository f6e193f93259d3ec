"""Running a command of kdisc on tables that Python holds."""

from __future__ import annotations

import json
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any, Union

import numpy as np
import pyarrow as pa

from . import _native
from ._errors import KdiscWarning
from ._frames import Frame

#: Called with what is being done, the steps done, and the steps in all.
Callback = Callable[[str, int, int], object]
#: True: a bar of tqdm if that is installed and somebody looks; or a function to be called.
Progress = Union[bool, Callback]


class Summary(dict):  # type: ignore[type-arg]
    """The figures of a run, as ``kdisc ... --summary`` writes them; ``text`` is for reading."""

    text: str

    def __init__(self, figures: Mapping[str, Any], text: str) -> None:
        super().__init__(figures)
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"


class Outcome:
    """What a command came to: tables, files and a summary."""

    def __init__(self, results: dict[str, Any]) -> None:
        self.results = results
        for warning in results["warnings"]:
            warnings.warn(warning, KdiscWarning, stacklevel=_to_the_user())

    def table(self, role: str = "output") -> pa.Table:
        """A table by what it is."""
        return self.results[role]

    def file(self, role: str) -> bytes:
        """A file that is no table, by what it is."""
        content: bytes = self.results[f"{role} file"]
        return content

    @property
    def summary(self) -> Summary:
        """The figures of the run."""
        return Summary(json.loads(self.results["summary"]), self.results["text"])


def _to_the_user() -> int:
    """How far up the caller is who is not of this package."""
    level, caller = 1, sys._getframe(1)
    while caller.f_back and caller.f_globals.get("__package__") == __package__:
        level, caller = level + 1, caller.f_back
    return level


def run(
    command: str,
    data: str,
    tables: Mapping[str, Frame],
    options: Mapping[str, Any],
    *,
    summary: bool = False,
    progress: Progress = False,
) -> Outcome:
    """Runs a command on one of the tables; ``options`` are those of the command line, with
    underscores for dashes."""
    words = [command, data, *words_of(options)]
    words += ["--summary", "-"] if summary else ["--quiet"]
    given = [(name, frame.table) for name, frame in tables.items()]
    with _Bar(progress) as bar:
        return Outcome(_native.run(words, given, bar.callback))


def words_of(options: Mapping[str, Any]) -> Iterable[str]:
    """Options as they would be typed."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            if value:
                yield option
        elif isinstance(value, (list, range)):
            for one in value:
                yield f"{option}={typed(one)}"
        else:
            yield f"{option}={typed(value)}"


def typed(value: Any) -> str:
    """A value as it would be typed."""
    if isinstance(value, tuple):
        return ",".join(typed(part) for part in value)
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float) or hasattr(value, "__float__") and not isinstance(value, int):
        number = float(value)
        if math.isinf(number):
            return "inf" if number > 0 else "-inf"
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if hasattr(value, "to_authority"):
        return crs_of(value)
    return os.fspath(value) if hasattr(value, "__fspath__") else str(value)


def crs_of(crs: Any) -> str:
    """A coordinate system as text; those of pyproj know their code."""
    authority = crs.to_authority()
    return ":".join(authority) if authority else crs.to_wkt()


def named(options: Mapping[str, Any]) -> set[str]:
    """The names of columns among these options, and perhaps other words: those of ``only`` come
    with a value."""
    words = set()
    for value in options.values():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, str):
                words.add(one)
                words.add(one.split("=", 1)[0])
    return words


class _Bar:
    """A bar of tqdm, a function of the caller's, or nothing."""

    def __init__(self, progress: Progress) -> None:
        self.callback: Callback | None = None
        self.bar: Any = None
        if callable(progress):
            self.callback = progress
        elif progress:
            self.callback = self._draw

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def _draw(self, phase: str, done: int, total: int) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return
        if self.bar is None or self.bar.desc.rstrip(": ") != phase:
            if self.bar is not None:
                self.bar.close()
            self.bar = tqdm(total=total or None, desc=phase, leave=False, file=sys.stderr)
        self.bar.total = total or None
        self.bar.update(done - self.bar.n)

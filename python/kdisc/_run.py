"""Running a command of kdisc on tables that Python holds."""

from __future__ import annotations

import json
import math
import operator
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any, Union

import pyarrow as pa

from . import _native
from ._arrow import Frame
from ._errors import KdiscWarning, in_python

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
            warnings.warn(in_python(warning), KdiscWarning, stacklevel=_to_the_user())

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
        return Summary(json.loads(self.results["summary"]), in_python(self.results["text"]))


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
        value = listed(value)
        if isinstance(value, (list, tuple)) and any(isinstance(one, (list, tuple)) for one in value):
            yield from (f"{option}={typed(one)}" for one in value)
        elif value is True:
            yield option
        elif value is not None and value is not False:
            yield f"{option}={typed(value)}"


def listed(value: Any) -> Any:
    """Arrays, series and numbers of libraries as Python's own."""
    for way in ("tolist", "to_list"):
        if hasattr(value, way):
            return getattr(value, way)()
    return value


def typed(value: Any) -> str:
    """A value as it would be typed."""
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list, range)):
        return ",".join(typed(listed(part)) for part in value)
    if hasattr(value, "to_authority"):
        return crs_of(value)
    if hasattr(value, "__fspath__"):
        return os.fsdecode(value)
    if isinstance(value, bool):
        return str(value)
    if hasattr(value, "__index__"):
        return str(operator.index(value))
    if hasattr(value, "__float__"):
        number = float(value)
        if math.isinf(number):
            return "inf" if number > 0 else "-inf"
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


def crs_of(crs: Any) -> str:
    """A coordinate system as text; those of pyproj know their code, if they surely have one."""
    try:
        authority = crs.to_authority(min_confidence=100)
    except TypeError:  # Those of rasterio say it otherwise.
        authority = crs.to_authority(100)
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

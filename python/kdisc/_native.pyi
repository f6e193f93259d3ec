from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

def run(
    words: Sequence[str],
    tables: Sequence[tuple[str, Any]],
    progress: Callable[[str, int, int], object] | None,
) -> dict[str, Any]: ...
def picture(
    values: Any,
    columns: int,
    corner: tuple[float, float],
    side: float,
    title: str,
    legend: str,
    notice: str | None,
    without: str,
) -> bytes: ...
def save(path: str | PathLike[str], bytes: bytes) -> None: ...
def example(units: int, seed: int | None) -> Any: ...
def coordinates(columns: Sequence[str]) -> list[str]: ...
def options() -> list[tuple[str, list[tuple[str, list[str]]]]]: ...
def version() -> str: ...

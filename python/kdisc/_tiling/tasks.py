"""What runs where the data are, on batches of Arrow.

Each function makes one for Spark to send to its workers, with what it needs; it imports nothing
but kdisc, NumPy and pyarrow there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pyarrow as pa

from .. import _native
from .._errors import KdiscError
from .._run import words_of
from .grid import CHANGED, Grid, Ints, shift, within
from .plan import Question, Tiles
from .tree import Counts

#: Locations that are counted together.
_TOGETHER = 1 << 20

Batches = Iterable[pa.RecordBatch]
Task = Callable[[Batches], Iterator[pa.RecordBatch]]

#: Locations as they come in.
X, Y, UNITS = "__kdisc_x", "__kdisc_y", "__kdisc_units"
#: What ``counting`` gives.
COUNTED = {"start": pa.int64(), "level": pa.int64(), "units": pa.int64(), "locations": pa.int64()}
#: What ``sending`` gives.
SENT = {
    "tile": pa.int32(),
    "own": pa.bool_(),
    X: pa.float64(),
    Y: pa.float64(),
    UNITS: pa.int64(),
}


def counting(grid: Grid, cells: Counts, levels: Ints) -> Task:
    """Counts what is in these cells, by cells of these finer levels. A cell may be counted in
    several pieces."""

    def count(batches: Batches) -> Iterator[pa.RecordBatch]:
        pieces: list[tuple[Ints, ...]] = []
        waiting = 0
        for batch in batches:
            x, y, units = (batch.column(name).to_numpy() for name in (X, Y, UNITS))
            codes = grid.codes(x, y)
            at, found = within(codes, cells.starts, cells.levels)
            level = levels[at][found]
            starts = codes[found] >> shift(level) << shift(level)
            pieces.append((starts, level, units[found], np.ones(len(starts), np.int64)))
            waiting += len(starts)
            if waiting >= _TOGETHER:
                pieces, waiting = [_summed(pieces)], 0
        if pieces:
            yield _batch(COUNTED, *_summed(pieces))

    return count


def _summed(pieces: list[tuple[Ints, ...]]) -> tuple[Ints, ...]:
    """Each cell once."""
    starts, level, *counts = (np.concatenate(column) for column in zip(*pieces))
    order = np.argsort(starts)
    first = np.flatnonzero(np.diff(starts[order], prepend=-1))
    sums = (np.add.reduceat(column[order], first) for column in counts)
    return starts[order[first]], level[order[first]], *sums


def sending(tiles: Tiles) -> Task:
    """Sends every location to its own tile and to those that have it in their border."""

    def send(batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            x, y, units = (batch.column(name).to_numpy() for name in (X, Y, UNITS))
            leaf, found = within(tiles.grid.codes(x, y), tiles.starts, tiles.levels)
            if not found.all():
                raise KdiscError(CHANGED)
            yield _batch(SENT, tiles.own[leaf], np.ones(len(leaf), np.bool_), x, y, units)
            first = tiles.ends[leaf]
            copies = tiles.ends[leaf + 1] - first
            row = np.repeat(np.arange(len(leaf)), copies)
            before = np.cumsum(copies) - copies
            to = tiles.borders[np.repeat(first - before, copies) + np.arange(len(row))]
            yield _batch(SENT, to, np.zeros(len(row), np.bool_), x[row], y[row], units[row])

    return send


def measuring(tiles: Tiles, question: Question) -> Callable[[pa.Table], pa.Table]:
    """Measures a tile: its own locations, among all that were sent."""
    options = {"k": question.k, "delta": question.delta, "metric": question.metric}
    columns = {"x": X, "y": Y, "weight": UNITS, "only": "own=true", "threads": 1}
    words = ["risk", "tile", *words_of({**options, **columns}), "--quiet"]

    def measure(sent: pa.Table) -> pa.Table:
        if sent.num_rows != tiles.rows[sent.column("tile")[0].as_py()]:
            raise KdiscError(CHANGED)
        given = sent.select(["own", X, Y, UNITS])
        found = _native.run(words, [("tile", given)], None)["output"]
        found = found.add_column(0, X, sent.column(X)).add_column(1, Y, sent.column(Y))
        return found.filter(sent.column("own"))

    return measure


def _batch(fields: dict[str, pa.DataType], *columns: Ints) -> pa.RecordBatch:
    arrays = [pa.array(column, kind) for column, kind in zip(columns, fields.values())]
    return pa.RecordBatch.from_arrays(arrays, names=list(fields))

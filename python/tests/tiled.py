"""A population measured tile by tile, as Spark does it, without Spark."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kdisc._tiling.grid import Grid
from kdisc._tiling.plan import Limits, Question, Tiles, tiles
from kdisc._tiling.survey import survey
from kdisc._tiling.tasks import UNITS, X, Y, counting, measuring, sending
from kdisc._tiling.tree import Counts


def coalesced(points: np.ndarray, weights: np.ndarray | None = None) -> pa.RecordBatch:
    """Each location once, with its units."""
    places, of = np.unique(points + 0.0, axis=0, return_inverse=True)
    units = np.zeros(len(places), np.int64)
    np.add.at(units, of.ravel(), 1 if weights is None else weights)
    arrays = [pa.array(places[:, 0]), pa.array(places[:, 1]), pa.array(units)]
    return pa.RecordBatch.from_arrays(arrays, names=[X, Y, UNITS])


def cut(batch: pa.RecordBatch, question: Question, limits: Limits) -> Tiles:
    """The tiles that Spark would make."""
    x, y = batch.column(X).to_numpy(), batch.column(Y).to_numpy()
    grid = Grid.over(x.min(), y.min(), x.max(), y.max())

    def look(cells, levels):
        found = pa.Table.from_batches(counting(grid, cells, levels)([batch])).sort_by("start")
        return Counts(*(column.to_numpy() for column in found.columns))

    return tiles(grid, survey(look, len(x), limits.tile_rows, question.k), question, limits)


def measured(batch: pa.RecordBatch, question: Question, limits: Limits) -> tuple[Tiles, pa.Table]:
    """The answer for each location, sorted by location."""
    made = cut(batch, question, limits)
    sent = pa.Table.from_batches(sending(made)([batch]))
    measure = measuring(made, question)
    parts = [
        measure(sent.filter(pa.compute.equal(sent.column("tile"), tile)))
        for tile in range(len(made.rows))
    ]
    return made, pa.concat_tables(parts).sort_by([(X, "ascending"), (Y, "ascending")])

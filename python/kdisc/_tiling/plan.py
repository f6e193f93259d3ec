"""From counts to tiles: what is to be measured where, before anything is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._errors import InputError
from .border import borders
from .grid import Grid, Ints
from .tiles import cut, merge
from .tree import Counts, Tree, reaches


#: If a single leaf needs more than this part of a tile, it is worth a closer look.
_MUCH = 8


@dataclass(frozen=True)
class Question:
    """What is asked of every location."""

    k: int
    delta: float
    metric: str


@dataclass(frozen=True)
class Limits:
    """How large tiles may be."""

    #: Locations of a tile's own, about.
    tile_rows: int
    #: Locations in a tile, border included; a plan beyond that is refused.
    max_rows: int
    #: Tiles are put together while more than this many times their own locations are sent to them.
    max_replication: float


@dataclass(frozen=True)
class Tiles:
    """Which tiles get the locations of which leaf."""

    grid: Grid
    starts: Ints
    levels: Ints
    #: The tile that answers for a leaf.
    own: Ints
    #: Tiles that have leaf i in their border: ``borders[ends[i]:ends[i + 1]]``.
    ends: Ints
    borders: Ints
    #: Locations in each tile, with its border.
    rows: Ints
    #: How far from a tile's own leaves the furthest that it needs lies.
    widest: float


def tiles(grid: Grid, counts: Counts, question: Question, limits: Limits) -> Tiles:
    """Cuts a population of at least k units."""
    tree = Tree(counts)
    reach = reaches(tree, question.k, question.delta / grid.side, question.metric)
    part_of, how = cut(tree, min(limits.tile_rows, limits.max_rows))
    much = limits.tile_rows // _MUCH
    needed = borders(tree, question.k, question.metric, reach, part_of, much)
    parts = merge(tree, part_of, how, needed, limits.max_rows, limits.max_replication)
    count = len(parts)
    own = np.zeros(len(part_of), np.int64)
    for number, leaves in enumerate(parts):
        own[leaves] = number
    # What a part needs, the whole needs too, unless it is its own.
    whole = np.zeros(int(part_of.max()) + 1, np.int64)
    whole[part_of] = own
    beyond = whole[needed.tiles] != own[needed.leaves]
    pairs = np.unique(needed.leaves[beyond] * count + whole[needed.tiles[beyond]])
    of_leaf, to_tile = np.divmod(pairs, count)
    rows = np.bincount(own, counts.locations, count)
    rows = rows + np.bincount(to_tile, counts.locations[of_leaf], count)
    widest = float(needed.apart[beyond].max(initial=0.0)) * grid.side
    if rows.max() > limits.max_rows:
        raise InputError(
            f"the largest of {count} tiles needs {int(rows.max())} of "
            f"{int(counts.locations.sum())} locations, as discs of {question.k} units may reach "
            f"{widest:.6g} beyond it: more than max_rows={limits.max_rows}",
            "raise max_rows if the memory of a worker allows it (docs/spark.md), or ask for a "
            "smaller k",
        )
    ends = np.searchsorted(of_leaf, np.arange(len(own) + 1))
    sent = rows.astype(np.int64)
    return Tiles(grid, counts.starts, counts.levels, own, ends, to_tile, sent, widest)

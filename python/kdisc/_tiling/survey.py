"""Counting in cells that are as small as they need be: a city has smaller ones than a moor.

A pass over the data counts in cells; those that have many locations are split, and counted again in
the next pass, which goes deeper where there are more. A pass takes long: it goes deeper than it
would if locations lay evenly, and small cells are put together again. So few passes are enough,
and the number of cells stays bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from .grid import LEVELS, Ints, shift
from .tree import Counts

#: Cells have at most about this share of a tile's locations: then a border of one or two cells is
#: narrow, and yet there are few to look at.
_CELLS_PER_TILE = 1024
#: Nor are there many more cells than four times this.
_MOST_CELLS = 1 << 18
#: A cell is not split below this.
_FEWEST = 8
#: How many levels down one pass may go if locations lay evenly: to begin with, and later.
_FIRST_DEPTH, _NEXT_DEPTH = 9, 6
#: How many levels deeper it goes, and how many cells there may then be about.
_DEEPER, _MOST_COUNTED = 2, 1 << 22


def survey(look: Callable[[Counts, Ints], Counts], rows: int, tile_rows: int, k: int) -> Counts:
    """Counts at most ``rows`` locations. ``look`` counts what is in some cells, by cells of finer
    levels, given for each."""
    # Discs of k units do not see anything finer than a part of k.
    fewest = max(_FEWEST, tile_rows // _CELLS_PER_TILE, rows // _MOST_CELLS, k // 2)
    done = Counts(*(np.zeros(0, np.int64) for _ in range(4)))
    large = Counts(*(np.array([value], np.int64) for value in (0, 0, 0, rows)))
    most = _FIRST_DEPTH
    while len(large.starts):
        even = np.ceil(np.log2(large.locations / fewest) / 2).astype(np.int64)
        even = np.clip(even, 1, most)
        room = math.log(_MOST_COUNTED / float(np.sum(4.0**even)), 4)
        deeper = int(np.clip(room, 0, _DEEPER))
        found = look(large, np.minimum(large.levels + even + deeper, LEVELS))
        found = _put_together(found, deeper, fewest)
        is_large = (found.locations > fewest) & (found.levels < LEVELS)
        done = done.with_more(found.take(~is_large))
        large = found.take(is_large)
        most = _NEXT_DEPTH
    return done


def _put_together(cells: Counts, times: int, fewest: int) -> Counts:
    """Makes one cell of quarters that are not large together, and of these again, so many times."""
    fresh = np.ones(len(cells.starts), np.bool_)
    for _ in range(times):
        up = shift(cells.levels - 1)
        whole = cells.starts >> up << up
        first = np.searchsorted(cells.starts, whole)
        last = np.searchsorted(cells.starts, whole + (1 << up))
        sums = np.append(0, np.cumsum(cells.locations))
        joined = fresh & (sums[last] - sums[first] <= fewest)
        starts, at = np.unique(np.where(joined, whole, cells.starts), return_index=True)
        cells = Counts(
            starts,
            (cells.levels - joined)[at],
            np.add.reduceat(cells.units, at),
            np.add.reduceat(cells.locations, at),
        )
        fresh = joined[at]
    return cells

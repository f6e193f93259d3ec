"""Counting in cells that are as small as they need be: a city has smaller ones than a moor.

A pass over the data counts in cells; those that have many locations are split, and counted again in
the next pass, which goes deeper where there are more. Few passes are enough, and the number of
cells stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .grid import LEVELS, Ints
from .tree import Counts

#: Cells have at most about this share of a tile's locations: then a border of one or two cells is
#: narrow, and yet there are few to look at.
_CELLS_PER_TILE = 1024
#: Nor are there many more cells than four times this.
_MOST_CELLS = 1 << 18
#: A cell is not split below this.
_FEWEST = 8
#: How many levels down one pass may go: to begin with, and later.
_FIRST_DEPTH, _NEXT_DEPTH = 9, 6


def survey(look: Callable[[Counts, Ints], Counts], rows: int, tile_rows: int, k: int) -> Counts:
    """Counts at most ``rows`` locations. ``look`` counts what is in some cells, by cells of finer
    levels, given for each."""
    # Discs of k units do not see anything finer than a part of k.
    fewest = max(_FEWEST, tile_rows // _CELLS_PER_TILE, rows // _MOST_CELLS, k // 2)
    done = Counts(*(np.zeros(0, np.int64) for _ in range(4)))
    large = Counts(*(np.array([value], np.int64) for value in (0, 0, 0, rows)))
    most = _FIRST_DEPTH
    while len(large.starts):
        deeper = np.ceil(np.log2(large.locations / fewest) / 2).astype(np.int64)
        levels = np.minimum(large.levels + np.clip(deeper, 1, most), LEVELS)
        found = look(large, levels)
        is_large = (found.locations > fewest) & (found.levels < LEVELS)
        done = done.with_more(found.take(~is_large))
        large = found.take(is_large)
        most = _NEXT_DEPTH
    return done

"""Tiles: sets of leaves that are measured together, each in one task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .border import Borders
from .grid import Ints
from .tree import Tree


@dataclass(frozen=True)
class Split:
    """An area that is cut in two; the numbers of tiles that are not cut again."""

    parts: tuple[Split | int, Split | int]


def cut(tree: Tree, most: int) -> tuple[Ints, Split | int]:
    """Cuts the extent into tiles of about equally many locations, at most ``most`` if leaves allow
    it: always across the longer side. Gives the tile of each leaf, and how they were cut."""
    tile_of = np.zeros(len(tree.sizes), np.int64)
    rows = tree.leaves.locations
    tiles = 0

    def part(leaves: Ints) -> Split | int:
        nonlocal tiles
        wanted = -(-int(rows[leaves].sum()) // most)
        if wanted <= 1 or len(leaves) == 1:
            tile_of[leaves] = tiles
            tiles += 1
            return tiles - 1
        x, y = (at[leaves] + tree.sizes[leaves] // 2 for at in (tree.x, tree.y))
        order = np.lexsort((y, x) if np.ptp(x) >= np.ptp(y) else (x, y))
        leaves = leaves[order]
        sums = np.cumsum(rows[leaves])
        share = sums[-1] * (wanted // 2) / wanted
        at = min(max(int(np.searchsorted(sums, share)) + 1, 1), len(leaves) - 1)
        return Split((part(leaves[:at]), part(leaves[at:])))

    return tile_of, part(np.arange(len(rows)))


def merge(
    tree: Tree,
    tile_of: Ints,
    how: Split | int,
    borders: Borders,
    max_rows: int,
    max_replication: float,
) -> list[Ints]:
    """Puts tiles together again whose borders are not worth it: where more than
    ``max_replication`` times their own locations would be sent, as far as ``max_rows`` allows.
    Gives the leaves of each tile."""
    rows = tree.leaves.locations
    numbers = np.arange(int(tile_of.max()) + 2)
    border_ends = np.searchsorted(borders.tiles, numbers)
    order = np.argsort(tile_of, kind="stable")
    own_ends = np.searchsorted(tile_of[order], numbers)

    def count(leaves: Ints) -> int:
        return int(rows[leaves].sum())

    def settle(node: Split | int) -> list[tuple[Ints, Ints]]:
        """Own leaves and border of each tile."""
        if isinstance(node, int):
            own = order[own_ends[node] : own_ends[node + 1]]
            return [(own, borders.leaves[border_ends[node] : border_ends[node + 1]])]
        one, other = (settle(part) for part in node.parts)
        if len(one) == 1 and len(other) == 1:
            own = np.concatenate([one[0][0], other[0][0]])
            sent = count(one[0][1]) + count(other[0][1])
            if sent > (max_replication - 1) * count(own):
                border = np.setdiff1d(np.union1d(one[0][1], other[0][1]), own)
                if count(own) + count(border) <= max_rows:
                    return [(own, border)]
        return one + other

    return [own for own, _ in settle(how)]

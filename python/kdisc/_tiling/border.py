"""Which leaves a tile needs besides its own.

A location q of the data matters to a location s of a tile only if some answer for s holds q. So it
does not if q lies further away than answers reach (``tree.reaches``). Nor does it if q lies *in the
shadow* of k units: an answer is a disc of least size, so fewer than k units are in its interior
(else a slightly smaller disc would do, with the same centre, or shrunk towards s if s is on the
circle). A disc that holds s and q also holds one of the two halves of the disc with diameter sq.
Hence q does not matter when the interior of either half has k units. Without that, a lonely farm
would need the whole of the next city; with it, it needs the outskirts on its own side.

Both are decided for pairs of cells, from the root of the tree down to its leaves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .grid import LEVELS, SLACK, Floats, Ints
from .tree import Tree, length

#: Leaves that are looked at together.
_CHUNK = 1 << 15
#: Radii of discs inside a half disc, as shares of its radius.
_SHARES = tuple(0.5**power for power in range(1, 8))
#: A disc of this radius holds two by two cells of side 1, if its centre is nearest to their middle.
_TWO_BY_TWO = 1.5 * math.sqrt(2)


@dataclass(frozen=True)
class Borders:
    """The leaves that each tile needs besides its own."""

    tiles: Ints
    leaves: Ints
    #: How far each lies from the tile's own leaves that need it, at most: in sides of a finest cell.
    apart: Floats


def borders(tree: Tree, k: int, metric: str, reach: Floats, tile_of: Ints) -> Borders:
    """What every tile needs."""
    count = len(tile_of)
    found = [
        _of(tree, k, metric, reach, tile_of, np.arange(first, min(count, first + _CHUNK)))
        for first in range(0, count, _CHUNK)
    ]
    pairs, apart = _furthest(found)
    tiles, leaves = np.divmod(pairs, count)
    return Borders(tiles, leaves, apart)


def _furthest(found: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Every pair once, with its largest distance."""
    pairs = np.concatenate([pairs for pairs, _ in found])
    apart = np.concatenate([apart for _, apart in found])
    order = np.lexsort((apart, pairs))
    pairs, apart = pairs[order], apart[order]
    last = np.append(pairs[1:] != pairs[:-1], np.ones(min(len(pairs), 1), np.bool_))
    return pairs[last], apart[last]


def _of(
    tree: Tree, k: int, metric: str, reach: Floats, tile_of: Ints, own: Ints
) -> tuple[Ints, Floats]:
    """What the tiles of some leaves need for them: pairs of a tile and a leaf as one number."""
    found = [(np.zeros(0, np.int64), np.zeros(0))]
    node = np.zeros(len(own), np.int64)
    padded = np.append(tile_of, 0)
    for number, level in enumerate(tree.levels):
        size = 1 << (LEVELS - number)
        # A node whose leaves all are the tile's own adds nothing.
        starts = np.stack([level.first, level.last], axis=1).ravel()
        least = np.minimum.reduceat(padded, starts)[::2]
        most = np.maximum.reduceat(padded, starts)[::2]
        of = tile_of[own]
        keep = (least[node] != of) | (most[node] != of)
        own, node = own[keep], node[keep]
        apart = _apart(tree, own, level.x[node], level.y[node], size, metric)
        keep = apart <= reach[own]
        own, node, apart = own[keep], node[keep], apart[keep]
        if metric == "l2":
            keep = ~_in_shadow(tree, k, reach, own, level.x[node], level.y[node], size)
            own, node, apart = own[keep], node[keep], apart[keep]

        ends = level.is_leaf[node]
        found.append((tile_of[own[ends]] * len(tile_of) + level.first[node[ends]], apart[ends]))
        if number + 1 == len(tree.levels):
            break
        own, node = own[~ends], node[~ends]
        below = tree.levels[number + 1].keys
        child = np.searchsorted(below, level.keys[node] << 2)
        children = np.searchsorted(below, (level.keys[node] + 1) << 2) - child
        own = np.repeat(own, children)
        before = np.cumsum(children) - children
        node = np.repeat(child - before, children) + np.arange(len(own))
    return _furthest(found)


def _apart(tree: Tree, own: Ints, x: Ints, y: Ints, size: int, metric: str) -> Floats:
    """How far leaves and other cells are apart at least."""
    sizes = tree.sizes[own]
    gap_x = np.maximum(np.maximum(x - tree.x[own] - sizes, tree.x[own] - x - size), 0)
    gap_y = np.maximum(np.maximum(y - tree.y[own] - sizes, tree.y[own] - y - size), 0)
    return length(gap_x.astype(float), gap_y.astype(float), metric)


def _in_shadow(
    tree: Tree, k: int, reach: Floats, own: Ints, x: Ints, y: Ints, size: int
) -> npt.NDArray[np.bool_]:
    """Whether k units are surely in either half of the disc with diameter sq, for all s in a leaf
    and all q in another cell of this size.

    Seen from q, the half disc for another s is the same one turned and stretched: by a complex
    factor that differs from 1 by at most t = (how far s and q may be off) / |sq|. A disc inside it
    with centre m and radius p so still holds one about m with radius p (1 - t) - |m - q| t, less
    what q itself may be off.
    """
    half_q = size * math.sqrt(0.5) + SLACK
    half = tree.sizes[own] * math.sqrt(0.5) + SLACK + half_q
    q_x, q_y = x + size / 2, y + size / 2
    to_x = tree.x[own] + tree.sizes[own] / 2 - q_x
    to_y = tree.y[own] + tree.sizes[own] / 2 - q_y
    distance = np.hypot(to_x, to_y)
    result = np.zeros(len(own), np.bool_)
    # Far apart for their size; and not so near, for their reach, that tolerances would count.
    worth = (distance > 3 * half) & (distance > 1e-3 * reach[own])
    at = np.flatnonzero(worth)
    sides = [np.zeros(len(at), np.bool_), np.zeros(len(at), np.bool_)]
    for share in _SHARES:
        unsure = np.flatnonzero(~(sides[0] & sides[1]))
        if not len(unsure):
            break
        of = at[unsure]
        span = distance[of]
        along = span / 2 * (1 - math.sqrt(1 - 2 * share))
        across = span / 2 * share
        off = half[of] / span
        radius = across * (1 - off) - np.hypot(along, across) * off - half_q
        radius *= 1 - 1e-3
        unit_x, unit_y = to_x[of] / span, to_y[of] / span
        for side, sign in zip(sides, (1, -1)):
            middle_x = q_x[of] + along * unit_x - sign * across * unit_y
            middle_y = q_y[of] + along * unit_y + sign * across * unit_x
            side[unsure] |= _units_about(tree, middle_x, middle_y, radius) >= k
    result[at] = sides[0] & sides[1]
    return result


def _units_about(tree: Tree, x: Floats, y: Floats, radius: Floats) -> Any:
    """At least so many units are in discs."""
    units = np.zeros(len(x), np.int64)
    # Cells of which two by two fit into the disc, and some room for rounding.
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.floor(np.log2((radius - SLACK) / _TWO_BY_TWO))
    for each in np.unique(power[np.isfinite(power) & (power >= 0)]):
        level = LEVELS - int(each)
        at = np.flatnonzero(power == each)
        side = 2.0 ** int(each)
        column = np.rint(x[at] / side).astype(np.int64)
        row = np.rint(y[at] / side).astype(np.int64)
        for i in (-1, 0):
            for j in (-1, 0):
                units[at] += tree.units_in(level, column + i, row + j)
    return units

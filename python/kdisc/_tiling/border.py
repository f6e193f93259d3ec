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

#: Boxes that are looked at together.
_CHUNK = 1 << 15
#: Pairs of a box and a leaf that are worth a closer look.
_MOST_PAIRS = 1 << 18
#: How often a closer look is taken, at most.
_LOOKS = 4
#: A closer look helped if less than this part is still needed.
_HELPS = 0.75
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


@dataclass(frozen=True)
class _Boxes:
    """Squares in which locations of leaves may be: leaves, or quarters of them and so on."""

    leaf: Ints
    x: Ints
    y: Ints
    size: Ints

    def take(self, which: Any) -> _Boxes:
        return _Boxes(self.leaf[which], self.x[which], self.y[which], self.size[which])

    def quarters(self) -> _Boxes:
        half = self.size >> 1
        x = np.concatenate([self.x, self.x + half, self.x, self.x + half])
        y = np.concatenate([self.y, self.y, self.y + half, self.y + half])
        return _Boxes(np.tile(self.leaf, 4), x, y, np.tile(half, 4))


def borders(
    tree: Tree, k: int, metric: str, reach: Floats, tile_of: Ints, much: int
) -> Borders:
    """What every tile needs. Of leaves that would need more than ``much`` locations, the quarters
    are looked at, each for itself, and so on while that helps: where there are few units, leaves
    are large."""
    count = len(tile_of)
    rows = tree.leaves.locations
    boxes = _Boxes(np.arange(count), tree.x, tree.y, tree.sizes)
    found = []
    before = math.inf
    for look in range(_LOOKS):
        need = np.zeros(len(boxes.leaf))
        looked_at: list[tuple[Ints, Ints, Floats]] = []
        for first in range(0, len(boxes.leaf), _CHUNK):
            chunk = boxes.take(slice(first, first + _CHUNK))
            box, leaf, apart = _of(tree, k, metric, reach, tile_of, chunk)
            need[first : first + _CHUNK] = np.bincount(box, rows[leaf], len(chunk.leaf))
            looked_at.append((box + first, leaf, apart))
        heavy = (need > much) & (boxes.size > 1)
        pairs = sum(int(heavy[box].sum()) for box, _, _ in looked_at)
        if look + 1 == _LOOKS or pairs > _MOST_PAIRS or need.mean() > _HELPS * before:
            heavy[:] = False
        for box, leaf, apart in looked_at:
            done = ~heavy[box]
            tile = tile_of[boxes.leaf[box[done]]]
            found.append((tile * count + leaf[done], apart[done]))
        if not heavy.any():
            break
        before = float(need[heavy].mean())
        boxes = boxes.take(heavy).quarters()
    pairs_of, apart = _furthest(found)
    tiles, leaves = np.divmod(pairs_of, count)
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
    tree: Tree, k: int, metric: str, reach: Floats, tile_of: Ints, boxes: _Boxes
) -> tuple[Ints, Ints, Floats]:
    """Which leaves of other tiles each box needs, and how far they are apart."""
    found = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    box = np.arange(len(boxes.leaf))
    node = np.zeros(len(box), np.int64)
    padded = np.append(tile_of, 0)
    for number, level in enumerate(tree.levels):
        size = 1 << (LEVELS - number)
        # A node whose leaves all are the tile's own adds nothing.
        starts = np.stack([level.first, level.last], axis=1).ravel()
        least = np.minimum.reduceat(padded, starts)[::2]
        most = np.maximum.reduceat(padded, starts)[::2]
        tile = tile_of[boxes.leaf[box]]
        keep = (least[node] != tile) | (most[node] != tile)
        box, node = box[keep], node[keep]
        of, far = boxes.take(box), reach[boxes.leaf[box]]
        apart = _apart(of, level.x[node], level.y[node], size, metric)
        keep = apart <= far
        if metric == "l2":
            near = np.flatnonzero(keep)
            x, y = level.x[node[near]], level.y[node[near]]
            keep[near] = ~_in_shadow(tree, k, far[near], of.take(near), x, y, size)
        box, node, apart = box[keep], node[keep], apart[keep]

        ends = level.is_leaf[node]
        found.append((box[ends], level.first[node[ends]], apart[ends]))
        if number + 1 == len(tree.levels):
            break
        box, node = box[~ends], node[~ends]
        below = tree.levels[number + 1].keys
        child = np.searchsorted(below, level.keys[node] << 2)
        children = np.searchsorted(below, (level.keys[node] + 1) << 2) - child
        box = np.repeat(box, children)
        before = np.cumsum(children) - children
        node = np.repeat(child - before, children) + np.arange(len(box))
    boxes_of, leaves, apart = (np.concatenate(column) for column in zip(*found))
    return boxes_of, leaves, apart


def _apart(boxes: _Boxes, x: Ints, y: Ints, size: int, metric: str) -> Floats:
    """How far boxes and cells are apart at least."""
    gap_x = np.maximum(np.maximum(x - boxes.x - boxes.size, boxes.x - x - size), 0)
    gap_y = np.maximum(np.maximum(y - boxes.y - boxes.size, boxes.y - y - size), 0)
    return length(gap_x.astype(float), gap_y.astype(float), metric)


def _in_shadow(
    tree: Tree, k: int, reach: Floats, boxes: _Boxes, x: Ints, y: Ints, size: int
) -> npt.NDArray[np.bool_]:
    """Whether k units are surely in either half of the disc with diameter sq, for all s in a box
    and all q in a cell of this size.

    Seen from q, the half disc for another s is the same one turned and stretched: by a complex
    factor that differs from 1 by at most t = (how far s and q may be off) / |sq|. A disc inside it
    with centre m and radius p so still holds one about m with radius p (1 - t) - |m - q| t, less
    what q itself may be off.
    """
    half_q = size * math.sqrt(0.5) + SLACK
    half = boxes.size * math.sqrt(0.5) + SLACK + half_q
    q_x, q_y = x + size / 2, y + size / 2
    to_x = boxes.x + boxes.size / 2 - q_x
    to_y = boxes.y + boxes.size / 2 - q_y
    distance = np.hypot(to_x, to_y)
    result = np.zeros(len(x), np.bool_)
    # Far apart for their size; and not so near, for their reach, that tolerances would count.
    worth = (distance > 3 * half) & (distance > 1e-3 * reach)
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

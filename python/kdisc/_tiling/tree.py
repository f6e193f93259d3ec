"""What is known of the data: how many units and locations there are in each of a set of cells.

The cells are the leaves of a quadtree; its inner nodes are sums. From that follows, for every leaf,
how far at most anything lies that matters to a location in it (``reaches``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .grid import LEVELS, SLACK, Floats, Ints, columns_and_rows, interleave, shift

#: Ranges of columns, or of rows, that hold the middle one of three.
_RANGES = ((0, 0), (-1, 0), (0, 1), (-1, 1))


@dataclass(frozen=True)
class Counts:
    """Cells that do not overlap, in the order of their codes, and what is in them."""

    starts: Ints
    levels: Ints
    units: Ints
    locations: Ints

    def take(self, which: npt.NDArray[np.bool_]) -> Counts:
        """Some of them."""
        return Counts(
            self.starts[which], self.levels[which], self.units[which], self.locations[which]
        )

    def with_more(self, more: Counts) -> Counts:
        """These and others."""
        starts = np.concatenate([self.starts, more.starts])
        order = np.argsort(starts, kind="stable")
        return Counts(
            starts[order],
            np.concatenate([self.levels, more.levels])[order],
            np.concatenate([self.units, more.units])[order],
            np.concatenate([self.locations, more.locations])[order],
        )


@dataclass(frozen=True)
class Level:
    """The nodes of one level that hold locations. Lengths are sides of a finest cell."""

    keys: Ints
    x: Ints
    y: Ints
    units: Ints
    #: Which leaves are in each node: from the first up to before the last.
    first: Ints
    last: Ints
    is_leaf: npt.NDArray[np.bool_]


class Tree:
    """A quadtree of counts."""

    def __init__(self, counts: Counts) -> None:
        self.leaves = counts
        self.x, self.y = columns_and_rows(counts.starts)
        self.sizes: Ints = np.int64(1) << (LEVELS - counts.levels)
        self.levels = [self._level(level) for level in range(int(counts.levels.max()) + 1)]

    def _level(self, level: int) -> Level:
        at = np.flatnonzero(self.leaves.levels >= level)
        keys, first = np.unique(self.leaves.starts[at] >> shift(level), return_index=True)
        last = np.append(first[1:], len(at))
        units = np.add.reduceat(self.leaves.units[at], first)
        x, y = columns_and_rows(keys)
        # Leaves under one node are neighbours in their order.
        first, last = at[first], at[last - 1] + 1
        is_leaf = self.leaves.levels[first] == level
        size = 1 << (LEVELS - level)
        return Level(keys, x * size, y * size, units, first, last, is_leaf)

    def units_in(self, level: int, column: Ints, row: Ints) -> Ints:
        """At least so many units are in these cells of a level, which may lie outside the data."""
        if level >= len(self.levels):
            return np.zeros(len(column), np.int64)
        of = self.levels[level]
        inside = (column >= 0) & (row >= 0) & (column < 1 << level) & (row < 1 << level)
        keys = interleave(np.where(inside, column, 0), np.where(inside, row, 0))
        at = np.minimum(np.searchsorted(of.keys, keys), len(of.keys) - 1)
        found: Ints = np.where(inside & (of.keys[at] == keys), of.units[at], 0)
        return found


def reaches(tree: Tree, k: int, delta: float, metric: str) -> Floats:
    """How far from any location of each leaf the discs reach that may be its answer.

    Let B be a block of cells that holds the leaf and at least k units. A disc around B holds every
    location s of the leaf and k units: if its radius V is at most delta, no answer is larger, and
    an answer, which holds s, lies within 2 V of s. Otherwise a disc centred on s that holds B does:
    with its radius U no answer is larger, and its centre is at most min(U, delta) from s, so it
    lies within U + min(U, delta). Lengths are sides of a finest cell, and rounded up.
    """
    count = len(tree.sizes)
    reach = np.full(count, np.inf)
    for level in range(len(tree.levels) - 1, -1, -1):
        open_ = np.flatnonzero((tree.leaves.levels >= level) & np.isinf(reach))
        if not len(open_):
            continue
        column = tree.x[open_] >> (LEVELS - level)
        row = tree.y[open_] >> (LEVELS - level)
        units = {
            (i, j): tree.units_in(level, column + i, row + j)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
        }
        side = 1 << (LEVELS - level)
        low_x, low_y = tree.x[open_], tree.y[open_]
        high_x, high_y = low_x + tree.sizes[open_], low_y + tree.sizes[open_]
        best = np.full(len(open_), np.inf)
        for west, east in _RANGES:
            for south, north in _RANGES:
                held = np.zeros(len(open_), np.int64)
                for i in range(west, east + 1):
                    for j in range(south, north + 1):
                        held += units[i, j]
                width, height = (east - west + 1) * side, (north - south + 1) * side
                around = length(np.float64(width), np.float64(height), metric) / 2
                far_x = np.maximum(
                    high_x - (column + west) * side, (column + east + 1) * side - low_x
                )
                far_y = np.maximum(
                    high_y - (row + south) * side, (row + north + 1) * side - low_y
                )
                centred = length(far_x.astype(float), far_y.astype(float), metric)
                stays = around * (1 + 1e-6) + SLACK <= delta
                found = np.where(stays, 2 * around, centred + np.minimum(centred, delta))
                best = np.where(held >= k, np.minimum(best, found), best)
        reach[open_] = best
    return reach * (1 + 1e-6) + SLACK


def length(x: Floats | np.float64, y: Floats | np.float64, metric: str) -> Floats:
    """How long a step of x to the side and y up is."""
    x, y = np.abs(x), np.abs(y)
    found: Floats = (
        np.hypot(x, y) if metric == "l2" else x + y if metric == "l1" else np.maximum(x, y)
    )
    return found

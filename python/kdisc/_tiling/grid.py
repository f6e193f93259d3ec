"""Cells: squares over the extent of the data, halved up to thirty times.

A cell of the finest level has a number, its *code*, in which the bits of column and row alternate.
So the cells of a coarser level are ranges of codes, and a set of cells of any levels that do not
overlap is a sorted list of such ranges. Which cell a location is in is decided here and nowhere
else, by subtraction and division by a power of two: it is the same on every machine. Cells are
half-open, so that a location on a line belongs to one.

A difference of coordinates is rounded by at most 2^-23 of the side of a finest cell: that, and not
more, a location may lie outside the cell that it is counted in. ``SLACK`` covers it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .._errors import KdiscError

#: How often the extent is halved.
LEVELS = 30
#: Added to distances between cells, in sides of a finest cell.
SLACK = 1e-3

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: Data that are not the same each time they are looked at.
CHANGED = (
    "the data are not what they were when the plan was made: give a DataFrame that is the same "
    "whenever it is computed (write it to a file first), or plan again"
)


@dataclass(frozen=True)
class Grid:
    """The finest cells."""

    west: float
    south: float
    #: A power of two.
    side: float

    @classmethod
    def over(cls, west: float, south: float, east: float, north: float) -> Grid:
        """The finest cells of this extent."""
        widest = max(east - west, north - south)
        _, exponent = math.frexp(widest)
        return cls(west, south, math.ldexp(1.0, exponent - LEVELS) if widest > 0 else 1.0)

    def codes(self, x: Floats, y: Floats) -> Ints:
        """The finest cell of each location."""
        columns = np.floor((x - self.west) / self.side)
        rows = np.floor((y - self.south) / self.side)
        last = (1 << LEVELS) - 1
        for of in (columns, rows):
            if not bool(np.all((of >= 0) & (of <= last))):
                raise KdiscError(CHANGED)
        return interleave(columns.astype(np.int64), rows.astype(np.int64))


def interleave(columns: Ints, rows: Ints) -> Ints:
    """The codes of cells."""
    code: Ints = _spread(columns) | (_spread(rows) << 1)
    return code


def columns_and_rows(codes: Ints) -> tuple[Ints, Ints]:
    """The cells of codes."""
    return _gather(codes), _gather(codes >> 1)


#: Where groups of 16, 8, 4, 2 and 1 bits go when room is made between them.
_MASKS = (
    (16, 0x0000FFFF0000FFFF),
    (8, 0x00FF00FF00FF00FF),
    (4, 0x0F0F0F0F0F0F0F0F),
    (2, 0x3333333333333333),
    (1, 0x5555555555555555),
)


def _spread(bits: Ints) -> Ints:
    for shift, mask in _MASKS:
        bits = (bits | (bits << shift)) & mask
    return bits


def _gather(bits: Ints) -> Ints:
    bits = bits & _MASKS[-1][1]
    for (shift, _), (_, mask) in zip(reversed(_MASKS), reversed((_WHOLE, *_MASKS[:-1]))):
        bits = (bits | (bits >> shift)) & mask
    return bits


_WHOLE = (32, 0x00000000FFFFFFFF)


def within(codes: Ints, starts: Ints, levels: Ints) -> tuple[Ints, Any]:
    """In which of these cells each code is, and whether it is in any. Cells are given by their
    first code, in order, and their level."""
    at = np.searchsorted(starts, codes, side="right") - 1
    found = at >= 0
    at = np.maximum(at, 0)
    return at, found & (codes >> shift(levels[at]) == starts[at] >> shift(levels[at]))


def shift(level: Any) -> Any:
    """By how many bits the codes of a level are shorter than the finest."""
    return 2 * (LEVELS - level)

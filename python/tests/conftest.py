"""Points that tests share, and an oracle that is slow and obvious."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kdisc

#: The paper's data set, which is not ours to give.
PAPER = Path(__file__).parents[3] / "shared" / "data"

#: What a measure adds.
ADDED = ["multiplicity", "radius", "units", "risk", "center_x", "center_y", "status"]


@pytest.fixture(scope="session")
def town() -> pd.DataFrame:
    return kdisc.example(1500)


@pytest.fixture(scope="session")
def measured(town: pd.DataFrame) -> pd.DataFrame:
    return kdisc.risk(town)


def nearest(points: np.ndarray, k: int) -> np.ndarray:
    """The distance from each point to its k-th nearest, itself included: the radius at delta 0."""
    distances = np.hypot(*(points[:, None, :] - points[None, :, :]).T)
    return np.sort(distances, axis=0)[k - 1]


def smallest(points: np.ndarray, at: np.ndarray, k: int) -> float:
    """The radius of the smallest disc that holds a place and k points, by all circles there are."""
    best = math.inf
    for i, j in itertools.combinations(range(len(points)), 2):
        best = min(best, _if_full(points, at, k, (points[i] + points[j]) / 2, points[i]))
    for i, j, m in itertools.combinations(range(len(points)), 3):
        center = _through(points[i], points[j], points[m])
        if center is not None:
            best = min(best, _if_full(points, at, k, center, points[i]))
    return best


def _if_full(points, at, k, center, on):
    radius = np.hypot(*(on - center))
    within = radius * (1 + 1e-12)
    held = np.hypot(*(points - center).T) <= within
    return radius if held.sum() >= k and np.hypot(*(at - center)) <= within else math.inf


def _through(a, b, c):
    turn = 2 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    if turn == 0:
        return None
    b2, c2 = (b - a) @ (b - a), (c - a) @ (c - a)
    x = ((c[1] - a[1]) * b2 - (b[1] - a[1]) * c2) / turn
    y = ((b[0] - a[0]) * c2 - (c[0] - a[0]) * b2) / turn
    return a + np.array([x, y])

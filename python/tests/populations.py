"""Populations that are hard to cut into tiles."""

from __future__ import annotations

import numpy as np

import kdisc


def populations() -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
    """Points, and weights where they have some."""
    random = np.random.default_rng(8)

    def even(count, side, corner=(0.0, 0.0)):
        return random.uniform(0, side, (count, 2)) + corner

    def round_(count, spread, centre=(0.0, 0.0)):
        return random.normal(0, spread, (count, 2)) + centre

    lattice = np.stack(np.meshgrid(np.arange(33.0), np.arange(33.0)), axis=-1).reshape(-1, 2)
    town = kdisc.example(1500)[["x", "y"]].to_numpy()
    weighted = np.floor(even(700, 200))
    return {
        "uniform": (even(1500, 10_000), None),
        "a city in a country of farms": (
            np.concatenate([round_(1200, 300, (70_000, 30_000)), even(200, 100_000)]),
            None,
        ),
        "one location": (np.full((600, 2), 12.5), None),
        "a line": (np.stack([even(900, 5000)[:, 0], np.zeros(900)], axis=1), None),
        "two far clusters": (
            np.concatenate([round_(500, 20), round_(400, 20, (3e7, 1e6))]),
            None,
        ),
        # Powers of two: every line between cells goes through units.
        "a lattice": (lattice * 64, None),
        "duplicates": (np.floor(even(1500, 25)) - 12.0, None),
        "a town": (town, None),
        "lonely units": (
            np.concatenate([round_(900, 100), [(9e4, 0), (-8e4, 100), (0, 3e5), (3e5, 3e5)]]),
            None,
        ),
        "weights": (weighted, random.integers(0, 6, len(weighted))),
        "few who count": (even(800, 1000), (random.random(800) < 0.05).astype(np.int64)),
        "zero and minus zero": (
            np.concatenate([[(0.0, -0.0), (-0.0, 0.0)], np.floor(even(300, 20)) - 10.0]) * 1.0,
            None,
        ),
    }

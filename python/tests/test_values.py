"""Rules and bandwidths from Python."""

import math

import numpy as np
import pandas as pd
import pytest

import kdisc


def test_rules_against_plain_loops(town):
    found = kdisc.rules(town, "production", p=10, k=5, max_k=6)
    assert isinstance(found.table, pd.DataFrame)
    points = town[["x", "y"]].to_numpy()
    for row in found.table.sample(50, random_state=1).itertuples():
        distances = np.hypot(*(points - (row.center_x, row.center_y)).T)
        values = np.sort(town.production[distances <= row.radius * (1 + 1e-9)])[::-1]
        assert len(values) == row.contributors == row.units
        assert row.total == pytest.approx(values.sum())
        assert (row.largest, row.second) == tuple(values[:2])
        rest = values[2:].sum()
        assert row.p_margin == pytest.approx(100 * rest / values[0])
        assert pd.notna(row.unsafe) == (rest < 0.1 * values[0])
    assert "unsafe" in repr(found)


def test_rules_in_cells_beside_those_in_discs(town):
    cells = kdisc.rules(town, "production", grid=500, p=10, units=True)
    assert cells.table["count"].sum() == len(town)
    assert len(cells.units) == len(town)
    several = kdisc.rules(town, "production", dominance=[(1, 75), (2, 85)], category="fined")
    assert len(several.table) == len(town)


def test_bandwidths_are_quantiles_of_the_radius_at_delta_0(town):
    found = kdisc.bandwidth(town, shares=[0.5, 1], cell=50, units=True)
    radii = np.sort(kdisc.risk(town, delta=0)["radius"])
    assert found.table["bandwidth"].tolist() == [radii[math.ceil(len(radii) / 2) - 1], radii[-1]]
    assert len(found.units) == len(town)

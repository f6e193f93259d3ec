"""The answers are right, whatever asks for them."""

import math

import numpy as np
import pandas as pd
import pytest

import kdisc
from conftest import PAPER, nearest, smallest


def test_the_counterexample_of_the_paper():
    points = 1000 * np.array([(0, 0), (2, 0), (-2, 0), (0, -2.5)])
    found = kdisc.risk(points, k=3)
    assert found["radius"][0] == pytest.approx(500 * math.sqrt(10.25), rel=1e-15)


@pytest.mark.parametrize("k", [2, 5, 9])
def test_against_every_circle_there_is(k):
    points = np.random.default_rng(k).normal(0, 1000, size=(14, 2))
    found = kdisc.risk(points, k=k)
    for at, radius in zip(points, found["radius"]):
        assert radius == pytest.approx(smallest(points, at, k), rel=1e-9)
    found = kdisc.risk(points, k=k, delta=0)
    np.testing.assert_allclose(found["radius"], nearest(points, k), rtol=1e-14)


def test_delta_between_lies_between():
    points = np.random.default_rng(1).normal(0, 1000, size=(300, 2))
    radii = [kdisc.risk(points, delta=delta)["radius"] for delta in (math.inf, 100, 0)]
    assert (radii[0] <= radii[1]).all() and (radii[1] <= radii[2]).all()
    assert (radii[1] < radii[2]).any()


def test_the_exact_answers_for_the_data_of_the_paper():
    if not (PAPER / "enterprises.csv").exists():
        pytest.skip(f"NOTE: {PAPER}/enterprises.csv is absent")
    units = pd.read_csv(PAPER / "enterprises.csv")
    answers = pd.read_csv(PAPER / "enterprises_exact_k10.csv")
    for delta, suffix in ((0, "0"), (math.inf, "inf")):
        found = kdisc.risk(units, delta=delta).drop_duplicates(["x", "y"])
        both = found.merge(answers, on=["x", "y"])
        assert len(both) == 8055
        np.testing.assert_allclose(both["radius"], both[f"radius_delta{suffix}"], rtol=1e-9)


def test_weights_are_units():
    points = np.array([(0.0, 0), (1000, 0), (9000, 0)])
    found = kdisc.risk(points, k=3, weight=[1, 2, 0])
    assert found["units"].tolist() == [3, 3, 3]
    assert found["multiplicity"].tolist() == [1, 2, 0]
    frame = pd.DataFrame(points, columns=["x", "y"]).assign(w=[1, 2, 0])
    assert kdisc.risk(frame, k=3, weight="w")["units"].tolist() == [3, 3, 3]


def test_places_that_are_no_units(town):
    places = pd.DataFrame({"x": [town.x.mean()], "y": [town.y.mean()], "name": ["middle"]})
    found = kdisc.risk(town, at=places)
    assert found["name"].tolist() == ["middle"]
    assert found["multiplicity"].tolist() == [0]
    assert found["radius"][0] > 0


def test_groups_and_only(town):
    town = town.assign(side=np.where(town.x > town.x.median(), "east", "west"))
    within = kdisc.risk(town, within="side")
    for _, group in town.groupby("side"):
        alone = kdisc.risk(group)
        pd.testing.assert_series_equal(within.loc[group.index, "radius"], alone["radius"])
    some = kdisc.risk(town, only="fined=True")
    assert (some["status"] == "ok").sum() == town["fined"].sum()
    assert (some.loc[~town["fined"], "status"] == "not_measured").all()


def test_fewer_units_than_k():
    found = kdisc.risk(np.array([(0.0, 0), (1000, 1000)]))
    assert np.isnan(found["radius"]).all()
    assert found["status"].tolist() == ["no_disc", "no_disc"]


def test_the_summary_has_the_figures_of_the_table(town):
    found, summary = kdisc.risk(town, summary=True)
    assert summary["units"] == len(town)
    assert summary["per_unit"]["radius"]["max"] == found["radius"].max()
    assert "radius" in repr(summary)
    assert "<pre>" in summary._repr_html_()


def test_threads_and_order_change_nothing(town, measured):
    shuffled = town.sample(frac=1, random_state=3)
    again = kdisc.risk(shuffled, threads=1).loc[town.index]
    pd.testing.assert_frame_equal(again, measured)

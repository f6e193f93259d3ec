"""Tiles, without Spark: every location has the answer of the whole population, to the last bit."""

import math

import numpy as np
import pyarrow as pa
import pytest
from populations import populations
from tiled import coalesced, cut, measured

import kdisc
from kdisc._tiling import border
from kdisc._tiling.grid import LEVELS, Grid, columns_and_rows, interleave
from kdisc._tiling.plan import Limits, Question
from kdisc._tiling.tasks import UNITS, X, Y

POPULATIONS = populations()
#: Many small tiles, whatever that costs.
MANY = Limits(tile_rows=60, max_rows=10**7, max_replication=math.inf)


def compare(batch, question, limits):
    made, found = measured(batch, question, limits)
    table = pa.Table.from_batches([batch]).sort_by([(X, "ascending"), (Y, "ascending")])
    whole = kdisc.risk(
        table,
        k=question.k,
        delta=question.delta,
        metric=question.metric,
        x=X,
        y=Y,
        weight=UNITS,
    ).drop_columns([UNITS])
    assert found.equals(whole), question
    return made


@pytest.mark.filterwarnings("ignore:.*could be degrees")
@pytest.mark.parametrize("name", POPULATIONS)
@pytest.mark.parametrize("metric", ["l2", "l1", "linf"])
def test_every_population(name, metric):
    batch = coalesced(*POPULATIONS[name])
    units = int(batch.column(UNITS).to_numpy().sum())
    size = float(np.median(kdisc.risk(pa.table(batch), 5, 0.0, x=X, y=Y, weight=UNITS)["radius"]))
    for k, delta in [
        (1, math.inf),
        (3, 0.0),
        (5, math.inf),
        (5, size / 2),
        (5, size),
        (12, 2 * size),
        (12, math.inf),
    ]:
        if k <= units:
            compare(batch, Question(k, delta, metric), MANY)


@pytest.mark.parametrize("name", ["uniform", "a city in a country of farms", "weights"])
def test_k_near_the_population(name):
    batch = coalesced(*POPULATIONS[name])
    units = int(batch.column(UNITS).to_numpy().sum())
    for k in (units // 2, units - 1, units):
        made = compare(batch, Question(k, 0.0, "l2"), Limits(60, 10**7, 1.5))
        assert len(made.rows) == 1


def test_codes():
    random = np.random.default_rng(1)
    column, row = random.integers(0, 1 << LEVELS, (2, 1000))
    codes = interleave(column, row)
    assert [sum(((c >> i & 1) << 2 * i) | ((r >> i & 1) << 2 * i + 1) for i in range(LEVELS))
            for c, r in zip(column.tolist(), row.tolist())] == codes.tolist()
    back = columns_and_rows(codes)
    assert (back[0] == column).all() and (back[1] == row).all()


def test_every_double_of_the_extent_is_in_a_cell():
    for west, east in [(0.1, 0.1 + 2**-50), (-1e150, 1e150), (3.0, 3.0), (1e-130, 1e-129), (0, 8)]:
        grid = Grid.over(west, west, east, east)
        ends = np.array([west, (west + east) / 2, east])
        assert len(grid.codes(ends, ends)) == 3
    with pytest.raises(kdisc.KdiscError, match="not what they were"):
        grid.codes(np.array([17.0]), np.array([0.0]))


def test_a_lonely_farm_needs_the_outskirts_only(monkeypatch):
    """Without shadows, the tiles of farms would have much of the city in their borders."""
    random = np.random.default_rng(4)
    city = random.normal(0, 3000, (150_000, 2)) + (70_000, 30_000)
    batch = coalesced(np.concatenate([city, random.uniform(0, 300_000, (20_000, 2))]))
    limits = Limits(20_000, 10**7, math.inf)
    made = cut(batch, Question(10, math.inf, "l2"), limits)
    assert len(made.rows) >= 8
    assert made.rows.max() < 1.5 * 20_000
    monkeypatch.setattr(border, "_in_shadow", lambda tree, k, reach, boxes, *_: boxes.size < 0)
    assert cut(batch, Question(10, math.inf, "l2"), limits).rows.max() > 2.5 * 20_000


def test_replication_is_bounded():
    points = np.random.default_rng(3).uniform(0, 1e5, (200_000, 2))
    batch = coalesced(points)
    made = cut(batch, Question(10, math.inf, "l2"), Limits(20_000, 10**7, 1.5))
    assert len(made.rows) >= 8
    assert made.rows.sum() < 1.5 * len(points)
    assert made.rows.max() < 1.5 * 20_000


def test_too_large_a_tile_is_refused():
    batch = coalesced(POPULATIONS["uniform"][0])
    with pytest.raises(kdisc.InputError, match="needs 1500 of 1500 locations.*max_rows=1000"):
        cut(batch, Question(1400, 0.0, "l2"), Limits(100, 1000, 1.5))

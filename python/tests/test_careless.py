"""What people do without thinking: it works, or one clear sentence says why it does not."""

import copy
import decimal
import math
import multiprocessing
import pickle

import geopandas
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyproj
import pytest

import kdisc


def refused(match, function, *arguments, **options):
    with pytest.raises(kdisc.InputError, match=match) as caught:
        function(*arguments, **options)
    return caught.value


def test_names_like_those_of_arguments(town, measured):
    odd = town.assign(k=1, delta=2.0, at="a", data=3, weight=4, summary=5, prefix="p")
    assert kdisc.risk(odd)["radius"].equals(measured["radius"])


def test_names_that_are_no_texts(town, measured):
    numbered = town.set_axis(range(town.shape[1]), axis=1)
    refused(r'name the columns: x="COL", y="COL"', kdisc.risk, numbered)
    for x, y in ((0, 1), ("0", "1"), (np.int64(0), np.int64(1))):
        assert kdisc.risk(numbered, x=x, y=y)["radius"].equals(measured["radius"])


def test_names_of_several_levels(town, measured):
    labels = [("at", "x"), ("at", "y"), ("production", ""), ("radius", "m")]
    leveled = town.set_axis(pd.MultiIndex.from_tuples(labels), axis=1)
    found = kdisc.risk(leveled, x=("at", "x"), y=("at", "y"))
    assert found["radius", ""].equals(measured["radius"].rename(("radius", "")))
    pd.testing.assert_frame_equal(found[labels], leveled)
    plain = leveled.set_axis(pd.MultiIndex.from_product([town.columns, [""]]), axis=1)
    again = kdisc.risk(plain)
    assert again["radius", ""].tolist() == measured["radius"].tolist()
    refused('already has a column "multiplicity"', kdisc.risk, again)


def test_names_that_are_there_twice(town, measured):
    twice = pd.concat([town, town[["production", "fined"]]], axis=1)
    found = kdisc.risk(twice)
    assert found["radius"].equals(measured["radius"])
    assert list(found.columns[:6]) == list(twice.columns)
    refused('"x"', kdisc.risk, pd.concat([town, town], axis=1))
    refused('2 columns.*"x"|"x".*2', kdisc.risk, pd.concat([town, town], axis=1), x="x", y="y")
    refused('"production"', kdisc.rules, twice, "production")


def test_frames_of_very_many_columns(town, measured):
    wide = pd.concat([town, pd.DataFrame(np.zeros((len(town), 5000)))], axis=1)
    assert kdisc.risk(wide)["radius"].equals(measured["radius"])
    again = town
    for run in range(20):
        again = kdisc.risk(again, prefix=f"{run}_")
    assert again["19_radius"].tolist() == measured["radius"].tolist()


def test_decimals_and_texts_are_numbers(town, measured):
    exact = town[["x", "y"]].map(lambda value: decimal.Decimal(repr(value)))
    assert kdisc.risk(exact)["radius"].equals(measured["radius"])
    assert kdisc.risk(town.astype({"x": str, "y": str}))["radius"].equals(measured["radius"])
    table = pa.table({"x": exact.x, "y": exact.y})
    assert kdisc.risk(table)["radius"].to_pylist() == measured["radius"].tolist()


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"k": 0}, r"'k'"),
        ({"k": -1}, r"'k'"),
        ({"k": 2.5}, r"'2.5' for 'k'"),
        ({"k": "ten"}, r"'ten' for 'k'"),
        ({"k": True}, "k=True says nothing"),
        ({"k": [5, 10]}, r"'5,10' for 'k'"),
        ({"delta": False}, "delta=False says nothing"),
        ({"delta": -1}, r"'-1' for 'delta'"),
        ({"delta": math.nan}, r"'nan' for 'delta'"),
        ({"delta": "far"}, r"'far' for 'delta'"),
        ({"metric": "euclid"}, r"'euclid' for 'metric'"),
        ({"metric": 2}, r"'2' for 'metric'"),
        ({"threads": 0}, r"'0' for 'threads'"),
        ({"threads": 10**6}, r"'1000000' for 'threads'"),
        ({"crs": "nonsense"}, r"'nonsense' for 'crs'"),
        ({"crs": 28992, "compute_crs": 4326}, 'compute_crs="EPSG:n"'),
        ({"x": "x"}, r"required arguments.*\n *y"),
        ({"x": "x", "y": "x"}, 'x="COL", y="COL"'),
        ({"only": "x"}, 'only="COL=VALUE"'),
        ({"only": ("fined", True)}, 'only="COL=VALUE"'),
        ({"enclosed": True}, "regions"),
        ({"enclosed": "no"}, "'no' for 'enclosed'"),
        ({"on_invalid": "ignore"}, r"'ignore' for 'on_invalid'"),
        ({"at": "absent.csv"}, "absent.csv"),
        ({"at": "data"}, "data"),
        ({"at": "-"}, "names no file"),
        ({"regions": pd.DataFrame({"x": [1.0], "y": [2.0]})}, "polygons"),
        ({"weight": "nothing"}, 'no column "nothing"'),
        ({"weight": 2}, "neither a column nor"),
        ({"within": "nothing"}, 'no column "nothing"'),
    ],
    ids=str,
)
def test_questions_that_make_no_sense(town, options, match):
    error = refused(match, kdisc.risk, town, **options)
    assert "--" not in str(error)


@pytest.mark.parametrize(
    "options",
    [
        {"k": np.int64(10)},
        {"k": 10.0},
        {"k": None},
        {"delta": "inf"},
        {"delta": np.float32(np.inf)},
        {"delta": None},
        {"threads": np.int8(1)},
        {"crs": 28992},
        {"crs": np.int64(28992)},
        {"crs": pyproj.CRS(28992)},
        {"crs": pyproj.CRS(28992).to_wkt(), "compute_crs": "EPSG:28992"},
        {"enclosed": 0},
        {"on_invalid": "skip"},
    ],
    ids=str,
)
def test_ways_to_ask_the_same(town, measured, options):
    assert kdisc.risk(town, **options)["radius"].equals(measured["radius"])


def test_numbers_are_passed_on_as_they_are(town):
    third = np.float32(0.1)
    expected = kdisc.risk(town, delta=float(third))
    assert kdisc.risk(town, delta=third)["radius"].equals(expected["radius"])
    assert kdisc.risk(town, delta=decimal.Decimal("100.5"))["radius"].equals(
        kdisc.risk(town, delta=100.5)["radius"]
    )
    seed = 2**63 + 1
    found = kdisc.report(town.head(50), levels=8, crs=28992, seed=np.uint64(seed))
    assert f"--seed={seed}" in found.json["command"]


@pytest.mark.parametrize(
    "kind", [list, tuple, np.array, pl.Series, pa.array, pd.Series, lambda w: np.array(w, ">i4")]
)
def test_weights_of_any_kind(town, kind):
    weights = [1 + row % 3 for row in range(len(town))]
    expected = kdisc.risk(town.assign(w=weights), weight="w")
    found = kdisc.risk(town, weight=kind(weights))
    assert found["radius"].equals(expected["radius"])
    chunks = pa.chunked_array([weights[:7], weights[7:]])
    assert kdisc.risk(town, weight=chunks)["radius"].equals(expected["radius"])


def test_weights_in_another_order_are_refused(town):
    weights = pd.Series(range(len(town)), index=town.index[::-1])
    error = refused("another index", kdisc.risk, town, weight=weights)
    assert "reindex" in error.help
    kdisc.risk(town, weight=weights.reindex(town.index))
    kdisc.risk(town, weight=weights.to_numpy())


def test_sequences_of_any_kind(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town, geometry=points)
    bounds = data.total_bounds
    expected = kdisc.map(data, extent=tuple(bounds), breaks=[5, 10], size=(640, 480)).png
    assert kdisc.map(data, extent=bounds, breaks=np.array([5, 10]), size=[640, 480]).png == expected
    assert kdisc.areal(data, grid=500, origin=[-1.5, 2]).summary["division"]["origin"] == [-1.5, 2]
    for levels in ("10-12", range(10, 13), [10, 11, 12]):
        assert kdisc.zoom(data, levels).table["level"].astype(str).tolist() == ["10", "11", "12"]
    refused("levels", kdisc.zoom, data, [10, 12])
    rule = kdisc.rules(town, "production", dominance=[1, 75]).summary["rules"]
    assert kdisc.rules(town, "production", dominance=(1, 75)).summary["rules"] == rule
    several = kdisc.rules(town, "production", dominance=[[1, 75], [2, 85]]).summary["rules"]
    assert len(several) == 2


def test_units_where_the_table_is_of_units(town):
    refused("table of regions", kdisc.rules, town, "production", units=True)


def test_a_geoseries_is_no_table(town):
    points = geopandas.GeoSeries(geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992"))
    with pytest.raises(TypeError, match="to_frame"):
        kdisc.risk(points)
    kdisc.risk(points.to_frame("geometry"))
    with pytest.raises(TypeError, match="numpy.array"):
        kdisc.risk(list(zip(town.x, town.y)))
    with pytest.raises(TypeError, match="pandas.DataFrame"):
        kdisc.risk({"x": town.x, "y": town.y})


@pytest.fixture(scope="module")
def results(town):
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town, geometry=points).head(300)
    return [
        kdisc.risk(data, summary=True)[1],
        kdisc.areal(data, grid=500, units=True),
        kdisc.density(data, 100, 300),
        kdisc.map(data),
        kdisc.report(data, levels=10),
    ]


@pytest.mark.parametrize("kept", [lambda r: pickle.loads(pickle.dumps(r)), copy.deepcopy, copy.copy])
def test_results_can_be_kept(results, kept):
    for result in results:
        again = kept(result)
        assert type(again) is type(result) and repr(again) == repr(result)
        for show in ("_repr_html_", "_repr_png_", "_repr_svg_"):
            if hasattr(result, show):
                assert getattr(again, show)() == getattr(result, show)()


def test_errors_can_be_sent_to_another_process(town):
    error = refused("no column", kdisc.risk, town, weight="w")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.message, again.help) == (str(error), error.message, error.help)


def commanded(town):
    """Every way in which threads are used, after which a child must find its own."""
    points = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    data = geopandas.GeoDataFrame(town, geometry=points)
    kdisc.discs(data)
    kdisc.density(data, 500, 1000).picture()
    kdisc.surface(data, 2000)
    kdisc.map(data, zoom=10)
    kdisc.rules(data, "production", p=10, grid=500, max_k=12)
    return kdisc.risk(town, delta=50)["radius"].tolist()


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_may_ask_too(town, way):
    few = town.head(200)
    expected = commanded(few)
    with multiprocessing.get_context(way).Pool(2) as pool:
        found = pool.map_async(commanded, [few] * 2).get(timeout=120)
    assert found == [expected] * 2

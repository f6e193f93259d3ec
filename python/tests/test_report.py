"""The report as a function, beside the command."""

import json

import pytest

import kdisc
from kdisc import _native
from kdisc._frames import frame


@pytest.fixture(scope="module")
def found(town):
    return kdisc.report(town, k=5, max_radius=300, allow="2%", levels="10-12", crs="EPSG:28992")


def test_the_page_and_its_figures_are_those_of_the_command(town, found, tmp_path):
    words = ["report", "data", "--k", "5", "--max-radius", "300", "--allow", "2%", "--levels", "10-12"]
    words += ["--crs", "EPSG:28992", "-o", str(tmp_path / "r.html"), "--quiet"]
    _native.run(words, [("data", frame(town).table)], None)
    alone = json.loads((tmp_path / "r.json").read_text())
    for part in ["verdict", "spread", "curves", "multiplicities"]:
        assert found.json[part] == alone[part], part
    assert found.json["zoom"]["levels"] == alone["zoom"]["levels"]
    assert found.verdict == alone["verdict"]


def test_it_shows_itself_and_can_be_saved(found, tmp_path):
    assert "verdict" in repr(found)
    assert found._repr_html_().startswith("<iframe srcdoc=")
    found.save(tmp_path / "saved.html")
    assert (tmp_path / "saved.html").read_text() == found.html
    with pytest.raises(kdisc.InputError):
        found.save(tmp_path / "saved.pdf")


def test_rules_are_limits(town):
    found = kdisc.report(town, value="production", dominance=[(1, 5)], levels="10-10", crs="EPSG:28992")
    assert found.verdict["safe"] is False
    assert found.json["rules"]["rules"][0]["rule"] == "dominance_1_5"

"""The report as a function, beside the command."""

import json

import kdisc


def test_the_page_and_its_figures_are_those_of_the_command(run, tmp_path):
    town = kdisc.example()
    found = kdisc.report(town, k=5, max_radius=300, allow="2%", levels="10-12", crs="EPSG:28992")
    town.to_csv(tmp_path / "town.csv", index=False)
    run(
        "report", tmp_path / "town.csv", "-o", tmp_path / "r.html", "--crs", "EPSG:28992",
        "--k", 5, "--max-radius", 300, "--allow", "2%", "--levels", "10-12",
    )
    alone = json.loads((tmp_path / "r.json").read_text())
    for part in ["verdict", "spread", "curves", "multiplicities"]:
        assert found.json[part] == alone[part], part
    assert found.verdict == alone["verdict"]
    assert found.json["zoom"]["levels"] == alone["zoom"]["levels"]
    assert "Not safe" in repr(found)
    assert found._repr_html_().startswith("<iframe srcdoc=")
    found.save(tmp_path / "saved.html")
    assert (tmp_path / "saved.html").read_text() == found.html


def test_rules_are_limits():
    town = kdisc.example()
    found = kdisc.report(town, value="production", dominance=[(1, 5)], levels="10-10")
    assert found.verdict["safe"] is False
    assert found.json["rules"]["rules"][0]["rule"] == "dominance_1_5"

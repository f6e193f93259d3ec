"""docs/paper.md does what it says: its commands are run and their output compared, line by line."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "paper.md"
DATA = ROOT.parent / "shared" / "data"
SIX = [(71528, 440373), (80051, 445414), (74232, 444356), (81270, 441407), (75597, 448228), (70753, 446872)]


def blocks(page, words):
    """The lines of every fenced block that opens with exactly these words, with where it begins."""
    found, inside = [], None
    for number, line in enumerate(page.splitlines(), 1):
        if not line.startswith("```"):
            if inside is not None:
                inside.append(line)
        elif inside is None:
            inside = []
            if line[3:].strip() == words:
                found.append((number, inside))
        else:
            inside = None
    assert inside is None, "the last block of the page is not closed"
    return found


def steps(number, lines):
    """Each command of a block, with the lines that the page shows below it.

    A command goes on to the end of its here-document, and after a line that ends with a backslash.
    """
    lines, found = list(lines), []
    assert lines and lines[0].startswith("$ "), f"{PAGE.name}:{number}: this block begins without a command"
    while lines:
        line = lines.pop(0)
        if not line.startswith("$ "):
            found[-1][1].append(line)
            continue
        command = [line[2:]]
        while command[-1].endswith("\\"):
            command.append(lines.pop(0))
        if end := re.search(r"<<'?(\w+)", command[0]):
            while command[-1] != end[1]:
                command.append(lines.pop(0))
        found.append(("\n".join(command), []))
    return found


def matches(shown, told):
    """Whether these lines are those; a shown line of three dots stands for any lines, or none."""
    pattern = "".join("(?:.*\n)*?" if line == "..." else re.escape(line + "\n") for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in told)) is not None


@pytest.fixture(scope="module")
def shell(kdisc, tmp_path_factory):
    """Runs a command as its reader would, with kdisc on the path; both outputs, in one."""
    programs = tmp_path_factory.mktemp("bin")
    (programs / "kdisc").symlink_to(Path(os.environ["KDISC"]).resolve())
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}

    def run(command, folder):
        # A failure must not hide behind the pipe that shortens its output.
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)  # fmt: skip

    return run


def walk(shell, words, folder):
    """Runs all blocks of this kind, and says which command of the page does not do what is shown."""
    page_blocks = blocks(PAGE.read_text(), words)
    assert page_blocks, f"{PAGE.name} has no block of {words!r}"
    for number, lines in page_blocks:
        for command, shown in steps(number, lines):
            done = shell(command, folder)
            where = f"{PAGE.name}, block of line {number}\n$ {command}\n{done.stdout}"
            assert done.returncode == 0, f"exit code {done.returncode}: {where}"
            assert matches(shown, done.stdout.splitlines()), f"{where}\nbut the page shows\n" + "\n".join(shown)


def test_every_command_on_the_built_in_example(shell, tmp_path):
    walk(shell, "console", tmp_path)
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", PAGE.read_text())
    assert len(pictures) == 2
    for name in pictures:
        kept, made = PAGE.parent / name, tmp_path / name
        assert kept.stat().st_size <= 250_000
        assert kept.read_bytes() == made.read_bytes(), f"look at {made}; if it is right, it replaces {kept}"


def test_the_six_locations_of_the_original_data(shell, tmp_path):
    if not (DATA / "enterprises.csv").exists():
        pytest.skip(f"NOTE: {DATA}/enterprises.csv is absent")
    shutil.copy(DATA / "enterprises.csv", tmp_path)
    walk(shell, "console original", tmp_path)
    exact = pd.read_csv(DATA / "enterprises_exact_k10.csv").set_index(["x", "y"]).loc[SIX]
    for made, radius, units in [("point.csv", "radius_delta0", "units_delta0"),
                                ("cluster.csv", "radius_deltainf", "units_deltainf_fewest")]:  # fmt: skip
        found = pd.read_csv(tmp_path / made).set_index(["x", "y"])
        assert found.index.tolist() == SIX
        assert (found["status"] == "ok").all()
        np.testing.assert_allclose(found["radius"], exact[radius], rtol=1e-9)
        assert found["units"].tolist() == exact[units].tolist()


def test_dots_stand_for_any_lines_and_nothing_else_does():
    told = ["a", "b", "c", "b", "d"]
    for shown in (told, ["..."], ["a", "..."], ["...", "d"], ["...", "c", "..."], ["a", "...", "b", "d"],
                  ["...", "b", "...", "b", "..."], ["a", "b", "c", "b", "d", "..."]):  # fmt: skip
        assert matches(shown, told), shown
    for shown in ([], ["a"], ["a", "b"], ["...", "b"], ["b", "..."], ["...", "d", "...", "a", "..."], ["a", "...", "a"],
                  ["a", "b", "...", "b", "c", "b", "d"], ["...", "b", "...", "b", "...", "b", "..."]):  # fmt: skip
        assert not matches(shown, told), shown
    assert matches([], []) and matches(["..."], []) and not matches(["a"], [])
    assert not matches(["...", "a", "..."], [])


def test_a_block_without_a_command_is_an_error():
    with pytest.raises(AssertionError, match="without a command"):
        steps(1, ["output only"])
    with pytest.raises(AssertionError, match="without a command"):
        steps(1, [])
    found = steps(1, ["$ cat > a <<END", "$ 1", "END", "$ cat a", "$ 1"])
    assert [command for command, _ in found] == ["cat > a <<END\n$ 1\nEND", "cat a", "1"]

"""The package as it is installed: a wheel for every Python, with its types."""

import importlib.metadata
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kdisc
from kdisc import _native

FUNCTIONS = [name for name in kdisc.__all__ if inspect.isfunction(getattr(kdisc, name))]


def test_it_is_the_installed_wheel():
    found = importlib.metadata.distribution("kdisc")
    files = {str(file) for file in found.files}
    assert {"kdisc/py.typed", "kdisc/_native.pyi", "kdisc/_native.abi3.so"} <= files
    assert not any("test" in file for file in files)
    # The wheel, not the checkout.
    assert Path(kdisc.__file__).samefile(found.locate_file("kdisc/__init__.py"))
    assert "-abi3-" in found.read_text("WHEEL")
    assert kdisc.__version__ == found.version


def test_numpy_and_pyarrow_are_all_it_needs():
    wanted = importlib.metadata.requires("kdisc")
    always = [one for one in wanted if "extra" not in one]
    assert sorted(re.split(r"[ <>=]", one)[0] for one in always) == ["numpy", "pyarrow"]
    absent = ["pandas", "geopandas", "polars", "duckdb", "shapely", "pyproj", "tqdm"]
    program = f"""
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {absent!r}:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Without())
import kdisc, numpy
units = kdisc.example(100)
assert type(units).__module__ == "pyarrow.lib"
kdisc.risk(units, progress=True)
kdisc.risk(numpy.column_stack([units["x"], units["y"]]))
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_tells_of_every_argument(name):
    found = getattr(kdisc, name)
    words = inspect.getdoc(found)
    assert ">>>" in words
    told = re.search(r"Parameters\n-+\n(.*?)\n\nExamples\n", words, re.DOTALL)[1]
    headings = [line for line in told.splitlines() if not line.startswith(" ")]
    listed = [argument for line in headings for argument in line.split(", ")]
    assert sorted(listed) == sorted(inspect.signature(found).parameters)
    assert found.__annotations__.keys() == {*inspect.signature(found).parameters, "return"}


def test_everything_public_has_words():
    for name in kdisc.__all__:
        found = getattr(kdisc, name)
        assert found.__doc__, name
        for part, member in vars(found).items() if inspect.isclass(found) else ():
            if not part.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                assert member.__doc__, f"{name}.{part}"


def test_the_stub_is_of_the_native_module():
    stub = Path(kdisc.__file__).with_name("_native.pyi").read_text()
    told = set(re.findall(r"^def (\w+)\(", stub, re.MULTILINE))
    assert told == {name for name in dir(_native) if not name.startswith("_")}
    for name in told:
        signature = re.search(rf"^def {name}\((.*?)\) ->", stub, re.MULTILINE | re.DOTALL)[1]
        names = re.findall(r"(?:^|, |\n\s*)(\w+):", signature)
        assert names == list(inspect.signature(getattr(_native, name)).parameters), name

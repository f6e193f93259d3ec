"""Which kind a table is of, and the way to Arrow and back for each."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrow import Frame, append, arrow, as_table, needed_of, only, only_name, plain
from ._errors import InputError
from ._numpy import is_pair, numpy
from ._pandas import geopandas, pandas

#: What has to be said of data that kdisc cannot take.
KINDS = (
    "a GeoDataFrame, a DataFrame of pandas or Polars, a pyarrow Table, anything else with the Arrow "
    "PyCapsule interface (such as a DuckDB relation), or NumPy arrays"
)


def frame(data: Any, needed: Collection[str] = (), *, coordinates: bool = False) -> Frame:
    """Takes data of any kind. Columns called as in ``needed`` cross over whatever they hold; with
    ``coordinates``, points are taken from columns even if there are geometries."""
    if is_a(data, "geopandas", "GeoDataFrame"):
        return geopandas(data, needed, coordinates)
    if is_a(data, "pandas", "DataFrame"):
        return pandas(data, needed)
    if is_a(data, "polars", "DataFrame"):
        return _polars(data, needed)
    if is_a(data, "duckdb", "DuckDBPyRelation"):
        return _duckdb(data, needed)
    if isinstance(data, np.ndarray) or is_pair(data):
        return numpy(data, needed)
    hint = _hint(data)
    if not hint and (hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")):
        return arrow(data, needed)
    raise TypeError(f"kdisc cannot measure a {type(data).__name__}: give {KINDS}{hint}")


def is_a(data: Any, package: str, name: str) -> bool:
    """Whether data is of this class, without importing the package."""
    module = sys.modules.get(package)
    return module is not None and isinstance(data, getattr(module, name, ()))


def _hint(data: Any) -> str:
    """What to do with data that is nearly a table."""
    if is_a(data, "geopandas", "GeoSeries"):
        return "; to_frame('geometry') makes it one"
    if is_a(data, "pandas", "Series") or is_a(data, "polars", "Series"):
        return "; two columns make a table"
    if is_a(data, "polars", "LazyFrame"):
        return "; collect() it first"
    if isinstance(data, (str, bytes)) or hasattr(data, "__fspath__"):
        return "; read the file first, say with geopandas.read_file()"
    if isinstance(data, dict):
        return "; pandas.DataFrame(data) makes columns of it"
    if isinstance(data, (list, tuple)):
        return "; numpy.array(data) makes points of pairs, numpy.column_stack(data) of x and y"
    return ""


def _polars(data: Any, needed: Collection[str]) -> Frame:
    import polars as pl

    needed = needed_of(data.columns, needed)
    wanted = [name for name in data.columns if name in needed]
    for name in wanted:
        if data.schema[name] == pl.Object:
            raise InputError(
                f"column {name!r} holds objects of Python", "make them numbers or texts"
            )
    found = data.select(wanted).to_arrow()
    arrays = [
        found.column(name) if name in wanted else only_name(data.height) for name in data.columns
    ]

    def add(added: pa.Table) -> Any:
        return data.with_columns(pl.DataFrame(added).get_columns())

    table = pa.Table.from_arrays(arrays, names=data.columns)
    return Frame(table, add, lambda alone: pl.from_arrow(plain(alone)))


def _duckdb(data: Any, needed: Collection[str]) -> Frame:
    import duckdb

    table = as_table(data)

    def back(measured: pa.Table) -> Any:
        # DuckDB finds it by its name here: on the connection of the data, so that the two can be
        # joined. Where its user does not let it look, there is the default connection.
        try:
            return data.query("kdisc_data", "SELECT * FROM measured")
        except duckdb.Error:
            return duckdb.from_arrow(measured)

    return Frame(only(table, needed), lambda added: back(append(table, added)), back)

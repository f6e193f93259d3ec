"""Tables of any kind, to Arrow and back.

Only what a command needs crosses over: columns of numbers, which are not copied, and the columns
that its arguments name. Of the others the names are enough.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from . import _native
from ._errors import InputError

#: What has to be said of data that kdisc cannot take.
KINDS = (
    "a GeoDataFrame, a DataFrame of pandas or Polars, a pyarrow Table, anything else with the Arrow "
    "PyCapsule interface (such as a DuckDB relation), or NumPy arrays"
)


@dataclass(frozen=True)
class Frame:
    """Data as Arrow, and the way back to its own kind."""

    table: pa.Table
    #: The data with these columns added.
    add: Callable[[pa.Table], Any]
    #: A table of its own, of the kind that goes with the data.
    alone: Callable[[pa.Table], Any]


def frame(data: Any, needed: Collection[str] = (), *, coordinates: bool = False) -> Frame:
    """Takes data of any kind. Columns called as in ``needed`` cross over whatever they hold; with
    ``coordinates``, points are taken from columns even if there are geometries."""
    if is_a(data, "geopandas", "GeoDataFrame"):
        return _geopandas(data, needed, coordinates)
    if is_a(data, "pandas", "DataFrame"):
        return Frame(_pandas(data, needed), lambda added: _assign(data, added), _to_pandas)
    if is_a(data, "polars", "DataFrame"):
        return _polars(data, needed)
    if is_a(data, "duckdb", "DuckDBPyRelation"):
        return _duckdb(data)
    if isinstance(data, np.ndarray) or _is_pair(data):
        return _numpy(data)
    hint = ""
    if is_a(data, "pandas", "Series") or is_a(data, "polars", "Series"):
        hint = "; two columns make a table"
    elif isinstance(data, (pa.Table, pa.RecordBatch)) or hasattr(data, "__arrow_c_stream__"):
        table = pa.table(data)
        return Frame(table, lambda added: _append(table, added), lambda alone: alone)
    elif is_a(data, "polars", "LazyFrame"):
        hint = "; collect() it first"
    elif isinstance(data, (str, bytes)) or hasattr(data, "__fspath__"):
        hint = "; read the file first, say with geopandas.read_file()"
    raise TypeError(f"kdisc cannot measure a {type(data).__name__}: give {KINDS}{hint}")


def is_a(data: Any, package: str, name: str) -> bool:
    """Whether data is of this class, without importing the package."""
    module = sys.modules.get(package)
    return module is not None and isinstance(data, getattr(module, name, ()))


def _append(table: pa.Table, added: pa.Table) -> pa.Table:
    for name, column in zip(added.column_names, added.columns):
        table = table.append_column(name, column)
    return table


def _only_names(rows: int) -> pa.Array:
    """A column of which only the name is of interest; it takes no memory."""
    return pa.nulls(rows)


def _pandas(data: Any, needed: Collection[str]) -> pa.Table:
    names = [str(name) for name in data.columns]
    needed = {*needed, *_native.coordinates(names)}
    arrays = []
    for i, name in enumerate(names):
        column = data.iloc[:, i]
        if name in needed or _is_number(column.dtype):
            arrays.append(one_kind(name, column))
        else:
            arrays.append(_only_names(len(data)))
    return pa.Table.from_arrays(arrays, names=names)


def _is_number(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "iuf"


def one_kind(name: str, column: Any) -> pa.Array:
    """A column as Arrow."""
    try:
        array = pa.array(column, from_pandas=True)
    except pa.ArrowException as error:
        raise InputError(
            f"column {name!r} holds values of several kinds: {error}",
            "make them numbers or texts, all of one kind",
        ) from error
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _assign(data: Any, added: pa.Table) -> Any:
    """The same DataFrame with columns added, under its own index."""
    import pandas as pd

    columns = {}
    for name in added.column_names:
        column = added.column(name)
        if pa.types.is_integer(column.type):
            missing = column.is_null().to_numpy()
            values = column.fill_null(0).to_numpy().astype(np.int64)
            columns[name] = pd.Series(pd.arrays.IntegerArray(values, missing), index=data.index)
        else:
            columns[name] = column.to_pandas().set_axis(data.index)
    return data.assign(**columns)


def _to_pandas(table: pa.Table) -> Any:
    """A DataFrame, or a GeoDataFrame where there are geometries."""
    if _geometry_of(table) is not None:
        import geopandas

        return geopandas.GeoDataFrame.from_arrow(table)
    return table.to_pandas()


def _geometry_of(table: pa.Table) -> str | None:
    for field in table.schema:
        name = (field.metadata or {}).get(b"ARROW:extension:name", b"")
        if name.startswith(b"geoarrow."):
            return str(field.name)
    return None


def _geopandas(data: Any, needed: Collection[str], coordinates: bool) -> Frame:
    def add(added: pa.Table) -> Any:
        return _assign(data, added)

    try:
        geometry = data.geometry
    except AttributeError:
        geometry = None
    if coordinates or geometry is None:
        plain = data.drop(columns=[geometry.name]) if geometry is not None else data
        return Frame(_pandas(plain, needed), add, _to_pandas)
    others = data.drop(columns=[geometry.name])
    table = _pandas(others, needed)
    shapes = geometry.to_frame()
    try:
        found = pa.table(shapes.to_arrow(index=False, geometry_encoding="geoarrow"))
        native = found.schema.field(0).metadata[b"ARROW:extension:name"] == b"geoarrow.point"
    except (ValueError, TypeError, NotImplementedError):
        native = False
    if not native:
        found = pa.table(shapes.to_arrow(index=False, geometry_encoding="WKB"))
    if not table.num_columns:
        return Frame(found, add, _to_pandas)
    at = list(data.columns).index(geometry.name)
    return Frame(table.add_column(at, found.schema.field(0), found.column(0)), add, _to_pandas)


def _polars(data: Any, needed: Collection[str]) -> Frame:
    import polars as pl

    needed = {*needed, *_native.coordinates(data.columns)}
    wanted = [name for name, dtype in data.schema.items() if dtype.is_numeric() or name in needed]
    found = data.select(wanted).to_arrow()
    arrays = [
        found.column(name) if name in wanted else _only_names(data.height) for name in data.columns
    ]

    def add(added: pa.Table) -> Any:
        return data.with_columns(pl.DataFrame(added).get_columns())

    table = pa.Table.from_arrays(arrays, names=data.columns)
    return Frame(table, add, lambda alone: pl.from_arrow(_plain(alone)))


def _plain(table: pa.Table) -> pa.Table:
    """Without marks of geometries, which not every library knows; WKB stays WKB."""
    return table.replace_schema_metadata(None).cast(
        pa.schema([field.remove_metadata() for field in table.schema])
    )


def _duckdb(data: Any) -> Frame:
    import duckdb

    table = pa.table(data)

    def back(table: pa.Table) -> Any:
        # DuckDB finds it by its name here: on the connection of the data, so that the two can be
        # joined. Where its user does not let it look, there is the default connection.
        measured = _plain(table)
        try:
            return data.query("kdisc_data", "SELECT * FROM measured")
        except duckdb.Error:
            return duckdb.from_arrow(measured)

    return Frame(table, lambda added: back(_append(table, added)), back)


def _is_pair(data: Any) -> bool:
    return (
        isinstance(data, (tuple, list))
        and len(data) == 2
        and all(isinstance(column, np.ndarray) and column.ndim == 1 for column in data)
    )


def _numpy(data: Any) -> Frame:
    """Two columns, or a structured array; the answers come as a structured array."""
    if isinstance(data, np.ndarray) and data.dtype.names:
        names = list(data.dtype.names)
        columns = [data[name] for name in names]
    else:
        if isinstance(data, np.ndarray):
            if data.ndim != 2 or data.shape[1] != 2:
                raise InputError(
                    f"an array of shape {data.shape} is not a list of points",
                    "give an array of shape (n, 2), or two arrays (x, y)",
                )
            columns = [data[:, 0], data[:, 1]]
        else:
            columns = list(data)
            if len(columns[0]) != len(columns[1]):
                raise InputError(
                    f"there are {len(columns[0])} x and {len(columns[1])} y",
                    "give two arrays of the same length",
                )
        names = ["x", "y"]
    arrays = []
    for name, column in zip(names, columns):
        if column.dtype.kind not in "iufbU" or column.ndim > 1:
            raise InputError(
                f"column {name!r} is {column.dtype}, not numbers", "make it an array of numbers"
            )
        # Arrow knows the order of bytes of this machine, and no numbers longer than doubles.
        shorter = column.dtype.kind == "f" and column.dtype.itemsize > np.dtype(float).itemsize
        known = np.dtype(float) if shorter else column.dtype.newbyteorder("=")
        arrays.append(one_kind(name, column.astype(known, copy=False)))

    def structured(table: pa.Table, before: list[tuple[str, Any]] = []) -> Any:
        parts = list(before)
        for name in table.column_names:
            column = table.column(name).combine_chunks()
            if pa.types.is_integer(column.type) and column.null_count:
                column = column.cast(pa.float64())
            if pa.types.is_string(column.type):
                # A few words over and over: made into Python's strings once each. The last is
                # for none.
                words = column.dictionary_encode()
                values = np.array([*words.dictionary.to_pylist(), ""], dtype=str)
                values = values[words.indices.fill_null(len(values) - 1).to_numpy()]
            else:
                values = column.to_numpy(zero_copy_only=False)
            parts.append((name, values))
        result = np.empty(table.num_rows, dtype=[(name, part.dtype) for name, part in parts])
        for name, part in parts:
            result[name] = part
        return result

    table = pa.Table.from_arrays(arrays, names=names)
    own = list(zip(names, columns))
    return Frame(table, lambda added: structured(added, own), structured)

"""Tables as Arrow. Only what a command needs crosses over: the columns of the coordinates and those
that its arguments name, none of which is copied if Arrow can hold it as it is. Of the others the
names are enough."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from . import _native
from ._errors import InputError


@dataclass(frozen=True)
class Frame:
    """Data as Arrow, and the way back to its own kind."""

    table: pa.Table
    #: The data with these columns added.
    add: Callable[[pa.Table], Any]
    #: A table of its own, of the kind that goes with the data.
    alone: Callable[[pa.Table], Any]


def arrow(data: Any, needed: Collection[str]) -> Frame:
    """Data with the Arrow PyCapsule interface; it comes back as pyarrow has it."""
    table = as_table(data)

    def back(found: pa.Table) -> Any:
        if isinstance(data, pa.RecordBatch):
            return found.combine_chunks().to_batches()[0]
        return found

    return Frame(only(table, needed), lambda added: back(append(table, added)), lambda alone: alone)


def as_table(data: Any) -> pa.Table:
    """Whatever has the Arrow PyCapsule interface, as a table."""
    try:
        return pa.table(data)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise InputError(
            f"this {type(data).__name__} is no table: {error}",
            "give columns with names: a table, a record batch, or a stream of them",
        ) from error


def needed_of(names: list[str], needed: Collection[str]) -> set[str]:
    """Names of the columns that must cross over."""
    return {*needed, *_native.coordinates(names)}


def only(table: pa.Table, needed: Collection[str]) -> pa.Table:
    """A table of which the columns hold something that are needed, or are geometries."""
    needed = needed_of(table.column_names, needed)
    fields, columns = [], []
    for field, column in zip(table.schema, table.columns):
        if field.name not in needed and not is_geometry(field):
            field, column = pa.field(field.name, pa.null()), only_name(table.num_rows)
        fields.append(field)
        columns.append(column)
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def only_name(rows: int) -> pa.Array:
    """A column of which only the name is of interest; it takes no memory."""
    return pa.nulls(rows)


def is_geometry(field: pa.Field) -> bool:
    """Whether a column is marked as GeoArrow; libraries may have taught pyarrow its types."""
    if isinstance(field.type, pa.BaseExtensionType):
        return str(field.type.extension_name).startswith("geoarrow.")
    mark: bytes = (field.metadata or {}).get(b"ARROW:extension:name", b"")
    return mark.startswith(b"geoarrow.")


def append(table: pa.Table, added: pa.Table) -> pa.Table:
    """A table with these columns behind its own."""
    for name, column in zip(added.column_names, added.columns):
        table = table.append_column(name, column)
    return table


def plain(table: pa.Table) -> pa.Table:
    """Without marks of geometries, which not every library knows; WKB stays WKB."""
    return table.replace_schema_metadata(None).cast(
        pa.schema([field.remove_metadata() for field in table.schema])
    )


def one_kind(name: str, column: Any) -> pa.Array | pa.ChunkedArray:
    """A column as Arrow."""
    try:
        return pa.array(_known(column), from_pandas=True)
    except (pa.ArrowException, TypeError) as error:
        raise InputError(
            f"column {name!r} holds values of several kinds: {error}",
            "make them numbers or texts, all of one kind",
        ) from error


def _known(column: Any) -> Any:
    """Arrow knows the order of bytes of this machine, and no numbers longer than doubles."""
    dtype = getattr(column, "dtype", None)
    if type(dtype).__name__ == "SparseDtype":
        return column.to_numpy()
    if not isinstance(dtype, np.dtype) or dtype.kind not in "iufU":
        return column
    if dtype.kind == "f" and dtype.itemsize > np.dtype(float).itemsize:
        return column.astype(float)
    return column if dtype.isnative else column.astype(dtype.newbyteorder("="))

"""NumPy arrays, to Arrow and back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrow import Frame, needed_of, one_kind, only_name
from ._errors import InputError


#: Rows that are put into a structured array at once.
BLOCK = 8192


def is_pair(data: Any) -> bool:
    """Whether these are two arrays, as it seems of x and of y."""
    return (
        isinstance(data, (tuple, list))
        and len(data) == 2
        and all(isinstance(column, np.ndarray) and column.ndim == 1 for column in data)
    )


def numpy(data: Any, needed: Collection[str]) -> Frame:
    """Two columns, or a structured array; the answers come as a structured array."""
    own = _columns(data)
    needed = needed_of(list(own), needed)
    arrays = []
    for name, column in own.items():
        if name not in needed:
            arrays.append(only_name(len(column)))
            continue
        if column.dtype.kind not in "iufbU" or column.ndim > 1:
            raise InputError(
                f"column {name!r} is {column.dtype}, not numbers", "make it an array of numbers"
            )
        arrays.append(one_kind(name, column))

    def add(added: pa.Table) -> Any:
        found = _structured({**own, **_parts(added)})
        return found.view(np.recarray) if isinstance(data, np.recarray) else found

    table = pa.Table.from_arrays(arrays, names=list(own))
    return Frame(table, add, lambda alone: _structured(_parts(alone)))


def _columns(data: Any) -> dict[str, Any]:
    if isinstance(data, np.ndarray) and data.dtype.names:
        if data.ndim != 1:
            raise InputError(
                f"a structured array of shape {data.shape} is not a table",
                "give an array of one dimension: data.ravel()",
            )
        return {name: data[name] for name in data.dtype.names}
    if isinstance(data, np.ndarray):
        if data.ndim != 2 or data.shape[1] != 2:
            raise InputError(
                f"an array of shape {data.shape} is not a list of points",
                "give an array of shape (n, 2), or two arrays (x, y)",
            )
        points = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
        return {"x": points[:, 0], "y": points[:, 1]}
    x, y = data
    if len(x) != len(y):
        raise InputError(
            f"there are {len(x)} x and {len(y)} y", "give two arrays of the same length"
        )
    return {"x": x, "y": y}


def _parts(table: pa.Table) -> dict[str, Any]:
    parts = {}
    for name in table.column_names:
        column = table.column(name).combine_chunks()
        if pa.types.is_integer(column.type) and column.null_count:
            column = column.cast(pa.float64())
        if pa.types.is_string(column.type):
            # A few words over and over: made into Python's strings once each. The last is for none.
            words = column.dictionary_encode()
            values = np.array([*words.dictionary.to_pylist(), ""], dtype=str)
            parts[name] = values[words.indices.fill_null(len(values) - 1).to_numpy()]
        else:
            parts[name] = column.to_numpy(zero_copy_only=False)
    return parts


def _structured(parts: dict[str, Any]) -> Any:
    rows = max((len(part) for part in parts.values()), default=0)
    dtype = [(name, part.dtype, part.shape[1:]) for name, part in parts.items()]
    result = np.empty(rows, dtype=dtype)
    # A column is scattered over all of the result: in blocks it stays near the processor.
    for start in range(0, rows, BLOCK):
        block = slice(start, start + BLOCK)
        for name, part in parts.items():
            result[name][block] = part[block]
    return result

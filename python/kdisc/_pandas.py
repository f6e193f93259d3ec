"""DataFrames and GeoDataFrames, to Arrow and back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pyarrow as pa

from ._arrow import Frame, is_geometry, needed_of, one_kind, only_name
from ._errors import InputError


def pandas(data: Any, needed: Collection[str]) -> Frame:
    """A DataFrame of pandas."""
    return Frame(_table(data, needed), lambda added: _assign(data, added), _alone)


def geopandas(data: Any, needed: Collection[str], coordinates: bool) -> Frame:
    """A GeoDataFrame: its points are those of the active geometry, unless coordinates are named."""

    def add(added: pa.Table) -> Any:
        return _assign(data, added)

    geometry = None if coordinates else _active(data)
    if geometry is None:
        return Frame(_table(data, needed), add, _alone)
    at = list(data.columns).index(geometry.name)
    table = _table(data, needed, without=at)
    return Frame(table.set_column(at, *_shapes(geometry)), add, _alone)


def _shapes(geometry: Any) -> tuple[pa.Field, Any]:
    """Geometries as a column with its mark: points as their coordinates, else as WKB."""
    shapes = geometry.to_frame()
    mark = pa.table(shapes.iloc[:0].to_arrow(index=False, geometry_encoding="WKB")).schema.field(0)
    points = _points(geometry)
    if points is not None and mark.metadata:
        mark = mark.with_type(points.type).with_metadata(
            {**mark.metadata, b"ARROW:extension:name": b"geoarrow.point"}
        )
        return mark, points
    found = pa.table(shapes.to_arrow(index=False, geometry_encoding="WKB"))
    return found.schema.field(0), found.column(0)


def _points(geometry: Any) -> pa.StructArray | None:
    """The coordinates, if all geometries are points that have some. GeoPandas has a way of its own,
    which looks at them four times as long."""
    import shapely

    shapes = np.asarray(geometry.array)
    if (shapely.get_type_id(shapes) != shapely.GeometryType.POINT).any():
        return None
    try:
        x, y = shapely.get_x(shapes), shapely.get_y(shapes)
    except shapely.errors.GEOSException:  # Empty ones have none.
        return None
    if np.isnan(x).any() or np.isnan(y).any():
        return None
    return pa.StructArray.from_arrays([pa.array(x), pa.array(y)], ["x", "y"])


def _active(data: Any) -> Any:
    """The active geometry, if there is one."""
    try:
        return data.geometry
    except AttributeError:
        shapes = [name for name, dtype in data.dtypes.items() if str(dtype) == "geometry"]
        if shapes and not needed_of([name_of(label) for label in data.columns], ()):
            raise InputError(
                "this GeoDataFrame has no active geometry",
                f"say which column it is: data.set_geometry({shapes[0]!r})",
            ) from None
        return None


def name_of(label: Any) -> str:
    """The name of a column as text; of several levels, those that say something."""
    if isinstance(label, tuple):
        said = [part for part in label if part != ""]
        return str(said[0]) if len(said) == 1 else str(label)
    return str(label)


def _table(data: Any, needed: Collection[str], without: int | None = None) -> pa.Table:
    names = [name_of(label) for label in data.columns]
    needed = needed_of(names, needed)
    arrays = []
    for i, name in enumerate(names):
        if name in needed and i != without:
            arrays.append(one_kind(name, data.iloc[:, i]))
        else:
            arrays.append(only_name(len(data)))
    return pa.Table.from_arrays(arrays, names=names)


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
    # All at once: one by one they would leave the frame in pieces, of which pandas warns.
    beside = pd.DataFrame(columns, index=data.index)
    if data.columns.nlevels > 1:
        rest = [""] * (data.columns.nlevels - 1)
        beside.columns = pd.MultiIndex.from_tuples([(name, *rest) for name in columns])
    result = pd.concat([data, beside], axis=1)
    result.attrs = dict(data.attrs)
    return result


def _alone(table: pa.Table) -> Any:
    """A DataFrame, or a GeoDataFrame where there are geometries."""
    if any(is_geometry(field) for field in table.schema):
        import geopandas

        return geopandas.GeoDataFrame.from_arrow(table)
    return table.to_pandas()

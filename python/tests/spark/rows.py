"""Rows of Spark beside rows of one machine."""

from __future__ import annotations

import pyarrow as pa

import kdisc


def compare(measured, units, **options):
    """Whether these are the answers of one machine, to the last bit; both have a column ``id``."""
    found = measured.toArrow().sort_by("id")
    whole = kdisc.risk(units, **options).sort_by("id")
    assert found.column_names == whole.column_names
    assert found.cast(whole.schema).equals(whole)
    return found


def table(columns):
    return pa.table({name: pa.array(values) for name, values in columns.items()})

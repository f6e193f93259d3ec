"""What commands give back: small objects that show themselves in a notebook."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import _native
from ._errors import InputError
from ._run import Outcome, Summary

#: An SVG beyond this is shown as PNG: notebooks keep whatever they show.
LARGEST_SVG = 1_000_000


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """What a command found: a table, the figures, and the units if they were asked for."""

    #: One row per level, region or whatever the command is about.
    table: Any
    #: The figures; it shows itself as text.
    summary: Summary
    #: The data with columns added.
    units: Any = None

    def __repr__(self) -> str:
        return self.summary.text

    def _repr_html_(self) -> str:
        shown = getattr(self.table, "_repr_html_", None)
        table = shown() if shown else f"<pre>{escape(str(self.table))}</pre>"
        return f"{table}<pre>{escape(self.summary.text)}</pre>"


@dataclass(frozen=True, repr=False)
class Map:
    """A map as a picture: of three kinds, made of one drawing."""

    #: For screens and drawing programs.
    svg: str
    #: Pixels.
    png: bytes
    #: For paper.
    pdf: bytes
    #: The figures; it shows itself as text.
    summary: Summary

    @classmethod
    def of(cls, outcome: Outcome) -> Map:
        """What ``kdisc map`` came to."""
        svg = outcome.file("svg").decode()
        return cls(svg, outcome.file("png"), outcome.file("pdf"), outcome.summary)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file that ``kdisc map -o path`` writes: .svg, .png or .pdf."""
        kinds = {".svg": self.svg.encode(), ".png": self.png, ".pdf": self.pdf}
        _save(path, kinds, "what kind of picture to make", "map.png")

    def __repr__(self) -> str:
        return self.summary.text

    def _repr_svg_(self) -> str | None:
        return self.svg if len(self.svg) <= LARGEST_SVG else None

    def _repr_png_(self) -> bytes:
        return self.png


@dataclass(frozen=True, repr=False)
class Report:
    """A report: one page of HTML, and every figure shown on it."""

    #: The page, which needs nothing from elsewhere.
    html: str
    #: The figures, as ``kdisc report`` writes them beside the page.
    json: Summary

    @classmethod
    def of(cls, outcome: Outcome) -> Report:
        """What ``kdisc report`` came to."""
        return cls(outcome.file("output").decode(), outcome.summary)

    @property
    def verdict(self) -> dict[str, Any] | None:
        """Whether the data are safe, if there are limits: ``verdict["safe"]``."""
        found: dict[str, Any] | None = self.json["verdict"]
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page: .html."""
        page = self.html.encode()
        _save(path, {".html": page, ".htm": page}, "that it is a page", "report.html")

    def __repr__(self) -> str:
        return self.json.text

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="700" title="Report"></iframe>'


@dataclass(frozen=True, repr=False, eq=False)
class Raster:
    """A map of square cells: one array per band, as ``raster["density"]``.

    Rows run from north to south, columns from west to east. What is not a number has no value.
    """

    #: The arrays by name, each of shape (rows, columns).
    bands: dict[str, npt.NDArray[np.float64]]
    #: In which unit the numbers of each band are.
    band_units: dict[str, str]
    #: From column and row to coordinates: x = a·column + b·row + c, y = d·column + e·row + f, as
    #: ``(a, b, c, d, e, f)``, which ``affine.Affine(*transform)`` takes.
    transform: tuple[float, float, float, float, float, float]
    #: The coordinate system, as a code or as WKT, if it is known.
    crs: str | None
    #: The figures; it shows itself as text.
    summary: Summary
    #: The map as the file that the command writes.
    geotiff: bytes

    @classmethod
    def of(cls, outcome: Outcome) -> Raster:
        """What ``kdisc density`` or ``kdisc surface`` came to."""
        table = outcome.table()
        columns, (west, north), side, crs = outcome.results["cells"]
        bands, units = {}, {}
        for name in table.column_names:
            cells: pa.Array = table.column(name).chunk(0)
            bands[name] = cells.to_numpy(zero_copy_only=True).reshape(-1, columns)
            units[name] = table.field(name).metadata[b"unit"].decode()
        transform = (side, 0.0, west, 0.0, -side, north)
        return cls(bands, units, transform, crs, outcome.summary, outcome.file("output"))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = next(iter(self.bands.values())).shape
        return rows, columns

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Least x and y, greatest x and y: the order of the argument ``extent``."""
        side, _, west, _, _, north = self.transform
        rows, columns = self.shape
        return west, north - rows * side, west + columns * side, north

    def picture(self, band: str | None = None) -> bytes:
        """A band as PNG; the first one, if none is named."""
        name = next(iter(self.bands)) if band is None else band
        if name not in self.bands:
            raise InputError(
                f"the map has no band {name!r}", f"it has {', '.join(map(repr, self.bands))}"
            )
        grid = self.summary["raster"]
        unit = self.band_units[name]
        return _native.picture(
            pa.array(self.bands[name].ravel()),
            grid["columns"],
            (grid["west"], grid["north"]),
            grid["cell"],
            name.replace("_", " ").capitalize(),
            f"{name.replace('_', ' ')}, {unit}",
            None if self.is_masked else "CONFIDENTIAL: keep it as safe as the input",
            "no value",
        )

    @property
    def is_masked(self) -> bool:
        """Whether cells that rest on too few units were left out."""
        return bool(self.summary.get("rule", {}).get("masked", False))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the GeoTIFF that the command writes."""
        kinds = {".tif": self.geotiff, ".tiff": self.geotiff}
        _save(path, kinds, "that it is a GeoTIFF", "map.tif")

    def __getitem__(self, band: str) -> npt.NDArray[np.float64]:
        return self.bands[band]

    def __repr__(self) -> str:
        return self.summary.text

    def _repr_png_(self) -> bytes:
        return self.picture()


def _save(
    path: str | PathLike[str], kinds: Mapping[str, bytes], says: str, usual: str
) -> None:
    """Writes the file that the end of the path asks for, whole or not at all."""
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end not in kinds:
        raise InputError(
            f"the name {os.fspath(path)} does not say {says}",
            f"end it in {' or '.join(kinds)}, such as {usual}",
        )
    _native.save(path, kinds[end])

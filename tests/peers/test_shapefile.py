"""Shapefiles of GDAL are read, and come out as GDAL itself reads them."""

import zipfile

import geopandas
import pandas
import pyogrio
import pytest
from geopandas.testing import assert_geodataframe_equal
from shapely import LineString, MultiPoint, MultiPolygon, Point, Polygon, box


def read(path, **options):
    return geopandas.read_file(path, engine="pyogrio", **options)


def frame(geometries, **columns):
    return geopandas.GeoDataFrame(columns, geometry=geometries, crs="EPSG:28992")


def same(kdisc, before, after, *more, **options):
    kdisc("convert", before, after, *more)
    one, other = read(before, **options), read(after)
    assert other.crs is not None and other.crs.equals(one.crs, ignore_axis_order=True)
    assert_geodataframe_equal(one, other, check_crs=False)
    # Frames make doubles of whole numbers among which there are nulls.
    (_, one), (_, other) = pyogrio.read_arrow(before, **options), pyogrio.read_arrow(after)
    for name in one.column_names:
        if name != "wkb_geometry":
            assert one[name].type == other[name].type, name
            assert one[name].to_pylist() == other[name].to_pylist(), name
    return other


def points(count):
    return [Point(100000.5 + i, 400000.25 - i) for i in range(count)]


def all_types():
    return frame(
        points(3),
        short=pandas.array([-12, None, 34], dtype="Int32"),
        long=pandas.array([10**17 + 1, None, -(10**16) - 1], dtype="Int64"),
        real=[0.1, None, -1e-7],
        text=["café", None, "plain"],
        day=[pandas.Timestamp("2024-02-29").date(), None, pandas.Timestamp("1899-12-31").date()],
    )


@pytest.mark.parametrize("encoding", ["UTF-8", "CP1252", "ISO-8859-1", "CP850"])
def test_types_nulls_and_encodings(kdisc, tmp_path, encoding):
    before = tmp_path / "places.shp"
    all_types().to_file(before, engine="pyogrio", encoding=encoding)
    assert before.with_suffix(".cpg").exists()
    found = same(kdisc, before, tmp_path / "out.gpkg")
    assert found["text"].to_pylist() == ["café", None, "plain"]
    assert found["long"].to_pylist() == [10**17 + 1, None, -(10**16) - 1]


def test_beyond_latin(kdisc, tmp_path):
    before = tmp_path / "places.shp"
    frame(points(2), text=["żółć 🐝", "Ελλάδα"]).to_file(before, engine="pyogrio", encoding="UTF-8")
    same(kdisc, before, tmp_path / "out.gpkg")


@pytest.mark.parametrize(
    "geometries",
    [
        [Point(1, 2), None, Point(3, 4)],
        [Point(1, 2, 3), Point(4, 5, 6)],
        [MultiPoint([(1, 2)]), MultiPoint([(1, 2), (3, 4)])],
        [LineString([(0, 0), (1, 1), (2, 0)]), LineString([(0, 0, 5), (1, 1, 6)])],
        [box(0, 0, 9, 9) - box(1, 1, 2, 2) - box(4, 4, 5, 5), Polygon([(0, 0), (1, 0), (1, 1)])],
        [
            MultiPolygon([box(0, 0, 9, 9) - box(1, 1, 8, 8), box(3, 3, 5, 5), box(20, 0, 21, 1)]),
            box(0, 0, 1, 1),
        ],
    ],
    ids=["points", "heights", "multipoints", "lines", "holes", "islands"],
)
def test_geometries(kdisc, tmp_path, geometries):
    before, after = tmp_path / "shapes.shp", tmp_path / "out.gpkg"
    frame(geometries, n=range(len(geometries))).to_file(before, engine="pyogrio")
    kdisc("convert", before, after)
    one, other = read(before), read(after)
    assert one["n"].tolist() == other["n"].tolist()
    for expected, found in zip(one.geometry, other.geometry):
        if expected is None:
            assert found is None
        else:
            assert found.is_valid and found.has_z == expected.has_z
            assert found.normalize().equals_exact(expected.normalize(), 0)


def test_shape_that_grew_is_at_the_end(kdisc, tmp_path):
    before = tmp_path / "lines.shp"
    lines = [LineString([(i, 0), (i, 1)]) for i in range(3)]
    frame(lines, n=range(3)).to_file(before, engine="pyogrio")
    # What an editor does: the first shape goes to the end, and only the index tells.
    shp, shx = bytearray(before.read_bytes()), before.with_suffix(".shx")
    index = bytearray(shx.read_bytes())
    length = 8 + 2 * int.from_bytes(shp[104:108], "big")
    index[100:104] = (len(shp) // 2).to_bytes(4, "big")
    shp += shp[100 : 100 + length]
    shp[24:28] = (len(shp) // 2).to_bytes(4, "big")
    shp[100 + 60 : 100 + length] = bytes(length - 60)
    before.write_bytes(shp)
    shx.write_bytes(index)
    same(kdisc, before, tmp_path / "out.gpkg")


def test_zipped(kdisc, tmp_path):
    for name in ["one", "two"]:
        all_types().to_file(tmp_path / f"{name}.shp", engine="pyogrio")
    single, both = tmp_path / "single.zip", tmp_path / "both.zip"
    with zipfile.ZipFile(single, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in tmp_path.glob("one.*"):
            archive.write(part, f"folder/{part.name}")
    with zipfile.ZipFile(both, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in [*tmp_path.glob("one.*"), *tmp_path.glob("two.*")]:
            archive.write(part, part.name)
    expected = read(tmp_path / "one.shp")
    kdisc("convert", single, tmp_path / "single.gpkg")
    assert_geodataframe_equal(expected, read(tmp_path / "single.gpkg"), check_crs=False)
    refused = kdisc("convert", both, tmp_path / "both.gpkg", code=2)
    assert "two" in refused.stderr
    kdisc("convert", both, tmp_path / "both.gpkg", "--layer", "two")
    assert_geodataframe_equal(expected, read(tmp_path / "both.gpkg"), check_crs=False)


def test_names_in_any_case(kdisc, tmp_path):
    all_types().to_file(tmp_path / "places.shp", engine="pyogrio")
    expected = read(tmp_path / "places.shp")
    for part in list(tmp_path.glob("places.*")):
        part.rename(part.with_suffix(part.suffix.upper()))
    kdisc("convert", tmp_path / "places.SHP", tmp_path / "out.gpkg")
    assert_geodataframe_equal(expected, read(tmp_path / "out.gpkg"), check_crs=False)


def test_without_index_and_system(kdisc, tmp_path):
    before = tmp_path / "places.shp"
    all_types().to_file(before, engine="pyogrio")
    expected = read(before)
    before.with_suffix(".shx").unlink()
    before.with_suffix(".prj").unlink()
    kdisc("convert", before, tmp_path / "out.gpkg")
    found = read(tmp_path / "out.gpkg")
    assert found.crs is None
    assert_geodataframe_equal(expected, found, check_crs=False)


@pytest.mark.parametrize("problem", ["no dbf", "cut", "other", "bomb"])
def test_bad_files(kdisc, tmp_path, problem):
    before, after = tmp_path / "places.shp", tmp_path / "out.gpkg"
    after.write_bytes(b"old")
    frame(points(50), n=range(50)).to_file(before, engine="pyogrio")
    if problem == "no dbf":
        before.with_suffix(".dbf").unlink()
    elif problem == "cut":
        before.write_bytes(before.read_bytes()[:500])
    elif problem == "other":
        before.write_text("x,y\n1,2\n")
    else:
        packed = tmp_path / "places.zip"
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(before, "places.shp")
            archive.writestr("places.dbf", bytes(200 << 20))
        before = packed
    refused = kdisc("convert", before, after, code=2)
    assert "places" in refused.stderr and "panicked" not in refused.stderr
    assert after.read_bytes() == b"old"

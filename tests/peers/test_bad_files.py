"""Files that are not what they should be: a clear message, exit code 2, nothing written."""

import os
import resource
import signal
import sqlite3
import struct
import subprocess
import time
import zipfile

import geopandas as gpd
import numpy as np
import pytest
from shapely.geometry import Point

FORMATS = ["gpkg", "parquet", "geojson", "fgb", "shp", "arrow", "zip"]


@pytest.fixture(scope="module")
def good(tmp_path_factory, kdisc):
    """The same points in every format."""
    folder = tmp_path_factory.mktemp("good")
    rng = np.random.default_rng(3)
    points = [Point(155_000 + x, 463_000 + y) for x, y in rng.integers(0, 500, (400, 2))]
    frame = gpd.GeoDataFrame({"name": [f"n{i}" for i in range(400)]}, geometry=points, crs=28992)
    paths = {suffix: folder / f"good.{suffix}" for suffix in FORMATS}
    for suffix in ("gpkg", "geojson", "fgb", "shp"):
        frame.to_file(paths[suffix])
    frame.to_parquet(paths["parquet"])
    kdisc("convert", paths["gpkg"], paths["arrow"])
    with zipfile.ZipFile(paths["zip"], "w") as archive:
        for suffix in ("shp", "dbf", "prj", "shx", "cpg"):
            archive.write(folder / f"good.{suffix}", f"good.{suffix}")
    return paths


def limited():
    """Whatever a file claims, memory stays bounded."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def refused(kdisc, tmp_path, source, *more):
    target = tmp_path / "out.csv"
    target.write_text("old")
    done = kdisc("risk", source, "-o", target, *more, code=2, preexec_fn=limited)
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
    assert source.name in done.stderr, done.stderr
    assert done.stderr.startswith("error: ") and "help: " in done.stderr
    assert "panicked" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("part", [0.1, 0.5, 0.97])
def test_truncated(kdisc, tmp_path, good, suffix, part):
    content = good[suffix].read_bytes()
    source = tmp_path / f"cut.{suffix}"
    source.write_bytes(content[: int(len(content) * part)])
    if suffix == "shp":
        for other in ("dbf", "prj"):
            (tmp_path / f"cut.{other}").write_bytes(good["shp"].with_suffix(f".{other}").read_bytes())
    refused(kdisc, tmp_path, source)


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_wrong_extension(kdisc, tmp_path, good, suffix):
    wrong = "parquet" if suffix == "gpkg" else "gpkg"
    source = tmp_path / f"wrong.{wrong}"
    source.write_bytes(good[suffix].read_bytes())
    message = refused(kdisc, tmp_path, source)
    assert "is not a" in message


@pytest.mark.parametrize("suffix", ["parquet", "fgb", "arrow", "gpkg", "shp"])
def test_any_byte_may_be_wrong(kdisc, tmp_path, good, suffix):
    """Whatever byte is changed, the command ends in good order."""
    content = good[suffix].read_bytes()
    rng = np.random.default_rng(5)
    for other in ("dbf", "prj"):
        (tmp_path / f"bent.{other}").write_bytes(good["shp"].with_suffix(f".{other}").read_bytes())
    codes = set()
    for _ in range(60):
        bent = bytearray(content)
        for at in rng.integers(0, len(bent), 3):
            bent[at] = rng.integers(0, 256)
        source = tmp_path / f"bent.{suffix}"
        source.write_bytes(bent)
        done = subprocess.run(
            [os.environ["KDISC"], "risk", source, "-o", tmp_path / "out.csv"],
            capture_output=True, text=True, timeout=60, preexec_fn=limited,
        )  # fmt: skip
        assert done.returncode in (0, 2), (done.returncode, done.stderr)
        assert "panicked" not in done.stderr, done.stderr
        codes.add(done.returncode)
    assert 2 in codes or suffix == "gpkg"


def test_an_sqlite_file_that_is_no_geopackage(kdisc, tmp_path):
    source = tmp_path / "other.gpkg"
    connection = sqlite3.connect(source)
    connection.execute("create table points (x real, y real)")
    connection.commit()
    connection.close()
    assert "GeoPackage" in refused(kdisc, tmp_path, source)


def test_a_shapefile_without_its_table(kdisc, tmp_path, good):
    source = tmp_path / "alone.shp"
    source.write_bytes(good["shp"].read_bytes())
    assert "alone.dbf" in refused(kdisc, tmp_path, source)


def test_a_zip_bomb(kdisc, tmp_path, good):
    source = tmp_path / "bomb.zip"
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(good["shp"].with_suffix(".dbf"), "a.dbf")
        with archive.open("a.shp", "w", force_zip64=True) as entry:
            for _ in range(6 << 10):
                entry.write(bytes(1 << 20))
    assert os.path.getsize(source) < 10 << 20
    refused(kdisc, tmp_path, source)


@pytest.mark.parametrize("suffix", ["parquet", "gpkg"])
def test_a_hostile_length_in_a_geometry(kdisc, tmp_path, suffix):
    """A polygon that claims four billion corners."""
    hostile = struct.pack("<BIII", 1, 3, 1, 0xFFFFFFFF) + bytes(64)
    source = tmp_path / f"hostile.{suffix}"
    if suffix == "parquet":
        import json

        import pyarrow as pa
        import pyarrow.parquet as pq

        geo = {"version": "1.0.0", "primary_column": "g",
               "columns": {"g": {"encoding": "WKB", "geometry_types": [], "crs": None}}}  # fmt: skip
        table = pa.table({"g": pa.array([hostile] * 3, pa.binary())})
        pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), source)
    else:
        frame = gpd.GeoDataFrame({"a": [1]}, geometry=[Point(1, 2)], crs=28992)
        frame.to_file(source, SPATIAL_INDEX="NO")
        connection = sqlite3.connect(source)
        header = b"GP\x00\x01" + struct.pack("<i", 28992)
        connection.execute("update hostile set geom = ?", (header + hostile,))
        connection.commit()
        connection.close()
    refused(kdisc, tmp_path, source, "--centroid")


@pytest.mark.parametrize("text", ["", "{", '{"type": "FeatureCollection"}', "[1, 2]", '{"a": 1}',
                                  '{"type":"FeatureCollection","features":[{"type":"Feature",'
                                  '"properties":{},"geometry":{"type":"Point",'
                                  '"coordinates":["a","b"]}}]}'])  # fmt: skip
def test_json_that_is_no_geojson(kdisc, tmp_path, text):
    source = tmp_path / "bad.geojson"
    source.write_text(text)
    refused(kdisc, tmp_path, source)


@pytest.mark.parametrize("target", ["csv", "parquet", "gpkg", "geojson", "fgb", "arrow"])
def test_a_kill_leaves_the_old_file(kdisc, tmp_path, target):
    source, out = tmp_path / "in.csv", tmp_path / f"out.{target}"
    kdisc("example", "--units", "60000", "-o", source)
    out.write_text("old")
    complete = tmp_path / f"whole.{target}"
    began = time.monotonic()
    kdisc("risk", source, "-o", complete, "--quiet", "--crs", "EPSG:28992")
    whole = time.monotonic() - began
    command = [os.environ["KDISC"], "risk", source, "-o", out, "--quiet", "--crs", "EPSG:28992"]
    killed = 0
    for part in np.linspace(0.05, 0.98, 8):
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        time.sleep(whole * part)
        process.send_signal(signal.SIGKILL)
        process.wait()
        content = out.read_bytes()
        if content != b"old":
            # Killed or not, it took its new name only when it was complete.
            assert content == complete.read_bytes()
            out.write_text("old")
        elif process.returncode == -signal.SIGKILL:
            killed += 1
    assert killed > 0


@pytest.mark.parametrize("target", ["csv", "parquet", "gpkg", "geojson", "fgb", "arrow"])
def test_a_full_disk_leaves_the_old_file(kdisc, tmp_path, target):
    """On a file system of one megabyte, if we may mount one; else within a limit on file sizes."""
    source = tmp_path / "in.csv"
    kdisc("example", "--units", "60000", "-o", source)
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], capture_output=True
    )

    def limit():
        if mounted.returncode != 0:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    try:
        out = small / f"out.{target}"
        out.write_text("old")
        done = kdisc("risk", source, "-o", out, "--quiet", "--crs", "EPSG:28992", code=2,
                     preexec_fn=limit)  # fmt: skip
        assert out.read_text() == "old"
        assert [path.name for path in small.iterdir()] == [out.name]
        assert out.name in done.stderr and "help: " in done.stderr
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", small], check=True)

"""Coordinate systems of kdisc against PROJ (pyproj).

The program is the example `crs` of the crate kdisc-io; the environment variable KDISC_CRS holds
its path.
"""

import json
import os
import subprocess

import numpy as np
import pyproj
import pytest

pyproj.network.set_network_enabled(False)

MILLIMETRE = 0.001

# Codes whose PROJJSON and WKT must be PROJ's own.
CODES = [
    4326, 4258, 4269, 4289, 4277, 4171, 4314, 4167, 4283, 4807,
    28992, 28991, 3035, 3034, 3857, 3395,
    *range(32601, 32661), *range(32701, 32761), *range(25828, 25839),
    27700, 29903, 2157, 31370, 3812, 2169, 2154, 27572, 31466, 31467, 31468, 4839,
    2056, 21781, 31287, 31256, 3416, 5514, 5513, 23700, 2180, 2177, 3763, 2100, 25884, 3059, 3301,
    3006, 3067, 3879, 3046, 2263, 3735, 2249, 26918, 5070, 2272, 6350, 3347, 3978, 31983, 3116,
    2193, 28355, 7856, 3577, 6677, 2048, 3031, 3413, 3995, 5179, 5186, 4490, 4547, 2326,
]  # fmt: skip


def program(*arguments, lines=None):
    path = os.environ["KDISC_CRS"]
    text = None
    if lines is not None:
        text = "".join(f"{x!r} {y!r}\n" for x, y in lines)
    return subprocess.run([path, *map(str, arguments)], input=text, capture_output=True, text=True)


def output(*arguments, lines=None):
    done = program(*arguments, lines=lines)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def numbers(lines):
    return np.array([[float(value) for value in line.split()] for line in lines])


def box(bounds, steps=9):
    west, south, east, north = bounds
    if west > east:
        east += 360
    lon, lat = np.meshgrid(np.linspace(west, east, steps), np.linspace(south, north, steps))
    return list(zip(lon.ravel().tolist(), lat.ravel().tolist()))


def assert_like_proj(source, target, places, tolerance):
    ours = numbers(output("transform", source, target, lines=places))
    theirs = pyproj.Transformer.from_crs(source, target, always_xy=True)
    x, y = theirs.transform(*zip(*places))
    assert np.isfinite(x).all() and np.isfinite(y).all()
    metres = pyproj.CRS(target).axis_info[0].unit_conversion_factor
    worst = np.hypot(ours[:, 0] - x, ours[:, 1] - y).max() * metres
    assert worst <= tolerance, f"{source} to {target}: {worst} m"

    # The way back from there, in degrees; one of latitude is 111 km. Not compared with PROJ's own
    # way back, which for LAEA (PROJ 9.5) misses by 1.5 mm in the corners.
    back = numbers(output("transform", target, source, lines=list(zip(x, y))))
    lon, lat = np.array(places).T
    there = (lon - back[:, 0] + 180) % 360 - 180
    worst = np.hypot(there * np.cos(np.radians(lat)), lat - back[:, 1]).max() * 111_320
    assert worst <= tolerance, f"{target} to {source}: {worst} m"


@pytest.mark.parametrize("code", [32601, 32631, 32633, 32660, 32719, 32756, 25831, 25832, 25833, 3067, 3006])
def test_utm(code):
    places = box(pyproj.CRS(code).area_of_use.bounds)
    places = [(lon, lat) for lon, lat in places if abs(lat) < 84]
    assert_like_proj("EPSG:4326", f"EPSG:{code}", places, MILLIMETRE)


@pytest.mark.parametrize("code", [3035, 3034, 3857, 2154, 3812, 2180, 3763, 5070, 2263, 3735, 26918, 3031, 3413, 3395, 2193])
def test_on_a_datum_like_wgs84(code):
    assert_like_proj("EPSG:4326", f"EPSG:{code}", box(pyproj.CRS(code).area_of_use.bounds), MILLIMETRE)


# Boxes where PROJ keeps to one shift: beyond the mainland it has others or none, and in the east of
# Germany and in Slovakia another, metres away.
NATIONAL = {
    28992: (3.4, 50.8, 7.1, 53.5),
    27700: (-5.5, 50.0, 0.5, 58.6),
    29903: (-10.0, 51.5, -6.0, 55.2),
    31370: (2.6, 49.6, 6.3, 51.4),
    31466: (6.0, 49.5, 7.4, 53.7),
    31467: (7.6, 47.7, 9.8, 54.5),
    31468: (10.6, 47.8, 13.4, 50.1),
    21781: (6.0, 45.9, 10.4, 47.7),
    2056: (6.0, 45.9, 10.4, 47.7),
    31287: (9.6, 46.5, 17.1, 49.0),
    23700: (16.2, 45.8, 22.8, 48.5),
    2100: (20.0, 35.0, 28.0, 41.5),
    27572: (-1.5, 45.5, 7.5, 48.0),
    5514: (12.5, 49.0, 16.8, 50.6),
    5513: (12.5, 49.0, 16.8, 50.6),
}


@pytest.mark.parametrize("code", NATIONAL)
def test_national_systems_within_a_metre(code):
    assert_like_proj("EPSG:4326", f"EPSG:{code}", box(NATIONAL[code]), 1.0)


def test_rd_new_is_as_good_as_without_a_grid():
    assert_like_proj("EPSG:4326", "EPSG:28992", box(NATIONAL[28992]), MILLIMETRE)


@pytest.mark.parametrize("code", [28992, 27700, 31370, 31467, 21781, 5514, 31287, 27572])
def test_projections_alone_within_a_millimetre(code):
    system = pyproj.CRS(code)
    base = system.geodetic_crs
    if base.axis_info[0].unit_name != "degree":
        places = [(2.0, 51.0), (3.0, 52.0), (-2.0, 52.5)]
    else:
        places = box(system.area_of_use.bounds)
    assert_like_proj(f"EPSG:{base.to_epsg()}", f"EPSG:{code}", places, MILLIMETRE)


def test_projjson_is_the_system_of_the_code():
    for code, text in zip(CODES, output("projjson", *CODES), strict=True):
        ours = pyproj.CRS.from_user_input(json.loads(text))
        theirs = pyproj.CRS.from_epsg(code)
        assert ours == theirs, f"{code}: {text}"
        assert ours.to_epsg() == code


def test_wkt_is_the_system_of_the_code():
    for code, text in zip(CODES, output("wkt", *CODES), strict=True):
        assert pyproj.CRS.from_wkt(text).to_epsg() == code, text


@pytest.mark.parametrize("version", ["WKT1_ESRI", "WKT1_GDAL", "WKT2_2015", "WKT2_2019", "PROJJSON"])
def test_systems_in_files_are_recognised(tmp_path, version):
    files = []
    for code in CODES:
        system = pyproj.CRS.from_epsg(code)
        if version == "PROJJSON":
            description = system.to_json_dict()
            # By its contents: with the code it would be too easy.
            del description["id"]
            text = json.dumps(description)
        else:
            text = system.to_wkt(version)
        files.append(tmp_path / f"{code}.prj")
        files[-1].write_text(text)
    found = {}
    for code, line in zip(CODES, output("identify", *files), strict=True):
        found[code] = line.split("\t")[0]
    wrong = {code: other for code, other in found.items() if other != str(code)}
    # North before east is all that tells 3046 from 25834, and ESRI does not write it.
    assert wrong == ({3046: "25834"} if version == "WKT1_ESRI" else {})


CUSTOM = [
    "+proj=tmerc +lat_0=1.5 +lon_0=7.25 +k=0.9998 +x_0=250000 +y_0=-17 +ellps=GRS80",
    "+proj=lcc +lat_1=43 +lat_2=62 +lat_0=30 +lon_0=10 +x_0=5 +y_0=6 +ellps=intl",
    "+proj=lcc +lat_1=46.5 +lat_0=46.5 +lon_0=3 +k_0=0.9995 +x_0=5 +y_0=6 +ellps=GRS80",
    "+proj=laea +lat_0=45 +lon_0=3 +x_0=5 +y_0=6 +ellps=WGS84 +units=us-ft",
    "+proj=aea +lat_1=43 +lat_2=62 +lat_0=30 +lon_0=10 +x_0=5 +y_0=6 +ellps=bessel",
    "+proj=sterea +lat_0=52 +lon_0=5 +k=0.9999 +x_0=5 +y_0=6 +ellps=bessel",
    "+proj=merc +lat_ts=30 +lon_0=10 +x_0=5 +y_0=6 +ellps=WGS84",
    "+proj=eqdc +lat_0=40 +lon_0=3 +lat_1=43 +lat_2=62 +x_0=5 +y_0=6 +ellps=intl",
    "+proj=omerc +lat_0=45 +lonc=5 +alpha=30 +gamma=30 +k=0.9999 +x_0=5 +y_0=6 +ellps=GRS80",
    "+proj=cass +lat_0=45 +lon_0=5 +x_0=5 +y_0=6 +ellps=GRS80",
    "+proj=poly +lat_0=45 +lon_0=5 +x_0=5 +y_0=6 +ellps=GRS80",
]


@pytest.mark.parametrize("version", ["WKT1_ESRI", "WKT1_GDAL", "WKT2_2019", "PROJJSON"])
@pytest.mark.parametrize("proj", CUSTOM)
def test_systems_without_a_code(tmp_path, proj, version):
    system = pyproj.CRS.from_proj4(proj)
    text = system.to_json() if version == "PROJJSON" else system.to_wkt(version)
    file = tmp_path / "custom.prj"
    file.write_text(text)
    [line] = output("identify", file)
    code, ours = line.split("\t")
    assert code == "-"
    lon, lat = zip(*box((2, 44, 9, 53)))
    x, y = pyproj.Proj(proj)(lon, lat)
    our_x, our_y = pyproj.Proj(ours)(lon, lat)
    assert np.hypot(np.subtract(x, our_x), np.subtract(y, our_y)).max() < MILLIMETRE
    # And what would be written to GeoParquet is the same system again.
    [written] = output("projjson", text)
    other = pyproj.CRS.from_user_input(json.loads(written))
    again = pyproj.Transformer.from_crs(other.geodetic_crs, other, always_xy=True)
    x2, y2 = again.transform(lon, lat)
    assert np.hypot(np.subtract(x, x2), np.subtract(y, y2)).max() < MILLIMETRE


def test_a_shift_without_a_code_is_kept():
    proj = "+proj=tmerc +lat_0=1.5 +lon_0=7.25 +ellps=bessel +towgs84=1,2,3,4,5,6,7"
    wkt = pyproj.CRS.from_proj4(proj).to_wkt("WKT1_GDAL")
    assert "TOWGS84" in wkt
    [written] = output("projjson", wkt)
    places = box((5, 40, 9, 53))
    x, y = pyproj.Transformer.from_crs(4326, proj, always_xy=True).transform(*zip(*places))
    again = pyproj.Transformer.from_crs(4326, json.loads(written), always_xy=True)
    x2, y2 = again.transform(*zip(*places))
    assert np.hypot(x - np.array(x2), y - np.array(y2)).max() < MILLIMETRE
    ours = numbers(output("transform", 4326, wkt, lines=places))
    assert np.hypot(ours[:, 0] - x, ours[:, 1] - y).max() < 0.01


EXTENTS = {
    "a city": (4.7, 52.2, 5.1, 52.5),
    "the Netherlands": (3.3, 50.7, 7.3, 53.6),
    "Chile": (-76.0, -56.0, -66.0, -17.0),
    "Norway": (4.0, 57.0, 32.0, 71.5),
    "contiguous USA": (-125.0, 24.0, -66.0, 49.5),
    "Indonesia": (95.0, -11.0, 141.0, 6.0),
    "across the equator": (95.0, -6.0, 130.0, 6.0),
    "Fiji, counted on": (176.0, -20.0, 182.0, -15.0),
    "Svalbard": (10.0, 76.0, 34.0, 81.0),
    "the Arctic": (-180.0, 75.0, 180.0, 90.0),
    "the South Pole": (-180.0, -90.0, 180.0, -80.0),
    "a point": (5.123, 52.456, 5.123, 52.456),
    "Europe": (-10.0, 35.0, 45.0, 72.0),
}


@pytest.mark.parametrize("name", EXTENTS)
def test_fitted_systems(name):
    places = box(EXTENTS[name], steps=15)
    first, *rest = output("ground", "EPSG:4326", "-", lines=places)
    stated, system = first.split("\t")
    ours = numbers(rest)
    proj = pyproj.Proj(system[system.index("+proj") :])
    lon, lat = np.array(places).T
    x, y = proj(lon, lat)
    assert np.hypot(ours[:, 0] - x, ours[:, 1] - y).max() < MILLIMETRE

    # There and back. At a pole all longitudes are right.
    away = np.abs(lat) < 90
    off = np.abs(ours[:, 2] - lon)[away]
    off = np.minimum(off, np.abs(off - 360))
    assert off.max(initial=0) < 1e-9 / np.cos(np.radians(np.abs(lat[away]).max(initial=0)))
    assert np.abs(ours[:, 3] - lat).max() < 1e-9

    factors = proj.get_factors(lon, np.clip(lat, -89.99, 89.99))
    worst = np.abs(np.array([factors.tissot_semimajor, factors.tissot_semiminor]) - 1).max()
    # PROJ's own factors are good to seven digits or so.
    assert float(stated) == pytest.approx(worst, rel=0.1, abs=2e-7)


@pytest.mark.parametrize(
    ("system", "bounds"),
    [("EPSG:28992", NATIONAL[28992]), ("EPSG:2263", (-74.2, 40.5, -72.0, 41.2)), ("EPSG:3035", (-9.0, 36.0, 30.0, 69.0)), ("EPSG:32631", (0.0, 0.0, 6.0, 60.0))],
)
def test_scale_error_of_planes_as_they_are(system, bounds):
    base = pyproj.CRS(system).geodetic_crs
    x, y = pyproj.Transformer.from_crs(base, system, always_xy=True).transform(*zip(*box(bounds)))
    grid = box((min(x), min(y), max(x), max(y)), steps=21)
    first, *rest = output("ground", system, "-", lines=grid)
    stated = float(first.split("\t")[0])
    back = pyproj.Transformer.from_crs(system, base, always_xy=True)
    lon, lat = back.transform(*zip(*grid))
    factors = pyproj.Proj(system).get_factors(lon, lat)
    worst = np.abs(np.array([factors.tissot_semimajor, factors.tissot_semiminor]) - 1).max()
    assert stated == pytest.approx(worst, rel=0.01)
    metres = pyproj.CRS(system).axis_info[0].unit_conversion_factor
    ours = numbers(rest)
    np.testing.assert_allclose(ours[:, :2], np.array(grid) * metres, rtol=1e-12)
    np.testing.assert_allclose(ours[:, 2:], grid, rtol=1e-12)


@pytest.mark.parametrize("system", ["EPSG:4326", "EPSG:3857", "EPSG:27700", "EPSG:4289"])
def test_a_chosen_system_there_and_back(system):
    places = box((4.0, 51.0, 6.0, 53.0))
    x, y = pyproj.Transformer.from_crs(4326, system, always_xy=True).transform(*zip(*places))
    given = list(zip(x, y))
    first, *rest = output("ground", system, "EPSG:28992", lines=given)
    assert first.split("\t")[1] == "EPSG:28992 (Amersfoort / RD New)"
    ours = numbers(rest)
    off = np.abs(ours[:, 2:] - np.array(given)).max()
    assert off < (1e-9 if pyproj.CRS(system).is_geographic else 1e-4)


def test_what_is_refused():
    def refusal(*arguments, lines):
        done = program("ground", *arguments, lines=lines)
        assert done.returncode == 1
        return done.stderr

    assert "more than 5%" in refusal("EPSG:4326", "-", lines=[(-90.0, -80.0), (0.0, 0.0), (90.0, 80.0)])
    assert "swapped" in refusal("EPSG:4326", "-", lines=[(52.0, 105.0), (53.0, 106.0)])
    assert "degrees" in refusal("EPSG:4326", "-", lines=[(155000.0, 463000.0)])
    assert "needs metres" in refusal("EPSG:28992", "EPSG:4326", lines=[(155000.0, 463000.0)])

"""How fast units are assigned to polygons, beside GeoPandas' sjoin: a ratio measured in one run.

Run it with `make bench-regions`. It makes ten million units (or as many as the second argument
says) and 35,000 polygons (or the third) and needs some gigabytes of disk and memory.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import geopandas
import numpy
import shapely

ROUNDS = 3
CRS = 28992


def districts(units, count):
    """Polygons that cover the units and are smaller where these are many, with bent borders."""
    random = numpy.random.default_rng(1)
    seeds = units.sample(count, random_state=1)
    seeds = seeds + random.uniform(-0.4, 0.4, seeds.shape)
    frame = shapely.box(units.x.min() - 10, units.y.min() - 10, units.x.max() + 10, units.y.max() + 10)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(seeds.to_numpy()), extend_to=frame)
    cells = shapely.intersection(shapely.get_parts(cells), frame)
    # Corners along the borders, as surveyed ones have them; neighbours get the same.
    cells = shapely.segmentize(cells, 100)
    return geopandas.GeoDataFrame({"code": range(len(cells))}, geometry=cells, crs=CRS)


def main():
    kdisc = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    polygons = int(sys.argv[3]) if len(sys.argv) > 3 else 35_000
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        table, packed, areas = folder / "u.csv", folder / "u.parquet", folder / "areas.parquet"
        out, summary = folder / "out.parquet", folder / "run.json"
        subprocess.run([kdisc, "example", "--units", str(count), "-o", table], check=True)
        subprocess.run([kdisc, "convert", table, packed, "--quiet"], check=True)
        units = geopandas.pd.read_parquet(packed, columns=["x", "y"])
        regions = districts(units, polygons)
        regions.to_parquet(areas)
        corners = shapely.get_num_coordinates(regions.geometry.to_numpy()).sum()
        points = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy(units.x, units.y), crs=CRS)
        command = [kdisc, "areal", packed, "--crs", f"EPSG:{CRS}", "--regions", areas]
        command += ["--region-id", "code", "-o", out, "--summary", summary, "--threads", "2", "--quiet"]
        ours, whole, theirs = [], [], []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            subprocess.run(command, check=True)
            whole.append(time.perf_counter() - began)
            ours.append(json.loads(summary.read_text())["timings_s"]["assign"])
            began = time.perf_counter()
            joined = points.sjoin(regions, predicate="within")
            theirs.append(time.perf_counter() - began)
        counted = geopandas.pd.read_parquet(out).set_index("region")["count"]
        expected = joined["code"].value_counts().reindex(regions["code"], fill_value=0)
        on_borders = count - len(joined)
        differing = (counted.to_numpy() - expected.to_numpy()).sum()
        assert differing == on_borders, (differing, on_borders)
        ours, whole, theirs = min(ours), min(whole), min(theirs)
        print(f"| {count:,} units, {len(regions):,} polygons of {corners:,} corners | kdisc | GeoPandas | ratio |")
        print("|---|---|---|---|")
        print(f"| assigning units to polygons | {ours:.2f} s | {theirs:.2f} s | {theirs / ours:.1f} |")
        print(f"| all of `kdisc areal`, files included | {whole:.2f} s | | {theirs / whole:.1f} |")


if __name__ == "__main__":
    main()

"""How fast the density band of a map is, beside NumPy's histogram2d and SciPy's gaussian_filter: a
ratio measured in one run, one thread each, by processor time.

Run it with `make bench-density`. The arguments are the paths of kdisc and of kdisc-bench.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pandas
import rasterio
from scipy.ndimage import gaussian_filter

UNITS = 1_000_000
ROUNDS = 3


def band(units, west, south, east, north, cell, bandwidth):
    """The density as one gets it from NumPy and SciPy, rows from north to south."""
    columns, rows = round((east - west) / cell), round((north - south) / cell)
    counts, _, _ = numpy.histogram2d(
        units.y, units.x, bins=(rows, columns), range=((south, north), (west, east))
    )
    smooth = gaussian_filter(counts, bandwidth / cell, mode="constant", truncate=4.0)
    return smooth[::-1] / cell**2


def main():
    kdisc, bench = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        table, out = folder / "units.csv", folder / "map.tif"
        subprocess.run([kdisc, "example", "--units", str(UNITS), "-o", table], check=True)
        units = pandas.read_csv(table, usecols=["x", "y"])
        ours, theirs = [], []
        for _ in range(ROUNDS):
            printed = subprocess.run([bench, "--density-band"], check=True, capture_output=True)
            told = json.loads(printed.stdout)
            ours.append(told["seconds"])
            began = time.process_time()
            smooth = band(units, *told["extent"], told["cell"], told["bandwidth"])
            theirs.append(time.process_time() - began)
        # The same map, or the comparison is worth nothing.
        extent = ",".join(map(str, told["extent"]))
        command = [kdisc, "density", table, "--cell", str(told["cell"]), "--extent", extent]
        command += ["--bandwidth", str(told["bandwidth"]), "-o", out, "--quiet"]
        subprocess.run(command, check=True)
        with rasterio.open(out) as raster:
            density = raster.read(1)
        numpy.testing.assert_allclose(density, smooth, rtol=1e-9, atol=1e-18)
        ours, theirs = min(ours), min(theirs)
        rows, columns = density.shape
        print(f"| {UNITS:,} units, {columns:,} x {rows:,} cells | kdisc | NumPy and SciPy | ratio |")
        print("|---|---|---|---|")
        print(f"| the density band, Gaussian | {ours:.2f} s | {theirs:.2f} s | {theirs / ours:.1f} |")


if __name__ == "__main__":
    main()

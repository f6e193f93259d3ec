"""How fast `kdisc.risk` is from Python, beside the Rust engine and beside SciPy: ratios measured in
one run, one thread each, by processor time.

Run it with `make bench-python`; the argument is the path of kdisc-bench. The units are those of the
built-in example with a million.

- The engine is what kdisc-bench times: from points in memory to a disc for each location (index and
  measure), nothing else. `kdisc.risk` begins with data of some kind and ends with data of that kind
  and seven columns more, one row per unit.
- SciPy builds a cKDTree and asks it for the ten nearest of every unit, itself among them: the tenth
  distance is the radius at delta = 0, and is compared with ours.
"""

import gc
import json
import math
import subprocess
import sys
import time

import geopandas
import numpy
import polars
import pyarrow
from scipy.spatial import cKDTree

import kdisc

UNITS = 1_000_000
ROUNDS = 5
MOST_OVERHEAD = 0.10
LEAST_TIMES_FASTER = 3.0


def effort(work):
    """The processor time of something, and what it came to."""
    gc.collect()
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def scipy(points):
    return cKDTree(points).query(points, k=10, workers=1)[0][:, -1]


def kinds():
    town = kdisc.example(UNITS)
    points = town[["x", "y"]].to_numpy()
    geometry = geopandas.points_from_xy(town.x, town.y, crs="EPSG:28992")
    return points, {
        "NumPy": points,
        "pandas": town,
        "Polars": polars.from_pandas(town),
        "pyarrow": pyarrow.Table.from_pandas(town),
        "GeoPandas": geopandas.GeoDataFrame(town[["production"]], geometry=geometry),
    }


def main():
    bench = sys.argv[1]
    points, data = kinds()
    best = {}

    def note(name, seconds):
        best[name] = min(seconds, best.get(name, math.inf))

    for _ in range(ROUNDS):
        printed = subprocess.run([bench, "--engine"], check=True, capture_output=True)
        told = json.loads(printed.stdout)
        assert told["units"] == UNITS
        for delta in ("0", "inf"):
            note(("engine", delta), told[delta])
            for kind, units in data.items():
                seconds, found = effort(lambda: kdisc.risk(units, delta=float(delta), threads=1))
                note((kind, delta), seconds)
                if (kind, delta) == ("NumPy", "0"):
                    radius = found["radius"]
                del found
        seconds, tenth = effort(lambda: scipy(points))
        note("scipy", seconds)
    # The same question, or the comparison is worth nothing.
    numpy.testing.assert_allclose(radius, tenth, rtol=1e-12)

    engine = {delta: best["engine", delta] for delta in ("0", "inf")}
    print(f"| {UNITS:,} units, k=10, one thread | δ=∞ | over the engine | δ=0 | over the engine | SciPy/kdisc, δ=0 |")
    print("|---|---|---|---|---|---|")
    theirs = best["scipy"]
    print(f"| the Rust engine | {engine['inf']:.2f} s | | {engine['0']:.2f} s | | {theirs / engine['0']:.1f} |")
    missed = []
    for kind in data:
        cluster, point = best[kind, "inf"], best[kind, "0"]
        over = {"inf": cluster / engine["inf"] - 1, "0": point / engine["0"] - 1}
        faster = theirs / point
        print(
            f"| kdisc.risk, {kind} | {cluster:.2f} s | {over['inf']:+.1%} | {point:.2f} s "
            f"| {over['0']:+.1%} | {faster:.1f} |"
        )
        if over["inf"] > MOST_OVERHEAD:
            missed.append(f"{kind}: {over['inf']:.1%} over the engine")
        if faster < LEAST_TIMES_FASTER:
            missed.append(f"{kind}: {faster:.1f} times SciPy's speed")
    print(f"| SciPy's cKDTree | | | {theirs:.2f} s | | 1.0 |")
    print(f"\nRequired: at most {MOST_OVERHEAD:.0%} over the engine at δ=∞, at least "
          f"{LEAST_TIMES_FASTER:g} times as fast as SciPy at δ=0.")
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()

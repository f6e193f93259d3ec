"""The measure on Apache Spark: exactly what :func:`kdisc.risk` says, for data that live in a cluster.

>>> from pyspark.sql import SparkSession
>>> import kdisc.spark
>>> spark = SparkSession.builder.getOrCreate()
>>> farms = [(0.0, 0.0), (2000.0, 0.0), (-2000.0, 0.0), (0.0, -2500.0)]
>>> measured = kdisc.spark.risk(spark.createDataFrame(farms, ["x", "y"]), k=3)
>>> measured.columns[2:]
['multiplicity', 'radius', 'units', 'risk', 'center_x', 'center_y', 'status']
>>> round(measured.first()["radius"], 3)
1600.781
"""

from ._needs import check as _check

_check()

from ._plan import Plan, plan  # noqa: E402
from ._risk import risk  # noqa: E402

__all__ = ["Plan", "plan", "risk"]

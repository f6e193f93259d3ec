"""The measure on Apache Spark: exactly what :func:`kdisc.risk` says, for data that live in a cluster.

>>> from pyspark.sql import SparkSession
>>> import kdisc.spark
>>> spark = SparkSession.builder.getOrCreate()
>>> towns = spark.createDataFrame([(0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, -2.5)], ["x", "y"])
>>> measured = kdisc.spark.risk(towns, k=3)
>>> measured.columns[2:]
['multiplicity', 'radius', 'units', 'risk', 'center_x', 'center_y', 'status']
>>> measured.first()["radius"]
1.6007810593582121
"""

from ._needs import check as _check

_check()

from ._plan import Plan, plan  # noqa: E402
from ._risk import risk  # noqa: E402

__all__ = ["Plan", "plan", "risk"]

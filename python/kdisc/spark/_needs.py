"""What must be installed."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

from .._errors import KdiscError


class MissingError(KdiscError, ImportError):
    """Something that kdisc.spark needs is not installed."""


def check() -> None:
    """Says what is missing, and what to do about it."""
    if find_spec("pyspark") is None:
        raise MissingError(
            "kdisc.spark needs PySpark 4.1 or newer, which is not installed\n"
            '  help: pip install "kdisc[spark]", or run this where your Spark is'
        )
    import pyspark.sql

    if not hasattr(pyspark.sql.DataFrame, "repartitionById"):
        raise MissingError(
            f"kdisc.spark needs PySpark 4.1 or newer, and this is {pyspark.__version__}\n"
            '  help: pip install --upgrade "pyspark>=4.1", and the same on the cluster'
        )
    if not _has_java():
        raise MissingError(
            "Spark needs Java 17 or newer, and there is neither JAVA_HOME nor a java on the PATH\n"
            "  help: install it (on Debian: apt-get install openjdk-17-jre-headless), or set "
            "JAVA_HOME"
        )


def _has_java() -> bool:
    """Whether there is a Java, or none is needed: a client of Spark Connect has its Spark
    elsewhere."""
    from pyspark.util import is_remote_only

    if is_remote_only() or "SPARK_REMOTE" in os.environ:
        return True
    home = os.environ.get("JAVA_HOME")
    return shutil.which(os.path.join(home, "bin", "java") if home else "java") is not None

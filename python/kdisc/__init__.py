"""How easily could each point on a map be picked out?

For every unit (a person, an enterprise, a patient) kdisc draws the smallest disc that holds it and
at least k units. A large disc means an isolated unit, and so a high risk of disclosure when the map
is published.

>>> import kdisc
>>> town = kdisc.example()
>>> measured = kdisc.risk(town, k=10)
>>> list(measured.columns)[-7:]
['multiplicity', 'radius', 'units', 'risk', 'center_x', 'center_y', 'status']
"""

from ._commands import bandwidth, discs, example, risk, zoom
from ._errors import InputError, KdiscError, KdiscWarning
from ._maps import density, surface
from ._native import version as _version
from ._pages import map, report
from ._regions import areal, rules
from ._results import Map, Raster, Report, Result
from ._run import Summary

__version__ = _version()
__all__ = [
    "InputError",
    "KdiscError",
    "KdiscWarning",
    "Map",
    "Raster",
    "Report",
    "Result",
    "Summary",
    "areal",
    "bandwidth",
    "density",
    "discs",
    "example",
    "map",
    "report",
    "risk",
    "rules",
    "surface",
    "zoom",
]

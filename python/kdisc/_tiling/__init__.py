"""Cutting a population into tiles that can be measured apart, from counts alone.

Nothing here knows of Spark: it is arithmetic on counts, and what a task does with a batch of rows.
``kdisc.spark`` brings the counts and runs the tasks.

- ``grid``: cells, and which one a location is in.
- ``tree``: counts in cells, and how far from a cell anything can matter to it.
- ``survey``: counting in cells that are as small as they need be.
- ``border``: which cells a tile needs besides its own.
- ``tiles``: cutting, and putting together again where borders are not worth it.
- ``plan``: all of this, and what is sent where.
- ``tasks``: what runs where the data are.
"""

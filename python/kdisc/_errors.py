"""What can go wrong."""

from __future__ import annotations


class KdiscError(Exception):
    """The base of all errors of kdisc."""


class InputError(KdiscError, ValueError):
    """The data or the question cannot be used.

    The message says what and where; ``help`` says what to do about it. Both are the sentences of
    the command line, so where they name an option (``--weight COL``), the argument of the same
    name is meant (``weight="COL"``).
    """

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message if help is None else f"{message}\n  help: {help}")
        self.message = message
        self.help = help


class KdiscWarning(UserWarning):
    """Something to know before trusting the figures."""

"""What can go wrong, and how it is said.

The sentences are those of the command line, which name its options. Here they name arguments: where
it says ``--on-invalid skip``, this says ``on_invalid="skip"``.
"""

from __future__ import annotations

import re


class KdiscError(Exception):
    """The base of all errors of kdisc."""


class InputError(KdiscError, ValueError):
    """The data or the question cannot be used.

    The message says what and where; ``help`` says what to do about it. Both are the sentences of
    the command line.
    """

    #: What is wrong, and where.
    message: str
    #: What to do about it.
    help: str | None

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message if help is None else f"{message}\n  help: {help}")
        self.message = message
        self.help = help


class KdiscWarning(UserWarning):
    """Something to know before trusting the figures."""


#: Options that are switches.
SWITCHES = {
    "adaptive",
    "axes",
    "centroid",
    "enclosed",
    "exact",
    "mask_unsafe",
    "maup",
    "public",
    "show_locations",
}
#: Stand-ins for numbers, in the language of the help.
NUMBERS = {"M", "N", "K", "PX", "XMIN", "YMIN", "XMAX", "YMAX"}
#: Words that are values where they follow an option.
VALUES = ("inf", "skip", "l2", "new_")

_OPTION = re.compile(
    r"(?<![\w-])--(?P<name>[a-z][a-z-]*[a-z]|[a-z])(?![\w-])"
    r"(?: <[^<>]*>(?:\.\.\.)?"
    rf"|[ =](?P<value>{'|'.join(VALUES)}|EPSG:\w+|[A-Z][A-Z]*(?:[,=][A-Z]+)*|\d[\w.]*(?:,\d[\w.]*)*)(?![\w=]))?"
)


def refused(message: str, help: str | None) -> InputError:
    """The exception for what the command refuses."""
    return InputError(in_python(message), None if help is None else in_python(help))


def in_python(text: str) -> str:
    """A sentence of the command line, with its options as arguments of functions."""
    return _OPTION.sub(_argument, re.sub(r"(--x [A-Z]+) --y", r"\1, --y", text))


def _argument(found: re.Match[str]) -> str:
    name = found["name"].replace("-", "_")
    if found["value"]:
        return f"{name}={_value(found['value'])}"
    in_quotes = found.string[: found.start()].endswith("'")
    return f"{name}=True" if name in SWITCHES and not in_quotes else name


def _value(text: str) -> str:
    if text == "inf":
        return "math.inf"
    parts = text.split(",")
    if all(part in NUMBERS or re.fullmatch(r"\d+(\.\d+)?", part) for part in parts):
        return text if len(parts) == 1 else f"({', '.join(parts)})"
    return f'"{text}"'

"""Reads the mark that a judge model gives in free text.

A mark is taken where it is clear: alone, behind its name ("Your mark: 4"), or under its name in a
JSON object. Decoration is ignored, and so is a written-out maximum ("4/5"). A reply without a
mark, with a mark that is not on the scale, or with two different ones has none; whoever asks
counts it as a failure and keeps the question.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

NUMBER: Final[str] = r"(?:\d+(?:\.\d+)?|\.\d+)"
"""Pattern of a number without a sign."""

_DECORATION = re.compile(r"[*`\"'“”_#]")
_DECODER = json.JSONDecoder()


def plain(reply: str) -> str:
    """A reply without quotes and emphasis, with ½ as 0.5."""
    return _DECORATION.sub("", reply.replace("½", "0.5")).strip()


def single_mark(
    reply: str, names: Sequence[str], scale: Collection[float], maximum: float
) -> float | None:
    """The one mark of a reply, none where there is no clear one.

    ``names`` are what the mark may be called, in lower case; ``scale`` holds the marks that exist
    and ``maximum`` is the largest, which a reply may write out.
    """
    found = {
        mark
        for content in _objects(reply)
        for name, value in content.items()
        if name.lower() in names and (mark := _number(value)) is not None
    }
    if not found:
        found = set(_marks_in(plain(reply), names, maximum))
    if len(found) != 1:
        return None
    mark = found.pop()
    return mark if mark in scale else None


def _marks_in(text: str, names: Sequence[str], maximum: float) -> Iterator[float]:
    out_of = rf"(?:\s*/\s*{maximum:g}(?:\.0)?)?"
    mark = rf"({NUMBER}){out_of}(?![\w/%]|\.\d)"
    whole = re.fullmatch(rf"\(?\s*{mark}\s*\)?\s*\.?", text)
    if whole is not None:
        yield float(whole.group(1))
        return
    called = "|".join(re.escape(name) for name in names)
    for match in re.finditer(rf"\b(?:{called})\b\s*(?:[:=]|is)\s*{mark}", text, re.IGNORECASE):
        yield float(match.group(1))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, nested ones left out."""
    start = text.find("{")
    while start >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            if isinstance(value, dict):
                yield value
        start = text.find("{", end)


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and re.fullmatch(NUMBER, value.strip()):
        return float(value.strip())
    return None

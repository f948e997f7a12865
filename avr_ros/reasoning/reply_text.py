"""From what a model said to a reply of the stage's type."""

import json
import re
from typing import Any

from pydantic import ValidationError

from avr_ros.reasoning.stage import Reply

MAX_TEXT = 200_000
"""Characters of a reply that are looked at."""

_THOUGHTS = re.compile(r"<think>.*?</think>", re.DOTALL)


class ReplyTextError(ValueError):
    """A text holds no reply of the right type; the message says why, for a repair."""


def read_reply(text: str, reply_type: type[Reply]) -> Reply:
    """The reply in a text: the text itself, or the last JSON object in it that has the right type.

    Thoughts between ``<think>`` tags, code fences and sentences around the object are skipped.
    Raises ReplyTextError.
    """
    plain = _THOUGHTS.sub("", text[:MAX_TEXT]).strip()
    if not plain:
        raise ReplyTextError("the reply is empty")
    candidates = _objects(plain)
    if not candidates:
        raise ReplyTextError("the reply holds no JSON object")
    problem = ""
    for candidate in reversed(candidates):
        try:
            return reply_type.model_validate(candidate)
        except ValidationError as error:
            problem = problem or _problem(error)
    raise ReplyTextError(problem)


def _objects(text: str) -> list[dict[str, Any]]:
    """The outermost JSON objects of a text, in order."""
    decoder = json.JSONDecoder()
    found: list[dict[str, Any]] = []
    position = 0
    while (start := text.find("{", position)) >= 0:
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def _problem(error: ValidationError) -> str:
    parts = []
    for item in error.errors(include_url=False)[:5]:
        place = ".".join(str(part) for part in item["loc"]) or "reply"
        parts.append(f"{place}: {item['msg']}")
    return "; ".join(parts)

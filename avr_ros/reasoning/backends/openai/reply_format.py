"""How a server is held to a reply's type: what the best one that it supports can do."""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from avr_ros.reasoning.stage import StageRequest


class ReplyFormat(IntEnum):
    """From the strictest to none at all."""

    JSON_SCHEMA = 0
    JSON_OBJECT = 1
    TEXT = 2


UNSUPPORTED_STATUSES = frozenset({400, 404, 415, 422, 501})
"""HTTP statuses with which servers refuse a response format that they do not know."""

_ABOUT_FORMAT = re.compile(
    r"response_format|json_schema|json_object|guided|grammar|structured|schema", re.IGNORECASE
)


def response_format(request: StageRequest[Any], reply_format: ReplyFormat) -> dict[str, Any] | None:
    """The request's ``response_format``, none for plain text."""
    if reply_format is ReplyFormat.JSON_SCHEMA:
        name = re.sub(r"[^A-Za-z0-9_-]", "_", request.stage)[:60]
        return {
            "type": "json_schema",
            "json_schema": {"name": name, "schema": strict_schema(request), "strict": True},
        }
    if reply_format is ReplyFormat.JSON_OBJECT:
        return {"type": "json_object"}
    return None


def strict_schema(request: StageRequest[Any]) -> dict[str, Any]:
    """The reply's schema in the subset that OpenAI's strict mode knows.

    Every property is required (those with defaults take them or null), nothing is added, every
    value has a type, and alternatives are ``anyOf``. Fixed places of a list become one kind of
    item, and bounds that the subset has no word for are left out: replies are checked against
    their type all the same (platform.openai.com, guide to structured outputs).
    """
    reply_type: type[BaseModel] = request.reply_type
    return _strict(reply_type)


@lru_cache(maxsize=256)
def _strict(reply_type: type[BaseModel]) -> dict[str, Any]:
    return _in_subset(reply_type.model_json_schema())


_KEPT = frozenset(
    {
        "type",
        "title",
        "description",
        "enum",
        "const",
        "$ref",
        "format",
        "pattern",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    }
)
"""Keywords of the subset that hold no schemas."""


def _in_subset(schema: dict[str, Any]) -> dict[str, Any]:
    made = {name: value for name, value in schema.items() if name in _KEPT}
    for name in ("properties", "$defs"):
        if name in schema:
            # By name, so that a property called "default" is kept.
            made[name] = {key: _in_subset(item) for key, item in schema[name].items()}
    if "properties" in schema:
        made["required"] = list(schema["properties"])
        made["additionalProperties"] = False
    items = schema.get("items") or _any_of(schema.get("prefixItems", ()))
    if items:
        made["items"] = _in_subset(items)
    alternatives = schema.get("anyOf") or schema.get("oneOf")
    if alternatives:
        made["anyOf"] = [_in_subset(item) for item in alternatives]
    if "enum" in made and "type" not in made:
        made["anyOf"] = _by_type(made.pop("enum"))
    return made


def _any_of(schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One schema for items of any of these kinds, empty where there are none."""
    kinds = [item for place, item in enumerate(schemas) if item not in schemas[:place]]
    return {"anyOf": kinds} if len(kinds) > 1 else dict(*kinds)


def _by_type(values: Sequence[str | int | None]) -> list[dict[str, Any]]:
    """An enumeration of several types, as one of each type."""
    made: list[dict[str, Any]] = []
    for name, kind in (("string", str), ("integer", int)):
        chosen = [value for value in values if isinstance(value, kind)]
        if chosen:
            made.append({"type": name, "enum": chosen})
    return [*made, {"type": "null"}] if None in values else made


def refuses_format(status: int, body: str) -> bool:
    """Whether an error response is about the response format."""
    return status in UNSUPPORTED_STATUSES and bool(_ABOUT_FORMAT.search(body))

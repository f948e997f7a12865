"""How a server is held to a reply's type: what the best one that it supports can do."""

import re
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

    Every property is required (those with defaults take them or null), nothing is added, and
    alternatives are ``anyOf`` (platform.openai.com, guide to structured outputs).
    """
    reply_type: type[BaseModel] = request.reply_type
    return _strict(reply_type)


@lru_cache(maxsize=256)
def _strict(reply_type: type[BaseModel]) -> dict[str, Any]:
    made = _in_subset(reply_type.model_json_schema())
    assert isinstance(made, dict)
    return made


def _in_subset(value: Any) -> Any:
    if isinstance(value, list):
        return [_in_subset(item) for item in value]
    if not isinstance(value, dict):
        return value
    properties = value.get("properties")
    made = {
        "anyOf" if name == "oneOf" else name: _in_subset(item)
        for name, item in value.items()
        if name not in ("default", "discriminator", "properties")
    }
    if isinstance(properties, dict):
        # By name, so that a property called "default" is kept.
        made["properties"] = {name: _in_subset(item) for name, item in properties.items()}
        made["required"] = list(properties)
        made["additionalProperties"] = False
    return made


def refuses_format(status: int, body: str) -> bool:
    """Whether an error response is about the response format."""
    return status in UNSUPPORTED_STATUSES and bool(_ABOUT_FORMAT.search(body))

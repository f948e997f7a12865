"""How a server is held to a reply's type: what the best one that it supports can do."""

import re
from enum import IntEnum
from typing import Any

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
            "json_schema": {"name": name, "schema": request.schema, "strict": True},
        }
    if reply_format is ReplyFormat.JSON_OBJECT:
        return {"type": "json_object"}
    return None


def refuses_format(status: int, body: str) -> bool:
    """Whether an error response is about the response format."""
    return status in UNSUPPORTED_STATUSES and bool(_ABOUT_FORMAT.search(body))

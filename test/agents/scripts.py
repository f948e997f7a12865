"""Replies of a scripted model, as the stages' JSON."""

import json
from typing import Any


def reply(**fields: Any) -> str:
    return json.dumps(fields)


def demands(*texts: str) -> str:
    return reply(demands=texts)


def plan(*subtasks: tuple[str, int]) -> str:
    return reply(subtasks=[{"goal": goal, "demand": demand} for goal, demand in subtasks])


def seek(action: str, keep: bool = False, note: str = "", **parameters: Any) -> str:
    return reply(action=action, keep=keep, note=note, **parameters)


def curate(*views: str, summary: str = "") -> str:
    return reply(
        kept=[{"view": view, "note": f"note of {view}"} for view in views], summary=summary
    )

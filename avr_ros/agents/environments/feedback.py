"""Execution feedback as it reaches the agent (EviSeek, appendix E)."""

import re
from typing import Final

LONGEST: Final[int] = 220
"""Characters of feedback that are kept in the action trail."""

SHORTEST: Final[int] = 80
"""Characters of the summary that is attached to a retained outcome frame."""

_RESULT = re.compile(r"\bresult=(.*?)(?=\s+reasoning=|\s*\n|\s*$)", re.DOTALL)


def latest_result(history: str) -> str:
    """The last ``result=`` entry of a task history, without the model's reasoning; empty: none.

    Truncated to 220 characters.
    """
    found = _RESULT.findall(history)
    return truncated(found[-1].strip()) if found else ""


def truncated(text: str, longest: int = LONGEST) -> str:
    """A text in one line of at most ``longest`` characters."""
    return " ".join(text.split())[:longest]


def outcome_note(feedback: str) -> str:
    """Feedback as an annotation of a retained frame; empty without feedback."""
    text = truncated(feedback, SHORTEST)
    return f"[ENV] {text}" if text else ""

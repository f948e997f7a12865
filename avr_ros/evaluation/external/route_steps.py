"""The numbered steps that a Long-Term Navigation question prints, with their blanks."""

import re
from typing import Final

_BLANK: Final[str] = "[please fill in]"
_START = re.compile(r"(?:^|\s)(\d+)\. (?=Go to |\[please|Choose the next |turn )")
_INSTRUCTION = re.compile(r"Choose the next [^.]*\.")
_CLOSING = "You have reached"


def route_steps(question: str, blanks: int) -> tuple[str | None, ...]:
    """All steps of a question, none for each of its ``blanks``; empty where they cannot be told."""
    body = question.partition(_CLOSING)[0]
    starts = list(_START.finditer(body))
    ends = [start.start() for start in starts[1:]] + [len(body)]
    if [int(start.group(1)) for start in starts] != list(range(1, len(starts) + 1)):
        return ()
    texts = [body[start.end() : end] for start, end in zip(starts, ends, strict=True)]
    steps = tuple(
        None if _BLANK in text else _INSTRUCTION.sub("", text).strip(" .") for text in texts
    )
    return steps if steps.count(None) == blanks and "" not in steps else ()

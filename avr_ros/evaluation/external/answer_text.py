"""Free-text answers brought into one form before they are compared as wholes.

Nothing is found inside an answer: "a" is no part of "near the tennis ball" and "not touching" is
no "touching". What an answer must equal is one of the texts that its question allows.
"""

import json
import re
import unicodedata
from typing import Any, Final

ABSTENTIONS: Final[frozenset[str]] = frozenset(
    {
        "",
        "abstain",
        "cannot determine",
        "cannot tell",
        "i don't know",
        "n/a",
        "none",
        "not sure",
        "unknown",
        "unsure",
    }
)
"""Answers, normalised, that say that there is none."""

_QUOTES = "()\"'`“”‘’*"
_ENDS = ".,;:!?"


def normalised(text: str) -> str:
    """An answer without case, quotes, closing punctuation, underscores and leading article."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("_", " ")
    plain = " ".join(plain.split())
    before = None
    while before != plain:
        before = plain
        plain = plain.strip(_QUOTES + " ").rstrip(_ENDS + " ")
    return re.sub(r"^(?:the|an|a) (?=\S)", "", plain)


def is_abstention(text: str | None) -> bool:
    """Whether an answer is missing or says that there is none."""
    return text is None or normalised(text) in ABSTENTIONS


def decoded(text: str) -> Any:
    """A list or object that a text encodes as JSON; none for any other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, (dict, list)) else None

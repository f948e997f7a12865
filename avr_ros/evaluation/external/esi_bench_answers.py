"""Reads an agent's text as an answer of the shape that its ESI-Bench question asks for.

No right answer is needed. Texts are compared as wholes (:mod:`answer_text`); what fits no allowed
answer, or two, is no answer. Two normalisations are EviSeek's (appendix A): stacking orders may
be separated by bars, and a whole route is cut down to its blanks where all given steps agree.
"""

import re
from collections.abc import Sequence

from avr_ros.evaluation.external.answer_text import decoded, normalised
from avr_ros.evaluation.external.esi_bench_question import (
    AnswerShape,
    Choices,
    Count,
    LabelledChoices,
    Order,
    Placement,
    Route,
    Side,
    Slots,
)

ParsedAnswer = int | tuple[str, ...]
"""Option position or number, or one text for each blank, item, object or slot."""

_INTEGER = re.compile(r"(?<![\w.-])\d+(?![\w]|\.\d)")
_LABELLED = re.compile(r"^\W*([a-z0-9]{1,2})\W*(?:[.):\-–]\s*(.*))?$", re.IGNORECASE | re.DOTALL)


def parse_answer(shape: AnswerShape, text: str) -> ParsedAnswer | None:
    """The answer that a text gives, none where it gives none of the shape or more than one."""
    if isinstance(shape, Choices):
        return _choice(shape, text)
    if isinstance(shape, LabelledChoices):
        return _labelled_choice(shape, text)
    if isinstance(shape, Side):
        side = _position(("left", "right"), text)
        return _position((shape.left, shape.right), text) if side is None else side
    if isinstance(shape, Count):
        return _count(text)
    if isinstance(shape, Route):
        return _route(shape, text)
    if isinstance(shape, Order):
        return _order(shape, text)
    if isinstance(shape, Placement):
        return _placement(shape, text)
    return _slots(shape, text)


def _position(options: Sequence[str], text: str) -> int | None:
    """Position of the only option that a text equals."""
    wanted = normalised(text)
    found = [index for index, option in enumerate(options) if normalised(option) == wanted]
    return found[0] if len(found) == 1 else None


def _choice(shape: Choices, text: str) -> int | None:
    """An option by its text, with the shape's noun or not, or behind its place's letter.

    A letter alone is no answer: the options have no letters of their own.
    """
    position = _position(shape.options, text)
    if position is None and shape.noun:
        position = _position([f"{option} {shape.noun}" for option in shape.options], text)
    match = _LABELLED.match(text.strip())
    if position is None and match is not None and match.group(2):
        behind = _choice(shape, match.group(2))
        letters = [chr(ord("A") + index) for index in range(len(shape.options))]
        position = behind if behind == _position(letters, match.group(1)) else None
    return position


def _labelled_choice(shape: LabelledChoices, text: str) -> int | None:
    """An option by its id, its text, or both where they agree."""
    position = _position(shape.options, text)
    match = _LABELLED.match(text.strip())
    if position is not None or match is None:
        return position
    labelled = _position(shape.ids, match.group(1))
    rest = match.group(2)
    return labelled if not rest or _position(shape.options, rest) == labelled else None


def _count(text: str) -> int | None:
    """The first whole number of a text, as upstream; "2.5", "3rd" and "-1" are none."""
    match = _INTEGER.search(text)
    return None if match is None else int(match.group())


def _parts(text: str, separators: str) -> list[str]:
    """A text's parts: those of a JSON list of texts, else what the separators keep apart."""
    value = decoded(text)
    if isinstance(value, list):
        if len(value) == 1 and isinstance(value[0], list):
            value = value[0]
        return [item for item in value if isinstance(item, str)] if _all_texts(value) else []
    return [part.strip() for part in re.split(separators, text) if part.strip()]


def _all_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _route(shape: Route, text: str) -> tuple[str, ...] | None:
    parts = [re.sub(r"^\d+[.)]\s+", "", part) for part in _parts(text, r"[|\n]")]
    if len(parts) != len(shape.options) and len(parts) == len(shape.steps):
        if any(
            step is not None and _room(step) != _room(part)
            for step, part in zip(shape.steps, parts, strict=True)
        ):
            return None
        parts = [part for step, part in zip(shape.steps, parts, strict=True) if step is None]
    if len(parts) != len(shape.options):
        return None
    return _each(shape.options, parts)


def _room(text: str) -> str:
    return re.sub(r"^go to (?:the )?", "", normalised(text))


def _each(options: Sequence[Sequence[str]], parts: Sequence[str]) -> tuple[str, ...] | None:
    """Each part as its own options spell it."""
    found = []
    for allowed, part in zip(options, parts, strict=True):
        position = _position(allowed, part)
        if position is None:
            return None
        found.append(allowed[position])
    return tuple(found)


def _order(shape: Order, text: str) -> tuple[str, ...] | None:
    parts = [re.sub(r"^\d+[.)]\s+", "", part) for part in _parts(text, r"[|,\n;]|->|→")]
    if len(parts) != len(shape.items):
        return None
    found = _each([shape.items] * len(parts), parts)
    return found if found is not None and len(set(found)) == len(found) else None


def _placement(shape: Placement, text: str) -> tuple[str, ...] | None:
    pairs = _pairs(text)
    if pairs is None:
        if len(shape.objects) > 1:
            return None
        return _each([shape.containers], [text])
    by_object: dict[int, str] = {}
    for name, container in pairs:
        position = _position(shape.objects, name)
        if position is None or position in by_object:
            return None
        by_object[position] = container
    if len(by_object) != len(shape.objects):
        return None
    parts = [by_object[index] for index in range(len(shape.objects))]
    return _each([shape.containers] * len(parts), parts)


def _pairs(text: str) -> list[tuple[str, str]] | None:
    """What a text assigns to what; none where it assigns nothing."""
    value = decoded(text)
    if isinstance(value, dict):
        items = list(value.items())
        return (
            [(name, item) for name, item in items if isinstance(item, str)]
            if _all_texts(list(value.values()))
            else None
        )
    if isinstance(value, list):
        found = []
        for item in value:
            if not isinstance(item, dict) or not _all_texts(list(item.values())):
                return None
            if set(item) != {"_key", "value"}:
                return None
            found.append((item["_key"], item["value"]))
        return found
    found = []
    for line in re.split(r"[\n;,]", text):
        if line.strip():
            name, separator, container = _divided(line)
            if not separator:
                return None
            found.append((name, container))
    return found or None


def _divided(line: str) -> tuple[str, str, str]:
    match = re.match(r"^\s*(?:[-•]\s+)?(.+?)\s*(->|→|:|=)\s*(.+)$", line)
    return ("", "", "") if match is None else (match.group(1), match.group(2), match.group(3))


def _slots(shape: Slots, text: str) -> tuple[str, ...] | None:
    value = decoded(text)
    if isinstance(value, dict):
        given = {
            re.sub(r"^answer ", "", normalised(str(name))): item for name, item in value.items()
        }
        if set(given) != {normalised(slot) for slot in shape.slots}:
            return None
        parts = [given[normalised(slot)] for slot in shape.slots]
        return _each(shape.options, parts) if _all_texts(parts) else None
    words = {normalised(option) for options in shape.options for option in options}
    found = [word for word in re.findall(r"[a-z]+", normalised(text)) if word in words]
    return _each(shape.options, found) if len(found) == len(shape.slots) else None

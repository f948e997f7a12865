"""Shuffles the options of ESI-Bench's questions.

In several subcategories the right option always has the same place (the first of two in all 437
View Hallucination prompts upstream, the second in all 167 of Dimensional Size), so that a system
that always takes it looks good. A shuffle with a seed gives every option every place equally
often. Where a question's sentence names each option exactly once, as in "pencil or straw", the
names change places in it as well, since their order says as much. Left and right stand for places
in the scene and numbers for themselves: these stay.
"""

import re
from collections.abc import Sequence

import numpy as np

from avr_ros.evaluation.external.esi_bench_key import EsiBenchItem, OptionKey
from avr_ros.evaluation.external.esi_bench_question import (
    AnswerShape,
    Choices,
    LabelledChoices,
    Order,
    Placement,
    Route,
    Slots,
)
from avr_ros.schema.seeds import generator


def shuffled(item: EsiBenchItem, seed: int) -> EsiBenchItem:
    """A question with its options in an order that depends on ``seed`` and its id alone."""
    question = item.question
    shape = question.shape
    random = generator(seed, "options", question.question_id)
    if isinstance(shape, (Choices, LabelledChoices)) and isinstance(item.key, OptionKey):
        order = [int(index) for index in random.permutation(len(shape.options))]
        options = [shape.options[index] for index in order]
        text = question.text
        if isinstance(shape, Choices):
            text = _renamed(text, shape.options, options)
        return EsiBenchItem(
            question=question.model_copy(
                update={"shape": shape.model_copy(update={"options": tuple(options)}), "text": text}
            ),
            key=OptionKey(index=order.index(item.key.index)),
        )
    return item.model_copy(
        update={"question": question.model_copy(update={"shape": _shuffled(shape, random)})}
    )


def _shuffled(shape: AnswerShape, random: np.random.Generator) -> AnswerShape:
    if isinstance(shape, (Route, Slots)):
        return shape.model_copy(
            update={"options": tuple(_permuted(options, random) for options in shape.options)}
        )
    if isinstance(shape, Order):
        return shape.model_copy(update={"items": _permuted(shape.items, random)})
    if isinstance(shape, Placement):
        return shape.model_copy(update={"containers": _permuted(shape.containers, random)})
    return shape


def _permuted(texts: Sequence[str], random: np.random.Generator) -> tuple[str, ...]:
    return tuple(texts[int(index)] for index in random.permutation(len(texts)))


def _renamed(text: str, before: Sequence[str], after: Sequence[str]) -> str:
    """A sentence with each option of ``before`` replaced by that of ``after`` at its place.

    "A" and "an" go with their options. Unchanged where an option is not named exactly once, or
    within another.
    """
    places = {option: _places(text, option) for option in before}
    if any(len(found) != 1 for found in places.values()):
        return text
    moves = sorted(
        (places[old][0].start(), places[old][0].end(), places[new][0].group())
        for old, new in zip(before, after, strict=True)
    )
    parts: list[str] = []
    end = 0
    for start, stop, replacement in moves:
        if start < end:
            return text
        parts += [text[end:start], replacement]
        end = stop
    return "".join([*parts, text[end:]])


def _places(text: str, option: str) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<!\w)(?:an? )?{re.escape(option)}(?!\w)", text))

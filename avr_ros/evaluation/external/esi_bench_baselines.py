"""What answers without looking score on ESI-Bench: a constant place and the majority answer.

A system below these in a subcategory has shown nothing there (EviSeek's best is below the
majority answer in four).
"""

from collections import Counter
from collections.abc import Sequence

from avr_ros.evaluation.external.answer_text import normalised
from avr_ros.evaluation.external.esi_bench_key import EsiBenchItem
from avr_ros.evaluation.external.esi_bench_question import (
    AnswerShape,
    Choices,
    Count,
    LabelledChoices,
    Order,
    Placement,
    Route,
    Side,
)
from avr_ros.evaluation.external.esi_bench_scoring import (
    EsiBenchRates,
    accepted_texts,
    rates,
    score_answers,
)


def constant_position(items: Sequence[EsiBenchItem], position: int) -> EsiBenchRates:
    """Rates of always taking the option at ``position`` from 0, negative from the end.

    In each blank, for each object and in each slot. Orders are taken as their items are listed,
    from the end for a negative position. A question without so many options has no answer.
    """
    answers = {item.question.question_id: _at(item.question.shape, position) for item in items}
    return rates(items, score_answers(items, answers))


def majority(items: Sequence[EsiBenchItem]) -> EsiBenchRates:
    """Rates of answering in each subcategory what is right most often in these very questions.

    The first in alphabetical order of those equally often right. It knows the keys, so it bounds
    every answer that does not depend on the question.
    """
    counts: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        counts.setdefault(item.question.subcategory, Counter()).update(
            normalised(text) for text in accepted_texts(item)
        )
    best = {
        name: min(counter, key=lambda text: (-counter[text], text))
        for name, counter in counts.items()
    }
    answers = {item.question.question_id: best[item.question.subcategory] for item in items}
    return rates(items, score_answers(items, answers))


def _at(shape: AnswerShape, position: int) -> str | None:
    try:
        if isinstance(shape, (Choices, LabelledChoices)):
            return shape.options[position]
        if isinstance(shape, Side):
            return ("left", "right")[position]
        if isinstance(shape, Count):
            return str(shape.options[position])
        if isinstance(shape, Order):
            return " | ".join(shape.items if position >= 0 else reversed(shape.items))
        if isinstance(shape, Placement):
            container = shape.containers[position]
            return "\n".join(f"{name}: {container}" for name in shape.objects)
        if isinstance(shape, Route):
            return " | ".join(options[position] for options in shape.options)
        return ", ".join(options[position] for options in shape.options)
    except IndexError:
        return None

"""Scores answers to ESI-Bench's questions.

Right or wrong by equality of what was parsed; an abstention, a missing answer and a text that is
no answer of the question's shape are wrong, never left out (EviSeek, appendix A; upstream gives
them no score at all, which a mean over scores then drops).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from pydantic import Field

from avr_ros.evaluation.averages import macro_average
from avr_ros.evaluation.external.answer_text import decoded, is_abstention
from avr_ros.evaluation.external.esi_bench_answers import ParsedAnswer, parse_answer
from avr_ros.evaluation.external.esi_bench_key import (
    CountKey,
    EsiBenchItem,
    OptionKey,
    OrdersKey,
)
from avr_ros.evaluation.external.esi_bench_question import (
    Choices,
    LabelledChoices,
    Order,
    Placement,
    Side,
    Slots,
)
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

LARGEST_COUNT_ERROR = 3
"""From this error on a count earns no soft score."""


class EsiBenchScore(Record):
    """One question's score.

    ``outcome`` is answered, abstained (also: missing) or unparsed. Counts also have their
    absolute error and upstream's soft score max(0, 1 − error/3), without an answer 0.
    """

    question_id: str
    correct: bool
    outcome: str
    absolute_error: int | None = None
    soft_score: float | None = Field(default=None, ge=0, le=1)


class GroupRate(Record):
    """Right answers of a group, in percent."""

    n: int
    accuracy: float


class EsiBenchRates(Record):
    """Rates over a set of questions; ``macro`` is the mean over the subcategories.

    Subcategories are named "big task / small task".
    """

    n: int
    accuracy: float
    macro: float
    by_category: dict[str, GroupRate]
    by_subcategory: dict[str, GroupRate]
    outcomes: dict[str, int]


def score_answer(
    item: EsiBenchItem, answer: str | None, further_orders: Sequence[Sequence[str]] = ()
) -> EsiBenchScore:
    """Score one answer.

    ``further_orders`` are stacking orders that were found to be stable during the episode:
    upstream accepts them as well, so the score of such a question depends on its trajectory.
    Raises BadInputError where they are given to another kind of question or hold other items.
    """
    accepted = _accepted(item, further_orders)
    given = [] if answer is None else _given(item, answer)
    parsed = given[0] if given else None
    correct = bool(given) and all(one in accepted for one in given)
    missing = "abstained" if is_abstention(answer) else "unparsed"
    error: int | None = None
    soft: float | None = None
    if isinstance(item.key, CountKey):
        error = abs(parsed - item.key.value) if isinstance(parsed, int) else None
        soft = 0.0 if error is None else max(0.0, 1.0 - error / LARGEST_COUNT_ERROR)
    return EsiBenchScore(
        question_id=item.question.question_id,
        correct=correct,
        outcome="answered" if given else missing,
        absolute_error=error,
        soft_score=soft,
    )


def score_answers(
    items: Sequence[EsiBenchItem],
    answers: Mapping[str, str | None],
    further_orders: Mapping[str, Sequence[Sequence[str]]] | None = None,
) -> tuple[EsiBenchScore, ...]:
    """Score the answers by question id; a question without one is wrong.

    Raises BadInputError for an answer to no question.
    """
    known = {item.question.question_id for item in items}
    unknown = [name for name in answers if name not in known]
    if unknown:
        raise BadInputError(f"{len(unknown)} answers are to no question, first {unknown[0]}")
    orders = further_orders or {}
    return tuple(
        score_answer(
            item,
            answers.get(item.question.question_id),
            orders.get(item.question.question_id, ()),
        )
        for item in items
    )


def rates(items: Sequence[EsiBenchItem], scores: Sequence[EsiBenchScore]) -> EsiBenchRates:
    """Rates of scores that are in the items' order. Raises BadInputError of none."""
    if not scores:
        raise BadInputError("there is no score to summarise; score some answers first")
    pairs = list(zip(items, scores, strict=True))
    by_subcategory = _grouped(pairs, lambda item: " / ".join(item.question.subcategory))
    return EsiBenchRates(
        n=len(scores),
        accuracy=_accuracy(scores),
        macro=macro_average([rate.accuracy for rate in by_subcategory.values()]) or 0.0,
        by_category=_grouped(pairs, lambda item: item.question.big_task),
        by_subcategory=by_subcategory,
        outcomes=dict(sorted(Counter(score.outcome for score in scores).items())),
    )


def accepted_texts(item: EsiBenchItem) -> tuple[str, ...]:
    """Every right answer as a text that :func:`score_answer` finds right; the first is the key's.

    Objects and slots are JSON objects, blanks and orders are kept apart by bars.
    """
    shape, key = item.question.shape, item.key
    if isinstance(key, CountKey):
        return (str(key.value),)
    if isinstance(key, OrdersKey):
        return tuple(" | ".join(order) for order in key.orders)
    if isinstance(key, OptionKey):
        if isinstance(shape, Side):
            return (("left", "right")[key.index],)
        assert isinstance(shape, (Choices, LabelledChoices))
        return (shape.options[key.index],)
    if isinstance(shape, Placement):
        return (json.dumps(dict(zip(shape.objects, key.texts, strict=True))),)
    if isinstance(shape, Slots):
        return (json.dumps(dict(zip(shape.slots, key.texts, strict=True))),)
    return (" | ".join(key.texts),)


def _given(item: EsiBenchItem, answer: str) -> list[ParsedAnswer]:
    """The answers that a text gives: one or none, but for a JSON list of stacking orders.

    Of several orders every one must be accepted, so that naming many wins nothing.
    """
    texts = [answer]
    value = decoded(answer)
    if isinstance(item.question.shape, Order) and isinstance(value, list) and len(value) > 1:
        texts = [json.dumps(order) for order in value] if isinstance(value[0], list) else texts
    parsed = [parse_answer(item.question.shape, text) for text in texts]
    given = [one for one in parsed if one is not None]
    return given if len(given) == len(parsed) else []


def _accepted(
    item: EsiBenchItem, further_orders: Sequence[Sequence[str]]
) -> Sequence[ParsedAnswer]:
    key = item.key
    if further_orders and not isinstance(key, OrdersKey):
        raise BadInputError(f"question {item.question.question_id} has no orders to add to")
    if isinstance(key, OptionKey):
        return (key.index,)
    if isinstance(key, CountKey):
        return (key.value,)
    if isinstance(key, OrdersKey):
        found = [parse_answer(item.question.shape, " | ".join(order)) for order in further_orders]
        further = [order for order in found if order is not None]
        if len(further) != len(found):
            raise BadInputError(
                f"question {item.question.question_id}: a further order is none of its items"
            )
        return (*key.orders, *further)
    return (key.texts,)


def _grouped(
    pairs: Iterable[tuple[EsiBenchItem, EsiBenchScore]], name_of: Callable[[EsiBenchItem], str]
) -> dict[str, GroupRate]:
    groups: dict[str, list[EsiBenchScore]] = {}
    for item, score in pairs:
        groups.setdefault(name_of(item), []).append(score)
    return {
        name: GroupRate(n=len(groups[name]), accuracy=_accuracy(groups[name]))
        for name in sorted(groups)
    }


def _accuracy(scores: Sequence[EsiBenchScore]) -> float:
    return 100.0 * sum(score.correct for score in scores) / len(scores)

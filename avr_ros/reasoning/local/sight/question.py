"""What a stage's texts say: the question's meaning, and the frames that may be looked at."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from avr_ros.reasoning.local.answer import CannotAnswerError
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.local.sight.described import NobodyFitsError, described_frame
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.search import Limits, Search
from avr_ros.reasoning.local.sight.seen import SeenView
from avr_ros.reasoning.local.sight.wanted import Findings
from avr_ros.reasoning.meaning import NotUnderstood, QuestionMeaning
from avr_ros.reasoning.stages.contract import AnswerContract

_FRAMES = re.compile(r"Frames: (\d+) to (\d+)")

ANY_FRAME: Final = Limits(0, 10**9)
"""The limits where a text names none."""


@lru_cache(maxsize=256)
def _understood(question: str) -> QuestionMeaning | NotUnderstood:
    """What the grammar makes of a question, which every stage of an episode asks anew."""
    return understand(question)


def meaning_of(question: str) -> QuestionMeaning:
    """The question's meaning. Raises CannotAnswerError where the grammar has none."""
    meaning = _understood(question)
    if isinstance(meaning, NotUnderstood):
        words = f" ({', '.join(meaning.words)})" if meaning.words else ""
        raise CannotAnswerError(f"the question is not understood: {meaning.reason}{words}")
    return meaning


def limits_of(environment: str) -> Limits:
    """The frames that an environment's description names."""
    found = _FRAMES.search(environment)
    return ANY_FRAME if found is None else Limits(int(found[1]), int(found[2]))


def frame_of(meaning: QuestionMeaning, limits: Limits) -> int:
    """The frame at which the person is described; the first one where that is no frame."""
    try:
        return described_frame(meaning.person, limits.first)
    except NobodyFitsError:
        return limits.first


def search(
    question: str,
    contract: AnswerContract,
    views: Sequence[SeenView],
    limits: Limits,
    *,
    final: bool,
    selected: bool = False,
    left: int | None = None,
) -> Findings:
    """Search what was seen for the answer, see :class:`Search`.

    Raises CannotAnswerError for an unknown question.
    """
    return Search(
        meaning_of(question),
        contract.mode,
        contract.choices,
        Scene(views),
        limits,
        final=final,
        selected=selected,
        left=left,
    ).run()

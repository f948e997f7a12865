"""The stage plans of agents by name; an agent that declares none is not in the table.

Typical numbers are expectations of how a capable model behaves, since none was run with this
version; a recorded run gives better ones (see ``avr estimate --like``). Upper bounds follow from
the agents' loops and the question's budget.
"""

from collections.abc import Mapping
from typing import Final

from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.baselines.settings import ReactSettings
from avr_ros.agents.eviseek.answering import RECENT_VIEWS
from avr_ros.agents.eviseek.planning import ROUNDS
from avr_ros.agents.eviseek.reanswer import ReanswerSettings
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.eviseek.subtask_run import MEMORY_LINES
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.agents.stage_plan import StagePlan, StageUse
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question

CAPTION: Final = 80
"""Characters of a view's name, caption and note."""

MOST_CHOICES_TRIED: Final = 3
"""Times that one finding of the graph agent is matched with the choices, at most."""

MEMORY: Final = 3_000
"""Characters of a text memory that is told again and again."""


LONG_NOTE: Final = 2_000
"""Characters of a note at most, of a view or of what was done: a long paragraph."""


def _avr(question: Question, settings: Record) -> tuple[StageUse, ...]:
    assert isinstance(settings, AvrSettings)
    if not settings.world_model:
        return _react(question, ReactSettings())
    uses = [StageUse("understand", 1, 1, said=200)]
    if settings.policy == "model":
        looks = question.max_observations
        uses.append(
            StageUse(
                "act",
                min(12.0, looks),
                question.max_tool_calls,
                1,
                1,
                MEMORY,
                300 * looks,
                said=200,
            )
        )
    elif question.choices:
        uses.append(StageUse("read_choices", 0.5, 2, told=200, said=40))
        uses.append(StageUse("match_choice", 1, 2 * MOST_CHOICES_TRIED, told=200, most_told=600))
    return tuple(uses)


def _monolithic(question: Question, settings: Record) -> tuple[StageUse, ...]:
    given = len(question.given_frames)
    return (StageUse("answer", 1, 1, given, given, 300 + given * CAPTION, 600 + given * CAPTION),)


def _chain_of_thought(question: Question, settings: Record) -> tuple[StageUse, ...]:
    given = len(question.given_frames)
    told = 300 + given * CAPTION
    return (
        StageUse("reason", 1, 1, given, given, told, told),
        StageUse("answer_from_history", 1, 1, given, given, told + MEMORY // 2, told + MEMORY),
    )


def _search_recognize(question: Question, settings: Record) -> tuple[StageUse, ...]:
    given = len(question.given_frames)
    told = 300 + given * CAPTION
    return (
        StageUse("propose", 1, 1, given, given, told, told),
        StageUse("refine", 1, 1, 1, 1, 300, 600),
        StageUse("answer", 1, 1, 2, 2, 300, 600),
    )


def _react(question: Question, settings: Record) -> tuple[StageUse, ...]:
    steps = question.max_observations + 1
    return (
        StageUse("react_step", min(8.0, steps), steps, 1, 1, MEMORY // 2, 300 * steps, said=200),
    )


def _eviseek(question: Question, settings: Record) -> tuple[StageUse, ...]:
    assert isinstance(settings, EviseekSettings)
    looks = question.max_observations
    plans = 1 + (settings.replans if settings.coverage else 0)
    subtasks = settings.most_subtasks * plans
    decisions = subtasks * settings.decisions_per_subtask
    views = settings.board_views + settings.working_views + 1
    noted = CAPTION + LONG_NOTE
    most_memory = MEMORY_LINES * LONG_NOTE
    seek = min(12.0, float(decisions))
    uses = []
    if settings.demands:
        uses.append(StageUse("demands", 1, ROUNDS, 1, 1, 600, 2_000))
        uses.append(StageUse("acquisition_plan", 1, plans, 1, 1, 1_200, 3_000, said=250))
    else:
        uses.append(StageUse("decompose", 1, plans, 1, 1, 900, 2_000, said=250))
    uses.append(
        StageUse(
            "seek",
            seek,
            decisions,
            min(6.0, views),
            views,
            MEMORY // 2 + 6 * CAPTION,
            most_memory + views * noted,
        )
    )
    if settings.intents:
        longest = settings.board_views + 1 + looks
        uses.append(
            # A sequence to choose from takes two looks at least.
            StageUse(
                "curate",
                seek / 4,
                looks // 2,
                min(6.0, longest),
                longest,
                MEMORY,
                most_memory + longest * noted,
            )
        )
    if settings.coverage and settings.demands:
        capacity = settings.board_capacity
        uses.append(
            StageUse("coverage", seek / 2, decisions + plans, 4, capacity, 800, noted * capacity)
        )
    if settings.memory == "recent":
        uses.append(StageUse("answer_from_history", 1, 1, 6, 6, MEMORY, 300 * decisions))
    else:
        most = settings.board_capacity
        uses.append(StageUse("answer", 1, 1, min(6.0, most), most, 900, noted * most))
    return tuple(uses)


def _single_model(question: Question, settings: Record) -> tuple[StageUse, ...]:
    assert isinstance(settings, SingleModelSettings)
    steps = question.max_observations
    views = settings.previous_views + 1
    return (
        StageUse(
            "single_step",
            min(8.0, steps),
            steps,
            min(4.0, views),
            views,
            MEMORY // 2,
            1_000 * steps,
            said=200,
        ),
        StageUse("answer_from_history", 0.2, 1, min(4.0, views), views, MEMORY, 1_000 * steps),
    )


def _reanswer(question: Question, settings: Record) -> tuple[StageUse, ...]:
    assert isinstance(settings, ReanswerSettings)
    looks = question.max_observations
    if settings.memory == "recent":
        views = min(RECENT_VIEWS, looks)
        return (StageUse("answer_from_history", 1, 1, views, views, MEMORY, 1_000 * looks),)
    most = looks if settings.memory == "board" else min(settings.capacity, looks)
    typical = 6.0 if settings.memory == "board" else most
    told = (CAPTION + LONG_NOTE) * most
    return (StageUse("answer", 1, 1, min(typical, most), most, min(900, told), told),)


def _passive(question: Question, settings: Record) -> tuple[StageUse, ...]:
    return (StageUse("answer", 1, 1, 1, 1, 300, 600),)


def _blind(question: Question, settings: Record) -> tuple[StageUse, ...]:
    return (StageUse("answer", 1, 1, 0, 0, 200, 400),)


STAGE_PLANS: Final[Mapping[str, StagePlan]] = {
    "avr": _avr,
    "monolithic": _monolithic,
    "chain_of_thought": _chain_of_thought,
    "search_recognize": _search_recognize,
    "react": _react,
    "eviseek": _eviseek,
    "single_model": _single_model,
    "reanswer": _reanswer,
    "passive": _passive,
    "blind": _blind,
}
"""By the agent's name."""

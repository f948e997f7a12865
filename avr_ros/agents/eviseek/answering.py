"""The answer of an episode from one of three memories, and what was attached to that call."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.eviseek.board import BoardItem
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.reasoning.stages.answer_from_history import HistoryInputs, history_request
from avr_ros.reasoning.stages.answer_reply import AnswerReply
from avr_ros.reasoning.stages.contract import ShownView, contract_of
from avr_ros.schema.question import Question

RECENT_VIEWS = 6
"""Views of the single-model memory: the current one and up to five before it."""

Memory = Literal["board", "recent", "uniform"]


@dataclass(frozen=True)
class Trajectory:
    """What an answer can be given from: an episode that was just played, or one that was recorded.

    ``items`` are the board's, ``shots`` every view in order, ``history`` every step in words.
    """

    demands: tuple[str, ...]
    items: tuple[BoardItem, ...]
    shots: tuple[Shot, ...]
    history: tuple[str, ...]


def answer_call(
    question: Question, trajectory: Trajectory, memory: Memory, capacity: int
) -> StageRequest[AnswerReply]:
    """The answering call.

    ``board``: question, demands and retained evidence. ``recent``: all of the textual history with
    the latest six views. ``uniform``: as board, with ``capacity`` frames sampled evenly over the
    trajectory in the place of the selected ones.
    """
    scope = question.question_id
    contract = contract_of(question)
    if memory == "recent":
        latest = trajectory.shots[-RECENT_VIEWS:]
        return history_request(
            HistoryInputs(
                question=question.text,
                contract=contract,
                history=trajectory.history,
                views=tuple(_shown(shot) for shot in latest),
            ),
            tuple(shot.image for shot in latest),
            scope,
        )
    if memory == "uniform":
        sampled = uniform_sample(trajectory.shots, capacity)
        views = tuple(_shown(shot) for shot in sampled)
        images = tuple(shot.image for shot in sampled)
    else:
        numbered = bool(trajectory.demands)
        views = tuple(item.shown(with_demand=numbered) for item in trajectory.items)
        images = tuple(item.shot.image for item in trajectory.items)
    inputs = AnswerInputs(
        question=question.text, contract=contract, demands=trajectory.demands, views=views
    )
    return answer_request(inputs, images, scope)


def uniform_sample(shots: tuple[Shot, ...], capacity: int) -> tuple[Shot, ...]:
    """At most ``capacity`` views, evenly spread over all, the first and the last among them."""
    if len(shots) <= capacity:
        return shots
    places = np.rint(np.linspace(0, len(shots) - 1, capacity)).astype(int)
    return tuple(shots[place] for place in places.tolist())


def _shown(shot: Shot) -> ShownView:
    return ShownView(name=shot.name, caption=shot.caption)

"""EviSeek and its baselines with the local model in a simulated street."""

import numpy as np
import pytest
from simulated_street import Episode, evidence_is_right, make_street
from test_avr_agent import ask, boundary, mark

from avr_ros.agents.agent import Agent
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.registry import make_agent
from avr_ros.agents.tools import ToolFailedError
from avr_ros.reasoning.backends.local import LocalBackend
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.model import Record
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.step import StepKind

STREETS = 6


def agent(name: str, settings: Record | None = None) -> Agent:
    return make_agent(name, LocalBackend(), settings)


def run(asked: Agent, seed: int) -> tuple[bool, int, Episode]:
    """One question about walking: whether answer and evidence are right, the calls, the episode."""
    street = make_street(seed)
    track, frame = mark(street, seed)
    walker = next(item for item in street.people if item.track == track)
    start = "walking" not in walker.actions[frame]
    truth = boundary(street, track, frame, "walking", start)
    assert truth is not None
    verb = "start" if start else "stop"
    question = ask(
        f"At frame {frame}, exactly one person is reading. In which frame does this person {verb} "
        "walking?",
        frame,
    )
    episode = Episode(street, question)
    prediction = asked.answer(question, episode.tools)
    calls = sum(step.kind is StepKind.MODEL_CALL for step in episode.steps)
    right = (
        isinstance(prediction.answer, FrameAnswer)
        and abs(prediction.answer.frame_id - truth) <= 5
        and evidence_is_right(episode, prediction, track, range(truth - 5, truth + 6))
    )
    return right, calls, episode


def with_truth() -> list[int]:
    """Seeds of streets whose marked person starts or stops walking."""
    found = []
    for seed in range(60):
        street = make_street(seed)
        track, frame = mark(street, seed)
        walker = next(item for item in street.people if item.track == track)
        start = "walking" not in walker.actions[frame]
        if boundary(street, track, frame, "walking", start) is not None:
            found.append(seed)
        if len(found) == STREETS:
            break
    return found


def test_eviseek_and_the_single_model_find_boundaries() -> None:
    seeds = with_truth()
    eviseek = [run(agent("eviseek"), seed) for seed in seeds]
    single = [run(agent("single_model"), seed) for seed in seeds]
    assert sum(right for right, _, _ in eviseek) >= STREETS - 1
    assert sum(right for right, _, _ in single) >= STREETS - 2
    assert max(calls for _, calls, _ in (*eviseek, *single)) <= 40
    for _, _, episode in eviseek:
        board = episode.steps[-1].details["board"]
        assert board and all(item["observation_id"] in episode.records for item in board)


def test_the_start_of_what_goes_on_already_is_searched_for_backwards() -> None:
    seed, described, truth = 1006, 60, 53
    street = make_street(seed)
    walker = street.people[int(np.random.default_rng(seed).integers(20))]
    assert "walking" in walker.actions[truth] and "walking" not in walker.actions[truth - 1]
    for frame in range(described - 2, described + 3):
        walker.actions[frame] = walker.actions[frame] | {"reading"}
    text = "exactly one person is reading. When does this person start walking?"
    question = ask(f"At frame {described}, {text}", 0)
    for name in ("eviseek", "single_model"):
        prediction = agent(name).answer(question, Episode(street, question).tools)
        assert isinstance(prediction.answer, FrameAnswer)
        assert abs(prediction.answer.frame_id - truth) <= 5


@pytest.mark.parametrize(
    "settings",
    [
        EviseekSettings(demands=False),
        EviseekSettings(intents=False, decisions_per_subtask=40),
        EviseekSettings(memory="recent"),
        EviseekSettings(memory="uniform"),
        EviseekSettings(coverage=True),
    ],
    ids=["no demands", "no intents", "no board", "no selection", "coverage"],
)
def test_every_variant_runs_to_an_answer(settings: EviseekSettings) -> None:
    seeds = with_truth()[:3]
    results = [run(agent("eviseek", settings), seed)[0] for seed in seeds]
    assert sum(results) >= 1


def test_blind_and_passive_do_not_invent_answers() -> None:
    for name, looks in (("blind", 0), ("passive", 1)):
        right, calls, episode = run(agent(name), with_truth()[0])
        assert not right and calls == 1 and len(episode.records) == looks


def test_questions_beyond_the_grammar_are_refused_calls() -> None:
    question = ask("How tall is the funniest of them?", 0)
    for name in ("eviseek", "single_model", "passive", "blind"):
        episode = Episode(make_street(1), question)
        with pytest.raises(ToolFailedError, match="not understood") as error:
            agent(name).answer(question, episode.tools)
        assert error.value.kind is FailureKind.MODEL_REFUSED

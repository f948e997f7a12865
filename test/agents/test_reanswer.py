"""Answering a finished run again: the same views, another memory."""

from pathlib import Path

import pytest
from scripts import reply
from simulated_street import Episode
from test_eviseek import FULL, QUESTION, STREET, run

from avr_ros.agents.eviseek.reanswer import ReanswerAgent, ReanswerSettings
from avr_ros.agents.eviseek.recorded import RecordedRunError, read_episodes
from avr_ros.agents.tools import ToolFailedError
from avr_ros.evaluation.attempt_files import attempt_blocks
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.episode import Ledger


def recorded(folder: Path) -> tuple[Path, ScriptedBackend, Episode]:
    """A run folder with the episode of the other tests, its question asked in attempt 2."""
    _, episode, model = run(FULL)
    steps = [step.model_copy(update={"episode_id": "q#2"}) for step in episode.steps]
    early = [step.model_copy(update={"episode_id": "q#1"}) for step in episode.steps[:3]]
    text = b"".join(attempt_blocks(items, Ledger(""))["steps.jsonl"] for items in (early, steps))
    (folder / "steps.jsonl").write_bytes(text)
    return folder, model, episode


def again(folder: Path, memory: str, answer: str) -> tuple[Episode, ScriptedBackend]:
    model = ScriptedBackend({"answer": [answer], "answer_from_history": [answer]})
    settings = ReanswerSettings.model_validate({"run": str(folder), "memory": memory})
    episode = Episode(STREET, QUESTION)
    prediction = ReanswerAgent(settings, model).answer(QUESTION, episode.tools)
    assert prediction.answer == FrameAnswer(frame_id=61)
    return episode, model


def test_the_board_is_replayed_call_for_call(tmp_path: Path) -> None:
    folder, first, before = recorded(tmp_path)
    episode, model = again(folder, "board", reply(frame_id=61))
    (asked,) = model.requests
    original = next(request for request in first.requests if request.stage == "answer")
    assert asked.inputs == original.inputs
    assert [image.name for image in asked.images] == [image.name for image in original.images]
    assert [(item.frame_id, item.crop) for item in episode.records.values()] == [
        (item.frame_id, item.crop) for item in before.records.values()
    ]
    details = episode.steps[-1].details
    assert [item["observation_id"] for item in details["board"]] == details["answer_views"]


def test_the_same_trajectory_is_answered_from_other_memories(tmp_path: Path) -> None:
    folder, _, _ = recorded(tmp_path)
    _, recent = again(folder, "recent", reply(frame_id=61))
    assert recent.requests[0].stage == "answer_from_history"
    assert len(recent.requests[0].images) == 5
    _, uniform = again(folder, "uniform", reply(frame_id=61))
    inputs = uniform.requests[0].inputs.model_dump()
    assert len(inputs["views"]) == 5 and len(inputs["demands"]) == 2


def test_runs_without_what_is_needed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordedRunError, match="cannot be read"):
        read_episodes(tmp_path)
    folder, _, episode = recorded(tmp_path)
    looks = [step for step in episode.steps if step.kind.value != "answer"]
    steps = [step.model_copy(update={"episode_id": "q#1"}) for step in looks]
    (folder / "steps.jsonl").write_bytes(attempt_blocks(steps, Ledger(""))["steps.jsonl"])
    with pytest.raises(ToolFailedError, match="no evidence boards"):
        again(folder, "board", reply(frame_id=61))
    _, model = again(folder, "recent", reply(frame_id=61))
    assert model.requests[0].inputs.model_dump()["history"]

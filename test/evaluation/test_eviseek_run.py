"""EviSeek in whole runs: what its files hold, a replay of them, and answering them again."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from painted_recording import PaintedRecording
from run_doubles import key, question, run_folder, specification
from test_local import OnePerson
from written_bag import WrittenBag

from avr_ros.agents.registry import agent_settings_type, make_agent
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.bag_reader import read_bag
from avr_ros.evaluation.build_report import build_report
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.journal import JOURNAL_NAME, read_journal
from avr_ros.evaluation.local import LocalWorld
from avr_ros.reasoning.backend import ModelBackend
from avr_ros.reasoning.backends.replay import ReplayBackend
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.report.evidence_state import evidence_state
from avr_ros.report.page import report_page
from avr_ros.report.page_rows import page_rows
from avr_ros.schema.question import FrameSpan
from avr_ros.schema.step import Step

SCRIPT = {
    "demands": ['{"demands": ["Where person 0 is walking", "When person 0 stops walking"]}'],
    "acquisition_plan": [
        '{"subtasks": [{"goal": "find the walker", "demand": 1},'
        ' {"goal": "watch the walker closely", "demand": 2}]}'
    ],
    "seek": [
        '{"action": "SWEEP", "count": 2, "keep": true, "note": "walks here"}',
        '{"action": "STOP", "keep": false}',
        '{"action": "SEEK", "frame_id": 12, "keep": false}',
        '{"action": "BLOCKED", "keep": true, "note": "has stopped"}',
    ],
    "curate": ['{"summary": "nothing new", "kept": []}'],
    "answer": [
        '{"frame_id": 12, "evidence_view": "view 4", "evidence_box": [0, 0, 1000, 1000]}',
        '{"frame_id": 13}',
    ],
}


def run(path: Path, agent: str, model: ModelBackend, settings: Mapping[str, Any]) -> Path:
    asked = question(0, "hall").model_copy(
        update={"legal_frames": (FrameSpan(first=10, last=19),), "max_observations": 5}
    )
    made = make_agent(agent, model, agent_settings_type(agent).model_validate(settings))
    world = LocalWorld(PaintedRecording(), made, OnePerson(), jpeg_quality=90)
    with run_folder(path) as folder:
        EvaluationDriver(
            [asked],
            {asked.question_id: key(asked, 12)},
            world,
            world,
            score,
            folder,
            DriverOptions(question_deadline=60.0, grace=5.0),
        ).run()
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_times(path: Path) -> list[dict[str, Any]]:
    samples = lines(path / "samples.jsonl")
    for sample in samples:
        cost = sample["cost"]
        sample["cost"] = {
            name: value for name, value in cost.items() if not name.endswith("seconds")
        }
    return samples


def test_the_run_holds_demands_plan_board_and_what_the_answerer_was_told(tmp_path: Path) -> None:
    path = run(tmp_path / "run", "eviseek", ScriptedBackend(SCRIPT), {})
    steps = lines(path / "steps.jsonl")
    state = steps[-1]["details"]
    assert state["demands"] == json.loads(SCRIPT["demands"][0])["demands"]
    assert [item["end"] for item in state["plan"]] == ["stop", "block"]
    granted = {
        record["observation_id"]
        for ledger in lines(path / "ledger.jsonl")
        for record in ledger["records"]
        if record["status"] == "OK"
    }
    assert [item["view"] for item in state["board"]] == ["view 1", "view 4"]
    assert {item["observation_id"] for item in state["board"]} <= granted
    (call,) = [
        line["details"]
        for line in lines(path / "calls.jsonl")
        if line["details"]["stage"] == "answer"
    ]
    assert set(call["inputs"]) == {"question", "contract", "demands", "views"}
    text = json.dumps(call["inputs"])
    for kept_apart in ("find the walker", "watch the walker", "SWEEP", "nothing new", "block"):
        assert kept_apart not in text
    assert call["image_names"] == ["view 1", "view 4"]
    (sample,) = lines(path / "samples.jsonl")
    cost = sample["cost"]
    assert (cost["observations"], cost["calls"]) == (4, 8)
    assert cost["images"] == sum(line["details"]["images"] for line in lines(path / "calls.jsonl"))


def test_bag_and_page_hold_the_same_demands_plan_and_board(tmp_path: Path) -> None:
    path = run(tmp_path / "run", "eviseek", ScriptedBackend(SCRIPT), {})
    steps = [Step.model_validate(line) for line in lines(path / "steps.jsonl")]
    bag = WrittenBag(tmp_path / "bag.mcap")
    for step in steps:
        bag.write_step(step)
    bag.finish()
    recorded = read_bag(tmp_path / "bag.mcap").steps["q000#1"]
    state = evidence_state(steps)
    assert state is not None and len(state.board) == 2
    assert evidence_state(recorded) == state
    (result,) = [entry.result() for entry in read_journal(path / JOURNAL_NAME)]
    # Also where a question is not among those that are shown with pictures and steps.
    (row,) = page_rows([result], {"q000": question(0)}, {}, {"q000": steps}, {}, None, [])
    assert row.evidence_state == state and not row.steps
    report = build_report(
        specification(), [result], {"q000": question(0)}, {}, "2024-01-01T00:00:00+00:00", 1.0
    )
    page = report_page(report, [row], specification())
    for item in state.board:
        assert escape(item.observation_id) in page and escape(item.note) in page
    for subtask in state.plan:
        assert escape(subtask.goal) in page
    assert all(escape(demand) in page for demand in state.demands)


def test_a_replay_gives_the_same_samples(tmp_path: Path) -> None:
    first = run(tmp_path / "first", "eviseek", ScriptedBackend(SCRIPT), {})
    again = run(tmp_path / "again", "eviseek", ReplayBackend(first), {})
    assert without_times(again) == without_times(first)
    assert (again / "ledger.jsonl").read_bytes() == (first / "ledger.jsonl").read_bytes()


def test_a_finished_run_is_answered_again_on_its_own_views(tmp_path: Path) -> None:
    first = run(tmp_path / "first", "eviseek", ScriptedBackend(SCRIPT), {})
    settings = {"run": str(first), "memory": "board"}
    again = run(tmp_path / "again", "reanswer", ReplayBackend(first), settings)
    assert (again / "ledger.jsonl").read_bytes() == (first / "ledger.jsonl").read_bytes()
    before, after = without_times(first)[0], without_times(again)[0]
    assert after["prediction"] == before["prediction"] and after["score"] == before["score"]
    assert (before["cost"]["calls"], after["cost"]["calls"]) == (8, 1)
    other = ScriptedBackend({"answer": ['{"frame_id": 15}']})
    uniform = run(tmp_path / "uniform", "reanswer", other, settings | {"memory": "uniform"})
    assert without_times(uniform)[0]["prediction"]["answer"] == {"mode": "frame", "frame_id": 15}
    assert len(other.requests[0].images) == 4

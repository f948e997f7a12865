"""EviSeek step by step with a scripted model: subtasks' ends, the board, what stages are told."""

import json
from typing import Any

import pytest
from scripts import curate, demands, plan, reply, seek
from simulated_street import Episode, make_street

from avr_ros.agents.eviseek.agent import EviseekAgent
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.tools import ToolFailedError
from avr_ros.reasoning.backends.scripted import Script, ScriptedBackend
from avr_ros.report.evidence_state import evidence_state
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.step import StepKind
from avr_ros.schema.vocabulary import AnswerMode

STREET = make_street(3)
QUESTION = Question(
    question_id="q",
    family=None,
    answer_mode=AnswerMode.FRAME,
    text="When does the only person who is walking stop walking?",
    legal_frames=(FrameSpan(first=20, last=139),),
    max_observations=12,
)
TWO = {
    "demands": [demands("Who is walking at first", "When that person stops walking")],
    "acquisition_plan": [plan(("see all around", 1), ("watch the person walking", 2))],
}
ANSWER = reply(frame_id=60, evidence_view="view 2", evidence_box=[0, 0, 1000, 1000])


def run(
    scripts: dict[str, Script],
    settings: EviseekSettings | None = None,
    question: Question = QUESTION,
) -> tuple[Prediction, Episode, ScriptedBackend]:
    episode = Episode(STREET, question)
    model = ScriptedBackend(scripts)
    prediction = EviseekAgent(settings or EviseekSettings(), model).answer(question, episode.tools)
    return prediction, episode, model


def told(model: ScriptedBackend, stage: str) -> list[dict[str, Any]]:
    return [
        request.inputs.model_dump(mode="json")
        for request in model.requests
        if request.stage == stage
    ]


def answer_details(episode: Episode) -> dict[str, Any]:
    last = episode.steps[-1]
    assert last.kind is StepKind.ANSWER
    return last.details


FULL: dict[str, Script] = {
    **TWO,
    "seek": [
        seek("SWEEP", keep=False, note="nobody here", count=3),
        seek("STOP", keep=True, note="somebody walks"),
        seek("SEEK", frame_id=60, note="still walking"),
        seek("BLOCKED", keep=True, note="stands now"),
    ],
    "curate": [curate("view 2", summary="walkers on the left")],
    "answer": [ANSWER],
}


def test_an_episode_by_hand() -> None:
    prediction, episode, _ = run(FULL)
    assert prediction.answer == FrameAnswer(frame_id=60)
    assert prediction.evidence is not None
    assert prediction.evidence.observation_id == list(episode.records)[1]
    assert prediction.evidence.azimuth_deg == pytest.approx(45.0)
    looked = [record.frame_id for record in episode.records.values()]
    assert looked == [20, 20, 20, 20, 60]
    details = answer_details(episode)
    assert [(item["status"], item["end"]) for item in details["plan"]] == [
        ("closed", "stop"),
        ("timed_out", "block"),
    ]
    board = details["board"]
    assert [(item["view"], item["demand"], item["subtask"]) for item in board] == [
        ("view 2", 1, 1),
        ("view 4", 1, 1),
        ("view 5", 2, 2),
    ]
    assert board[0]["intent"] == "SWEEP count=3" and board[2]["intent"] == "SEEK frame_id=60"
    assert all(item["observation_id"] in episode.records for item in board)
    assert details["answer_views"] == [item["observation_id"] for item in board]


def test_the_answerer_is_told_neither_plan_nor_history_nor_coverage() -> None:
    _, _, model = run(FULL)
    (inputs,) = told(model, "answer")
    assert set(inputs) == {"question", "contract", "demands", "views"}
    assert all(
        set(view) == {"name", "caption", "note", "outcome", "demand"} for view in inputs["views"]
    )
    text = json.dumps(inputs)
    for kept_apart in (
        "see all around",
        "watch the person walking",
        "SWEEP",
        "SEEK",
        "nobody here",
        "walkers on the left",
        "timed_out",
        "closed",
    ):
        assert kept_apart not in text


def test_the_logged_inputs_are_those() -> None:
    _, episode, model = run(FULL)
    logged = [
        step.details
        for step in episode.steps
        if step.kind is StepKind.MODEL_CALL and step.details["stage"] == "answer"
    ]
    assert [details["inputs"] for details in logged] == told(model, "answer")
    assert logged[0]["image_names"] == ["view 2", "view 4", "view 5"]


def test_working_memory_is_of_its_subtask_alone() -> None:
    _, _, model = run(FULL)
    first, second, third, fourth = told(model, "seek")
    assert first["memory"] == []
    assert any("nobody here" in line for line in second["memory"])
    assert "walkers on the left" in second["memory"]
    assert third["memory"] == []
    assert third["goal"] == "watch the person walking"
    assert [line.split(":")[0] for line in fourth["memory"]] == [
        "frame 20 at 0.00 s, azimuth 135.0 deg",
        "SEEK frame_id=60",
    ]
    assert third["views"][-1]["name"] == third["current"] == "view 4"
    assert "see all around" not in json.dumps(third)


def test_a_view_keeps_what_brought_it_whichever_subtask_retains_it() -> None:
    scripts: dict[str, Script] = {
        **TWO,
        "seek": [
            seek("SEEK", frame_id=60, keep=True),
            seek("STOP"),
            seek("FACE", bearing_deg=45, keep=True, note="still the person walking"),
            seek("STOP", keep=True),
        ],
        "answer": [reply(frame_id=60)],
    }
    _, episode, _ = run(scripts)
    assert [
        (item["view"], item["subtask"], item["demand"], item["intent"], item["outcome"])
        for item in answer_details(episode)["board"]
    ] == [
        ("view 1", 1, 1, "", ""),
        ("view 2", 2, 2, "SEEK frame_id=60", "1 of 1 actions done"),
        ("view 3", 2, 2, "FACE bearing_deg=45", "1 of 1 actions done"),
    ]


def test_a_view_before_gets_its_note_where_the_next_ones_tell_what_it_shows() -> None:
    scripts: dict[str, Script] = {
        **TWO,
        "seek": [seek("SWEEP", keep=True, count=2), seek("STOP"), seek("STOP")],
        "curate": [curate("view 1", "view 3")],
        "answer": [reply(frame_id=60)],
    }
    _, episode, model = run(scripts)
    board = answer_details(episode)["board"]
    assert [(item["view"], item["note"], item["intent"]) for item in board] == [
        ("view 1", "note of view 1", ""),
        ("view 3", "note of view 3", "SWEEP count=2"),
    ]
    # The current view comes last, with the note that it has on the board.
    last = told(model, "seek")[1]["views"]
    assert [(item["name"], item["note"]) for item in last][-1] == ("view 3", "note of view 3")
    assert [item["name"] for item in last] == ["view 1", "view 2", "view 3"]


def test_decisions_run_out() -> None:
    scripts: dict[str, Script] = {
        **TWO,
        "seek": lambda request: seek("FACE", bearing_deg=10.0 * request.inputs.remaining),
        "answer": [reply(frame_id=None, reason="nothing seen")],
    }
    prediction, episode, _ = run(scripts, EviseekSettings(decisions_per_subtask=3))
    assert prediction.abstained and prediction.reason == "nothing seen"
    assert [item["end"] for item in answer_details(episode)["plan"]] == ["timeout", "timeout"]
    assert len(episode.records) == 7


def test_the_budget_ends_an_episode_and_its_last_view_is_judged() -> None:
    scripts: dict[str, Script] = {
        **TWO,
        "seek": lambda request: (
            seek("FACE", bearing_deg=10.0 * request.inputs.remaining)
            if request.inputs.remaining
            else seek("STOP", keep=True, note="the last one")
        ),
        "answer": [reply(frame_id=50)],
    }
    _, episode, model = run(scripts, EviseekSettings(decisions_per_subtask=50))
    assert len(episode.records) == 12 and episode.remaining == 0
    details = answer_details(episode)
    assert [item["note"] for item in details["board"]] == ["the last one"]
    assert [(item["status"], item["end"]) for item in details["plan"]] == [
        ("timed_out", "budget"),
        ("not_reached", None),
    ]
    assert len(told(model, "seek")) == 12


def test_intents_that_cannot_be_are_told_and_block() -> None:
    scripts: dict[str, Script] = {
        "demands": [demands("Who is walking")],
        "acquisition_plan": [plan(("see", 1))],
        "seek": [seek("SEEK", frame_id=5), seek("FACE")],
        "answer": [reply(frame_id=None)],
    }
    _, episode, model = run(scripts)
    assert len(episode.records) == 1
    assert "frame 5 may not be observed" in told(model, "seek")[1]["memory"][0]
    assert answer_details(episode)["plan"][0]["end"] == "block"


WALKING, STOPS = "Who is walking at first", "When that person stops walking"
ASSUMED = "That they stop walking at frame 71"


@pytest.mark.parametrize(
    ("second", "stand"),
    [
        (demands(STOPS), [WALKING, STOPS]),
        (demands(WALKING, STOPS), [WALKING, STOPS]),
        (demands(ASSUMED), [WALKING]),
        (demands(*[f"{STOPS} {word}" for word in ("now", "then", "soon")]),
         [WALKING, f"{STOPS} now", f"{STOPS} then"]),
    ],
)  # fmt: skip
def test_demands_that_stand_are_kept_when_others_are_replaced(
    second: str, stand: list[str]
) -> None:
    scripts: dict[str, Script] = {
        "demands": [demands(WALKING, ASSUMED), second],
        "acquisition_plan": [plan(("look", 1))],
        "seek": [seek("STOP", keep=True)],
        "answer": [reply(frame_id=60)],
    }
    prediction, _, model = run(scripts, EviseekSettings(most_demands=3))
    assert prediction.failure is None
    assert told(model, "demands")[1]["accepted"] == [WALKING]
    assert told(model, "acquisition_plan")[0]["demands"] == stand


def test_refused_demands_are_asked_for_again_once() -> None:
    scripts = dict(FULL)
    scripts["demands"] = [
        demands("The person walking stops at frame 71", "Who is walking"),
        demands("Who is walking", "When the person stops walking"),
    ]
    _, _, model = run(scripts)
    second = told(model, "demands")[1]
    assert len(second["refused"]) == 1 and "the number 71" in second["refused"][0]
    scripts["demands"] = [demands("It ends at frame 71 of walking")] * 2
    with pytest.raises(ToolFailedError, match="no demand stands") as error:
        run(scripts)
    assert error.value.kind is FailureKind.MODEL_INVALID_REPLY


def test_without_demands_nothing_of_them_reaches_a_model() -> None:
    scripts = dict(FULL)
    scripts["decompose"] = [reply(goals=["see all around", "watch"])]
    _, episode, model = run(scripts, EviseekSettings(demands=False))
    assert not told(model, "demands") and not told(model, "acquisition_plan")
    assert all(inputs["demand"] == "" for inputs in told(model, "seek"))
    (inputs,) = told(model, "answer")
    assert inputs["demands"] == [] and all(view["demand"] is None for view in inputs["views"])
    assert all(item["demand"] is None for item in answer_details(episode)["board"])


def test_without_the_board_the_answer_is_from_text_and_recent_views() -> None:
    scripts = dict(FULL)
    scripts["answer_from_history"] = [reply(frame_id=60)]
    _, _, model = run(scripts, EviseekSettings(memory="recent"))
    (inputs,) = told(model, "answer_from_history")
    assert [view["name"] for view in inputs["views"]] == [f"view {n}" for n in range(1, 6)]
    assert len(inputs["history"]) == 2
    assert inputs["history"][0].startswith("Step 1: action=frame 20, azimuth 45.0 deg, ")
    assert "walkers on the left" in inputs["history"][0]


def test_without_selective_retention_frames_are_sampled_evenly() -> None:
    scripts = dict(FULL)
    scripts["answer"] = [reply(frame_id=60)]
    settings = EviseekSettings(memory="uniform", board_capacity=3)
    _, _, model = run(scripts, settings)
    (inputs,) = told(model, "answer")
    assert [view["name"] for view in inputs["views"]] == ["view 1", "view 3", "view 5"]
    assert all(view["note"] == "" for view in inputs["views"])


def test_without_intents_a_decision_is_one_view() -> None:
    scripts: dict[str, Script] = {
        **TWO,
        "seek": [
            seek("ATOMIC", bearing_deg=45),
            seek("STOP"),
            seek("ATOMIC", frame_id=40),
            seek("STOP"),
        ],
        "answer": [reply(frame_id=None)],
    }
    _, episode, model = run(scripts, EviseekSettings(intents=False))
    assert [intent["name"] for intent in told(model, "seek")[0]["intents"]] == ["ATOMIC"]
    assert len(episode.records) == 3


def test_coverage_ends_subtasks_and_calls_for_a_new_plan() -> None:
    open_ = {"covered": False, "missing": "the stop"}
    scripts: dict[str, Script] = {
        "demands": TWO["demands"],
        "acquisition_plan": [plan(("see all around", 1)), plan(("watch on", 2))],
        "seek": [
            seek("FACE", keep=True, bearing_deg=45),
            seek("SEEK", frame_id=60, keep=True),
            seek("STOP", keep=True),
        ],
        "coverage": [
            reply(demands=[{"covered": True}, open_]),
            reply(demands=[{"covered": True}, {"covered": True}]),
        ],
        "answer": [reply(frame_id=60)],
    }
    _, episode, model = run(scripts, EviseekSettings(coverage=True))
    plans = told(model, "acquisition_plan")
    assert plans[0]["missing"] == [] and plans[1]["missing"] == ["demand 2: the stop"]
    subtasks = answer_details(episode)["plan"]
    assert [(item["revision"], item["end"]) for item in subtasks] == [
        (0, "covered"),
        (1, "covered"),
    ]
    assert "covered" not in json.dumps(told(model, "answer"))
    assert "covered" not in json.dumps(told(model, "seek"))


def test_coverage_is_asked_again_where_a_kept_view_gets_another_note() -> None:
    open_, covered = {"covered": False, "missing": "who it is"}, {"covered": True}
    scripts: dict[str, Script] = {
        "demands": [demands("Who is walking at first")],
        "acquisition_plan": [plan(("see all around", 1))],
        "seek": [
            seek("SWEEP", keep=True, note="somebody", count=2),
            seek("SWEEP", keep=False, count=2),
            seek("SWEEP", keep=False, count=2),
        ],
        "curate": [curate(), curate(), curate("view 1")],
        # The second intent changes nothing of the board, the third the note of its one view.
        "coverage": [reply(demands=[open_]), reply(demands=[covered])],
        "answer": [reply(frame_id=60)],
    }
    _, episode, model = run(scripts, EviseekSettings(coverage=True, board_views=8))
    asked = told(model, "coverage")
    assert [[view["note"] for view in inputs["views"]] for inputs in asked] == [
        ["somebody"],
        ["note of view 1"],
    ]
    assert [item["end"] for item in answer_details(episode)["plan"]] == ["covered"]


@pytest.mark.parametrize(
    ("lost", "demands_", "subtasks", "board"),
    [("demands", 0, 0, 0), ("acquisition_plan", 2, 0, 0), ("seek", 2, 2, 1), ("answer", 2, 2, 3)],
)
def test_what_an_episode_had_come_to_is_kept_where_it_fails(
    lost: str, demands_: int, subtasks: int, board: int
) -> None:
    scripts = dict(FULL)
    scripts[lost] = list(FULL[lost])[:1] if lost == "seek" else []  # type: ignore[arg-type]
    episode = Episode(STREET, QUESTION)
    with pytest.raises(ToolFailedError) as error:
        EviseekAgent(EviseekSettings(), ScriptedBackend(scripts)).answer(QUESTION, episode.tools)
    assert error.value.kind is FailureKind.MODEL_UNAVAILABLE
    details = answer_details(episode)
    assert "answer_views" not in details and "prediction" not in details
    found = [len(details[name]) for name in ("demands", "plan", "board")]
    assert found == [demands_, subtasks, board]
    assert all(item["observation_id"] in episode.records for item in details["board"])
    state = evidence_state(episode.steps)
    assert state is not None and len(state.board) == board


def test_a_refused_first_view_is_an_abstention() -> None:
    penniless = QUESTION.model_copy(update={"max_tool_calls": 1})
    prediction, episode, _ = run(FULL, question=penniless)
    assert prediction.abstained and not episode.records
    question = QUESTION.model_copy(update={"legal_frames": (FrameSpan(first=900, last=901),)})
    prediction, _, _ = run(FULL, question=question)
    assert prediction.abstained

"""Judging a finished run: pictures, lenient replies, what fails, and going on."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from painted_recording import PaintedRecording
from rich.console import Console
from run_doubles import Host, ScriptedAsker, questions_and_keys, specification
from written_runs import sequence_identities

from avr_ros.benchmark.question_files import (
    questions_header,
    read_keys,
    read_questions,
    write_question_files,
)
from avr_ros.benchmark.scoring.score import score
from avr_ros.cli.main import main
from avr_ros.evaluation.driver import EvaluationDriver
from avr_ros.evaluation.errors import JudgeSilentError
from avr_ros.evaluation.judge_pictures import judge_picture
from avr_ros.evaluation.judge_run import (
    SUPPORT_NAME,
    Judged,
    SupportLine,
    judge_run,
    read_support,
    support_judging,
)
from avr_ros.evaluation.run_folder import RunFolder
from avr_ros.evaluation.stored_run import load_run
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.reasoning.call import CallOutcome
from avr_ros.recordings import jpeg
from avr_ros.report.answer_text import answer_text
from avr_ros.report.support_table import support_table
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.step import Step, StepKind

Views = Callable[[Host, str, int], list[str]]


def test_pictures_are_fitted_and_numbered_and_never_enlarged() -> None:
    wide = jpeg.decode(judge_picture(np.full((480, 3760, 3), 128, np.uint8), 12))
    assert wide.shape == (174, 1365, 3)
    small = np.full((480, 480, 3), 128, np.uint8)
    shown = jpeg.decode(judge_picture(small, 1))
    assert shown.shape == small.shape
    assert shown[:28, :28].min() < 20 and shown[:28, :28].max() > 200
    assert abs(int(shown[300, 300, 0]) - 128) < 3
    assert cv2.absdiff(shown, jpeg.decode(judge_picture(small, 2))).max() > 50


def two_views(host: Host, episode_id: str, frame: int) -> list[str]:
    """Three views, of which the answering call is shown the last and the first."""
    names = [host.grant(episode_id, frame + place) for place in range(3)]
    return [names[2], names[0], names[2]]


def finished(folder: Path, views: Views = two_views) -> tuple[Path, Path]:
    """A run of four questions: right, wrong, abstained, failed; its keys."""
    questions, keys = questions_and_keys(4)
    header = questions_header(sequence_identities(), 1, "a test", 4)
    questions_path, keys_path = write_question_files(folder, header, questions, keys.values())
    question_set = read_questions(questions_path)
    host = Host()

    def script(asked, episode_id, on_step, cancel):  # type: ignore[no-untyped-def]
        number = int(asked.question_id[1:])
        if number == 3:
            return Prediction(failure=FailureKind.MODEL_TIMEOUT, reason="slow")
        names = views(host, episode_id, 10 + number)
        on_step(
            Step(
                episode_id=episode_id,
                number=1,
                kind=StepKind.ANSWER,
                summary="",
                details={"answer_views": names} if names else {},
            )
        )
        if number == 2:
            return Prediction(abstained=True, reason="not seen")
        return Prediction(answer=FrameAnswer(frame_id=0 if number == 0 else 77777))

    stored_keys = read_keys(keys_path, question_set)
    hashes = {"questions": question_set.sha256, "keys": stored_keys.sha256}
    run = RunFolder(folder / "run", specification(hashes=hashes), questions_path.read_bytes())
    with run:
        driver = EvaluationDriver(
            question_set.questions, stored_keys, host, ScriptedAsker(script), score, run
        )
        driver.run()
    return folder / "run", keys_path


def judged(run: Path, keys: Path, judge: ScriptedBackend) -> Judged:
    stored = load_run(run)
    return judge_run(
        stored,
        read_keys(keys, stored.question_set),
        PaintedRecording(),
        judge,
        None,
        answer_text,
    )


def test_grades_are_asked_for_with_what_answered_and_without_what_was_predicted(
    tmp_path: Path,
) -> None:
    run, keys = finished(tmp_path)
    judge = ScriptedBackend({"judge_support": ['{"grade": "1"}', '{"grade": "0.5"}'] * 2})
    found = judged(run, keys, judge)
    support = found.support
    # δ: 1 right, ½ wrong, 1 abstained, 0 failed.
    assert (support.supported_right, support.supported_wrong) == (25.0, 37.5)
    assert (support.unsupported_right, support.unsupported_wrong) == (0.0, 37.5)
    assert support.judge_failures == 0 and found.images_per_answer == 1.5
    first = judge.requests[0]
    assert [image.name for image in first.images] == ["1", "2"]
    inputs = first.inputs.model_dump()
    assert [view["caption"].split(" at ")[0] for view in inputs["views"]] == [
        "frame 12",
        "frame 10",
    ]
    assert inputs["reference_answer"] == "frame 0" and len(judge.requests) == 3
    assert "77777" not in json.dumps(judge.requests[1].inputs.model_dump(mode="json"))
    # The painted recording says in red which frame a picture is of.
    assert abs(int(jpeg.decode(first.images[0].jpeg)[240, 240, 2]) - 12 * 5) < 6


def test_replies_are_read_leniently_and_failures_counted(tmp_path: Path) -> None:
    run, keys = finished(tmp_path)
    judge = ScriptedBackend(
        {"judge_support": ["**Grade: 1**, all is seen", "I cannot say", '{"grade": 0.5}']}
    )
    found = judged(run, keys, judge)
    assert found.support.supported_right == 25.0
    assert found.support.judge_failures == 1
    assert [line.grade for line in read_support(run / SUPPORT_NAME)] == [1.0, None, 0.5, 0.0]


def test_a_judgement_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    run, keys = finished(tmp_path)
    whole = judged(run, keys, ScriptedBackend({"judge_support": ['{"grade": "1"}'] * 3}))
    path = run / SUPPORT_NAME
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    judge = ScriptedBackend({"judge_support": ['{"grade": "1"}']})
    assert judged(run, keys, judge) == whole
    assert [request.scope for request in judge.requests] == ["q002"]
    path.write_text("nonsense\n")
    with pytest.raises(BadInputError, match="1: no grade"):
        judged(run, keys, judge)


def test_a_judge_out_of_reach_is_asked_again_and_one_that_gave_no_grade_is_not(
    tmp_path: Path,
) -> None:
    run, keys = finished(tmp_path)
    away = ScriptedBackend({"judge_support": ["I cannot say", '{"grade": "1"}']})
    assert judged(run, keys, away).support.judge_failures == 2
    back = ScriptedBackend({"judge_support": ['{"grade": "0.5"}']})
    assert judged(run, keys, back).support.judge_failures == 1
    assert [request.scope for request in back.requests] == ["q002"]
    silent = ScriptedBackend({})
    assert judged(run, keys, silent).support.judge_failures == 1
    assert silent.requests == []


def test_a_judge_that_stays_out_of_reach_ends_the_judgement(tmp_path: Path) -> None:
    asked: list[str] = []

    def line(name: str, outcome: CallOutcome) -> SupportLine:
        asked.append(name)
        grade = 1.0 if outcome is CallOutcome.OK else None
        return SupportLine(
            judge="j", question_id=name, attempt=1, grade=grade, images=1, outcome=outcome
        )

    def wanted(*outcomes: CallOutcome) -> list[tuple[str, int, Callable[[], SupportLine]]]:
        names = [f"q{number}" for number in range(len(outcomes))]
        return [
            (name, 1, partial(line, name, outcome))
            for name, outcome in zip(names, outcomes, strict=True)
        ]

    away, good = CallOutcome.UNAVAILABLE, CallOutcome.OK
    judging = support_judging(tmp_path / SUPPORT_NAME)
    with pytest.raises(JudgeSilentError, match="5 times in a row"):
        judging.lines("j", wanted(away, away, good, *[away] * 7))
    assert asked == [f"q{number}" for number in range(8)]
    asked.clear()
    assert len(judging.lines("j", wanted(*[good] * 10))) == 10
    assert asked == [f"q{number}" for number in range(10) if number != 2]


@pytest.mark.parametrize("what", ["support", "match"])
def test_a_silent_judge_fails_the_command(
    tmp_path: Path,
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run, keys = finished(tmp_path)
    mute = {"judge_support": ["I cannot say"] * 3, "judge_match": ["I cannot say"] * 2}
    monkeypatch.setattr(
        "avr_ros.reasoning.make_backend.make_backend", lambda name: ScriptedBackend(mute)
    )
    monkeypatch.setattr(
        "avr_ros.recordings.open_recording.open_recording", lambda path: PaintedRecording()
    )
    command = [
        "judge",
        str(run),
        "--keys",
        str(keys),
        "--what",
        what,
        "--model",
        "openai:http://localhost:1/v1#mute",
    ]
    assert main(command) == 1
    told = capsys.readouterr()
    asked = 3 if what == "support" else 2
    assert f"graded none of the {asked} answers it was asked about" in told.err
    assert told.err.count("\n") == 1
    # What it said is kept, and its silence is told from an absence.
    name = SUPPORT_NAME if what == "support" else "match.jsonl"
    outcomes = [json.loads(line)["outcome"] for line in (run / name).read_text().splitlines()]
    assert outcomes.count("invalid_reply") == asked
    assert main(command) == 1
    assert len((run / name).read_text().splitlines()) == len(outcomes)


def test_agents_that_name_no_views_are_judged_by_their_last_call(tmp_path: Path) -> None:
    def views(host: Host, episode_id: str, frame: int) -> list[str]:
        host.grant(episode_id, frame)
        return []

    run, keys = finished(tmp_path, views)
    calls = [
        Step(
            episode_id=f"q00{number}#1",
            number=place,
            kind=StepKind.MODEL_CALL,
            summary="",
            details={"image_sources": sources},
        )
        for number in range(3)
        for place, sources in ((5, []), (9, [f"q00{number}#1/1"]), (7, []))
    ]
    text = "".join(call.model_dump_json() + "\n" for call in calls)
    (run / "calls.jsonl").write_text(text)
    found = judged(run, keys, ScriptedBackend({"judge_support": ['{"grade": "1"}'] * 3}))
    assert found.images_per_answer == 0.75


def test_runs_that_do_not_say_what_answered_are_refused(tmp_path: Path) -> None:
    run, keys = finished(tmp_path / "a", lambda host, episode, frame: [])
    with pytest.raises(BadInputError, match="does not say which views"):
        judged(run, keys, ScriptedBackend({}))
    run, keys = finished(tmp_path / "b", lambda host, episode, frame: [f"{episode}/9"])
    with pytest.raises(BadInputError, match="was not granted"):
        judged(run, keys, ScriptedBackend({}))


@pytest.mark.parametrize("oracle", [False, True])
@pytest.mark.parametrize("stand_in", [False, True])
def test_the_table_says_who_judged_with_which_eyes(
    tmp_path: Path, oracle: bool, stand_in: bool
) -> None:
    run, keys = finished(tmp_path)
    found = judged(run, keys, ScriptedBackend({"judge_support": ['{"grade": "1"}'] * 3}))
    assert not found.stand_in_judge
    said = found.model_copy(update={"stand_in_judge": stand_in, "oracle_perception": oracle})
    console = Console(width=200)
    with console.capture() as capture:
        console.print(support_table(said))
    assert ("Stand-in judge" in capture.get()) is stand_in
    assert ("Oracle" in capture.get()) is oracle

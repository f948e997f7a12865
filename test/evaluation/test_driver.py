"""A run's questions: order, deadline, cancelling, failing, going on."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from run_doubles import (
    Host,
    Script,
    ScriptedAsker,
    questions_and_keys,
    right,
    run_folder,
)

from avr_ros.agents.tools import StepSink, ToolFailedError
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.evaluation.driver import DriverOptions, EvaluationDriver
from avr_ros.evaluation.errors import RunInterruptedError, RunStoppedError
from avr_ros.evaluation.listener import Progress, RunListener
from avr_ros.evaluation.times import without_times
from avr_ros.schema.episode import EpisodeSpecification, OpenResponse, OpenStatus
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step, StepKind


def run(
    path: Path,
    script: Callable[[Host], Script] = right,
    count: int = 6,
    host: Host | None = None,
    listeners: tuple[RunListener, ...] = (),
    **options: float,
) -> ScriptedAsker:
    """Run questions in a folder and return the asker."""
    host = host or Host()
    asker = ScriptedAsker(script(host))
    questions, keys = questions_and_keys(count)
    with run_folder(path) as folder:
        driver = EvaluationDriver(
            questions,
            keys,
            host,
            asker,
            score,
            folder,
            DriverOptions(**options),  # type: ignore[arg-type]
            listeners,
        )
        driver.run()
    return asker


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def timeless(path: Path) -> list[object]:
    return [without_times(line) for line in lines(path)]


def test_right_answers_score_and_costs_come_from_the_ledger(tmp_path: Path) -> None:
    run(tmp_path / "run")
    samples = lines(tmp_path / "run/samples.jsonl")
    assert [sample["question_id"] for sample in samples] == [f"q{n:03d}" for n in range(6)]
    for sample in samples:
        assert sample["score"]["combined"] is True
        assert sample["cost"]["observations"] == 1
        assert sample["cost"]["seconds"] < 1e5
        assert sample["attempt"] == 1


def test_results_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    run(tmp_path / "one", workers=1, count=20)
    run(tmp_path / "four", workers=4, count=20)
    for name in ("samples", "steps", "calls", "ledger"):
        assert timeless(tmp_path / f"one/{name}.jsonl") == timeless(tmp_path / f"four/{name}.jsonl")
        assert len(lines(tmp_path / f"one/{name}.jsonl")) == (40 if name == "steps" else 20)


def test_a_finished_run_asks_nothing_again(tmp_path: Path) -> None:
    run(tmp_path / "run")
    before = (tmp_path / "run/samples.jsonl").read_bytes()
    assert run(tmp_path / "run").asked == []
    assert (tmp_path / "run/samples.jsonl").read_bytes() == before


def test_model_failures_are_retried_and_wrong_answers_are_not(tmp_path: Path) -> None:
    def first(host: Host) -> Script:
        good = right(host)

        def script(
            question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
        ) -> Prediction:
            if question.question_id == "q001":
                raise ToolFailedError(FailureKind.MODEL_UNAVAILABLE, "server is down")
            if question.question_id == "q002":
                return Prediction(abstained=True, reason="unsure")
            if question.question_id == "q003":
                return Prediction(failure=FailureKind.PARSE_FAILURE, reason="not JSON")
            if question.question_id == "q004":
                raise ZeroDivisionError("a bug of the agent")
            return good(question, episode_id, on_step, cancel)

        return script

    run(tmp_path / "run", first)
    samples = {line["question_id"]: line for line in lines(tmp_path / "run/samples.jsonl")}
    assert samples["q001"]["prediction"]["failure"] == "model_unavailable"
    assert samples["q004"]["prediction"]["failure"] == "agent_error"
    assert "ZeroDivisionError" in samples["q004"]["prediction"]["reason"]
    again = run(tmp_path / "run")
    assert again.asked == ["q001", "q004"]
    samples = {line["question_id"]: line for line in lines(tmp_path / "run/samples.jsonl")}
    assert samples["q001"]["score"]["combined"] is True
    assert samples["q001"]["attempt"] == 2
    assert samples["q002"]["prediction"]["abstained"] is True
    assert len(lines(tmp_path / "run/journal.jsonl")) == 8


@pytest.mark.parametrize(("count", "most"), [(9, 5), (3, 3)])
def test_a_model_out_of_reach_stops_the_run_which_goes_on_later(
    tmp_path: Path, count: int, most: int
) -> None:
    def away(host: Host) -> Script:
        def script(
            question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
        ) -> Prediction:
            raise ToolFailedError(FailureKind.MODEL_UNAVAILABLE, "connection refused")

        return script

    with pytest.raises(RunStoppedError, match=f"{most} times in a row .connection refused"):
        run(tmp_path / "run", away, count=count)
    assert len(lines(tmp_path / "run/samples.jsonl")) == most
    again = run(tmp_path / "run", count=count)
    assert again.asked == [f"q{number:03d}" for number in range(count)]
    samples = lines(tmp_path / "run/samples.jsonl")
    assert all(sample["score"]["combined"] for sample in samples)


def test_a_model_that_answers_now_and_then_does_not_stop_the_run(tmp_path: Path) -> None:
    def often_away(host: Host) -> Script:
        good = right(host)

        def script(
            question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
        ) -> Prediction:
            if question.question_id not in ("q002", "q007"):
                raise ToolFailedError(FailureKind.MODEL_UNAVAILABLE, "connection refused")
            return good(question, episode_id, on_step, cancel)

        return script

    run(tmp_path / "run", often_away, count=10)
    assert len(lines(tmp_path / "run/samples.jsonl")) == 10


def test_deadline_is_hard_and_late_replies_go_nowhere(tmp_path: Path) -> None:
    release = threading.Event()
    late = threading.Event()

    def script(host: Host) -> Script:
        def hang(
            question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
        ) -> Prediction:
            on_step(Step(episode_id=episode_id, number=1, kind=StepKind.PLAN, summary="in time"))
            release.wait()
            on_step(Step(episode_id=episode_id, number=2, kind=StepKind.PLAN, summary="late"))
            late.set()
            return right(host)(question, episode_id, on_step, cancel)

        return hang

    run(tmp_path / "run", script, count=1, question_deadline=0.05, grace=0.05)
    release.set()
    assert late.wait(10)
    (sample,) = lines(tmp_path / "run/samples.jsonl")
    assert sample["prediction"]["failure"] == "deadline"
    assert sample["cost"]["steps"] == 1
    (step,) = lines(tmp_path / "run/steps.jsonl")
    assert step["summary"] == "in time"


class CancelAfter(RunListener):
    """Cancels a driver once it has some results."""

    def __init__(self, results: int) -> None:
        self.results = results
        self.driver: EvaluationDriver | None = None

    def on_result(self, result: SampleResult, progress: Progress) -> None:
        if progress.done == self.results:
            assert self.driver is not None
            self.driver.cancel()


@pytest.mark.parametrize("same_host", [False, True])
def test_cancelled_run_goes_on_where_it_was(tmp_path: Path, same_host: bool) -> None:
    run(tmp_path / "whole")
    host = Host()
    asker = ScriptedAsker(right(host))
    listener = CancelAfter(3)
    questions, keys = questions_and_keys(6)
    with run_folder(tmp_path / "run") as folder:
        listener.driver = EvaluationDriver(
            questions, keys, host, asker, score, folder, listeners=(listener,)
        )
        with pytest.raises(RunInterruptedError, match="3 of 6"):
            listener.driver.run()
    assert len(lines(tmp_path / "run/samples.jsonl")) == 3
    again = run(tmp_path / "run", host=host if same_host else None)
    assert again.asked == ["q003", "q004", "q005"]
    for name in ("samples", "steps", "calls", "ledger"):
        assert timeless(tmp_path / f"run/{name}.jsonl") == timeless(
            tmp_path / f"whole/{name}.jsonl"
        )


def test_cancelling_reaches_a_question_that_is_being_asked(tmp_path: Path) -> None:
    asking = threading.Event()
    kinds: list[FailureKind | None] = []

    def hang(
        question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
    ) -> Prediction:
        asking.set()
        cancel.wait(30)
        kinds.append(cancel.kind)
        return Prediction(failure=FailureKind.CANCELLED)

    questions, keys = questions_and_keys(3)
    host = Host()
    with run_folder(tmp_path / "run") as folder:
        driver = EvaluationDriver(questions, keys, host, ScriptedAsker(hang), score, folder)
        canceller = threading.Thread(target=lambda: (asking.wait(30), driver.cancel()))
        canceller.start()
        with pytest.raises(RunInterruptedError):
            driver.run()
        canceller.join()
    assert kinds == [FailureKind.CANCELLED]
    assert lines(tmp_path / "run/journal.jsonl") == []
    assert host.open == {}


def test_an_episode_id_that_the_host_knows_is_passed_over(tmp_path: Path) -> None:
    host = Host()
    host.open_episode(EpisodeSpecification("q000#1"))
    host.close_episode("q000#1")
    run(tmp_path / "run", host=host, count=1)
    (sample,) = lines(tmp_path / "run/samples.jsonl")
    assert sample["attempt"] == 2
    assert sample["prediction"]["evidence"]["observation_id"] == "q000#2/1"


def test_a_refused_episode_fails_its_question_only(tmp_path: Path) -> None:
    def refuse(specification: EpisodeSpecification) -> OpenResponse | None:
        if specification.episode_id.startswith("q001"):
            return OpenResponse(OpenStatus.INVALID_LEGAL_FRAMES, "frame 99 is missing")
        return None

    run(tmp_path / "run", host=Host(refuse=refuse), count=3)
    samples = lines(tmp_path / "run/samples.jsonl")
    assert samples[1]["prediction"]["failure"] == "observation_failed"
    assert "frame 99 is missing" in samples[1]["prediction"]["reason"]
    assert samples[2]["score"]["combined"] is True


def test_a_lost_process_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    def script(host: Host) -> Script:
        good = right(host)

        def gone(
            question: Question, episode_id: str, on_step: StepSink, cancel: Cancellation
        ) -> Prediction:
            if question.question_id == "q002":
                raise RunStoppedError("the agent node is gone")
            return good(question, episode_id, on_step, cancel)

        return gone

    with pytest.raises(RunStoppedError, match="agent node"):
        run(tmp_path / "run", script)
    assert len(lines(tmp_path / "run/samples.jsonl")) == 2
    assert run(tmp_path / "run").asked == ["q002", "q003", "q004", "q005"]


def test_a_failing_listener_stops_the_run(tmp_path: Path) -> None:
    class Fails(RunListener):
        def on_step(self, question: Question, step: Step) -> None:
            raise RuntimeError("cannot publish")

    with pytest.raises(RuntimeError, match="cannot publish"):
        run(tmp_path / "run", listeners=(Fails(),))


def test_questions_without_keys_are_refused(tmp_path: Path) -> None:
    questions, keys = questions_and_keys(3)
    del keys["q001"]
    with run_folder(tmp_path / "run") as folder, pytest.raises(BadInputError, match="q001"):
        EvaluationDriver(questions, keys, Host(), ScriptedAsker(right(Host())), score, folder)

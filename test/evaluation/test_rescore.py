"""Bags and run folders scored again."""

from pathlib import Path

import pytest
from run_doubles import Host, ScriptedAsker, questions_and_keys, right, specification
from written_bag import WrittenBag
from written_runs import sequence_identities

from avr_ros.benchmark.question_files import (
    questions_header,
    read_keys,
    read_questions,
    write_question_files,
)
from avr_ros.benchmark.scoring.score import score
from avr_ros.evaluation.bag_reader import is_evaluation_bag, read_bag
from avr_ros.evaluation.build_report import build_report
from avr_ros.evaluation.driver import EvaluationDriver
from avr_ros.evaluation.rescore import rescore_bag, rescore_run
from avr_ros.evaluation.run_folder import RunFolder, episode_id_of
from avr_ros.evaluation.stored_run import StoredRun, load_run
from avr_ros.schema.answer import FrameAnswer
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError

COUNT = 6


def write_files(folder: Path, shift: int = 0) -> tuple[Path, Path]:
    """Questions and keys; the right frames are ``shift`` frames later than the asker says."""
    questions, keys = questions_and_keys(COUNT)
    moved: list[AnswerKey] = [
        key.model_copy(update={"answer": FrameAnswer(frame_id=10 * number + shift)})
        for number, key in enumerate(keys.values())
    ]
    header = questions_header(sequence_identities(), 1, "a test", COUNT)
    return write_question_files(folder, header, questions, moved)


@pytest.fixture
def run(tmp_path: Path) -> StoredRun:
    questions_path, keys_path = write_files(tmp_path / "files")
    question_set = read_questions(questions_path)
    keys = read_keys(keys_path, question_set)
    host = Host()
    frozen = specification(hashes={"questions": question_set.sha256, "keys": keys.sha256})
    with RunFolder(tmp_path / "run", frozen, questions_path.read_bytes()) as folder:
        EvaluationDriver(
            question_set.questions, keys, host, ScriptedAsker(right(host)), score, folder
        ).run()
    return load_run(tmp_path / "run")


def record(run: StoredRun, path: Path, start: int = 0, stop: int = COUNT) -> WrittenBag:
    """Write what a recorder hears of some of a run's questions."""
    path.parent.mkdir(exist_ok=True)
    bag = WrittenBag(path)
    for question in run.questions:
        bag.write_question(question)
    results = run.results
    ledgers, steps = run.ledgers(results), run.steps(results)
    for result in results[start:stop]:
        for entry in ledgers[result.question_id].records:
            bag.write_record(entry)
        for step in steps[result.question_id]:
            bag.write_step(step)
        bag.write_result(result)
    return bag


def test_a_run_folder_scores_the_same_again(run: StoredRun, tmp_path: Path) -> None:
    rescored = rescore_run(run, tmp_path / "files/keys.jsonl")
    assert list(rescored.results) == run.results
    assert rescored.changed == ()
    assert rescored.summary.overall.combined == 100.0


def test_other_keys_are_refused(run: StoredRun, tmp_path: Path) -> None:
    _, keys = write_files(tmp_path / "other")
    lines = keys.read_text().splitlines(keepends=True)
    header = lines[0].replace(run.question_set.sha256, "f" * 64)
    keys.write_text(header + "".join(lines[1:]))
    with pytest.raises(BadInputError, match="SHA-256"):
        rescore_run(run, keys)


def test_a_bag_holds_what_the_run_folder_holds(run: StoredRun, tmp_path: Path) -> None:
    bag = record(run, tmp_path / "bag/bag_0.mcap")
    report = build_report(
        run.specification,
        run.results,
        {item.question_id: item for item in run.questions},
        {},
        "2024",
        1.0,
    )
    bag.write_report(report)
    bag.finish()
    assert is_evaluation_bag(tmp_path / "bag")
    read = read_bag(tmp_path / "bag")
    assert [read.results[item.question_id] for item in run.results] == run.results
    assert list(read.questions.values()) == list(run.questions)
    assert read.report == report
    assert read.missing_records == 0
    assert read.damaged == ()
    for result in run.results:
        assert read.ledger_of(result) == run.ledgers(run.results)[result.question_id]
        episode_id = episode_id_of(result.question_id, 1)
        assert len(read.steps[episode_id]) == 2
    rescored = rescore_bag(read, tmp_path / "files/keys.jsonl")
    assert list(rescored.results) == run.results
    assert rescored.changed == ()


def test_a_bag_with_other_keys_is_refused_where_its_report_names_them(
    run: StoredRun, tmp_path: Path
) -> None:
    bag = record(run, tmp_path / "bag/bag_0.mcap")
    bag.write_report(
        build_report(
            run.specification,
            run.results,
            {item.question_id: item for item in run.questions},
            {},
            "2024",
            1.0,
        ).model_copy(update={"hashes": {"questions": "e" * 64}})
    )
    bag.finish()
    with pytest.raises(BadInputError, match="eeeee"):
        rescore_bag(read_bag(tmp_path / "bag"), tmp_path / "files/keys.jsonl")


def test_a_changed_key_changes_the_scores(run: StoredRun, tmp_path: Path) -> None:
    record(run, tmp_path / "bag/bag_0.mcap").finish()
    _, keys = write_files(tmp_path / "shifted", shift=6)
    rescored = rescore_bag(read_bag(tmp_path / "bag"), keys)
    assert rescored.summary.overall.answer == 0.0
    assert rescored.summary.overall.evidence == 100.0
    assert len(rescored.changed) == COUNT


def test_a_killed_recorder_and_its_successor_make_one_bag(run: StoredRun, tmp_path: Path) -> None:
    first = record(run, tmp_path / "bag/bag_0.mcap", 0, 3)
    cut = run.ledgers(run.results)["q003"].records[0]
    # The killed start had gone further with a question that the next start did again.
    for number in (1, 2, 3):
        first.write_record(type(cut)(**{**cut.__dict__, "sequence_number": number, "frame_id": 77}))
    first.kill()
    record(run, tmp_path / "bag/bag_1.mcap", 3, 6).finish()
    read = read_bag(tmp_path / "bag")
    assert read.damaged == ("bag_0.mcap",)
    assert read.missing_records == 0
    assert [read.results[item.question_id] for item in run.results] == run.results
    assert rescore_bag(read, tmp_path / "files/keys.jsonl").changed == ()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_a_bag_cut_anywhere_gives_its_whole_messages(
    run: StoredRun, tmp_path: Path, share: float
) -> None:
    path = tmp_path / "bag/bag_0.mcap"
    record(run, path).finish()
    whole = read_bag(path)
    content = path.read_bytes()
    path.write_bytes(content[: round(len(content) * share)])
    read = read_bag(path)
    assert read.damaged == ("bag_0.mcap",)
    for name, result in read.results.items():
        assert result == whole.results[name]


def test_lost_ledger_records_are_counted_and_no_score_is_made_of_them(
    run: StoredRun, tmp_path: Path
) -> None:
    bag = record(run, tmp_path / "bag.mcap")
    ledger: Ledger = run.ledgers(run.results)["q000"]
    last = ledger.records[-1]
    bag.write_record(type(last)(**{**last.__dict__, "sequence_number": 9}))
    bag.finish()
    read = read_bag(tmp_path / "bag.mcap")
    assert read.missing_records == 7
    with pytest.raises(BadInputError, match="7 ledger records"):
        rescore_bag(read, tmp_path / "files/keys.jsonl")


def test_what_is_no_bag_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInputError, match=r"no \.mcap file"):
        read_bag(tmp_path / "empty")
    (tmp_path / "text.mcap").write_text("this is no bag")
    with pytest.raises(BadInputError, match="not an MCAP file"):
        read_bag(tmp_path / "text.mcap")
    assert not is_evaluation_bag(tmp_path / "text.mcap")
    assert not is_evaluation_bag(tmp_path / "empty")

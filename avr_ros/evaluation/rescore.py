"""Scores stored predictions again, from a run folder or a bag, with the keys at hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from avr_ros.benchmark.json_lines import malformed, parse_line, read_content, split_lines
from avr_ros.benchmark.question_files import KeysHeader, read_keys
from avr_ros.benchmark.scoring.score import score
from avr_ros.benchmark.scoring.summary import Summary, summarise
from avr_ros.evaluation.bag_reader import EvaluationBag
from avr_ros.evaluation.stored_run import StoredRun
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.question import Question
from avr_ros.schema.result import SampleResult


@dataclass(frozen=True)
class Rescored:
    """Results with their new scores, and the questions whose score is not the stored one.

    ``without_result`` counts the questions that have no prediction.
    """

    results: tuple[SampleResult, ...]
    changed: tuple[str, ...]
    without_result: int

    @property
    def summary(self) -> Summary:
        """Rates of the new scores."""
        return summarise(self.results)


def rescore_run(run: StoredRun, keys_path: Path) -> Rescored:
    """Score a run folder again. Raises BadInputError where the keys are of other questions."""
    keys = read_keys(keys_path, run.question_set)
    results = run.results
    ledgers = run.ledgers(results)
    missing = [item.question_id for item in results if item.question_id not in ledgers]
    if missing:
        raise BadInputError(
            f"{run.folder}: the ledger of {missing[0]} is missing; "
            "the run folder was changed from outside"
        )
    return _rescore(
        results,
        {question.question_id: question for question in run.questions},
        keys,
        lambda result: ledgers[result.question_id],
        run.specification.protocol.panorama_width,
    )


def rescore_bag(bag: EvaluationBag, keys_path: Path, panorama_width: int = 3760) -> Rescored:
    """Score an evaluation bag again.

    Raises BadInputError where the bag holds no result or lost ledger records, and where the keys
    are of other questions.
    """
    if not bag.results:
        raise BadInputError(f"{bag.path} holds no result; give the bag of an evaluation")
    if bag.missing_records:
        raise BadInputError(
            f"{bag.path}: {bag.missing_records} ledger records are missing, so evidence cannot be "
            "judged; score the run folder instead"
        )
    unknown = [name for name in bag.results if name not in bag.questions]
    if unknown:
        raise BadInputError(
            f"{bag.path}: the question {unknown[0]} was not recorded; score the run folder instead"
        )
    keys = _keys_of_bag(bag, keys_path)
    results = [bag.results[name] for name in bag.questions if name in bag.results]
    return _rescore(results, bag.questions, keys, bag.ledger_of, panorama_width)


def _rescore(
    results: Sequence[SampleResult],
    questions: Mapping[str, Question],
    keys: Mapping[str, AnswerKey],
    ledger_of: Callable[[SampleResult], Ledger],
    panorama_width: int,
) -> Rescored:
    scored = tuple(
        result.model_copy(
            update={
                "score": score(
                    questions[result.question_id],
                    keys[result.question_id],
                    result.prediction,
                    ledger_of(result),
                    panorama_width,
                )
            }
        )
        for result in results
    )
    changed = tuple(
        new.question_id for new, old in zip(scored, results, strict=True) if new.score != old.score
    )
    return Rescored(scored, changed, len(questions) - len(results))


def _keys_of_bag(bag: EvaluationBag, path: Path) -> dict[str, AnswerKey]:
    """The keys of a bag's questions.

    A bag has no questions file whose hash could be compared; its report names that hash where
    the run was finished.
    """
    lines = split_lines(read_content(path))
    if not lines:
        raise BadInputError(f"{path}:1: the file is empty; give a keys file")
    header = parse_line(KeysHeader, lines[0], path, 1)
    expected = bag.report.hashes.get("questions") if bag.report is not None else None
    if expected is not None and expected != header.questions:
        raise BadInputError(
            f"{path}:1: keys belong to a questions file with SHA-256 {header.questions[:12]}…, "
            f"the bag's run asked one with {expected[:12]}…; give the keys of that one"
        )
    keys: dict[str, AnswerKey] = {}
    for number, line in enumerate(lines[1:], start=2):
        key = parse_line(AnswerKey, line, path, number)
        if key.question_id in keys:
            raise malformed(path, number, f"question id {key.question_id} is used twice")
        keys[key.question_id] = key
    missing = [name for name in bag.results if name not in keys]
    if missing:
        raise BadInputError(
            f"{path}: {len(missing)} questions of {bag.path} have no key, first {missing[0]}; "
            "give the keys written with these questions"
        )
    return keys

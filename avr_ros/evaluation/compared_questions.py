"""The questions that systems are compared on, of one or of several question files."""

from collections.abc import Sequence

from avr_ros.evaluation.asked_question import AskedQuestion, FileHashes
from avr_ros.evaluation.compared_run import ComparedRun
from avr_ros.evaluation.compared_system import ComparedSystem
from avr_ros.evaluation.score_difference import other_ids
from avr_ros.schema.errors import BadInputError


def common_questions(
    systems: Sequence[ComparedSystem], missing_as_wrong: bool = False
) -> tuple[AskedQuestion, ...]:
    """The questions that every system was asked, in the first runs' order, file by file.

    Raises BadInputError where a system has no run on a file that others have, where runs on the
    same file were asked other questions of it, where two files share a question, and where a run
    lacks results, unless ``missing_as_wrong``.
    """
    runs = [run for system in systems for run in system.runs]
    if not runs:
        raise BadInputError("no run is given; give at least two")
    by_files: dict[FileHashes, list[ComparedRun]] = {}
    for run in runs:
        by_files.setdefault(run.files, []).append(run)
    for group in by_files.values():
        _refuse_lacking_systems(systems, group[0], len(by_files))
        for other in group[1:]:
            _refuse_other_questions(group[0], other)
    for run in runs:
        _refuse_unfinished(run, missing_as_wrong)
    return _without_repeats(list(by_files.values()))


def _without_repeats(groups: Sequence[Sequence[ComparedRun]]) -> tuple[AskedQuestion, ...]:
    found: list[AskedQuestion] = []
    known: dict[tuple[object, ...], ComparedRun] = {}
    for group in groups:
        first = group[0]
        named = next((run.sequences for run in group if run.sequences), {})
        for question in first.questions.values():
            asked = AskedQuestion(
                first.files, question, named.get(question.sequence, question.sequence)
            )
            # Another id or another order of the choices makes no other question.
            same = (asked.sequence, question.text, question.legal_frames)
            if known.setdefault(same, first) is not first:
                raise BadInputError(
                    f"{question.question_id} of {first.path} is a question of {known[same].path} "
                    "too and would count twice; compare runs on files that share no question"
                )
            found.append(asked)
    return tuple(found)


def _refuse_lacking_systems(
    systems: Sequence[ComparedSystem], asked: ComparedRun, files: int
) -> None:
    for system in systems:
        if any(run.files == asked.files for run in system.runs):
            continue
        if files == 2 and all(len({run.files for run in item.runs}) == 1 for item in systems):
            _refuse_other_files(asked, system.runs[0])
        raise BadInputError(
            f"{system.name} has no run on the questions and keys of {asked.path}; every system "
            "needs one on each of the files, with equal settings, model and program"
        )


def _refuse_other_files(first: ComparedRun, other: ComparedRun) -> None:
    for what in ("questions", "keys"):
        here, there = first.hashes.get(what), other.hashes.get(what)
        if here != there:
            raise BadInputError(
                f"{other.path} cannot be compared with {first.path}: another {what} file "
                f"({_short(there)} instead of {_short(here)}); compare runs on the same files"
            )


def _refuse_other_questions(first: ComparedRun, other: ComparedRun) -> None:
    text = other_ids(first.questions, other.questions)
    if text:
        raise BadInputError(
            f"{other.path} cannot be compared with {first.path}: it {text}; "
            "compare runs with the same limit"
        )


def _refuse_unfinished(run: ComparedRun, missing_as_wrong: bool) -> None:
    if not run.questions:
        raise BadInputError(f"{run.path} asks no question; there is nothing to compare")
    missing = [name for name in run.questions if name not in run.results]
    if missing and not missing_as_wrong:
        raise BadInputError(
            f"{run.path} is not finished: {len(missing)} of {len(run.questions)} questions "
            f"have no result, first {missing[0]}; finish the run, or count them as wrong "
            "(--missing-as-wrong)"
        )


def _short(sha256: str | None) -> str:
    return "none" if sha256 is None else f"{sha256[:12]}…"

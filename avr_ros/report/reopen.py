"""The keys and the recording of a run that was made earlier, where they still are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from avr_ros.benchmark.question_files import read_keys, read_questions
from avr_ros.evaluation.run_folder import QUESTIONS_NAME
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.recordings.open_recording import open_recording
from avr_ros.recordings.recording import Recording
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.errors import AvrError, BadInputError


def reopened_keys(
    folder: Path, specification: RunSpecification, given: Path | None, remarks: list[str]
) -> Mapping[str, AnswerKey]:
    """The keys at ``given``, else where the run had them; then a remark says where they are not.

    Raises BadInputError for given keys that do not belong to the run.
    """
    question_set = read_questions(folder / QUESTIONS_NAME)
    if given is not None:
        return read_keys(given, question_set)
    try:
        keys = read_keys(specification.keys, question_set)
    except BadInputError as error:
        remarks.append(f"Right answers are not shown: {error}")
        return {}
    if keys.sha256 != specification.hashes.get("keys"):
        remarks.append(
            f"Right answers are not shown: {specification.keys} has changed since the run."
        )
        return {}
    return keys


@contextmanager
def reopened_recording(
    specification: RunSpecification, given: Path | None, remarks: list[str]
) -> Iterator[Recording | None]:
    """The recording at ``given``, else where the run had it; none, with a remark, if it is gone.

    Raises RecordingError where a given one cannot be opened.
    """
    try:
        recording = open_recording(given if given is not None else Path(specification.dataset))
    except AvrError as error:
        if given is not None:
            raise
        remarks.append(f"Pictures are not shown: {error}")
        yield None
        return
    try:
        yield recording
    finally:
        recording.close()

"""What judges said, one line an answer in a run's folder, so that a judgement can go on."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from avr_ros.reasoning.call import FAILURES, CallOutcome
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import RETRIED_ON_RESUME

Line = TypeVar("Line", bound=BaseModel)


def read_lines(path: Path, line_type: type[Line], what: str) -> Iterator[Line]:
    """The lines of a file, none where there is no file.

    Raises BadInputError with the line's number where one is not ``what``.
    """
    if not path.exists():
        return
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            yield line_type.model_validate_json(text)
        except ValidationError as error:
            raise BadInputError(
                f"{path}:{number}: no {what}; remove the file to judge again"
            ) from error


def to_ask_again(mark: float | None, outcome: CallOutcome | None) -> bool:
    """Whether a line says nothing of the judge's opinion: as runs do with their models' failures.

    Lines that do not say how their call ended are asked again too.
    """
    if mark is not None:
        return False
    return outcome is None or FAILURES.get(outcome) in RETRIED_ON_RESUME

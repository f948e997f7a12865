"""How many images the model saw when it answered, the images per answer of EviSeek's table 2."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from avr_ros.evaluation.attempt_files import CALLS_NAME, read_lines
from avr_ros.evaluation.run_folder import episode_id_of
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step


def images_of_answers(folder: Path, results: Iterable[SampleResult]) -> dict[str, int]:
    """Images attached to the last model call of each attempt behind some results.

    By question id; an attempt without a call, or whose call does not say how many images it
    had, is left out. Raises BadInputError where a run folder's calls are damaged.
    """
    episodes = {
        episode_id_of(result.question_id, result.attempt): result.question_id for result in results
    }
    last: dict[str, Step] = {}
    for number, line in enumerate(read_lines(folder / CALLS_NAME), start=1):
        try:
            call = Step.model_validate_json(line)
        except ValidationError as error:
            raise BadInputError(
                f"{folder / CALLS_NAME}:{number}: not a model call; "
                "the file was changed from outside"
            ) from error
        kept = last.get(call.episode_id)
        if call.episode_id in episodes and (kept is None or kept.number < call.number):
            last[call.episode_id] = call
    found = {}
    for episode_id, call in last.items():
        images = call.details.get("images")
        if isinstance(images, int):
            found[episodes[episode_id]] = images
    return found

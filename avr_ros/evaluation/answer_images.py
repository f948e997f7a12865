"""How many images the model saw when it answered, the images per answer of EviSeek's table 2.

They are the set that visual support is judged on (appendix B): the views that the answering call
was shown, each once, as the agent names them; else the images of its last model call.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

from pydantic import ValidationError

from avr_ros.evaluation.answer_views import ANSWER_VIEWS
from avr_ros.evaluation.attempt_files import CALLS_NAME, STEPS_NAME, read_lines
from avr_ros.evaluation.run_folder import episode_id_of
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.result import SampleResult
from avr_ros.schema.step import Step


def images_of_answers(folder: Path, results: Iterable[SampleResult]) -> dict[str, int]:
    """Images of the answering call of each attempt behind some results, by question id.

    An attempt that names no views and has no call, or whose call does not say how many images it
    had, is left out. Raises BadInputError where a run folder's steps or calls are damaged.
    """
    episodes = {
        episode_id_of(result.question_id, result.attempt): result.question_id for result in results
    }
    found = {}
    for episode_id, call in _last(folder / CALLS_NAME, "", episodes).items():
        images = call.details.get("images")
        if isinstance(images, int):
            found[episodes[episode_id]] = images
    for episode_id, step in _last(folder / STEPS_NAME, ANSWER_VIEWS, episodes).items():
        views = step.details.get(ANSWER_VIEWS)
        if isinstance(views, list):
            found[episodes[episode_id]] = len(dict.fromkeys(views))
    return found


def _last(path: Path, holding: str, episodes: Collection[str]) -> dict[str, Step]:
    """The last step of each episode among the lines that hold a text."""
    last: dict[str, Step] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if holding not in line:
            continue
        try:
            step = Step.model_validate_json(line)
        except ValidationError as error:
            raise BadInputError(
                f"{path}:{number}: not a step; the file was changed from outside"
            ) from error
        kept = last.get(step.episode_id)
        if step.episode_id in episodes and (kept is None or kept.number < step.number):
            last[step.episode_id] = step
    return last

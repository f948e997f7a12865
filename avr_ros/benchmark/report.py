"""What a generation did, in numbers: generation.json beside the questions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final, Literal

from pydantic import ValidationError

from avr_ros.benchmark.blind.chance import mode_chance
from avr_ros.benchmark.blind.evaluation import BlindSet, Group, evaluate_blind
from avr_ros.benchmark.blind.report import BlindReport, blind_report
from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.generation import Generated
from avr_ros.benchmark.question_files import KEYS_NAME, QUESTIONS_NAME, read_keys, read_questions
from avr_ros.benchmark.questions import Pair
from avr_ros.benchmark.settings import GenerationSettings
from avr_ros.schema.answer import FrameViewAnswer
from avr_ros.schema.box import Box
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import AnswerMode, Family

REPORT_NAME: Final = "generation.json"


class ModeReport(Record):
    """One answer mode of a family.

    ``valid`` candidates, ``questions`` chosen of them and their number by class of answers, how
    many classes they were drawn among, and the mean chance of a blind answer.
    """

    valid: int
    questions: int
    classes: dict[str, int]
    drawn_among: int
    chance: float | None


class FamilyReport(Record):
    """One family: candidates checked, rejections by the first check that failed, and modes."""

    checked: int
    rejected: dict[str, int]
    modes: dict[str, ModeReport]


class GenerationReport(Record):
    """A whole generation; ``window_frames`` is the length of the windows for events."""

    format: Literal["avr_ros/generation"] = "avr_ros/generation"
    version: Literal[1] = 1
    seed: int
    per_family: int
    window_frames: int
    questions: int
    families: dict[str, FamilyReport]
    blind: BlindReport


def report_of(settings: GenerationSettings, generated: Generated) -> GenerationReport:
    """The report of a generation, with blind baselines tried on its own questions."""
    families = {name.value: _family(name, generated) for name in settings.families}
    solved = tuple((pair.question, pair.key) for pair in generated.pairs)
    blind = evaluate_blind([BlindSet(solved, _chances(families))])
    return GenerationReport(
        seed=settings.seed,
        per_family=settings.per_family,
        window_frames=generated.window_frames,
        questions=len(generated.pairs),
        families=families,
        blind=blind_report(blind),
    )


def read_report(folder: Path) -> GenerationReport:
    """The report in a generation's folder; raises BadInputError without a readable one."""
    path = folder / REPORT_NAME
    try:
        return GenerationReport.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadInputError(
            f"{path}: cannot be read ({error.strerror}); give a folder that avr generate wrote"
        ) from error
    except ValidationError as error:
        raise BadInputError(f"{path}: not the report of a generation; generate again") from error


def read_blind_set(folder: Path) -> BlindSet:
    """The solved questions of a generation's folder with their chances."""
    questions = read_questions(folder / QUESTIONS_NAME)
    keys = read_keys(folder / KEYS_NAME, questions)
    solved = tuple((item, keys[item.question_id]) for item in questions.questions)
    return BlindSet(solved, _chances(read_report(folder).families))


def _chances(families: dict[str, FamilyReport]) -> dict[Group, float]:
    return {
        (Family(name), AnswerMode(mode)): row.chance
        for name, family in families.items()
        for mode, row in family.modes.items()
        if row.chance is not None
    }


def _family(name: Family, generated: Generated) -> FamilyReport:
    pools = generated.pools
    modes = {
        mode.value: _mode(name, mode, generated)
        for family, mode in generated.classes
        if family is name
    }
    rejected = pools.rejected[name]
    return FamilyReport(
        checked=pools.tried[name],
        rejected={check.value: rejected[check] for check in Check if rejected[check]},
        modes=modes,
    )


def _mode(name: Family, mode: AnswerMode, generated: Generated) -> ModeReport:
    pairs = [
        pair
        for pair in generated.pairs
        if (pair.question.family, pair.question.answer_mode) == (name, mode)
    ]
    classes = Counter(pair.candidate.stratum for pair in pairs)
    drawn_among = generated.classes[name, mode]
    width = generated.panorama_width
    boxes = [box for pair in pairs if (box := _answered_box(pair)) is not None]
    choices = (len(pair.question.choices) for pair in pairs)
    return ModeReport(
        valid=len(generated.pools.valid[name, mode]),
        questions=len(pairs),
        classes={key: classes[key] for key in sorted(classes)},
        drawn_among=drawn_among,
        chance=mode_chance(mode, choices, drawn_among, boxes, width),
    )


def _answered_box(pair: Pair) -> Box | None:
    """The person's box in the answered frame of a frame and view question."""
    answer = pair.key.answer
    if not isinstance(answer, FrameViewAnswer):
        return None
    frames = (item for item in pair.key.evidence if item.frame_id == answer.frame_id)
    return next((item.box for item in frames), None)

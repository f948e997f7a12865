"""What a generation did, in numbers: generation.json beside the questions."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal

from avr_ros.benchmark.checks import Check
from avr_ros.benchmark.generation import Generated
from avr_ros.benchmark.settings import GenerationSettings
from avr_ros.schema.model import Record
from avr_ros.schema.vocabulary import Family

REPORT_NAME: Final = "generation.json"


class ModeReport(Record):
    """One answer mode of a family: valid candidates, questions, and questions by answer class."""

    valid: int
    questions: int
    classes: dict[str, int]


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


def report_of(settings: GenerationSettings, generated: Generated) -> GenerationReport:
    """The report of a generation."""
    return GenerationReport(
        seed=settings.seed,
        per_family=settings.per_family,
        window_frames=generated.window_frames,
        questions=len(generated.pairs),
        families={name.value: _family(name, generated) for name in settings.families},
    )


def _family(name: Family, generated: Generated) -> FamilyReport:
    pools = generated.pools
    modes: dict[str, ModeReport] = {}
    for family, mode in pools.valid:
        if family is name:
            chosen = [
                item
                for item in generated.chosen
                if (item.recipe.family, item.recipe.mode) == (family, mode)
            ]
            classes = Counter(item.stratum for item in chosen)
            modes[mode.value] = ModeReport(
                valid=len(pools.valid[family, mode]),
                questions=len(chosen),
                classes={key: classes[key] for key in sorted(classes)},
            )
    rejected = pools.rejected[name]
    return FamilyReport(
        checked=pools.tried[name],
        rejected={check.value: rejected[check] for check in Check if rejected[check]},
        modes=modes,
    )

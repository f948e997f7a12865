"""Settings given as texts, and what is said of wrong ones."""

import pytest
from pydantic import Field

from avr_ros.evaluation.settings import apply_settings
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record


class Agent(Record):
    threshold: float = Field(default=0.5, gt=0, lt=1)
    looks: int = 3
    note: str = ""
    order: tuple[int, ...] = ()
    seed: int = 0


class Perception(Record):
    misses: float = 0.0
    seed: int = 0


MODELS: dict[str, type[Record]] = {"agent": Agent, "perception": Perception}


def test_values_reach_the_part_that_has_the_name() -> None:
    built = apply_settings(
        ["threshold=0.25", "misses=0.1", "note=12", "order=[1, 2]", "agent.looks=5"], MODELS, 7
    )
    assert built["agent"] == Agent(threshold=0.25, looks=5, note="12", order=(1, 2), seed=7)
    assert built["perception"] == Perception(misses=0.1, seed=7)


def test_a_given_seed_is_kept() -> None:
    built = apply_settings(["perception.seed=3"], MODELS, 7)
    assert built["perception"] == Perception(seed=3)
    assert built["agent"] == Agent(seed=7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("treshold=1", "did you mean 'threshold'"),
        ("agent.misses=1", "did you mean"),
        ("zzz=1", "known: looks, misses, note"),
        ("seed=1", "agent.seed or perception.seed"),
        ("threshold", "name=value"),
        ("=1", "name=value"),
        ("threshold=2", "less than 1"),
        ("looks=many", "agent.looks"),
        ("looks=", "agent.looks"),
    ],
)
def test_wrong_settings_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        apply_settings([text], MODELS, 0)


def test_a_repeated_setting_is_refused() -> None:
    with pytest.raises(BadInputError, match="twice"):
        apply_settings(["looks=1", "agent.looks=2"], MODELS, 0)

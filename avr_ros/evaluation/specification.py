"""The frozen description of a run: run.json."""

from typing import Any, Final, Literal

from pydantic import Field

from avr_ros.schema.model import Record

DEFAULT_QUESTION_DEADLINE: Final[float] = 600.0
"""Seconds that a question may take before it fails with kind deadline."""

_NOT_COMPARED: Final[frozenset[str]] = frozenset({"dataset", "questions", "keys", "created_at"})


class ProtocolSettings(Record):
    """How views are served, as far as it changes their bytes or the scores.

    ``jpeg_quality`` is that of served crops; ``panorama_width`` in pixels.
    """

    jpeg_quality: int = Field(default=90, ge=1, le=100)
    panorama_width: int = Field(default=3760, ge=1)


class RunSpecification(Record):
    """Everything that decides a run's results.

    ``dataset``, ``questions`` and ``keys`` are paths and may change between two starts of the
    same run, because ``hashes`` (of ``questions``, ``keys``, ``recording`` and ``annotations``)
    say what they held. ``commit`` and ``uncommitted_changes`` are none outside of a checkout.
    ``limit`` keeps the first questions only, 0: all. ``question_deadline`` is in seconds.
    ``libraries`` are the versions that bytes depend on. Paths are shown to people and opened
    again for reports; results never depend on them.
    """

    format: Literal["avr_ros/run"] = "avr_ros/run"
    version: Literal[1] = 1
    created_at: str
    package_version: str
    commit: str | None
    uncommitted_changes: bool | None
    libraries: dict[str, str]
    dataset: str
    questions: str
    keys: str
    hashes: dict[str, str]
    seed: int
    limit: int = Field(default=0, ge=0)
    question_deadline: float = Field(default=DEFAULT_QUESTION_DEADLINE, gt=0)
    agent: str
    agent_settings: dict[str, Any]
    model: str
    model_settings: dict[str, Any]
    perception: str
    perception_settings: dict[str, Any]
    oracle_perception: bool
    stand_in_model: bool
    protocol: ProtocolSettings


def differences(kept: RunSpecification, asked: RunSpecification) -> list[str]:
    """Name what differs between a folder's run and the one asked for, one text a value.

    Paths and the time of creation are not compared. Empty where the asked run may go on in the
    folder.
    """
    found: list[str] = []
    _compare(
        "",
        kept.model_dump(mode="json", exclude=set(_NOT_COMPARED)),
        asked.model_dump(mode="json", exclude=set(_NOT_COMPARED)),
        found,
    )
    return found


def _compare(name: str, kept: Any, asked: Any, found: list[str]) -> None:
    if isinstance(kept, dict) and isinstance(asked, dict):
        for key in sorted(kept.keys() | asked.keys()):
            inner = f"{name}.{key}" if name else key
            _compare(inner, kept.get(key), asked.get(key), found)
    elif kept != asked:
        found.append(f"{name}: {_shown(kept)} there, {_shown(asked)} asked for")


def _shown(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 24 else text[:12] + "..."

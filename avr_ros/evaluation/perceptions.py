"""The perceptions that a run can name."""

import difflib
from collections.abc import Mapping
from typing import Any, Final

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.evaluation.view_perception import ViewPerception
from avr_ros.perception.detector_hashes import detector_hashes
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.perception.onnx_settings import OnnxSettings
from avr_ros.perception.oracle import OraclePerception
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record

_SETTINGS: Final[dict[str, type[Record]]] = {"oracle": OracleSettings, "onnx": OnnxSettings}


def perception_names() -> tuple[str, ...]:
    """The names that exist."""
    return tuple(_SETTINGS)


def perception_settings_type(name: str) -> type[Record]:
    """The settings of a perception. Raises BadInputError, naming the nearest name, for none."""
    found = _SETTINGS.get(name)
    if found is None:
        near = difflib.get_close_matches(name, _SETTINGS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(_SETTINGS)}"
        raise BadInputError(f"there is no perception {name!r}; {hint}")
    return found


def recorded_perception_settings(settings: Record) -> dict[str, Any]:
    """What a run writes down of a perception's settings, the hashes of its detector included.

    Raises PerceptionError and BadInputError for a detector that cannot be read.
    """
    values = settings.model_dump(mode="json")
    if isinstance(settings, OnnxSettings):
        values |= detector_hashes(settings)
    return values


def perception_settings_of_run(name: str, recorded: Mapping[str, Any]) -> Record:
    """The settings that a run wrote down of its perception ``name``.

    Raises BadInputError where its detector is no longer what it was, and as
    :func:`recorded_perception_settings` does.
    """
    kind = perception_settings_type(name)
    settings = kind.model_validate(
        {key: value for key, value in recorded.items() if key in kind.model_fields}
    )
    now = recorded_perception_settings(settings)
    changed = sorted(key for key, value in recorded.items() if now.get(key) != value)
    if changed:
        raise BadInputError(
            f"the detector is not the one of the run: {', '.join(changed)} differs; "
            "put back the one that the run was made with"
        )
    return settings


def make_perception(settings: Record, annotations: AnnotationSet) -> ViewPerception:
    """The perception that belongs to some settings.

    ``annotations`` are for the oracle; the others know of their data set no more than the
    panorama's geometry. Raises PerceptionError and BadInputError for a detector that cannot be
    used.
    """
    if isinstance(settings, OracleSettings):
        return OraclePerception(annotations, settings)
    if isinstance(settings, OnnxSettings):
        return OnnxPerception(settings, annotations.cylinder)
    raise BadInputError(f"no perception has settings of type {type(settings).__name__}")

"""The perceptions that a run can name."""

import difflib
from typing import Final

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.evaluation.view_perception import ViewPerception
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

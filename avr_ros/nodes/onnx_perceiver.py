"""Perception by a detector inside the agent's process: the pixels are there already."""

from avr_ros.agents.tools import EpisodeCancelledError, Panorama, ToolFailedError, View
from avr_ros.evaluation.cancellation import Cancellation
from avr_ros.geometry.panorama import Cylinder
from avr_ros.perception.errors import PerceptionError
from avr_ros.perception.onnx_perception import OnnxPerception
from avr_ros.schema.detection import Detection
from avr_ros.schema.prediction import FailureKind


class OnnxPerceiver:
    """Finds people in the granted images of one episode."""

    def __init__(
        self, perception: OnnxPerception, cancel: Cancellation, cylinder: Cylinder
    ) -> None:
        """Perceive on panoramas of a geometry, until ``cancel`` is set."""
        self._perception = perception
        self._cancel = cancel
        self._cylinder = cylinder

    def detect(self, view: View | Panorama) -> list[Detection]:
        """Return the people in a view, by rising ``box.x``."""
        if self._cancel.kind is not None:
            raise EpisodeCancelledError(self._cancel.kind)
        try:
            if isinstance(view, View):
                return self._perception.find(view.image, view.observation.crop, self._cylinder)
            return self._perception.find_around(view.image, self._cylinder)
        except PerceptionError as error:
            raise ToolFailedError(FailureKind.PERCEPTION_FAILED, str(error)) from error

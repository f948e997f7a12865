"""A view as a model is shown it, with the episode's eyes bound to it."""

import threading
from collections.abc import Callable, Sequence

from avr_ros.agents.tools import Panorama, Perceiver, View
from avr_ros.reasoning.stage import StageImage
from avr_ros.recordings import jpeg
from avr_ros.schema.detection import Detection


def stage_image(view: View | Panorama, perceiver: Perceiver, name: str) -> StageImage:
    """The picture of a view under a name.

    The episode's perceiver is asked once, however often the picture is looked at.
    """
    source = view.observation if isinstance(view, View) else view.frame
    data = source.jpeg if source.jpeg is not None else jpeg.encode(view.image)
    return StageImage(name, data, source=source, detect=_Once(lambda: perceiver.detect(view)))


class _Once:
    """Calls a function the first time and keeps what it gave. Thread-safe."""

    def __init__(self, find: Callable[[], Sequence[Detection]]) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._found: tuple[Detection, ...] | None = None

    def __call__(self) -> tuple[Detection, ...]:
        with self._lock:
            if self._found is None:
                self._found = tuple(self._find())
            return self._found

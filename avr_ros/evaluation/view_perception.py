"""A perception as runs use it: the people in one granted view."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerRecord


class ViewPerception(Protocol):
    """Finds people in an image that was granted. May be called by several threads at once."""

    def detect(self, record: LedgerRecord, image: npt.NDArray[np.uint8]) -> list[Detection]:
        """Return the people in a view, by rising ``box.x``.

        ``record`` is the ledger's of the view, ``image`` its decoded pixels (height, width, 3)
        uint8, blue-green-red. Raises PerceptionError.
        """

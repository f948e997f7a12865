"""When a model counts as gone, so that what needs it stops instead of failing to its end."""

from typing import Final

MOST_IN_A_ROW: Final = 5
"""Answers in a row for which the model was out of reach, after which it counts as gone."""


class OutOfReach:
    """Counts answers in a row for which a model was out of reach. Not thread-safe."""

    def __init__(self, most: int = MOST_IN_A_ROW) -> None:
        """``most`` in a row are one too many."""
        self.most = most
        self._count = 0

    def gone(self, away: bool) -> bool:
        """Take one answer, ``away`` if the model was out of reach; whether it counts as gone."""
        self._count = self._count + 1 if away else 0
        return self._count > 0 and self._count >= self.most

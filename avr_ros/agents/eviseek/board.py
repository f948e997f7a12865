"""The evidence board: retained views and outcomes with where they come from (EviSeek, 4.3, 4.4)."""

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from avr_ros.agents.environments.environment import Shot
from avr_ros.reasoning.stages.contract import ShownView


@dataclass(frozen=True, eq=False)
class BoardItem:
    """One retained view: b = (observation, outcome, intent, subtask, demand), with a note."""

    shot: Shot
    note: str
    outcome: str
    intent: str
    subtask: int
    demand: int | None

    def shown(self, with_demand: bool = True) -> ShownView:
        """What the answerer sees of it: view, note, outcome and demand."""
        return ShownView(
            name=self.shot.name,
            caption=self.shot.caption,
            note=self.note,
            outcome=self.outcome,
            demand=self.demand if with_demand else None,
        )

    def details(self) -> dict[str, Any]:
        """The item as JSON values; ``observation_id`` leads to the granted view."""
        azimuth = self.shot.azimuth
        return {
            "view": self.shot.name,
            "observation_id": self.shot.observation_id,
            "frame_id": self.shot.frame_id,
            "azimuth_deg": None if azimuth is None else math.degrees(azimuth),
            "caption": self.shot.caption,
            "note": self.note,
            "outcome": self.outcome,
            "intent": self.intent,
            "subtask": self.subtask,
            "demand": self.demand,
        }


class Board:
    """Retained items in the order of their keeping, at most ``capacity``.

    A view is kept once: keeping it again only gives it the newer note. When the board is
    full, the oldest item of the demand that has most items, the new one counted, makes room (of
    several such demands, the one whose item is oldest), so that no demand loses its only evidence
    to one that has more. What made room stays in ``displaced``.
    """

    def __init__(self, capacity: int) -> None:
        """Start empty."""
        if capacity < 1:
            raise ValueError(f"a board holds at least one item, not {capacity}")
        self._capacity = capacity
        self._items: list[BoardItem] = []
        self._displaced: list[BoardItem] = []

    @property
    def items(self) -> tuple[BoardItem, ...]:
        """What is retained."""
        return tuple(self._items)

    @property
    def displaced(self) -> tuple[BoardItem, ...]:
        """What was retained and made room."""
        return tuple(self._displaced)

    def latest(self, count: int) -> tuple[BoardItem, ...]:
        """At most ``count`` items in the board's order: the newest of each demand, in turn.

        So a demand that has many does not hide what the others rest on.
        """
        ranks: Counter[int | None] = Counter()
        ranked = []
        for place in range(len(self._items) - 1, -1, -1):
            demand = self._items[place].demand
            ranks[demand] += 1
            ranked.append((ranks[demand], -place))
        chosen = sorted(-place for _, place in sorted(ranked)[: max(count, 0)])
        return tuple(self._items[place] for place in chosen)

    def keep(self, item: BoardItem) -> bool:
        """Retain an item; whether it is new on the board."""
        for place, known in enumerate(self._items):
            if known.shot.name == item.shot.name:
                if item.note:
                    self._items[place] = replace(known, note=item.note)
                return False
        if len(self._items) == self._capacity:
            counts = Counter(known.demand for known in (*self._items, item))
            most = max(counts[known.demand] for known in self._items)
            place = next(
                index for index, known in enumerate(self._items) if counts[known.demand] == most
            )
            self._displaced.append(self._items.pop(place))
        self._items.append(item)
        return True

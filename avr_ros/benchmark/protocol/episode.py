"""The state of one open episode: budget, request ids and ledger."""

import threading
from dataclasses import dataclass, field

from avr_ros.schema.episode import (
    EpisodeSpecification,
    Ledger,
    LedgerKind,
    LedgerRecord,
)
from avr_ros.schema.observation import ObserveRequest

REFUSALS_KEPT = 1000
"""Refusals that an episode's ledger keeps; later ones are only counted."""


@dataclass
class Episode:
    """What an open episode allows and what has happened in it.

    Not thread-safe by itself: hold ``lock`` while reading or changing anything.
    """

    specification: EpisodeSpecification
    sequence: str
    fields_of_view: tuple[float, ...]
    legal_frames: frozenset[int] | None
    lock: threading.Lock = field(default_factory=threading.Lock)
    charged: int = 0
    closed: bool = False
    _sequence_number: int = 0
    _refusals: int = 0
    _records: list[LedgerRecord] = field(default_factory=list)
    _requests: dict[str, ObserveRequest] = field(default_factory=dict)
    _granted: dict[str, LedgerRecord] = field(default_factory=dict)
    _given: dict[int, LedgerRecord] = field(default_factory=dict)

    @property
    def remaining(self) -> int:
        """Observations that are left."""
        return self.specification.max_observations - self.charged

    @property
    def next_sequence_number(self) -> int:
        """The number that the next ledger record gets."""
        return self._sequence_number + 1

    def request_with_id(self, request_id: str) -> ObserveRequest | None:
        """The request that first used an id, where one is remembered."""
        return self._requests.get(request_id)

    def granted_for(self, request_id: str) -> LedgerRecord | None:
        """The record of the view that was granted under a request id."""
        return self._granted.get(request_id)

    def given_record(self, frame_id: int) -> LedgerRecord | None:
        """The record of a given frame that was fetched before."""
        return self._given.get(frame_id)

    def grant(self, request: ObserveRequest, record: LedgerRecord) -> None:
        """Charge a granted view and enter it."""
        self.charged += 1
        if request.request_id:
            self._requests[request.request_id] = request
            self._granted[request.request_id] = record
        self._enter(record)

    def give(self, record: LedgerRecord) -> None:
        """Enter a given frame; it is not charged."""
        self._given[record.frame_id] = record
        self._enter(record)

    def refuse(self, request: ObserveRequest | None, record: LedgerRecord) -> bool:
        """Enter a refusal, where there is room; return whether it was entered."""
        self._refusals += 1
        if self._refusals > REFUSALS_KEPT:
            return False
        if request is not None and request.request_id:
            self._requests.setdefault(request.request_id, request)
        self._enter(record)
        return True

    def ledger(self) -> Ledger:
        """The ledger as it stands."""
        return Ledger(
            episode_id=self.specification.episode_id,
            records=tuple(self._records),
            refusals_not_recorded=max(0, self._refusals - REFUSALS_KEPT),
        )

    def _enter(self, record: LedgerRecord) -> None:
        assert record.sequence_number == self._sequence_number + 1
        assert record.kind in (LedgerKind.OBSERVATION, LedgerKind.GIVEN_FRAME)
        self._sequence_number = record.sequence_number
        self._records.append(record)

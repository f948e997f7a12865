"""The world model of one episode: what was seen, where, and what was refused.

It is a record of observations, not a predictor (JRDB-AVR, section 4): entities, attributes and
relations, each tied to the frame and view that shows it.
"""

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from avr_ros.schema.episode import LedgerRecord
from avr_ros.schema.fact import Fact, FactKind, FactPattern, WriteOutcome
from avr_ros.world.errors import WorldModelError
from avr_ros.world.grounding import GrantedView, reason_to_refuse

MAX_FACTS: Final[int] = 50_000
"""Facts that a world model keeps; further ones are refused."""

MAX_AUDIT: Final[int] = 20_000
"""Audit entries that a world model keeps; the oldest are dropped and counted."""

MAX_OBSERVATIONS: Final[int] = 20_000
"""Granted views that a world model keeps; further ones are an error."""

_KINDS: Final[frozenset[str]] = frozenset(kind.value for kind in FactKind)


@dataclass(frozen=True)
class Limits:
    """Bounds on a world model's size."""

    facts: int = MAX_FACTS
    audit: int = MAX_AUDIT
    observations: int = MAX_OBSERVATIONS


@dataclass(frozen=True)
class AuditEntry:
    """One attempt to write a fact.

    ``number`` counts attempts from 1; ``revision`` is the world model's after the write that the
    attempt belongs to; ``reason`` is empty where the fact was accepted.
    """

    number: int
    revision: int
    fact: Fact
    reason: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the fact was accepted."""
        return not self.reason


@dataclass(frozen=True)
class Snapshot:
    """Everything a world model holds at one moment.

    ``attempts`` and ``refused`` count writes of single facts since the beginning, also those
    whose audit entry was dropped.
    """

    episode_id: str
    revision: int
    attempts: int
    refused: int
    limits: Limits
    observations: tuple[GrantedView, ...] = ()
    facts: tuple[Fact, ...] = ()
    audit: tuple[AuditEntry, ...] = field(default=())


class WorldModel:
    """Facts of one episode that its granted observations ground. Thread-safe.

    The same calls in the same order give the same state. Ledger records arrive through
    :meth:`add_record`; over ROS they may come later than a write that names them, so a write can
    wait for them until a deadline.
    """

    def __init__(self, episode_id: str, limits: Limits | None = None) -> None:
        """Start empty for an episode."""
        self._episode_id = episode_id
        self._limits = limits or Limits()
        self._changed = threading.Condition()
        self._granted: dict[str, GrantedView] = {}
        self._facts: dict[Fact, None] = {}
        self._audit: deque[AuditEntry] = deque(maxlen=self._limits.audit)
        self._revision = 0
        self._attempts = 0
        self._refused = 0

    @staticmethod
    def restore(snapshot: Snapshot) -> "WorldModel":
        """Make the world model that a snapshot was taken of."""
        model = WorldModel(snapshot.episode_id, snapshot.limits)
        model._granted = {view.observation_id: view for view in snapshot.observations}
        model._facts = dict.fromkeys(snapshot.facts)
        model._audit.extend(snapshot.audit)
        model._revision = snapshot.revision
        model._attempts = snapshot.attempts
        model._refused = snapshot.refused
        return model

    @property
    def episode_id(self) -> str:
        """The episode that this world model belongs to."""
        return self._episode_id

    @property
    def revision(self) -> int:
        """The number of writes so far that added facts."""
        with self._changed:
            return self._revision

    @property
    def refused(self) -> int:
        """The number of facts refused so far."""
        with self._changed:
            return self._refused

    def add_record(self, record: LedgerRecord) -> None:
        """Learn of an exchange of the episode; refused ones ground nothing and are not kept.

        Records may come in any order and more than once. Raises WorldModelError for a record of
        another episode, for one that contradicts an earlier one, and when the bound is reached.
        """
        if record.episode_id != self._episode_id:
            raise WorldModelError(
                f"ledger record of episode {record.episode_id!r} given to the world model of "
                f"{self._episode_id!r}: send it to its own"
            )
        if not record.granted:
            return
        view = GrantedView.of(record)
        with self._changed:
            known = self._granted.get(view.observation_id)
            if known is None:
                if len(self._granted) >= self._limits.observations:
                    raise WorldModelError(
                        f"world model of {self._episode_id!r} holds its limit of "
                        f"{self._limits.observations} observations: raise the limit"
                    )
                self._granted[view.observation_id] = view
                self._changed.notify_all()
            elif known != view:
                raise WorldModelError(
                    f"observation {view.observation_id!r} of {self._episode_id!r} was granted as "
                    f"{known} and again as {view}: ids must be unique within an episode"
                )

    def wait_for(self, observation_id: str, deadline: float) -> bool:
        """Wait until an observation's record has come; say whether it has.

        ``deadline`` is a value of ``time.monotonic()``. Returns at once if the record is there.
        """
        with self._changed:
            return self._changed.wait_for(
                lambda: observation_id in self._granted,
                timeout=max(0.0, deadline - time.monotonic()),
            )

    def write(self, facts: Sequence[Fact], deadline: float | None = None) -> WriteOutcome:
        """Write facts, each one accepted or refused by itself.

        A fact is accepted if its observation was granted in this episode and frame, azimuth and
        box agree with it; otherwise it changes nothing but the audit trail. A fact that is there
        already is accepted and kept once. With a ``deadline`` (of ``time.monotonic()``) the write
        waits until then for records that have not come yet.
        """
        if deadline is not None:
            for observation_id in dict.fromkeys(fact.provenance.observation_id for fact in facts):
                self.wait_for(observation_id, deadline)
        with self._changed:
            reasons: list[str] = []
            before = len(self._facts)
            for fact in facts:
                reason = reason_to_refuse(fact, self._granted.get(fact.provenance.observation_id))
                if reason is None and fact not in self._facts:
                    if len(self._facts) >= self._limits.facts:
                        reason = f"the world model holds its limit of {self._limits.facts} facts"
                    else:
                        self._facts[fact] = None
                reasons.append(reason or "")
            if len(self._facts) > before:
                self._revision += 1
            for fact, reason in zip(facts, reasons, strict=True):
                self._attempts += 1
                self._audit.append(AuditEntry(self._attempts, self._revision, fact, reason))
            refused = tuple((index, reason) for index, reason in enumerate(reasons) if reason)
            self._refused += len(refused)
            return WriteOutcome(len(facts) - len(refused), refused, self._revision)

    def read(self, pattern: FactPattern) -> list[Fact]:
        """Return the facts that match, in the order of their writing.

        Raises WorldModelError for a kind that does not exist.
        """
        if pattern.kind and pattern.kind not in _KINDS:
            raise WorldModelError(
                f"fact kind {pattern.kind!r} does not exist: use one of {', '.join(sorted(_KINDS))}"
            )
        with self._changed:
            return [fact for fact in self._facts if _matches(fact, pattern)]

    def snapshot(self) -> Snapshot:
        """Everything that the world model holds now."""
        with self._changed:
            return Snapshot(
                episode_id=self._episode_id,
                revision=self._revision,
                attempts=self._attempts,
                refused=self._refused,
                limits=self._limits,
                observations=tuple(self._granted.values()),
                facts=tuple(self._facts),
                audit=tuple(self._audit),
            )


def _matches(fact: Fact, pattern: FactPattern) -> bool:
    frame = fact.provenance.frame_id
    return (
        (not pattern.kind or fact.kind.value == pattern.kind)
        and (not pattern.subject or fact.subject == pattern.subject)
        and (not pattern.predicate or fact.predicate == pattern.predicate)
        and (not pattern.value or fact.value == pattern.value)
        and (pattern.first_frame is None or frame >= pattern.first_frame)
        and (pattern.last_frame is None or frame <= pattern.last_frame)
    )

"""What answers stages."""

from dataclasses import dataclass
from typing import Generic, Protocol

from avr_ros.reasoning.call import CallRecord
from avr_ros.reasoning.stage import Reply, StageRequest


@dataclass(frozen=True)
class StageReply(Generic[Reply]):
    """A valid reply, and the record of the call."""

    value: Reply
    record: CallRecord


class ModelBackend(Protocol):
    """Answers stages. Used by several threads at once."""

    @property
    def name(self) -> str:
        """The model as runs name it, without secrets."""

    def ask(self, request: StageRequest[Reply]) -> StageReply[Reply]:
        """Answer a stage. Raises ModelCallError, which holds the call's record."""

    def close(self) -> None:
        """Let go of connections and threads."""

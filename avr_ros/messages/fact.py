"""Facts of the world model, and what became of writing them."""

from typing import Any, Final

from avr_ros.messages.box import box_from_message, box_message
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import header_message
from avr_ros.schema.fact import Fact, FactKind, FactPattern, Provenance, WriteOutcome

_KINDS: Final = (FactKind.ENTITY, FactKind.ATTRIBUTE, FactKind.RELATION)
"""By the number of the constants in ``Fact``."""

ANY_FRAME = -1
"""What a request says where a pattern leaves a frame open."""


def fact_message(fact: Fact, types: MessageTypes) -> Any:
    """A ``Fact``."""
    seen = fact.provenance
    provenance = types("avr_ros/msg/Provenance")(
        observation_id=seen.observation_id,
        frame_id=seen.frame_id,
        has_azimuth=seen.azimuth is not None,
        azimuth=0.0 if seen.azimuth is None else seen.azimuth,
        has_box=seen.box is not None,
        box=box_message(seen.box, types),
        confidence=seen.confidence,
        source=seen.source,
    )
    return types("avr_ros/msg/Fact")(
        kind=_KINDS.index(fact.kind),
        subject=fact.subject,
        predicate=fact.predicate,
        value=fact.value,
        provenance=provenance,
    )


def fact_from_message(message: Any) -> Fact:
    """The fact of a ``Fact``. Raises MessageContentError for one that is none."""
    seen = message.provenance
    kind = int(message.kind)
    if kind >= len(_KINDS):
        raise MessageContentError(f"Fact: kind {kind} is not one of 0 to {len(_KINDS) - 1}")
    try:
        return Fact(
            kind=_KINDS[kind],
            subject=str(message.subject),
            predicate=str(message.predicate),
            value=str(message.value),
            provenance=Provenance(
                observation_id=str(seen.observation_id),
                frame_id=int(seen.frame_id),
                azimuth=float(seen.azimuth) if seen.has_azimuth else None,
                box=box_from_message(seen.box) if seen.has_box else None,
                confidence=float(seen.confidence),
                source=str(seen.source),
            ),
        )
    except ValueError as error:
        raise MessageContentError(f"Fact: {error}") from error


def write_response_message(outcome: WriteOutcome, types: MessageTypes) -> Any:
    """The response of ``WriteFacts``."""
    refusal = types("avr_ros/msg/FactRefusal")
    return types("avr_ros/srv/WriteFacts_Response")(
        accepted=outcome.accepted,
        refused=[refusal(index=index, reason=reason) for index, reason in outcome.refused],
        revision=outcome.revision,
    )


def write_outcome_from_message(message: Any) -> WriteOutcome:
    """What the response of ``WriteFacts`` says."""
    return WriteOutcome(
        accepted=int(message.accepted),
        refused=tuple((int(item.index), str(item.reason)) for item in message.refused),
        revision=int(message.revision),
    )


def read_request_message(episode_id: str, pattern: FactPattern, types: MessageTypes) -> Any:
    """The request of ``ReadFacts``."""
    return types("avr_ros/srv/ReadFacts_Request")(
        episode_id=episode_id,
        kind=pattern.kind,
        subject=pattern.subject,
        predicate=pattern.predicate,
        value=pattern.value,
        first_frame=ANY_FRAME if pattern.first_frame is None else pattern.first_frame,
        last_frame=ANY_FRAME if pattern.last_frame is None else pattern.last_frame,
    )


def pattern_from_message(message: Any) -> FactPattern:
    """The pattern of a ``ReadFacts`` request."""
    return FactPattern(
        kind=str(message.kind),
        subject=str(message.subject),
        predicate=str(message.predicate),
        value=str(message.value),
        first_frame=None if message.first_frame == ANY_FRAME else int(message.first_frame),
        last_frame=None if message.last_frame == ANY_FRAME else int(message.last_frame),
    )


def graph_message(
    episode_id: str,
    revision: int,
    refused: int,
    facts: tuple[Fact, ...],
    graph: str,
    stamp: int,
    types: MessageTypes,
) -> Any:
    """A ``WorldModelGraph``; ``graph`` is the same as versioned JSON, ``stamp`` nanoseconds."""
    return types("avr_ros/msg/WorldModelGraph")(
        header=header_message(stamp, "", types),
        episode_id=episode_id,
        revision=revision,
        refused=refused,
        facts=[fact_message(fact, types) for fact in facts],
        graph=graph,
    )

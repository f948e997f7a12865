"""Episodes and their ledgers."""

from typing import Any

from avr_ros.messages.arrays import float64_array, int64_array, to_floats, to_ints
from avr_ros.messages.box import crop_from_message, crop_message
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.observation import observe_status
from avr_ros.messages.time import header_message, stamp_ns
from avr_ros.schema.episode import (
    CloseResponse,
    CloseStatus,
    EpisodeSpecification,
    Ledger,
    LedgerKind,
    LedgerRecord,
    OpenResponse,
    OpenStatus,
)


def open_request_message(specification: EpisodeSpecification, types: MessageTypes) -> Any:
    """The request of ``OpenEpisode``."""
    return types("avr_ros/srv/OpenEpisode_Request")(
        episode_id=specification.episode_id,
        sequence=specification.sequence,
        legal_frames=int64_array(specification.legal_frames),
        max_observations=specification.max_observations,
        fields_of_view=float64_array(specification.fields_of_view),
        given_frames=int64_array(specification.given_frames),
    )


def specification_from_message(message: Any) -> EpisodeSpecification:
    """What a request of ``OpenEpisode`` asks for."""
    return EpisodeSpecification(
        episode_id=str(message.episode_id),
        sequence=str(message.sequence),
        legal_frames=to_ints(message.legal_frames),
        max_observations=int(message.max_observations),
        fields_of_view=to_floats(message.fields_of_view),
        given_frames=to_ints(message.given_frames),
    )


def open_response_message(response: OpenResponse, types: MessageTypes) -> Any:
    """The response of ``OpenEpisode``."""
    return types("avr_ros/srv/OpenEpisode_Response")(
        status=int(response.status), message=response.message
    )


def open_response_from_message(message: Any) -> OpenResponse:
    """What a response of ``OpenEpisode`` says."""
    try:
        return OpenResponse(OpenStatus(int(message.status)), str(message.message))
    except ValueError as error:
        raise MessageContentError(f"OpenEpisode: {error}") from error


def ledger_record_message(record: LedgerRecord, camera_frame: str, types: MessageTypes) -> Any:
    """A ``LedgerRecord``; ``camera_frame`` is the coordinate frame's name."""
    return types("avr_ros/msg/LedgerRecord")(
        header=header_message(record.stamp_ns, camera_frame, types),
        episode_id=record.episode_id,
        sequence_number=record.sequence_number,
        kind=int(record.kind),
        request_id=record.request_id,
        observation_id=record.observation_id,
        sequence=record.sequence,
        frame_id=record.frame_id,
        azimuth=float(record.azimuth),
        field_of_view=float(record.field_of_view),
        crop=crop_message(record.crop, types),
        status=int(record.status),
        message=record.message,
        remaining_observations=record.remaining_observations,
    )


def ledger_record_from_message(message: Any, panorama_width: int) -> LedgerRecord:
    """The record of a ``LedgerRecord`` about a panorama of a width in pixels.

    Raises MessageContentError for one that is none.
    """
    try:
        kind = LedgerKind(int(message.kind))
    except ValueError as error:
        raise MessageContentError(f"LedgerRecord: {error}") from error
    return LedgerRecord(
        episode_id=str(message.episode_id),
        sequence_number=int(message.sequence_number),
        kind=kind,
        request_id=str(message.request_id),
        observation_id=str(message.observation_id),
        sequence=str(message.sequence),
        frame_id=int(message.frame_id),
        stamp_ns=stamp_ns(message.header.stamp),
        azimuth=float(message.azimuth),
        field_of_view=float(message.field_of_view),
        crop=crop_from_message(message.crop, panorama_width),
        status=observe_status(message.status),
        message=str(message.message),
        remaining_observations=int(message.remaining_observations),
    )


def close_response_message(response: CloseResponse, camera_frame: str, types: MessageTypes) -> Any:
    """The response of ``CloseEpisode``."""
    ledger = response.ledger
    records = ledger.records if ledger is not None else ()
    return types("avr_ros/srv/CloseEpisode_Response")(
        status=int(response.status),
        message=response.message,
        ledger=[ledger_record_message(record, camera_frame, types) for record in records],
        refusals_not_recorded=ledger.refusals_not_recorded if ledger is not None else 0,
    )


def close_response_from_message(
    message: Any, episode_id: str, panorama_width: int
) -> CloseResponse:
    """What a response of ``CloseEpisode`` for an episode says."""
    try:
        status = CloseStatus(int(message.status))
    except ValueError as error:
        raise MessageContentError(f"CloseEpisode: {error}") from error
    ledger = None
    if status is CloseStatus.OK:
        ledger = Ledger(
            episode_id=episode_id,
            records=tuple(
                ledger_record_from_message(record, panorama_width) for record in message.ledger
            ),
            refusals_not_recorded=int(message.refusals_not_recorded),
        )
    return CloseResponse(status, str(message.message), ledger)

"""Requests for views and what comes back."""

from typing import Any

from avr_ros.geometry.crop import CROP_SIZE, CropWindow
from avr_ros.messages.arrays import to_bytes
from avr_ros.messages.box import crop_from_message, crop_message
from avr_ros.messages.image import (
    compressed_image_message,
    image_message,
    pixels_from_message,
)
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import header_message, stamp_ns, time_message
from avr_ros.schema.observation import (
    GivenFrame,
    GivenFrameResponse,
    Observation,
    ObserveRequest,
    ObserveResponse,
    ObserveStatus,
)

_NOTHING = Observation("", "", 0, 0, 0.0, 0.0, CropWindow(0, 0, 1, 1, 1))
"""What a response carries where no view was granted; its crop is not sent."""


def observe_request_message(request: ObserveRequest, types: MessageTypes) -> Any:
    """The request of ``Observe``."""
    return types("avr_ros/srv/Observe_Request")(
        request_id=request.request_id,
        episode_id=request.episode_id,
        sequence=request.sequence,
        frame_id=request.frame_id,
        stamp=time_message(request.stamp_ns, types),
        azimuth=float(request.azimuth),
        field_of_view=float(request.field_of_view),
        image_format=int(request.image_format),
    )


def observe_request_from_message(message: Any) -> ObserveRequest:
    """What a request of ``Observe`` asks for."""
    return ObserveRequest(
        frame_id=int(message.frame_id),
        azimuth=float(message.azimuth),
        episode_id=str(message.episode_id),
        request_id=str(message.request_id),
        sequence=str(message.sequence),
        stamp_ns=stamp_ns(message.stamp),
        field_of_view=float(message.field_of_view),
        image_format=int(message.image_format),
    )


def observation_message(
    observation: Observation | None, camera_frame: str, types: MessageTypes
) -> Any:
    """An ``Observation``, empty of none; ``camera_frame`` is the coordinate frame's name."""
    if observation is None:
        observation, camera_frame = _NOTHING, ""
    stamp = observation.stamp_ns
    granted = observation is not _NOTHING
    return types("avr_ros/msg/Observation")(
        header=header_message(stamp, camera_frame, types),
        observation_id=observation.observation_id,
        sequence=observation.sequence,
        frame_id=observation.frame_id,
        azimuth=observation.azimuth,
        field_of_view=observation.field_of_view,
        crop=crop_message(observation.crop if granted else None, types),
        jpeg=compressed_image_message(observation.jpeg or b"", stamp, camera_frame, types),
        raw=image_message(observation.raw, stamp, camera_frame, types),
    )


def observation_from_message(message: Any, panorama_width: int) -> Observation:
    """The observation of an ``Observation`` on a panorama of a width in pixels.

    Raises MessageContentError where crop or picture are not those of a view.
    """
    crop = crop_from_message(message.crop, panorama_width)
    if crop is None:
        raise MessageContentError("Observation: the crop is empty")
    jpeg = to_bytes(message.jpeg.data) or None
    raw = pixels_from_message(message.raw) if len(message.raw.data) else None
    if (jpeg is None) == (raw is None):
        raise MessageContentError("Observation: exactly one of jpeg and raw must be set")
    if raw is not None and raw.shape != (CROP_SIZE, CROP_SIZE, 3):
        raise MessageContentError(f"Observation: raw has shape {raw.shape}")
    return Observation(
        observation_id=str(message.observation_id),
        sequence=str(message.sequence),
        frame_id=int(message.frame_id),
        stamp_ns=stamp_ns(message.header.stamp),
        azimuth=float(message.azimuth),
        field_of_view=float(message.field_of_view),
        crop=crop,
        jpeg=jpeg,
        raw=raw,
    )


def observe_response_message(
    response: ObserveResponse, camera_frame: str, types: MessageTypes
) -> Any:
    """The response of ``Observe``."""
    return types("avr_ros/srv/Observe_Response")(
        status=int(response.status),
        message=response.message,
        observation=observation_message(response.observation, camera_frame, types),
        remaining_observations=response.remaining_observations,
    )


def observe_response_from_message(message: Any, panorama_width: int) -> ObserveResponse:
    """What a response of ``Observe`` says. Raises MessageContentError for one that is none."""
    status = observe_status(message.status)
    return ObserveResponse(
        status=status,
        message=str(message.message),
        observation=(
            observation_from_message(message.observation, panorama_width)
            if status is ObserveStatus.OK
            else None
        ),
        remaining_observations=int(message.remaining_observations),
    )


def observe_status(number: Any) -> ObserveStatus:
    """The status of a number. Raises MessageContentError for one that does not exist."""
    try:
        return ObserveStatus(int(number))
    except ValueError as error:
        raise MessageContentError(f"Observe: status {number} does not exist") from error


def given_frame_response_message(
    response: GivenFrameResponse, camera_frame: str, types: MessageTypes
) -> Any:
    """The response of ``GetGivenFrame``."""
    frame = response.frame
    stamp = frame.stamp_ns if frame is not None else 0
    name = camera_frame if frame is not None else ""
    return types("avr_ros/srv/GetGivenFrame_Response")(
        status=int(response.status),
        message=response.message,
        header=header_message(stamp, name, types),
        observation_id=frame.observation_id if frame is not None else "",
        sequence=frame.sequence if frame is not None else "",
        jpeg=compressed_image_message(frame.jpeg if frame is not None else b"", stamp, name, types),
    )


def given_frame_response_from_message(message: Any, frame_id: int) -> GivenFrameResponse:
    """What a response of ``GetGivenFrame`` to a request for ``frame_id`` says."""
    status = observe_status(message.status)
    frame = None
    if status is ObserveStatus.OK:
        frame = GivenFrame(
            observation_id=str(message.observation_id),
            sequence=str(message.sequence),
            frame_id=frame_id,
            stamp_ns=stamp_ns(message.header.stamp),
            jpeg=to_bytes(message.jpeg.data),
        )
    return GivenFrameResponse(status, str(message.message), frame)

"""Requests for views and what comes back."""

from typing import Any

from avr_ros.geometry.crop import CROP_SIZE
from avr_ros.messages.arrays import to_bytes
from avr_ros.messages.box import crop_from_message
from avr_ros.messages.image import (
    ReusedImage,
    compressed_image_message,
    fill_compressed_image,
    fill_image,
    pixels_from_message,
)
from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import fill_header, header_message, stamp_ns, time_message
from avr_ros.schema.observation import (
    GivenFrame,
    GivenFrameResponse,
    Observation,
    ObserveRequest,
    ObserveResponse,
    ObserveStatus,
)


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


def fill_observe_response(
    message: Any,
    response: ObserveResponse,
    camera_frame: str,
    picture: ReusedImage | None = None,
) -> Any:
    """Fill and return an empty response of ``Observe``.

    It is filled in place because making its nested messages again takes as long as finding and
    cutting the view. ``picture`` takes a raw view, which is then overwritten by the next one.
    """
    message.status = int(response.status)
    message.message = response.message
    message.remaining_observations = response.remaining_observations
    observation = response.observation
    if observation is None:
        return message
    view = message.observation
    view.observation_id = observation.observation_id
    view.sequence = observation.sequence
    view.frame_id = observation.frame_id
    view.azimuth = observation.azimuth
    view.field_of_view = observation.field_of_view
    view.crop.x_offset = observation.crop.left
    view.crop.y_offset = observation.crop.top
    view.crop.height = observation.crop.height
    view.crop.width = observation.crop.width
    fill_header(view.header, observation.stamp_ns, camera_frame)
    if observation.jpeg is not None:
        fill_header(view.jpeg.header, observation.stamp_ns, camera_frame)
        fill_compressed_image(view.jpeg, observation.jpeg)
    if observation.raw is not None:
        if picture is None:
            fill_header(view.raw.header, observation.stamp_ns, camera_frame)
            fill_image(view.raw, observation.raw)
        else:
            view.raw = picture.filled(observation.raw, observation.stamp_ns, camera_frame)
    return message


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

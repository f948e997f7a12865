"""The observation service: serves views of a recording under the rules of episodes.

It is the same object behind the ROS services and in one process.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from avr_ros.benchmark.protocol.episode import Episode
from avr_ros.benchmark.protocol.legality import (
    RefusedError,
    check_azimuth,
    check_field_of_view,
    check_format,
)
from avr_ros.benchmark.protocol.opening import OpeningRefusedError, open_checked
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, CropWindow, crop_window, cut, cut_shared
from avr_ros.geometry.panorama import JRDB_CYLINDER, Cylinder
from avr_ros.recordings.errors import (
    FrameNotFound,
    RecordingError,
    TimeNotFound,
    UnknownSequence,
    UnreadableFrame,
)
from avr_ros.recordings.jpeg import DEFAULT_QUALITY, encode
from avr_ros.recordings.recording import (
    NO_STAMP,
    Recording,
    SequenceInfo,
    whole_microseconds,
)
from avr_ros.schema.episode import (
    CloseResponse,
    CloseStatus,
    EpisodeSpecification,
    LedgerKind,
    LedgerRecord,
    OpenResponse,
    OpenStatus,
)
from avr_ros.schema.observation import (
    GivenFrame,
    GivenFrameResponse,
    ImageFormat,
    Observation,
    ObserveRequest,
    ObserveResponse,
    ObserveStatus,
)

MAX_OPEN_EPISODES = 256
"""Episodes that may be open at once."""

CLOSED_EPISODES_KEPT = 1024
"""Closed episodes whose ledgers can still be fetched; older ones become unknown."""

FREE_MODE_BUDGET = -1
"""What free mode reports as remaining: no limit."""


@dataclass(frozen=True)
class _Place:
    """A view that passed every check but the budget."""

    sequence: str
    frame_id: int
    stamp_ns: int
    azimuth: float
    field_of_view: float
    window: CropWindow
    image_format: ImageFormat


class ObservationService:
    """Serves views by frame and azimuth, keeps budgets and ledgers. Thread-safe.

    ``on_record`` is called with every exchange as it happens, in each episode's order;
    exchanges outside of an episode (free mode, unknown episode ids) carry sequence number 0.
    Memory is bounded: by :data:`MAX_OPEN_EPISODES`, :data:`CLOSED_EPISODES_KEPT`, each
    episode's budget and its bounded refusals.
    """

    def __init__(
        self,
        recording: Recording,
        *,
        cylinder: Cylinder = JRDB_CYLINDER,
        free_mode: bool = False,
        jpeg_quality: int = DEFAULT_QUALITY,
        on_record: Callable[[LedgerRecord], None] | None = None,
    ) -> None:
        """Serve ``recording``; ``free_mode`` also serves views without an episode."""
        self._recording = recording
        self._cylinder = cylinder
        self._free_mode = free_mode
        self._jpeg_quality = jpeg_quality
        self._on_record = on_record
        self._lock = threading.Lock()
        self._open: dict[str, Episode] = {}
        self._closed: OrderedDict[str, Episode] = OrderedDict()

    @property
    def free_mode(self) -> bool:
        """Whether views are served without an episode."""
        return self._free_mode

    @property
    def cylinder(self) -> Cylinder:
        """The panorama's geometry."""
        return self._cylinder

    @property
    def recording(self) -> Recording:
        """The recording that is served."""
        return self._recording

    @property
    def open_episodes(self) -> int:
        """How many episodes are open."""
        with self._lock:
            return len(self._open)

    def open_episode(self, specification: EpisodeSpecification) -> OpenResponse:
        """Open an episode. The same specification again, while it is open, is no error."""
        episode_id = specification.episode_id
        with self._lock:
            present = self._open.get(episode_id)
            if present is not None and present.specification == specification:
                return OpenResponse(OpenStatus.OK, "")
            if present is not None or episode_id in self._closed:
                return OpenResponse(
                    OpenStatus.EPISODE_EXISTS,
                    f"episode {episode_id!r} exists with other content or is closed; "
                    "choose another id",
                )
        try:
            episode = open_checked(specification, self._recording)
        except OpeningRefusedError as error:
            return OpenResponse(error.status, str(error))
        with self._lock:
            if len(self._open) >= MAX_OPEN_EPISODES:
                return OpenResponse(
                    OpenStatus.TOO_MANY_EPISODES,
                    f"{MAX_OPEN_EPISODES} episodes are open; close one first",
                )
            first = self._open.setdefault(episode_id, episode)
            if first.specification != specification:
                return OpenResponse(
                    OpenStatus.EPISODE_EXISTS,
                    f"episode {episode_id!r} was opened meanwhile",
                )
        return OpenResponse(OpenStatus.OK, "")

    def close_episode(self, episode_id: str) -> CloseResponse:
        """Close an episode and return its ledger; again, while it is remembered, the same."""
        with self._lock:
            episode = self._open.get(episode_id) or self._closed.get(episode_id)
        if episode is None:
            return CloseResponse(
                CloseStatus.UNKNOWN_EPISODE, f"no episode {episode_id!r} is known", None
            )
        with episode.lock:
            episode.closed = True
            ledger = episode.ledger()
        with self._lock:
            if self._open.pop(episode_id, None) is not None:
                self._closed[episode_id] = episode
                while len(self._closed) > CLOSED_EPISODES_KEPT:
                    self._closed.popitem(last=False)
        return CloseResponse(CloseStatus.OK, "", ledger)

    def observe(self, request: ObserveRequest) -> ObserveResponse:
        """Serve one view, or refuse it with a status; never raises for what a client sent."""
        if not request.episode_id:
            return self._observe_freely(request)
        try:
            episode = self._open_episode(request.episode_id)
        except RefusedError as error:
            return self._refuse_outside(request, error)
        with episode.lock:
            return self._observe_in(episode, request)

    def given_frame(self, episode_id: str, frame_id: int) -> GivenFrameResponse:
        """Hand out a panorama that the episode gives; not charged, entered once."""
        try:
            episode = self._open_episode(episode_id)
        except RefusedError as error:
            return GivenFrameResponse(error.status, str(error), None)
        with episode.lock:
            return self._give(episode, frame_id)

    def _open_episode(self, episode_id: str) -> Episode:
        """The open episode of an id. Raises RefusedError where there is none."""
        with self._lock:
            episode = self._open.get(episode_id)
            if episode is not None:
                return episode
            if episode_id in self._closed:
                raise _closed(episode_id)
        raise RefusedError(ObserveStatus.UNKNOWN_EPISODE, f"episode {episode_id!r} is not known")

    def _observe_freely(self, request: ObserveRequest) -> ObserveResponse:
        try:
            if not self._free_mode:
                raise RefusedError(
                    ObserveStatus.FREE_MODE_DISABLED,
                    "this node serves views only in episodes; open one with open_episode",
                )
            place = self._locate(request, self._free_sequence(request.sequence), None, None)
            observation = self._render(
                place,
                f"free/{place.sequence}/{place.frame_id}/{place.azimuth:.6f}",
            )
        except RefusedError as error:
            return self._refuse_outside(request, error)
        record = self._record(request, place, observation.observation_id, 0, FREE_MODE_BUDGET)
        self._announce(record)
        return ObserveResponse(ObserveStatus.OK, "", observation, FREE_MODE_BUDGET)

    def _observe_in(self, episode: Episode, request: ObserveRequest) -> ObserveResponse:
        try:
            if episode.closed:
                raise _closed(request.episode_id)
            if request.request_id:
                repeated = self._repeat(episode, request)
                if repeated is not None:
                    return repeated
            if request.sequence not in ("", episode.sequence):
                raise RefusedError(
                    ObserveStatus.UNKNOWN_SEQUENCE,
                    f"sequence {request.sequence!r} is not the episode's, {episode.sequence!r}",
                )
            place = self._locate(
                request, episode.sequence, episode.fields_of_view, episode.legal_frames
            )
            if episode.remaining <= 0:
                raise RefusedError(
                    ObserveStatus.BUDGET_EXHAUSTED,
                    f"all {episode.specification.max_observations} observations are used",
                )
            observation = self._render(place, f"{request.episode_id}/{episode.charged + 1}")
        except RefusedError as error:
            return self._refuse_in(episode, request, error)
        record = self._record(
            request,
            place,
            observation.observation_id,
            episode.next_sequence_number,
            episode.remaining - 1,
        )
        episode.grant(request, record)
        self._announce(record)
        return ObserveResponse(ObserveStatus.OK, "", observation, episode.remaining)

    def _repeat(self, episode: Episode, request: ObserveRequest) -> ObserveResponse | None:
        """Answer a repeated request id: the same response, rendered again and not charged."""
        first = episode.request_with_id(request.request_id)
        if first is None:
            return None
        if not _same_content(first, request):
            raise RefusedError(
                ObserveStatus.REQUEST_ID_CONFLICT,
                f"request id {request.request_id!r} was used for another request",
            )
        granted = episode.granted_for(request.request_id)
        if granted is None:
            return None
        place = _Place(
            sequence=granted.sequence,
            frame_id=granted.frame_id,
            stamp_ns=granted.stamp_ns,
            azimuth=granted.azimuth,
            field_of_view=granted.field_of_view,
            window=crop_window(self._cylinder, granted.azimuth, granted.field_of_view),
            image_format=check_format(request.image_format),
        )
        observation = self._render(place, granted.observation_id)
        return ObserveResponse(ObserveStatus.OK, "", observation, granted.remaining_observations)

    def _give(self, episode: Episode, frame_id: int) -> GivenFrameResponse:
        request = ObserveRequest(
            frame_id=frame_id, azimuth=0.0, episode_id=episode.specification.episode_id
        )
        try:
            if episode.closed:
                raise _closed(request.episode_id)
            if frame_id not in episode.specification.given_frames:
                raise RefusedError(
                    ObserveStatus.FRAME_NOT_LEGAL,
                    f"frame {frame_id} is not among the frames that the episode gives",
                )
            info = self._info(episode.sequence)
            try:
                stamp_ns = _stamp_ns(info, info.position(frame_id))
                self._recording.panorama(episode.sequence, frame_id)
                jpeg = self._recording.encoded(episode.sequence, frame_id)
            except FrameNotFound as error:
                raise RefusedError(ObserveStatus.FRAME_NOT_LEGAL, str(error)) from error
            except UnreadableFrame as error:
                raise RefusedError(ObserveStatus.UNREADABLE_FRAME, str(error)) from error
        except RefusedError as error:
            refusal = self._refusal(
                request,
                error,
                LedgerKind.GIVEN_FRAME,
                episode.next_sequence_number,
                episode.sequence,
                episode.remaining,
            )
            if episode.refuse(None, refusal):
                self._announce(refusal)
            return GivenFrameResponse(error.status, str(error), None)
        observation_id = f"{request.episode_id}/given/{frame_id}"
        if episode.given_record(frame_id) is None:
            record = LedgerRecord(
                episode_id=request.episode_id,
                sequence_number=episode.next_sequence_number,
                kind=LedgerKind.GIVEN_FRAME,
                request_id="",
                observation_id=observation_id,
                sequence=episode.sequence,
                frame_id=frame_id,
                stamp_ns=stamp_ns,
                azimuth=0.0,
                field_of_view=0.0,
                crop=None,
                status=ObserveStatus.OK,
                message="",
                remaining_observations=episode.remaining,
            )
            episode.give(record)
            self._announce(record)
        frame = GivenFrame(observation_id, episode.sequence, frame_id, stamp_ns, jpeg)
        return GivenFrameResponse(ObserveStatus.OK, "", frame)

    def _free_sequence(self, sequence: str) -> str:
        if sequence:
            return sequence
        names = self._recording.sequences()
        if len(names) != 1:
            raise RefusedError(
                ObserveStatus.UNKNOWN_SEQUENCE,
                f"name one of the {len(names)} sequences: " + ", ".join(names),
            )
        return names[0]

    def _info(self, sequence: str) -> SequenceInfo:
        try:
            return self._recording.sequence(sequence)
        except UnknownSequence as error:
            raise RefusedError(ObserveStatus.UNKNOWN_SEQUENCE, str(error)) from error
        except RecordingError as error:
            raise RefusedError(ObserveStatus.UNREADABLE_FRAME, str(error)) from error

    def _locate(
        self,
        request: ObserveRequest,
        sequence: str,
        fields_of_view: tuple[float, ...] | None,
        legal_frames: frozenset[int] | None,
    ) -> _Place:
        image_format = check_format(request.image_format)
        azimuth = check_azimuth(request.azimuth)
        field_of_view = check_field_of_view(
            request.field_of_view, fields_of_view or (DEFAULT_FIELD_OF_VIEW,)
        )
        info = self._info(sequence)
        frame_id, position = self._frame(request, info)
        if legal_frames is not None and frame_id not in legal_frames:
            raise RefusedError(
                ObserveStatus.FRAME_NOT_LEGAL,
                f"frame {frame_id} is not among the legal frames of the episode",
            )
        return _Place(
            sequence=info.name,
            frame_id=frame_id,
            stamp_ns=_stamp_ns(info, position),
            azimuth=azimuth,
            field_of_view=field_of_view,
            window=crop_window(self._cylinder, azimuth, field_of_view),
            image_format=image_format,
        )

    def _frame(self, request: ObserveRequest, info: SequenceInfo) -> tuple[int, int]:
        """Return the frame that is meant and its position in the sequence."""
        frame_id = request.frame_id
        try:
            if frame_id == -1:
                stamp_us = whole_microseconds(request.stamp_ns)
                frame_id = self._recording.frame_at(info.name, stamp_us)
            return frame_id, info.position(frame_id)
        except TimeNotFound as error:
            raise RefusedError(ObserveStatus.TIME_NOT_FOUND, str(error)) from error
        except FrameNotFound as error:
            raise RefusedError(ObserveStatus.FRAME_NOT_LEGAL, str(error)) from error

    def _render(self, place: _Place, observation_id: str) -> Observation:
        try:
            panorama = self._recording.panorama(place.sequence, place.frame_id)
        except FrameNotFound as error:
            raise RefusedError(ObserveStatus.FRAME_NOT_LEGAL, str(error)) from error
        except UnreadableFrame as error:
            raise RefusedError(ObserveStatus.UNREADABLE_FRAME, str(error)) from error
        expected = (self._cylinder.height, self._cylinder.width)
        if panorama.shape[:2] != expected:
            raise RefusedError(
                ObserveStatus.UNREADABLE_FRAME,
                f"frame {place.frame_id} of {place.sequence!r} has {panorama.shape[1]}x"
                f"{panorama.shape[0]} px, expected {expected[1]}x{expected[0]}",
            )
        jpeg = place.image_format is ImageFormat.JPEG
        # Encoding from the panorama's own rows, far apart as they are, takes longer than copying.
        pixels = (cut if jpeg else cut_shared)(panorama, place.window)
        return Observation(
            observation_id=observation_id,
            sequence=place.sequence,
            frame_id=place.frame_id,
            stamp_ns=place.stamp_ns,
            azimuth=place.azimuth,
            field_of_view=place.field_of_view,
            crop=place.window,
            jpeg=encode(pixels, self._jpeg_quality) if jpeg else None,
            raw=None if jpeg else pixels,
        )

    def _record(
        self,
        request: ObserveRequest,
        place: _Place,
        observation_id: str,
        sequence_number: int,
        remaining: int,
    ) -> LedgerRecord:
        return LedgerRecord(
            episode_id=request.episode_id,
            sequence_number=sequence_number,
            kind=LedgerKind.OBSERVATION,
            request_id=request.request_id,
            observation_id=observation_id,
            sequence=place.sequence,
            frame_id=place.frame_id,
            stamp_ns=place.stamp_ns,
            azimuth=place.azimuth,
            field_of_view=place.field_of_view,
            crop=place.window,
            status=ObserveStatus.OK,
            message="",
            remaining_observations=remaining,
        )

    def _refusal(
        self,
        request: ObserveRequest,
        error: RefusedError,
        kind: LedgerKind,
        sequence_number: int,
        sequence: str,
        remaining: int,
    ) -> LedgerRecord:
        return LedgerRecord(
            episode_id=request.episode_id,
            sequence_number=sequence_number,
            kind=kind,
            request_id=request.request_id,
            observation_id="",
            sequence=sequence,
            frame_id=max(request.frame_id, -1),
            stamp_ns=0,
            azimuth=request.azimuth,
            field_of_view=request.field_of_view,
            crop=None,
            status=error.status,
            message=str(error),
            remaining_observations=remaining,
        )

    def _refuse_in(
        self, episode: Episode, request: ObserveRequest, error: RefusedError
    ) -> ObserveResponse:
        record = self._refusal(
            request,
            error,
            LedgerKind.OBSERVATION,
            episode.next_sequence_number,
            request.sequence or episode.sequence,
            episode.remaining,
        )
        conflict = error.status is ObserveStatus.REQUEST_ID_CONFLICT
        if episode.refuse(None if conflict else request, record):
            self._announce(record)
        return ObserveResponse(error.status, str(error), None, episode.remaining)

    def _refuse_outside(self, request: ObserveRequest, error: RefusedError) -> ObserveResponse:
        remaining = FREE_MODE_BUDGET if not request.episode_id else 0
        self._announce(
            self._refusal(request, error, LedgerKind.OBSERVATION, 0, request.sequence, remaining)
        )
        return ObserveResponse(error.status, str(error), None, remaining)

    def _announce(self, record: LedgerRecord) -> None:
        if self._on_record is not None:
            self._on_record(record)


def _closed(episode_id: str) -> RefusedError:
    return RefusedError(ObserveStatus.EPISODE_CLOSED, f"episode {episode_id!r} is closed")


def _same_content(first: ObserveRequest, second: ObserveRequest) -> bool:
    """Whether two requests ask for the same, comparing NaN as equal to NaN."""
    return repr(first) == repr(second)


def _stamp_ns(info: SequenceInfo, position: int) -> int:
    """The frame's stamp in nanoseconds, 0 where the recording does not know it."""
    stamp_us = int(info.stamps_us[position])
    return 0 if stamp_us == NO_STAMP else stamp_us * 1000

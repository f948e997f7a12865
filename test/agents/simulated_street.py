"""A small simulated street: people who walk, stand and sit around a turning robot.

It stands in for a recording and its labels where an agent is tested by itself: views hold no
pixels, and perception is the oracle's over the simulated labels.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from avr_ros.agents.agent import AgentTools
from avr_ros.agents.tools import (
    ObservationRefusedError,
    Panorama,
    SequenceTimes,
    View,
    WriteOutcome,
)
from avr_ros.geometry import boxes
from avr_ros.geometry.crop import CropWindow, crop_window
from avr_ros.geometry.labels_frame import panorama_box, rot_z_from_heading
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.perception.oracle_view import LabelledPerson, Place, detections
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.episode import LedgerKind, LedgerRecord
from avr_ros.schema.fact import Fact, FactPattern
from avr_ros.schema.observation import GivenFrame, Observation, ObserveStatus
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.step import Step
from avr_ros.schema.vocabulary import Occlusion
from avr_ros.world.world_model import WorldModel

EPISODE = "q#1"
BLANK = np.zeros((480, 480, 3), dtype=np.uint8)
WIDE = np.broadcast_to(np.uint8(0), (480, 3760, 3))


@dataclass
class Walker:
    """One person: place in the world for each frame, what they do, how hidden they are."""

    track: str
    places: np.ndarray
    actions: list[frozenset[str]]
    occlusion: list[Occlusion]


@dataclass
class Street:
    """A sequence of labels."""

    frames: int
    people: list[Walker]
    robot: np.ndarray  # x, y, heading for each frame

    def __post_init__(self) -> None:
        self._labels: dict[int, list[LabelledPerson]] = {}

    def labels(self, frame: int) -> list[LabelledPerson]:
        """The people of a frame as labels; nobody changes once a frame was asked for."""
        if frame not in self._labels:
            self._labels[frame] = self._make_labels(frame)
        return self._labels[frame]

    def _make_labels(self, frame: int) -> list[LabelledPerson]:
        x, y, heading = self.robot[frame]
        cosine, sine = math.cos(heading), math.sin(heading)
        away = np.array([walker.places[frame] for walker in self.people]) - (x, y)
        here = away @ np.array([[cosine, -sine], [sine, cosine]])
        solid = np.zeros((len(here), 7))
        solid[:, :2] = here
        solid[:, 3:] = (0.6, 0.5, 1.8, float(rot_z_from_heading(0.3)))
        outlines = boxes.clip_rows(
            boxes.normalise(panorama_box(solid, JRDB_CYLINDER), JRDB_CYLINDER.width),
            JRDB_CYLINDER.height,
        )
        return [
            LabelledPerson(
                walker.track,
                Box(*outline),
                walker.occlusion[frame],
                walker.actions[frame],
                (place[0], place[1]),
            )
            for walker, outline, place in zip(
                self.people, outlines.tolist(), here.tolist(), strict=True
            )
        ]

    def label(self, frame: int, track: str) -> LabelledPerson:
        """One person's label as things stand, also while people are still being changed."""
        return next(person for person in self._make_labels(frame) if person.track == track)


def make_street(seed: int, frames: int = 120, people: int = 20, hidden: float = 0.25) -> Street:
    """A street where everybody stands or walks, changing now and then; nobody sits or cycles."""
    rng = np.random.default_rng(seed)
    steps = np.arange(frames)
    turn = 0.5 * np.sin(steps / 40.0 + rng.uniform(0, 6)) * rng.uniform(0, 1.5)
    robot = np.stack([steps * rng.uniform(0, 0.02), steps * 0.0, turn], axis=1)
    walkers = []
    for index in range(people):
        angle, distance = rng.uniform(-np.pi, np.pi), rng.uniform(2.5, 9.0)
        place = distance * np.array([math.cos(angle), math.sin(angle)])
        direction = rng.uniform(-np.pi, np.pi)
        velocity = 0.05 * np.array([math.cos(direction), math.sin(direction)])
        walks = np.zeros(frames, dtype=bool)
        at, state = 0, bool(rng.integers(2))
        while at < frames:
            length = int(rng.integers(25, 80))
            walks[at : at + length] = state
            at, state = at + length, not state
        moved = np.cumsum(np.where(walks[:, None], velocity, 0.0), axis=0)
        places = place + moved
        away = places - robot[:, :2]
        near = np.hypot(away[:, 0], away[:, 1]) < 1.5
        places[near] = robot[near, :2] + 1.5 * away[near] / np.maximum(
            np.hypot(away[near, 0], away[near, 1])[:, None], 0.1
        )
        occlusion = [Occlusion.FULLY_VISIBLE] * frames
        if rng.random() < hidden:
            first = int(rng.integers(frames))
            for frame in range(first, min(frames, first + 15)):
                occlusion[frame] = Occlusion.FULLY_OCCLUDED
        actions = [frozenset({"walking"} if walking else {"standing"}) for walking in walks]
        walkers.append(Walker(f"pedestrian:{index}", places, actions, occlusion))
    return Street(frames, walkers, robot)


@dataclass
class Episode:
    """One episode in the street: observer, perceiver and world model in one object."""

    street: Street
    question: Question
    oracle: OracleSettings = field(default_factory=OracleSettings)
    steps: list[Step] = field(default_factory=list)
    records: dict[str, LedgerRecord] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.model = WorldModel(EPISODE)
        self.remaining = self.question.max_observations
        legal = np.zeros(self.street.frames, dtype=bool)
        for span in self.question.legal_frames or (FrameSpan(first=0, last=self.street.frames),):
            legal[span.first : span.last + 1] = True
        ids = np.flatnonzero(legal).astype(np.int64)
        self.times = SequenceTimes("street", ids, ids * 68_000)

    @property
    def tools(self) -> AgentTools:
        """What the agent is handed."""
        return AgentTools(self, self, self, self.steps.append, EPISODE)

    def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0) -> View:
        if self.remaining <= 0:
            raise ObservationRefusedError(ObserveStatus.BUDGET_EXHAUSTED, "no views left")
        if frame_id not in self.times.frame_ids:
            raise ObservationRefusedError(ObserveStatus.FRAME_NOT_LEGAL, f"frame {frame_id}")
        assert -math.pi <= azimuth <= math.pi
        self.remaining -= 1
        crop = crop_window(JRDB_CYLINDER, azimuth)
        number = len(self.records) + 1
        record = LedgerRecord(
            episode_id=EPISODE,
            sequence_number=number,
            kind=LedgerKind.OBSERVATION,
            request_id="",
            observation_id=f"{EPISODE}/{number}",
            sequence="street",
            frame_id=frame_id,
            stamp_ns=frame_id * 68_000_000,
            azimuth=azimuth,
            field_of_view=2 * math.pi * 480 / 3760,
            crop=crop,
            status=ObserveStatus.OK,
            message="",
            remaining_observations=self.remaining,
        )
        self.records[record.observation_id] = record
        self.model.add_record(record)
        observation = Observation(
            record.observation_id,
            "street",
            frame_id,
            record.stamp_ns,
            azimuth,
            record.field_of_view,
            crop,
            jpeg=b"",
        )
        return View(observation, BLANK)

    def given_frame(self, frame_id: int) -> Panorama:
        if frame_id not in self.question.given_frames:
            raise ObservationRefusedError(ObserveStatus.FRAME_NOT_LEGAL, "it is not given")
        number = len(self.records) + 1
        record = LedgerRecord(
            episode_id=EPISODE,
            sequence_number=number,
            kind=LedgerKind.GIVEN_FRAME,
            request_id="",
            observation_id=f"{EPISODE}/{number}",
            sequence="street",
            frame_id=frame_id,
            stamp_ns=frame_id * 68_000_000,
            azimuth=0.0,
            field_of_view=0.0,
            crop=None,
            status=ObserveStatus.OK,
            message="",
            remaining_observations=self.remaining,
        )
        self.records[record.observation_id] = record
        self.model.add_record(record)
        frame = GivenFrame(record.observation_id, "street", frame_id, record.stamp_ns, b"")
        return Panorama(frame, WIDE)

    def detect(self, view: View | Panorama) -> list[Detection]:
        width, height = JRDB_CYLINDER.width, JRDB_CYLINDER.height
        if isinstance(view, View):
            frame, crop = view.observation.frame_id, view.observation.crop
        else:
            frame, crop = view.frame.frame_id, CropWindow(0, 0, width, height, width)
        place = Place("street", frame, crop)
        return detections(self.street.labels(frame), place, JRDB_CYLINDER, self.oracle)

    def write(self, facts: list[Fact]) -> WriteOutcome:
        return self.model.write(facts)

    def read(self, pattern: FactPattern) -> list[Fact]:
        return self.model.read(pattern)


def evidence_is_right(episode: Episode, prediction: Prediction, track: str, frames: range) -> bool:
    """Whether the evidence shows a person in one of the frames, in a view that was granted."""
    evidence = prediction.evidence
    if evidence is None or evidence.box is None or evidence.azimuth_deg is None:
        return False
    record = episode.records[evidence.observation_id]
    label = episode.street.label(evidence.frame_id, track)
    return (
        evidence.frame_id in frames
        and record.frame_id == evidence.frame_id
        and abs(math.degrees(record.azimuth) - evidence.azimuth_deg) < 1e-6
        and record.crop is not None
        and bool(boxes.contains(record.crop, evidence.box))
        and float(boxes.iou(evidence.box, label.box, 3760)) >= 0.5
    )

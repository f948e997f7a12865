"""Looking: a view is asked for, people in it are found and bound, and what it shows is written."""

import math
from collections.abc import Iterable
from typing import Final

from avr_ros.agents.avr.angle import wrap
from avr_ros.agents.avr.coverage import Coverage
from avr_ros.agents.avr.motion import Expectation, Motion
from avr_ros.agents.avr.people import People, Person
from avr_ros.agents.avr.robot_path import RobotPath
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.avr.sighting import Sighting, sightings, view_provenance
from avr_ros.agents.toolbox import Toolbox
from avr_ros.agents.tools import Panorama, View
from avr_ros.geometry.panorama import TWO_PI
from avr_ros.schema.fact import Fact, FactKind
from avr_ros.schema.observation import GivenFrame, Observation
from avr_ros.schema.vocabulary import ACTIONS
from avr_ros.world.evidence_index import ABSENT, ACTION, GROUND, HEADING, NO_ACTION

UNSEEN_ACTIONS: Final = frozenset(
    {
        "impossible",
        "listening to someone",
        "talking to someone",
        "looking at robot",
        "looking into sth",
        "looking at sth",
    }
)
"""Actions that nobody can tell from a picture of a few dozen pixels."""

VISIBLE_ACTIONS: Final = tuple(action for action in ACTIONS if action not in UNSEEN_ACTIONS)
"""The other ones."""

ABSENCE_CONFIDENCE: Final = 0.9
"""How far a frame seen all around speaks for somebody's absence: else they are hidden there."""


class Scout:
    """Looks on behalf of one question and keeps the people that it met.

    For each person in a view these facts are written: that they are there; each action that they
    do (``action``); each action of interest that they do not (``not action``); where they stand
    (``ground``, metres forward and left of the robot). Nothing is written of the actions of
    somebody whose actions perception cannot tell.
    """

    def __init__(self, toolbox: Toolbox, settings: AvrSettings, actions: Iterable[str]) -> None:
        """Look with ``toolbox``; ``actions`` are those whose absence matters to the question."""
        self._toolbox = toolbox
        self.settings = settings
        self._actions = tuple(dict.fromkeys(actions))
        self._watched: Person | None = None
        self.people = People(settings, self._expect)
        times = toolbox.times
        self._stamps: dict[int, float] = dict(
            zip(times.frame_ids.tolist(), (times.stamps_us / 1e6).tolist(), strict=True)
        )
        self._path: RobotPath | None = None
        self._views: dict[int, list[Observation | GivenFrame]] = {}

    @property
    def looks_left(self) -> int:
        """Views that can still be asked for."""
        return self._toolbox.looks_left if self.settings.active else 0

    def look(self, frame_id: int, azimuth: float) -> list[tuple[Person, Sighting]]:
        """Look once; return who was seen. Raises what the tools raise."""
        return self.take(self._toolbox.observe(frame_id, wrap(azimuth)))

    def take_given(self, frame_ids: Iterable[int]) -> None:
        """Take given panoramas for looks: all that an agent sees that may not look itself."""
        for frame_id in frame_ids:
            self.take(self._toolbox.given_frame(frame_id))

    def take(self, view: View | Panorama) -> list[tuple[Person, Sighting]]:
        """Who a view shows; written down."""
        shown = view.observation if isinstance(view, View) else view.frame
        seen = sightings(view, self._toolbox.detect(view))
        self._views.setdefault(shown.frame_id, []).append(shown)
        # Where everybody is depends on how the robot has turned, which those tell who are known.
        matched = self.people.match(seen)
        self._learn_path(shown.frame_id, zip(matched, seen, strict=True))
        people = self.people.bind(seen, parts=shown.frame_id == self.path.origin)
        bound = [
            (person, sighting)
            for person, sighting in zip(people, seen, strict=True)
            if person is not None
        ]
        self._learn_path(shown.frame_id)
        facts = [fact for person, sighting in bound for fact in self._facts(person, sighting)]
        if facts:
            self._toolbox.write(facts)
        return bound

    def azimuths(self, frame_id: int) -> list[float]:
        """Directions in radians of the views of a frame so far."""
        return [
            shown.azimuth
            for shown in self._views.get(frame_id, ())
            if isinstance(shown, Observation)
        ]

    def merge(self, other: Person, person: Person) -> None:
        """Take the sightings of somebody else for those of a person, and write that down."""
        self.people.merge(other, person)
        for sighting in other.sightings:
            self._learn_path(sighting.frame_id)
            self._toolbox.write(self._facts(person, sighting))

    def seen_all_around(self, frame_id: int) -> bool:
        """Whether what was looked at of a frame leaves out no direction."""
        shown = self._views.get(frame_id, ())
        given = any(isinstance(item, GivenFrame) for item in shown)
        return given or self._coverage(frame_id).whole

    def unseen_view(self, frame_id: int) -> float | None:
        """Azimuth of a view of the first direction left out of a frame, none if none was."""
        return self._coverage(frame_id).next_view(-math.pi, 1, TWO_PI)

    def _coverage(self, frame_id: int) -> Coverage:
        coverage = Coverage()
        for azimuth in self.azimuths(frame_id):
            coverage.add(azimuth)
        return coverage

    def write_absent(self, person: Person, frame_id: int, azimuth: float) -> None:
        """Write that a person is not there in a frame that was seen all around.

        The view that grounds it is the one that shows most of where they would be, ``azimuth``.
        """
        shown = min(
            self._views[frame_id],
            key=lambda item: (
                0.0 if isinstance(item, GivenFrame) else abs(wrap(item.azimuth - azimuth))
            ),
        )
        self._toolbox.write(
            [
                Fact(
                    kind=FactKind.ATTRIBUTE,
                    subject=person.name,
                    predicate=ABSENT,
                    provenance=view_provenance(shown, ABSENCE_CONFIDENCE, "deduced"),
                )
            ]
        )

    @property
    def path(self) -> RobotPath:
        """Where the robot was, as far as looks have told; there must have been one."""
        assert self._path is not None, "nothing was looked at yet"
        return self._path

    def seconds(self, first: int, second: int) -> float:
        """Time in seconds from one frame to another."""
        return self._stamps[second] - self._stamps[first]

    def frame_at(self, frame_id: int, seconds: float) -> int:
        """The legal frame that is nearest to a time after (or before) a frame."""
        wanted = self._stamps[frame_id] + seconds
        return min(self._stamps, key=lambda frame: abs(self._stamps[frame] - wanted))

    def seconds_at(self, frame_id: int) -> float:
        """A frame's time in seconds since the epoch."""
        return self._stamps[frame_id]

    def _learn_path(
        self, frame_id: int, matched: Iterable[tuple[Person | None, Sighting]] = ()
    ) -> None:
        """Learn where the robot is from those seen in a frame; ``matched`` are not bound yet."""
        if self._path is None:
            self._path = RobotPath(frame_id, self.seconds)
        here = {person: person.at(frame_id)[-1] for person in self.people if person.at(frame_id)}
        here.update({person: sighting for person, sighting in matched if person is not None})
        met = [
            ([item for item in person.sightings if item.frame_id != frame_id], sighting)
            for person, sighting in here.items()
        ]
        self._path.learn(frame_id, met)

    def motion(self, person: Person) -> Motion:
        """How a person moves, by all sightings of them."""
        return Motion(person.sightings, self.seconds, self.path)

    def _expect(self, person: Person, frame_id: int) -> Expectation:
        return self.motion(person).expect(frame_id)

    def watch(self, person: Person) -> None:
        """From now on also write of a person which visible actions they do not do."""
        self._watched = person

    def doing(self, sighting: Sighting) -> frozenset[str]:
        """Everything that a person does, as far as perception can tell."""
        threshold = self.settings.action_threshold
        actions = sighting.detection.actions
        return frozenset(action for action, value in actions.items() if value >= threshold)

    def _facts(self, person: Person, sighting: Sighting) -> list[Fact]:
        detection = sighting.detection
        facts = [
            Fact(
                kind=FactKind.ENTITY,
                subject=person.name,
                predicate="person",
                provenance=sighting.provenance(detection.confidence),
            )
        ]

        def tell(predicate: str, value: str, confidence: float) -> None:
            facts.append(
                Fact(
                    kind=FactKind.ATTRIBUTE,
                    subject=person.name,
                    predicate=predicate,
                    value=value,
                    provenance=sighting.provenance(confidence),
                )
            )

        if detection.ground is not None:
            ground = f"{detection.ground.x:.2f} {detection.ground.y:.2f}"
            tell(GROUND, ground, detection.confidence)
        if detection.heading is not None:
            tell(HEADING, f"{detection.heading:.3f}", detection.confidence)
        if not detection.actions:
            return facts
        threshold = self.settings.action_threshold
        done = [action for action, value in detection.actions.items() if value >= threshold]
        absent = VISIBLE_ACTIONS if person is self._watched else self._actions
        for predicate, actions in ((ACTION, done), (NO_ACTION, absent)):
            for action in actions:
                probability = detection.actions.get(action, 0.0)
                if predicate == NO_ACTION and action in done:
                    continue
                confidence = probability if predicate == ACTION else 1.0 - probability
                tell(predicate, action, confidence)
        return facts

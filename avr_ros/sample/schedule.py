"""Who does what, where and when: the plan of a sequence.

A sequence has a number of slots, each held by one person after another, so that about as many
people are present all the time. What somebody does is a list of segments without gaps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from avr_ros.sample.appearance import Appearance, draw_appearance
from avr_ros.sample.poses import METRES_PER_CYCLE
from avr_ros.sample.roadmap import Roadmap, path_length, smooth_path
from avr_ros.sample.robot import Drive
from avr_ros.sample.scene import FloatArray, Scene, Seat
from avr_ros.sample.styles import Style

MOVING: Final = frozenset(
    {"walking", "running", "cycling", "scootering", "going upstairs", "going downstairs"}
)
"""Postures that cover ground."""

SPEED: Final[dict[str, tuple[float, float]]] = {
    "walking": (1.05, 1.45),
    "running": (2.6, 3.3),
    "cycling": (3.0, 4.2),
    "scootering": (2.2, 3.0),
    "going upstairs": (0.50, 0.62),
    "going downstairs": (0.55, 0.70),
}
"""Slowest and fastest speed of each moving posture, metres a second."""

ROBOT: Final = -1
"""As the person somebody looks at: the robot."""


@dataclass
class Segment:
    """One thing that somebody does from ``start`` to ``end`` (seconds).

    Standing still: ``position`` and ``heading``. Moving: ``path`` (n, 2) and, on stairs,
    ``heights`` (n,). ``things`` are what is drawn in hands or under feet, ``side`` the hand that
    acts, ``look_at`` a person's index or `ROBOT`, ``point_at`` a world azimuth. ``cycle`` is the
    phase of the gait at the start and ``raised`` the floor's height.
    """

    start: float
    end: float
    posture: str
    gestures: tuple[str, ...]
    things: frozenset[str]
    group: int
    position: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    path: FloatArray | None = None
    heights: FloatArray | None = None
    raised: float = 0.0
    side: float = 1.0
    look_at: int | None = None
    point_at: float = 0.0
    cycle: float = 0.0
    table: bool = False
    variant: float = 0.0


@dataclass
class PersonPlan:
    """A person, their looks and all that they do."""

    index: int
    appearance: Appearance
    segments: list[Segment] = field(default_factory=list)

    @property
    def leaves(self) -> float:
        """When the last segment ends."""
        return self.segments[-1].end

    @property
    def enters(self) -> float:
        """When the first segment starts."""
        return self.segments[0].start


@dataclass(frozen=True)
class _Act:
    """Something done on the spot: gestures, things, shortest and longest time."""

    gestures: tuple[str, ...]
    things: tuple[str, ...]
    shortest: float
    longest: float
    weight: float


_STANDING_ACTS: Final = (
    _Act((), (), 1.6, 3.4, 1.6),
    _Act(("talking on the phone",), ("phone",), 2.2, 5.2, 2.0),
    _Act(("looking into sth",), ("phone_in_front",), 2.2, 5.2, 1.7),
    _Act(("reading",), ("book",), 2.2, 5.2, 1.1),
    _Act(("holding sth",), ("cup",), 2.2, 4.5, 1.1),
    _Act(("holding sth",), ("box",), 1.9, 3.8, 0.8),
    _Act(("pointing at sth",), (), 1.6, 2.6, 1.2),
    _Act(("greeting gestures",), (), 1.6, 2.5, 1.3),
    _Act(("looking at robot",), (), 1.6, 3.0, 0.9),
    _Act(("eating sth",), ("food",), 2.2, 4.5, 0.7),
)
_SITTING_ACTS: Final = (
    _Act((), (), 1.9, 3.8, 1.0),
    _Act(("reading",), ("book",), 2.2, 6.0, 1.6),
    _Act(("typing",), ("laptop",), 3.0, 6.8, 1.8),
    _Act(("looking into sth",), ("phone_in_front",), 2.2, 5.2, 1.5),
    _Act(("talking on the phone",), ("phone",), 2.2, 5.2, 1.3),
    _Act(("eating sth",), ("food",), 2.2, 6.0, 1.4),
    _Act(("holding sth",), ("cup",), 1.9, 3.8, 0.7),
    _Act(("greeting gestures",), (), 1.6, 2.5, 0.4),
)
_WALKING_ACTS: Final = (
    _Act((), (), 0.0, 0.0, 4.2),
    _Act(("talking on the phone",), ("phone",), 0.0, 0.0, 1.5),
    _Act(("looking into sth",), ("phone_in_front",), 0.0, 0.0, 0.9),
    _Act(("holding sth",), ("cup",), 0.0, 0.0, 0.9),
    _Act(("holding sth",), ("box",), 0.0, 0.0, 0.8),
    _Act(("pushing",), ("trolley",), 0.0, 0.0, 0.5),
)


_LISTENING_ACTS: Final = (
    _Act(("holding sth", "listening to someone"), ("cup",), 0.0, 0.0, 1.2),
    _Act(("eating sth",), ("food",), 0.0, 0.0, 0.8),
    _Act(("reading",), ("book",), 0.0, 0.0, 0.8),
    _Act(("talking on the phone",), ("phone",), 0.0, 0.0, 0.8),
    _Act(("looking into sth",), ("phone_in_front",), 0.0, 0.0, 0.5),
    _Act(("pointing at sth",), (), 0.0, 0.0, 0.8),
)

LIVELY_SHARE: Final = 0.28
"""Share of the people who go about in the robot's sight alone, doing one thing after another."""

HIDDEN_SHARE: Final = 0.6
"""Share of the people who are put out of sight, as far as the scene has places for it."""

ASIDE: Final = 0.35
"""Share of the turns of a conversation in sight in which a listener does something else."""


def _choose(rng: np.random.Generator, acts: tuple[_Act, ...]) -> _Act:
    weights = np.asarray([act.weight for act in acts])
    return acts[int(rng.choice(len(acts), p=weights / weights.sum()))]


class Planner:
    """Makes the plan of one sequence."""

    def __init__(
        self,
        scene: Scene,
        style: Style,
        drive: Drive,
        people: int,
        duration: float,
        rng: np.random.Generator,
    ) -> None:
        self.scene = scene
        self.style = style
        self.duration = duration
        self.slots = people
        self.rng = rng
        self.robot = drive.at(np.linspace(0.0, duration, max(int(duration / 0.5), 2)))[:, :2]
        self.roadmap = Roadmap(scene, rng, self.robot)
        self.people: list[PersonPlan] = []
        self.groups = 0
        self._taken_seats: set[Seat] = set()
        self._spots: list[FloatArray] = []
        self._gather = [np.asarray(p) for p in scene.gather]
        self._hidden = [
            np.asarray(p) for p in scene.hidden if self._robot_distance(np.asarray(p)) < 10.5
        ]
        self._stairs_used = 0

    def plan(self) -> list[PersonPlan]:
        """Fill every slot for the whole time."""
        left = self.slots
        hidden_left = round(HIDDEN_SHARE * self.slots)
        order = 0
        if self.scene.stairs and left > 1:
            self._stairs_used += 1
            self._climber()
            left -= 1
        for _ in range(min(round(LIVELY_SHARE * self.slots), left)):
            self._wanderer(0.0)
            left -= 1
        while left > 0:
            size = self._unit(left, hidden_left, order)
            if size < 0:
                hidden_left += size
            left -= abs(size)
            order += 1
        return self.people

    # Units of the crowd: each returns how many slots it filled, negative where out of sight.

    def _unit(self, left: int, hidden_left: int, order: int) -> int:
        rng = self.rng
        if hidden_left > 0 and order > 0 and rng.random() < 0.6:
            size = min(int(rng.integers(2, 6)), left, hidden_left)
            spot = self._sheltered_spot()
            if spot is not None:
                self._conversation(size, spot, lively=False)
                return -size
        draw = rng.random()
        free_seats = [seat for seat in self.scene.seats if seat not in self._taken_seats]
        outdoors = not self.scene.indoor
        if draw < 0.15 and left >= 2:
            size = min(int(rng.integers(2, 6)), left)
            self._conversation(size, self._gathering_spot(), lively=True)
            return size
        if draw < 0.38 and free_seats:
            return self._seated(free_seats, left)
        if draw < 0.44 and self.scene.stairs and self._stairs_used < 3:
            self._stairs_used += 1
            self._climber()
            return 1
        if draw < 0.53 and self.scene.lanes and outdoors:
            self._lane_slot(0.0)
            return 1
        if draw < 0.60 and left >= 2:
            size = min(int(rng.integers(2, 4)), left)
            self._walking_group(size)
            return size
        # Some are not there yet when the recording starts.
        late = rng.random() < 0.35
        self._wanderer(float(rng.uniform(0.02, 0.4)) * self.duration if late else 0.0)
        return 1

    # People and places

    def _person(self, rides: bool = False) -> PersonPlan:
        person = PersonPlan(len(self.people), draw_appearance(self.rng, self.style, rides))
        self.people.append(person)
        return person

    def _group(self) -> int:
        self.groups += 1
        return self.groups

    def _robot_distance(self, point: FloatArray) -> float:
        return float(np.min(np.linalg.norm(self.robot - point, axis=-1)))

    def _spot(self, near: FloatArray | None = None, reach: float = 9.0) -> FloatArray:
        """A free place to stand, not too near to the robot or to others who stand."""
        best: FloatArray | None = None
        best_score = -np.inf
        for attempt in range(50):
            if near is None:
                if self._spots and self.rng.random() < 0.8:
                    point = self._behind(self._spots[int(self.rng.integers(len(self._spots)))])
                else:
                    radius, angle = self.rng.uniform(1.7, 5.2), self.rng.uniform(-np.pi, np.pi)
                    point = self.robot[0] + radius * np.array([np.cos(angle), np.sin(angle)])
            elif attempt < 20 and self._spots and self.rng.random() < 0.8:
                point = self._behind(self._spots[int(self.rng.integers(len(self._spots)))])
                if not 2.0 < float(np.hypot(*(point - near))) < reach:
                    continue
            else:
                radius, angle = self.rng.uniform(2.5, reach), self.rng.uniform(-np.pi, np.pi)
                point = near + radius * np.array([np.cos(angle), np.sin(angle)])
            if float(self.scene.clearance_at(point[None])[0]) < 0.45:
                continue
            robot = self._robot_distance(point)
            if robot < 1.6 or robot > 8.0:
                continue
            others = min((float(np.hypot(*(point - s))) for s in self._spots), default=9.0)
            score = min(others, 1.2)
            if near is not None and not self.roadmap.visible(near, point, 0.1):
                score -= 0.3
            if score > best_score:
                best, best_score = point, score
            if score >= 1.1:
                break
        if best is None:
            best = self.roadmap.nodes[int(self.rng.integers(len(self.roadmap.nodes)))]
        self._spots.append(best)
        return best

    def _gathering_spot(self) -> FloatArray:
        """A free place for a group in front of the robot, often right behind somebody else."""
        for attempt in range(60):
            if self._spots and attempt < 25 and self.rng.random() < 0.6:
                point = self._behind(self._spots[int(self.rng.integers(len(self._spots)))])
            else:
                radius, angle = self.rng.uniform(2.3, 4.8), self.rng.uniform(-np.pi, np.pi)
                point = self.robot[0] + radius * np.array([np.cos(angle), np.sin(angle)])
            if float(self.scene.clearance_at(point[None])[0]) < 0.95:
                continue
            if not 2.2 < self._robot_distance(point) < 9.0:
                continue
            if min((float(np.hypot(*(point - s))) for s in self._spots), default=9.0) > 1.25:
                return point
        if self._gather:
            return self._gather.pop(int(self.rng.integers(len(self._gather))))
        return self._spot()

    def _sheltered_spot(self) -> FloatArray | None:
        """A place that something in the scene hides from most of the robot's way."""
        if self._hidden:
            return self._hidden.pop(int(self.rng.integers(len(self._hidden))))
        best: FloatArray | None = None
        most = 0.4
        for _ in range(120):
            radius, angle = self.rng.uniform(2.6, 10.0), self.rng.uniform(-np.pi, np.pi)
            point = self.robot[0] + radius * np.array([np.cos(angle), np.sin(angle)])
            if float(self.scene.clearance_at(point[None])[0]) < 0.8:
                continue
            if min((float(np.hypot(*(point - s))) for s in self._spots), default=9.0) < 1.4:
                continue
            hidden = [not self.roadmap.visible(eye, point, 0.02) for eye in self.robot[::6]]
            if float(np.mean(hidden)) > most:
                best, most = point, float(np.mean(hidden))
        return best

    def _behind(self, spot: FloatArray) -> FloatArray:
        """A place behind another as the robot sees it."""
        eye = self.robot[int(self.rng.integers(len(self.robot)))]
        away = (spot - eye) / max(float(np.hypot(*(spot - eye))), 1e-6)
        aside = np.array([-away[1], away[0]])
        return np.asarray(
            spot + self.rng.uniform(1.1, 2.2) * away + self.rng.normal(0.0, 0.18) * aside
        )

    def _portal(self, near: FloatArray | None = None) -> FloatArray:
        portals = np.asarray(self.scene.portals)
        if near is None:
            return np.asarray(portals[int(self.rng.integers(len(portals)))])
        distance = np.linalg.norm(portals - near, axis=-1)
        order = np.argsort(distance, kind="stable")[:3]
        return np.asarray(portals[int(order[int(self.rng.integers(len(order)))])])

    # Pieces of a plan

    def _stay(
        self,
        person: PersonPlan,
        start: float,
        length: float,
        posture: str,
        act: _Act,
        position: FloatArray,
        heading: float,
        group: int,
        **more: object,
    ) -> float:
        end = start + length
        segment = Segment(
            start,
            end,
            posture,
            act.gestures,
            frozenset(act.things),
            group,
            (float(position[0]), float(position[1])),
            heading,
            side=1.0 if self.rng.random() < 0.5 else -1.0,
            variant=float(self.rng.random()),
        )
        for name, value in more.items():
            setattr(segment, name, value)
        if "looking at robot" in act.gestures:
            segment.look_at = ROBOT
            robot = self.robot[min(int(start / 0.5), len(self.robot) - 1)]
            segment.heading = float(
                np.arctan2(*(robot - position)[::-1]) + self.rng.normal(0.0, 0.35)
            )
        if (
            "greeting gestures" in act.gestures
            and segment.look_at is None
            and self.rng.random() < 0.4
        ):
            segment.look_at = ROBOT
        if "pointing at sth" in act.gestures:
            segment.point_at = self._pointing(segment)
        person.segments.append(segment)
        return end

    def _pointing(self, segment: Segment) -> float:
        """Where to point: across the robot's view, since an arm towards the camera is not told."""
        robot = self.robot[min(int(segment.start / 0.5), len(self.robot) - 1)]
        away = float(np.arctan2(*(robot - np.asarray(segment.position))[::-1]))
        choices = segment.heading + segment.side * self.rng.uniform(-0.5, 1.0, 8)
        return float(choices[np.argmax(np.abs(np.sin(choices - away)))])

    def _travel(
        self,
        person: PersonPlan,
        start: float,
        path: FloatArray,
        posture: str,
        group: int,
        act: _Act | None = None,
        speed: float | None = None,
        duration: float | None = None,
        heights: FloatArray | None = None,
        raised: float = 0.0,
    ) -> float:
        if duration is None:
            speed = float(self.rng.uniform(*SPEED[posture])) if speed is None else speed
            duration = max(path_length(path) / speed, 0.5)
        things: tuple[str, ...] = {"cycling": ("bicycle",), "scootering": ("scooter",)}.get(
            posture, ()
        )
        gestures: tuple[str, ...] = ()
        if act is not None:
            gestures, things = act.gestures, act.things
        cycle = self.rng.random()
        if person.segments and person.segments[-1].posture == posture:
            last = person.segments[-1]
            assert last.path is not None
            scale = person.appearance.stature / 1.75
            cycle = last.cycle + path_length(last.path) / (METRES_PER_CYCLE[posture] * scale)
        side = 1.0 if self.rng.random() < 0.5 else -1.0
        end = start + duration
        person.segments.append(
            Segment(
                start,
                end,
                posture,
                gestures,
                frozenset(things),
                group,
                path=path,
                side=side,
                heights=heights,
                raised=raised,
                cycle=float(cycle),
                variant=float(self.rng.random()),
            )
        )
        return end

    def _walk(
        self,
        person: PersonPlan,
        start: float,
        origin: FloatArray,
        goal: FloatArray,
        group: int,
        posture: str = "walking",
    ) -> float:
        """Walk, perhaps with a change of what the hands do on the way."""
        path = self.roadmap.path(origin, goal)
        length = path_length(path)
        act = _choose(self.rng, _WALKING_ACTS) if posture == "walking" else None
        speed = float(self.rng.uniform(*SPEED[posture]))
        if act is not None and "trolley" in act.things:
            speed *= 0.85
        if posture == "walking" and length > 7.0 and self.rng.random() < 0.5:
            cut = int(len(path) * self.rng.uniform(0.35, 0.65))
            time = self._travel(person, start, path[: cut + 1], posture, group, act, speed)
            if self.rng.random() < 0.35 and (act is None or not act.things):
                second_posture, second = "running", None
                return self._travel(person, time, path[cut:], second_posture, group, second)
            other = (
                _WALKING_ACTS[0]
                if act is not None and act.gestures
                else _choose(self.rng, _WALKING_ACTS)
            )
            return self._travel(person, time, path[cut:], posture, group, other, speed)
        return self._travel(person, start, path, posture, group, act, speed)

    def _leave(self, person: PersonPlan, start: float, origin: FloatArray, group: int) -> None:
        """Walk out; somebody else takes the slot."""
        goal = self._portal(origin)
        posture = "running" if self.rng.random() < 0.15 else "walking"
        time = self._walk(person, start, origin, goal, group, posture)
        doors = [
            d
            for d in self.scene.doors
            if np.hypot(d.position[0] - goal[0], d.position[1] - goal[1]) < 0.1
        ]
        if doors and time < self.duration:
            act = _Act(("interaction with door",), (), 0.0, 0.0, 1.0)
            time = self._stay(
                person,
                time,
                float(self.rng.uniform(1.8, 2.8)),
                "standing",
                act,
                goal,
                doors[0].heading,
                group,
            )
        if time < self.duration:
            self._arrival(time + float(self.rng.uniform(0.2, 2.0)))

    def _arrival(self, time: float) -> None:
        """Somebody new takes a slot at ``time``."""
        if time > self.duration - 1.0:
            return
        if self.scene.lanes and self.rng.random() < 0.3:
            self._lane_slot(time)
        else:
            self._wanderer(time)

    def _wanderer(self, start: float) -> None:
        person, group = self._person(), self._group()
        if start > 0.0:
            origin = self._portal()
            goal = self._spot()
            time = self._walk(person, start, origin, goal, group)
            self._continue(person, time, goal, group)
            return
        spot = self._spot()
        if self.rng.random() < 0.5:
            goal = self._spot(spot)
            time = self._walk(person, 0.0, spot, goal, group)
            self._continue(person, time, goal, group)
        else:
            self._continue(person, 0.0, spot, group)

    def _continue(self, person: PersonPlan, start: float, position: FloatArray, group: int) -> None:
        """Stand, walk, bend, sit and so on until the time is over or the person leaves."""
        time = start
        heading = float(self.rng.uniform(-np.pi, np.pi))
        if self.rng.random() < 0.6:
            toward = self.robot[0] - position
            heading = float(np.arctan2(toward[1], toward[0]) + self.rng.normal(0.0, 0.9))
        while time < self.duration:
            for _ in range(1 + int(self.rng.random() < 0.55)):
                if self.rng.random() < 0.22:
                    act = _Act((), ("item_on_floor",), 2.0, 3.8, 1.0)
                    time = self._stay(
                        person,
                        time,
                        float(self.rng.uniform(2.0, 3.8)),
                        "bending",
                        act,
                        position,
                        heading,
                        group,
                    )
                act = _choose(self.rng, _STANDING_ACTS)
                time = self._stay(
                    person,
                    time,
                    float(self.rng.uniform(act.shortest, act.longest)),
                    "standing",
                    act,
                    position,
                    heading,
                    group,
                )
            if time >= self.duration:
                return
            draw = self.rng.random()
            seats = [
                seat
                for seat in self.scene.seats
                if seat not in self._taken_seats
                and np.hypot(seat.position[0] - position[0], seat.position[1] - position[1]) < 9.0
            ]
            if draw < 0.32 and seats:
                seat = seats[int(self.rng.integers(len(seats)))]
                self._taken_seats.add(seat)
                time = self._walk(person, time, position, _beside(seat), group)
                time = self._sit(person, time, seat, group, until=self.duration)
                return
            if draw < 0.54:
                self._leave(person, time, position, group)
                return
            goal = self._spot(position, 5.5)
            time = self._walk(
                person,
                time,
                position,
                goal,
                group,
                "running" if self.rng.random() < 0.18 else "walking",
            )
            position = goal
            heading = float(self.rng.uniform(-np.pi, np.pi))

    def _sit(self, person: PersonPlan, start: float, seat: Seat, group: int, until: float) -> float:
        """Sit and do things; perhaps get up and go on before ``until``."""
        time = start
        position = np.asarray(seat.position)
        rises = self.rng.random() < 0.5
        stays = int(self.rng.integers(1, 4))
        last: _Act | None = None
        while time < until:
            act = _choose(self.rng, _SITTING_ACTS)
            while act is last or (
                "eating sth" in act.gestures and not seat.table and self.rng.random() < 0.6
            ):
                act = _choose(self.rng, _SITTING_ACTS)
            last = act
            time = self._stay(
                person,
                time,
                float(self.rng.uniform(act.shortest, act.longest)),
                "sitting",
                act,
                position,
                seat.heading,
                group,
                table=seat.table,
            )
            stays -= 1
            if rises and stays <= 0 and time < until:
                self._rise(person, time, seat, group)
                return until
        return time

    def _rise(self, person: PersonPlan, start: float, seat: Seat, group: int) -> None:
        beside = _beside(seat)
        time = self._stay(
            person,
            start,
            float(self.rng.uniform(1.0, 2.4)),
            "standing",
            _STANDING_ACTS[0],
            beside,
            seat.heading,
            group,
        )
        if time >= self.duration:
            return
        if self.rng.random() < 0.4:
            self._leave(person, time, beside, group)
            return
        goal = self._spot(beside, 7.0)
        time = self._walk(person, time, beside, goal, group)
        self._continue(person, time, goal, group)

    # Groups

    def _turns(self, start: float, end: float, members: int) -> list[tuple[float, float, int]]:
        turns, time, speaker = [], start, int(self.rng.integers(members))
        while time < end:
            length = float(self.rng.uniform(2.0, 4.2))
            turns.append((time, min(time + length, end), speaker))
            time += length
            others = [m for m in range(members) if m != speaker]
            speaker = others[int(self.rng.integers(len(others)))] if others else speaker
        return turns

    def _talk(
        self,
        persons: list[PersonPlan],
        windows: list[tuple[float, float]],
        posture: str,
        places: list[FloatArray],
        headings: list[float],
        group: int,
        tables: list[bool],
        lively: bool = True,
    ) -> None:
        """Conversation with turns; everybody only within their own window.

        In a ``lively`` one, listeners do something else at times.
        """
        begin = min(window[0] for window in windows)
        end = max(window[1] for window in windows)
        turns = self._turns(begin, end, len(persons))
        quiet = [self.rng.random() < 0.16 for _ in persons]
        cups = [self.rng.random() < 0.2 for _ in persons]
        sides = [1.0 if self.rng.random() < 0.5 else -1.0 for _ in persons]
        for member, person in enumerate(persons):
            low, high = windows[member]
            variant = float(self.rng.random())
            pending: Segment | None = None
            for start, stop, speaker in turns:
                start, stop = max(start, low), min(stop, high)
                if stop <= start:
                    continue
                alone = not windows[speaker][0] <= start < windows[speaker][1]
                things: tuple[str, ...] = ()
                if member == speaker and len(persons) > 1:
                    gestures: tuple[str, ...] = ("talking to someone",)
                    look = (member + 1) % len(persons)
                elif alone or len(persons) == 1:
                    gestures, look = (), speaker
                elif quiet[member]:
                    gestures, look, things = ("looking into sth",), speaker, ("phone_in_front",)
                elif cups[member]:
                    gestures, look, things = (
                        ("holding sth", "listening to someone"),
                        speaker,
                        ("cup",),
                    )
                else:
                    gestures, look = ("listening to someone",), speaker
                if lively and member != speaker and self.rng.random() < ASIDE:
                    act = _choose(self.rng, _LISTENING_ACTS)
                    gestures, things = act.gestures, act.things
                if (
                    pending is not None
                    and pending.gestures == gestures
                    and pending.end >= start - 1e-9
                ):
                    pending.end = stop
                    continue
                pending = Segment(
                    start,
                    stop,
                    posture,
                    gestures,
                    frozenset(things),
                    group,
                    (float(places[member][0]), float(places[member][1])),
                    headings[member],
                    side=sides[member],
                    variant=variant,
                    table=tables[member],
                    look_at=persons[look].index if look != member else None,
                )
                if "pointing at sth" in gestures:
                    pending.point_at = self._pointing(pending)
                person.segments.append(pending)

    def _conversation(self, size: int, spot: FloatArray, lively: bool) -> None:
        """People standing in a ring; some come later, some go earlier."""
        group = self._group()
        radius = 0.42 + 0.11 * size
        turn = float(self.rng.uniform(-np.pi, np.pi))
        persons, windows, places, headings = [], [], [], []
        for member in range(size):
            angle = turn + 2.0 * np.pi * member / size + float(self.rng.normal(0.0, 0.12))
            place = spot + radius * np.array([np.cos(angle), np.sin(angle)])
            heading = float(angle + np.pi + self.rng.normal(0.0, 0.15))
            person = self._person()
            low, high = 0.0, self.duration
            if size > 1 and member > 0 and self.rng.random() < 0.38:
                origin = self._spot(spot, 8.0)
                self._spots.pop()
                wait = float(self.rng.uniform(0.0, 0.35)) * self.duration
                if wait > 1.5:
                    act = _choose(self.rng, _STANDING_ACTS)
                    own = self._group()
                    self._stay(person, 0.0, wait, "standing", act, origin, heading, own)
                    low = self._walk(person, wait, origin, place, own)
                else:
                    low = self._walk(person, 0.0, origin, place, group)
                if low < self.duration - 3.0:
                    greet = _Act(("greeting gestures",), (), 0, 0, 1)
                    low = self._stay(
                        person,
                        low,
                        float(self.rng.uniform(1.6, 2.4)),
                        "standing",
                        greet,
                        place,
                        heading,
                        group,
                    )
            if member > 0 and self.rng.random() < 0.3:
                high = max(low + 3.0, float(self.rng.uniform(0.4, 0.85)) * self.duration)
            persons.append(person)
            windows.append((min(low, self.duration), max(min(high, self.duration), low)))
            places.append(place)
            headings.append(heading)
            self._spots.append(place)
        self._talk(persons, windows, "standing", places, headings, group, [False] * size, lively)
        for member, person in enumerate(persons):
            if windows[member][1] < self.duration:
                own = self._group()
                if self.rng.random() < 0.5:
                    self._leave(person, windows[member][1], places[member], own)
                else:
                    goal = self._spot(places[member], 7.0)
                    time = self._walk(person, windows[member][1], places[member], goal, own)
                    self._continue(person, time, goal, own)

    def _seated(self, free: list[Seat], left: int) -> int:
        clusters: dict[int, list[Seat]] = {}
        for seat in free:
            clusters.setdefault(seat.cluster, []).append(seat)
        choice = sorted(clusters)[int(self.rng.integers(len(clusters)))]
        seats = clusters[choice]
        size = min(len(seats), left, int(self.rng.integers(1, 5)))
        first = int(self.rng.integers(len(seats) - size + 1))
        taken = seats[first : first + size]
        self._taken_seats.update(taken)
        group = self._group()
        persons = [self._person() for _ in taken]
        if size > 1 and self.rng.random() < 0.55:
            windows = [
                (
                    0.0,
                    self.duration
                    if self.rng.random() < 0.65
                    else float(self.rng.uniform(0.35, 0.8)) * self.duration,
                )
                for _ in taken
            ]
            self._talk(
                persons,
                windows,
                "sitting",
                [np.asarray(s.position) for s in taken],
                [s.heading for s in taken],
                group,
                [s.table for s in taken],
            )
            for person, window, seat in zip(persons, windows, taken, strict=True):
                if window[1] < self.duration:
                    self._rise(person, window[1], seat, group)
        else:
            for person, seat in zip(persons, taken, strict=True):
                if self.rng.random() < 0.28:
                    origin = self._spot(np.asarray(_beside(seat)), 8.0)
                    self._spots.pop()
                    time = 0.0
                    if self.rng.random() < 0.5:
                        act = _choose(self.rng, _STANDING_ACTS)
                        time = self._stay(
                            person,
                            0.0,
                            float(self.rng.uniform(act.shortest, act.longest)),
                            "standing",
                            act,
                            origin,
                            float(self.rng.uniform(-np.pi, np.pi)),
                            group,
                        )
                    time = self._walk(person, time, origin, _beside(seat), group)
                else:
                    time = 0.0
                self._sit(person, time, seat, group, until=self.duration)
        return size

    def _walking_group(self, size: int) -> None:
        """People side by side who walk, stop to talk, and walk on."""
        group = self._group()
        persons = [self._person() for _ in range(size)]
        position = self._spot()
        time = 0.0
        offsets = [(member - (size - 1) / 2.0) * 0.62 for member in range(size)]
        while time < self.duration:
            goal = self._spot(position, 9.0)
            path = self.roadmap.path(position, goal)
            length = path_length(path)
            duration = max(length / float(self.rng.uniform(1.0, 1.3)), 1.0)
            tangent = np.gradient(path, axis=0)
            tangent /= np.maximum(np.linalg.norm(tangent, axis=-1, keepdims=True), 1e-6)
            normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=-1)
            speaker = int(self.rng.integers(size))
            ends = []
            for member, person in enumerate(persons):
                shifted = path + normal * offsets[member]
                ends.append(shifted[-1])
                gesture = "talking to someone" if member == speaker else "listening to someone"
                act = _Act((gesture,), (), 0.0, 0.0, 1.0)
                self._travel(person, time, shifted, "walking", group, act, duration=duration)
                person.segments[-1].look_at = (
                    persons[(member + 1) % size].index
                    if member == speaker
                    else persons[speaker].index
                )
            time += duration
            position = goal
            if time >= self.duration:
                return
            if self.rng.random() < 0.3:
                for member, person in enumerate(persons):
                    self._leave(person, time, ends[member], group)
                return
            centre = np.mean(ends, axis=0)
            facing = float(np.arctan2(tangent[-1, 1], tangent[-1, 0]))
            stay = float(self.rng.uniform(3.0, 6.0))
            headings = []
            for member in range(size):
                inward = centre + 0.28 * np.array([np.cos(facing), np.sin(facing)]) - ends[member]
                headings.append(float(np.arctan2(inward[1], inward[0])))
            stop = min(time + stay, self.duration + 0.5)
            self._talk(
                persons, [(time, stop)] * size, "standing", ends, headings, group, [False] * size
            )
            time = stop

    # Others

    def _lane_slot(self, start: float) -> None:
        """Somebody who passes along a lane on wheels, running or walking; then the next one."""
        lane = self.scene.lanes[int(self.rng.integers(len(self.scene.lanes)))]
        path = smooth_path(np.asarray(lane))
        shift = float(self.rng.normal(0.0, 0.35))
        tangent = np.gradient(path, axis=0)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=-1, keepdims=True), 1e-6)
        path = path + shift * np.stack([-tangent[:, 1], tangent[:, 0]], axis=-1)
        kinds = ["cycling", "cycling", "scootering", "running", "walking"]
        if self.scene.indoor:
            kinds = ["walking", "running", "walking", "scootering"]
        posture = kinds[int(self.rng.integers(len(kinds)))]
        person, group = self._person(rides=posture in ("cycling", "scootering")), self._group()
        if start == 0.0:
            path = path[int(len(path) * self.rng.uniform(0.05, 0.5)) :]
        if posture in ("running", "walking") and self.rng.random() < 0.7:
            cut = int(len(path) * self.rng.uniform(0.3, 0.6))
            other = "walking" if posture == "running" else "running"
            time = self._travel(person, start, path[: cut + 1], posture, group)
            if posture == "running" and time < self.duration and self.rng.random() < 0.5:
                ahead = path[min(cut + 1, len(path) - 1)] - path[cut]
                heading = float(np.arctan2(ahead[1], ahead[0]))
                act = _choose(self.rng, _STANDING_ACTS)
                time = self._stay(
                    person,
                    time,
                    float(self.rng.uniform(act.shortest, act.longest)),
                    "standing",
                    act,
                    path[cut],
                    heading,
                    group,
                )
            time = self._travel(person, time, path[cut:], other, group)
        else:
            time = self._travel(person, start, path, posture, group)
        if time < self.duration:
            self._arrival(time + float(self.rng.uniform(0.3, 2.5)))

    def _climber(self) -> None:
        """Up the stairs, a stay on the landing, down again, and on."""
        person, group = self._person(), self._group()
        stairs = self.scene.stairs[int(self.rng.integers(len(self.scene.stairs)))]
        foot, head = np.asarray(stairs.foot), np.asarray(stairs.head)
        landing = np.asarray(stairs.landing)
        along = (head - foot) / max(float(np.linalg.norm(head - foot)), 1e-6)
        across = np.array([-along[1], along[0]]) * float(self.rng.uniform(-0.3, 0.3)) * stairs.width
        foot, head, landing = foot + across, head + across, landing + across
        climb = smooth_path(np.stack([foot, head]))
        heights = np.linspace(0.0, stairs.rise, len(climb))
        time = 0.0
        above = self.rng.random() < 0.5
        if not above:
            before = foot - along * float(self.rng.uniform(0.5, 3.5))
            time = self._travel(
                person,
                time,
                smooth_path(np.stack([before, foot])),
                "walking",
                group,
                _WALKING_ACTS[0],
            )
        for _ in range(6):
            if time >= self.duration:
                return
            if not above:
                time = self._travel(person, time, climb, "going upstairs", group, heights=heights)
                time = self._travel(
                    person,
                    time,
                    smooth_path(np.stack([head, landing])),
                    "walking",
                    group,
                    _WALKING_ACTS[0],
                    raised=stairs.rise,
                )
                above = True
                continue
            act = _choose(self.rng, _STANDING_ACTS)
            heading = float(np.arctan2(-along[1], -along[0]) + self.rng.normal(0.0, 0.5))
            time = self._stay(
                person,
                time,
                float(self.rng.uniform(act.shortest, act.longest)),
                "standing",
                act,
                landing,
                heading,
                group,
                raised=stairs.rise,
            )
            if time >= self.duration:
                return
            time = self._travel(
                person,
                time,
                smooth_path(np.stack([landing, head])),
                "walking",
                group,
                _WALKING_ACTS[0],
                raised=stairs.rise,
            )
            time = self._travel(
                person,
                time,
                climb[::-1].copy(),
                "going downstairs",
                group,
                heights=heights[::-1].copy(),
            )
            above = False
            if self.rng.random() < 0.65:
                after = foot - along * 1.2
                time = self._travel(
                    person,
                    time,
                    smooth_path(np.stack([foot, after])),
                    "walking",
                    group,
                    _WALKING_ACTS[0],
                )
                goal = self._spot(after, 7.0)
                time = self._walk(person, time, after, goal, group)
                self._continue(person, time, goal, group)
                return
            turn = _choose(self.rng, _STANDING_ACTS)
            time = self._stay(
                person,
                time,
                float(self.rng.uniform(turn.shortest, turn.longest)),
                "standing",
                turn,
                foot,
                heading,
                group,
            )


def _beside(seat: Seat) -> FloatArray:
    """Where one stands before sitting down: in front of a bench, behind a chair at a table."""
    reach = -0.58 if seat.table else 0.52
    return np.array(
        [
            seat.position[0] + reach * np.cos(seat.heading),
            seat.position[1] + reach * np.sin(seat.heading),
        ]
    )

"""The local model's search: from a question's meaning and a scene to an answer or the next look.

It never sees labels, only what pictures' perception and notes say. With ``final`` it answers from
what is there; without, it says what should be looked at next.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from avr_ros.geometry.full_turn import FULL_TURN
from avr_ros.reasoning.local.lexicon import read_lexemes
from avr_ros.reasoning.local.phrase import Kind
from avr_ros.reasoning.local.sight.described import (
    Described,
    NobodyFitsError,
    described_frame,
    does,
    find_described,
)
from avr_ros.reasoning.local.sight.events import (
    FAR_STRIDE,
    FARTHEST_STRIDE,
    STRIDE,
    Change,
    Scan,
    frames_ahead,
)
from avr_ros.reasoning.local.sight.identity import Track, clearness
from avr_ros.reasoning.local.sight.scene import Scene
from avr_ros.reasoning.local.sight.seen import SURE, SeenPerson
from avr_ros.reasoning.local.sight.wanted import (
    Around,
    Findings,
    LookAt,
    Next,
    Part,
    Solved,
    Stuck,
    Through,
)
from avr_ros.reasoning.local.sight.whereabouts import Whereabouts
from avr_ros.reasoning.local.words import tokenise
from avr_ros.reasoning.meaning import (
    ActionAsked,
    BoundaryAsked,
    DistanceAsked,
    Edge,
    FirstViewAsked,
    GapAsked,
    NextActionAsked,
    PresenceAsked,
    QuestionMeaning,
    SpanAsked,
    TimeMeaning,
    TimeRelation,
)
from avr_ros.schema.answer import (
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.vocabulary import AnswerMode

NARROW: Final = 5
"""Frames between the two looks at a change from which on it is known well enough."""

NARROW_SPAN: Final = 9
"""The same for the ends of a span."""

NARROW_LEFT: Final = 8
"""Frames between the last sighting of somebody who left and the first look without them."""

FRAMES_BEYOND: Final = 4
"""Frames without somebody, hidden perhaps, from which on they count as gone."""

LEAP: Final = 60
"""Frames from one look to the next at most while somebody's last frames are searched for."""

NARROW_FIRST: Final = 12
"""The same for the first of two moments: of their distance half a second is well enough."""

LOOKS_AT_A_FRAME: Final = 2
"""Looks at one person in one frame where the first one is not enough."""

LOOKS_FOR_A_CHANGE: Final = 4
"""Looks that narrowing a change down takes."""

LIKELY: Final = 0.5
"""Chance to see somebody in a look ahead below which it is made nearer."""

SAME_LOOK: Final = math.radians(1.0)
"""Angle between two looks at a frame below which the second one shows nothing new."""

CLEAR: Final = 0.6
"""Visible share of a person from which a sighting is good evidence."""


@dataclass(frozen=True)
class Limits:
    """The frames that may be looked at, from ``first`` to ``last``."""

    first: int
    last: int

    def legal(self, frame: int) -> bool:
        """Whether a frame may be looked at."""
        return self.first <= frame <= self.last


class Search:
    """One question in one scene."""

    def __init__(
        self,
        meaning: QuestionMeaning,
        mode: AnswerMode,
        choices: Sequence[str],
        scene: Scene,
        limits: Limits,
        *,
        final: bool,
        selected: bool = False,
        left: int | None = None,
    ) -> None:
        """``selected``: views were chosen to show who is meant, and others may be missing.

        ``left`` are the looks that can still be made, none where that is not known.
        """
        self._meaning = meaning
        self._mode = mode
        self._choices = choices
        self._scene = scene
        self._where = Whereabouts(scene)
        self._limits = limits
        self._final = final
        self._left = left
        self._selected = selected or final
        self._used: list[SeenPerson] = []

    def run(self) -> Findings:
        """What the scene says."""
        try:
            frame = described_frame(self._meaning.person, self._limits.first)
        except NobodyFitsError as error:
            return Findings(Stuck(str(error), Part.WHO))
        who = self._who(frame)
        if not isinstance(who, Described):
            return Findings(who)
        self._used += who.sightings(frame)
        track = who.people[-1]
        found = self._what(track, frame)
        if isinstance(found, Solved) and found.evidence is not None:
            self._used.append(found.evidence)
        return Findings(found, track, self._used)

    def _who(self, frame: int) -> Described | Next:
        marked = next((track for track in self._scene.tracks if track.meant), None)
        unseen = tuple(self._scene.unseen(frame))
        if marked is not None and marked.at(frame):
            return Described([marked])
        try:
            found = find_described(self._meaning.person, self._scene, frame, whole=not unseen)
        except NobodyFitsError as error:
            if marked is not None:
                return Described([marked])
            if unseen and not self._final:
                return Around(frame, self._first_of(unseen), Part.WHO)
            return Stuck(str(error), Part.WHO)
        if not found.sure and not self._selected:
            return Around(frame, unseen, Part.WHO)
        return found

    def _first_of(self, unseen: tuple[float, ...]) -> tuple[float, ...]:
        """Half a turn first where nobody else fits, so that the rest may not have to be seen."""
        person = self._meaning.person
        alone = person.unique and not person.closest and person.relation is None
        return unseen[: FULL_TURN // 2] if alone and len(unseen) >= FULL_TURN - 1 else unseen

    def _what(self, who: Track, frame: int) -> Next:
        asked = self._meaning.asked
        if isinstance(asked, ActionAsked):
            return self._state(who, self._time(asked.time, frame))
        if isinstance(asked, PresenceAsked):
            return self._presence(who, self._time(asked.time, frame))
        if isinstance(asked, DistanceAsked) and asked.to is None:
            return self._distance(who, self._time(asked.time, frame))
        if isinstance(asked, NextActionAsked | BoundaryAsked | FirstViewAsked | SpanAsked):
            return self._event(who, asked, frame)
        if isinstance(asked, GapAsked) and not (asked.first.person or asked.second.person):
            return self._gap(who, asked, frame)
        return Stuck(f"the local model does not search for {asked.kind} like this", Part.WHAT)

    def _event(
        self,
        who: Track,
        asked: NextActionAsked | BoundaryAsked | FirstViewAsked | SpanAsked,
        frame: int,
    ) -> Next:
        near = asked.time if isinstance(asked, NextActionAsked) else asked.near
        begin = self._begin(who, near, frame)
        if not isinstance(begin, int):
            return begin
        if isinstance(asked, NextActionAsked):
            return self._next_action(who, begin)
        if isinstance(asked, SpanAsked):
            return self._span(who, asked, begin)
        return self._boundary(who, asked, begin)

    def _begin(self, who: Track, near: TimeMeaning | None, frame: int) -> int | Next:
        """The frame after which something is searched for, or where to look to know it."""
        if near is None:
            return frame
        if near.relation is not TimeRelation.AFTER or near.event or near.shift_seconds:
            return Stuck("the local model searches after a frame only", Part.WHAT)
        begin = frame if near.frame_id is None else near.frame_id
        if begin < frame:
            return Stuck("what is asked may lie before the person is described", Part.WHAT)
        if begin > frame and not self._final:
            person = self._sighting(who, begin)
            if not isinstance(person, SeenPerson):
                return person
        return begin

    def _time(self, time: TimeMeaning | None, frame: int) -> int | None:
        """The frame that is asked about, none for another kind of time."""
        if time is None:
            return frame
        plain = time.relation is TimeRelation.AT and time.event is None and not time.shift_seconds
        if not plain:
            return None
        return frame if time.frame_id is None else time.frame_id

    def _state(self, who: Track, frame: int | None) -> Next:
        person = self._sighting(who, frame)
        if not isinstance(person, SeenPerson):
            return person
        actions = [choice_action(choice) for choice in self._choices]
        told = [0.0 if name is None else _probability(who, name, person) for name in actions]
        best = max(range(len(told)), key=told.__getitem__, default=-1)
        if best < 0 or (told[best] < SURE and not self._final) or told[best] <= 0.0:
            return Stuck("none of the choices is what the person is seen doing", Part.WHAT)
        return Solved(ChoiceAnswer(choice=best), person, f"seen {' and '.join(person.doing())}")

    def _distance(self, who: Track, frame: int | None) -> Next:
        person = self._sighting(who, frame)
        if not isinstance(person, SeenPerson):
            return person
        if person.place is None:
            return Stuck("the person's distance cannot be told", Part.WHAT)
        return Solved(NumberAnswer(value=round(math.hypot(*person.place), 2)), person, "measured")

    def _presence(self, who: Track, frame: int | None) -> Next:
        yes = _choice_of(self._choices, "yes")
        no = _choice_of(self._choices, "no")
        if yes is None or no is None:
            return Stuck("the choices are not yes and no", Part.WHAT)
        person = self._sighting(who, frame)
        if isinstance(person, SeenPerson):
            return Solved(ChoiceAnswer(choice=yes), person, "still there")
        if not self._final and not isinstance(person, Stuck):
            return person
        if frame is None:
            return person
        if self._final and self._scene.unseen(frame) and not self._gone(who, frame):
            return Stuck("the person was not looked for everywhere", Part.WHAT)
        return self._last_seen(who, frame, no)

    def _gone(self, who: Track, frame: int) -> bool:
        """Whether evidence alone says that somebody was looked for in a frame and not found."""
        return bool(self._scene.at(frame)) and not who.at(frame)

    def _last_seen(self, who: Track, frame: int, no: int) -> Next:
        """Somebody has left: narrow down when they were seen last."""
        last = max((seen for seen in who.frames() if seen < frame), default=None)
        if last is None:
            return Solved(ChoiceAnswer(choice=no), None, "not there")
        later = {view.frame for view in self._scene.views if last < view.frame < frame}
        nearest = min(later, default=frame)
        if not self._final:
            for looked in sorted(later):
                if not self._where.given_up(who, looked):
                    return self._again(who, looked)
            if nearest - last > NARROW_LEFT:
                middle = min(last + LEAP, (last + nearest) // 2)
                while self._where.chance(who, middle) < LIKELY and middle - last > NARROW_LEFT:
                    middle = (last + middle) // 2
                if self._limits.legal(middle):
                    return self._again(who, middle)
            beyond = max(later, default=nearest) + STRIDE
            if len(later) < FRAMES_BEYOND and beyond < frame and self._limits.legal(beyond):
                return self._again(who, beyond)
        recent = [seen for seen in who.frames() if last - NARROW_LEFT <= seen <= last]
        people = [person for seen in recent if (person := who.best_at(seen)) is not None]
        person = max(people, key=lambda item: (clearness(item), item.frame), default=None)
        return Solved(ChoiceAnswer(choice=no), person, "not there any more")

    def _sighting(self, who: Track, frame: int | None) -> SeenPerson | Next:
        """The person in one frame, or where to look for them."""
        if frame is None:
            return Stuck("the time that is asked about is not a frame", Part.WHAT)
        person = who.best_at(frame)
        if person is not None:
            self._used.append(person)
            if person.cut_off and not self._final and len(who.at(frame)) < 2:
                return LookAt(frame, person.azimuth, Part.WHAT)
            return person
        if not self._limits.legal(frame):
            return Stuck(f"frame {frame} may not be looked at", Part.WHAT)
        unseen = self._scene.unseen(frame)
        if not unseen or self._final:
            return Stuck(f"the person is not seen at frame {frame}", Part.WHAT)
        if self._where.given_up(who, frame):
            return Around(frame, tuple(unseen), Part.WHAT)
        return LookAt(frame, self._where.expected(who, frame), Part.WHAT)

    def _scan(self, who: Track, action: str, start: int) -> Scan:
        """The person's states at and after a frame, and where they were not found."""
        states = {
            frame: state
            for frame in who.frames()
            if frame >= start and (state := does(who, action, frame)) is not None
        }
        return Scan(states, frozenset(self._missing(who, start, states)))

    def _missing(self, who: Track, start: int, known: dict[int, bool]) -> set[int]:
        """Frames in which the person was looked for often enough and not found."""
        return {
            view.frame
            for view in self._scene.views
            if view.frame > start
            and view.frame not in known
            and self._where.given_up(who, view.frame)
        }

    def _change(
        self, who: Track, action: str, edge: Edge, start: int, narrow: int
    ) -> Change | Next:
        """A change, narrowed down, or where to look."""
        scan = self._scan(who, action, start)
        change = scan.change(edge, start)
        if change is None:
            if self._final:
                return Stuck(f"no {edge.value} of {action} was seen", Part.WHAT)
            ahead = frames_ahead(
                self._latest(start), self._limits.last, self._limits.legal, self._stride
            )
            if not ahead:
                return Stuck(f"no {edge.value} of {action} up to the last frame", Part.WHAT)
            return self._through(who, ahead)
        return self._narrowed(who, scan, change, narrow)

    def _start(
        self, who: Track, asked: BoundaryAsked | FirstViewAsked | SpanAsked, begin: int, narrow: int
    ) -> Change | Next:
        """The start that is asked for: of the stretch under way where the person is described.

        Where none is, or something later is asked for, the first start after the frame.
        """
        under_way = asked.near is None and does(who, asked.action, begin)
        if not under_way or isinstance(asked, FirstViewAsked):
            return self._change(who, asked.action, Edge.START, begin, narrow)
        return self._unsure(who, begin) or self._start_before(who, asked.action, begin, narrow)

    def _unsure(self, who: Track, frame: int) -> LookAt | None:
        """A second look at a frame on which alone the way of the search depends."""
        person = who.best_at(frame)
        if person is None or self._final or len(who.at(frame)) >= LOOKS_AT_A_FRAME:
            return None
        faced = any(
            abs(math.remainder(view.azimuth - person.azimuth, math.tau)) < SAME_LOOK
            for view in self._scene.at(frame)
        )
        return None if faced else LookAt(frame, person.azimuth, Part.WHAT)

    def _start_before(self, who: Track, action: str, frame: int, narrow: int) -> Change | Next:
        """The start of the stretch that goes on at a frame, narrowed down, or where to look."""
        states = {
            seen: state
            for seen in who.frames()
            if seen <= frame and (state := does(who, action, seen)) is not None
        }
        missing = {
            view.frame
            for view in self._scene.views
            if view.frame < frame
            and view.frame not in states
            and self._where.given_up(who, view.frame)
        }
        scan = Scan(states, frozenset(missing))
        change = scan.began(frame)
        if change is not None:
            return self._narrowed(who, scan, change, narrow)
        earliest = min({frame, *states, *missing})
        if self._final or earliest <= self._limits.first:
            return Stuck(f"{action} began before what was seen", Part.WHAT)
        return self._again(who, max(self._limits.first, earliest - STRIDE))

    def _narrowed(self, who: Track, scan: Scan, change: Change, narrow: int) -> Change | Next:
        """A change that is known well enough, or the look in between."""
        for frame in (change.before, change.after):
            person = who.best_at(frame)
            if person is not None:
                self._used.append(person)
        if change.gap > narrow and not self._final:
            middle = scan.middle(change)
            if middle is not None:
                return self._again(who, middle)
        return change

    @property
    def _stride(self) -> int:
        """Frames from one look ahead to the next, more where the looks would not last."""
        if not isinstance(self._meaning.asked, GapAsked):
            return STRIDE
        if self._left is None:
            return FAR_STRIDE
        latest = max(view.frame for view in self._scene.views)
        lasting = (self._limits.last - latest) / max(self._left - LOOKS_FOR_A_CHANGE, 1)
        return min(max(round(lasting), FAR_STRIDE), FARTHEST_STRIDE)

    def _latest(self, start: int) -> int:
        """The last frame that was looked at, not before ``start``."""
        return max((view.frame for view in self._scene.views if view.frame > start), default=start)

    def _through(self, who: Track, frames: tuple[int, ...]) -> Next:
        """Watch through frames; who was lost on the way is searched for first."""
        lost = self._where.pursue(who)
        if lost is not None:
            return lost
        latest = max(view.frame for view in self._scene.views)
        steps = [(frames[0] - latest) // parts for parts in (1, 2, 4)]
        ahead = [latest + step for step in steps if step >= NARROW or step == steps[0]]
        legal = [frame for frame in ahead if self._limits.legal(frame)]
        # The way that a look is expected to lead on; of equal ones the longer.
        first = max(legal, key=lambda frame: (frame - latest) * self._where.chance(who, frame))
        if first != frames[0]:
            return LookAt(first, self._where.expected(who, first), Part.WHAT)
        return Through(frames, self._where.expected(who, first))

    def _again(self, who: Track, frame: int) -> Next:
        """Look at a frame, wherever it is likeliest to show the person."""
        return LookAt(frame, self._where.expected(who, frame), Part.WHAT)

    def _boundary(self, who: Track, asked: BoundaryAsked | FirstViewAsked, begin: int) -> Next:
        edge = asked.edge if isinstance(asked, BoundaryAsked) else Edge.START
        if edge is Edge.START:
            found = self._start(who, asked, begin, NARROW)
        else:
            found = self._change(who, asked.action, edge, begin, NARROW)
        if not isinstance(found, Change):
            return found
        evidence = self._nearest(who, found)
        clearer = self._clearer(who, evidence, found.frame - NARROW, found.frame + NARROW)
        if clearer is not None:
            return clearer
        reason = f"{edge.value} between frames {found.before} and {found.after}"
        if self._mode is AnswerMode.FRAME_VIEW:
            azimuth = math.degrees(self._where.expected(who, found.frame))
            return Solved(
                FrameViewAnswer(frame_id=found.frame, azimuth_deg=round(azimuth, 2)),
                evidence,
                reason,
            )
        return Solved(FrameAnswer(frame_id=found.frame), evidence, reason)

    def _span(self, who: Track, asked: SpanAsked, begin: int) -> Next:
        first = self._start(who, asked, begin, NARROW_SPAN)
        if not isinstance(first, Change):
            return first
        last = self._change(who, asked.action, Edge.STOP, first.after, NARROW_SPAN)
        if not isinstance(last, Change):
            return last
        during = [
            person
            for frame in who.frames()
            if first.after <= frame <= last.before and (person := who.best_at(frame)) is not None
        ]
        evidence = max(during, key=clearness, default=None)
        if evidence is not None:
            self._used.append(evidence)
        end = max(first.frame, last.frame - 1)
        return Solved(SpanAnswer(start_frame=first.frame, end_frame=end), evidence, "both ends")

    def _gap(self, who: Track, asked: GapAsked, start: int) -> Next:
        first = self._change(who, asked.first.action, asked.first.edge, start, NARROW_FIRST)
        if not isinstance(first, Change):
            return first
        second = self._change(who, asked.second.action, asked.second.edge, first.after, NARROW)
        if not isinstance(second, Change):
            return second
        seconds = self._scene.seconds
        moments = [
            (seconds[change.before] + seconds[change.after]) / 2 for change in (first, second)
        ]
        closest = min((second, first), key=lambda change: change.gap)
        evidence = self._nearest(who, closest)
        return Solved(
            NumberAnswer(value=round(moments[1] - moments[0], 2)), evidence, "both moments"
        )

    def _next_action(self, who: Track, start: int) -> Next:
        """The choice that the person starts first."""
        named = {
            name: place
            for place, choice in enumerate(self._choices)
            if (name := choice_action(choice)) is not None
        }
        found: list[tuple[Change, str]] = []
        for name in named:
            change = self._scan(who, name, start).change(Edge.START, start)
            if change is not None:
                found.append((change, name))
        if not found:
            ahead = frames_ahead(self._latest(start), self._limits.last, self._limits.legal)
            if self._final or not ahead:
                return Stuck("none of the choices was seen to start", Part.WHAT)
            return self._through(who, ahead)
        change, name = min(found, key=lambda item: (item[0].after, item[0].before))
        for frame in (change.before, change.after):
            person = who.best_at(frame)
            if person is not None:
                self._used.append(person)
        rivals = [other for other, _ in found if other.before < change.after]
        if len(rivals) > 1 and change.gap > NARROW and not self._final:
            middle = self._scan(who, name, start).middle(change)
            if middle is not None:
                return self._again(who, middle)
        during = [
            person
            for frame in who.frames()
            if frame >= change.after
            and frame <= self._while_doing(who, name, change.after)
            and (person := who.best_at(frame)) is not None
        ]
        evidence = max(during, key=clearness, default=None)
        clearer = self._clearer(who, evidence, change.after, change.after + NARROW)
        if clearer is not None:
            return clearer
        return Solved(ChoiceAnswer(choice=named[name]), evidence, f"starts {name}")

    def _while_doing(self, who: Track, action: str, start: int) -> int:
        """The last frame in a row, from one on, in which somebody was seen doing something."""
        last = start
        for frame in who.frames():
            if frame > start:
                if not does(who, action, frame):
                    break
                last = frame
        return last

    def _clearer(
        self, who: Track, evidence: SeenPerson | None, first: int, last: int
    ) -> LookAt | None:
        """One more look, between two frames, where the evidence does not show somebody clearly."""
        if self._final or evidence is None:
            return None
        if evidence.visibility >= CLEAR and not evidence.cut_off:
            return None
        looked = {view.frame for view in self._scene.views}
        if len(who.at(evidence.frame)) < LOOKS_AT_A_FRAME and evidence.cut_off:
            return LookAt(evidence.frame, evidence.azimuth, Part.WHAT)
        tried = [frame for frame in looked if first <= frame <= last and frame != evidence.frame]
        free = [
            frame
            for frame in (evidence.frame + 2, evidence.frame - 2, last, first)
            if frame not in looked and first <= frame <= last and self._limits.legal(frame)
        ]
        if len(tried) > LOOKS_AT_A_FRAME or not free:
            return None
        return LookAt(free[0], self._where.expected(who, free[0]), Part.WHAT)

    def _nearest(self, who: Track, change: Change) -> SeenPerson | None:
        """The clearest of the two sightings around a change, the later one if equal."""
        around = [who.best_at(frame) for frame in (change.after, change.before)]
        return max((item for item in around if item is not None), key=clearness, default=None)


def choice_action(choice: str) -> str | None:
    """The one action that a choice names, none where it is not one."""
    named = {lexeme.name for lexeme in read_lexemes(tokenise(choice)) if lexeme.kind is Kind.ACTION}
    return named.pop() if len(named) == 1 else None


def _choice_of(choices: Sequence[str], word: str) -> int | None:
    found = [place for place, text in enumerate(choices) if text.lower().startswith(word)]
    return found[0] if len(found) == 1 else None


def _probability(who: Track, action: str, person: SeenPerson) -> float:
    told = [item.actions.get(action, 0.0) for item in who.at(person.frame) if item.actions]
    return sum(told) / len(told) if told else 0.0

"""Views as the local model knows them: pictures with their people, or notes of such pictures."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from avr_ros.geometry import boxes
from avr_ros.geometry.crop import DEFAULT_FIELD_OF_VIEW, CropWindow
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.reasoning.local.answer import CannotAnswerError, look
from avr_ros.reasoning.stage import StageImage
from avr_ros.reasoning.stages.contract import ShownView
from avr_ros.reasoning.view_caption import PLACE, caption_seconds, place_text
from avr_ros.schema.box import Box
from avr_ros.schema.detection import Detection
from avr_ros.schema.observation import GivenFrame, Observation

SURE: Final = 0.5
"""Probability from which an action counts as done."""

EDGE_PX: Final = 1.5
"""Distance in px from a view's side at which a box is taken to be cut off there."""

MEANT: Final = "the person meant"
"""How notes name whom the question asks about."""

_NOTE = re.compile(PLACE + r": sees (.*?)\.(?=\s|$)")
_PERSON = re.compile(
    r"(" + MEANT + r" )?at (-?\d+\.\d) deg"
    r"(?: (\d+\.\d\d) m)?(?: facing (-?\d+) deg)?(?: looking like ([0-9a-f]+))?: ([a-z +]*)"
)


@dataclass(frozen=True, eq=False)
class SeenPerson:
    """One person in one view.

    ``azimuth`` and ``heading`` in radians; ``place`` metres ahead and to the left, none where it
    is not known; ``actions`` are probabilities. ``box`` is none for somebody of whom only a note
    is left; the appearance that a note tells of is coarse. ``meant`` is whether a note says that
    this is the person meant.
    """

    frame: int
    azimuth: float
    place: tuple[float, float] | None
    heading: float | None
    actions: dict[str, float]
    visibility: float
    box: Box | None = None
    appearance: npt.NDArray[np.float32] | None = None
    cut_off: bool = False
    meant: bool = False
    view: str = ""

    def doing(self) -> tuple[str, ...]:
        """What the person does, by the vocabulary's names."""
        return tuple(sorted(name for name, value in self.actions.items() if value >= SURE))


@dataclass(frozen=True, eq=False)
class SeenView:
    """A view with its people. ``name`` is empty for one of which only a note is left.

    ``seconds`` count from some common moment; ``order`` is the place of the view among those that
    were taken, as far as it is known.
    """

    name: str
    frame: int
    seconds: float
    azimuth: float
    half_width: float
    people: tuple[SeenPerson, ...] = field(repr=False)
    window: CropWindow | None = None


def seen_views(
    views: Iterable[ShownView], images: Sequence[StageImage], texts: Iterable[str] = ()
) -> list[SeenView]:
    """Everything that pictures and notes show, in the order of its taking.

    A note of a view whose picture is attached only marks who is meant in it; where there are
    several notes of one view the last one counts. Raises CannotAnswerError for pictures without
    eyes, and for those that are not of a recording or do not say when they were taken.
    """
    by_name = {image.name: image for image in images}
    pictured: dict[tuple[int, float], SeenView] = {}
    notes: dict[tuple[int, float], SeenView] = {}
    for text in (*texts, *(view.note for view in views)):
        for note in read_notes(text):
            notes[_key(note)] = note
    for view in views:
        image = by_name.get(view.name)
        seconds = caption_seconds(view.caption)
        if image is None or image.source is None or seconds is None:
            raise CannotAnswerError(
                f"picture {view.name!r}, {view.caption!r}, is not a view of a recording"
            )
        seen = _pictured(view.name, image, image.source, seconds)
        known = notes.pop(_key(seen), None)
        pictured[_key(seen)] = seen if known is None else _marked(seen, known)
    together = [*notes.values(), *pictured.values()]
    return sorted(together, key=lambda seen: (bool(seen.name), _number(seen.name)))


def describe_view(seen: SeenView, meant: SeenPerson | None) -> str:
    """A note of a view that :func:`read_notes` can read, with the person who is meant marked."""
    start = f"{place_text(seen.frame, seen.seconds, seen.azimuth)}: sees "
    if not seen.people:
        return start + "nobody."
    return start + "; ".join(_described(person, person is meant) for person in seen.people) + "."


def read_notes(text: str) -> list[SeenView]:
    """The views that a text of notes tells of."""
    return [
        _noted(int(match[1]), float(match[2]), math.radians(float(match[3])), match[4])
        for match in _NOTE.finditer(text)
    ]


def _described(person: SeenPerson, meant: bool) -> str:
    text = f"{MEANT} " if meant else ""
    text += f"at {math.degrees(person.azimuth):.1f} deg"
    if person.place is not None:
        text += f" {math.hypot(*person.place):.2f} m"
    if person.heading is not None:
        text += f" facing {math.degrees(person.heading):.0f} deg"
    if person.appearance is not None:
        text += f" looking like {_looks(person.appearance)}"
    return f"{text}: {' + '.join(person.doing())}"


def _looks(appearance: npt.NDArray[np.float32]) -> str:
    """What somebody looks like, in the one word that a note has for it: the vector's signs."""
    return np.packbits(appearance > 0.0).tobytes().hex()


def _appearance(looks: str) -> npt.NDArray[np.float32]:
    """The unit vector that a note's word stands for; likeness survives that coarsely."""
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(looks), dtype=np.uint8))
    return np.where(bits > 0, 1.0, -1.0).astype(np.float32) / np.float32(math.sqrt(len(bits)))


def _noted(frame: int, seconds: float, azimuth: float, text: str) -> SeenView:
    people = []
    for match in _PERSON.finditer(text):
        direction = math.radians(float(match[2]))
        distance = None if match[3] is None else float(match[3])
        place = (
            None
            if distance is None
            else (distance * math.cos(direction), distance * math.sin(direction))
        )
        doing = [name.strip() for name in match[6].split("+") if name.strip()]
        people.append(
            SeenPerson(
                frame=frame,
                azimuth=direction,
                place=place,
                heading=None if match[4] is None else math.radians(float(match[4])),
                actions=dict.fromkeys(doing, 1.0),
                visibility=1.0,
                appearance=None if match[5] is None else _appearance(match[5]),
                meant=match[1] is not None,
            )
        )
    return SeenView("", frame, seconds, azimuth, DEFAULT_FIELD_OF_VIEW / 2, tuple(people))


def _pictured(
    name: str, image: StageImage, source: Observation | GivenFrame, seconds: float
) -> SeenView:
    if isinstance(source, GivenFrame):
        window = CropWindow(0, 0, JRDB_CYLINDER.width, JRDB_CYLINDER.height, JRDB_CYLINDER.width)
        people = tuple(_person(found, source.frame_id, window, name) for found in look(image))
        return SeenView(name, source.frame_id, seconds, 0.0, math.pi, people, window)
    people = tuple(_person(found, source.frame_id, source.crop, name) for found in look(image))
    return SeenView(
        name,
        source.frame_id,
        seconds,
        source.azimuth,
        source.field_of_view / 2,
        people,
        source.crop,
    )


def _person(found: Detection, frame: int, crop: CropWindow, view: str) -> SeenPerson:
    start = (found.box.x - crop.left) % crop.panorama_width
    cut_off = start < EDGE_PX or start + found.box.w > crop.width - EDGE_PX
    # A panorama ends nowhere.
    cut_off = cut_off and crop.width < crop.panorama_width
    azimuth = float(boxes.centre_azimuth(found.box, JRDB_CYLINDER))
    if cut_off and found.ground is not None:
        azimuth = math.atan2(found.ground.y, found.ground.x)
    return SeenPerson(
        frame=frame,
        azimuth=azimuth,
        place=None if found.ground is None else (found.ground.x, found.ground.y),
        heading=found.heading,
        actions=found.actions,
        visibility=found.visibility,
        box=found.box,
        appearance=found.appearance,
        cut_off=cut_off,
        view=view,
    )


def _marked(seen: SeenView, note: SeenView) -> SeenView:
    """A pictured view with the person marked whom its note says is meant."""
    told = next((person for person in note.people if person.meant), None)
    if told is None or not seen.people:
        return seen
    nearest = min(
        seen.people, key=lambda person: abs(math.remainder(person.azimuth - told.azimuth, math.tau))
    )
    return replace(
        seen,
        people=tuple(
            replace(person, meant=True) if person is nearest else person for person in seen.people
        ),
    )


def _key(seen: SeenView) -> tuple[int, float]:
    if seen.half_width >= math.pi:
        return seen.frame, math.inf
    return seen.frame, round(math.degrees(seen.azimuth), 1) % 360.0


def _number(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits.group()) if digits else 0

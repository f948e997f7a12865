"""Questions that the authors of JRDB-AVR released, converted to this package's files.

NOBODY HERE HAS SEEN THE RELEASED FILE. What follows is assumed from the paper's text (section 3.3
and appendix C: answers are choice indices, frame ids, temporal spans, frame and viewpoint pairs or
numeric strings; evidence is a target with a box in a frame), and from nothing else. Whatever does
not fit is refused with `ReleasedFormatError`; nothing is guessed. When the file is at hand, this
module is the only place to change.

Assumed: a JSON array of objects with these keys and no others.

- ``id`` (text), ``sequence`` (name of a JRDB sequence), ``question`` (text), ``generator`` (text)
- ``answer_mode``: "choice", "frame", "span", "frame_view" or "number"
- ``options`` (texts): for choices, else absent or null
- ``answer``: for choices the index of the right option from 0; for frames ``{"frame_id": n}``; for
  spans ``{"start_frame": n, "end_frame": n}``, both included; for frame and view ``{"frame_id": n,
  "angle": degrees}``, 0 ahead and positive to the left; for numbers a number or numeric text
- ``unit``: "s" or "m" for numbers, else absent or null
- ``target``: "pedestrian:N"
- ``evidence``: a list of ``{"frame_id": n, "bbox": [x, y, w, h] or null}`` in panorama pixels

Tolerances are not published, so this package's are used. Families are this package's own, so
converted questions have none. The people around the target come from the annotations, which must
be those of the released questions: a box that does not fit the annotated target is refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from avr_ros.annotations.annotation_set import AnnotationSet
from avr_ros.annotations.errors import AnnotationError
from avr_ros.annotations.scene_graph import TemporalSceneGraph
from avr_ros.benchmark.dataset_identity import RecordedFrames, dataset_identities
from avr_ros.benchmark.json_lines import read_content
from avr_ros.benchmark.question_files import questions_header, write_question_files
from avr_ros.benchmark.tolerances import FRAME_TOLERANCE, METRES_TOLERANCE, SECONDS_TOLERANCE
from avr_ros.geometry.boxes import clip_rows, intersection, iou, normalise
from avr_ros.geometry.errors import GeometryError
from avr_ros.schema.answer import (
    Answer,
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode

GENERATOR = "converted from a released file"
"""What the header of converted files names as their generator."""

SAME_BOX_IOU = 0.9
"""IoU of a released box with the annotated one from which on they are the same label."""


class ReleasedFormatError(BadInputError):
    """The released file is not what was assumed, or belongs to other annotations."""


class _Frame(Record):
    frame_id: int = Field(ge=0)


class _Span(Record):
    start_frame: int = Field(ge=0)
    end_frame: int = Field(ge=0)


class _FrameView(Record):
    frame_id: int = Field(ge=0)
    angle: float = Field(ge=-180.0, le=180.0)


class _Evidence(Record):
    frame_id: int = Field(ge=0)
    bbox: Annotated[list[float], Field(min_length=4, max_length=4)] | None


class _Released(Record):
    """One released question."""

    id: str
    sequence: str
    question: str
    generator: str
    answer_mode: Literal["choice", "frame", "span", "frame_view", "number"]
    options: list[str] | None = None
    answer: int | float | str | _Frame | _Span | _FrameView
    unit: Literal["s", "m"] | None = None
    target: str = Field(pattern=r"^pedestrian:\d+$")
    evidence: Annotated[list[_Evidence], Field(min_length=1)]

    @model_validator(mode="after")
    def _consistent(self) -> _Released:
        if (self.answer_mode == "choice") != (self.options is not None):
            raise ValueError("options belong to answer mode choice, and only to it")
        if (self.answer_mode == "number") != (self.unit is not None):
            raise ValueError("a unit belongs to answer mode number, and only to it")
        self.payload()
        return self

    def payload(self) -> Answer:
        """The answer; ValueError where it is not one of the mode."""
        answer = self.answer
        if self.answer_mode == "choice" and isinstance(answer, int):
            if not 0 <= answer < len(self.options or []):
                raise ValueError(f"there is no option {answer}")
            return ChoiceAnswer(choice=answer)
        if self.answer_mode == "frame" and isinstance(answer, _Frame):
            return FrameAnswer(frame_id=answer.frame_id)
        if self.answer_mode == "span" and isinstance(answer, _Span):
            return SpanAnswer(start_frame=answer.start_frame, end_frame=answer.end_frame)
        if self.answer_mode == "frame_view" and isinstance(answer, _FrameView):
            return FrameViewAnswer(frame_id=answer.frame_id, azimuth_deg=answer.angle)
        if self.answer_mode == "number" and isinstance(answer, int | float | str):
            return NumberAnswer(value=float(answer))
        raise ValueError(f"{answer!r} is no answer of mode {self.answer_mode}")


def convert_released(
    path: Path, recording: RecordedFrames, annotations: AnnotationSet, folder: Path
) -> tuple[Path, Path]:
    """Convert a released file to questions.jsonl and keys.jsonl in a folder; return their paths.

    Raises ReleasedFormatError for a file that is not what the module assumes, or that does not
    fit the annotations.
    """
    released = read_released(path)
    names = sorted({item.sequence for item in released})
    unknown = sorted(set(names) - (set(recording.sequences()) & set(annotations.sequences())))
    if unknown:
        raise ReleasedFormatError(
            f"{path}: sequence {unknown[0]} is not in the data set with images and labels; give "
            "the data set of these questions"
        )
    questions: list[Question] = []
    keys: list[AnswerKey] = []
    for number, item in enumerate(released):
        try:
            questions.append(_question(item))
            keys.append(_key(item, annotations.scene_graph(item.sequence)))
        except (ValueError, AnnotationError) as error:
            raise _wrong(path, number, str(error)) from error
    identities = dataset_identities(recording, annotations, names)
    header = questions_header(identities, None, GENERATOR, len(questions))
    return write_question_files(folder, header, questions, keys)


def read_released(path: Path) -> Sequence[_Released]:
    """The released questions; raises ReleasedFormatError where the file is not as assumed."""
    try:
        rows = json.loads(read_content(path))
    except (ValueError, RecursionError) as error:
        raise ReleasedFormatError(f"{path}: not JSON ({error}); see this module's text") from error
    if not isinstance(rows, list) or not rows:
        raise ReleasedFormatError(
            f"{path}: a list of questions was expected; the released format differs from what was "
            "assumed"
        )
    released: list[_Released] = []
    for number, row in enumerate(rows):
        try:
            released.append(_Released.model_validate(row, strict=True))
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the object"
            raise _wrong(path, number, f"{place}: {first['msg']}") from error
    seen: set[str] = set()
    for number, item in enumerate(released):
        if item.id in seen:
            raise _wrong(path, number, f"id {item.id} is used twice")
        seen.add(item.id)
    return released


def _question(item: _Released) -> Question:
    return Question(
        question_id=item.id,
        family=None,
        answer_mode=AnswerMode(item.answer_mode),
        text=item.question,
        sequence=item.sequence,
        choices=tuple(item.options or ()),
        unit=item.unit or "",
        tolerance=_tolerance(item),
    )


def _key(item: _Released, graph: TemporalSceneGraph) -> AnswerKey:
    ordered = sorted(item.evidence, key=lambda evidence: evidence.frame_id)
    return AnswerKey(
        question_id=item.id,
        answer=item.payload(),
        tolerance=_tolerance(item),
        target=item.target,
        evidence=tuple(_evidence(evidence, item, graph) for evidence in ordered),
    )


def _tolerance(item: _Released) -> float | None:
    if item.answer_mode in ("frame", "frame_view"):
        return FRAME_TOLERANCE
    if item.answer_mode == "number":
        return METRES_TOLERANCE if item.unit == "m" else SECONDS_TOLERANCE
    return None


def _evidence(item: _Evidence, released: _Released, graph: TemporalSceneGraph) -> EvidenceFrame:
    track = int(released.target.partition(":")[2])
    width, height = graph.cylinder.width, graph.cylinder.height
    rows = [int(row) for row in graph.people_at(item.frame_id) if graph.has_box[row]]
    boxes = {
        int(graph.track_id[row]): normalise(clip_rows(graph.boxes[row], height), width)
        for row in rows
    }
    if item.bbox is None:
        others = [box for other, box in boxes.items() if other != track]
        return EvidenceFrame(frame_id=item.frame_id, box=None, others=tuple(map(_box, others)))
    if track not in boxes:
        raise ValueError(f"{released.target} has no box in frame {item.frame_id} of the labels")
    try:
        own = normalise(clip_rows(item.bbox, height), width)
    except GeometryError as error:
        raise ValueError(f"bbox in frame {item.frame_id}: {error}") from error
    if float(iou(own, boxes[track], width)) < SAME_BOX_IOU:
        raise ValueError(
            f"the bbox in frame {item.frame_id} is not that of {released.target} in the labels"
        )
    near = [
        _box(box)
        for other, box in boxes.items()
        if other != track and float(intersection(own, box, width)) > 0.0
    ]
    return EvidenceFrame(frame_id=item.frame_id, box=_box(own), others=tuple(near))


def _box(values: NDArray[np.float64]) -> Box:
    return Box(*(round(value, 3) for value in values.tolist()))


def _wrong(path: Path, number: int, what: str) -> ReleasedFormatError:
    text = " ".join(what.split())
    return ReleasedFormatError(
        f"{path}: question {number}: {text}; the file is not what was assumed, or belongs to "
        "other annotations"
    )

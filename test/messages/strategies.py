"""Hypothesis strategies for the types of the schema."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from avr_ros.geometry.crop import CropWindow
from avr_ros.schema.answer import (
    ChoiceAnswer,
    FrameAnswer,
    FrameViewAnswer,
    NumberAnswer,
    SpanAnswer,
)
from avr_ros.schema.box import Box
from avr_ros.schema.detection import APPEARANCE_SIZE, Detection, GroundPosition
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
from avr_ros.schema.fact import Fact, FactKind, FactPattern, Provenance, WriteOutcome
from avr_ros.schema.observation import (
    GivenFrame,
    GivenFrameResponse,
    Observation,
    ObserveRequest,
    ObserveResponse,
    ObserveStatus,
)
from avr_ros.schema.prediction import Evidence, FailureKind, Prediction
from avr_ros.schema.question import FrameSpan, Question, StartView
from avr_ros.schema.report import Rates
from avr_ros.schema.result import Cost, EvidenceReason, SampleResult, Score
from avr_ros.schema.step import Step, StepKind
from avr_ros.schema.vocabulary import ACTIONS, AnswerMode, Family

WIDTH = 3760

text = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
name = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
identifier = st.text("abcXYZ019_.:-", min_size=1, max_size=20)
finite = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(0, 1e9)
share = st.floats(0, 1)
frame = st.integers(0, 2**62)
azimuth = st.floats(-math.pi, math.pi)
degrees = st.floats(-180, 180)
stamp = st.integers(0, (2**31 - 1) * 10**9)
box = st.builds(Box, finite, finite, finite, finite)
span = st.tuples(frame, frame).map(lambda ends: (min(ends), max(ends)))
crop = st.builds(
    CropWindow,
    st.integers(0, WIDTH - 1),
    st.integers(0, 479),
    st.integers(1, WIDTH),
    st.integers(1, 480),
    st.just(WIDTH),
)

answer = st.one_of(
    st.builds(ChoiceAnswer, choice=st.integers(0, 2**31 - 1)),
    st.builds(FrameAnswer, frame_id=frame),
    span.map(lambda ends: SpanAnswer(start_frame=ends[0], end_frame=ends[1])),
    st.builds(FrameViewAnswer, frame_id=frame, azimuth_deg=degrees),
    st.builds(NumberAnswer, value=finite),
)
evidence = st.builds(
    Evidence,
    observation_id=text,
    frame_id=frame,
    azimuth_deg=st.none() | degrees,
    box=st.none() | box,
)
prediction = st.one_of(
    st.builds(Prediction, answer=answer, evidence=st.none() | evidence, reason=text),
    st.builds(Prediction, abstained=st.just(True), reason=text),
    st.builds(
        Prediction,
        failure=st.sampled_from(FailureKind),
        evidence=st.none() | evidence,
        reason=text,
    ),
)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    mode = draw(st.sampled_from(AnswerMode))
    choices: tuple[str, ...] = ()
    if mode is AnswerMode.CHOICE:
        choices = tuple(draw(st.lists(text, min_size=1, max_size=5, unique=True)))
    return Question(
        question_id=draw(identifier),
        family=draw(st.none() | st.sampled_from(Family)),
        answer_mode=mode,
        text=draw(name),
        sequence=draw(text),
        choices=choices,
        unit=draw(st.sampled_from(["s", "m"])) if mode is AnswerMode.NUMBER else "",
        tolerance=draw(st.none() | positive),
        legal_frames=tuple(
            FrameSpan(first=first, last=last) for first, last in draw(st.lists(span, max_size=3))
        ),
        max_observations=draw(st.integers(1, 10_000)),
        max_tool_calls=draw(st.integers(1, 100_000)),
        fields_of_view_deg=tuple(draw(st.lists(finite, max_size=3))),
        given_frames=tuple(draw(st.lists(frame, max_size=3))),
        start_view=draw(st.none() | st.builds(StartView, frame_id=frame, azimuth_deg=degrees)),
    )


json_value = st.recursive(
    st.none() | st.booleans() | st.integers() | finite | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
step = st.builds(
    Step,
    episode_id=text,
    number=st.integers(1, 2**32 - 1),
    kind=st.sampled_from(StepKind),
    summary=text,
    observation_id=text,
    frame_id=st.none() | frame,
    azimuth_deg=st.none() | degrees,
    details=st.dictionaries(text, json_value, max_size=3),
    seconds=positive,
)
fact = st.builds(
    Fact,
    kind=st.sampled_from(FactKind),
    subject=name,
    predicate=name,
    value=text,
    provenance=st.builds(
        Provenance,
        observation_id=name,
        frame_id=frame,
        azimuth=st.none() | finite,
        box=st.none() | box,
        confidence=share,
        source=text,
    ),
)
pattern = st.builds(FactPattern, text, text, text, text, st.none() | frame, st.none() | frame)
outcome = st.builds(
    WriteOutcome,
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.integers(0, 2**32 - 1), text), max_size=3).map(tuple),
    st.integers(0, 2**32 - 1),
)
probabilities = st.dictionaries(st.sampled_from(ACTIONS), share, max_size=4)
detection = st.builds(
    Detection,
    box=box,
    confidence=share,
    actions=probabilities,
    appearance=st.lists(
        st.floats(-1, 1, width=32), min_size=APPEARANCE_SIZE, max_size=APPEARANCE_SIZE
    ).map(lambda values: np.array(values, dtype=np.float32)),
    ground=st.none() | st.builds(GroundPosition, finite, finite, positive),
    visibility=share,
    heading=st.none() | st.floats(-3.14, 3.14),
)
request = st.builds(
    ObserveRequest,
    frame_id=st.integers(-(2**63), 2**63 - 1),
    azimuth=st.floats(),
    episode_id=text,
    request_id=text,
    sequence=text,
    stamp_ns=st.integers(-(2**31) * 10**9, (2**31 - 1) * 10**9),
    field_of_view=st.floats(),
    image_format=st.integers(0, 255),
)
pixels = st.integers(0, 255).map(
    lambda value: np.full((480, 480, 3), [value, 255 - value, 7], dtype=np.uint8)
)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    raw = draw(st.booleans())
    return Observation(
        observation_id=draw(text),
        sequence=draw(text),
        frame_id=draw(frame),
        stamp_ns=draw(stamp),
        azimuth=draw(azimuth),
        field_of_view=draw(positive),
        crop=draw(crop),
        jpeg=None if raw else draw(st.binary(min_size=1, max_size=50)),
        raw=draw(pixels) if raw else None,
    )


refused = st.sampled_from([status for status in ObserveStatus if status])
remaining = st.integers(-1, 10_000)
observe_response = st.one_of(
    st.builds(ObserveResponse, refused, text, st.none(), remaining),
    st.builds(ObserveResponse, st.just(ObserveStatus.OK), text, observations(), remaining),
)
given_frame_response = st.one_of(
    st.builds(GivenFrameResponse, refused, text, st.none()),
    st.builds(
        GivenFrameResponse,
        st.just(ObserveStatus.OK),
        text,
        st.builds(GivenFrame, text, text, frame, stamp, st.binary(max_size=50)),
    ),
)
episode = st.builds(
    EpisodeSpecification,
    text,
    text,
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5).map(tuple),
    st.integers(-(2**31), 2**31 - 1),
    st.lists(st.floats(allow_nan=False), max_size=3).map(tuple),
    st.lists(frame, max_size=3).map(tuple),
)
open_response = st.builds(OpenResponse, st.sampled_from(OpenStatus), text)
ledger_record = st.builds(
    LedgerRecord,
    episode_id=text,
    sequence_number=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(LedgerKind),
    request_id=text,
    observation_id=text,
    sequence=text,
    frame_id=st.integers(-1, 2**62),
    stamp_ns=stamp,
    azimuth=st.floats(allow_nan=False),
    field_of_view=st.floats(allow_nan=False),
    crop=st.none() | crop,
    status=st.sampled_from(ObserveStatus),
    message=text,
    remaining_observations=remaining,
)


@st.composite
def close_responses(draw: st.DrawFn) -> CloseResponse:
    if draw(st.booleans()):
        return CloseResponse(CloseStatus.UNKNOWN_EPISODE, draw(text), None)
    ledger = Ledger(
        "episode",
        tuple(draw(st.lists(ledger_record, max_size=3))),
        draw(st.integers(0, 2**32 - 1)),
    )
    return CloseResponse(CloseStatus.OK, "", ledger)


counts = st.integers(0, 2**32 - 1)
cost = st.builds(
    Cost,
    steps=counts,
    observations=counts,
    given_frames=counts,
    calls=counts,
    tokens_in=counts,
    tokens_out=counts,
    tokens_reasoning=counts,
    images=counts,
    seconds=positive,
    model_seconds=positive,
    perception_seconds=positive,
)
score = st.builds(
    Score,
    answer=st.booleans(),
    evidence=st.booleans(),
    combined=st.booleans(),
    iou=st.none() | share,
    evidence_reason=st.sampled_from(EvidenceReason),
)
sample_result = st.builds(
    SampleResult,
    question_id=text,
    family=st.none() | st.sampled_from(Family),
    answer_mode=st.sampled_from(AnswerMode),
    sequence=text,
    attempt=st.integers(1, 2**32 - 1),
    prediction=prediction,
    score=score,
    cost=cost,
)
rates = st.builds(
    Rates,
    n=counts,
    answer=finite,
    evidence=finite,
    combined=finite,
    conditional_hallucination=st.none() | finite,
)

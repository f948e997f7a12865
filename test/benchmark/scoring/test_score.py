"""The score of a whole prediction."""

import pytest

from avr_ros.benchmark.scoring.score import score
from avr_ros.geometry.crop import crop_window
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.schema.answer import FrameAnswer, NumberAnswer
from avr_ros.schema.answer_key import AnswerKey, EvidenceFrame
from avr_ros.schema.box import Box
from avr_ros.schema.episode import Ledger, LedgerKind, LedgerRecord
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.observation import ObserveStatus
from avr_ros.schema.prediction import Evidence, FailureKind, Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import EvidenceReason
from avr_ros.schema.vocabulary import AnswerMode, Family

BOX = Box(1840.0, 100.0, 80.0, 200.0)
QUESTION = Question(
    question_id="q",
    family=Family.ACTION_BOUNDARY,
    answer_mode=AnswerMode.FRAME,
    text="When?",
    tolerance=5.0,
)
KEY = AnswerKey(
    question_id="q",
    answer=FrameAnswer(frame_id=10),
    tolerance=5.0,
    target="pedestrian:1",
    evidence=(EvidenceFrame(frame_id=10, box=BOX),),
)
LEDGER = Ledger(
    "q#1",
    (
        LedgerRecord(
            "q#1",
            1,
            LedgerKind.OBSERVATION,
            "",
            "q#1/1",
            "s",
            10,
            0,
            0.0,
            0.8,
            crop_window(JRDB_CYLINDER, 0.0),
            ObserveStatus.OK,
            "",
            31,
        ),
    ),
)
EVIDENCE = Evidence(observation_id="q#1/1", frame_id=10, azimuth_deg=0.0, box=BOX)


def test_answer_and_evidence_are_scored_apart_and_combined() -> None:
    right = score(
        QUESTION, KEY, Prediction(answer=FrameAnswer(frame_id=12), evidence=EVIDENCE), LEDGER
    )
    assert (right.answer, right.evidence, right.combined) == (True, True, True)
    assert right.iou == 1.0
    wrong = score(
        QUESTION, KEY, Prediction(answer=FrameAnswer(frame_id=30), evidence=EVIDENCE), LEDGER
    )
    assert (wrong.answer, wrong.evidence, wrong.combined) == (False, True, False)
    lucky = score(QUESTION, KEY, Prediction(answer=FrameAnswer(frame_id=12)), LEDGER)
    assert (lucky.answer, lucky.evidence, lucky.combined) == (True, False, False)
    assert lucky.evidence_reason is EvidenceReason.NO_EVIDENCE


@pytest.mark.parametrize(
    "prediction",
    [
        Prediction(abstained=True, evidence=EVIDENCE, reason="not found"),
        Prediction(failure=FailureKind.PARSE_FAILURE, evidence=EVIDENCE),
        Prediction(failure=FailureKind.MODEL_TIMEOUT),
    ],
)
def test_abstentions_and_failures_are_wrong_throughout(prediction: Prediction) -> None:
    result = score(QUESTION, KEY, prediction, LEDGER)
    assert (result.answer, result.evidence, result.combined) == (False, False, False)
    assert result.evidence_reason is EvidenceReason.NO_EVIDENCE


def test_an_answer_of_another_mode_is_wrong_but_its_evidence_is_judged() -> None:
    result = score(
        QUESTION, KEY, Prediction(answer=NumberAnswer(value=10.0), evidence=EVIDENCE), LEDGER
    )
    assert (result.answer, result.evidence, result.combined) == (False, True, False)


def test_another_questions_key_is_refused() -> None:
    other = KEY.model_copy(update={"question_id": "r"})
    with pytest.raises(BadInputError, match="key of r used for question q"):
        score(QUESTION, other, Prediction(abstained=True), LEDGER)
    number = KEY.model_copy(update={"answer": NumberAnswer(value=1.0)})
    with pytest.raises(BadInputError, match="answers by number"):
        score(QUESTION, number, Prediction(abstained=True), LEDGER)

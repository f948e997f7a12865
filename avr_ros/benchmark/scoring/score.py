"""The score of one prediction."""

from avr_ros.benchmark.scoring.answers import answer_is_right
from avr_ros.benchmark.scoring.evidence import judge_evidence
from avr_ros.geometry.panorama import Cylinder
from avr_ros.schema.answer_key import AnswerKey
from avr_ros.schema.episode import Ledger
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.prediction import Prediction
from avr_ros.schema.question import Question
from avr_ros.schema.result import EvidenceReason, Score


def score(
    question: Question,
    key: AnswerKey,
    prediction: Prediction,
    ledger: Ledger,
    panorama_width: int = 3760,
) -> Score:
    """Score a prediction against its key and the ledger of its episode.

    An abstention or a failure claims nothing: its answer is wrong and its evidence is none.
    Raises BadInputError where the key is not this question's.
    """
    if key.question_id != question.question_id:
        raise BadInputError(
            f"key of {key.question_id} used for question {question.question_id}; "
            "give the keys file that was written with the questions"
        )
    if key.answer.mode != question.answer_mode.value:
        raise BadInputError(
            f"key of {key.question_id} answers by {key.answer.mode}, the question asks for "
            f"{question.answer_mode.value}; give the keys file that was written with the questions"
        )
    cylinder = Cylinder(width=panorama_width)
    if prediction.answer is None:
        return Score(
            answer=False,
            evidence=False,
            combined=False,
            evidence_reason=EvidenceReason.NO_EVIDENCE,
        )
    answer = answer_is_right(question, key, prediction.answer, cylinder)
    judgement = judge_evidence(prediction.evidence, key, ledger, cylinder)
    return Score(
        answer=answer,
        evidence=judgement.right,
        combined=answer and judgement.right,
        iou=judgement.iou,
        evidence_reason=judgement.reason,
    )

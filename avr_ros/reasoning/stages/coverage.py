"""Stage ``coverage``: which demands the retained evidence covers.

Only the coverage-dependent variant asks; its labels reach neither seeker nor answerer.
"""

from typing import Final

from pydantic import Field, create_model

from avr_ros.reasoning.stage import StageImage, StageRequest
from avr_ros.reasoning.stages.contract import AnswerContract, ShownView, images_of
from avr_ros.schema.model import Record

STAGE: Final = "coverage"


class CoverageInputs(Record):
    """The question, the demands and the retained evidence."""

    question: str
    contract: AnswerContract
    demands: tuple[str, ...]
    views: tuple[ShownView, ...]


class DemandCoverage(Record):
    """Whether a demand is covered and, if not, what is missing."""

    covered: bool
    missing: str = ""


class CoverageReply(Record):
    """One entry for each demand, in their order."""

    demands: tuple[DemandCoverage, ...]


def coverage_request(
    inputs: CoverageInputs, images: tuple[StageImage, ...], scope: str = ""
) -> StageRequest[CoverageReply]:
    """Ask what is covered."""
    n = len(inputs.demands)
    reply = create_model(
        "CoverageReply",
        __base__=CoverageReply,
        __doc__=CoverageReply.__doc__,
        demands=(tuple[DemandCoverage, ...], Field(min_length=n, max_length=n)),
    )
    return StageRequest(STAGE, inputs, reply, images_of(inputs.views, images), scope)

"""Reports of runs."""

import math
from typing import Any

from pydantic import ValidationError

from avr_ros.messages.message_types import MessageContentError, MessageTypes
from avr_ros.messages.time import time_message
from avr_ros.schema.report import Rates, Report


def rates_message(name: str, rates: Rates, types: MessageTypes) -> Any:
    """A ``Rates`` of what ``name`` says, empty for all questions."""
    hallucination = rates.conditional_hallucination
    return types("avr_ros/msg/Rates")(
        name=name,
        n=rates.n,
        answer=rates.answer,
        evidence=rates.evidence,
        combined=rates.combined,
        conditional_hallucination=math.nan if hallucination is None else hallucination,
    )


def rates_from_message(message: Any) -> Rates:
    """The rates of a ``Rates``."""
    hallucination = float(message.conditional_hallucination)
    return Rates(
        n=int(message.n),
        answer=float(message.answer),
        evidence=float(message.evidence),
        combined=float(message.combined),
        conditional_hallucination=None if math.isnan(hallucination) else hallucination,
    )


def report_message(report: Report, run_id: str, stamp: int, types: MessageTypes) -> Any:
    """An ``EvaluationReport`` of a run, made at ``stamp``, nanoseconds since the epoch."""
    overall = Rates(
        n=report.n,
        answer=report.answer,
        evidence=report.evidence,
        combined=report.combined,
        conditional_hallucination=report.conditional_hallucination,
    )
    return types("avr_ros/msg/EvaluationReport")(
        stamp=time_message(stamp, types),
        run_id=run_id,
        overall=rates_message("", overall, types),
        by_family=[rates_message(*item, types) for item in report.by_family.items()],
        by_answer_mode=[rates_message(*item, types) for item in report.by_answer_mode.items()],
        oracle_perception=report.oracle_perception,
        stand_in_model=report.stand_in_model,
        agent=report.agent,
        model=report.model,
        perception=report.perception,
        report=report.model_dump_json(),
    )


def report_from_message(message: Any) -> Report:
    """The report that an ``EvaluationReport`` carries whole. Raises MessageContentError."""
    try:
        return Report.model_validate_json(message.report)
    except ValidationError as error:
        raise MessageContentError(f"EvaluationReport: {error.errors()[0]['msg']}") from error

"""What a run will cost, before it is paid for: calls, tokens, time and, with rates, money."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import Field

from avr_ros.agents.registry import agent_names
from avr_ros.agents.stage_plan import StageUse
from avr_ros.agents.stage_plans import STAGE_PLANS
from avr_ros.evaluation.recorded_calls import StageMeans, recorded_means
from avr_ros.reasoning.backends.openai.prompts import PACKAGE_TEMPLATES, SUFFIX
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.model_name import parse_model
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.model import Record
from avr_ros.schema.question import Question

CHARACTERS_PER_TOKEN: Final = 4.0
"""Characters of English text that common tokenisers make one token of."""

VIEW_TOKENS: Final = 300
"""Tokens of a view of 480 x 480 pixels for models that cut pictures into 28-pixel squares."""

LOCAL_SECONDS: Final = 0.05
"""Seconds of a call that the local model answers, most of them for looking at a picture."""

SERVER_SECONDS: Final = 3.0
"""Seconds of a call to a server, if nothing better is known."""


class Rates(Record):
    """What is assumed of the server: seconds of a call, tokens of a picture, and prices.

    Prices are for a million tokens, in whatever money; none: no price is computed.
    """

    seconds_per_call: float | None = Field(default=None, ge=0)
    tokens_per_image: int = Field(default=VIEW_TOKENS, ge=0)
    price_in: float | None = Field(default=None, ge=0)
    price_out: float | None = Field(default=None, ge=0)


class Amounts(Record):
    """One reading of what a run costs: calls, tokens, pictures, seconds of the whole run, price."""

    calls: float
    tokens_in: float
    tokens_out: float
    images: float
    seconds: float
    price: float | None


class StageEstimate(Record):
    """The calls of one stage in the whole run; ``measured`` if from a recorded run."""

    stage: str
    typical: float
    most: int | None
    measured: bool


class Estimate(Record):
    """What a run is expected to cost, and the most that budgets and settings let it cost.

    ``most`` is none where the agent declares no plan: a recorded run has no upper bound.
    """

    agent: str
    model: str
    questions: int
    workers: int
    stages: tuple[StageEstimate, ...]
    typical: Amounts
    most: Amounts | None


@dataclass(frozen=True)
class EstimateRequest:
    """The run that is asked about; settings are those of agent and model."""

    questions: tuple[Question, ...]
    agent: str
    agent_settings: Record
    model: str
    model_settings: Record
    workers: int
    question_deadline: float
    rates: Rates
    like: Path | None = None


def estimate(request: EstimateRequest) -> Estimate:
    """Estimate a run. Raises BadInputError where neither a plan nor a recorded run tells."""
    plan = STAGE_PLANS.get(request.agent)
    if plan is None and request.like is None:
        raise BadInputError(
            f"agent {request.agent!r} declares no plan of its calls; give a run of it with --like"
            if request.agent in agent_names()
            else f"there is no agent {request.agent!r}; known: {', '.join(agent_names())}"
        )
    means = {} if request.like is None else recorded_means(request.like)
    uses = (
        []
        if plan is None
        else [plan(question, request.agent_settings) for question in request.questions]
    )
    names = list(dict.fromkeys([use.stage for each in uses for use in each] + list(means)))
    stages = tuple(_stage(name, uses, means, len(request.questions)) for name in names)
    return Estimate(
        agent=request.agent,
        model=request.model,
        questions=len(request.questions),
        workers=request.workers,
        stages=stages,
        typical=_measured(request, means) if means else _typical(request, uses),
        most=_most(request, uses) if uses else None,
    )


def _stage(
    name: str, uses: Sequence[Sequence[StageUse]], means: dict[str, StageMeans], questions: int
) -> StageEstimate:
    own = [use for each in uses for use in each if use.stage == name]
    if means:
        typical = means[name].calls * questions if name in means else 0.0
    else:
        typical = sum(use.typical for use in own)
    return StageEstimate(
        stage=name,
        typical=typical,
        most=sum(use.most for use in own) if uses else None,
        measured=bool(means),
    )


def _typical(request: EstimateRequest, uses: Sequence[Sequence[StageUse]]) -> Amounts:
    """Expected amounts from the agent's plan: every call succeeds at once."""
    calls = tokens_in = tokens_out = images = 0.0
    for question, each in zip(request.questions, uses, strict=True):
        for use in each:
            calls += use.typical
            images += use.typical * use.images
            tokens_in += use.typical * _prompt_tokens(request, question, use, use.images, use.told)
            tokens_out += use.typical * use.said
    seconds = calls * _seconds_per_call(request) / _at_once(request)
    return _amounts(request, calls, tokens_in, tokens_out, images, seconds)


def _most(request: EstimateRequest, uses: Sequence[Sequence[StageUse]]) -> Amounts:
    """Amounts if every budget is used up and every reply has to be repaired as often as allowed."""
    settings = request.model_settings
    server = settings if isinstance(settings, OpenAISettings) else None
    requests = 1 + (server.repairs if server else 0)
    longest = server.max_tokens if server else 0
    calls = tokens_in = tokens_out = images = 0.0
    for question, each in zip(request.questions, uses, strict=True):
        for use in each:
            prompt = _prompt_tokens(request, question, use, use.most_images, use.most_told)
            # A repair tells the model its earlier replies again.
            told_again = longest * requests * (requests - 1) / 2
            calls += use.most
            images += use.most * use.most_images
            tokens_in += use.most * (requests * prompt + told_again)
            tokens_out += use.most * requests * longest
    rounds = math.ceil(len(request.questions) / request.workers)
    seconds = rounds * request.question_deadline
    if server is not None:
        seconds = min(calls * server.deadline_seconds / _at_once(request), seconds)
    return _amounts(request, calls, tokens_in, tokens_out, images, seconds)


def _measured(request: EstimateRequest, means: dict[str, StageMeans]) -> Amounts:
    """Expected amounts from a recorded run."""
    n = len(request.questions)
    calls = n * sum(mean.calls for mean in means.values())
    each = request.rates.seconds_per_call
    busy = n * sum(mean.calls * (mean.seconds if each is None else each) for mean in means.values())
    return _amounts(
        request,
        calls,
        n * sum(mean.calls * mean.tokens_in for mean in means.values()),
        n * sum(mean.calls * mean.tokens_out for mean in means.values()),
        n * sum(mean.calls * mean.images for mean in means.values()),
        busy / _at_once(request),
    )


def _amounts(
    request: EstimateRequest,
    calls: float,
    tokens_in: float,
    tokens_out: float,
    images: float,
    seconds: float,
) -> Amounts:
    if parse_model(request.model).kind != "openai":
        tokens_in = tokens_out = 0.0
    rates = request.rates
    price = None
    if rates.price_in is not None or rates.price_out is not None:
        price = (tokens_in * (rates.price_in or 0) + tokens_out * (rates.price_out or 0)) / 1e6
    return Amounts(
        calls=calls,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        images=images,
        seconds=seconds,
        price=price,
    )


def _prompt_tokens(
    request: EstimateRequest, question: Question, use: StageUse, images: float, told: int
) -> float:
    """Tokens of one prompt: template, question, choices, other inputs and pictures."""
    path = PACKAGE_TEMPLATES / f"{use.stage}{SUFFIX}"
    template = len(path.read_text(encoding="utf-8")) if path.is_file() else 0
    asked = len(question.text) + sum(len(choice) for choice in question.choices)
    text = (template + asked + told) / CHARACTERS_PER_TOKEN
    return text + images * request.rates.tokens_per_image


def _seconds_per_call(request: EstimateRequest) -> float:
    given = request.rates.seconds_per_call
    if given is not None:
        return given
    return SERVER_SECONDS if parse_model(request.model).kind == "openai" else LOCAL_SECONDS


def _at_once(request: EstimateRequest) -> int:
    """Calls that run at the same time."""
    settings = request.model_settings
    limit = settings.concurrency if isinstance(settings, OpenAISettings) else request.workers
    return max(1, min(request.workers, limit, len(request.questions)))

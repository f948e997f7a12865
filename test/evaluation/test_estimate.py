"""Estimates: hand-worked amounts, bounds that hold, and the command."""

import json
from pathlib import Path
from typing import Any

import pytest
from run_doubles import questions_and_keys
from written_runs import write_questions, write_run

from avr_ros.agents.registry import agent_names, agent_settings_type
from avr_ros.agents.stage_plan import StageUse
from avr_ros.agents.stage_plans import STAGE_PLANS
from avr_ros.cli.main import main
from avr_ros.evaluation import estimate as module
from avr_ros.evaluation.estimate import EstimateRequest, Rates, estimate
from avr_ros.reasoning.backends.openai.prompts import PACKAGE_TEMPLATES
from avr_ros.reasoning.backends.openai.settings import OpenAISettings
from avr_ros.reasoning.make_backend import NoSettings
from avr_ros.schema.errors import BadInputError

SERVER = "openai:http://localhost:1/v1#m"
PLAN = (StageUse("no template", 2, 5, images=1, most_images=3, told=400, most_told=800, said=10),)


def request(**changes: Any) -> EstimateRequest:
    questions, _ = questions_and_keys(3)
    values: dict[str, Any] = {
        "questions": tuple(questions),
        "agent": "avr",
        "agent_settings": agent_settings_type("avr")(),
        "model": SERVER,
        "model_settings": OpenAISettings(max_tokens=100, repairs=1, deadline_seconds=20.0),
        "workers": 2,
        "question_deadline": 1000.0,
        "rates": Rates(seconds_per_call=1.5, tokens_per_image=300, price_in=10, price_out=100),
    }
    return EstimateRequest(**(values | changes))


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STAGE_PLANS", {"avr": lambda question, settings: PLAN})


@pytest.mark.usefixtures("planned")
def test_amounts_by_hand() -> None:
    made = estimate(request())
    # Each question has 32 characters, so a prompt has (32 + 400) / 4 tokens of text and a picture.
    assert {len(question.text) for question in request().questions} == {32}
    typical = made.typical
    assert (typical.calls, typical.images) == (6, 6)
    assert typical.tokens_in == 6 * (108 + 300)
    assert typical.tokens_out == 60
    assert typical.seconds == 6 * 1.5 / 2
    assert typical.price == pytest.approx((2448 * 10 + 60 * 100) / 1e6)
    most = made.most
    assert most is not None
    assert (most.calls, most.images) == (15, 45)
    # Two requests a call: the prompt twice, and the first reply told again.
    assert most.tokens_in == 15 * (2 * (208 + 900) + 100)
    assert most.tokens_out == 15 * 2 * 100
    assert most.seconds == 15 * 20 / 2
    short = estimate(request(question_deadline=10.0)).most
    assert short is not None
    assert short.seconds == 20.0


@pytest.mark.usefixtures("planned")
def test_the_local_model_has_no_tokens() -> None:
    made = estimate(request(model="local", model_settings=NoSettings(), rates=Rates()))
    assert (made.typical.calls, made.typical.tokens_in, made.typical.price) == (6, 0, None)


@pytest.mark.parametrize("agent", STAGE_PLANS)
def test_declared_plans_are_whole(agent: str) -> None:
    needed = {"run": "somewhere"} if agent == "reanswer" else {}
    settings = agent_settings_type(agent)(**needed)
    (question,) = questions_and_keys(1)[0]
    uses = STAGE_PLANS[agent](question, settings)
    for use in uses:
        assert (PACKAGE_TEMPLATES / f"{use.stage}.jinja").is_file()
        assert 0 < use.typical <= use.most
        assert use.images <= use.most_images
        assert use.told <= use.most_told
    made = estimate(request(agent=agent, agent_settings=settings))
    assert made.most is not None
    for name in ("calls", "tokens_in", "tokens_out", "images", "seconds"):
        assert getattr(made.typical, name) <= getattr(made.most, name), name


@pytest.mark.parametrize(("memory", "images"), [("board", 32), ("recent", 6), ("uniform", 20)])
def test_answering_again_is_one_call_with_what_the_memory_holds(memory: str, images: int) -> None:
    settings = agent_settings_type("reanswer").model_validate(
        {"run": "somewhere", "memory": memory}
    )
    made = estimate(request(agent="reanswer", agent_settings=settings))
    assert made.most is not None
    assert (made.typical.calls, made.most.calls, made.most.images) == (3, 3, 3 * images)


def test_every_agent_has_a_plan() -> None:
    assert set(STAGE_PLANS) == set(agent_names())


def test_a_recorded_run_tells_what_is_typical(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STAGE_PLANS", {})
    questions = write_questions(tmp_path / "questions", 4)
    run = write_run(tmp_path / "run", questions, [(True, True)] * 4)
    made = estimate(request(agent="passive", agent_settings=NoSettings(), like=run))
    assert made.most is None
    # Each recorded question made two calls, with nine and three pictures.
    assert (made.typical.calls, made.typical.images, made.typical.seconds) == (6, 36, 6 * 1.5 / 2)
    (stage,) = made.stages
    assert (stage.typical, stage.most, stage.measured) == (6, None, True)


def test_the_command_prints_a_table_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = write_questions(tmp_path / "questions", 4)
    arguments = ["estimate", str(questions.parent), "--agent", "passive", "--model", SERVER]
    assert main([*arguments, "--set", "max_tokens=64", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["questions"], made["most"]["tokens_out"]) == (4, 4 * 3 * 64)
    assert main([*arguments, "--price-in", "2", "--limit", "2"]) == 0
    table = capsys.readouterr().out
    assert "2 questions" in table
    assert "calls of answer" in table
    assert "price" in table
    assert main(["estimate", str(tmp_path / "nowhere.jsonl")]) == 2


def test_unknown_agents_are_named() -> None:
    with pytest.raises(BadInputError, match="known: avr"):
        estimate(request(agent="zzz", agent_settings=NoSettings()))


def test_an_agent_without_a_plan_needs_a_recorded_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STAGE_PLANS", {})
    with pytest.raises(BadInputError, match="--like"):
        estimate(request(agent="passive", agent_settings=NoSettings()))

"""What a run inherits from the runs that it takes replies or views from."""

from pathlib import Path
from typing import Any

import pytest
from written_runs import write_questions, write_run

from avr_ros.evaluation.prepare import freeze, read_run_questions
from avr_ros.evaluation.request import RunRequest
from avr_ros.evaluation.specification import RunSpecification
from avr_ros.schema.errors import BadInputError

SERVER = "openai:http://localhost#vision"


def frozen(
    questions: Path, agent: str, model: str, perception: str = "onnx", **settings: Any
) -> RunSpecification:
    request = RunRequest(
        dataset=questions.parent,
        questions=questions,
        keys=questions.with_name("keys.jsonl"),
        out=questions.parent / "out",
        agent=agent,
        model=model,
        perception=perception,
    )
    return freeze(
        request,
        read_run_questions(request),
        agent_settings=settings,
        model_settings={},
        perception_settings={},
    )


@pytest.mark.parametrize(
    "marks", [(oracle, local) for oracle in (False, True) for local in (False, True)]
)
def test_replies_and_views_of_marked_runs_are_marked(
    tmp_path: Path, marks: tuple[bool, bool]
) -> None:
    questions = write_questions(tmp_path, 1)
    oracle, local = marks
    earlier = write_run(
        tmp_path / "earlier", questions, [], oracle_perception=oracle, stand_in_model=local
    )
    for later in (
        frozen(questions, "avr", f"replay:{earlier}"),
        frozen(questions, "reanswer", SERVER, run=str(earlier)),
    ):
        assert (later.oracle_perception, later.stand_in_model) == marks
    own = frozen(questions, "reanswer", "local", "oracle", run=str(earlier))
    assert own.oracle_perception and own.stand_in_model


def test_a_run_by_itself_has_its_own_marks(tmp_path: Path) -> None:
    questions = write_questions(tmp_path, 1)
    made = frozen(questions, "avr", SERVER)
    assert not made.oracle_perception and not made.stand_in_model
    made = frozen(questions, "avr", "local", "oracle")
    assert made.oracle_perception and made.stand_in_model


def test_what_is_no_run_cannot_be_answered_again(tmp_path: Path) -> None:
    questions = write_questions(tmp_path, 1)
    with pytest.raises(BadInputError, match="run.json"):
        frozen(questions, "reanswer", SERVER, run=str(tmp_path))

"""Schemas of every stage's replies, in the subset that OpenAI's strict mode accepts."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from test_acquisition_stages import CHOICE, IMAGES, REQUESTS, VIEW
from test_every_stage import STAGES

from avr_ros.reasoning.backends.openai.reply_format import strict_schema
from avr_ros.reasoning.stage import StageRequest
from avr_ros.reasoning.stages.act import ActInputs, act_request
from avr_ros.reasoning.stages.answer import AnswerInputs, answer_request
from avr_ros.schema.model import Record

SUBSET = {
    "string": {"enum", "const", "pattern", "format"},
    "number": {"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
    "boolean": set(),
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    "null": set(),
}
SUBSET["integer"] = SUBSET["number"] | {"enum", "const"}
"""What a schema of a type may say (OpenAI's guide to structured outputs, supported schemas)."""

ACT = act_request(
    ActInputs(
        question="Q?",
        contract=CHOICE,
        plan="{}",
        missing=(),
        conflicts=(),
        people=("person 1",),
        history=(),
        views=(VIEW,),
        first_frame=0,
        last_frame=9,
        remaining=1,
        calls=1,
    ),
    IMAGES,
)


def _requests() -> Iterator[StageRequest[Any]]:
    """All that stages reply with, and replies as they are limited to what is legal."""
    for stage, module in STAGES.items():
        for name, kind in vars(module).items():
            made_here = isinstance(kind, type) and kind.__module__ == module.__name__
            if made_here and issubclass(kind, BaseModel) and not name.endswith("Inputs"):
                yield StageRequest(stage, Record(), kind)
    yield from REQUESTS
    yield ACT


@pytest.mark.parametrize("request_", list(_requests()), ids=lambda made: made.reply_type.__name__)
def test_replies_keep_to_the_subset(request_: StageRequest[Any]) -> None:
    schema = strict_schema(request_)
    assert schema["type"] == "object"
    definitions = schema.get("$defs", {})
    _check({name: value for name, value in schema.items() if name != "$defs"}, definitions)
    for definition in definitions.values():
        _check(definition, definitions)


def _check(schema: dict[str, Any], definitions: dict[str, Any]) -> None:
    said = set(schema) - {"title", "description"}
    if "$ref" in schema:
        assert set(schema) == {"$ref"}
        assert schema["$ref"].removeprefix("#/$defs/") in definitions
    elif "anyOf" in schema:
        assert said == {"anyOf"}
        for alternative in schema["anyOf"]:
            _check(alternative, definitions)
    else:
        assert said - {"type"} <= SUBSET[schema["type"]]
        if schema["type"] == "object":
            assert schema["required"] == list(schema["properties"])
            assert schema["additionalProperties"] is False
            for value in schema["properties"].values():
                _check(value, definitions)
        if schema["type"] == "array":
            _check(schema["items"], definitions)


def test_boxes_are_four_numbers_and_choices_have_types() -> None:
    asked = answer_request(AnswerInputs(question="Q?", contract=CHOICE, views=(VIEW,)), IMAGES)
    properties = strict_schema(asked)["properties"]
    assert properties["evidence_box"]["anyOf"] == [
        {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
        {"type": "null"},
    ]
    assert properties["choice"]["anyOf"] == [
        {"type": "integer", "enum": [0, 1]},
        {"type": "null"},
    ]

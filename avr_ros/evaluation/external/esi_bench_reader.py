"""Reads ESI-Bench's question rows (dataset/json_clean upstream).

Every value of a row is a text; options and some answers are encoded JSON, in a shape of their own
for each small task. ``metadata_json`` holds what the simulator needs and what is right, so it is
never kept.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from avr_ros.benchmark.json_lines import read_content, split_lines
from avr_ros.evaluation.external.answer_text import decoded, normalised
from avr_ros.evaluation.external.esi_bench_answers import parse_answer
from avr_ros.evaluation.external.esi_bench_key import (
    CountKey,
    EsiBenchItem,
    EsiBenchKey,
    OptionKey,
    OrdersKey,
    TextsKey,
)
from avr_ros.evaluation.external.esi_bench_question import (
    AnswerShape,
    Choices,
    Count,
    EsiBenchQuestion,
    LabelledChoices,
    Order,
    Placement,
    Route,
    Side,
    Slots,
)
from avr_ros.evaluation.external.route_steps import route_steps
from avr_ros.schema.errors import BadInputError

COUNTING: Final[str] = "Enumerative Perception"
"""Big task whose options are numbers for reference."""


class _Row(BaseModel):
    """A row as it is in the files; further keys are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    id: str
    big_task: str
    small_task: str
    runner_task: str
    scene: str
    room: str
    question: str
    answer: str
    answer_type: str
    options_json: str
    source_path: str = ""


def read_esi_bench(path: Path) -> tuple[EsiBenchItem, ...]:
    """Read rows: a file of JSON lines, one .json file, or a folder of .json files.

    Summary files of big tasks, which hold no row, are passed over in folders. Items are in the
    order of the lines or of the paths. Raises BadInputError, naming file and line, for what is no
    row, for a row whose answer does not fit its options, and for an id that is used twice.
    """
    items: list[EsiBenchItem] = []
    places: dict[str, str] = {}
    for place, content, source in _rows(path):
        item = _item(place, content, source)
        if item is None:
            continue
        name = item.question.question_id
        if name in places:
            raise BadInputError(f"{place}: id {name} is used already at {places[name]}")
        places[name] = place
        items.append(item)
    if not items:
        raise BadInputError(f"{path} holds no question; give ESI-Bench's json_clean folder")
    return tuple(items)


def _rows(path: Path) -> Iterator[tuple[str, bytes, str]]:
    """Where a row is, its bytes, and the path of the file that it has of its own."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield str(file), read_content(file), str(file)
    elif path.suffix == ".jsonl":
        for number, line in enumerate(split_lines(read_content(path)), start=1):
            yield f"{path}:{number}", line, ""
    else:
        yield str(path), read_content(path), str(path)


def _item(place: str, content: bytes, source: str) -> EsiBenchItem | None:
    try:
        value = json.loads(content)
        if isinstance(value, dict) and "json_paths" in value and "question" not in value:
            return None
        row = _Row.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"]) or "the row"
        raise BadInputError(f"{place}: {name}: {first['msg']}; give ESI-Bench's rows") from error
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{place}: not JSON ({error}); give ESI-Bench's rows") from error
    try:
        shape, key = _shape_and_key(row)
    except ValueError as error:
        raise BadInputError(f"{place}: question {row.id}: {error}") from error
    stem = PurePosixPath(source or row.source_path).stem
    question = EsiBenchQuestion(
        question_id=row.id,
        big_task=row.big_task,
        small_task=row.small_task,
        scene=row.scene,
        room=row.room,
        text=row.question,
        shape=shape,
        actively_evaluated=row.small_task != "Rigid Containment" or "__" not in stem,
    )
    return EsiBenchItem(question=question, key=key)


def _shape_and_key(row: _Row) -> tuple[AnswerShape, EsiBenchKey]:
    """A row's shape and key; raises ValueError where they do not fit together."""
    options = decoded(row.options_json)
    if options is None:
        raise ValueError("options_json is neither a list nor an object")
    build = _BUILDERS.get((row.big_task, row.small_task))
    if build is None:
        build = _count if row.big_task == COUNTING else _choices
    return build(row, options)


def _choices(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    shape = Choices(options=_texts(options))
    return shape, _option_key(shape, row)


def _triangle(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    shape = Choices(options=_texts(options), noun="triangle")
    return shape, _option_key(shape, row)


def _labelled(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    if not isinstance(options, list) or not all(isinstance(item, dict) for item in options):
        raise ValueError("options are not a list of objects")
    shape = LabelledChoices(
        ids=_texts([item.get("option_id") for item in options]),
        options=_texts([item.get("text") for item in options]),
    )
    return shape, _option_key(shape, row)


def _side(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    names = _texts(options)
    if len(names) != 2:
        raise ValueError(f"{len(names)} containers, not a left and a right one")
    shape = Side(left=names[0], right=names[1])
    return shape, _option_key(shape, row)


def _count(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    values = list(options.values()) if isinstance(options, dict) else options
    try:
        shape = Count(options=tuple(int(value) for value in values))
        return shape, CountKey(value=int(row.answer))
    except (TypeError, ValueError) as error:
        raise ValueError("options or answer are not whole numbers") from error


def _route(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    if not isinstance(options, list):
        raise ValueError("options are not a list of lists")
    blanks = tuple(_texts(item) for item in options)
    shape = Route(options=blanks, steps=route_steps(row.question, len(blanks)))
    return shape, _texts_key(shape, row)


def _order(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    shape = Order(items=_texts(options))
    accepted = decoded(row.answer)
    if not isinstance(accepted, list):
        raise ValueError("the answer is not a list of orders")
    orders = []
    for item in accepted:
        order = parse_answer(shape, json.dumps(item))
        if not isinstance(order, tuple):
            raise ValueError(f"the accepted order {item} is none of the options")
        orders.append(order)
    return shape, OrdersKey(orders=tuple(orders))


def _placement(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    containers = _texts(options)
    answer = decoded(row.answer)
    if answer is None:
        shape: AnswerShape = Choices(options=containers)
        return shape, _option_key(shape, row)
    if not isinstance(answer, list) or not all(isinstance(item, dict) for item in answer):
        raise ValueError("the answer is neither a container nor a list of objects")
    objects = sorted(_texts([item.get("_key") for item in answer]), key=row.question.find)
    shape = Placement(objects=tuple(objects), containers=containers)
    return shape, _texts_key(shape, row)


def _slots(row: _Row, options: Any) -> tuple[AnswerShape, EsiBenchKey]:
    if not isinstance(options, dict):
        raise ValueError("options are not an object of lists")
    shape = Slots(slots=tuple(options), options=tuple(_texts(options[name]) for name in options))
    return shape, _texts_key(shape, row)


_BUILDERS: Final[dict[tuple[str, str], Callable[[_Row, Any], tuple[AnswerShape, EsiBenchKey]]]] = {
    ("Action Sequencing", "Action Order Inference"): _slots,
    ("Cognitive Mapping", "Long-Term Navigation"): _route,
    ("Physical Dynamics", "Stacking & Stability"): _order,
    ("Physical Structure", "Deformable"): _labelled,
    ("Physical Structure", "Liquid Volume"): _side,
    ("Physical Structure", "Rigid Containment"): _placement,
    ("Spatial Relations", "Geometric Configuration"): _triangle,
    ("Temporal Understanding", "Agent Observation"): _count,
}


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not values:
        raise ValueError("options are not a list of texts")
    if not all(isinstance(value, str) and normalised(value) for value in values):
        raise ValueError("an option is no text")
    return tuple(values)


def _option_key(shape: AnswerShape, row: _Row) -> OptionKey:
    index = parse_answer(shape, row.answer)
    if not isinstance(index, int):
        raise ValueError(f"the answer {row.answer!r} is not exactly one of the options")
    return OptionKey(index=index)


def _texts_key(shape: AnswerShape, row: _Row) -> TextsKey:
    texts = parse_answer(shape, row.answer)
    if not isinstance(texts, Sequence) or isinstance(texts, str):
        raise ValueError(f"the answer {row.answer!r} does not fit the options")
    return TextsKey(texts=tuple(texts))

"""OpenEQA's questions, prediction files and metrics files (facebookresearch/open-eqa).

Answers are free text and are scored by a judge (:mod:`llm_match`). An exact match with one of the
accepted answers is given as well: it needs no judge, and is far stricter.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from avr_ros.benchmark.json_lines import read_content
from avr_ros.evaluation.external.answer_text import normalised
from avr_ros.evaluation.external.llm_match import LlmMatch, llm_match
from avr_ros.schema.errors import BadInputError

ContentType = TypeVar("ContentType")


class _OpenEqaRecord(BaseModel):
    """A record of OpenEQA's files; keys of later versions are left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class OpenEqaQuestion(_OpenEqaRecord):
    """One question with its accepted answers.

    ``episode_history`` names the recording, such as ``hm3d-v0/000-…``; several questions share
    one, so they form clusters.
    """

    question_id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    answer: str = Field(min_length=1)
    category: str
    episode_history: str
    extra_answers: list[str] = Field(default_factory=list)

    @property
    def accepted(self) -> tuple[str, ...]:
        """All accepted answers, the first one first; open-eqa-v0.json has an empty extra one."""
        return (self.answer, *filter(normalised, self.extra_answers))


class OpenEqaPrediction(_OpenEqaRecord):
    """An answer to a question, none where there is none."""

    question_id: str = Field(min_length=1)
    answer: str | None


class OpenEqaRates(BaseModel):
    """A score in percent over all questions and in each category."""

    model_config = ConfigDict(frozen=True)

    overall: LlmMatch
    by_category: dict[str, LlmMatch]


def read_questions(path: Path) -> tuple[OpenEqaQuestion, ...]:
    """Read open-eqa-v0.json. Raises BadInputError for what is no question and for repeated ids."""
    questions = _read(path, TypeAdapter(list[OpenEqaQuestion]))
    _refuse_repeats(path, [question.question_id for question in questions])
    return tuple(questions)


def read_subset(path: Path, questions: Sequence[OpenEqaQuestion]) -> tuple[OpenEqaQuestion, ...]:
    """The questions that a file of ids names, in its order. Raises BadInputError for others."""
    names = _read(path, TypeAdapter(list[str]))
    _refuse_repeats(path, names)
    known = {question.question_id: question for question in questions}
    _refuse_unknown(path, names, known)
    return tuple(known[name] for name in names)


def read_predictions(path: Path, questions: Sequence[OpenEqaQuestion]) -> dict[str, str | None]:
    """Answers by question id, none for every question that the file leaves out.

    Raises BadInputError for repeated ids and for answers to no question.
    """
    predictions = _read(path, TypeAdapter(list[OpenEqaPrediction]))
    names = [prediction.question_id for prediction in predictions]
    _refuse_repeats(path, names)
    answers: dict[str, str | None] = {question.question_id: None for question in questions}
    _refuse_unknown(path, names, answers)
    return answers | {item.question_id: item.answer for item in predictions}


def read_metrics(path: Path, questions: Sequence[OpenEqaQuestion]) -> dict[str, int | None]:
    """Marks by question id from a metrics file, none for every question that it leaves out.

    Upstream writes 0 for a missing answer. Raises BadInputError for other marks than 0 to 5 and
    for ids of no question.
    """
    metrics = _read(path, TypeAdapter(dict[str, int]))
    marks: dict[str, int | None] = {question.question_id: None for question in questions}
    _refuse_unknown(path, list(metrics), marks)
    for name, mark in metrics.items():
        if not 0 <= mark <= 5:
            raise BadInputError(f"{path}: question {name} has mark {mark}, not one from 0 to 5")
        marks[name] = mark or None
    return marks


def exact_match(question: OpenEqaQuestion, answer: str | None) -> bool:
    """Whether an answer equals an accepted one but for case, article and closing punctuation."""
    if answer is None or not normalised(answer):
        return False
    return normalised(answer) in {normalised(text) for text in question.accepted}


def exact_match_rates(
    questions: Sequence[OpenEqaQuestion], answers: Mapping[str, str | None]
) -> OpenEqaRates:
    """Share of exact matches; a missing answer is wrong."""
    marks = {
        question.question_id: 5 if exact_match(question, answers.get(question.question_id)) else 1
        for question in questions
    }
    missing = {name: None for name in marks if answers.get(name) is None}
    return llm_match_rates(questions, {**marks, **missing})


def llm_match_rates(
    questions: Sequence[OpenEqaQuestion], marks: Mapping[str, int | None]
) -> OpenEqaRates:
    """LLM-Match of all questions, also those without a mark, overall and by category."""
    groups: dict[str, list[int | None]] = {}
    for question in questions:
        groups.setdefault(question.category, []).append(marks.get(question.question_id))
    return OpenEqaRates(
        overall=llm_match(marks.get(question.question_id) for question in questions),
        by_category={name: llm_match(groups[name]) for name in sorted(groups)},
    )


def _read(path: Path, adapter: TypeAdapter[ContentType]) -> ContentType:
    try:
        return adapter.validate_json(read_content(path), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise BadInputError(f"{path}: {place}: {first['msg']}; give OpenEQA's file") from error


def _refuse_repeats(path: Path, names: Sequence[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise BadInputError(f"{path}: question {name} is there {count} times")


def _refuse_unknown(path: Path, names: Sequence[str], known: Mapping[str, object]) -> None:
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadInputError(
            f"{path}: {len(unknown)} ids are of no question, first {unknown[0]}; "
            "give a file of these questions"
        )

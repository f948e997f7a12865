"""Whole generations on small random crowds: determinism, balance, and what questions look like."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np
import pytest
from random_world import random_graph

from avr_ros.benchmark.generation import Generated, Pools, choose, search_sequence
from avr_ros.benchmark.json_lines import to_line
from avr_ros.benchmark.questions import Pair
from avr_ros.benchmark.recipe import BoundaryAsked
from avr_ros.benchmark.scoring.answers import answer_is_right
from avr_ros.benchmark.settings import GenerationSettings, window_for
from avr_ros.geometry.boxes import intersection
from avr_ros.geometry.panorama import JRDB_CYLINDER
from avr_ros.reasoning.local.parser import understand
from avr_ros.reasoning.meaning import BoundaryAsked as BoundaryMeaning
from avr_ros.reasoning.meaning import QuestionMeaning
from avr_ros.reasoning.meaning import SpanAsked as SpanMeaning
from avr_ros.schema.answer import ChoiceAnswer, FrameViewAnswer
from avr_ros.schema.vocabulary import AnswerMode, Family

SETTINGS = GenerationSettings(seed=3, per_family=12)
FRAMES = 240


@lru_cache
def generated(seed: int = 3) -> Generated:
    """Questions of two crowds."""
    settings = SETTINGS.model_copy(update={"seed": seed})
    pools = Pools()
    for index in range(2):
        graph = random_graph(1, index, FRAMES)
        recorded = graph.frames.astype(np.int64)
        search_sequence(graph, recorded, settings, window_for(FRAMES), 2, pools)
    return choose(settings, pools, window_for(FRAMES), 3760)


def lines(result: Generated) -> list[str]:
    """Questions and keys as they are written."""
    return [to_line(item) for pair in result.pairs for item in (pair.question, pair.key)]


def by_mode(result: Generated) -> dict[tuple[Family | None, AnswerMode], list[Pair]]:
    """Questions by family and mode."""
    groups: dict[tuple[Family | None, AnswerMode], list[Pair]] = defaultdict(list)
    for pair in result.pairs:
        groups[pair.question.family, pair.question.answer_mode].append(pair)
    return groups


def test_every_family_and_mode_occurs() -> None:
    groups = by_mode(generated())
    assert {family for family, _ in groups} == set(Family)
    assert {mode for _, mode in groups} == set(AnswerMode)


def test_the_same_seed_gives_the_same_bytes_and_another_one_others() -> None:
    first = lines(generated())
    generated.cache_clear()
    assert lines(generated()) == first
    assert lines(generated(4)) != first


def test_classes_of_answers_are_balanced() -> None:
    for (family, mode), pairs in by_mode(generated()).items():
        counts = Counter(pair.candidate.stratum for pair in pairs)
        if mode is AnswerMode.CHOICE:
            assert max(counts.values()) - min(counts.values()) <= 2, family


def test_right_choices_are_spread_over_the_positions() -> None:
    for (family, mode), pairs in by_mode(generated()).items():
        if mode is not AnswerMode.CHOICE:
            continue
        places: dict[int, Counter[int]] = defaultdict(Counter)
        for pair in pairs:
            assert isinstance(pair.key.answer, ChoiceAnswer)
            places[len(pair.question.choices)][pair.key.answer.choice] += 1
        for count, counter in places.items():
            values = [counter[index] for index in range(count)]
            assert max(values) - min(values) <= 1, family


def test_no_question_is_asked_twice() -> None:
    result = generated()
    assert len({pair.question.question_id for pair in result.pairs}) == len(result.pairs)
    assert len({pair.question.text for pair in result.pairs}) > 0.95 * len(result.pairs)
    events = [pair.candidate.same_event for pair in result.pairs]
    assert len(set(events)) == len(events)


def test_questions_tell_nothing_that_only_labels_know() -> None:
    for pair in generated().pairs:
        text = " ".join((pair.question.text, *pair.question.choices))
        assert "pedestrian" not in text
        assert "sth" not in text
        assert not re.search(r"\{|\}|_|None", text)
        assert not re.search(r"\b(man|woman|boy|girl|he|she|his|her|old|young)\b", text.lower())


@pytest.mark.parametrize("family", list(Family))
def test_texts_are_sentences(family: Family) -> None:
    texts = [pair.question.text for pair in generated().pairs if pair.question.family is family]
    assert texts
    for text in texts:
        assert text[0].isupper()
        assert text[-1] in ".?"
        assert "  " not in text
        assert "?" in text or "Give" in text or "Find" in text


def test_the_keys_answer_is_right_by_the_scorer() -> None:
    for pair in generated().pairs:
        assert answer_is_right(pair.question, pair.key, pair.key.answer, JRDB_CYLINDER)


def test_evidence_lies_in_the_legal_frames_and_names_everybody_who_overlaps() -> None:
    graphs = {f"crowd-{index}": random_graph(1, index, FRAMES) for index in range(2)}
    for pair in generated().pairs:
        question, key = pair.question, pair.key
        graph = graphs[question.sequence]
        assert len(key.evidence) >= 3
        for item in key.evidence:
            assert item.box is not None
            if question.legal_frames:
                span = question.legal_frames[0]
                assert span.first <= item.frame_id <= span.last
            rows = graph.people_at(item.frame_id)
            overlapping = sum(
                float(intersection(item.box, graph.boxes[row], 3760)) > 0.0 for row in rows
            )
            assert overlapping == len(item.others) + 1


def test_given_frames_are_legal_and_evenly_spread() -> None:
    for pair in generated().pairs:
        given = pair.question.given_frames
        assert len(given) == 8
        gaps = {second - first for first, second in zip(given, given[1:], strict=False)}
        assert max(gaps) - min(gaps) <= 1
        if pair.question.legal_frames:
            span = pair.question.legal_frames[0]
            assert (given[0], given[-1]) == (span.first, span.last)


def test_defaults_of_episodes_and_tolerances() -> None:
    for pair in generated().pairs:
        question = pair.question
        assert (question.max_observations, question.max_tool_calls) == (32, 96)
        expected = {
            AnswerMode.FRAME: 5.0,
            AnswerMode.FRAME_VIEW: 5.0,
            AnswerMode.NUMBER: 0.5 if question.unit == "m" else 1.0,
        }.get(question.answer_mode)
        assert question.tolerance == pair.key.tolerance == expected


def test_views_look_at_the_person() -> None:
    for pair in generated().pairs:
        answer = pair.key.answer
        if isinstance(answer, FrameViewAnswer):
            box = next(i.box for i in pair.key.evidence if i.frame_id == answer.frame_id)
            assert box is not None
            column = float(JRDB_CYLINDER.azimuth_to_column(answer.azimuth_deg / 57.29577951))
            assert abs((column - box.x - box.w / 2 + 1880) % 3760 - 1880) < 1.0


def test_rejections_are_counted() -> None:
    pools = generated().pools
    for family in Family:
        assert pools.tried[family] >= sum(pools.rejected[family].values())
    assert sum(pools.rejected[Family.RELATION_CHAIN].values()) > 0


def test_the_grammar_reads_the_wordings_of_action_boundary() -> None:
    for pair in generated().pairs:
        recipe = pair.candidate.recipe
        if recipe.family is not Family.ACTION_BOUNDARY:
            continue
        meaning = understand(pair.question.text)
        assert isinstance(meaning, QuestionMeaning), (pair.question.text, meaning)
        asked = meaning.asked
        if isinstance(recipe.asked, BoundaryAsked):
            event = recipe.asked.event
            assert isinstance(asked, BoundaryMeaning)
            assert (asked.action, asked.edge.value) == (event.action, event.edge.value)
        else:
            assert isinstance(asked, SpanMeaning)
        person = meaning.person
        described = person.relation.other if person.relation is not None else person
        assert set(described.actions) == set(recipe.reference.actions)
        assert bool(person.relation) == bool(recipe.reference.relations)
        if person.relation is not None:
            side = recipe.reference.relations[0].value
            assert person.relation.kind.value == f"{side}_of"

"""ESI-Bench's rows: every answer shape, the traps of its scorers, shuffles and baselines."""

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_data import shared_data

from avr_ros.evaluation.external.answer_text import is_abstention, normalised
from avr_ros.evaluation.external.esi_bench_answers import parse_answer
from avr_ros.evaluation.external.esi_bench_baselines import constant_position, majority
from avr_ros.evaluation.external.esi_bench_key import EsiBenchItem
from avr_ros.evaluation.external.esi_bench_question import Choices, LabelledChoices, Slots
from avr_ros.evaluation.external.esi_bench_reader import read_esi_bench
from avr_ros.evaluation.external.esi_bench_scoring import (
    accepted_texts,
    rates,
    score_answer,
    score_answers,
)
from avr_ros.evaluation.external.option_shuffle import shuffled
from avr_ros.schema.errors import BadInputError


def row(task: str, question: str, answer: Any, options: Any, **changes: str) -> dict[str, str]:
    """A row as the files hold it: every value is a text."""
    big, small = task.split("/")
    return {
        "id": "1",
        "big_task": big,
        "small_task": small,
        "runner_task": "runner",
        "scene": "house",
        "room": "hall",
        "question": question,
        "answer": answer if isinstance(answer, str) else json.dumps(answer),
        "answer_type": "choice",
        "options_json": json.dumps(options),
        "image_paths_json": "[]",
        "metadata_json": '{"answer": "the right one"}',
        **changes,
    }


LINE = row("Spatial Relations/Linear Alignment", "Are the cups in a line?", "yes", ["yes", "no"])
MIRROR = row(
    "Specular Reflection/Reflection Authoring", "Do you see it in the mirror?", "Yes", ["yes", "no"]
)
NEARER = row("Specular Reflection/Spatial Relations", "Is object A or B closer?", "B", ["A", "B"])
TRIANGLE = row(
    "Spatial Relations/Geometric Configuration",
    "Do they form an equilateral triangle, an isosceles triangle or a random triangle?",
    "random triangle",
    ["equilateral", "isosceles", "random"],
)
SIZE = row(
    "Metric Comparison/Dimensional Size",
    "Which mug is larger: the one near the ball, or the one near the shell?",
    "near the shell",
    ["near the ball", "near the shell"],
)
CLOTH = row(
    "Physical Structure/Deformable",
    "What object is under this cloth?",
    "pear",
    [{"option_id": "A", "text": "can of coffee"}, {"option_id": "B", "text": "pear"}],
)
VOLUME = row(
    "Physical Structure/Liquid Volume",
    "Which container has a larger volume: the mug or the bowl?",
    "right",
    ["mug", "bowl"],
)
COUNT = row(
    "Enumerative Perception/Merged Observation", "How many cups are there?", "5", ["0", "4", "6"]
)
PASSED = row(
    "Temporal Understanding/Agent Observation",
    "How many cups did the robot pass?",
    "2",
    {"A": 0, "B": 1, "C": 2, "D": 3},
    answer_type="count",
)
ROUTE = row(
    "Cognitive Mapping/Long-Term Navigation",
    "You are beginning in the den 0. At each step, choose the next region you should explore. "
    "1. Choose the next region to explore. [please fill in] "
    "2. Choose the next region to explore. hall_0 "
    "3. Choose the next region to explore. [please fill in] "
    "You have reached the final destination.",
    "garden_0 | attic_1",
    [["garden_0", "den_0"], ["hall_0", "attic_1"]],
)
TURNS = row(
    "Cognitive Mapping/Long-Term Navigation",
    "You will perform the following actions. 1. Go to the kitchen 2. "
    "2. [please fill in] Choose the next turn direction. 3. Go to the hall 0. 4. turn back. "
    "Choose the next turn direction. 5. Go to the den 1. You have reached the final destination.",
    "turn left",
    [["turn back", "turn left", "turn right"]],
)
STACK = row(
    "Physical Dynamics/Stacking & Stability",
    "How should you stack jar, tray, can to maximize stability?",
    [["tray", "can", "jar"], ["tray", "jar", "can"]],
    ["jar", "tray", "can"],
    answer_type="sequence",
)
CONTAINER = row(
    "Physical Structure/Rigid Containment",
    "Which container does the globe best fit inside: the tub or the bucket?",
    "tub",
    ["tub", "bucket"],
)
GLOBE = row(
    "Physical Structure/Rigid Containment",
    "Which container does the snow globe best fit inside: the tub or the bucket?",
    [{"_key": "snow globe", "value": "tub"}],
    ["tub", "bucket"],
    answer_type="sequence",
)
BOTH = row(
    "Physical Structure/Rigid Containment",
    "Which container does each object best fit inside?\n- snow globe\n- mask\nContainers: tub, cup",
    [{"_key": "mask", "value": "cup"}, {"_key": "snow globe", "value": "tub"}],
    ["tub", "cup"],
    answer_type="sequence",
    source_path="dataset/scene_2_revised__1.json",
)
PAIR = row(
    "Action Sequencing/Action Order Inference",
    "Which tray should go under the box, and which lemon on top of it? The tray to the right or "
    "left of the box? The lemon to the left or right of the box?",
    {"answer_A": "right", "answer_C": "left"},
    {"A": ["right", "left"], "C": ["left", "right"]},
)
CHANGE = row(
    "Temporal Understanding/Unobserved Change",
    "What happened to the box?",
    "no_change",
    ["replace", "remove", "add", "no_change"],
)
ROWS = {
    name: value
    for name, value in list(globals().items())
    if name.isupper() and isinstance(value, dict) and "options_json" in value
}


def read(tmp_path: Path, *rows: dict[str, str]) -> tuple[EsiBenchItem, ...]:
    path = tmp_path / "rows.jsonl"
    numbered = [{**item, "id": f"{number:04d}"} for number, item in enumerate(rows)]
    path.write_text("".join(json.dumps(item) + "\n" for item in numbered), encoding="utf-8")
    return read_esi_bench(path)


def test_shapes(tmp_path: Path) -> None:
    kinds = {name: read(tmp_path, value)[0].question.shape.kind for name, value in ROWS.items()}
    assert kinds == {
        "LINE": "choices",
        "MIRROR": "choices",
        "NEARER": "choices",
        "TRIANGLE": "choices",
        "SIZE": "choices",
        "CLOTH": "labelled_choices",
        "VOLUME": "side",
        "COUNT": "count",
        "PASSED": "count",
        "ROUTE": "route",
        "TURNS": "route",
        "STACK": "order",
        "CONTAINER": "choices",
        "GLOBE": "placement",
        "BOTH": "placement",
        "PAIR": "slots",
        "CHANGE": "choices",
    }


def test_questions_hold_nothing_of_the_answer(tmp_path: Path) -> None:
    for value in ROWS.values():
        (item,) = read(tmp_path, value)
        assert "the right one" not in item.model_dump_json()
        fields = set(type(item.question).model_fields)
        assert not fields & {"answer", "key", "metadata_json"}


RIGHT: dict[str, list[str]] = {
    "LINE": ["yes", "Yes", " YES. ", '"yes"', "A. yes"],
    "MIRROR": ["yes", "Yes"],
    "NEARER": ["B", "b", "(B)"],
    "TRIANGLE": ["random", "random triangle", "a random triangle", "Random Triangle."],
    "SIZE": ["near the shell", "Near the shell.", "B. near the shell", "(b) near the shell"],
    "CLOTH": ["B", "b.", "pear", "a pear", "B. pear", "(B) Pear", "B: pear", "B - pear"],
    "VOLUME": ["right", "Right", "bowl", "the bowl", "right."],
    "COUNT": ["5", "5.", "There are 5 cups", "5 of 6", "05"],
    "PASSED": ["2", "2 objects"],
    "ROUTE": [
        "garden_0 | attic_1",
        "garden 0|attic 1",
        "Garden_0\nattic_1",
        '["garden_0", "attic_1"]',
        "1. garden_0\n2. attic_1",
        "garden_0 | hall_0 | attic_1",
    ],
    "TURNS": [
        "turn left",
        "Turn left.",
        "kitchen 2 | turn left | hall 0 | turn back | den 1",
        "Go to the kitchen 2 | turn left | Go to the hall 0 | turn back | Go to the den 1",
    ],
    "STACK": [
        "tray, can, jar",
        "tray | jar | can",
        "tray -> can -> jar",
        '["tray","can","jar"]',
        '[["tray","can","jar"]]',
        "1. tray\n2. can\n3. jar",
        '[["tray","can","jar"],["tray","jar","can"]]',
    ],
    "CONTAINER": ["tub", "the tub", "Tub."],
    "GLOBE": ["tub", "the tub", "snow globe: tub", '{"snow globe": "tub"}'],
    "BOTH": [
        "snow globe: tub\nmask: cup",
        "mask -> cup; snow_globe -> tub",
        '{"mask": "cup", "snow globe": "the tub"}',
        '[{"_key": "snow globe", "value": "tub"}, {"_key": "mask", "value": "cup"}]',
    ],
    "PAIR": [
        "right, left",
        "right left",
        "The tray to the right of the box, the lemon to the left.",
        '{"answer_A": "right", "answer_C": "left"}',
        '{"A": "right", "C": "left"}',
    ],
    "CHANGE": ["no_change", "no change", "No change."],
}

WRONG: dict[str, list[str]] = {
    "LINE": ["no", "yes and no", "yesterday", "not yes", "A", "y", "yes, they are"],
    "MIRROR": ["no", "not through the mirror, yes"],
    "NEARER": ["A", "A or B", "object A and B"],
    "TRIANGLE": ["isosceles", "triangle", "a triangle", "random shape", "not random"],
    "SIZE": [
        "a",
        "shell",
        "near",
        "the",
        "near the ball",
        "not near the shell",
        "A. near the shell",
    ],
    "CLOTH": ["A", "can of coffee", "A. pear", "pea", "pears", "C", "pear or can of coffee"],
    "VOLUME": ["left", "mug", "leftover bowl", "left and right", "bright", "not right"],
    "COUNT": ["4", "five", "5.5", "-5", "15", "5th", "4 or 5", "x5"],
    "PASSED": ["C", "3", "2.0.1"],
    "ROUTE": [
        "garden_0",
        "attic_1 | garden_0",
        "garden_0, attic_1",
        "garden_0 | attic_1 | hall_0",
        "garden_0 | den_0 | attic_1",
        "garden_0 | attic_2",
        '["garden_0", 1]',
    ],
    "TURNS": ["left", "turn", "turn left | turn left", "turn around"],
    "STACK": [
        "can, tray, jar",
        "tray, can",
        "tray, tray, can",
        "tray, can, jar, can",
        "tray, can, cup",
        '[["tray","can","jar"],["can","tray","jar"]]',
        '[["tray","can","jar"],["tray"]]',
        "[]",
        "[[]]",
        "{}",
    ],
    "CONTAINER": ["bucket", "tub or bucket", "t"],
    "GLOBE": ["bucket", "globe: tub", "snow globe: bucket", "snow globe"],
    "BOTH": [
        "tub",
        "snow globe: tub",
        "snow globe: tub, mask: tub",
        "snow globe: tub\nsnow globe: tub",
        '{"mask": 1, "snow globe": "tub"}',
        '[{"object": "mask"}]',
    ],
    "PAIR": [
        "left, right",
        "right",
        "right, left, right",
        "above, below",
        '{"A": "right"}',
        '{"A": "right", "C": "left", "D": "left"}',
        '{"A": 1, "C": 2}',
        "bright leftovers",
    ],
    "CHANGE": ["change", "no", "add"],
}

ABSTENTIONS = ["", "  ", "not sure", "Not sure.", "unknown", "N/A", "I don't know", None]
HOSTILE = [
    "[" * 5000,
    "{",
    '{"a": {"b": []}}',
    "null",
    "1e999",
    "\x00",
    "\u2028",
    "|" * 50,
    "ſ" * 9,
]


@pytest.mark.parametrize("name", ROWS)
def test_right_wrong_and_missing_answers(name: str, tmp_path: Path) -> None:
    (item,) = read(tmp_path, ROWS[name])
    for answer in (*RIGHT[name], *accepted_texts(item), ROWS[name]["answer"]):
        found = score_answer(item, answer)
        assert found.correct, (name, answer)
        assert found.outcome == "answered"
    for answer in (*WRONG[name], *HOSTILE):
        assert not score_answer(item, answer).correct, (name, answer)
    for missing in ABSTENTIONS:
        found = score_answer(item, missing)
        assert not found.correct
        assert found.outcome == "abstained"


@given(st.text(max_size=40))
def test_no_text_ends_the_scoring(text: str) -> None:
    for item in ITEMS:
        assert score_answer(item, text).outcome in ("answered", "abstained", "unparsed")


def items_of_all_rows() -> tuple[EsiBenchItem, ...]:
    with tempfile.TemporaryDirectory() as folder:
        return read(Path(folder), *ROWS.values())


ITEMS = items_of_all_rows()


def test_an_abstention_lowers_the_mean() -> None:
    answers: dict[str, str | None] = {
        item.question.question_id: accepted_texts(item)[0] for item in ITEMS
    }
    answers[ITEMS[0].question.question_id] = "not sure"
    del answers[ITEMS[1].question.question_id]
    found = rates(ITEMS, score_answers(ITEMS, answers))
    assert found.n == len(ITEMS)
    assert found.accuracy == pytest.approx(100 * (len(ITEMS) - 2) / len(ITEMS))
    assert found.outcomes == {"abstained": 2, "answered": len(ITEMS) - 2}
    with pytest.raises(BadInputError, match="to no question, first 9999"):
        score_answers(ITEMS, {"9999": "yes"})


def test_counts_have_soft_scores(tmp_path: Path) -> None:
    (item,) = read(tmp_path, COUNT)
    found = [score_answer(item, text) for text in ("5", "4", "7", "9", "none", "five")]
    assert [score.absolute_error for score in found] == [0, 1, 2, 4, None, None]
    assert [score.soft_score for score in found] == pytest.approx([1, 2 / 3, 1 / 3, 0, 0, 0])
    (other,) = read(tmp_path, LINE)
    assert score_answer(other, "yes").soft_score is None


def test_orders_found_during_the_episode_are_accepted(tmp_path: Path) -> None:
    item, line = read(tmp_path, STACK, LINE)
    assert not score_answer(item, "can, tray, jar").correct
    assert score_answer(item, "can, tray, jar", [["can", "tray", "jar"]]).correct
    scored = score_answers(
        (item, line),
        {"0000": "can | tray | jar", "0001": "yes"},
        {"0000": [["can", "tray", "jar"]]},
    )
    assert [score.correct for score in scored] == [True, True]
    with pytest.raises(BadInputError, match="none of its items"):
        score_answer(item, "can, tray, jar", [["can", "tray", "cup"]])
    with pytest.raises(BadInputError, match="no orders to add to"):
        score_answer(line, "yes", [["yes"]])


def test_a_category_named_like_a_family_is_kept_apart(tmp_path: Path) -> None:
    items = read(tmp_path, NEARER, LINE)
    found = rates(items, score_answers(items, {"0000": "B", "0001": "no"}))
    assert found.by_category["Specular Reflection"].accuracy == 100.0
    assert found.by_category["Spatial Relations"].accuracy == 0.0
    assert list(found.by_subcategory) == [
        "Spatial Relations / Linear Alignment",
        "Specular Reflection / Spatial Relations",
    ]
    assert found.macro == 50.0


def test_equal_container_names_do_not_answer(tmp_path: Path) -> None:
    (item,) = read(tmp_path, {**VOLUME, "options_json": '["mug", "mug"]'})
    assert not score_answer(item, "mug").correct
    assert score_answer(item, "right").correct


def test_variants_that_the_runner_skips_are_marked(tmp_path: Path) -> None:
    assert [item.question.actively_evaluated for item in read(tmp_path, BOTH, GLOBE)] == [
        False,
        True,
    ]


def test_folders_are_read_and_summaries_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "json_clean/Spatial Relations/Linear Alignment/house"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps(LINE))
    (folder / "b__1.json").write_text(json.dumps({**GLOBE, "id": "2"}))
    (tmp_path / "json_clean/Spatial Relations.json").write_text(
        json.dumps({"root_dir": "x", "count": 1, "json_paths": ["a.json"]})
    )
    items = read_esi_bench(tmp_path / "json_clean")
    assert [item.question.question_id for item in items] == ["1", "2"]
    assert [item.question.actively_evaluated for item in items] == [True, False]
    assert read_esi_bench(folder / "a.json") == items[:1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": "maybe"}, "not exactly one of the options"),
        ({"options_json": "yes"}, "neither a list nor an object"),
        ({"options_json": "[]"}, "not a list of texts"),
        ({"options_json": '["yes", 3]'}, "no text"),
        ({"question": 3}, "question"),
    ],
)
def test_bad_rows_are_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=message) as caught:
        read(tmp_path, LINE, {**LINE, **changes})
    assert "rows.jsonl:2" in str(caught.value)


@pytest.mark.parametrize(
    ("task", "changes", "message"),
    [
        (COUNT, {"answer": "many"}, "not whole numbers"),
        (STACK, {"answer": '[["tray", "can"]]'}, "none of the options"),
        (STACK, {"answer": "tray"}, "not a list of orders"),
        (ROUTE, {"answer": "garden_0"}, "does not fit"),
        (ROUTE, {"options_json": "{}"}, "not a list of lists"),
        (PAIR, {"answer": '{"answer_A": "right"}'}, "does not fit"),
        (PAIR, {"options_json": "[1]"}, "not an object of lists"),
        (CLOTH, {"options_json": "[1]"}, "not a list of objects"),
        (VOLUME, {"options_json": '["a", "b", "c"]'}, "3 containers"),
        (GLOBE, {"answer": "[1]"}, "neither a container nor"),
    ],
)
def test_answers_that_do_not_fit_are_refused(
    task: dict[str, str], changes: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInputError, match=message):
        read(tmp_path, {**task, **changes})


def test_repeated_ids_and_empty_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text((json.dumps(LINE) + "\n") * 2)
    with pytest.raises(BadInputError, match=r"rows.jsonl:2: id 1 is used already at .*:1"):
        read_esi_bench(path)
    path.write_text("")
    with pytest.raises(BadInputError, match="no question"):
        read_esi_bench(path)
    path.write_text("{\n")
    with pytest.raises(BadInputError, match="rows.jsonl:1: not JSON"):
        read_esi_bench(path)


def test_the_published_sample() -> None:
    path = shared_data("esi-bench/questions_sample.jsonl")
    items = read_esi_bench(path)
    assert len(items) == 116
    assert len({item.question.subcategory for item in items}) == 29
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    as_stored = {item["id"]: item["answer"] for item in rows}
    assert rates(items, score_answers(items, as_stored)).accuracy == 100.0
    for item in items:
        for text in accepted_texts(item):
            assert score_answer(item, text).correct
        for hostile in (*HOSTILE, "a", "the", "not", "left right", *ABSTENTIONS):
            assert score_answer(item, hostile).outcome in ("answered", "abstained", "unparsed")
    nothing = rates(items, score_answers(items, {}))
    assert (nothing.accuracy, nothing.outcomes) == (0.0, {"abstained": 116})
    changed = tuple(shuffled(item, 3) for item in items)
    assert rates(changed, score_answers(changed, as_stored)).accuracy == 100.0
    assert majority(items).accuracy > constant_position(items, 0).accuracy > 0


def test_shuffles_keep_the_right_answer_and_repeat() -> None:
    for item in ITEMS:
        once = shuffled(item, 5)
        assert once == shuffled(item, 5)
        assert set(accepted_texts(once)) == set(accepted_texts(item))
        for text in accepted_texts(item):
            assert score_answer(once, text).correct


def test_shuffles_put_the_right_option_everywhere(tmp_path: Path) -> None:
    many = read(tmp_path, *[SIZE] * 400)
    places: Counter[int] = Counter()
    for item in many:
        changed = shuffled(item, 1)
        assert isinstance(changed.question.shape, Choices)
        place = changed.question.shape.options.index("near the shell")
        places[place] += 1
        text = changed.question.text
        assert (text.index("near the shell") < text.index("near the ball")) == (place == 0)
    assert places[0] == pytest.approx(200, abs=45)
    assert constant_position(many, 1).accuracy == 100.0
    moved = tuple(shuffled(item, 1) for item in many)
    assert constant_position(moved, 1).accuracy == pytest.approx(50, abs=12)


def test_shuffled_sentences_keep_their_articles(tmp_path: Path) -> None:
    (item,) = read(tmp_path, TRIANGLE)
    for seed in range(8):
        text = shuffled(item, seed).question.text
        assert text.count("an isosceles triangle") == text.count("a random triangle") == 1
    (unclear,) = read(tmp_path, NEARER)
    assert shuffled(unclear, 1).question.text in (
        NEARER["question"],
        "Is object B or A closer?",
    )


def test_ids_stay_in_their_places(tmp_path: Path) -> None:
    (item,) = read(tmp_path, CLOTH)
    seen = set()
    for seed in range(12):
        changed = shuffled(item, seed)
        assert isinstance(changed.question.shape, LabelledChoices)
        assert changed.question.shape.ids == ("A", "B")
        right = changed.question.shape.options.index("pear")
        seen.add(right)
        assert score_answer(changed, "AB"[right]).correct
        assert not score_answer(changed, "BA"[right]).correct
    assert seen == {0, 1}


def test_baselines_by_hand(tmp_path: Path) -> None:
    items = read(tmp_path, LINE, LINE, {**LINE, "answer": "no"}, PASSED, STACK, BOTH, PAIR, ROUTE)
    first, last = constant_position(items, 0), constant_position(items, -1)
    line = "Spatial Relations / Linear Alignment"
    assert first.by_subcategory[line].accuracy == pytest.approx(200 / 3)
    assert last.by_subcategory[line].accuracy == pytest.approx(100 / 3)
    assert first.outcomes == {"answered": 8}
    assert constant_position(items, 9).accuracy == pytest.approx(0.0)
    most = majority(items)
    assert most.by_subcategory[line].accuracy == pytest.approx(200 / 3)
    assert all(rate.accuracy == 100.0 for name, rate in most.by_subcategory.items() if name != line)
    assert isinstance(items[6].question.shape, Slots)


def test_normalised_texts() -> None:
    assert normalised(" The  Red_Box. ") == "red box"
    assert normalised("a") == "a"
    assert normalised("“An apple”!") == "apple"
    assert normalised("theatre") == "theatre"
    assert is_abstention("“Not sure”.")
    assert not is_abstention("none of these")
    (item,) = (one for one in ITEMS if isinstance(one.question.shape, LabelledChoices))
    assert parse_answer(item.question.shape, "…") is None

"""Systems compared: numbers by hand, repeated runs, sets that must match, marks."""

import json
from pathlib import Path

import pytest
from written_runs import Outcome, write_bag, write_questions, write_run

from avr_ros.evaluation.compare_runs import compare_runs
from avr_ros.evaluation.comparison_result import Comparison, Difference
from avr_ros.evaluation.holm import holm
from avr_ros.evaluation.paired import mcnemar_exact, sign_flip_test
from avr_ros.schema.errors import BadInputError
from avr_ros.schema.report import Interval

BOTH: Outcome = (True, True)
ANSWER: Outcome = (True, False)
EVIDENCE: Outcome = (False, True)
NEITHER: Outcome = (False, False)

# Answers: 8 and 5 of 12; 5 questions won, 2 lost. Combined: 6 and 4; 4 won, 2 lost.
SYSTEM = [BOTH] * 6 + [ANSWER] * 2 + [EVIDENCE] * 2 + [NEITHER, None]
REFERENCE = [BOTH] * 2 + [ANSWER] + [NEITHER] * 4 + [None] + [BOTH] * 2 + [NEITHER] * 2


def compared(*runs: Path, **options: object) -> Comparison:
    chosen = {"resamples": 2000, "seed": 3} | options
    return compare_runs(runs, **chosen)  # type: ignore[arg-type]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return write_questions(tmp_path / "files", 12)


@pytest.fixture
def system(tmp_path: Path, questions: Path) -> Path:
    return write_run(tmp_path / "system", questions, SYSTEM, agent="eviseek")


@pytest.fixture
def reference(tmp_path: Path, questions: Path) -> Path:
    return write_run(tmp_path / "reference", questions, REFERENCE, agent="passive")


def difference(comparison: Comparison, measure: str, pair: int = 0) -> Difference:
    found = [item for item in comparison.pairs[pair].differences if item.measure == measure]
    assert len(found) == 1
    return found[0]


def test_two_runs_by_hand(system: Path, reference: Path) -> None:
    found = compared(system, reference)
    assert (found.n, found.sequences) == (12, 3)
    assert [item.name for item in found.systems] == ["eviseek", "passive"]
    answer, combined = difference(found, "answer"), difference(found, "combined")
    assert answer.system == pytest.approx(100 * 8 / 12)
    assert answer.reference == pytest.approx(100 * 5 / 12)
    assert answer.difference == pytest.approx(25.0)
    assert (answer.n_plus, answer.n_minus) == (5, 2)
    assert (combined.n_plus, combined.n_minus) == (4, 2)
    assert combined.difference == pytest.approx(100 * 2 / 12)
    assert answer.test == "exact_mcnemar"
    assert answer.p == mcnemar_exact(5, 2)
    ratio = difference(found, "conditional_hallucination")
    assert ratio.system == pytest.approx(25.0)
    assert ratio.reference == pytest.approx(20.0)
    assert ratio.difference == pytest.approx(5.0)
    assert (ratio.test, ratio.p, ratio.p_holm, ratio.n_plus) == (None, None, None, None)
    for item in found.pairs[0].differences:
        for interval in (item.by_question, item.by_sequence):
            assert interval.low is not None and interval.high is not None
            assert interval.low < (item.difference or 0) < interval.high


def test_all_tests_are_one_family(
    system: Path, reference: Path, tmp_path: Path, questions: Path
) -> None:
    other = write_run(tmp_path / "other", questions, [NEITHER] * 12, agent="blind")
    found = compared(system, reference, other)
    assert [(pair.system, pair.reference) for pair in found.pairs] == [
        ("eviseek", "passive"),
        ("eviseek", "blind"),
    ]
    tested = [item for pair in found.pairs for item in pair.differences if item.p is not None]
    assert found.family_of_tests.tests == len(tested) == 6
    assert [item.p_holm for item in tested] == holm([item.p or 0.0 for item in tested])
    alone = compared(system, reference, other, measures=["answer"])
    assert alone.family_of_tests.tests == 2
    assert alone.family_of_tests.measures == ("answer",)
    first, second = difference(alone, "answer"), difference(alone, "answer", 1)
    assert [first.p_holm, second.p_holm] == holm([first.p or 0.0, second.p or 0.0])


def test_families_are_shown_and_not_tested(system: Path, reference: Path) -> None:
    found = compared(system, reference)
    rows = [item for item in found.pairs[0].by_family if item.measure == "answer"]
    assert [(item.family, item.n) for item in rows] == [("action_boundary", 6), ("chain_hybrid", 6)]
    summary = found.systems[0]
    assert summary.by_family["action_boundary"].answer == pytest.approx(rows[0].system)
    assert summary.macro.answer == pytest.approx((rows[0].system + rows[1].system) / 2)
    assert sum(item.n_plus for item in rows) == 5
    assert "p" not in type(rows[0]).model_fields


def test_failures_and_cost(system: Path, reference: Path) -> None:
    found = compared(system, reference)
    first = found.systems[0]
    assert first.failures == {"abstained": 1}
    assert first.rates.n == 12
    assert (first.cost.steps, first.cost.calls, first.cost.images) == (4.0, 2.0, 5.0)
    assert (first.cost_totals.calls, first.cost_totals.tokens) == (24, 12 * 120)
    assert first.cost_totals.seconds == pytest.approx(18.0)
    assert (first.images_per_answer, first.answers_with_images) == (3.0, 12)


def test_images_per_answer_are_of_the_answers_that_say(
    tmp_path: Path, questions: Path, system: Path
) -> None:
    silent = write_run(tmp_path / "silent", questions, SYSTEM, images=None, agent="blind")
    # Views that the agent names count, each once, whatever the last call was shown.
    named = write_run(
        tmp_path / "named", questions, SYSTEM, agent="react", answer_views=["a", "b", "a"]
    )
    found = compared(system, silent, named)
    assert [(item.images_per_answer, item.answers_with_images) for item in found.systems] == [
        (3.0, 12),
        (None, 0),
        (2.0, 12),
    ]


def test_runs_that_differ_in_their_seed_are_averaged(
    tmp_path: Path, questions: Path, reference: Path
) -> None:
    once = write_run(tmp_path / "a", questions, [BOTH] * 12, agent="react", seed=1)
    twice = write_run(tmp_path / "b", questions, [BOTH] * 6 + [NEITHER] * 6, agent="react", seed=2)
    found = compared(once, reference, twice)
    assert [(item.name, item.seeds) for item in found.systems] == [
        ("react", (1, 2)),
        ("passive", (1,)),
    ]
    answer = difference(found, "answer")
    assert answer.system == 75.0
    assert answer.test == "sign_flip_permutation"
    means = [1.0] * 6 + [0.5] * 6
    wanted = [float(outcome is not None and outcome[0]) for outcome in REFERENCE]
    differences = [mean - other for mean, other in zip(means, wanted, strict=True)]
    assert (answer.n_plus, answer.n_minus) == (
        sum(value > 0 for value in differences),
        sum(value < 0 for value in differences),
    )
    assert answer.p == sign_flip_test(differences, seed=3)
    assert found.n == 12
    assert found.systems[0].cost_totals.calls == 48
    apart = compared(once, reference, twice, separate=True)
    assert [item.name for item in apart.systems] == ["react, a", "passive", "react, b"]
    assert all(
        item.p is None or item.test == "exact_mcnemar" for item in apart.pairs[0].differences
    )


def test_settings_make_another_system(tmp_path: Path, questions: Path) -> None:
    runs = [
        write_run(
            tmp_path / name, questions, SYSTEM, agent="react", agent_settings=values, seed=seed
        )
        for name, values, seed in (
            ("a", {"cap": 20, "seed": 1}, 1),
            ("b", {"cap": 20, "seed": 2}, 2),
            ("c", {"cap": 5, "seed": 1}, 1),
        )
    ]
    found = compared(*runs)
    assert [(item.name, len(item.runs)) for item in found.systems] == [
        ("react, cap=20", 2),
        ("react, cap=5", 1),
    ]
    with pytest.raises(BadInputError, match="no two systems"):
        compared(*runs[:2])


def test_names_say_what_differs(tmp_path: Path, questions: Path) -> None:
    first = write_run(tmp_path / "a", questions, SYSTEM, agent="react", model="openai:u#one")
    second = write_run(tmp_path / "b", questions, SYSTEM, agent="react", model="openai:u#two")
    assert [item.name for item in compared(first, second).systems] == [
        "react, openai:u#one",
        "react, openai:u#two",
    ]


def test_names_say_which_settings_are_not_the_defaults(tmp_path: Path, questions: Path) -> None:
    runs = [
        write_run(tmp_path / name, questions, SYSTEM, agent="eviseek", agent_settings=values)
        for name, values in (
            ("a", {"demands": True, "board_capacity": 20}),
            ("b", {"demands": False, "board_capacity": 20}),
        )
    ]
    assert [item.name for item in compared(*runs).systems] == ["eviseek", "eviseek, demands=false"]


def test_equal_systems(system: Path, tmp_path: Path, questions: Path) -> None:
    same = write_run(tmp_path / "same", questions, SYSTEM, agent="copy")
    found = compared(system, same)
    for item in found.pairs[0].differences:
        assert item.difference == 0.0
        assert item.by_question == Interval(low=0.0, high=0.0)
        assert item.p in (None, 1.0)


def test_hallucination_without_right_answers_is_undefined(
    system: Path, tmp_path: Path, questions: Path
) -> None:
    blind = write_run(tmp_path / "blind", questions, [EVIDENCE] * 12, agent="blind")
    ratio = difference(compared(system, blind), "conditional_hallucination")
    assert (ratio.system, ratio.reference, ratio.difference) == (25.0, None, None)
    assert ratio.by_question == ratio.by_sequence == Interval(low=None, high=None)
    assert ratio.note == "undefined: no right answer of blind"


def test_pairs_are_chosen_by_position(
    system: Path, reference: Path, tmp_path: Path, questions: Path
) -> None:
    other = write_run(tmp_path / "other", questions, REFERENCE, agent="blind")
    found = compared(system, reference, other, pairs=["3:1", "2:3"])
    assert [(pair.system, pair.reference) for pair in found.pairs] == [
        ("blind", "eviseek"),
        ("passive", "blind"),
    ]
    for pairs, message in (
        (["1"], "not of the form"),
        (["1:4"], "names a run that was not given"),
        (["0:1"], "names a run that was not given"),
        (["1:1"], "with itself"),
        (["1:2", "2:1"], "asked for twice"),
        (["²:1"], "not of the form"),
    ):
        with pytest.raises(BadInputError, match=message):
            compared(system, reference, other, pairs=pairs)


def test_unknown_measures_are_refused(system: Path, reference: Path) -> None:
    with pytest.raises(BadInputError, match="did you mean 'answer'"):
        compared(system, reference, measures=["anwser"])


def test_other_questions_are_refused(system: Path, tmp_path: Path, questions: Path) -> None:
    others = write_questions(tmp_path / "others", 12, seed=2, recording=1)
    with pytest.raises(BadInputError, match="another questions file"):
        compared(system, write_run(tmp_path / "a", others, REFERENCE, agent="passive"))
    hashes = {"questions": "", "keys": "c" * 64}
    hashes["questions"] = compared(system, write_run(tmp_path / "b", questions, SYSTEM)).hashes[
        "questions"
    ]
    with pytest.raises(BadInputError, match="another keys file"):
        compared(system, write_run(tmp_path / "c", questions, REFERENCE, hashes=hashes))


def test_question_files_count_together(
    system: Path, reference: Path, tmp_path: Path, questions: Path
) -> None:
    # 12 questions, won 5 and lost 2, and 3 of the same ids elsewhere, won 2: 7 and 2 of 15.
    others = write_questions(tmp_path / "others", 3, seed=2, recording=1)
    further = write_run(tmp_path / "further", others, [BOTH] * 3, agent="eviseek", seed=5)
    opponent = write_run(tmp_path / "opponent", others, [BOTH, NEITHER, None], agent="passive")
    found = compared(system, reference, opponent, further)
    assert [(item.name, len(item.runs)) for item in found.systems] == [
        ("eviseek", 2),
        ("passive", 2),
    ]
    # The recordings' sequences have equal names and are others.
    assert (found.n, found.sequences) == (15, 6)
    assert [item.questions for item in found.files] == [12, 3]
    assert found.files[0].hashes["questions"] != found.files[1].hashes["questions"]
    assert found.hashes == {"keys": "b" * 64}
    answer = difference(found, "answer")
    assert (answer.n_plus, answer.n_minus) == (7, 2)
    assert answer.system == pytest.approx(100 * 11 / 15)
    assert answer.difference == pytest.approx(100 * 5 / 15)
    assert answer.test == "exact_mcnemar" and answer.p == mcnemar_exact(7, 2)
    first = found.systems[0]
    assert first.rates.n == sum(rates.n for rates in first.by_family.values()) == 15
    assert found.systems[1].failures == {"abstained": 2}
    assert first.cost_totals.calls == 2 * 15
    # The order of the files changes neither rates nor tests.
    turned = difference(compared(further, opponent, reference, system), "answer")
    assert (turned.difference, turned.p) == (pytest.approx(answer.difference), answer.p)


def test_repeated_runs_are_averaged_within_each_file(tmp_path: Path, questions: Path) -> None:
    others = write_questions(tmp_path / "others", 2, seed=2, recording=1)
    runs = [
        write_run(tmp_path / "a", questions, [BOTH] * 12, agent="react", seed=1),
        write_run(tmp_path / "b", questions, [NEITHER] * 12, agent="react", seed=2),
        write_run(tmp_path / "c", others, [BOTH] * 2, agent="react", seed=1),
        write_run(tmp_path / "d", questions, [NEITHER] * 12, agent="passive"),
        write_run(tmp_path / "e", others, [NEITHER] * 2, agent="passive"),
    ]
    answer = difference(compared(*runs), "answer")
    assert answer.system == pytest.approx(100 * (12 * 0.5 + 2) / 14)
    assert answer.test == "sign_flip_permutation"


def test_every_system_needs_every_file(
    system: Path, reference: Path, tmp_path: Path, questions: Path
) -> None:
    others = write_questions(tmp_path / "others", 3, seed=2, recording=1)
    further = write_run(tmp_path / "further", others, [BOTH] * 3, agent="eviseek")
    with pytest.raises(BadInputError, match=r"passive has no run on .* of .*further"):
        compared(system, further, reference)
    shorter = write_run(tmp_path / "short", others, [BOTH] * 2, agent="passive", limit=2)
    with pytest.raises(BadInputError, match=r"it lacks 1 question \(q002\)"):
        compared(system, further, reference, shorter)


def test_a_question_counts_once(system: Path, reference: Path, tmp_path: Path) -> None:
    again = write_questions(tmp_path / "again", 12, seed=2)
    runs = [
        write_run(tmp_path / agent, again, SYSTEM, agent=agent) for agent in ("eviseek", "passive")
    ]
    with pytest.raises(BadInputError, match=r"q000 of .* is a question of .* too"):
        compared(system, reference, *runs)


def test_answers_to_the_runs_of_one_system_are_one_system(
    system: Path, tmp_path: Path, questions: Path
) -> None:
    others = write_questions(tmp_path / "others", 3, seed=2, recording=1)
    further = write_run(tmp_path / "further", others, [BOTH] * 3, agent="eviseek")
    changed = write_run(tmp_path / "changed", others, [BOTH] * 3, agent="eviseek", model="local")
    answered = [
        write_run(
            tmp_path / f"{name}-{memory}",
            asked,
            [BOTH] * 12,
            agent="reanswer",
            agent_settings={"run": str(run), "memory": memory, "capacity": 20},
        )
        for memory in ("board", "recent")
        for name, asked, run in (("here", questions, system), ("there", others, further))
    ]
    found = compared(*answered)
    assert [(item.name, len(item.runs)) for item in found.systems] == [
        ("reanswer", 2),
        ("reanswer, memory=recent", 2),
    ]
    another = write_run(
        tmp_path / "another",
        others,
        [BOTH] * 3,
        agent="reanswer",
        agent_settings={"run": str(changed), "memory": "board", "capacity": 20},
    )
    with pytest.raises(BadInputError, match="has no run on"):
        compared(answered[0], another, *answered[2:])


def test_other_limits_are_refused(system: Path, tmp_path: Path, questions: Path) -> None:
    shorter = write_run(tmp_path / "short", questions, REFERENCE[:8], agent="passive", limit=8)
    with pytest.raises(BadInputError, match=r"it lacks 4 questions \(q008, q009, q010, …\)"):
        compared(system, shorter)
    with pytest.raises(BadInputError, match="it has besides 4 questions"):
        compared(shorter, system)


def test_unfinished_runs_are_refused_or_counted_as_wrong(
    system: Path, tmp_path: Path, questions: Path
) -> None:
    started = write_run(tmp_path / "started", questions, [BOTH] * 10, agent="passive")
    with pytest.raises(BadInputError, match="2 of 12 questions have no result, first q010"):
        compared(system, started)
    found = compared(system, started, missing_as_wrong=True)
    assert found.systems[1].failures == {"missing": 2}
    assert found.systems[1].rates.answer == pytest.approx(100 * 10 / 12)


def test_strange_folders_are_refused(system: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="neither a run nor an evaluation bag"):
        compared(system, tmp_path / "absent")
    with pytest.raises(BadInputError, match="is given 2 times"):
        compared(system, system)
    with pytest.raises(BadInputError, match="is given 2 times"):
        compared(system, tmp_path / "files/../system")


def test_marks_are_carried(system: Path, tmp_path: Path, questions: Path) -> None:
    marked = write_run(
        tmp_path / "marked",
        questions,
        REFERENCE,
        agent="avr",
        oracle_perception=True,
        stand_in_model=True,
    )
    found = compared(system, marked)
    assert found.oracle_perception and found.stand_in_model
    assert [item.oracle_perception for item in found.systems] == [False, True]
    assert found.notices[0].startswith("Oracle perception (avr)")
    assert found.notices[1].startswith("Stand-in model (avr)")
    assert "3 sequences are rough" in found.notices[2]


def test_averaged_runs_of_changed_programs_are_named(
    tmp_path: Path, questions: Path, reference: Path
) -> None:
    runs = [
        write_run(
            tmp_path / name, questions, SYSTEM, agent="react", seed=seed, uncommitted_changes=True
        )
        for name, seed in (("a", 1), ("b", 2))
    ]
    found = compared(*runs, reference)
    assert "react were made with uncommitted changes" in found.notices[0]
    apart = compared(*runs, reference, separate=True)
    assert not any("uncommitted" in text for text in apart.notices)


def test_bags_compare_like_their_runs(system: Path, reference: Path, tmp_path: Path) -> None:
    bag = write_bag(tmp_path / "run.mcap", reference)
    by_folder, by_bag = compared(system, reference), compared(system, bag)
    assert by_bag.pairs == by_folder.pairs
    assert by_bag.systems[1].seeds == (None,)
    bare = write_bag(tmp_path / "bare.mcap", reference, with_report=False)
    with pytest.raises(BadInputError, match="holds no report"):
        compared(system, bare)


def test_the_same_comparison_twice_is_the_same(system: Path, reference: Path) -> None:
    once, again = compared(system, reference), compared(system, reference)
    assert once == again
    assert Comparison.model_validate_json(once.model_dump_json()) == once
    assert json.loads(once.model_dump_json())["format"] == "avr_ros/comparison"
    assert compared(system, reference, seed=4) != once

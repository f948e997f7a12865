"""EXPRESS-Bench's metrics by hand, and what upstream stumbles over."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from avr_ros.evaluation.external.express import (
    ExpressRow,
    express_metrics,
    grounded_score,
    parse_marks,
    path_share,
)
from avr_ros.schema.errors import BadInputError

INFINITE = math.inf


def row(
    number: int,
    grounding: float | None = 1.0,
    mark: int | None = 5,
    shortest: float = 4.0,
    travelled: float = 4.0,
    distance: float = 1.0,
) -> ExpressRow:
    return ExpressRow(
        question_id=f"q{number}",
        grounding=grounding,
        answer_mark=mark,
        shortest_path=shortest,
        travelled_path=travelled,
        goal_distance=distance,
    )


def test_metrics_by_hand() -> None:
    found = express_metrics(
        [
            row(1, grounding=1, mark=5, shortest=4, travelled=8, distance=0.5),
            row(2, grounding=0.5, mark=4, shortest=6, travelled=3, distance=2.5),
            row(3, grounding=0, mark=3, shortest=6, travelled=6, distance=3.0),
        ]
    )
    assert found.grounded == pytest.approx(100 * (1 + 0.4) / 3)
    assert found.answered == pytest.approx(100 * (1 + 0.8 + 0.6) / 3)
    assert found.path_weighted == pytest.approx(100 * (0.5 + 0.4) / 3)
    assert found.final_distance == pytest.approx(2.0)
    assert (found.n, found.path_n, found.distance_n) == (3, 3, 3)


def test_an_infinite_path_earns_nothing_and_stays_in() -> None:
    found = express_metrics([row(1), row(2, travelled=INFINITE)])
    assert (found.grounded, found.answered, found.path_weighted) == (100.0, 100.0, 50.0)
    assert (found.path_n, found.infinite_paths) == (2, 1)


def test_standing_at_the_goal_is_not_a_division_by_zero() -> None:
    assert path_share(row(1, shortest=0, travelled=0)) == 1.0
    assert path_share(row(1, shortest=0, travelled=2)) == 0.0
    found = express_metrics([row(1, shortest=0, travelled=0), row(2, travelled=8)])
    assert found.path_weighted == 75.0


def test_what_has_no_value_is_counted() -> None:
    found = express_metrics(
        [row(1, distance=INFINITE), row(2, shortest=INFINITE, travelled=INFINITE), row(3)]
    )
    assert (found.n, found.path_n, found.distance_n) == (3, 2, 2)
    assert (found.unreachable_goals, found.infinite_paths) == (1, 1)
    assert found.final_distance == 1.0
    nowhere = express_metrics([row(1, shortest=INFINITE, distance=INFINITE)])
    assert (nowhere.path_weighted, nowhere.final_distance) == (None, None)
    assert nowhere.grounded == 100.0


def test_rows_without_marks_score_nothing_and_stay_in() -> None:
    found = express_metrics([row(1), row(2, grounding=None, mark=None), row(3, grounding=None)])
    assert found.grounded == pytest.approx(100 / 3)
    assert found.answered == pytest.approx(200 / 3)
    assert (found.n, found.without_marks) == (3, 2)


def test_bad_rows_are_refused() -> None:
    with pytest.raises(BadInputError, match="no judged episode"):
        express_metrics([])
    with pytest.raises(BadInputError, match="judged twice"):
        express_metrics([row(1), row(1)])
    for changes in (
        {"grounding": 0.3},
        {"mark": 6},
        {"mark": 0},
        {"shortest": math.nan},
        {"travelled": -1.0},
        {"distance": math.nan},
    ):
        with pytest.raises(ValidationError):
            row(1, **changes)


@given(
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(1, 5),
    st.one_of(st.floats(0, 1e6), st.just(INFINITE)),
    st.one_of(st.floats(0, 1e6), st.just(INFINITE)),
)
def test_path_weighting_never_helps(
    grounding: float, mark: int, shortest: float, travelled: float
) -> None:
    asked = row(1, grounding, mark, shortest, travelled)
    share = path_share(asked)
    assert share is None or 0.0 <= share <= 1.0
    found = express_metrics([asked])
    assert found.path_weighted is None or found.path_weighted <= found.grounded + 1e-9
    assert found.grounded == pytest.approx(100 * grounded_score(asked))
    assert found.grounded <= found.answered + 1e-9


@pytest.mark.parametrize(
    ("reply", "marks"),
    [
        ("1,5", (1.0, 5)),
        ("Your mark: 0.5, 3", (0.5, 3)),
        ("1, 4.0", (1.0, 4)),
        ("(1, 5)", (1.0, 5)),
        ("0.5,3 (close)", (0.5, 3)),
        ("**Your mark:** .5, 2", (0.5, 2)),
        ("0.5/1, 3/5", (0.5, 3)),
        ("It shows the lamp.\nYour mark: 1, 4", (1.0, 4)),
        ("1/5", None),
        ("Your mark: 1,4\nYour mark: 0,2", None),
        ("", None),
        ("5", None),
        ("2,3", None),
        ("0.7,3", None),
        ("1, 4.5", None),
        ("1, 0", None),
        ("1, 50", None),
        ("I would say 1, 4", None),
    ],
)
def test_replies(reply: str, marks: tuple[float, int] | None) -> None:
    assert parse_marks(reply) == marks


@given(st.text(max_size=60))
def test_no_reply_ends_the_evaluation(reply: str) -> None:
    marks = parse_marks(reply)
    assert marks is None or (marks[0] in (0, 0.5, 1) and marks[1] in range(1, 6))

"""Visual support: the four parts by hand, and judges' replies as they come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from avr_ros.evaluation.visual_support import (
    GRADES,
    JudgedAnswer,
    VisualSupport,
    parse_support,
    supported_score,
    visual_support,
)
from avr_ros.schema.errors import BadInputError


def judged(*rows: tuple[float, float | None]) -> list[JudgedAnswer]:
    return [
        JudgedAnswer(question_id=f"q{number}", score=score, support=support)
        for number, (score, support) in enumerate(rows)
    ]


def test_parts_by_hand() -> None:
    found = visual_support(judged((1, 1), (1, 0.5), (0, 0.5), (0, 0), (0, 1)))
    assert found == VisualSupport(
        n=5,
        accuracy=40.0,
        supported_right=30.0,
        supported_wrong=30.0,
        unsupported_right=10.0,
        unsupported_wrong=30.0,
        judge_failures=0,
    )


def test_failed_judges_are_counted_and_kept() -> None:
    found = visual_support(judged((1, None), (1, 1), (0, None), (0, 1)))
    assert (found.n, found.judge_failures) == (4, 2)
    assert (found.supported_right, found.supported_wrong) == (25.0, 25.0)
    assert (found.unsupported_right, found.unsupported_wrong) == (25.0, 25.0)
    assert supported_score(judged((1, None))[0]) == 0.0


@given(
    st.lists(
        st.tuples(st.sampled_from([0, 0.25, 1]), st.sampled_from([*GRADES, None])),
        min_size=1,
        max_size=50,
    )
)
def test_parts_add_up(rows: list[tuple[float, float | None]]) -> None:
    found = visual_support(judged(*rows))
    parts = (
        found.supported_right,
        found.supported_wrong,
        found.unsupported_right,
        found.unsupported_wrong,
    )
    assert sum(parts) == pytest.approx(100.0)
    assert all(-1e-9 <= part <= 100.0 + 1e-9 for part in parts)
    assert found.unsupported_right == pytest.approx(found.accuracy - found.supported_right)


def test_bad_rows_are_refused() -> None:
    with pytest.raises(BadInputError, match="no judged answer"):
        visual_support([])
    with pytest.raises(BadInputError, match="q0 was judged twice"):
        visual_support(judged((1, 1)) * 2)
    for score, support in ((1, 0.7), (2, 1), (float("nan"), 1)):
        with pytest.raises(ValidationError):
            judged((score, support))


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("0.5", 0.5),
        ("1.", 1.0),
        (" 0 \n", 0.0),
        (".5", 0.5),
        ("½", 0.5),
        ("1/1", 1.0),
        ('{"grade": 0.5, "reason": "box 2 is hidden"}', 0.5),
        ('Here it is:\n```json\n{"support": "1"}\n```', 1.0),
        ("**Grade:** 0.5. The lid hides it.", 0.5),
        ("The lid is seen in image 3. Grade: 1", 1.0),
        ("grade is 0", 0.0),
        ("Grade: 1\n...\nGrade: 1", 1.0),
        ("", None),
        ("I cannot tell.", None),
        ("0.75", None),
        ("2", None),
        ("-1", None),
        ("Grade: -1", None),
        ("Grade: 10", None),
        ("Grade: 0.55", None),
        ("100%", None),
        ("Grade: 1 or grade: 0", None),
        ('{"grade": true}', None),
        ('{"grade": null}', None),
        ('{"grade": [1]}', None),
        ('{"grade": 1} {"grade": 0}', None),
        ("{" * 2000, None),
        ("1 of 3 images shows it", None),
    ],
)
def test_replies(reply: str, grade: float | None) -> None:
    assert parse_support(reply) == grade


@given(st.text(max_size=80))
def test_no_reply_ends_the_evaluation(reply: str) -> None:
    assert parse_support(reply) in (*GRADES, None)

"""What a manifest names is compared with what was written, number by number."""

from __future__ import annotations

from avr_ros.evaluation.recording_check import Manifest, Recorded

MANIFEST = Manifest(
    session="s",
    questions=("q1", "q2"),
    ledger={"q1#1": 2},
    steps={"q1#1": 3},
    graphs={"q1#1": 2},
    results={"q1": 1, "q2": 2},
    annotated=1,
    report=True,
)


def complete() -> Recorded:
    recorded = Recorded()
    recorded.questions |= {"q1", "q2"}
    for number in (2, 1):
        recorded.add_ledger("q1#1", number)
    for number in (1, 2, 3, 3):
        recorded.add_step("q1#1", number)
    recorded.add_graph("q1#1", 2)
    recorded.add_graph("q1#1", 1)
    recorded.results.update(q1=1, q2=2)
    recorded.annotated = recorded.reports = 1
    return recorded


def test_everything_is_there() -> None:
    assert complete().missing(MANIFEST) == ()
    assert complete().gaps == 0


def test_what_is_missing_is_named() -> None:
    assert Recorded().missing(MANIFEST) == (
        "2 questions",
        "2 ledger records",
        "3 steps",
        "1 world models",
        "2 results",
        "1 annotated pictures",
        "1 reports",
    )
    recorded = complete()
    recorded.steps["q1#1"].discard(2)
    recorded.results["q2"] = 1
    assert recorded.missing(MANIFEST) == ("1 steps", "1 results")
    assert recorded.gaps == 1


def test_exchanges_outside_of_episodes_have_no_number() -> None:
    recorded = Recorded()
    recorded.add_ledger("", 0)
    assert recorded.gaps == 0

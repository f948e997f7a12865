"""The evidence board: provenance, one entry a view, and what makes room when it is full."""

from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.environments.environment import Shot
from avr_ros.agents.eviseek.board import Board, BoardItem
from avr_ros.reasoning.stage import StageImage


def item(number: int, demand: int | None, note: str = "") -> BoardItem:
    name = f"view {number}"
    shot = Shot(name, f"frame {number}", StageImage(name, b""), f"q#1/{number}", number, 0.5)
    return BoardItem(shot, note, "seen", "FACE", subtask=demand or 0, demand=demand)


def views(board: Board) -> list[str]:
    return [kept.shot.name for kept in board.items]


def test_the_demand_with_most_items_makes_room() -> None:
    board = Board(4)
    for number, demand in enumerate([1, 2, 2, 2], start=1):
        assert board.keep(item(number, demand))
    board.keep(item(5, 3))
    assert views(board) == ["view 1", "view 3", "view 4", "view 5"]
    board.keep(item(6, 1))
    assert views(board) == ["view 3", "view 4", "view 5", "view 6"]
    assert [gone.shot.name for gone in board.displaced] == ["view 2", "view 1"]


def test_a_view_is_kept_once_and_gains_a_note() -> None:
    board = Board(2)
    assert board.keep(item(1, 1)) and not board.keep(item(1, 2, "now seen"))
    assert [(kept.note, kept.demand) for kept in board.items] == [("now seen", 1)]
    board.keep(item(1, 1, "seen better"))
    board.keep(item(1, 1))
    assert [kept.note for kept in board.items] == ["seen better"]


def test_the_latest_are_those_of_every_demand() -> None:
    board = Board(20)
    for number, demand in enumerate((1, 2, 2, 2, 3, 2), start=1):
        board.keep(item(number, demand))
    assert [kept.shot.name for kept in board.latest(3)] == ["view 1", "view 5", "view 6"]
    assert [kept.shot.name for kept in board.latest(4)] == ["view 1", "view 4", "view 5", "view 6"]
    assert board.latest(20) == board.items
    assert board.latest(0) == ()


def test_details_lead_to_the_granted_view() -> None:
    details = item(3, 1).details()
    assert details["observation_id"] == "q#1/3" and details["frame_id"] == 3
    assert {"intent", "subtask", "demand", "outcome", "note", "view", "caption"} <= set(details)


def test_the_answerer_sees_view_note_outcome_and_demand() -> None:
    seen = item(3, 2, "a note").shown().model_dump()
    assert seen == {
        "name": "view 3",
        "caption": "frame 3",
        "note": "a note",
        "outcome": "seen",
        "demand": 2,
    }


@given(st.lists(st.integers(1, 3), max_size=40), st.integers(1, 6))
def test_every_demand_keeps_evidence_while_there_is_room_for_it(
    demands: list[int], capacity: int
) -> None:
    board = Board(capacity)
    for number, demand in enumerate(demands):
        board.keep(item(number, demand))
    assert len(board.items) == min(len(demands), capacity)
    assert len(board.items) + len(board.displaced) == len(demands)
    if capacity >= len(set(demands)):
        assert {kept.demand for kept in board.items} == set(demands)
    if demands:
        assert board.items[-1].shot.name == f"view {len(demands) - 1}"

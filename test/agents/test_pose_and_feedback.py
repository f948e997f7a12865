"""Action-derived poses and feedback, with the paper's own examples."""

import math

from hypothesis import given
from hypothesis import strategies as st

from avr_ros.agents.environments.actions import LOCOMOTION, TURNS, ActionName
from avr_ros.agents.environments.environment import StepSizes
from avr_ros.agents.environments.feedback import latest_result, outcome_note, truncated
from avr_ros.agents.environments.pose import ActionPose, PoseBounds

SIZES = StepSizes(0.25, math.radians(15))
BOUNDS = PoseBounds(lowest=-0.5, highest=1.0, pitch=math.radians(45))


def after(*actions: ActionName) -> ActionPose:
    pose = ActionPose()
    for action in actions:
        pose = pose.after(action, SIZES, BOUNDS)
    return pose


def test_three_upward_commands() -> None:
    assert after(*[ActionName.MOVE_UP] * 3).text.startswith("d(+0.00E,+0.00N,z0.75)")


def test_forward_goes_where_the_camera_was_turned() -> None:
    west = after(*[ActionName.TURN_LEFT] * 6, *[ActionName.MOVE_FORWARD] * 4)
    assert west.text == "d(-1.00E,+0.00N,z0.00) heading +90 pitch +0"
    south = after(*[ActionName.TURN_RIGHT] * 12, ActionName.MOVE_FORWARD)
    assert math.isclose(south.north, -0.25) and abs(south.east) < 1e-9
    aside = after(*[ActionName.TURN_LEFT] * 6, ActionName.MOVE_RIGHT)
    assert math.isclose(aside.north, 0.25)


@given(st.lists(st.sampled_from(sorted(LOCOMOTION | TURNS)), max_size=60))
def test_bounds_hold(actions: list[ActionName]) -> None:
    pose = after(*actions)
    assert BOUNDS.lowest <= pose.height <= BOUNDS.highest
    assert abs(pose.pitch) <= BOUNDS.pitch + 1e-12
    assert abs(pose.heading) <= math.pi
    moves = sum(
        action in LOCOMOTION - {ActionName.MOVE_UP, ActionName.MOVE_DOWN} for action in actions
    )
    assert math.hypot(pose.east, pose.north) <= 0.25 * moves + 1e-9


def test_manipulations_do_not_move_the_camera() -> None:
    assert after(ActionName.PICK_UP, ActionName.POUR) == ActionPose()


def test_the_latest_result_is_extracted() -> None:
    history = (
        "Step 1: action=move_up answer=not sure conf=0.1 result=handled success=True "
        "reasoning=I want to see more\n"
        "Step 2: action=pour answer=yes conf=0.4 result=pour_small_obj success=True "
        "reasoning=result of pouring"
    )
    assert latest_result(history) == "pour_small_obj success=True"
    assert latest_result("Step 1: action=move_up answer= conf= reasoning=none") == ""
    assert len(latest_result("result=" + "x" * 500)) == 220


def test_feedback_is_cut_and_marked() -> None:
    assert truncated("a\n b", 3) == "a b"
    assert outcome_note("pour_small_obj success=True") == "[ENV] pour_small_obj success=True"
    assert outcome_note("") == ""

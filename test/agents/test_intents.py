"""Intents: what they compile to, and that none passes the budget, its target or what is offered."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kinematic_room import BOUNDS, KinematicRoom

from avr_ros.agents.environments.actions import (
    ESI_ACTIONS,
    EXPRESS_ACTIONS,
    MANIPULATION,
    ActionName,
    AtomicAction,
)
from avr_ros.agents.environments.embodied_intents import (
    EXPRESS_LIMITS,
    EmbodiedLimits,
    embodied_intents,
)
from avr_ros.agents.environments.environment import StepSizes
from avr_ros.agents.environments.intent import (
    Direction,
    Intent,
    IntentError,
    IntentName,
    IntentSet,
    execute_intent,
    intent_text,
)

ESI = StepSizes(0.25, math.radians(15))
EXPRESS = StepSizes(0.25, math.radians(30))
THINGS = {"cup": (0.0, 2.0), "bowl": (-1.5, 1.0), "lamp": (2.0, -2.0)}


def room(budget: int = 30, express: bool = False) -> KinematicRoom:
    actions = EXPRESS_ACTIONS if express else ESI_ACTIONS
    return KinematicRoom(actions, EXPRESS if express else ESI, budget, dict(THINGS))


def offered(place: KinematicRoom, limits: EmbodiedLimits | None = None) -> IntentSet:
    return embodied_intents(place.actions, place.sizes, limits or EmbodiedLimits())


def names(intent: Intent, place: KinematicRoom) -> list[str]:
    outcome = execute_intent(intent, offered(place), place, place.shot())
    return [action.name.value for action in outcome.executed]


def test_table_8_over_table_7() -> None:
    assert names(Intent(name=IntentName.FACE, bearing_deg=45), room()) == ["turn_left"] * 3
    assert (
        names(Intent(name=IntentName.FACE, bearing_deg=-60), room(express=True))
        == ["turn_right"] * 2
    )
    approach = Intent(name=IntentName.APPROACH, object_name="cup", count=2)
    assert names(approach, room()) == ["move_forward"] * 2
    goto = Intent(name=IntentName.GOTO, bearing_deg=30, count=2)
    assert names(goto, room()) == ["turn_left"] * 2 + ["move_forward"] * 2
    sweep = Intent(name=IntentName.SWEEP, count=3, direction=Direction.RIGHT)
    assert names(sweep, room()) == ["turn_down"] + ["turn_right"] * 3
    assert names(sweep, room(express=True)) == ["turn_right"] * 3
    orbit = Intent(name=IntentName.ORBIT, object_name="cup", count=2, direction=Direction.RIGHT)
    assert names(orbit, room()) == ["move_right", "turn_left"] * 2
    rise = Intent(name=IntentName.RISE_TOPDOWN, count=2)
    assert names(rise, room()) == ["move_up"] * 3 + ["turn_down"] * 2
    assert names(Intent(name=IntentName.RETREAT_WIDE, count=2), room()) == ["move_backward"] * 2


def test_only_what_an_environment_can_do_is_offered() -> None:
    express = {kind.name for kind in offered(room(express=True)).offered(None)}
    assert express == {
        IntentName.FACE,
        IntentName.APPROACH,
        IntentName.GOTO,
        IntentName.SWEEP,
    }
    esi = {kind.name for kind in offered(room()).offered(None)}
    assert esi - express == {
        IntentName.ORBIT,
        IntentName.RISE_TOPDOWN,
        IntentName.RETREAT_WIDE,
        IntentName.MANIPULATE,
    }
    place = room(express=True)
    with pytest.raises(IntentError, match="not offered"):
        execute_intent(Intent(name=IntentName.ORBIT), offered(place), place, place.shot())
    assert not place.done


def test_room_scale_moves_are_for_express_bench() -> None:
    far = Intent(name=IntentName.GOTO, count=20)
    with pytest.raises(IntentError, match="at most 8"):
        names(far, room())
    place = room(express=True)
    outcome = execute_intent(far, offered(place, EXPRESS_LIMITS), place, place.shot())
    assert len(outcome.executed) == 20


def test_a_manipulation_is_invoked_as_it_is() -> None:
    place = room()
    pour = Intent(
        name=IntentName.MANIPULATE, action=ActionName.POUR, objects=("water", "cup", "bowl")
    )
    outcome = execute_intent(pour, offered(place), place, place.shot())
    assert outcome.executed == (AtomicAction(ActionName.POUR, ("water", "cup", "bowl")),)
    assert outcome.feedback == "pour water from cup to bowl success=False"
    few = Intent(name=IntentName.MANIPULATE, action=ActionName.PUT_ON, objects=("cup",))
    with pytest.raises(IntentError, match="needs 2 objects"):
        execute_intent(few, offered(place), place, place.shot())


def test_models_are_told_which_manipulations_there_are() -> None:
    described = {kind.name: kind.description for kind in offered(room()).offered(None)}
    assert "pour (3 objects)" in described[IntentName.MANIPULATE]
    single = embodied_intents(EXPRESS_ACTIONS, EXPRESS, atomic=True)
    (only,) = single.offered(None)
    assert "move_forward, turn_left, turn_right," in only.description


def test_tracking_ends_where_the_target_is_lost() -> None:
    place = room()
    past = Intent(name=IntentName.APPROACH, object_name="bowl", count=6)
    for _ in range(2):
        place.pose = place.pose.after(ActionName.TURN_LEFT, place.sizes, BOUNDS)
    outcome = execute_intent(past, offered(place), place, place.shot())
    # After 0.5 m the bowl lies 35.6 degrees aside, after 0.75 m 42.7: out of 40 degrees of sight.
    assert outcome.lost and len(outcome.executed) == len(place.done) == 3
    assert place.bearing("bowl") is None
    unseen = Intent(name=IntentName.APPROACH, object_name="lamp", count=3)
    nothing = execute_intent(unseen, offered(place), place, place.shot())
    assert nothing.lost and not nothing.executed


def test_sweeps_run_to_completion() -> None:
    place = room()
    outcome = execute_intent(
        Intent(name=IntentName.SWEEP, count=12), offered(place), place, place.shot()
    )
    assert not outcome.lost and len(outcome.executed) == 13


intents = st.builds(
    Intent,
    name=st.sampled_from(IntentName),
    bearing_deg=st.none() | st.floats(-360, 360),
    count=st.none() | st.integers(1, 24),
    direction=st.sampled_from(Direction),
    object_name=st.sampled_from([*THINGS, "nothing"]),
    action=st.none() | st.sampled_from(sorted(MANIPULATION)),
    objects=st.lists(st.sampled_from(sorted(THINGS)), max_size=3).map(tuple),
)


@given(st.lists(intents, max_size=6), st.integers(0, 30), st.booleans())
@settings(max_examples=150, deadline=None)
def test_properties_of_every_intent(wanted: list[Intent], budget: int, express: bool) -> None:
    place = room(budget, express)
    kinds = offered(place)
    for intent in wanted:
        before, charged = place.remaining, len(place.done)
        shot = place.shot()
        try:
            outcome = execute_intent(intent, kinds, place, shot)
        except IntentError:
            assert len(place.done) == charged, "a refused intent executed something"
            continue
        kind = kinds.kinds[intent.name]
        assert kind.needs <= place.actions
        assert place.done[charged:] == list(outcome.executed), "an action was not charged"
        assert len(outcome.executed) <= before
        assert len(outcome.shots) == len(outcome.executed)
        assert outcome.clamped == (before < outcome.compiled) or outcome.lost
        if not kind.tracks:
            assert not outcome.lost
            assert len(outcome.executed) == min(outcome.compiled, before)
        elif outcome.lost and outcome.executed:
            assert place.bearing(intent.object_name) is None
        elif outcome.executed:
            assert place.bearing(intent.object_name) is not None
            assert len(outcome.executed) == min(outcome.compiled, before)


def test_intents_in_words() -> None:
    follow = Intent(name=IntentName.FOLLOW, frame_id=20, box=(1.0, 2.25, 3.0, 4.125), count=2)
    assert intent_text(follow) == "FOLLOW count=2 frame_id=20 box=(1, 2.2, 3, 4.1)"
    assert intent_text(Intent(name=IntentName.FACE, bearing_deg=-12.34)) == "FACE bearing_deg=-12.3"


def test_single_actions_replace_intents() -> None:
    place = room()
    single = embodied_intents(place.actions, place.sizes, atomic=True)
    assert set(single.kinds) == {IntentName.ATOMIC}
    outcome = execute_intent(
        Intent(name=IntentName.ATOMIC, action=ActionName.MOVE_UP), single, place, place.shot()
    )
    assert [action.name for action in outcome.executed] == [ActionName.MOVE_UP]

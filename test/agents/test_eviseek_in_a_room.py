"""EviSeek in an embodied environment: the same acquisition over another set of intents."""

import math

from kinematic_room import KinematicRoom
from scripts import curate, demands, plan, reply, seek
from simulated_street import Episode, make_street

from avr_ros.agents.environments.actions import ESI_ACTIONS
from avr_ros.agents.environments.embodied_intents import embodied_intents
from avr_ros.agents.environments.environment import StepSizes
from avr_ros.agents.eviseek.acquisition import acquire
from avr_ros.agents.eviseek.answering import Trajectory, answer_call
from avr_ros.agents.eviseek.board import Board
from avr_ros.agents.eviseek.episode import EpisodeContext
from avr_ros.agents.eviseek.settings import EviseekSettings
from avr_ros.agents.eviseek.state import EvidenceState
from avr_ros.agents.single_model.loop import SingleModelLoop
from avr_ros.agents.single_model.settings import SingleModelSettings
from avr_ros.agents.toolbox import Toolbox
from avr_ros.reasoning.backends.scripted import ScriptedBackend
from avr_ros.schema.answer import ChoiceAnswer
from avr_ros.schema.question import Question
from avr_ros.schema.vocabulary import AnswerMode

QUESTION = Question(
    question_id="q",
    family=None,
    answer_mode=AnswerMode.CHOICE,
    text="Does the cup stay on the bowl?",
    choices=("yes, it stays", "no, it falls"),
)


def room(budget: int) -> KinematicRoom:
    things = {"cup": (0.0, 2.0), "bowl": (-1.5, 1.0)}
    return KinematicRoom(ESI_ACTIONS, StepSizes(0.25, math.radians(15)), budget, things)


def context(place: KinematicRoom, model: ScriptedBackend) -> EpisodeContext:
    settings = EviseekSettings()
    return EpisodeContext(
        QUESTION,
        place,
        embodied_intents(place.actions, place.sizes),
        Toolbox(QUESTION, Episode(make_street(0), QUESTION).tools),
        model,
        settings,
        EvidenceState((), [], Board(settings.board_capacity)),
    )


def test_a_physical_test_and_its_outcome() -> None:
    place = room(30)
    model = ScriptedBackend(
        {
            "demands": [demands("The outcome of putting the cup on the bowl")],
            "acquisition_plan": [plan(("see the cup put on the bowl and what happens", 1))],
            "seek": [
                seek("APPROACH", object_name="cup", count=2),
                seek("MANIPULATE", atomic_action="put_on", objects=["cup", "bowl"]),
                seek("RISE_TOPDOWN", keep=True, note="it stands", count=1),
                seek("STOP"),
            ],
            "curate": [curate(summary="closer"), curate("view 8")],
            "answer": [reply(choice=0, evidence_view=None)],
        }
    )
    episode = context(place, model)
    acquire(episode, place.shot())
    state = episode.state
    assert [action.name.value for action in place.done] == [
        *["move_forward"] * 2,
        "put_on",
        *["move_up"] * 3,
        "turn_down",
    ]
    kept = [(item.shot.name, item.outcome) for item in state.board.items]
    assert kept[0] == ("view 4", "[ENV] put cup on bowl success=True")
    assert kept[1][0] == "view 8"
    assert state.board.items[1].shot.caption == "d(+0.00E,+0.50N,z0.75) heading +0 pitch -15"
    trajectory = Trajectory(
        state.demands, state.board.items, tuple(state.shots), tuple(state.history)
    )
    answer = episode.ask(answer_call(QUESTION, trajectory, "board", 20)).answer
    assert answer == ChoiceAnswer(choice=0)


def test_the_budget_is_shared_by_all_intents() -> None:
    place = room(7)
    model = ScriptedBackend(
        {
            "demands": [demands("Where the cup is"), demands("Where the cup is")],
            "acquisition_plan": [plan(("find the cup", 1), ("find the bowl", 1))],
            "seek": lambda request: (
                seek("SWEEP", count=3) if request.inputs.remaining else seek("STOP")
            ),
            "curate": lambda request: curate(request.inputs.frames[-1].name),
        }
    )
    episode = context(place, model)
    acquire(episode, place.shot())
    assert len(place.done) == 7
    assert [item.status.value for item in episode.state.plan] == ["timed_out", "not_reached"]


def test_the_single_model_acts_in_the_same_room() -> None:
    place = room(4)
    sure = {"choice": 1, "reason": "it fell"}
    model = ScriptedBackend(
        {
            "single_step": [
                reply(action="move_forward", confidence=0.9, answer=sure, reasoning="closer"),
                reply(action="put_on", objects=["cup", "bowl"], confidence=0.3),
                reply(action="move_up", confidence=0.9, answer=None),
                reply(action="turn_down", confidence=0.8, answer=sure),
            ]
        }
    )
    episode = context(place, model)
    loop = SingleModelLoop(
        QUESTION,
        place,
        embodied_intents(place.actions, place.sizes, atomic=True),
        episode.toolbox,
        model,
        SingleModelSettings(),
    )
    ended = loop.run(place.shot())
    # Confident before the third step, then without an answer; the stopping step is not executed.
    assert [action.name.value for action in place.done] == ["move_forward", "put_on", "move_up"]
    assert ended.stopped_by == "threshold" and ended.answer.answer == ChoiceAnswer(choice=1)
    assert ended.history[1] == (
        "Step 2: action=put cup on bowl answer=not sure conf=0.3 "
        "result=put cup on bowl success=True reasoning="
    )
    assert len(model.requests[-1].images) == 4

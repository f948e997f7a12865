"""The graph agent in a simulated street, where the truth is known."""

import numpy as np
import pytest
from simulated_street import EPISODE, Episode, Street, evidence_is_right, make_street

from avr_ros.agents.avr.agent import AvrAgent
from avr_ros.agents.avr.settings import AvrSettings
from avr_ros.agents.tools import EpisodeCancelledError, ToolFailedError
from avr_ros.perception.oracle_settings import OracleSettings
from avr_ros.schema.answer import ChoiceAnswer, FrameAnswer, SpanAnswer
from avr_ros.schema.prediction import FailureKind
from avr_ros.schema.question import FrameSpan, Question
from avr_ros.schema.step import StepKind
from avr_ros.schema.vocabulary import AnswerMode, Family, Occlusion
from avr_ros.world.evidence_index import ABSENT


def mark(street: Street, seed: int) -> tuple[str, int]:
    """Let one person, otherwise an ordinary one, sit around a frame; return the track and frame."""
    rng = np.random.default_rng(seed)
    for index in rng.permutation(len(street.people)).tolist():
        walker = street.people[index]
        first = int(rng.integers(0, 20))
        hidden = any(item.value == "Fully_occluded" for item in walker.occlusion)
        if hidden or street.label(first, walker.track).box.h < 60:
            continue
        for frame in range(first + 3):
            walker.actions[frame] = walker.actions[frame] | {"reading"}
        return walker.track, first
    raise AssertionError("nobody can be marked")


def boundary(street: Street, track: str, frame: int, action: str, start: bool) -> int | None:
    """The first frame after ``frame`` at which an action starts (or the first without it)."""
    walker = next(item for item in street.people if item.track == track)
    done = [action in actions for actions in walker.actions]
    for at in range(frame + 1, street.frames):
        if done[at] is start and done[at - 1] is not start:
            return at
    return None


def ask(text: str, first: int, mode: AnswerMode = AnswerMode.FRAME, **more: object) -> Question:
    return Question(
        question_id="q",
        family=Family.ACTION_BOUNDARY,
        answer_mode=mode,
        text=text,
        sequence="street",
        tolerance=5.0 if mode is AnswerMode.FRAME else None,
        legal_frames=(FrameSpan(first=first, last=119),),
        **more,  # type: ignore[arg-type]
    )


def run_boundary(seed: int, oracle: OracleSettings) -> tuple[bool, bool, int]:
    """One question: whether it was right with evidence, whether it was answered, and the looks."""
    street = make_street(seed)
    track, frame = mark(street, seed)
    walker = next(item for item in street.people if item.track == track)
    start = "walking" not in walker.actions[frame]
    truth = boundary(street, track, frame, "walking", start)
    verb = "start" if start else "stop"
    question = ask(
        f"At frame {frame} one person is reading. When does this person {verb} walking?", frame
    )
    if truth is None:
        return True, True, 0
    episode = Episode(street, question, oracle)
    prediction = AvrAgent().answer(question, episode.tools)
    looks = 32 - episode.remaining
    if prediction.abstained:
        return False, False, looks
    assert isinstance(prediction.answer, FrameAnswer)
    right = abs(prediction.answer.frame_id - truth) <= 5
    shown = evidence_is_right(episode, prediction, track, range(truth - 5, truth + 6))
    return right and shown, True, looks


def test_boundaries_are_found_within_the_budget() -> None:
    results = [run_boundary(seed, OracleSettings(seed=seed)) for seed in range(24)]
    assert sum(right for right, _, _ in results) >= 23
    assert max(looks for _, _, looks in results) <= 32


def test_faults_lead_to_fewer_answers_rather_than_wrong_ones() -> None:
    faults = {"misses": 0.1, "jitter_px": 5, "action_confusion": 0.05, "identity_switches": 0.02}
    results = [
        run_boundary(seed, OracleSettings.model_validate({"seed": seed, **faults}))
        for seed in range(24)
    ]
    assert sum(right for right, _, _ in results) >= 17
    wrong = sum(answered and not right for right, answered, _ in results)
    assert wrong <= 4


def test_spans_are_found() -> None:
    right = 0
    for seed in range(12):
        street = make_street(seed)
        track, frame = mark(street, seed)
        walker = next(item for item in street.people if item.track == track)
        first, last = 60, 60 + 23 + seed % 8
        for at in range(first, last + 1):
            walker.actions[at] = walker.actions[at] | {"pointing at sth"}
        question = ask(
            f"In frame {frame} only one person is reading. From which frame to which frame is this "
            f"person pointing at something next?",
            frame,
            AnswerMode.SPAN,
        )
        episode = Episode(street, question, OracleSettings(seed=seed))
        prediction = AvrAgent().answer(question, episode.tools)
        if isinstance(prediction.answer, SpanAnswer):
            common = min(last, prediction.answer.end_frame) - max(
                first, prediction.answer.start_frame
            )
            union = max(last, prediction.answer.end_frame) - min(
                first, prediction.answer.start_frame
            )
            shown = evidence_is_right(episode, prediction, track, range(first, last + 1))
            right += shown and 2 * (common + 1) >= union + 1
    assert right >= 11


def test_a_frame_that_is_named_is_where_the_search_begins() -> None:
    right = 0
    for seed in range(4):
        street = make_street(seed, hidden=0.0)
        track, frame = mark(street, seed)
        walker = next(item for item in street.people if item.track == track)
        for at in range(120):
            reading = {"reading"} if at < frame + 3 else set()
            walking = 30 - seed <= at < 66 or at >= 90
            walker.actions[at] = frozenset({"walking" if walking else "standing"} | reading)
        for text in (
            f"In frame {frame} only one person is reading. When does this person start walking "
            f"after frame 50?",
            f"In frame {frame} only one person is reading. When does this person start walking "
            f"after frame 32?",
        ):
            question = ask(text, frame)
            episode = Episode(street, question, OracleSettings(seed=seed))
            prediction = AvrAgent().answer(question, episode.tools)
            right += isinstance(prediction.answer, FrameAnswer) and (
                abs(prediction.answer.frame_id - 90) <= 5
            )
    assert right >= 7


def presence_question(
    leaves: int, observations: int, given: tuple[int, ...] = ()
) -> tuple[Episode, Question, int]:
    """Whether somebody is there in frame 100 who is hidden for good from frame ``leaves`` on."""
    street = make_street(2, hidden=0.0)
    track, frame = mark(street, 2)
    walker = next(item for item in street.people if item.track == track)
    for at in range(leaves, 120):
        walker.occlusion[at] = Occlusion.FULLY_OCCLUDED
    question = ask(
        f"In frame {frame} only one person is reading. Is this person still there in frame 100?",
        0,
        AnswerMode.CHOICE,
        choices=("yes", "no"),
        max_observations=observations,
        given_frames=given,
    )
    return Episode(street, question), question, frame


def test_absence_is_claimed_and_written_where_all_directions_were_seen() -> None:
    episode, question, _ = presence_question(40, 40)
    assert AvrAgent().answer(question, episode.tools).answer == ChoiceAnswer(choice=1)
    absent = [fact for fact in episode.model.snapshot().facts if fact.predicate == ABSENT]
    assert [fact.provenance.frame_id for fact in absent] == [100]
    looks = [record.frame_id for record in episode.records.values()]
    assert looks.count(100) >= 8
    # Two views are left for the frame.
    episode, question, _ = presence_question(40, looks.index(100) + 2)
    prediction = AvrAgent().answer(question, episode.tools)
    assert prediction.abstained and "nor were all its directions" in prediction.reason


def test_somebody_seen_in_a_given_panorama_is_there() -> None:
    _, _, frame = presence_question(120, 32)
    settings = AvrSettings(active=False)
    for leaves, choice in ((120, 0), (40, 1)):
        episode, question, _ = presence_question(leaves, 32, (frame, 100))
        prediction = AvrAgent(settings).answer(question, episode.tools)
        assert prediction.answer == ChoiceAnswer(choice=choice)
    episode, question, _ = presence_question(40, 32, (frame,))
    assert AvrAgent(settings).answer(question, episode.tools).abstained


def first_question(seed: int = 1) -> tuple[Street, Question]:
    street = make_street(seed)
    _, frame = mark(street, seed)
    return street, ask(
        f"At frame {frame} one person is reading. When does this person start walking?", frame
    )


def test_the_same_views_give_the_same_answer_and_steps() -> None:
    street, question = first_question()
    one, two = Episode(street, question), Episode(street, question)
    assert AvrAgent().answer(question, one.tools) == AvrAgent().answer(question, two.tools)
    untimed = [
        [step.model_dump(exclude={"seconds"}) for step in episode.steps] for episode in (one, two)
    ]
    assert untimed[0] == untimed[1]
    assert one.model.snapshot() == two.model.snapshot()


def test_steps_are_numbered_and_tell_of_every_tool_use() -> None:
    street, question = first_question(5)
    episode = Episode(street, question)
    AvrAgent().answer(question, episode.tools)
    assert [step.number for step in episode.steps] == list(range(1, len(episode.steps) + 1))
    assert {step.episode_id for step in episode.steps} == {EPISODE}
    kinds = [step.kind for step in episode.steps]
    assert kinds[:2] == [StepKind.MODEL_CALL, StepKind.PLAN]
    assert kinds[-1] is StepKind.ANSWER
    assert kinds.count(StepKind.OBSERVE) == kinds.count(StepKind.PERCEIVE) == len(episode.records)
    assert StepKind.READ_FACTS in kinds
    calls = sum(
        kind in (StepKind.OBSERVE, StepKind.WRITE_FACTS, StepKind.READ_FACTS, StepKind.ANSWER)
        for kind in kinds
    )
    assert calls <= question.max_tool_calls


def test_every_fact_is_grounded() -> None:
    street, question = first_question()
    episode = Episode(street, question)
    AvrAgent().answer(question, episode.tools)
    snapshot = episode.model.snapshot()
    assert snapshot.facts
    assert snapshot.refused == 0


@pytest.mark.parametrize(("observations", "calls"), [(1, 96), (8, 96), (9, 96), (12, 96), (32, 5)])
def test_small_budgets_are_kept(observations: int, calls: int) -> None:
    street, question = first_question()
    question = question.model_copy(
        update={"max_observations": observations, "max_tool_calls": calls}
    )
    episode = Episode(street, question)
    prediction = AvrAgent().answer(question, episode.tools)
    assert prediction.abstained or prediction.answer is not None
    kinds = [step.kind for step in episode.steps]
    used = sum(
        kind in (StepKind.OBSERVE, StepKind.WRITE_FACTS, StepKind.READ_FACTS, StepKind.ANSWER)
        for kind in kinds
    )
    assert used <= calls


@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("Is the person who is sitting at frame 5 walking at frame 90?", AnswerMode.FRAME,
         "not understood"),
        ("When does the enormous person who is sitting at frame 5 stop?", AnswerMode.FRAME,
         "enormous"),
        ("When does the person who is sitting at frame 5 stop sitting?", AnswerMode.SPAN,
         "mode span"),
        ("When does the person who is sitting at frame 5 stop sitting?", AnswerMode.FRAME,
         "nobody in frame 5 was seen"),
        ("When does the person who is standing at frame 5 stop standing?", AnswerMode.FRAME,
         "several people in frame 5"),
        ("When does the person who is sitting at frame 500 stop sitting?", AnswerMode.FRAME,
         "frame 500 may not be observed"),
    ],
)  # fmt: skip
def test_abstentions_say_why(text: str, mode: AnswerMode, words: str) -> None:
    question = ask(text, 0, mode)
    episode = Episode(make_street(3), question)
    prediction = AvrAgent().answer(question, episode.tools)
    assert prediction.abstained
    assert words in prediction.reason
    assert episode.steps[-1].kind is StepKind.ANSWER


@pytest.mark.parametrize(
    "error",
    [
        EpisodeCancelledError(FailureKind.CANCELLED),
        ToolFailedError(FailureKind.OBSERVATION_FAILED, "the node is gone"),
    ],
)
def test_ends_and_failures_reach_the_caller(error: Exception) -> None:
    street, question = first_question()

    class Broken(Episode):
        def observe(self, frame_id: int, azimuth: float, field_of_view: float = 0.0):  # type: ignore[no-untyped-def]
            if len(self.records) >= 4:
                raise error
            return super().observe(frame_id, azimuth, field_of_view)

    with pytest.raises(type(error)):
        AvrAgent().answer(question, Broken(street, question).tools)


def test_a_neighbour_is_found_by_a_relation() -> None:
    right = 0
    for seed in range(8):
        street = make_street(seed, people=9, hidden=0.0)
        track, frame = mark(street, seed)
        azimuths = {
            person.track: float(np.arctan2(person.position[1], person.position[0]))
            for person in street.labels(frame)
            if person.position is not None
        }
        turns = sorted(
            ((azimuth - azimuths[track]) % (2 * np.pi), other)
            for other, azimuth in azimuths.items()
            if other != track
        )
        turn, neighbour = turns[0]
        if not np.radians(6) < turn < np.radians(85) or turns[1][0] - turn < np.radians(6):
            right += 1
            continue
        truth = boundary(street, neighbour, frame, "walking", start=True)
        walker = next(item for item in street.people if item.track == neighbour)
        if truth is None or "walking" in walker.actions[frame]:
            right += 1
            continue
        question = ask(
            f"At frame {frame}, look for the only person who is reading, and then for the person "
            f"nearest to the left of them as seen from the robot. When do they start walking?",
            frame,
        )
        episode = Episode(street, question, OracleSettings(seed=seed))
        prediction = AvrAgent().answer(question, episode.tools)
        right += isinstance(prediction.answer, FrameAnswer) and (
            abs(prediction.answer.frame_id - truth) <= 5
            and evidence_is_right(episode, prediction, neighbour, range(truth - 5, truth + 6))
        )
    assert right >= 7

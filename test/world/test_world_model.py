"""The grounding rule, reads, audit trail, bounds and waiting of the world model."""

import math
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger_records import EPISODE, panorama_record, view_record

from avr_ros.schema.box import Box
from avr_ros.schema.fact import Fact, FactKind, FactPattern, Provenance
from avr_ros.schema.observation import ObserveStatus
from avr_ros.world.errors import WorldModelError
from avr_ros.world.storage import from_json, to_json
from avr_ros.world.world_model import Limits, WorldModel

AHEAD = Box(1800.0, 100.0, 60.0, 200.0)


def fact(
    observation: str = f"{EPISODE}/1",
    frame_id: int = 3,
    azimuth: float | None = 0.0,
    box: Box | None = AHEAD,
    *,
    kind: FactKind = FactKind.ATTRIBUTE,
    subject: str = "person 1",
    predicate: str = "action",
    value: str = "sitting",
) -> Fact:
    return Fact(
        kind=kind,
        subject=subject,
        predicate=predicate,
        value=value,
        provenance=Provenance(
            observation_id=observation, frame_id=frame_id, azimuth=azimuth, box=box
        ),
    )


def model_with_view(limits: Limits | None = None) -> WorldModel:
    """A world model that was told of a view ahead in frame 3 and a panorama of frame 9."""
    model = WorldModel(EPISODE, limits)
    model.add_record(view_record(1, 3, 0.0))
    model.add_record(panorama_record(2, 9))
    return model


def test_a_grounded_fact_is_written_and_read_back() -> None:
    model = model_with_view()
    outcome = model.write([fact()])
    assert (outcome.accepted, outcome.refused, outcome.revision) == (1, (), 1)
    assert model.read(FactPattern(subject="person 1", predicate="action")) == [fact()]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (fact(observation=f"{EPISODE}/7"), "was not granted"),
        (fact(frame_id=4), "frame 4 is not frame 3"),
        (fact(azimuth=0.1), "azimuth 0.1"),
        (fact(azimuth=None), "azimuth of observation"),
        (fact(box=Box(100.0, 100.0, 60.0, 200.0)), "not inside the view's crop"),
        (fact(box=Box(1630.0, 100.0, 60.0, 200.0)), "not inside the view's crop"),
        (fact(box=Box(1800.0, 100.0, 0.0, 200.0)), "empty"),
        (fact(box=Box(3760.0, 100.0, 10.0, 200.0)), "3760 columns"),
        (fact(observation=f"{EPISODE}/2", frame_id=9, azimuth=0.0), "a panorama has no azimuth"),
        (fact(kind=FactKind.RELATION, value=""), "other entity"),
        (fact(value="sit\x00ting"), "control character"),
    ],
)
def test_a_fact_that_nothing_granted_supports_changes_nothing(wrong: Fact, words: str) -> None:
    model = model_with_view()
    model.write([fact()])
    before = model.snapshot()
    outcome = model.write([wrong])
    assert outcome.accepted == 0
    assert outcome.revision == 1
    (position, reason) = outcome.refused[0]
    assert position == 0
    assert words in reason
    after = model.snapshot()
    assert after.facts == before.facts
    assert after.observations == before.observations
    assert after.refused == 1
    assert after.audit[-1].fact == wrong
    assert not after.audit[-1].accepted


def test_each_fact_of_a_write_is_judged_by_itself() -> None:
    model = model_with_view()
    outcome = model.write([fact(frame_id=4), fact(), fact(value="reading"), fact(azimuth=None)])
    assert outcome.accepted == 2
    assert [position for position, _ in outcome.refused] == [0, 3]
    assert outcome.revision == 1
    assert [entry.accepted for entry in model.snapshot().audit] == [False, True, True, False]


def test_a_box_that_passes_the_seam_is_inside_the_view_behind() -> None:
    model = WorldModel(EPISODE)
    model.add_record(view_record(1, 0, math.pi))
    seam = fact(frame_id=0, azimuth=-math.pi, box=Box(3740.0, 50.0, 60.0, 300.0))
    assert model.write([seam]).accepted == 1


def test_a_panorama_grounds_a_box_anywhere() -> None:
    model = model_with_view()
    anywhere = fact(f"{EPISODE}/2", 9, None, Box(20.0, 10.0, 30.0, 40.0))
    assert model.write([anywhere]).accepted == 1


def test_a_refused_view_grounds_nothing() -> None:
    model = WorldModel(EPISODE)
    model.add_record(view_record(1, 3, 0.0, status=ObserveStatus.FRAME_NOT_LEGAL))
    assert model.write([fact()]).accepted == 0
    assert model.snapshot().observations == ()


def test_a_fact_written_twice_is_kept_once() -> None:
    model = model_with_view()
    model.write([fact()])
    outcome = model.write([fact()])
    assert (outcome.accepted, outcome.revision) == (1, 1)
    assert model.snapshot().facts == (fact(),)


def test_records_of_another_episode_are_an_error() -> None:
    with pytest.raises(WorldModelError, match="q2#1"):
        WorldModel(EPISODE).add_record(view_record(1, 3, 0.0, episode_id="q2#1"))


def test_a_record_that_contradicts_an_earlier_one_is_an_error() -> None:
    model = model_with_view()
    model.add_record(view_record(1, 3, 0.0))
    with pytest.raises(WorldModelError, match="unique"):
        model.add_record(view_record(1, 4, 0.0))


def test_reads_by_pattern() -> None:
    model = model_with_view()
    facts = [
        fact(kind=FactKind.ENTITY, predicate="person", value=""),
        fact(value="reading"),
        fact(f"{EPISODE}/2", 9, None, subject="person 2"),
        fact(f"{EPISODE}/2", 9, None, kind=FactKind.RELATION, predicate="near", value="person 2"),
    ]
    model.write(facts)
    assert model.read(FactPattern()) == facts
    assert model.read(FactPattern(kind="entity")) == facts[:1]
    assert model.read(FactPattern(subject="person 2")) == facts[2:3]
    assert model.read(FactPattern(predicate="action")) == facts[1:3]
    assert model.read(FactPattern(value="person 2")) == facts[3:]
    assert model.read(FactPattern(first_frame=4)) == facts[2:]
    assert model.read(FactPattern(last_frame=3)) == facts[:2]
    with pytest.raises(WorldModelError, match="'thing' does not exist"):
        model.read(FactPattern(kind="thing"))


def test_size_is_bounded() -> None:
    model = model_with_view(Limits(facts=2, audit=3, observations=2))
    outcome = model.write([fact(value=str(number)) for number in range(5)])
    assert outcome.accepted == 2
    assert "limit of 2 facts" in outcome.refused[0][1]
    snapshot = model.snapshot()
    assert [entry.number for entry in snapshot.audit] == [3, 4, 5]
    assert (snapshot.attempts, snapshot.refused) == (5, 3)
    assert model.write([fact(value="0")]).accepted == 1
    with pytest.raises(WorldModelError, match="limit of 2 observations"):
        model.add_record(view_record(3, 3, 0.0))


def test_a_write_waits_for_the_record_that_it_names() -> None:
    model = WorldModel(EPISODE)
    outcomes = []
    writer = threading.Thread(
        target=lambda: outcomes.append(model.write([fact()], time.monotonic() + 30.0))
    )
    writer.start()
    model.add_record(view_record(1, 3, 0.0))
    writer.join()
    assert outcomes[0].accepted == 1


def test_a_write_is_refused_once_its_deadline_has_passed() -> None:
    model = WorldModel(EPISODE)
    assert not model.wait_for(f"{EPISODE}/1", time.monotonic() - 1.0)
    assert model.write([fact()], time.monotonic() - 1.0).accepted == 0


def test_writes_from_several_threads_are_all_kept() -> None:
    model = model_with_view()
    threads = [
        threading.Thread(
            target=lambda name=name: [
                model.write([fact(subject=name, value=str(number))]) for number in range(50)
            ]
        )
        for name in ("a", "b", "c", "d")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(model.snapshot().facts) == 200
    assert model.revision == 200
    for name in ("a", "b", "c", "d"):
        values = [item.value for item in model.read(FactPattern(subject=name))]
        assert values == [str(number) for number in range(50)]


facts = st.builds(
    fact,
    observation=st.sampled_from([f"{EPISODE}/{number}" for number in range(1, 5)]),
    frame_id=st.integers(0, 3),
    azimuth=st.sampled_from([None, 0.0, 1.0, -math.pi, math.pi]),
    box=st.none()
    | st.builds(
        Box,
        st.floats(0, 4000),
        st.floats(-10, 500),
        st.floats(0, 4000),
        st.floats(0, 500),
    ),
    kind=st.sampled_from(FactKind),
    subject=st.text(min_size=1, max_size=3),
    value=st.text(max_size=3),
)
records = st.builds(
    view_record,
    st.integers(1, 3),
    st.integers(0, 3),
    st.sampled_from([0.0, 1.0, math.pi]),
) | st.builds(panorama_record, st.just(4), st.integers(0, 3))


@given(st.lists(records, max_size=4, unique_by=lambda record: record.observation_id), st.data())
def test_whatever_is_written_stays_grounded_and_saved(
    records_given: list, data: st.DataObject
) -> None:
    """No writes leave a fact without a granted view; the same calls repeat; JSON keeps all."""
    model, again = WorldModel(EPISODE), WorldModel(EPISODE)
    for record in records_given:
        model.add_record(record)
        again.add_record(record)
    granted = {record.observation_id: record for record in records_given}
    total = 0
    for batch in data.draw(st.lists(st.lists(facts, max_size=5), max_size=4)):
        before = model.snapshot()
        outcome = model.write(batch)
        assert outcome == again.write(batch)
        assert outcome.accepted + len(outcome.refused) == len(batch)
        refused = {position for position, _ in outcome.refused}
        for position, item in enumerate(batch):
            if position in refused:
                assert item not in model.snapshot().facts
            else:
                record = granted[item.provenance.observation_id]
                assert item.provenance.frame_id == record.frame_id
        if outcome.accepted == 0:
            assert model.snapshot().facts == before.facts
            assert outcome.revision == before.revision
        total += len(batch)
    snapshot = model.snapshot()
    assert snapshot == again.snapshot()
    assert snapshot.attempts == total
    assert snapshot.refused == sum(not entry.accepted for entry in snapshot.audit)
    text = to_json(snapshot)
    assert from_json(text) == snapshot
    assert to_json(WorldModel.restore(from_json(text)).snapshot()) == text

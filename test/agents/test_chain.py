"""Chains of relations with places that are known to some deviation only."""

import math

import pytest

from avr_ros.agents.avr.chain import follow_chain
from avr_ros.agents.avr.people import Person
from avr_ros.agents.avr.placed import Placed
from avr_ros.world.plan import PlanRelation


def at(
    name: str,
    x: float,
    y: float,
    heading_deg: float = 0.0,
    *,
    sigma: float = 0.01,
    likeness: float = 0.0,
) -> Placed:
    azimuth = math.atan2(y, x)
    return Placed(
        Person(name),
        azimuth,
        azimuth,
        math.hypot(x, y),
        sigma,
        math.radians(heading_deg),
        math.radians(0.5),
        likeness,
    )


def ends(people: list[Placed], *relations: PlanRelation, closest: bool = False) -> dict[str, float]:
    found = follow_chain(people, closest, relations)
    return {item.path[-1].name: item.probability for item in found}


SEEN = 9 / 9.05
"""Of likeness 0.9 the odds are 9; those of somebody who was not seen are 0.05."""


def test_sides_seen_from_the_robot() -> None:
    people = [at("a", 5, 0, likeness=0.9), at("left", 5, 2), at("far", 1, 5), at("right", 5, -2)]
    assert ends(people, PlanRelation.ROBOT_LEFT) == {"left": pytest.approx(SEEN, abs=0.01)}
    assert ends(people, PlanRelation.ROBOT_RIGHT) == {"right": pytest.approx(SEEN, abs=0.01)}


def test_sectors_of_the_own_heading() -> None:
    """a stands ahead of the robot and faces left: what is behind a is to the robot's right."""
    people = [
        at("a", 5, 0, 90.0, likeness=0.9),
        at("b", 5, 2),
        at("c", 5, -2),
        at("d", 7, 0),
        at("e", 3, 0),
    ]
    assert ends(people, PlanRelation.FRONT) == {"b": pytest.approx(SEEN, abs=0.01)}
    assert ends(people, PlanRelation.BEHIND) == {"c": pytest.approx(SEEN, abs=0.01)}
    assert ends(people, PlanRelation.OWN_RIGHT) == {"d": pytest.approx(SEEN, abs=0.01)}
    assert ends(people, PlanRelation.OWN_LEFT) == {"e": pytest.approx(SEEN, abs=0.01)}


def test_the_closest_of_several_is_meant() -> None:
    people = [at("near", 2, 1, likeness=0.9), at("far", 4, 1, likeness=0.9), at("other", 1, 0)]
    assert ends(people, closest=True) == pytest.approx({"near": 0.9, "far": 0.09}, abs=0.04)


def test_of_several_the_likeliest_is_described_as_odds_say() -> None:
    """Odds are 4, 1 and, for somebody not seen, 0.05: the shares are 4 / 5.05 and 1 / 5.05."""
    people = [at("a", 5, 0, likeness=0.8), at("b", 5, 2, likeness=0.5), at("c", 5, -2)]
    assert ends(people) == pytest.approx({"a": 4 / 5.05, "b": 1 / 5.05}, abs=0.06)


def test_chance_prefers_nobody_among_those_who_fit_equally_well() -> None:
    """Five who certainly do it: a fifth of 400 draws each, but for the draw at a border."""
    found = ends([at(str(item), 5, item, likeness=0.999999) for item in range(5)])
    assert sorted(found.values()) == pytest.approx([0.2] * 5, abs=0.003)


def test_nobody_who_fits_leaves_it_to_somebody_not_seen() -> None:
    people = [at("a", 5, 0, likeness=0.001), at("b", 5, 2)]
    assert sum(ends(people).values()) < 0.1


def test_from_whom_no_relation_leads_on_counts_little() -> None:
    """Nobody is near enough to a to form a group; b and c do so."""
    people = [
        at("a", 9, 0, likeness=0.5),
        at("b", 2, 3, likeness=0.5),
        at("c", 2, 4),
    ]
    found = ends(people, PlanRelation.GROUP)
    assert found == {"c": pytest.approx(1 / (1 + 0.1 + 0.05), abs=0.06)}


def test_a_way_never_leads_back() -> None:
    people = [at("a", 5, 0, likeness=0.9), at("b", 5, 1)]
    assert ends(people, PlanRelation.CLOSEST, PlanRelation.CLOSEST) == {}


def test_two_who_are_each_the_others_nearest_form_a_group() -> None:
    people = [at("a", 5, 0, likeness=0.9), at("b", 5, 1), at("c", 5, 3)]
    assert ends(people, PlanRelation.GROUP) == {"b": pytest.approx(SEEN, abs=0.01)}
    lonely = [at("a", 5, 0, likeness=0.9), at("b", 5, 1), at("c", 5, 1.5)]
    assert ends(lonely, PlanRelation.GROUP) == {}


def test_what_is_not_sure_is_kept_open_and_unclear_draws_do_not_count() -> None:
    """b and c are about equally far in front; a question would never rest on less than 0.3 m."""
    people = [
        at("a", 0.5, 0, likeness=0.9),
        at("b", 4.0, 0.3, sigma=0.3),
        at("c", 4.0, -0.3, sigma=0.3),
    ]
    found = ends(people, PlanRelation.FRONT)
    assert set(found) == {"b", "c"}
    assert 0.3 < found["b"] < 0.7
    surer = [people[0], at("b", 3.8, 0.3, sigma=0.05), at("c", 4.2, -0.3, sigma=0.05)]
    assert ends(surer, PlanRelation.FRONT)["b"] > 0.99


def test_nobody_likely_is_nobody_described() -> None:
    assert ends([at("a", 5, 0, likeness=0.3)], PlanRelation.CLOSEST) == {}
    assert follow_chain([], False, ()) == []
